//! Says what is configured, and what is missing. Never a key, not even a part of one.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Json, Response};
use wire::provider::Provider;
use wire::status::{ProviderStatus, Status};

use crate::server::App;

const NOT_KEPT: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

/// Answers `GET /api/status`.
pub(crate) fn report(app: &App) -> Response {
    let providers = Provider::ALL.into_iter().filter_map(|provider| {
        let (models, missing) = match provider {
            Provider::Builtin => (vec![builtin::MODEL.to_owned()], None),
            Provider::Anthropic => (app.upstream.models().to_vec(), app.upstream.missing()),
            // The proxy has no way to them, so the page must not offer them.
            Provider::OpenAiChat | Provider::OpenAiResponses | Provider::Ollama => return None,
        };
        Some(ProviderStatus {
            name: provider.name().to_owned(),
            title: provider.title().to_owned(),
            models,
            missing: missing.map(str::to_owned),
        })
    });
    let status =
        Status { version: env!("CARGO_PKG_VERSION").to_owned(), providers: providers.collect() };
    (NOT_KEPT, Json(status)).into_response()
}
