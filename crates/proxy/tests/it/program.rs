//! The program itself: how it starts, what it prints, how it stops.

use std::process::{Output, Stdio};

use proxy::Vendor;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};

use wire::provider::Provider;

use crate::config;
use crate::world::{Ask, MODEL, Proxy, REACHED, Upstream, answer, head, request_to};

const CANARY: &str = "the canary is in the pantry";

const VARIABLES: [&str; 9] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_MODELS",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_MODELS",
    "OPENAI_BASE_URL",
    "OLLAMA_API_KEY",
    "OLLAMA_HOST",
    "OLLAMA_PLAIN_HTTP",
];

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proxy"));
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
        .args(arguments)
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
        "ANTHROPIC_API_KEY is set but empty; give it a key, or take it away to go without Claude",
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

/// A program that listens, and what is needed to ask it something.
struct Listening {
    child: Child,
    port: u16,
    token: String,
    /// What it logs from now on.
    stderr: BufReader<ChildStderr>,
    /// What it has logged.
    logged: String,
}

impl Listening {
    async fn begin(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut logged = String::new();
        stderr.read_line(&mut logged).await.unwrap();
        let port = logged.split("http://127.0.0.1:").nth(1).and_then(|it| it.split(' ').next());
        let port: u16 = port.unwrap_or_else(|| panic!("{logged}")).parse().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).await.unwrap();
        let words = format!(
            "Another program asks at http://127.0.0.1:{port}/api/ with the header \
             x-kitchen-assistant: "
        );
        let token = said.strip_prefix(&words).unwrap_or_else(|| panic!("{said}"));
        Self { child, port, token: token.trim_end().to_owned(), stderr, logged }
    }
}

async fn terminate(child: &Child) {
    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
}

#[cfg(unix)]
#[tokio::test]
async fn a_signal_stops_it_cleanly() {
    let Listening { mut child, mut stderr, .. } =
        Listening::begin(&mut program(&["--port", "0"])).await;
    terminate(&child).await;
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "proxy: stopped\n");
    assert!(child.wait().await.unwrap().success());
}

async fn ask(ask: Ask, program: &Listening) -> String {
    let whole = ask.at(program.port, &program.token).with("x-canary", CANARY).send().await;
    format!("{:?} {}", whole.headers, whole.text())
}

/// An upstream that tells whoever asks which key it was given, and what was said to it.
async fn indiscreet(key: &'static str) -> Upstream {
    Upstream::start(move || async move {
        let error = json!({ "message": format!("bad key {key}"), "type": "authentication_error" });
        let words = json!({ "type": "error", "error": error, "said": CANARY, "key": key });
        answer(401, "application/json", words.to_string())
    })
    .await
}

