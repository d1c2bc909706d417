//! Starts the proxy from the command line and stops it on Ctrl-C or SIGTERM.

use std::process::ExitCode;

use proxy::{Config, Log, Server, Start, USAGE};

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
    let server = match Server::start(*config, log.clone()).await {
        Ok(server) => server,
        Err(mistake) => return refuse(&log, &mistake),
    };
    if let Err(error) = told_to_stop().await {
        log.line(&format!("cannot listen for Ctrl-C: {error}; stopping"));
    }
    server.stop().await;
    log.line("stopped");
    ExitCode::SUCCESS
}

fn refuse(log: &Log, mistake: &dyn std::error::Error) -> ExitCode {
    log.line(&format!("cannot start: {mistake}"));
    ExitCode::FAILURE
}

#[cfg(unix)]
async fn told_to_stop() -> std::io::Result<()> {
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = terminated.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn told_to_stop() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
