//! Every screen the page has, and every way it is looked at.

use std::fmt;

use crate::kitchen::Kitchen;
use crate::role::Role;

const ADD: &str = "Add to the shopping list";

/// A screen, in a state worth looking at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// The kitchen as a newcomer meets it.
    Empty,
    /// A card waits.
    Waiting,
    /// A card waits, with the box for a reason open.
    Reason,
    /// A card waits, with the box for a reply open.
    Reply,
    /// Several cards wait.
    Batch,
    /// What was allowed and what was not.
    Receipts,
    /// The proxy is gone.
    NoProxy,
    /// The list alone, as only a phone shows it.
    List,
    /// The activity page before anything was decided.
    QuietActivity,
    /// The activity page.
    Activity,
    /// The settings page.
    Settings,
}

/// Every screen.
pub const SCREENS: [Screen; 11] = [
    Screen::Empty,
    Screen::Waiting,
    Screen::Reason,
    Screen::Reply,
    Screen::Batch,
    Screen::Receipts,
    Screen::NoProxy,
    Screen::List,
    Screen::QuietActivity,
    Screen::Activity,
    Screen::Settings,
];

impl Screen {
    /// Brings a newly opened kitchen to this screen.
    pub async fn open(self, kitchen: &mut Kitchen) {
        let page = kitchen.page();
        match self {
            Self::Empty => {}
            Self::Waiting => {
                ask(kitchen).await;
            }
            Self::Reason => {
                ask(kitchen).await;
                page.card(ADD).await.press("Reject with a reason").await;
            }
            Self::Reply => {
                ask(kitchen).await;
                page.card(ADD).await.press("Reply").await;
            }
            Self::Batch => {
                page.message("Add milk, bread and butter").await;
                page.waits_for_cards(3).await;
            }
            Self::Receipts => decide(kitchen).await,
            Self::NoProxy => {
                decide(kitchen).await;
                kitchen.proxy.kill();
                page.message("What is on the list?").await;
                page.named(Role::Button, "Try again").await;
            }
            Self::List => {
                decide(kitchen).await;
                PHONE.show(kitchen).await;
                page.go("List").await;
            }
            Self::QuietActivity => page.go("Activity").await,
            Self::Activity => {
                decide(kitchen).await;
                page.go("Activity").await;
            }
            Self::Settings => page.go("Settings").await,
        }
    }

    /// Shows this screen in a view, as it is once a person has had it before their eyes.
    pub async fn show(self, view: View, kitchen: &Kitchen) {
        view.show(kitchen).await;
        if self == Self::Waiting {
            kitchen.page().card(ADD).await.wakes().await;
            kitchen.page().rests().await;
        }
    }

    /// Every way to look at this screen.
    pub fn views(self) -> impl Iterator<Item = View> {
        VIEWS.into_iter().filter(move |view| self != Self::List || view.width == PHONE.width)
    }
}

async fn ask(kitchen: &Kitchen) {
    let page = kitchen.page();
    for item in ["milk", "bread", "olive oil"] {
        page.add_by_hand(item).await;
    }
    page.message("We're out of eggs, put a dozen on the list.").await;
    page.card(ADD).await;
}

async fn decide(kitchen: &Kitchen) {
    ask(kitchen).await;
    let page = kitchen.page();
    page.card(ADD).await.approve().await;
    page.settles().await;
    page.message("Add butter").await;
    page.card(ADD).await.reject_with_reason("there is enough").await;
    page.settles().await;
}

/// A way to look at a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    width: u32,
    dark: bool,
}

const PHONE: View = View { width: 390, dark: false };

/// A phone, a tablet and a laptop, light and dark.
const VIEWS: [View; 6] = [
    PHONE,
    View { width: 390, dark: true },
    View { width: 820, dark: false },
    View { width: 820, dark: true },
    View { width: 1440, dark: false },
    View { width: 1440, dark: true },
];

impl View {
    /// Looks at the page like this, once nothing on it moves any more.
    async fn show(self, kitchen: &Kitchen) {
        kitchen.browser().look(self.width, self.dark).await;
        kitchen.page().rests().await;
    }

    /// What lies where it must not: the page wider than the window, or the field for a message not
    /// below the conversation.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn misplaced(self, kitchen: &Kitchen) -> Vec<String> {
        let found = kitchen.browser().client().execute(MISPLACED, Vec::new()).await;
        let found = found.expect("the page is there");
        found.as_array().into_iter().flatten().map(|it| format!("{self}: {it}")).collect()
    }
}

const MISPLACED: &str = "const found = []; \
    if (document.documentElement.scrollWidth > window.innerWidth) found.push('it scrolls sideways'); \
    const field = document.querySelector('[aria-label=Message]').getBoundingClientRect(); \
    const talk = document.querySelector('.talk').getBoundingClientRect(); \
    if (field.height > 0 && field.top < talk.bottom) found.push('the field is not below the talk'); \
    return found";

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.width, if self.dark { "dark" } else { "light" })
    }
}
