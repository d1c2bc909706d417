//! A program that was started for a journey and ends with it, whatever becomes of the journey.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, PipeReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a program may take to say that it is ready.
const START_MAX: Duration = Duration::from_secs(60);

/// A running program, in a process group of its own.
pub struct Process {
    name: String,
    child: Child,
    said: Arc<Mutex<Vec<String>>>,
}

impl Process {
    /// Starts a program and waits until a line it writes ends in a port after `sign`.
    ///
    /// # Panics
    ///
    /// The program cannot be started, or does not name its port in time.
    #[must_use]
    pub fn start(command: &mut Command, sign: &str) -> (Self, u16) {
        let name = command.get_program().to_string_lossy().into_owned();
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        let copy = writer.try_clone().expect("a pipe can be shared");
        command.stdin(Stdio::null()).stdout(copy).stderr(writer).process_group(0);
        let child = command.spawn().unwrap_or_else(|error| panic!("{name} cannot start: {error}"));
        // The command holds the writing end; without it, the pipe ends when the program does.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let said = Arc::new(Mutex::new(Vec::new()));
        let (ready, port) = mpsc::channel();
        let (kept, sign) = (Arc::clone(&said), sign.to_owned());
        std::thread::spawn(move || listen(reader, &sign, &kept, &ready));
        let process = Self { name, child, said };
        let port = process.wait(&port);
        (process, port)
    }

    /// What it wrote so far.
    #[must_use]
    pub fn said(&self) -> Vec<String> {
        self.said.lock().expect("nobody panics while writing a line").clone()
    }

    /// Its process group, as [`kill`] takes it.
    #[must_use]
    pub fn group(&self) -> String {
        format!("-{}", self.child.id())
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&mut self) {
        kill(&self.group());
        // It may have ended by itself.
        let _ = self.child.wait();
    }

    /// Lets it do nothing, and say nothing, until it goes on.
    pub fn hold(&self) {
        signal("-STOP", &self.group());
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        signal("-CONT", &self.group());
    }

    fn wait(&self, port: &Receiver<u16>) -> u16 {
        port.recv_timeout(START_MAX).unwrap_or_else(|_| {
            panic!("{} did not get ready. It said:\n{}", self.name, self.said().join("\n"))
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills a process by its number, or a process group by its number behind a minus.
pub fn kill(number: &str) {
    signal("-KILL", number);
}

fn signal(name: &str, number: &str) {
    // A process that is gone already hears nothing, and need not.
    let _ = Command::new("kill")
        .args([OsStr::new(name), OsStr::new("--"), OsStr::new(number)])
        .stderr(Stdio::null())
        .status();
}

fn listen(reader: PipeReader, sign: &str, said: &Mutex<Vec<String>>, ready: &Sender<u16>) {
    for line in BufReader::new(reader).lines().map_while(Result::ok) {
        if let Some(port) = port_after(&line, sign) {
            // Later lines may look the same; then nobody waits any more.
            let _ = ready.send(port);
        }
        said.lock().expect("nobody panics while writing a line").push(line);
    }
}

fn port_after(line: &str, sign: &str) -> Option<u16> {
    let (_, rest) = line.split_once(sign)?;
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok().filter(|port| *port != 0)
}
