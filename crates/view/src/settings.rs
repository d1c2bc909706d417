//! The settings page: who answers, how questions are shown, where data is kept.

use agent::limits;
use agent::settings::Wait;
pub use store::settings::Preferences;

use crate::scene::{ProviderOffer, Proxy, Scene, Storage};

/// The settings page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Who can answer.
    pub offers: Vec<Offer>,
    /// What to say where no offers are known.
    pub without_offers: &'static str,
    /// What the person prefers now.
    pub preferences: Preferences,
    /// How long a card waits now.
    pub wait: Wait,
    /// Where data is kept, in a sentence.
    pub kept: &'static str,
}

/// Somebody who can answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The provider's name in requests.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What is to be known about it.
    pub about: String,
    /// The models it offers.
    pub models: Vec<String>,
    /// Whether it is the one that answers now.
    pub is_chosen: bool,
    /// Whether it can be chosen.
    pub is_ready: bool,
}

const READY: &str = "Ready. What you write is sent there.";
/// The built-in model's name in requests.
const BUILTIN: &str = "builtin";

impl Settings {
    /// The settings page of a scene.
    #[must_use]
    pub fn of(scene: &Scene<'_>) -> Self {
        let preferences = scene.preferences.clone();
        let (offers, without_offers) = match scene.proxy {
            Proxy::Asking => (Vec::new(), "Asking the model proxy what it offers."),
            Proxy::Unreachable => (
                Vec::new(),
                "The model proxy does not answer. Start it with ./run in the project's folder.",
            ),
            Proxy::Ready { providers } => {
                (providers.iter().map(|offer| Offer::of(offer, &preferences)).collect(), "")
            }
        };
        Self { offers, without_offers, preferences, wait: scene.wait, kept: kept(scene.storage) }
    }

    /// Who answers now: its name for people, and what is to be known about it in a line.
    #[must_use]
    pub fn answering(&self) -> (&str, &str) {
        let chosen = self.offers.iter().find(|offer| offer.is_chosen);
        if self.preferences.provider == BUILTIN {
            ("Built-in model", "Works by rules, needs no key")
        } else {
            (
                chosen.map_or(self.preferences.provider.as_str(), |offer| offer.title.as_str()),
                self.preferences.model.as_str(),
            )
        }
    }
}

/// The minutes one attempt to reach a person may last, as they are offered.
pub const MINUTES: [u32; 7] = [1, 2, 5, 10, 20, 30, 60];

/// The attempts there may be, as they are offered.
pub fn attempts() -> impl Iterator<Item = u32> {
    limits::ATTEMPTS
}

/// What a wait comes to, in a sentence.
#[must_use]
pub fn wait_in_words(wait: Wait) -> String {
    let (attempts, minutes) = (wait.attempts(), wait.minutes());
    let minutes = if minutes == 1 { "1 minute".to_owned() } else { format!("{minutes} minutes") };
    match attempts {
        1 => format!("A card waits {minutes}. Then it is a no, and says so."),
        2 => format!("A card waits {minutes}, twice. Then it is a no, and says so."),
        more => format!("A card waits {minutes}, {more} times. Then it is a no, and says so."),
    }
}

impl Offer {
    fn of(offer: &ProviderOffer, preferences: &Preferences) -> Self {
        Self {
            name: offer.name.clone(),
            title: offer.title.clone(),
            about: match &offer.missing {
                Some(missing) => format!("Cannot answer yet: {missing}."),
                None if offer.name == BUILTIN => {
                    "Works by rules, is not a language model. It understands the shopping list \
                     and little else. No key, no network."
                        .to_owned()
                }
                None if offer.lacking.is_empty() => READY.to_owned(),
                None => format!("{READY} It has no model named {}.", offer.lacking.join(" or ")),
            },
            models: offer.models.clone(),
            is_chosen: offer.name == preferences.provider,
            is_ready: offer.missing.is_none(),
        }
    }
}

fn kept(storage: &Storage) -> &'static str {
    match storage {
        Storage::Opening => "Opening this browser's storage.",
        Storage::Blocked => "In this browser, once the other tabs of this page are closed.",
        Storage::Replaced => "In this browser, by the newer version of this page in another tab.",
        Storage::Open { persistent: true } => {
            "In this browser only. It has promised not to clear it on its own."
        }
        Storage::Open { persistent: false } => {
            "In this browser only. It may clear it when space is short, or after some days \
             without a visit."
        }
        Storage::Unavailable(_) => "Nowhere for now, so nothing that changes something will run.",
    }
}
