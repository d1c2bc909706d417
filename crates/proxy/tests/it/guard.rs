//! Who is let in, and who is not.

use axum::http::{Method, Uri};

use wire::provider::Provider;

use crate::world::{ANTHROPIC, Proxy, REACHED, Upstream, as_the_page, raw};

/// What a foreign page, a name pointed here or a mistaken program may put into `Host`.
fn foreign_hosts(port: u16) -> Vec<String> {
    let mut hosts: Vec<String> = [
        "",
        "127.0.0.1",
        "localhost",
        "[::1]",
        "127.0.0.1:80",
        "localhost:443",
        "[::1]:1",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "ⅼocalhost",
    ]
    .map(str::to_owned)
    .to_vec();
    for name in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "127.1",
        "127.0.0.2",
        "LOCALHOST",
        "localhost.",
        "user@localhost",
        "[::]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
    ] {
        hosts.push(format!("{name}:{port}"));
    }
    hosts
}

#[tokio::test]
async fn of_thirty_hosts_three_pass() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let port = proxy.port;
    let foreign = foreign_hosts(port);
    assert_eq!(foreign.len(), 27);
    for host in foreign {
        let head = format!(
            "POST {ANTHROPIC} HTTP/1.1\r\nhost: {host}\r\nx-kitchen-assistant: {}\r\n\
            content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}",
            proxy.server.token()
        );
        let answer = raw(port, head.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 421 "), "{host}: {answer}");
    }
    assert!(upstream.saw_nothing());
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")]
    {
        assert_eq!(proxy.post(ANTHROPIC).with("host", &host).send().await.status, 200, "{host}");
        upstream.saw().await;
    }
}

#[tokio::test]
async fn a_missing_or_doubled_host_is_refused() {
    let proxy = Proxy::start(|_| ()).await;
    let own = format!("127.0.0.1:{}", proxy.port);
    let answer = raw(proxy.port, b"GET / HTTP/1.0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.0 421 "), "{answer}");
    let doubled = proxy.get("/").with("host", &own).and("host", "evil.example");
    assert_eq!(doubled.send().await.status, 421);
}

#[tokio::test]
async fn a_foreign_host_is_refused_before_the_body_is_read() {
    let proxy = Proxy::start(|_| ()).await;
    let head = format!(
        "POST {ANTHROPIC} HTTP/1.1\r\nhost: evil.example\r\nx-kitchen-assistant: {}\r\n\
        content-type: application/json\r\ncontent-length: 900000\r\n\r\n",
        proxy.server.token()
    );
    let answer = raw(proxy.port, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 421 "), "{answer}");
}

#[tokio::test]
async fn the_pages_own_server_is_let_in_by_the_name_the_browser_asked_for() {
    let proxy = Proxy::start(|config| config.page_port = Some(8080)).await;
    let own = format!("127.0.0.1:{}", proxy.port);
    let other = Proxy::start(|_| ()).await;
    // What trunk sends: the bare name of its backend, and the browser's own host beside it.
    for (host, forwarded, status) in [
        ("127.0.0.1", &["localhost:8080"][..], 200),
        ("127.0.0.1", &["127.0.0.1:8080"], 200),
        ("localhost", &["[::1]:8080"], 200),
        (own.as_str(), &["localhost:8080"], 200),
        ("127.0.0.1", &[], 421),
        ("127.0.0.1", &["evil.example:8080"], 421),
        (own.as_str(), &["evil.example:8080"], 421),
        (own.as_str(), &[own.as_str()], 421),
        ("127.0.0.1", &["localhost:8080", "evil.example:8080"], 421),
        ("127.0.0.1", &["evil.example:8080", "localhost:8080"], 421),
        ("evil.example", &["localhost:8080"], 421),
        ("localhost:8080", &[], 421),
    ] {
        let mut ask = proxy.get("/api/status").with("host", host);
        for value in forwarded {
            ask = ask.and("x-forwarded-host", value);
        }
        assert_eq!(ask.send().await.status, status, "{host} {forwarded:?}");
    }
    let ask = other.get("/api/status").with("host", "127.0.0.1");
    assert_eq!(ask.with("x-forwarded-host", "localhost:8080").send().await.status, 421);
}

#[tokio::test]
async fn requests_of_other_pages_reach_no_provider() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let good = || as_the_page(&proxy, proxy.post(ANTHROPIC));
    assert_eq!(good().send().await.status, 200);
    upstream.saw().await;
    let own = format!("http://127.0.0.1:{}", proxy.port);
    let mut refused = Vec::new();
    for origin in [
        "null",
        "https://evil.example",
        "http://evil.example",
        "http://localhost",
        "http://127.0.0.1",
        "http://localhost:1",
        "http://127.0.0.1:8080",
        "file://",
        "chrome-extension://abcdef",
    ] {
        refused.push(good().with("origin", origin));
    }
    refused.push(good().with("origin", &format!("https://127.0.0.1:{}", proxy.port)));
    refused.push(good().with("origin", &format!("{own}/")));
    refused.push(good().and("origin", "null"));
    for site in ["cross-site", "same-site", "none", "nonsense", ""] {
        refused.push(good().with("sec-fetch-site", site));
        refused.push(good().with("sec-fetch-site", site).without("origin"));
    }
    refused.push(good().and("sec-fetch-site", "cross-site"));
    refused.push(good().without("sec-fetch-site"));
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "application/jsonp",
        "",
    ] {
        refused.push(good().with("content-type", kind));
    }
    refused.push(good().without("content-type"));
    refused.push(good().without("x-kitchen-assistant"));
    refused.push(as_the_page(&proxy, proxy.get(ANTHROPIC)));
    assert_eq!(refused.len(), 33);
    for ask in refused {
        let answer = ask.send().await;
        assert!([403, 405, 415].contains(&answer.status), "{answer:?}");
        assert_eq!(answer.error().0, "invalid_request_error");
    }
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn every_way_out_is_guarded_alike() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let list = |provider: Provider| proxy.get(&provider.models_endpoint().unwrap());
    for ask in REACHED.into_iter().flat_map(|it| [proxy.put_to(it), list(it)]) {
        for (ask, status) in [
            (ask.clone().with("host", "evil.example"), 421),
            (ask.clone().with("origin", "https://evil.example"), 403),
            (ask.clone().with("sec-fetch-site", "cross-site"), 403),
            (ask.clone().without("x-kitchen-assistant"), 403),
            (ask.with("upgrade", "websocket"), 400),
        ] {
            assert_eq!(ask.send().await.status, status);
        }
    }
    for provider in REACHED {
        let plain = proxy.put_to(provider).with("content-type", "text/plain");
        assert_eq!(plain.send().await.status, 415);
        assert_eq!(proxy.get(&provider.endpoint()).send().await.status, 405);
    }
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn the_page_itself_is_let_in() {
    let proxy = Proxy::start(|config| config.page_port = Some(8080)).await;
    let own = |name: &str| format!("http://{name}:{}", proxy.port);
    for origin in [own("127.0.0.1"), own("localhost"), own("[::1]"), "http://localhost:8080".into()]
    {
        let ask = proxy.get("/api/status").with("origin", &origin);
        assert_eq!(ask.with("sec-fetch-site", "same-origin").send().await.status, 200, "{origin}");
    }
    assert_eq!(proxy.get("/api/status").send().await.status, 200);
    let first = proxy.get("/api/status").without("x-kitchen-assistant");
    assert_eq!(first.with("sec-fetch-site", "same-origin").send().await.status, 200);
}

