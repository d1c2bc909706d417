//! The built-in model and what the proxy says about itself.

use wire::provider::Provider;
use wire::status::{ProviderStatus, Status};

use crate::world::{MODEL, Proxy};

#[tokio::test]
async fn the_status_says_what_is_there_and_what_is_missing() {
    let ready = Proxy::start(|_| ()).await;
    let bare = Proxy::start(|config| config.anthropic.key = None).await;
    let missing = "no key; set ANTHROPIC_API_KEY and start again";
    for (proxy, missing) in [(ready, None), (bare, Some(missing.to_owned()))] {
        let answer = proxy.get("/api/status").send().await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let status: Status = serde_json::from_slice(&answer.body).unwrap();
        let expected = [
            ProviderStatus {
                name: "builtin".to_owned(),
                title: Provider::Builtin.title().to_owned(),
                models: vec!["kitchen-rules".to_owned()],
                missing: None,
            },
            ProviderStatus {
                name: "anthropic".to_owned(),
                title: Provider::Anthropic.title().to_owned(),
                models: vec![MODEL.to_owned()],
                missing,
            },
        ];
        assert_eq!(status.providers, expected);
        assert_eq!(status.version, env!("CARGO_PKG_VERSION"));
    }
}
