//! Two tabs on one conversation. What each believes of it may be old; the store decides which of
//! them goes on, and the other reads what was saved.

use std::rc::Rc;

use agent::id::SessionId;
use agent::model::{ModelError, ModelErrorKind};
use agent::settings::Settings;
use store::sessions::Trouble;

use super::{Checked, World};
use crate::database::Slot;
use crate::tools::Update;

impl World {
    /// A program starts in a tab, and only shows the conversation that another tab drives.
    ///
    /// # Errors
    /// If what was kept does not come back.
    pub fn follow(&mut self, slot: Slot, settings: Rc<Settings>, change: Update) -> Checked {
        self.lands()?;
        self.tells(|| format!("{slot} starts and follows, changed: {change:?}"));
        self.begin(slot, settings, change);
        match self.conversations(slot)?.into_iter().next() {
            Some(latest) => self.read(slot, &latest),
            None => Ok(()),
        }
    }

    /// Reads the conversation of a tab again, as the other one has left it. The other one is
    /// alive and goes on with it; if both did, they would overtake each other for ever.
    ///
    /// # Errors
    /// If it does not come back.
    pub fn reload(&mut self, slot: Slot) -> Checked {
        if self.is_closed(slot) {
            return Ok(());
        }
        let id: SessionId = self.tab(slot)?.session.id().clone();
        self.tells(|| format!("{slot} reads again"));
        self.read(slot, &id)
    }

    /// The other tab has saved meanwhile: nothing more of what this one was about to do is done.
    /// A text that was on its way is said once more, after what was saved, and then given back.
    pub(super) fn overtaken(&mut self, slot: Slot) -> Checked {
        self.coverage.meet(("tabs", "overtaken"));
        self.tells(|| format!("{slot} was overtaken"));
        let tab = self.tab(slot)?;
        tab.work.clear();
        tab.events.clear();
        let sent = tab.sent.take();
        self.reload(slot)?;
        let tab = self.tab(slot)?;
        let Some(sent) = sent.filter(|sent| !tab.was_said(sent)) else { return Ok(()) };
        if !sent.again {
            self.say(slot, &sent.text)?;
            if let Some(sent) = &mut self.tab(slot)?.sent {
                sent.again = true;
            }
            return Ok(());
        }
        let message = "another tab was first".to_owned();
        let error = ModelError { kind: ModelErrorKind::Cancelled, message };
        let trouble = Trouble { error, unsent: Some(sent.text) };
        tab.trouble = Some((tab.session.messages().len(), trouble));
        Ok(())
    }
}
