//! What goes out to Claude, and how its answer comes back; it is the same for all.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{HeaderValue, Method};
use serde_json::json;

use crate::world::{ANTHROPIC, KEY, MODEL, Proxy, Upstream, answer, messages, scripted};

#[tokio::test]
async fn the_request_goes_out_with_the_key_and_the_body_as_it_came() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let body = format!(
        "{{ \"max_tokens\": 1, \"model\":\"{MODEL}\", \"n\": 12345678901234567890123, \"a\": \"crème\" }}"
    );
    let reply = proxy.post(ANTHROPIC).body(body.clone()).send().await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.text(), "event: ping\ndata: {\"type\":\"ping\"}\n\n");
    assert_eq!(reply.header("content-type"), "text/event-stream; charset=utf-8");
    let seen = upstream.saw().await;
    assert_eq!((seen.method, seen.uri.path()), (Method::POST, "/v1/messages"));
    assert_eq!(seen.body, body);
    assert_eq!(seen.headers.get("x-api-key").unwrap(), KEY);
    assert_eq!(seen.headers.get("anthropic-version").unwrap(), "2023-06-01");
}

#[tokio::test]
async fn twenty_hostile_headers_are_not_forwarded() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let hostile = [
        ("authorization", "Bearer stolen"),
        ("cookie", "session=1"),
        ("x-api-key", "another"),
        ("anthropic-beta", "everything-2026"),
        ("anthropic-version", "1999-01-01"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x-forwarded-proto", "https"),
        ("forwarded", "for=10.0.0.1"),
        ("via", "1.1 other"),
        ("te", "trailers"),
        ("connection", "x-hop, keep-alive"),
        ("x-hop", "1"),
        ("keep-alive", "timeout=5"),
        ("proxy-authorization", "Basic Zm9v"),
        ("proxy-connection", "keep-alive"),
        ("content-encoding", "br"),
        ("referer", "http://127.0.0.1/secret"),
        ("x-http-method-override", "DELETE"),
        ("user-agent", "page"),
        ("trailer", "x-late"),
    ];
    assert_eq!(hostile.len(), 20);
    let ask =
        hostile.iter().fold(proxy.post(ANTHROPIC), |ask, (name, value)| ask.with(name, value));
    assert_eq!(ask.send().await.status, 200);
    let seen = upstream.saw().await;
    let names: BTreeSet<&str> = seen.headers.keys().map(|name| name.as_str()).collect();
    let ours = [
        "accept",
        "accept-encoding",
        "anthropic-version",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-api-key",
    ];
    assert_eq!(names, ours.into_iter().collect());
    let values: Vec<&HeaderValue> = seen.headers.values().collect();
    assert!(hostile.iter().all(|(_, value)| values.iter().all(|it| it != value)));
}

#[tokio::test]
async fn a_reply_comes_piece_by_piece_while_the_provider_still_writes() {
    let (upstream, mut script) = scripted().await;
    let proxy = Proxy::before(&upstream).await;
    script.send("data: one\n\n");
    let mut reply = proxy.post(ANTHROPIC).open().await;
    assert_eq!(reply.piece().await.unwrap().unwrap(), "data: one\n\n");
    script.send("data: tw");
    assert_eq!(reply.piece().await.unwrap().unwrap(), "data: tw");
    script.send("o\n\n");
    assert_eq!(reply.piece().await.unwrap().unwrap(), "o\n\n");
    script.end();
    assert!(reply.piece().await.is_none());
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let mut other = Upstream::short().await;
    let target = format!("http://127.0.0.1:{}/v1/messages", other.port);
    for status in [301, 302, 303, 307, 308] {
        let target = HeaderValue::try_from(&target).unwrap();
        let mut upstream = Upstream::start(move || {
            let mut response = answer(status, "application/json", "{}");
            response.headers_mut().insert("location", target.clone());
            async { response }
        })
        .await;
        let proxy = Proxy::before(&upstream).await;
        let reply = proxy.post(ANTHROPIC).send().await;
        assert_eq!((reply.status, reply.header("location")), (502, ""));
        assert!(reply.error().1.contains("pointed to another address"));
        upstream.saw().await;
        assert!(other.saw_nothing());
    }
}

#[tokio::test]
async fn the_providers_errors_come_through_with_their_wait() {
    let words = r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#;
    let upstream = Upstream::start(move || async move {
        let mut response = answer(429, "application/json", words);
        response.headers_mut().insert("retry-after", HeaderValue::from_static("17"));
        response.headers_mut().insert("set-cookie", HeaderValue::from_static("a=b"));
        response.headers_mut().insert("access-control-allow-origin", HeaderValue::from_static("*"));
        response
    })
    .await;
    let proxy = Proxy::before(&upstream).await;
    let reply = proxy.post(ANTHROPIC).send().await;
    assert_eq!((reply.status, reply.text(), reply.header("retry-after")), (429, words, "17"));
    assert_eq!((reply.header("set-cookie"), reply.header("access-control-allow-origin")), ("", ""));
}

