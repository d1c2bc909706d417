//! How a program starts in a tab, and how conversations are opened, begun and left.

use std::rc::Rc;

use agent::id::SessionId;
use agent::session::Session;
use agent::settings::Settings;

use super::{Checked, World, lost};
use crate::database::{Plan, Slot, at_once};
use crate::mutant::Mutant;
use crate::tab::Closed;
use crate::tools::Change;
use crate::violation::Violation;
use crate::witness::Witness;

impl World {
    /// A program starts in a tab, and goes on where the last one was. One of its tools may have
    /// changed meanwhile.
    ///
    /// # Errors
    /// If what was kept does not come back.
    pub fn start(
        &mut self,
        slot: Slot,
        settings: Rc<Settings>,
        change: Option<(usize, Change)>,
    ) -> Checked {
        self.lands()?;
        self.tells(|| format!("{slot} starts, changed: {change:?}"));
        self.begin(slot, settings, change);
        match self.conversations(slot)?.into_iter().next() {
            Some(latest) => self.open(slot, &latest),
            None => Ok(()),
        }
    }

    /// A program starts in a tab for which the database does not open: it keeps nothing.
    ///
    /// # Errors
    /// If what was late is not as it should be.
    pub fn start_without(&mut self, slot: Slot, settings: Rc<Settings>, why: Closed) -> Checked {
        self.lands()?;
        self.tells(|| format!("{slot} starts without a database: {why:?}"));
        self.begin(slot, settings, None);
        self.tab(slot)?.closed = Some(why);
        Ok(())
    }

    /// The conversations that a tab keeps, the one touched last first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn conversations(&self, slot: Slot) -> Result<Vec<SessionId>, Violation> {
        self.memory.plan(Plan::default());
        let all = at_once(self.store(slot).conversations());
        let all = all.map_err(|error| lost(error.to_string()))?;
        Ok(all.all.into_iter().map(|conversation| conversation.id).collect())
    }

    /// A tab goes on with a conversation as it was saved.
    ///
    /// # Errors
    /// If it does not come back.
    pub fn open(&mut self, slot: Slot, id: &SessionId) -> Checked {
        if self.is_damaged(slot, id) || self.is_closed(slot) {
            return Ok(());
        }
        self.read(slot, id)?;
        self.learn_what_is_known(slot)?;
        let resumes = self.mutant != Some(Mutant::ForgetsToResume);
        let tab = self.tab(slot)?;
        tab.events.extend(tab.goes_on().filter(|_| resumes));
        self.rests(slot)
    }

    /// A tab shows a conversation as it was saved.
    pub(super) fn read(&mut self, slot: Slot, id: &SessionId) -> Checked {
        self.memory.plan(Plan::default());
        let saved = at_once(self.store(slot).session(id));
        let saved = saved.map_err(|error| lost(error.to_string()))?;
        let saved = saved.ok_or_else(|| lost(format!("{id} is not there")))?;
        let witness =
            self.witnesses.get(&(self.drawer(slot), id.clone())).cloned().unwrap_or_default();
        self.leave(slot)?;
        let tab = self.tab(slot)?;
        tab.trouble = saved.trouble.map(|it| (saved.session.messages().len(), it));
        tab.session = saved.session;
        tab.revision = saved.revision;
        tab.witness = witness;
        Ok(())
    }

    /// A tab begins a new conversation. Nothing of it is kept before something is said in it.
    ///
    /// # Errors
    /// If there is no tab.
    pub fn begin_anew(&mut self, slot: Slot) -> Checked {
        self.leave(slot)?;
        let id = SessionId(format!("{slot}-{}", self.steps));
        let tab = self.tab(slot)?;
        tab.session = Session::new(id);
        tab.revision = 0;
        tab.witness = Witness::default();
        self.rests(slot)
    }

    /// Leaves a conversation as it was last saved.
    fn leave(&mut self, slot: Slot) -> Checked {
        let tab = self.tab(slot)?;
        let lost = std::mem::take(&mut tab.unsaved);
        tab.calling = None;
        tab.sent = None;
        tab.trouble = None;
        tab.told.clear();
        self.lost_unsaved |= lost;
        Ok(())
    }
}