const KEYS: [(Vendor, &str, &str, &str); 3] = [
    (Vendor::Anthropic, "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "sk-ant-canary-7f3a"),
    (Vendor::OpenAi, "OPENAI_API_KEY", "OPENAI_BASE_URL", "sk-proj-canary-9c1d"),
    (Vendor::Ollama, "OLLAMA_API_KEY", "OLLAMA_HOST", "ollama-canary-2b8e"),
];

/// Everything a page can ask for, and something it cannot.
fn questions(near: &Proxy) -> Vec<Ask> {
    let mut questions = vec![near.get("/"), near.get("/api/status"), near.get("/api/none")];
    for provider in REACHED {
        let mut body = request_to(provider);
        questions.push(near.put_to(provider).body(body.to_string()));
        body["messages"] = json!([{ "role": "user", "content": CANARY }]);
        questions.push(near.put_to(provider).body(body.to_string()));
        body["model"] = CANARY.into();
        questions.push(near.put_to(provider).body(body.to_string()));
        questions.push(near.put_to(provider).body(format!("{{\"{CANARY}")));
        questions.push(near.get(&provider.models_endpoint().unwrap()));
        questions.extend(KEYS.map(|(_, _, _, key)| {
            near.get(&format!("{}?{key}", provider.models_endpoint().unwrap()))
        }));
    }
    questions.push(near.post(&Provider::Builtin.endpoint()));
    questions
}

#[cfg(unix)]
#[tokio::test]
async fn no_key_and_no_message_is_ever_printed_and_no_key_answered() {
    let near = Proxy::start(|_| ()).await;
    for in_file in [false, true] {
        let mut command = program(&["--port", "0"]);
        let mut settings = String::new();
        let mut upstreams = Vec::new();
        for (vendor, key_name, base_name, key) in KEYS {
            let upstream = indiscreet(key).await;
            let base = upstream.base().to_string();
            if in_file {
                let section = base_name.split('_').next().unwrap().to_lowercase();
                let models = format!("models = [{MODEL:?}]");
                settings +=
                    &format!("[{section}]\napi_key = {key:?}\nbase_url = {base:?}\n{models}\n");
            } else {
                command.env(key_name, key).env(base_name, base);
            }
            upstreams.push((vendor, upstream));
        }
        command.env("ANTHROPIC_MODELS", MODEL).env("OPENAI_MODELS", MODEL);
        if in_file {
            command.arg("--config").arg(config::file("keys.toml", &settings));
        }
        let program = Listening::begin(&mut command).await;
        let mut answers = String::new();
        for question in questions(&near) {
            answers += &ask(question, &program).await;
        }
        for (vendor, upstream) in &mut upstreams {
            assert!(!upstream.saw_nothing(), "{vendor:?} was never asked");
        }
        let Listening { child, mut stderr, logged: mut printed, token, .. } = program;
        terminate(&child).await;
        stderr.read_to_string(&mut printed).await.unwrap();
        assert!(!printed.contains(&token), "{printed}");
        let output = child.wait_with_output().await.unwrap();
        printed += &String::from_utf8_lossy(&output.stdout);
        for provider in REACHED {
            let line = format!("POST {} 401 after ", provider.endpoint());
            assert!(printed.contains(&line), "{printed}");
        }
        assert!(printed.contains("GET /api/status 200 after "), "{printed}");
        assert!(!printed.contains("canary"), "{printed}");
        for (_, _, _, key) in KEYS {
            assert!(!answers.contains(key), "{answers}");
        }
        assert!(answers.contains("bad key [key]"), "{answers}");
    }
}

/// The most memory a process ever took, in kB.
#[cfg(target_os = "linux")]
fn most_memory_kb(child: &Child) -> u64 {
    let status = format!("/proc/{}/status", child.id().unwrap());
    let status = std::fs::read_to_string(status).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn half_heads_and_bodies_of_a_megabyte_take_little_memory() {
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpStream;

    let Listening { child, port, token, .. } =
        Listening::begin(&mut program(&["--port", "0"])).await;
    let near = Proxy::start(|_| ()).await;
    assert_eq!(near.get("/").at(port, &token).send().await.status, 200);
    let before = most_memory_kb(&child);
    let open = async |text: String| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    };
    let half = format!("GET / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nx: {}", "x".repeat(30_000));
    let mut halves = Vec::new();
    for _ in 0..100 {
        halves.push(open(half.clone()).await);
    }
    let mut bodies = Vec::new();
    for _ in 0..8 {
        let head = head(&Provider::Builtin.endpoint(), port, &token, "content-length: 1000000");
        bodies.push(open(head + &"x".repeat(999_999)).await);
    }
    for mut body in bodies {
        body.write_all(b"x").await.unwrap();
        let mut answer = [0; 12];
        body.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400");
    }
    let huge =
        near.post(&Provider::Builtin.endpoint()).at(port, &token).body("x".repeat(20_000_000));
    assert_eq!(huge.send().await.status, 413);
    let taken = most_memory_kb(&child) - before;
    assert!(taken <= 30_000, "{taken} kB");
}
