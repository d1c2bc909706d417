//! An approval card, as a person uses it.

use fantoccini::Client;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;

use crate::role::{self, Role};
use crate::until::until;

/// A card that waits for an answer.
pub struct Card {
    client: Client,
    element: Element,
    request: String,
}

impl Card {
    pub(crate) async fn of(client: Client, element: Element) -> Option<Self> {
        let request = element.attr("data-request").await.ok()??;
        Some(Self { client, element, request })
    }

    /// The id of the request it stands for.
    #[must_use]
    pub fn request(&self) -> &str {
        &self.request
    }

    /// All its words.
    ///
    /// # Panics
    ///
    /// It is gone.
    pub async fn text(&self) -> String {
        let text = self.element.text().await.expect("the card is there");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Waits until *Approve* can be pressed.
    pub async fn wakes(&self) {
        self.awake("Approve").await;
    }

    /// Presses *Approve*, once it can be pressed.
    pub async fn approve(&self) {
        self.press("Approve").await;
    }

    /// Presses *Approve* twice, as fast as a mouse does.
    ///
    /// # Panics
    ///
    /// The browser cannot.
    pub async fn approve_with_a_double_click(&self) {
        let button = self.awake("Approve").await;
        let to = PointerAction::MoveToElement { element: button, duration: None, x: 0.0, y: 0.0 };
        let down = || PointerAction::Down { button: MOUSE_BUTTON_LEFT };
        let up = || PointerAction::Up { button: MOUSE_BUTTON_LEFT };
        let mouse = MouseActions::new("mouse".to_owned()).then(to);
        let mouse = mouse.then(down()).then(up()).then(down()).then(up());
        self.client.perform_actions(mouse).await.expect("two clicks");
    }

    /// Presses *Reject*.
    pub async fn reject(&self) {
        self.press("Reject").await;
    }

    /// Rejects, and says why.
    pub async fn reject_with_reason(&self, reason: &str) {
        self.press("Reject with a reason").await;
        self.write("Reason", reason).await;
        self.press("Reject, and say this").await;
    }

    /// Says something else in the card's own reply box.
    pub async fn reply(&self, text: &str) {
        self.press("Reply").await;
        self.write("Your reply", text).await;
        self.press("Send, and answer no").await;
    }

    /// Opens the box for a reason or a reply, and leaves it open.
    pub async fn press(&self, name: &str) {
        press(&self.client, Some(&self.element), name).await;
    }

    async fn awake(&self, name: &str) -> Element {
        awake(&self.client, Some(&self.element), name).await
    }

    async fn write(&self, name: &str, text: &str) {
        let field = until(&self.client, &format!("the field {name}"), async || {
            let root = Some(&self.element);
            role::find(&self.client, root, Role::TextBox, name).await.ok()?
        })
        .await;
        field.send_keys(text).await.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Presses a button, once it can be pressed. Where something came to lie over it meanwhile, nothing
/// was pressed, and it is looked for again.
pub(crate) async fn press(client: &Client, root: Option<&Element>, name: &str) {
    until(client, &format!("a press on {name}"), async || {
        awake(client, root, name).await.click().await.ok()
    })
    .await;
}

/// Brings what is out of sight, or below something else, before a person's eyes: all of it, since a
/// card sleeps until all of its button is seen.
const LOOK: &str = "const button = arguments[0], it = button.getBoundingClientRect(); \
    const seen = y => button.contains(document.elementFromPoint(it.x + it.width / 2, y)); \
    if (!seen(it.top + 2) || !seen(it.bottom - 2)) button.scrollIntoView({ block: 'center' })";

/// A button, once it is in sight and can be pressed.
async fn awake(client: &Client, root: Option<&Element>, name: &str) -> Element {
    until(client, &format!("the button {name}"), async || {
        let button = role::find(client, root, Role::Button, name).await.ok()??;
        client.execute(LOOK, vec![serde_json::to_value(&button).ok()?]).await.ok()?;
        let asleep = button.attr("aria-disabled").await.ok()?;
        (asleep.as_deref() != Some("true")).then_some(button)
    })
    .await
}
