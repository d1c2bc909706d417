//! The shopping list as it is shown: by aisle, with what waits pencilled in where it would stand.

use agent::id::RequestId;
use agent::time::Timestamp;
use kitchen::aisle::{self, Aisle};
use kitchen::{Change, ChangeId, Household, LineId};

use crate::card::{Card, Preview, RowAnswer};
use crate::line::EffectLine;
use crate::marks::Marked;

/// The shopping list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct List {
    /// Every line, by aisle and within it in the order things were added; pencilled lines at the
    /// end of their aisle.
    pub lines: Vec<ListLine>,
    /// What the latest changes took off, the last first.
    pub gone: Vec<Recent>,
    /// Whether what is kept of it could not be read: it is not known what stands on it.
    pub is_unread: bool,
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListLine {
    /// The line; absent if it is only pencilled in.
    pub line: Option<LineId>,
    /// Where it stands in the shop.
    pub aisle: &'static str,
    /// What to buy.
    pub name: Marked,
    /// How much.
    pub quantity: Marked,
    /// A note.
    pub note: Marked,
    /// Whether it is in the basket.
    pub checked: bool,
    /// The latest change of it, if that can be taken back.
    pub recent: Option<Recent>,
    /// What is proposed for it.
    pub pencil: Option<Pencil>,
    /// Whether it was taken off, and only keeps its place: see [`List::held`].
    pub is_off: bool,
}

/// A change that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pencil {
    /// The request.
    pub request: RequestId,
    /// Allowed already, and done when its neighbours have their answers.
    pub allowed: bool,
    /// What it would do.
    pub change: EffectLine,
}

/// A change that can be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    /// The line.
    pub line: LineId,
    /// The change.
    pub change: ChangeId,
    /// When.
    pub at: Timestamp,
    /// What it did, in a word: "Added", "Changed", "Taken off".
    pub did: &'static str,
    /// To what.
    pub name: Marked,
}

/// A group of lines under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its heading.
    pub title: &'static str,
    /// Its lines.
    pub lines: Vec<ListLine>,
}

/// The heading of what is in the basket.
const BASKET: &str = "In the basket";
/// How many of the latest changes can be taken back at their lines.
const RECENT_MAX: usize = 3;
/// Among how many of the latest changes those are that can be taken back though their line is gone.
const GONE_AMONG: usize = 8;

impl List {
    /// The list of a household, with what the cards propose.
    #[must_use]
    pub fn of(household: &Household, changes: &[Change], cards: &[Card]) -> Self {
        let mut lines: Vec<(Aisle, ListLine)> =
            household.shopping.iter().map(|line| (aisle::of(&line.item), of_line(line))).collect();
        for (request, allowed, change) in proposals(cards) {
            let pencil = Pencil { request, allowed, change };
            match lines
                .iter_mut()
                .find(|(_, it)| !pencil.change.is_new && it.line == pencil.change.line)
            {
                Some((_, line)) => line.pencil = Some(pencil),
                None => lines.push(pencilled_in(pencil)),
            }
        }
        lines.sort_by_key(|(aisle, _)| *aisle);
        let mut list =
            Self { lines: lines.into_iter().map(|(_, line)| line).collect(), ..Self::default() };
        list.offer_undo(changes);
        list
    }

    /// The lines under their headings. What is in the basket goes last, but for the lines that are
    /// to stay where they were.
    #[must_use]
    pub fn groups(&self, staying: &[LineId]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut basket = Group { title: BASKET, lines: Vec::new() };
        for line in &self.lines {
            let stays = line.line.is_some_and(|id| staying.contains(&id));
            if line.checked && !stays {
                basket.lines.push(line.clone());
                continue;
            }
            match groups.last_mut().filter(|group| group.title == line.aisle) {
                Some(group) => group.lines.push(line.clone()),
                None => groups.push(Group { title: line.aisle, lines: vec![line.clone()] }),
            }
        }
        if !basket.lines.is_empty() {
            groups.push(basket);
        }
        groups
    }

