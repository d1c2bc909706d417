//! What a tab shows a person.

use fantoccini::Client;
use serde::Deserialize;

/// What a tab shows.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Seen {
    /// Whether what is kept has been read.
    pub(super) ready: bool,
    /// Whether something is going on.
    pub(super) busy: bool,
    /// Whether it says that it is getting ready: a text it shows is still on its way then.
    pub(super) loading: bool,
    /// The ids of the requests that wait, in their order.
    pub(super) waiting: Vec<String>,
    /// The person's texts.
    pub(super) said: Vec<String>,
    /// The lines of the list in ink, each as its name and quantity, sorted. Where something is
    /// proposed for a line, [`Seen::PENCILLED`] stands for the quantity.
    pub(super) list: Vec<String>,
    /// The names of what can be taken back on the list.
    pub(super) undo: Vec<String>,
    /// Whether it offers to go on with something.
    pub(super) goes_on: bool,
    /// Whether it says that the records are not what was written.
    pub(super) warns: bool,
}

const LOOK: &str = "\
    const all = selector => [...document.querySelectorAll(selector)]; \
    const words = it => it.textContent.replace(/\\s+/g, ' ').trim(); \
    const amount = it => it.matches('.pencil') ? '~' : words(it.querySelector('.q')); \
    const line = it => `${words(it.querySelector('.n'))} ${amount(it)}`.trim(); \
    return { \
        ready: document.documentElement.hasAttribute('data-ready'), \
        busy: all('[role=log][aria-busy=true]').length > 0, \
        loading: all('[role=status]').some(it => words(it) === 'Getting ready.'), \
        waiting: all('[data-request]').map(it => it.dataset.request), \
        said: all('[role=log] .me').map(it => words(it).replace(/^You: /, '')), \
        list: all('[aria-label=\"Shopping list\"] li:has([role=checkbox])').map(line).sort(), \
        undo: all('[aria-label=\"Shopping list\"] button').map(words) \
            .filter(it => it.startsWith('Undo ')).map(it => it.slice('Undo '.length)), \
        goes_on: all('.notice button').some(it => ['Go on', 'Try again', 'Send it now'].includes(words(it))), \
        warns: all('.notice').some(it => words(it).includes('is not as it was written')) }";

impl Seen {
    /// Stands for the quantity of a line for which something is proposed.
    pub(super) const PENCILLED: &'static str = "~";

    /// Looks at the tab the browser's driver is in; nothing if it shows no document yet.
    pub(super) async fn look(client: &Client) -> Option<Self> {
        let seen = client.execute(LOOK, Vec::new()).await.ok()?;
        serde_json::from_value(seen).ok()
    }

    /// Whether nothing is going on. A tab that gets ready goes on with what was left once it is.
    pub(super) fn rests(&self) -> bool {
        self.ready && !self.busy && !self.loading
    }

    /// Whether another tab shows the same: what waits, and the list.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        (&self.waiting, &self.list) == (&other.waiting, &other.list)
    }

    /// How something stands on the list.
    pub(super) fn line(&self, name: &str) -> Option<&str> {
        self.list.iter().map(String::as_str).find(|line| line.split(' ').next() == Some(name))
    }
}
