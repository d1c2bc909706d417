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
            config.upstreams.ollama.models = chosen;
        })
        .await;
        let missing = "Ollama has no model to offer; get one with `ollama pull` and look again";
        let said_of_ollama = status(&proxy).await.providers.pop().unwrap();
        assert_eq!(said_of_ollama, said(Provider::Ollama, &[], Some(missing)));
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
