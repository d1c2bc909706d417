//! What the proxy says about itself.

use proxy::Vendor;
use wire::provider::Provider;
use wire::status::{ProviderStatus, Status};

use crate::world::{MODEL, Proxy, Upstream, answer, scripted};

async fn status(proxy: &Proxy) -> Status {
    let answer = proxy.get("/api/status").send().await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    serde_json::from_slice(&answer.body).unwrap()
}

fn said(provider: Provider, models: &[&str], missing: Option<&str>) -> ProviderStatus {
    ProviderStatus {
        name: provider.name().to_owned(),
        title: provider.title().to_owned(),
        models: models.iter().map(|&model| model.to_owned()).collect(),
        lacking: Vec::new(),
        missing: missing.map(str::to_owned),
    }
}

async fn ollama() -> Upstream {
    let tags = r#"{"models":[{"name":"qwen3:8b","model":"qwen3:8b"},{"model":"gemma3:latest"}]}"#;
    Upstream::start(move || async move { answer(200, "application/json", tags) }).await
}

#[tokio::test]
async fn the_status_says_of_each_provider_what_is_there() {
    let ollama = ollama().await;
    let proxy = Proxy::start(|config| {
        config.upstreams.ollama.base = ollama.base();
        config.upstreams.ollama.models = None;
        config.upstreams.ollama.key = None;
    })
    .await;
    let expected = Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        providers: vec![
            said(Provider::Builtin, &[builtin::MODEL], None),
            said(Provider::Anthropic, &[MODEL], None),
            said(Provider::OpenAiChat, &[MODEL], None),
            said(Provider::OpenAiResponses, &[MODEL], None),
            said(Provider::Ollama, &["qwen3:8b", "gemma3:latest"], None),
        ],
    };
    assert_eq!(status(&proxy).await, expected);
}

#[tokio::test]
async fn the_status_says_of_each_provider_what_is_missing_and_how_to_set_it() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let proxy = Proxy::start(|config| {
        for vendor in Vendor::ALL {
            let upstream = config.upstreams.of_mut(vendor);
            upstream.key = None;
            upstream.base = nobody.parse().unwrap();
        }
    })
    .await;
    let anthropic = Some("no key; set ANTHROPIC_API_KEY and start again");
    let openai = Some("no key; set OPENAI_API_KEY and start again");
    let ollama = format!(
        "no list of models came from {nobody}; start Ollama there, or set OLLAMA_HOST to where it \
         runs and start the proxy again"
    );
    let expected = [
        said(Provider::Builtin, &[builtin::MODEL], None),
        said(Provider::Anthropic, &[MODEL], anthropic),
        said(Provider::OpenAiChat, &[MODEL], openai),
        said(Provider::OpenAiResponses, &[MODEL], openai),
        said(Provider::Ollama, &[MODEL], Some(&ollama)),
    ];
    assert_eq!(status(&proxy).await.providers, expected);
}

/// What is said of the vendors that need a key, where one of them is used.
async fn used(provider: Provider, upstream: &Upstream, models: &[&str]) -> ProviderStatus {
    let models: Vec<_> = models.iter().map(|&model| model.to_owned()).collect();
    let proxy = Proxy::start(|config| {
        upstream.stands_for_all(config);
        for vendor in Vendor::ALL {
            config.upstreams.of_mut(vendor).models = Some(models.clone());
        }
    })
    .await;
    let answer = proxy.get(&format!("/api/status?chosen={}&", provider.name())).send().await;
    let status: Status = serde_json::from_slice(&answer.body).unwrap();
    status.providers.into_iter().find(|it| it.name == provider.name()).unwrap()
}

const KEYED: [Provider; 3] = [Provider::Anthropic, Provider::OpenAiChat, Provider::OpenAiResponses];

#[tokio::test]
async fn a_model_that_the_used_provider_does_not_have_is_told_before_it_is_asked() {
    let list = r#"{"data":[{"id":"one-20260131"},{"id":"two"}]}"#;
    for provider in KEYED {
        let upstream =
            Upstream::start(move || async move { answer(200, "application/json", list) }).await;
        let lacking = vec!["three".to_owned()];
        let expected = ProviderStatus { lacking, ..said(provider, &["one", "two"], None) };
        assert_eq!(used(provider, &upstream, &["one", "three", "two"]).await, expected);
        let variable = if provider == Provider::Anthropic { "ANTHROPIC" } else { "OPENAI" };
        let none = used(provider, &upstream, &["three"]).await.missing.unwrap();
        let advice = format!("no model to offer; name some it has in {variable}_MODELS");
        assert!(none.contains(&advice), "{none}");
    }
}

#[tokio::test]
async fn a_key_that_the_used_provider_does_not_take_is_told_before_it_is_used() {
    for (status, is_told) in [(401, true), (403, false), (500, false)] {
        let refused = r#"{"error":{"message":"no"}}"#;
        let upstream =
            Upstream::start(move || async move { answer(status, "application/json", refused) });
        let upstream = upstream.await;
        for provider in KEYED {
            let missing = used(provider, &upstream, &[MODEL]).await.missing;
            let told = missing.is_some_and(|it| it.contains("does not take the key; set "));
            assert_eq!(told, is_told, "{status}");
        }
    }
}

#[tokio::test]
async fn a_provider_that_is_not_used_is_not_asked_with_its_key() {
    let mut upstream = Upstream::start(|| async { answer(200, "application/json", "{}") }).await;
    let proxy = Proxy::start(|config| {
        upstream.stands_for_all(config);
        config.upstreams.ollama.base = "http://127.0.0.1:1/".parse().unwrap();
    })
    .await;
    for path in ["/api/status", "/api/status?chosen=builtin", "/api/status?chosen=..%2F"] {
        assert_eq!(proxy.get(path).send().await.status, 200);
    }
    assert!(upstream.saw_nothing());
}

#[tokio::test]
async fn a_server_of_ollama_without_a_model_is_told_apart() {
    for (tags, chosen) in [
        (r#"{"models":[]}"#, None),
        (r#"{"models":[{"model":"qwen3:8b"}]}"#, Some(vec!["llama3".to_owned()])),
    ] {
        let ollama =
            Upstream::start(move || async move { answer(200, "application/json", tags) }).await;
        let proxy = Proxy::start(|config| {
            config.upstreams.ollama.base = ollama.base();
            config.upstreams.ollama.models = chosen.clone();
        })
        .await;
        let missing = "Ollama has no model to offer; get one with `ollama pull` and look again";
        let said_of_ollama = status(&proxy).await.providers.pop().unwrap();
        let lacking = chosen.unwrap_or_default();
        let expected = ProviderStatus { lacking, ..said(Provider::Ollama, &[], Some(missing)) };
        assert_eq!(said_of_ollama, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_holds_the_status_up_for_a_second() {
    let (ollama, _script) = scripted().await;
    let proxy = Proxy::start(|config| config.upstreams.ollama.base = ollama.base()).await;
    let began = tokio::time::Instant::now();
    let said = status(&proxy).await.providers.pop().unwrap();
    assert_eq!(began.elapsed().as_secs(), 1);
    assert!(said.missing.unwrap().starts_with("no list of models came from "));
}
