//! What can be set, and what is said about a mistake.

use std::ffi::OsString;

use axum::http::Uri;
use proxy::{Anthropic, ApiKey, Config, ConfigError, Limits, Start};

fn read(arguments: &[&str], environment: &[(&str, &str)]) -> Result<Start, ConfigError> {
    Config::read(arguments.iter().map(OsString::from), |name| {
        let found = environment.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn nothing_set_means_the_built_in_model_at_8787_beside_trunk() {
    let expected = Config {
        port: 8787,
        page_port: Some(8080),
        dist: None,
        anthropic: Anthropic {
            key: None,
            base: Uri::from_static("https://api.anthropic.com"),
            models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"]
                .map(str::to_owned)
                .to_vec(),
        },
        limits: Limits::default(),
    };
    assert_eq!(read(&[], &[]), Ok(Start::Run(Box::new(expected))));
}

#[test]
fn everything_can_be_set() {
    let arguments = ["--port", "9000", "--page-port", "8080", "--dist", "the page"];
    let environment = [
        ("ANTHROPIC_API_KEY", " sk-ant-1\n"),
        ("ANTHROPIC_MODELS", "one, two"),
        ("ANTHROPIC_BASE_URL", "http://localhost:4000/gateway"),
    ];
    let expected = Config {
        port: 9000,
        page_port: Some(8080),
        dist: Some("the page".into()),
        anthropic: Anthropic {
            key: ApiKey::parse("sk-ant-1").ok(),
            base: Uri::from_static("http://localhost:4000/gateway"),
            models: vec!["one".to_owned(), "two".to_owned()],
        },
        limits: Limits::default(),
    };
    assert_eq!(read(&arguments, &environment), Ok(Start::Run(Box::new(expected))));
    assert_eq!(read(&["--help"], &[]), Ok(Start::Help));
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

#[test]
fn each_mistake_is_one_sentence() {
    let port = "--port takes a number from 0 to 65535, not ";
    let base = "ANTHROPIC_BASE_URL must be an https address, or an http address on this machine, \
                without user name, query or fragment";
    let models = "ANTHROPIC_MODELS must be names of models separated by commas";
    let key = "ANTHROPIC_API_KEY is set but empty; give it a key, or unset it to go without Claude";
    for (arguments, environment, words) in [
        (&["--port", "99999"][..], ("", ""), format!("{port}\"99999\"")),
        (&["--port", "-1"], ("", ""), format!("{port}\"-1\"")),
        (&["--port", ""], ("", ""), format!("{port}\"\"")),
        (
            &["--page-port", "0"],
            ("", ""),
            "--page-port takes a number from 1 to 65535, not \"0\"".into(),
        ),
        (&["--port"], ("", ""), "--port needs a value after it; see proxy --help".into()),
        (&["--host"], ("", ""), "\"--host\" is not an option; see proxy --help".into()),
        (
            &["--port", "80", "--page-port", "80"],
            ("", ""),
            "--port and --page-port are both 80; the page's own server needs another port".into(),
        ),
        (&[], ("ANTHROPIC_API_KEY", ""), key.into()),
        (&[], ("ANTHROPIC_API_KEY", " \n"), key.into()),
        (
            &[],
            ("ANTHROPIC_API_KEY", "sk-ant 1"),
            "ANTHROPIC_API_KEY holds a space or a character that no key has; copy the key again"
                .into(),
        ),
        (&[], ("ANTHROPIC_BASE_URL", ""), base.into()),
        (&[], ("ANTHROPIC_BASE_URL", "api.anthropic.com"), base.into()),
        (&[], ("ANTHROPIC_BASE_URL", "http://api.anthropic.com"), base.into()),
        (&[], ("ANTHROPIC_BASE_URL", "http://localhost.evil.example"), base.into()),
        (&[], ("ANTHROPIC_BASE_URL", "https://name@gateway.example"), base.into()),
        (&[], ("ANTHROPIC_BASE_URL", "https://gateway.example/?a"), base.into()),
        (&[], ("ANTHROPIC_MODELS", ""), models.into()),
        (&[], ("ANTHROPIC_MODELS", "one,,two"), models.into()),
        (&[], ("ANTHROPIC_MODELS", "one two"), models.into()),
    ] {
        let mistake = read(arguments, &[environment]).unwrap_err();
        assert_eq!(mistake.to_string(), words, "{arguments:?} {environment:?}");
    }
}

#[test]
fn a_key_does_not_print() {
    let key = ApiKey::parse("sk-ant-canary").unwrap();
    assert!(!format!("{key:?}").contains("canary"));
}
