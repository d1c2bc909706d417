//! Says what is configured, and what is missing. Never a key, not even a part of one.

use axum::http::{HeaderName, Uri, header};
use axum::response::{IntoResponse, Json, Response};
use wire::provider::Provider;
use wire::status::{ProviderStatus, Status};

use crate::list::Offer;
use crate::server::App;
use crate::vendor::Vendor;

const NOT_KEPT: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

/// Answers `GET /api/status`. Whether the provider that the page uses can answer is found out now;
/// names of providers need no escape.
pub(crate) async fn report(app: &App, asked: &Uri) -> Response {
    let mut asked = asked.query().unwrap_or_default().split('&');
    let chosen = asked.find_map(|it| it.strip_prefix("chosen="));
    let mut providers = Vec::new();
    for provider in Provider::ALL {
        let is_chosen = chosen == Some(provider.name());
        let Offer { models, lacking, missing } = match Vendor::of(provider) {
            None => Offer::of(vec![builtin::MODEL.to_owned()]),
            Some(vendor) => {
                app.upstreams.of(vendor).offer(is_chosen, &app.limits, &app.stopping).await
            }
        };
        let (name, title) = (provider.name().to_owned(), provider.title().to_owned());
        providers.push(ProviderStatus { name, title, models, lacking, missing });
    }
    let status = Status { version: env!("CARGO_PKG_VERSION").to_owned(), providers };
    (NOT_KEPT, Json(status)).into_response()
}