#[tokio::test]
async fn every_address_under_api_wants_the_token() {
    let proxy = Proxy::start(|_| ()).await;
    for ask in
        [proxy.get("/api/status"), proxy.get("/api/none"), proxy.get("/api"), proxy.post(ANTHROPIC)]
    {
        assert_eq!(ask.without("x-kitchen-assistant").send().await.status, 403);
    }
}

#[tokio::test]
async fn no_other_page_is_ever_told_that_it_may_ask() {
    let proxy = Proxy::start(|_| ()).await;
    let preflight = proxy
        .ask(Method::OPTIONS, ANTHROPIC)
        .without("x-kitchen-assistant")
        .with("origin", "https://evil.example")
        .with("access-control-request-method", "POST")
        .with("access-control-request-headers", "x-kitchen-assistant")
        .with("access-control-request-private-network", "true");
    let with_header = proxy.ask(Method::OPTIONS, ANTHROPIC);
    for ask in
        [preflight, with_header, proxy.get("/"), proxy.get("/api/status"), proxy.post(ANTHROPIC)]
    {
        let answer = ask.send().await;
        let names = answer.headers.keys().map(|name| name.as_str());
        assert_eq!(names.filter(|name| name.starts_with("access-control")).count(), 0);
    }
}

#[tokio::test]
async fn no_other_protocol_is_spoken() {
    let proxy = Proxy::start(|_| ()).await;
    let websocket = proxy
        .get("/api/status")
        .with("connection", "upgrade")
        .with("upgrade", "websocket")
        .with("sec-websocket-version", "13")
        .with("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    let h2c = proxy.get("/").with("connection", "upgrade, http2-settings").with("upgrade", "h2c");
    let tls = proxy.post(ANTHROPIC).with("upgrade", "TLS/1.0");
    for ask in [websocket, h2c, tls] {
        assert_eq!(ask.send().await.status, 400);
    }
}

/// Forty ways to ask for another host or path than the fixed ones.
fn detours(port: u16, other: u16) -> Vec<String> {
    let mut targets: Vec<String> = [
        "/api/anthropic",
        "/api/anthropic/v1",
        "/api/anthropic/v1/messages/",
        "/api/anthropic/v1/messages/batches",
        "/api/anthropic/v1/models",
        "/api/anthropic/v1/files",
        "/api/anthropic/v2/messages",
        "/api/anthropic//v1/messages",
        "//api/anthropic/v1/messages",
        "/api/anthropic/../anthropic/v1/messages",
        "/api/anthropic/v1/../v1/messages",
        "/api/anthropic/%2e%2e/v1/messages",
        "/api/anthropic/v1%2fmessages",
        "/api/anthropic/v1/messages%00",
        "/api/anthropic/v1/messages;x",
        "/api/anthropic/v1/mess%61ges",
        "/%61pi/anthropic/v1/messages",
        "/API/anthropic/v1/messages",
        "/api/anthropic/v1/messages/..%2fmodels",
        "/api/openai/chat/completions",
        "/api/openai/v1/completions",
        "/api/openai/v1/responses/resp_1/cancel",
        "/api/openai/v1/files",
        "/api/openai_chat/v1/chat/completions",
        "/api/ollama/api/pull",
        "/api/ollama/api/delete",
        "/api/ollama/v1/chat/completions",
        "/v1/messages",
        "/api/http://127.0.0.1/v1/messages",
        "/api/anthropic/@127.0.0.1/v1/messages",
        "/api\\anthropic/v1/messages",
        "*",
    ]
    .map(str::to_owned)
    .to_vec();
    for target in [
        format!("http://127.0.0.1:{other}/v1/messages"),
        format!("http://127.0.0.1:{other}/api/anthropic/v1/messages"),
        format!("http://127.0.0.1:{port}/api/anthropic/v1/messages"),
        format!("http://evil.example@127.0.0.1:{port}/api/anthropic/v1/messages"),
        format!("https://127.0.0.1:{other}/"),
        format!("127.0.0.1:{other}"),
        "ftp://127.0.0.1/".into(),
        "file:///etc/passwd".into(),
    ] {
        targets.push(target);
    }
    targets
}

#[tokio::test]
async fn forty_detours_lead_nowhere() {
    let mut upstream = Upstream::short().await;
    let mut other = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let targets = detours(proxy.port, other.port);
    assert_eq!(targets.len(), 40);
    for target in targets {
        let method = if target.starts_with("127.") { "CONNECT" } else { "POST" };
        let body = crate::world::messages().to_string();
        let request = format!(
            "{method} {target} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nx-kitchen-assistant: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            proxy.port,
            proxy.server.token(),
            body.len()
        );
        let answer = raw(proxy.port, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 4"), "{target}: {answer}");
    }
    assert!(upstream.saw_nothing());
    assert!(other.saw_nothing());
}

#[tokio::test]
async fn a_query_is_not_passed_on() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    assert_eq!(proxy.post(&format!("{ANTHROPIC}?beta=true&x=../..")).send().await.status, 200);
    assert_eq!(upstream.saw().await.uri, Uri::from_static("/v1/messages"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_other_machine_can_connect() {
    let proxy = Proxy::start(|_| ()).await;
    let port = format!(":{:04X}", proxy.port);
    let mut addresses = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        for line in std::fs::read_to_string(table).unwrap_or_default().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            // 0A is LISTEN.
            if fields.get(3) == Some(&"0A") && fields[1].ends_with(&port) {
                addresses.push(fields[1].trim_end_matches(&port).to_owned());
            }
        }
    }
    assert!(!addresses.is_empty());
    let here = ["0100007F", "00000000000000000000000001000000"];
    assert!(addresses.iter().all(|it| here.contains(&it.as_str())), "{addresses:?}");
}

#[tokio::test]
async fn what_is_not_there_is_said_in_the_protocols_shape() {
    let proxy = Proxy::start(|_| ()).await;
    for ask in
        [proxy.get("/api"), proxy.get("/api/none"), proxy.post("/api/none"), proxy.post("/api/")]
    {
        let answer = ask.send().await;
        assert_eq!((answer.status, answer.error().0.as_str()), (404, "not_found_error"));
    }
    let answer = proxy.post("/api/status").send().await;
    assert_eq!((answer.status, answer.header("allow")), (405, "GET,HEAD"));
    answer.error();
    let pull = proxy.post("/api/ollama/api/pull");
    for (ask, status) in [
        (pull.clone(), 404),
        (pull.clone().without("x-kitchen-assistant"), 403),
        (pull.clone().with("host", "evil.example"), 421),
        (pull.with("content-type", "text/plain"), 415),
        (proxy.get("/api/ollama/api/chat"), 405),
    ] {
        let answer = ask.send().await;
        assert_eq!(answer.status, status);
        let words: serde_json::Value = serde_json::from_str(answer.text()).unwrap();
        assert!(words["error"].is_string(), "{words}");
    }
}
