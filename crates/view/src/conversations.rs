//! The conversations there are, for going from one to another.

use agent::id::SessionId;

use crate::scene::Scene;

/// A conversation one can go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Which.
    pub id: SessionId,
    /// What it is called: the beginning of what the person first said in it.
    pub title: String,
    /// How many questions wait in it.
    pub waiting: usize,
    /// Whether it is the one that is open.
    pub is_open: bool,
}

/// The conversations there are, the one touched last first.
#[must_use]
pub fn ways(scene: &Scene<'_>) -> Vec<Way> {
    let way = |it: &store::sessions::Conversation| Way {
        id: it.id.clone(),
        title: if it.title.trim().is_empty() { "Untitled".to_owned() } else { it.title.clone() },
        waiting: it.waiting,
        is_open: it.id == *scene.session.id(),
    };
    scene.conversations.iter().map(way).collect()
}
