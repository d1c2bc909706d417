//! Every screen the page has, and every way it is looked at.

use std::fmt;

use crate::kitchen::Kitchen;
use crate::role::Role;

const ADD: &str = "Add to the shopping list";
const LESS: &str = "Ask less often";

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
    /// A card waits whose yes would come to nothing.
    Idle,
    /// A card waits, with the ways to be asked less often open.
    Less,
    /// Several cards wait.
    Batch,
    /// Several cards wait, with the ways to be asked less often open.
    BatchLess,
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
    /// The page of standing approvals before anything was always allowed.
    NoStanding,
    /// The page of standing approvals.
    Standing,
    /// The page of conversations, with the question before one is forgotten.
    Conversations,
    /// The settings page.
    Settings,
    /// The settings page, with what a copy holds before anything is changed.
    Copy,
    /// The settings page, with what goes when a copy takes its place, and what was saved of that.
    CopyReplaces,
    /// The settings page, when what was asked for there could not be done.
    Unkept,
}

/// Every screen.
pub const SCREENS: [Screen; 20] = [
    Screen::Empty,
    Screen::Waiting,
    Screen::Reason,
    Screen::Reply,
    Screen::Idle,
    Screen::Less,
    Screen::Batch,
    Screen::BatchLess,
    Screen::Receipts,
    Screen::NoProxy,
    Screen::List,
    Screen::QuietActivity,
    Screen::Activity,
    Screen::NoStanding,
    Screen::Standing,
    Screen::Conversations,
    Screen::Settings,
    Screen::Copy,
    Screen::CopyReplaces,
    Screen::Unkept,
];

impl Screen {
    /// Brings a newly opened kitchen to this screen.
    pub async fn open(self, kitchen: &mut Kitchen) {
        match self {
            Self::Empty => {}
            Self::Waiting => ask(kitchen).await,
            Self::Reason => ask_and_press(kitchen, "Reject with a reason").await,
            Self::Reply => ask_and_press(kitchen, "Reply").await,
            Self::Idle => ask_in_vain(kitchen).await,
            Self::Less => ask_and_press(kitchen, LESS).await,
            Self::Batch => ask_many(kitchen).await,
            Self::BatchLess => ask_many_and_press(kitchen, LESS).await,
            Self::Receipts => decide(kitchen).await,
            Self::NoProxy => lose_the_proxy(kitchen).await,
            Self::List => look_at_the_list(kitchen).await,
            Self::QuietActivity => kitchen.page().go("Activity").await,
            Self::Activity => decide_and_go(kitchen, "Activity").await,
            Self::NoStanding => kitchen.page().go("Standing approvals").await,
            Self::Standing => try_what_stands(kitchen).await,
            Self::Conversations => ask_to_forget(kitchen).await,
            Self::Settings => kitchen.page().go("Settings").await,
            Self::Copy => choose_a_copy(kitchen).await,
            Self::CopyReplaces => let_a_copy_replace(kitchen).await,
            Self::Unkept => choose_in_vain(kitchen).await,
        }
    }

    /// Shows this screen in a view, as it is once a person has had it before their eyes.
    pub async fn show(self, view: View, kitchen: &Kitchen) {
        view.show(kitchen).await;
        if matches!(self, Self::Copy | Self::CopyReplaces) {
            kitchen.page().brings_into_sight("What is in the file").await;
        }
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

async fn ask_and_press(kitchen: &Kitchen, button: &str) {
    ask(kitchen).await;
    kitchen.page().card(ADD).await.press(button).await;
}

async fn ask_many(kitchen: &Kitchen) {
    kitchen.page().message("Add milk, bread and butter").await;
    kitchen.page().waits_for_cards(3).await;
}

async fn ask_many_and_press(kitchen: &Kitchen, button: &str) {
    ask_many(kitchen).await;
    kitchen.page().press(Role::Button, button).await;
}

async fn ask_in_vain(kitchen: &Kitchen) {
    kitchen.page().message("Take caviar off the list").await;
    kitchen.page().named(Role::Button, "Approve anyway").await;
}

async fn decide_and_go(kitchen: &Kitchen, page: &str) {
    decide(kitchen).await;
    kitchen.page().go(page).await;
}

async fn look_at_the_list(kitchen: &Kitchen) {
    decide(kitchen).await;
    PHONE.show(kitchen).await;
    kitchen.page().go("List").await;
}

async fn lose_the_proxy(kitchen: &mut Kitchen) {
    decide(kitchen).await;
    kitchen.proxy.kill();
    kitchen.page().message("What is on the list?").await;
    kitchen.page().named(Role::Button, "Try again").await;
}

async fn choose_in_vain(kitchen: &Kitchen) {
    let page = kitchen.page();
    page.go("Settings").await;
    page.break_the_store().await;
    page.press(Role::CheckBox, "Many things at once").await;
    page.named(Role::Button, "Close").await;
}

/// A copy with all there is to say of one: a question waits in it, and something was always allowed.
async fn choose_a_copy(kitchen: &Kitchen) {
    allow_always(kitchen).await;
    let page = kitchen.page();
    page.message("Take milk off the list").await;
    page.waits_for_cards(1).await;
    page.go("Settings").await;
    let copy = kitchen.saved_by("Save a copy").await;
    page.press(Role::Button, "Close").await;
    page.choose_file(&copy).await;
    page.named(Role::Group, "What is in the file").await;
}

async fn let_a_copy_replace(kitchen: &Kitchen) {
    choose_a_copy(kitchen).await;
    kitchen.page().press(Role::Button, "Replace what is here").await;
    kitchen.saved_by("Save a copy of what is here").await;
    kitchen.page().says("The copy is saved").await;
}

async fn try_what_stands(kitchen: &Kitchen) {
    allow_always(kitchen).await;
    kitchen.page().go("Standing approvals").await;
    kitchen.page().press(Role::Button, "Try it on what was asked before").await;
}

async fn ask_to_forget(kitchen: &Kitchen) {
    decide(kitchen).await;
    kitchen.page().go("Conversations").await;
    let forget = "Forget We're out of eggs, put a dozen on the list.";
    kitchen.page().press(Role::Button, forget).await;
}

async fn allow_always(kitchen: &Kitchen) {
    decide(kitchen).await;
    let page = kitchen.page();
    for (message, label) in [
        ("Add milk, 1 l", "Approve, and remember exactly this"),
        ("Add flour", "Approve, and remember the tool"),
    ] {
        page.message(message).await;
        let card = page.card(ADD).await;
        card.press(LESS).await;
        page.press_awake(label).await;
        page.settles().await;
    }
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

    /// What lies where it must not: the page wider than the window, a part of it wider than its
    /// frame, or the field for a message not below the conversation.
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
    const scrolls = (it) => ['auto', 'scroll'].includes(getComputedStyle(it).overflowX); \
    for (const it of document.querySelectorAll('div, ul')) { \
      if (it.scrollWidth > it.clientWidth && scrolls(it)) found.push(it.className + ' scrolls sideways'); \
    } \
    const field = document.querySelector('[aria-label=Message]').getBoundingClientRect(); \
    const talk = document.querySelector('.talk').getBoundingClientRect(); \
    if (field.height > 0 && field.top < talk.bottom) found.push('the field is not below the talk'); \
    return found";

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.width, if self.dark { "dark" } else { "light" })
    }
}
