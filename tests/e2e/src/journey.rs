//! A journey: steps through an open kitchen, at whose end the page must have kept its policy.

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures::FutureExt;

use crate::browser::Engine;
use crate::files;
use crate::kitchen::Kitchen;
use crate::provider::Provider;

/// Walks through a new kitchen in Chromium. `name` names the picture that a failure leaves.
pub async fn journey(name: &str, walk: impl AsyncFnOnce(&mut Kitchen)) {
    walk_through(name, Kitchen::open(Engine::Chromium).await, walk).await;
}

/// Walks through a new kitchen in the browser that is named.
pub async fn journey_in(engine: Engine, name: &str, walk: impl AsyncFnOnce(&mut Kitchen)) {
    walk_through(name, Kitchen::open(engine).await, walk).await;
}

/// Walks through a new kitchen where `provider` stands where the vendors would.
pub async fn journey_with(provider: Provider, name: &str, walk: impl AsyncFnOnce(&mut Kitchen)) {
    walk_through(name, Kitchen::open_with(Engine::Chromium, Some(provider)).await, walk).await;
}

async fn walk_through(name: &str, mut kitchen: Kitchen, walk: impl AsyncFnOnce(&mut Kitchen)) {
    let walked = AssertUnwindSafe(walk(&mut kitchen)).catch_unwind().await;
    if let Err(failure) = walked {
        kitchen.picture(&files::pictures("e2e").join(format!("{name}.png"))).await;
        resume_unwind(failure);
    }
    assert_eq!(kitchen.browser().complaints().await, Vec::<String>::new(), "policy or panic");
}