#[tokio::test]
async fn an_answer_that_is_no_reply_becomes_words() {
    for (status, shown, kind) in [
        (200, 502, "api_error"),
        (503, 503, "api_error"),
        (529, 529, "overloaded_error"),
        (404, 404, "not_found_error"),
    ] {
        let upstream = Upstream::start(move || async move {
            answer(status, "text/html", "<script>alert(1)</script>")
        })
        .await;
        let reply = Proxy::before(&upstream).await.post(ANTHROPIC).send().await;
        assert_eq!((reply.status, reply.error().0.as_str()), (shown, kind));
        assert!(!reply.text().contains("script"));
    }
}

#[tokio::test]
async fn a_key_in_the_providers_words_is_blotted_out() {
    let upstream = Upstream::start(async || {
        let words = json!({ "type": "error", "error": { "type": "authentication_error",
            "message": format!("invalid x-api-key: {KEY}") } });
        answer(401, "application/json", words.to_string())
    })
    .await;
    let proxy = Proxy::before(&upstream).await;
    let reply = proxy.post(ANTHROPIC).send().await;
    assert_eq!((reply.status, reply.error().1.as_str()), (401, "invalid x-api-key: [key]"));
}

#[tokio::test]
async fn without_a_key_nothing_is_sent() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::start(|config| {
        config.upstreams.anthropic.base = upstream.base();
        config.upstreams.anthropic.key = None;
    })
    .await;
    let reply = proxy.post(ANTHROPIC).send().await;
    assert_eq!((reply.status, reply.error().0.as_str()), (401, "authentication_error"));
    assert!(reply.error().1.contains("Set ANTHROPIC_API_KEY and start again"));
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn only_the_chosen_models_and_a_sane_length_are_paid_for() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let with = |name: &str, value: serde_json::Value| {
        let mut body = messages();
        body[name] = value;
        body.to_string()
    };
    let doubled = |name: &str, first: &str, second: &str| {
        format!(
            r#"{{"model":"{MODEL}","max_tokens":1,"messages":[],"{name}":{first},"{name}":{second}}}"#
        )
    };
    let refused = [
        with("model", json!("claude-dear")),
        with("model", json!("")),
        with("model", json!(format!("{MODEL} "))),
        with("model", json!([MODEL])),
        with("max_tokens", json!(16_385)),
        with("max_tokens", json!(-1)),
        with("max_tokens", json!("16")),
        doubled("mod\\u0065l", &format!("\"{MODEL}\""), "\"claude-dear\""),
        doubled("max_tokens", "1", "100000"),
        "{\"messages\":[]}".to_owned(),
    ];
    assert_eq!(refused.len(), 10);
    for body in refused {
        let reply = proxy.post(ANTHROPIC).body(body.clone()).send().await;
        assert!([400, 404].contains(&reply.status), "{body}: {reply:?}");
        reply.error();
    }
    assert!(upstream.saw_nothing());
    assert_eq!(
        proxy.post(ANTHROPIC).body(with("max_tokens", json!(16_384))).send().await.status,
        200
    );
}

#[tokio::test]
async fn what_is_not_json_is_not_forwarded() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for body in ["", "a=b", "[]", "null", "{", "{} {}", "\u{feff}{}", "\u{0}", deep.as_str()] {
        let reply = proxy.post(ANTHROPIC).body(body.to_owned()).send().await;
        assert_eq!((reply.status, reply.error().0.as_str()), (400, "invalid_request_error"));
    }
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_is_said_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let proxy =
        Proxy::start(|config| config.upstreams.anthropic.base = nobody.parse().unwrap()).await;
    let reply = proxy.post(ANTHROPIC).send().await;
    assert_eq!(reply.status, 502);
    assert_eq!(
        reply.error().1,
        "Claude could not be reached, so nothing was sent. Look whether this machine is online, \
         then try again."
    );
}

#[tokio::test]
async fn another_address_may_have_a_path() {
    let mut upstream = Upstream::short().await;
    let base = format!("http://127.0.0.1:{}/gateway/", upstream.port);
    let proxy =
        Proxy::start(|config| config.upstreams.anthropic.base = base.parse().unwrap()).await;
    assert_eq!(proxy.post(ANTHROPIC).send().await.status, 200);
    assert_eq!(upstream.saw().await.uri.path(), "/gateway/v1/messages");
}

#[tokio::test]
async fn a_reply_that_is_no_stream_comes_through_too() {
    let upstream =
        Upstream::start(async || answer(200, "application/json", Body::from("{\"a\":1}"))).await;
    let reply = Proxy::before(&upstream).await.post(ANTHROPIC).send().await;
    assert_eq!((reply.status, reply.text(), reply.broke_off), (200, "{\"a\":1}", false));
}
