//! The model proxy, serving the optimised page as it would to a household.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files;
use crate::process::Process;

/// A running proxy.
pub struct Proxy {
    process: Process,
    port: u16,
    upstream: Option<String>,
    page: PathBuf,
}

impl Proxy {
    /// Starts it on a free port. `upstream` stands where the vendors would.
    #[must_use]
    pub fn start(upstream: Option<String>) -> Self {
        let page = files::page();
        let (process, port) = start(0, upstream.as_deref(), &page);
        Self { process, port, upstream, page }
    }

    /// The address of the page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Lets it answer nothing, as a network that hangs.
    pub fn hold(&self) {
        self.process.hold();
    }

    /// Lets it answer again.
    pub fn go_on(&self) {
        self.process.go_on();
    }

    /// Starts it again where it was.
    pub fn restart(&mut self) {
        self.process = start(self.port, self.upstream.as_deref(), &self.page).0;
    }

    /// Serves another page from now on, where it was.
    pub fn serve(&mut self, page: &Path) {
        self.kill();
        page.clone_into(&mut self.page);
        self.restart();
    }

    /// What it told whoever started it to ask with.
    ///
    /// # Panics
    ///
    /// It told nothing.
    #[must_use]
    pub fn token(&self) -> String {
        let said = self.process.said();
        let told = said.iter().find_map(|line| line.rsplit_once("x-kitchen-assistant: "));
        told.expect("the proxy tells its token as it begins to listen").1.to_owned()
    }

    /// What it logged.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.process.said()
    }
}

/// The keys it is given for `upstream`, each with its vendor. They must turn up nowhere else.
pub const KEYS: [(&str, &str); 3] = [
    ("ANTHROPIC", "key-of-the-journeys-for-claude-0123456789"),
    ("OPENAI", "key-of-the-journeys-for-openai-0123456789"),
    ("OLLAMA", "key-of-the-journeys-for-ollama-0123456789"),
];

fn start(port: u16, upstream: Option<&str>, page: &Path) -> (Process, u16) {
    let mut command = Command::new(files::proxy());
    command.arg("--port").arg(port.to_string()).arg("--dist").arg(page);
    for (vendor, _) in KEYS {
        for what in ["API_KEY", "BASE_URL", "MODELS", "HOST"] {
            command.env_remove(format!("{vendor}_{what}"));
        }
    }
    if let Some(upstream) = upstream {
        for (vendor, key) in KEYS {
            command.env(format!("{vendor}_API_KEY"), key);
        }
        command.env("ANTHROPIC_BASE_URL", upstream).env("OLLAMA_HOST", upstream);
        command.env("OPENAI_BASE_URL", format!("{upstream}/v1"));
    }
    // The last that it says as it starts.
    Process::start(&mut command, "Another program asks at http://127.0.0.1:")
}
