//! All that a browser sent and was sent, as it noted it itself: addresses, heads and bodies.

use std::collections::HashMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::browser::{Browser, Command};

/// What went over the network since it was last asked for. In Chromium.
#[derive(Debug, Default)]
pub struct Exchanged {
    /// Every note, whole: addresses, heads and what was posted.
    pub notes: String,
    /// The bodies of the answers that are text, each behind its address.
    pub answers: Vec<(String, String)>,
    /// The addresses of the answers that have begun, by the number of their request.
    answered: HashMap<String, String>,
}

impl Exchanged {
    /// Reads what the browser noted.
    ///
    /// # Panics
    ///
    /// The browser does not say, or has an answer no more that it noted.
    pub async fn of(browser: &Browser) -> Self {
        let body = json!({ "type": "performance" });
        let log = browser.client().issue_cmd(Command::post("se/log", body)).await;
        let log = log.expect("Chromium keeps a log of its network");
        let mut exchanged = Self::default();
        for entry in log.as_array().into_iter().flatten() {
            let note: Value = entry["message"]
                .as_str()
                .and_then(|text| serde_json::from_str(text).ok())
                .expect("a note is JSON");
            exchanged.take(&note["message"], browser).await;
        }
        exchanged
    }

    async fn take(&mut self, note: &Value, browser: &Browser) {
        let (Some(name), parameters) = (note["method"].as_str(), &note["params"]) else { return };
        if !name.starts_with("Network.") {
            return;
        }
        self.notes += &format!("{note}\n");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let request = text(&parameters["requestId"]);
        match name {
            "Network.responseReceived" if parameters["type"] == "Fetch" => {
                let response = &parameters["response"];
                if response["mimeType"] != "application/wasm" {
                    self.answered.insert(request, text(&response["url"]));
                }
            }
            // Of an answer that broke off the browser keeps nothing.
            "Network.loadingFinished" => {
                if let Some(address) = self.answered.remove(&request) {
                    let asked = json!({ "requestId": request });
                    let answer = browser.chromium("Network.getResponseBody", asked).await;
                    let body = text(&answer["body"]);
                    let body = if answer["base64Encoded"] == true { plain(&body) } else { body };
                    self.answers.push((address, body));
                }
            }
            _ => {}
        }
    }
}

/// A body that the browser took for bytes.
fn plain(body: &str) -> String {
    let bytes = BASE64_STANDARD.decode(body).expect("the browser writes base64");
    String::from_utf8_lossy(&bytes).into_owned()
}
