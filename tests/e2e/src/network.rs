//! All that a browser sent and was sent, as it noted it itself: addresses, heads and bodies.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::browser::{Browser, Command};

/// What went over the network since it was last asked for. In Chromium.
#[derive(Debug, Default)]
pub struct Exchanged {
    /// Every note, whole: addresses, heads and what was posted.
    pub notes: String,
    /// The bodies of what the page fetched, but for its own program, each behind its address. Of an
    /// answer that broke off the browser keeps nothing.
    pub answers: Vec<(String, String)>,
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
        // By the number of their request. A busy browser may note an end before its beginning.
        let (mut fetched, mut finished) = (BTreeMap::new(), BTreeSet::new());
        for entry in log.as_array().into_iter().flatten() {
            let note: Value =
                serde_json::from_str(&text(&entry["message"])).expect("a note is JSON");
            let (name, parameters) = (text(&note["message"]["method"]), &note["message"]["params"]);
            if !name.starts_with("Network.") {
                continue;
            }
            exchanged.notes += &format!("{note}\n");
            let (request, response) = (text(&parameters["requestId"]), &parameters["response"]);
            if name == "Network.loadingFinished" {
                finished.insert(request);
            } else if name == "Network.responseReceived"
                && parameters["type"] == "Fetch"
                && response["mimeType"] != "application/wasm"
            {
                fetched.insert(request, text(&response["url"]));
            }
        }
        for (request, address) in fetched {
            if finished.contains(&request) {
                let asked = json!({ "requestId": request });
                let answer = browser.chromium("Network.getResponseBody", asked).await;
                exchanged.answers.push((address, body_of(&answer)));
            }
        }
        exchanged
    }
}

fn body_of(answer: &Value) -> String {
    let body = text(&answer["body"]);
    if answer["base64Encoded"] != true {
        return body;
    }
    // The browser took it for bytes.
    let bytes = BASE64_STANDARD.decode(body).expect("the browser writes base64");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