    /// How many lines are to get, in the basket, allowed but not done, pencilled in.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for line in &self.lines {
            match (&line.pencil, line.line) {
                (Some(pencil), _) if pencil.allowed => counts.allowed += 1,
                (Some(_), _) => counts.pencilled += 1,
                (None, _) => {}
            }
            match line.line {
                Some(_) if line.checked => counts.in_basket += 1,
                Some(_) => counts.to_get += 1,
                None => {}
            }
        }
        counts
    }

    fn offer_undo(&mut self, changes: &[Change]) {
        let latest = changes.iter().rev().filter(|change| !change.undone).take(GONE_AMONG);
        for (age, change) in latest.enumerate() {
            for touched in &change.lines {
                let Some(did) = deed(touched) else { continue };
                let Some(line) = touched.after.as_ref().or(touched.before.as_ref()) else {
                    continue;
                };
                let recent = Recent {
                    line: line.id,
                    change: change.id,
                    at: change.at,
                    did,
                    name: Marked::of(&line.item),
                };
                match self.lines.iter_mut().find(|it| it.line == Some(line.id)) {
                    Some(shown) if age < RECENT_MAX => {
                        shown.recent.get_or_insert(recent);
                    }
                    Some(_) => {}
                    None if self.gone.iter().any(|gone| gone.line == line.id) => {}
                    None => self.gone.push(recent),
                }
            }
        }
    }

    /// The list as it is, for somebody who is about to press something of the one they saw before:
    /// what was taken off since keeps its place, and what is newly pencilled in waits.
    #[must_use]
    pub fn held(&self, before: &Self) -> Self {
        let mut held = self.clone();
        held.lines.retain(|line| line.line.is_some() || before.place_of(line).is_some());
        for (at, line) in before.lines.iter().enumerate() {
            if line.line.is_none() || held.place_of(line).is_some() {
                continue;
            }
            let ahead = before.lines.iter().take(at).rev().find_map(|it| held.place_of(it));
            let recent = self.gone.iter().find(|gone| Some(gone.line) == line.line).cloned();
            let line = ListLine { is_off: true, pencil: None, recent, ..line.clone() };
            held.lines.insert(ahead.map_or(0, |ahead| ahead + 1), line);
        }
        let lines = &held.lines;
        held.gone.retain(|gone| lines.iter().all(|line| line.line != Some(gone.line)));
        held
    }

    fn place_of(&self, line: &ListLine) -> Option<usize> {
        fn request(line: &ListLine) -> Option<&RequestId> {
            line.pencil.as_ref().map(|it| &it.request)
        }
        self.lines.iter().position(|it| {
            it.line == line.line && (line.line.is_some() || request(it) == request(line))
        })
    }
}

/// How many lines there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Still to get.
    pub to_get: usize,
    /// In the basket.
    pub in_basket: usize,
    /// Allowed, and not done yet.
    pub allowed: usize,
    /// Waiting for an answer.
    pub pencilled: usize,
}

fn of_line(line: &kitchen::Line) -> ListLine {
    ListLine {
        line: Some(line.id),
        aisle: aisle::of(&line.item).title(),
        name: Marked::of(&line.item),
        quantity: Marked::of(&line.quantity),
        note: Marked::of(&line.note),
        checked: line.checked,
        recent: None,
        pencil: None,
        is_off: false,
    }
}

fn pencilled_in(pencil: Pencil) -> (Aisle, ListLine) {
    let aisle = aisle::of(&pencil.change.name.spoken());
    let line = ListLine {
        line: None,
        aisle: aisle.title(),
        name: pencil.change.name.clone(),
        quantity: pencil.change.now.clone(),
        note: Marked::default(),
        checked: false,
        recent: None,
        pencil: Some(pencil),
        is_off: false,
    };
    (aisle, line)
}

fn proposals(cards: &[Card]) -> Vec<(RequestId, bool, EffectLine)> {
    let mut proposals = Vec::new();
    for row in cards.iter().flat_map(|card| &card.rows) {
        let allowed = match row.answer {
            None => false,
            Some(RowAnswer::Allowed) => true,
            Some(RowAnswer::Refused) => continue,
        };
        if let Preview::Lines(lines) = &row.preview {
            let lines = lines.iter().cloned();
            proposals.extend(lines.map(|line| (row.request.clone(), allowed, line)));
        }
    }
    proposals
}

/// What a change did to a line; `None` for a tick, which is taken back where it was made.
fn deed(touched: &kitchen::LineChange) -> Option<&'static str> {
    match (&touched.before, &touched.after) {
        (None, Some(_)) => Some("Added"),
        (Some(_), None) => Some("Taken off"),
        (Some(before), Some(after))
            if before.quantity != after.quantity
                || before.item != after.item
                || before.note != after.note =>
        {
            Some("Changed")
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}
