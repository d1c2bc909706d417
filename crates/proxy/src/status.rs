//! Says what is configured, and what is missing. Never a key, not even a part of one.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Json, Response};
use wire::provider::Provider;
use wire::status::{ProviderStatus, Status};

use crate::list::Offer;
use crate::server::App;
use crate::vendor::Vendor;

const NOT_KEPT: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

/// Answers `GET /api/status`.
pub(crate) async fn report(app: &App) -> Response {
    let mut providers = Vec::new();
    for provider in Provider::ALL {
        let Offer { models, missing } = match Vendor::of(provider) {
            None => Offer { models: vec![builtin::MODEL.to_owned()], missing: None },
            Some(vendor) => app.upstreams.of(vendor).offer(&app.limits, &app.stopping).await,
        };
        let (name, title) = (provider.name().to_owned(), provider.title().to_owned());
        providers.push(ProviderStatus { name, title, models, missing });
    }
    let status = Status { version: env!("CARGO_PKG_VERSION").to_owned(), providers };
    (NOT_KEPT, Json(status)).into_response()
}
