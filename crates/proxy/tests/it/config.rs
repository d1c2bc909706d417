//! What can be set, and what is said about a mistake.

use std::ffi::OsString;
use std::path::PathBuf;

use axum::http::Uri;
use proxy::{
    ApiKey, Config, ConfigError, Limits, PerVendor, Start, USAGE, UpstreamSettings, Vendor,
};

fn read(arguments: &[&str], environment: &[(&str, &str)]) -> Result<Start, ConfigError> {
    Config::read(arguments.iter().map(OsString::from), |name| {
        let found = environment.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

fn upstream(
    vendor: Vendor,
    key: Option<&str>,
    base: &'static str,
    models: &[&str],
) -> UpstreamSettings {
    let names: Vec<String> = models.iter().map(|&name| name.to_owned()).collect();
    UpstreamSettings {
        vendor,
        key: key.and_then(ApiKey::parse),
        base: Uri::from_static(base),
        models: (!names.is_empty()).then_some(names),
    }
}

/// A file of settings, readable by nobody else.
pub(crate) fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    set_mode(&path, 0o600);
    path
}

#[cfg(unix)]
fn set_mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_path: &std::path::Path, _mode: u32) {}

fn read_file(name: &str, text: &str) -> (String, Result<Start, ConfigError>) {
    let path = file(name, text);
    let path = path.to_str().unwrap();
    (path.to_owned(), read(&["--config", path], &[]))
}

#[test]
fn nothing_set_means_the_built_in_model_at_8787_beside_trunk() {
    let claude = ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"];
    let openai = ["gpt-6.2-sol", "gpt-6.1-terra", "gpt-6-luna"];
    let expected = Config {
        port: 8787,
        page_port: Some(8080),
        dist: None,
        upstreams: PerVendor {
            anthropic: upstream(Vendor::Anthropic, None, "https://api.anthropic.com", &claude),
            openai: upstream(Vendor::OpenAi, None, "https://api.openai.com/v1", &openai),
            ollama: upstream(Vendor::Ollama, None, "http://127.0.0.1:11434", &[]),
        },
        limits: Limits::default(),
    };
    assert_eq!(read(&[], &[]), Ok(Start::Run(Box::new(expected))));
}

/// Other addresses than the usual ones, and a server of Ollama at `ollama`.
fn gateways(ollama: &'static str, models: &[&str]) -> PerVendor<UpstreamSettings> {
    let (claude, openai) = ("http://localhost:4000/gateway", "https://gateway.example/openai/v1");
    PerVendor {
        anthropic: upstream(Vendor::Anthropic, Some("sk-ant-1"), claude, &["one", "two"]),
        openai: upstream(Vendor::OpenAi, Some("sk-2"), openai, &["three"]),
        ollama: upstream(Vendor::Ollama, None, ollama, models),
    }
}

#[test]
fn everything_can_be_set() {
    let arguments = ["--port", "9000", "--page-port", "8080", "--dist", "the page"];
    let environment = [
        ("ANTHROPIC_API_KEY", " sk-ant-1\n"),
        ("ANTHROPIC_MODELS", "one, two"),
        ("ANTHROPIC_BASE_URL", "http://localhost:4000/gateway"),
        ("OPENAI_API_KEY", "sk-2"),
        ("OPENAI_MODELS", "three"),
        ("OPENAI_BASE_URL", "https://gateway.example/openai/v1"),
        ("OLLAMA_HOST", "kitchen.local"),
        ("OLLAMA_PLAIN_HTTP", "true"),
    ];
    let expected = Config {
        port: 9000,
        page_port: Some(8080),
        dist: Some("the page".into()),
        upstreams: gateways("http://kitchen.local:11434", &[]),
        limits: Limits::default(),
    };
    assert_eq!(read(&arguments, &environment), Ok(Start::Run(Box::new(expected))));
    assert_eq!(read(&["--help"], &[]), Ok(Start::Help));
}

const WHOLE: &str = r#"
port = 9000
page_port = 8081
dist = "page"

[anthropic]
api_key = "sk-ant-1"
models = ["one", "two"]
base_url = "http://localhost:4000/gateway"

[openai]
api_key = "sk-2"
models = ["three"]
base_url = "https://gateway.example/openai/v1"

[ollama]
models = ["qwen3:8b"]
base_url = "10.0.0.7:11435"
plain_http = true

[limits]
streams = 200
connections = 300
max_tokens = 8192
body_bytes = 2000000
reply_bytes = 8000000
connect_seconds = 5
idle_seconds = 90
total_seconds = 1200
"#;

#[test]
fn one_file_can_set_everything() {
    let (path, read) = read_file("whole.toml", WHOLE);
    let seconds = std::time::Duration::from_secs;
    let expected = Config {
        port: 9000,
        page_port: Some(8081),
        dist: Some(PathBuf::from(path).with_file_name("page")),
        upstreams: gateways("http://10.0.0.7:11435", &["qwen3:8b"]),
        limits: Limits {
            streams: 200,
            connections: 300,
            max_tokens: 8192,
            body_bytes: 2_000_000,
            reply_bytes: 8_000_000,
            connect_time: seconds(5),
            idle_time: seconds(90),
            total_time: seconds(1200),
            ..Limits::default()
        },
    };
    assert_eq!(read, Ok(Start::Run(Box::new(expected))));
}

#[test]
fn the_environment_goes_before_the_file_and_the_command_line_before_both() {
    let path = file("order.toml", "port = 9000\n[openai]\napi_key = \"sk-1\"\nmodels = [\"one\"]");
    let arguments = ["--config", path.to_str().unwrap(), "--port", "9001"];
    let Ok(Start::Run(config)) = read(&arguments, &[("OPENAI_API_KEY", "sk-2")]) else {
        panic!("it does not start")
    };
    assert_eq!(config.port, 9001);
    assert_eq!(
        config.upstreams.openai,
        upstream(Vendor::OpenAi, Some("sk-2"), "https://api.openai.com/v1", &["one"])
    );
}

#[test]
fn more_streams_bring_their_connections() {
    let (_, read) = read_file("streams.toml", "[limits]\nstreams = 200");
    let Ok(Start::Run(config)) = read else { panic!("{read:?}") };
    assert_eq!((config.limits.streams, config.limits.connections), (200, 320));
}

#[test]
fn ollama_is_found_where_its_own_programs_find_it() {
    for (host, base) in [
        ("", "http://127.0.0.1:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        (":56789", "http://127.0.0.1:56789"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:80", "http://127.0.0.1:80"),
        ("[::]:56789", "http://[::1]:56789"),
        ("[::1]", "http://[::1]:11434"),
        ("http://1.2.3.4", "http://1.2.3.4"),
        ("https://example.com:56789/path", "https://example.com:56789/path"),
        ("example.com/path", "http://example.com:11434/path"),
    ] {
        let environment = [("OLLAMA_HOST", host), ("OLLAMA_PLAIN_HTTP", "true")];
        let Ok(Start::Run(config)) = read(&[], &environment) else { panic!("{host}") };
        assert_eq!(config.upstreams.ollama.base, Uri::from_static(base), "{host}");
    }
}

#[test]
fn a_page_that_is_served_from_a_folder_has_none_beside_it() {
    for (arguments, page_port) in [
        (&["--dist", "the page"][..], None),
        (&["--port", "8080"], None),
        (&["--port", "9000"], Some(8080)),
    ] {
        let Ok(Start::Run(config)) = read(arguments, &[]) else { panic!("{arguments:?}") };
        assert_eq!(config.page_port, page_port, "{arguments:?}");
    }
}

const BASE: &str = "must be an https address, or an http address on this machine, without user \
                    name, query or fragment";
const MODELS: &str = "must be names of models, each of up to 128 letters, digits and . _ : / @ -";

#[test]
fn a_mistake_on_the_command_line_is_one_sentence() {
    let port = "--port takes a number from 0 to 65535, not ";
    for (arguments, words) in [
        (&["--port", "99999"][..], format!("{port}\"99999\"")),
        (&["--port", "-1"], format!("{port}\"-1\"")),
        (&["--port", ""], format!("{port}\"\"")),
        (&["--page-port", "0"], "--page-port takes a number from 1 to 65535, not \"0\"".into()),
        (&["--port"], "--port needs a value after it; see proxy --help".into()),
        (&["--config"], "--config needs a value after it; see proxy --help".into()),
        (&["--host"], "\"--host\" is not an option; see proxy --help".into()),
        (
            &["--port", "80", "--page-port", "80"],
            "proxy and page are both to use port 80; the page's own server needs another one"
                .into(),
        ),
        (
            &["--config", "no/such/file"],
            "no/such/file cannot be read: No such file or directory (os error 2)".into(),
        ),
    ] {
        assert_eq!(read(arguments, &[]).unwrap_err().to_string(), words, "{arguments:?}");
    }
}

#[test]
fn a_mistake_in_the_environment_names_its_variable() {
    let empty = |vendor: &str| {
        format!("is set but empty; give it a key, or take it away to go without {vendor}")
    };
    let unreadable = "holds a space or a character that no key has; copy the key again".to_owned();
    for (variable, value, words) in [
        ("ANTHROPIC_API_KEY", "", empty("Claude")),
        ("ANTHROPIC_API_KEY", " \n", empty("Claude")),
        ("OPENAI_API_KEY", "", empty("OpenAI")),
        ("ANTHROPIC_API_KEY", "sk-ant 1", unreadable.clone()),
        ("OPENAI_API_KEY", "sk-\u{e9}", unreadable.clone()),
        ("OLLAMA_API_KEY", "a\u{0}b", unreadable),
        ("ANTHROPIC_BASE_URL", "", BASE.into()),
        ("ANTHROPIC_BASE_URL", "api.anthropic.com", BASE.into()),
        ("ANTHROPIC_BASE_URL", "http://api.anthropic.com", BASE.into()),
        ("OPENAI_BASE_URL", "http://localhost.evil.example", BASE.into()),
        ("OPENAI_BASE_URL", "https://name@gateway.example", BASE.into()),
        ("OPENAI_BASE_URL", "https://gateway.example/?a", BASE.into()),
        ("OLLAMA_HOST", "name@kitchen.local", BASE.into()),
        ("OLLAMA_HOST", "ftp://kitchen.local", BASE.into()),
        ("ANTHROPIC_MODELS", "", MODELS.into()),
        ("ANTHROPIC_MODELS", "one,,two", MODELS.into()),
        ("OPENAI_MODELS", "one two", MODELS.into()),
    ] {
        let mistake = read(&[], &[(variable, value)]).unwrap_err();
        assert_eq!(mistake.to_string(), format!("{variable} {words}"), "{value:?}");
    }
}

const IN_CLEAR: &str = "is http to another machine, so anyone on the way can read the conversations; \
                        use https, or allow it for a network of your own with \
                        OLLAMA_PLAIN_HTTP=true or ollama.plain_http = true";

#[test]
fn nothing_is_said_in_clear_to_another_machine_unless_that_is_allowed() {
    let host = |host| ("OLLAMA_HOST", host);
    let allowed = ("OLLAMA_PLAIN_HTTP", "true");
    for remote in ["kitchen.local", "http://10.0.0.7:11434", "0x7f.1", "localhost.example"] {
        for environment in [&[host(remote)][..], &[host(remote), ("OLLAMA_PLAIN_HTTP", "false")]] {
            let mistake = read(&[], environment).unwrap_err();
            assert_eq!(mistake.to_string(), format!("OLLAMA_HOST {IN_CLEAR}"), "{remote}");
        }
        assert!(read(&[], &[host(remote), allowed]).is_ok(), "{remote}");
        // A key would be given away.
        let mistake = read(&[], &[host(remote), allowed, ("OLLAMA_API_KEY", "k")]);
        assert_eq!(mistake.unwrap_err().to_string(), format!("OLLAMA_HOST {BASE}"));
    }
    for near in ["", "0.0.0.0", "localhost:1", "http://[::1]:11434", "https://kitchen.local"] {
        assert!(read(&[], &[host(near)]).is_ok(), "{near}");
    }
    // What is allowed for Ollama is for no other.
    let other = [("ANTHROPIC_BASE_URL", "http://10.0.0.7"), allowed];
    let mistake = read(&[], &other).unwrap_err();
    assert_eq!(mistake.to_string(), format!("ANTHROPIC_BASE_URL {BASE}"));
    let mistake = read(&[], &[("OLLAMA_PLAIN_HTTP", "perhaps")]).unwrap_err();
    assert_eq!(mistake.to_string(), "OLLAMA_PLAIN_HTTP must be true or false");
}

#[test]
fn a_mistake_in_the_file_names_its_line() {
    for (text, line, words) in [
        ("port = 99999", 1, "port takes a number from 0 to 65535, not \"99999\"".into()),
        ("\n\npage_port = 0", 3, "page_port takes a number from 1 to 65535, not \"0\"".into()),
        ("[openai]\nbase_url = \"http://a.example\"", 2, format!("openai.base_url {BASE}")),
        ("[openai]\nmodels = []", 2, format!("openai.models {MODELS}")),
        ("[ollama]\nbase_url = \"kitchen.local\"", 2, format!("ollama.base_url {IN_CLEAR}")),
        (
            "[openai]\nplain_http = true",
            2,
            "openai.plain_http is for Ollama alone; take it away here".into(),
        ),
        ("[ollama]\n\nmodels = [\n  \"a b\"\n]", 3, format!("ollama.models {MODELS}")),
        (
            "[anthropic]\napi_key = \"\"",
            2,
            "anthropic.api_key is set but empty; give it a key, or take it away to go without \
             Claude"
                .into(),
        ),
        ("[limits]\nstreams = 0", 2, "limits.streams must be from 1 to 10000".into()),
        (
            "[limits]\nmax_tokens = 1\nbody_bytes = 10",
            3,
            "limits.body_bytes must be from 1000000 to 64000000".into(),
        ),
        (
            "[limits]\nstream = 9",
            2,
            "limits.stream is no limit; the limits are streams, connections, max_tokens, \
             body_bytes, reply_bytes, connect_seconds, idle_seconds, total_seconds"
                .into(),
        ),
        (
            "[limits]\nconnections = 200\nstreams = 200",
            2,
            "limits.connections must be more than limits.streams, which is 200: each stream has a \
             connection"
                .into(),
        ),
    ] {
        let (path, read) = read_file("mistake.toml", text);
        let mistake = read.unwrap_err();
        assert_eq!(mistake.to_string(), format!("{path}:{line}: {words}"), "{text}");
    }
}

#[test]
fn what_is_no_file_of_settings_is_told_with_its_line_and_without_what_stands_there() {
    for (text, line) in [
        ("port = 1\nprot = 2", 2),
        ("[anthropic]\n\nkey = \"sk-canary\"", 3),
        ("[azure]\napi_key = \"sk-canary\"", 1),
        ("port = \"sk-canary\"", 1),
        ("[limits]\nstreams = \"sk-canary\"", 2),
        ("[openai]\nmodels = \"sk-canary\"", 2),
        ("[openai]\napi_key = [\"sk-canary\"]", 2),
        ("[openai]\napi_key = sk-canary", 2),
        ("[openai]\napi_key = \"sk-canary", 2),
        ("port = 1\nport = 2", 2),
        ("port = 1.5", 1),
        ("port = -1", 1),
        ("\u{0}", 1),
    ] {
        let (path, read) = read_file("broken.toml", text);
        let words = read.unwrap_err().to_string();
        assert!(words.starts_with(&format!("{path}:{line}: ")), "{text}: {words}");
        assert!(!words.contains("canary"), "{words}");
        assert_eq!(words.lines().count(), 1, "{words}");
    }
}

#[cfg(unix)]
#[test]
fn a_key_in_a_file_that_others_can_read_is_refused() {
    let path = file("exposed.toml", "[openai]\napi_key = \"sk-canary\"");
    let path = path.to_str().unwrap();
    for (mode, refused) in [(0o644, true), (0o640, true), (0o604, true), (0o600, false)] {
        set_mode(path.as_ref(), mode);
        let read = read(&["--config", path], &[]);
        let words = read.err().map(|it| it.to_string()).unwrap_or_default();
        assert_eq!(words.starts_with(&format!("{path}:2: openai.api_key is a key, ")), refused);
        assert!(!words.contains("canary"), "{words}");
    }
    let keyless = file("open.toml", "port = 9000");
    set_mode(&keyless, 0o644);
    assert!(read(&["--config", keyless.to_str().unwrap()], &[]).is_ok());
}

#[test]
fn the_help_names_all_that_can_be_set() {
    for line in WHOLE.lines().filter(|line| !line.is_empty()) {
        let name = line.split(" = ").next().unwrap();
        assert!(USAGE.contains(name), "{name}");
    }
    for name in [
        "--port",
        "--page-port",
        "--dist",
        "--config",
        "OLLAMA_HOST",
        "OLLAMA_API_KEY",
        "OLLAMA_PLAIN_HTTP",
    ] {
        assert!(USAGE.contains(name), "{name}");
    }
    for vendor in ["ANTHROPIC", "OPENAI"] {
        for what in ["API_KEY", "MODELS", "BASE_URL"] {
            assert!(USAGE.contains(&format!("{vendor}_{what}")), "{vendor} {what}");
        }
    }
}

#[test]
fn a_key_does_not_print() {
    let key = ApiKey::parse("sk-ant-canary").unwrap();
    assert!(!format!("{key:?}").contains("canary"));
}
