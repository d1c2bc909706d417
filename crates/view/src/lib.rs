//! What a person sees, as data: pure projections of what the driver holds, tested natively.
//!
//! Where to start:
//! 1. [`scene::Scene`] goes in, [`View`] comes out: one projection for every screen.
//! 2. [`card`]: the question, whole. [`receipt`]: what stays of it.
//! 3. [`marks`] and [`markdown`]: why nothing a model writes can deceive or load anything.
//! 4. [`notice`]: every problem in plain words. [`command`]: everything a person can ask for.

pub mod activity;
pub mod card;
pub mod command;
pub mod conversation;
pub mod line;
pub mod list;
pub mod markdown;
pub mod marks;
pub mod notice;
pub mod receipt;
pub mod scene;
pub mod settings;
pub mod status;

use std::sync::Arc;

use activity::ActivityLine;
use agent::time::Timestamp;
use card::Card;
use conversation::{Streamed, Turn};
use list::List;
use notice::Notice;
use settings::Settings;
use status::Status;

/// Everything on the screen. Its parts are compared one by one, so that a word that streams in
/// draws nothing else again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// The driver's clock.
    pub now: Timestamp,
    /// The conversation so far.
    pub turns: Arc<Vec<Turn>>,
    /// The reply that streams in.
    pub streamed: Option<Streamed>,
    /// What is going on.
    pub status: Status,
    /// What waits for the person.
    pub card: Option<Card>,
    /// What is wrong at all times, apart from any message.
    pub standing: Vec<Notice>,
    /// The shopping list.
    pub list: Arc<List>,
    /// The activity page, latest first.
    pub activity: Arc<Vec<ActivityLine>>,
    /// The settings page.
    pub settings: Arc<Settings>,
}
