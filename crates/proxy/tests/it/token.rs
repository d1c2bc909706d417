//! The token of one start: who is let in by it, and who is told it.

use crate::world::{ANTHROPIC, Proxy, Upstream, as_the_page};

#[tokio::test]
async fn who_says_no_origin_is_let_in_by_the_token_alone() {
    let mut upstream = Upstream::short().await;
    let proxy = Proxy::before(&upstream).await;
    let earlier = Proxy::start(|_| ()).await;
    let (token, old) = (proxy.server.token(), earlier.server.token());
    assert!(token != old && token.len() == 32, "{token} {old}");
    let almost = &token[1..];
    for (said, status) in
        [(None, 403), (Some(""), 403), (Some("1"), 403), (Some(almost), 403), (Some(old), 403)]
            .into_iter()
            .chain([(Some(token), 200)])
    {
        let ask = proxy.post(ANTHROPIC).without("x-kitchen-assistant");
        let ask = match said {
            Some(value) => ask.with("x-kitchen-assistant", value),
            None => ask,
        };
        assert_eq!(ask.send().await.status, status, "{said:?}");
    }
    let doubled = proxy.post(ANTHROPIC).and("x-kitchen-assistant", token);
    assert_eq!(doubled.send().await.status, 403);
    upstream.saw().await;
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn the_page_is_told_the_token_and_nobody_else_is() {
    let proxy = Proxy::start(|config| config.page_port = Some(8080)).await;
    let own = format!("http://127.0.0.1:{}", proxy.port);
    let token = proxy.server.token();
    let developed = "http://localhost:8080";
    for (origin, site, is_told) in [
        (None, Some("same-origin"), true),
        (Some(own.as_str()), Some("same-origin"), true),
        (Some(developed), Some("same-origin"), true),
        (None, None, false),
        (None, Some("none"), false),
        (None, Some("cross-site"), false),
        (None, Some("same-site"), false),
        (Some(own.as_str()), None, false),
        (Some(own.as_str()), Some("same-site"), false),
        (Some("https://evil.example"), Some("same-origin"), false),
        (Some("null"), Some("same-origin"), false),
    ] {
        for ask in [proxy.get("/api/status"), proxy.get("/api/none"), proxy.post(ANTHROPIC)] {
            let mut ask = ask.without("x-kitchen-assistant");
            for (name, value) in [("origin", origin), ("sec-fetch-site", site)] {
                ask = value.map_or(ask.clone(), |value| ask.with(name, value));
            }
            let answer = ask.clone().send().await;
            let told = answer.header("x-kitchen-assistant");
            assert_eq!(told, if is_told { token } else { "" }, "{origin:?} {site:?}");
            assert!(!answer.text().contains(token));
            // A name that was made to point here is no better off.
            let foreign = ask.with("host", "evil.example").send().await;
            assert_eq!((foreign.status, foreign.header("x-kitchen-assistant")), (421, ""));
        }
    }
    let page = as_the_page(&proxy, proxy.get("/")).send().await;
    assert_eq!(page.header("x-kitchen-assistant"), "");
}

#[tokio::test]
async fn a_page_that_was_open_before_the_proxy_was_started_learns_the_token_from_a_refusal() {
    let mut upstream = Upstream::short().await;
    let earlier = Proxy::start(|_| ()).await;
    let proxy = Proxy::before(&upstream).await;
    let ask = as_the_page(&proxy, proxy.post(ANTHROPIC));
    let refused = ask.clone().with("x-kitchen-assistant", earlier.server.token()).send().await;
    assert_eq!(refused.status, 403);
    assert!(upstream.saw_nothing());
    let again = ask.with("x-kitchen-assistant", refused.header("x-kitchen-assistant"));
    assert_eq!(again.send().await.status, 200);
    upstream.saw().await;
}
