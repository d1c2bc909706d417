//! Which models there are, by the providers' own word.

use std::time::Duration;

use proxy::Vendor;
use serde_json::json;
use wire::models::ModelList;
use wire::provider::Provider;

use crate::world::{KEY, Proxy, REACHED, Upstream, answer};

const IDS: &str = r#"{"data":[{"id":"one","object":"model"},{"id":"two","object":"model"}]}"#;
const TAGS: &str = r#"{"models":[{"name":"one","model":"one"},{"name":"two","model":"two"}]}"#;

fn list(provider: Provider) -> &'static str {
    if provider == Provider::Ollama { TAGS } else { IDS }
}

async fn listing(text: &'static str) -> Upstream {
    Upstream::start(move || async move { answer(200, "application/json", text) }).await
}

#[tokio::test]
async fn each_provider_is_asked_for_its_models_with_its_key() {
    for (provider, address, name, value) in [
        (Provider::Anthropic, "/v1/models?limit=1000", "x-api-key", KEY.to_owned()),
        (Provider::OpenAiChat, "/models", "authorization", format!("Bearer {KEY}")),
        (Provider::OpenAiResponses, "/models", "authorization", format!("Bearer {KEY}")),
        (Provider::Ollama, "/api/tags", "authorization", format!("Bearer {KEY}")),
    ] {
        let mut upstream = listing(list(provider)).await;
        let proxy = Proxy::before(&upstream).await;
        let path = format!("{}?limit=1&x=../..", provider.models_endpoint().unwrap());
        let ask = proxy.get(&path).with("authorization", "Bearer stolen").with("cookie", "a=b");
        let reply = ask.send().await;
        assert_eq!((reply.status, reply.text()), (200, list(provider)));
        assert_eq!(reply.header("content-type"), "application/json");
        assert_eq!(reply.header("cache-control"), "no-store");
        let names = ModelList::decode(provider.protocol(), &reply.body).unwrap();
        assert_eq!(names.names(), ["one", "two"]);
        let seen = upstream.saw().await;
        assert_eq!(seen.uri.to_string(), address);
        assert_eq!(seen.headers.get(name).unwrap(), &value);
        assert_eq!(seen.headers.get("cookie"), None);
    }
}

#[tokio::test]
async fn what_is_no_list_does_not_come_through() {
    let huge: &str = Box::leak(format!("{{\"data\":[],\"x\":{:?}}}", "x".repeat(1_000_000)).into());
    for text in ["<script>alert(1)</script>", "[]", "{}", "{\"data\":[{\"id\":5}]}", "\u{0}", huge]
    {
        let upstream = listing(text).await;
        let proxy = Proxy::before(&upstream).await;
        for provider in REACHED {
            let reply = proxy.get(&provider.models_endpoint().unwrap()).send().await;
            assert_eq!(reply.status, 502, "{}", reply.text());
            assert!(reply.text().contains("did not send a list of its models"));
        }
    }
}

#[tokio::test]
async fn a_failure_to_list_is_told_in_the_providers_words_without_the_key() {
    let words = json!({ "error": { "message": format!("{KEY} is not known") } }).to_string();
    let upstream = Upstream::start(move || {
        let words = words.clone();
        async move { answer(401, "application/json", words) }
    })
    .await;
    let proxy = Proxy::before(&upstream).await;
    for provider in REACHED {
        let reply = proxy.get(&provider.models_endpoint().unwrap()).send().await;
        assert_eq!(reply.status, 401);
        assert_eq!(reply.text(), r#"{"error":{"message":"[key] is not known"}}"#);
    }
}

#[tokio::test]
async fn a_key_in_a_list_is_blotted_out() {
    let text = format!("{{\"data\":[],\"models\":[],\"asked_with\":\"{KEY}\"}}");
    let upstream = listing(Box::leak(text.into())).await;
    let proxy = Proxy::before(&upstream).await;
    for provider in REACHED {
        let reply = proxy.get(&provider.models_endpoint().unwrap()).send().await;
        assert_eq!(reply.text(), r#"{"data":[],"models":[],"asked_with":"[key]"}"#);
    }
}

#[tokio::test]
async fn without_a_key_no_list_is_asked_for() {
    let mut upstream = listing(IDS).await;
    let proxy = Proxy::start(|config| {
        upstream.stands_for_all(config);
        for vendor in Vendor::ALL {
            config.upstreams.of_mut(vendor).key = None;
        }
    })
    .await;
    for provider in [Provider::Anthropic, Provider::OpenAiChat] {
        let reply = proxy.get(&provider.models_endpoint().unwrap()).send().await;
        assert_eq!((reply.status, reply.error().0.as_str()), (401, "authentication_error"));
    }
    assert!(upstream.saw_nothing());
}

#[tokio::test(start_paused = true)]
async fn many_who_ask_at_once_are_one_question_and_later_it_is_asked_again() {
    let mut upstream = listing(TAGS).await;
    let proxy = Proxy::before(&upstream).await;
    let path = Provider::Ollama.models_endpoint().unwrap();
    let asking: Vec<_> = (0..20).map(|_| tokio::spawn(proxy.get(&path).send())).collect();
    for asked in asking {
        assert_eq!(asked.await.unwrap().status, 200);
    }
    upstream.saw().await;
    assert!(upstream.saw_nothing());
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(proxy.get(&path).send().await.status, 200);
    upstream.saw().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_is_waited_for_ten_seconds() {
    let upstream = Upstream::start(std::future::pending::<axum::response::Response>).await;
    let proxy = Proxy::before(&upstream).await;
    let began = tokio::time::Instant::now();
    let reply = proxy.get(&Provider::OpenAiChat.models_endpoint().unwrap()).send().await;
    assert_eq!((reply.status, began.elapsed().as_secs()), (504, 10));
    assert_eq!(reply.error().1, "OpenAI did not answer within 10 seconds. Try again.");
}
