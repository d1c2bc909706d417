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
    /// Models that were meant to be offered and that the vendor does not have.
    pub(crate) lacking: Vec<String>,
    pub(crate) missing: Option<String>,
}

impl Offer {
    /// These, and nothing is missing.
    pub(crate) fn of(models: Vec<String>) -> Self {
        Self { models, lacking: Vec::new(), missing: None }
    }
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

    /// What the page may offer: the models that were chosen for it, or whatever the server has. A
    /// vendor that needs a key is asked whether it has them only where the page uses it.
    pub(crate) async fn offer(
        &self,
        is_used: bool,
        limits: &Limits,
        stopping: &watch::Receiver<bool>,
    ) -> Offer {
        let chosen = self.settings.models.clone().unwrap_or_default();
        if let Some(missing) = self.missing() {
            return Offer { missing: Some(missing), ..Offer::of(chosen) };
        }
        if self.facts().needs_key && !is_used {
            return Offer::of(chosen);
        }
        let had = self.newest(limits, stopping, |listed| listed.list.clone());
        match timeout(limits.status_time, had).await {
            Ok(Ok(list)) => self.offer_of(&list),
            Ok(Err(refusal)) if refusal.is_of_the_key() => {
                Offer { missing: Some(self.key_refused()), ..Offer::of(chosen) }
            }
            // It may be away for a moment: what it then says of a message is shown with it.
            Ok(Err(_)) | Err(_) if self.facts().needs_key => Offer::of(chosen),
            Ok(Err(_)) | Err(_) => {
                let (base, facts) = (&self.settings.base, self.facts());
                let missing = format!(
                    "no list of models came from {base}; start {} there, or set {} to where it runs \
                     and start the proxy again",
                    facts.title, facts.base_variable
                );
                Offer { missing: Some(missing), ..Offer::of(chosen) }
            }
        }
    }

    fn offer_of(&self, list: &ModelList) -> Offer {
        let Some(chosen) = self.settings.models.clone() else {
            let models = list.names().to_vec();
            return Offer { missing: self.no_model(&models), ..Offer::of(models) };
        };
        let (lacking, models): (Vec<_>, _) = chosen.into_iter().partition(|it| list.lacks(it));
        let missing = self.no_model(&models);
        Offer { models, lacking, missing }
    }

    /// What is missing where there is none of these models.
    fn no_model(&self, models: &[String]) -> Option<String> {
        let facts = self.facts();
        let get = match facts.models_variable {
            Some(variable) => format!("name some it has in {variable} and start again"),
            None => "get one with `ollama pull` and look again".to_owned(),
        };
        models.is_empty().then(|| format!("{} has no model to offer; {get}", facts.title))
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
