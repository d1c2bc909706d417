//! The program itself: how it starts, what it prints, how it stops.

use std::process::{Output, Stdio};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};

use crate::world::{ANTHROPIC, KEY, MODEL, Proxy, Upstream, answer, messages};

const CANARY: &str = "the canary is in the pantry";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proxy"));
    command
        .args(arguments)
        .env_remove("ANTHROPIC_API_KEY")
        .env_remove("ANTHROPIC_MODELS")
        .env_remove("ANTHROPIC_BASE_URL")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

async fn run(command: &mut Command) -> Output {
    command.output().await.unwrap()
}

#[track_caller]
fn check_refused(output: &Output, words: &str) {
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert_eq!(printed, format!("proxy: cannot start: {words}\n"));
}

#[tokio::test]
async fn a_mistake_is_one_sentence_and_a_failure() {
    let output = run(&mut program(&["--port", "many"])).await;
    check_refused(&output, "--port takes a number from 0 to 65535, not \"many\"");
    let output = run(program(&[]).env("ANTHROPIC_API_KEY", "")).await;
    check_refused(
        &output,
        "ANTHROPIC_API_KEY is set but empty; give it a key, or unset it to go without Claude",
    );
    let output = run(&mut program(&["--port", "0", "--dist", "no/such/folder"])).await;
    check_refused(
        &output,
        "no/such/folder holds no index.html; `./run --release` builds and serves the page",
    );
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    let output = run(&mut program(&["--port", &port.to_string()])).await;
    let words = format!(
        "port {port} is in use by another program; stop that, or choose another with --port"
    );
    check_refused(&output, &words);
}

#[tokio::test]
async fn it_says_how_it_is_used() {
    let output = run(&mut program(&["--help"])).await;
    assert!(output.status.success());
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.starts_with("Usage: proxy ") && printed.contains("ANTHROPIC_API_KEY"));
}

/// Waits until it listens, and gives back its port.
async fn listening(stderr: &mut BufReader<ChildStderr>) -> (u16, String) {
    let mut line = String::new();
    stderr.read_line(&mut line).await.unwrap();
    let port = line.split("http://127.0.0.1:").nth(1).and_then(|it| it.split(' ').next());
    (port.unwrap_or_else(|| panic!("{line}")).parse().unwrap(), line)
}

async fn terminate(child: &Child) {
    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
}

#[cfg(unix)]
#[tokio::test]
async fn a_signal_stops_it_cleanly() {
    let mut child = program(&["--port", "0"]).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    listening(&mut stderr).await;
    terminate(&child).await;
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "proxy: stopped\n");
    assert!(child.wait().await.unwrap().success());
}

/// A request of the page, to a program of which only the port is known.
async fn ask(near: &Proxy, port: u16, path: &str, body: &Value) -> String {
    let ask = near.post(path).at(port).body(body.to_string());
    let whole = ask.with("x-canary", CANARY).send().await;
    format!("{:?} {}", whole.headers, whole.text())
}

#[cfg(unix)]
#[tokio::test]
async fn neither_the_key_nor_a_message_is_ever_printed() {
    let upstream = Upstream::start(async || {
        let words = format!("{{\"type\":\"error\",\"key\":\"{KEY}\",\"said\":\"{CANARY}\"}}");
        answer(401, "application/json", words)
    })
    .await;
    let near = Proxy::start(|_| ()).await;
    let mut child = program(&["--port", "0"])
        .env("ANTHROPIC_API_KEY", KEY)
        .env("ANTHROPIC_MODELS", MODEL)
        .env("ANTHROPIC_BASE_URL", upstream.base().to_string())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let (port, mut printed) = listening(&mut stderr).await;
    let mut body = messages();
    body["messages"][0]["content"] = CANARY.into();
    let mut answers = ask(&near, port, ANTHROPIC, &body).await;
    answers += &ask(&near, port, "/api/builtin/v1/messages", &body).await;
    answers += &ask(&near, port, &format!("/api/status?{KEY}"), &body).await;
    body["model"] = CANARY.into();
    ask(&near, port, ANTHROPIC, &body).await;
    answers += near.get("/api/status").at(port).send().await.text();
    terminate(&child).await;
    stderr.read_to_string(&mut printed).await.unwrap();
    let output = child.wait_with_output().await.unwrap();
    printed += &String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("POST /api/anthropic/v1/messages 401 after "), "{printed}");
    assert!(printed.contains("GET /api/status 200 after "), "{printed}");
    assert!(!printed.contains("canary"), "{printed}");
    assert!(!answers.contains(KEY), "{answers}");
}
