//! Which models a vendor has, asked of the vendor: one question at a time, and not again at once.

use axum::body::Bytes;
use axum::response::Response;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use wire::models::ModelList;

use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::upstream::{Upstream, json_answer};

/// A list and when it came.
#[derive(Debug)]
pub(crate) struct Listed {
    came: Instant,
    body: Bytes,
    list: ModelList,
}

/// What can be chosen at a vendor, and what is missing before it can be used.
pub(crate) struct Offer {
    pub(crate) models: Vec<String>,
    pub(crate) missing: Option<String>,
}

impl Upstream {
    /// Answers with the vendor's list, in the vendor's own shape.
    pub(crate) async fn answer_list(
        &self,
        limits: &Limits,
        stopping: &watch::Receiver<bool>,
    ) -> Result<Response, Refusal> {
        self.newest(limits, stopping, |listed| json_answer(listed.body.clone())).await
    }

    /// What the page may offer: the models that were chosen for it, or whatever the server has.
    pub(crate) async fn offer(&self, limits: &Limits, stopping: &watch::Receiver<bool>) -> Offer {
        let chosen = self.settings.models.clone();
        if self.facts().needs_key {
            return Offer { models: chosen.unwrap_or_default(), missing: self.missing() };
        }
        let had = self.newest(limits, stopping, |listed| listed.list.clone());
        let title = self.facts().title;
        let missing = |words: String| Some(words);
        match timeout(limits.status_time, had).await {
            Ok(Ok(list)) => {
                let models = match chosen {
                    Some(chosen) => chosen.into_iter().filter(|it| !list.lacks(it)).collect(),
                    None => list.names().to_vec(),
                };
                let missing = models.is_empty().then(|| {
                    format!(
                        "{title} has no model to offer; get one with `ollama pull` and look again"
                    )
                });
                Offer { models, missing }
            }
            Ok(Err(_)) | Err(_) => Offer {
                models: chosen.unwrap_or_default(),
                missing: missing(format!(
                    "no list of models came from {}; start {title} there, or set {} to where it \
                     runs and start the proxy again",
                    self.settings.base,
                    self.facts().base_variable
                )),
            },
        }
    }

    /// Looks at a list that is new enough, fetching it first if need be.
    async fn newest<T>(
        &self,
        limits: &Limits,
        stopping: &watch::Receiver<bool>,
        look: impl FnOnce(&Listed) -> T,
    ) -> Result<T, Refusal> {
        let mut kept = self.listed.lock().await;
        if let Some(listed) = kept.as_ref().filter(|it| it.came.elapsed() < limits.list_age) {
            return Ok(look(listed));
        }
        *kept = None;
        let body = self.fetch_list(limits, stopping).await?;
        let text = String::from_utf8(body.into()).map_err(|_| self.no_list())?;
        let text = self.blot(text);
        let list = ModelList::decode(self.facts().list_protocol, text.as_bytes())
            .map_err(|_| self.no_list())?;
        let listed = Listed { came: Instant::now(), body: text.into(), list };
        Ok(look(kept.insert(listed)))
    }
}
