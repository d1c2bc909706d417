//! Starts the proxy from the command line and stops it on Ctrl-C or SIGTERM.

use std::io::Write;
use std::process::ExitCode;

use proxy::{Config, Log, Server, Start, USAGE};
use wire::provider::APP_HEADER;

#[tokio::main]
async fn main() -> ExitCode {
    let log = Log::to_stderr();
    let start = match Config::read(std::env::args_os().skip(1), |name| std::env::var_os(name)) {
        Ok(start) => start,
        Err(mistake) => return refuse(&log, &mistake),
    };
    let config = match start {
        Start::Help => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Start::Run(config) => config,
    };
    // Before it listens, so that there is no moment at which a signal would not stop it cleanly.
    let told_to_stop = match told_to_stop() {
        Ok(told_to_stop) => told_to_stop,
        Err(error) => return refuse(&log, &error),
    };
    let server = match Server::start(*config, log.clone()).await {
        Ok(server) => server,
        Err(mistake) => return refuse(&log, &mistake),
    };
    tell_token(&server);
    told_to_stop.await;
    server.stop().await;
    log.line("stopped");
    ExitCode::SUCCESS
}

/// To whoever started it, and not into the log, which is kept. That nobody reads it stops nothing.
fn tell_token(server: &Server) {
    let (port, token) = (server.port(), server.token());
    let at = format!("http://127.0.0.1:{port}/api/");
    let words = format!("Another program asks at {at} with the header {APP_HEADER}: {token}");
    let _ = writeln!(std::io::stdout(), "{words}");
}

fn refuse(log: &Log, mistake: &dyn std::error::Error) -> ExitCode {
    log.line(&format!("cannot start: {mistake}"));
    ExitCode::FAILURE
}

/// Ctrl-C, or the wish of whoever started it.
#[cfg(unix)]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => (),
            _ = terminated.recv() => (),
        }
    })
}

/// Ctrl-C.
#[cfg(windows)]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let mut pressed = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        pressed.recv().await;
    })
}
