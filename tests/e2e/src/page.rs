//! The page, as a person uses it.

use std::collections::BTreeSet;
use std::path::Path;

use fantoccini::elements::Element;
use fantoccini::{Client, Locator};

use crate::card::{self, Card};
use crate::provider::Protocol;
use crate::role::{self, Role};
use crate::until::until;

/// The open page.
pub struct Page {
    client: Client,
}

impl Page {
    pub(crate) fn of(client: &Client) -> Self {
        Self { client: client.clone() }
    }

    /// Opens the page and waits until it listens.
    ///
    /// # Panics
    ///
    /// It does not come to life.
    pub async fn open(&self, address: &str) {
        self.client.goto(address).await.unwrap_or_else(|error| panic!("{address}: {error}"));
        until(&self.client, "a page that listens", async || {
            let alive = "return document.querySelector('[role=log]')";
            let alive = self.client.execute(alive, Vec::new()).await.ok()?;
            (!alive.is_null()).then_some(())
        })
        .await;
    }

    /// Goes back to the page before this one, as a browser's button does.
    ///
    /// # Panics
    ///
    /// There is none.
    pub async fn goes_back(&self) {
        self.client.back().await.expect("a page before this one");
    }

    /// Goes forward to the page that was gone back from.
    ///
    /// # Panics
    ///
    /// There is none.
    pub async fn goes_forward(&self) {
        self.client.forward().await.expect("a page after this one");
    }

    /// Whether *Approve* could be pressed in any frame while the page came up, and for longer after
    /// that than a card has to be looked at.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn is_ever_awake(&self) -> bool {
        let script = "const done = arguments[arguments.length - 1];
            let [awake, frames] = [false, 0];
            const look = () => {
              for (const button of document.querySelectorAll('[data-request] button'))
                awake ||= button.textContent.startsWith('Approve')
                  && button.getAttribute('aria-disabled') !== 'true';
              if (document.documentElement.hasAttribute('data-ready')) frames++;
              if (frames < 120) requestAnimationFrame(look); else done(awake);
            };
            look();";
        let awake = self.client.execute_async(script, Vec::new()).await.expect("the page is there");
        awake == true
    }

    /// Waits until what the browser keeps has been read and is shown.
    pub async fn is_ready(&self) {
        until(&self.client, "a page that has read what is kept", async || {
            let ready = "return document.documentElement.hasAttribute('data-ready') || null";
            let ready = self.client.execute(ready, Vec::new()).await.ok()?;
            (!ready.is_null()).then_some(())
        })
        .await;
    }

    /// The files of its build that it has loaded, by their names.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn loaded(&self) -> BTreeSet<String> {
        self.texts(LOADED).await.into_iter().collect()
    }

    /// Types a message and sends it.
    ///
    /// # Panics
    ///
    /// The text box does not take it.
    pub async fn message(&self, text: &str) {
        let field = self.named(Role::TextBox, "Message").await;
        field.send_keys(&format!("{text}\u{E007}")).await.expect("the message is typed");
    }

    /// The open card with this title.
    pub async fn card(&self, title: &str) -> Card {
        until(&self.client, &format!("a card {title:?}"), async || self.open_card(title).await)
            .await
    }

    /// The open card with this title that is not for `request`.
    pub async fn another_card(&self, title: &str, request: &str) -> Card {
        until(&self.client, &format!("another card {title:?}"), async || {
            self.open_card(title).await.filter(|card| card.request() != request)
        })
        .await
    }

    /// The ids of the requests that wait.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn waiting(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('[data-request]')] \
            .map(it => it.dataset.request)";
        self.texts(script).await
    }

    /// Waits until the conversation says this.
    pub async fn hears(&self, words: &str) {
        until(&self.client, &format!("the words {words:?}"), async || {
            self.conversation().await.contains(words).then_some(())
        })
        .await;
    }

    /// Waits until no card waits and nothing is going on.
    pub async fn settles(&self) {
        until(&self.client, "an answer that has ended", async || {
            let busy = "return document.querySelector('[aria-busy=true],[data-request]')";
            let busy = self.client.execute(busy, Vec::new()).await.ok()?;
            busy.is_null().then_some(())
        })
        .await;
    }

    /// Lets the page do so many times what is due in it.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn takes_turns(&self, turns: u32) {
        let script = "const [turns, done] = arguments; let taken = 0; \
            const turn = () => taken++ < turns ? setTimeout(turn) : done(); turn();";
        self.client.execute_async(script, vec![turns.into()]).await.expect("the page is there");
    }

    /// Waits until nothing moves and no colour changes any more.
    pub async fn rests(&self) {
        until(&self.client, "a page at rest", async || {
            let moving = "return document.getAnimations().length";
            let moving = self.client.execute(moving, Vec::new()).await.ok()?;
            (moving == 0).then_some(())
        })
        .await;
    }

    /// All words of the conversation.
    pub async fn conversation(&self) -> String {
        let log = role::find_all(&self.client, None, Role::Log).await.ok();
        let Some((log, _)) = log.and_then(|found| found.into_iter().next()) else {
            return String::new();
        };
        log.text().await.unwrap_or_default()
    }

    /// Waits until the shopping list holds exactly these lines in ink, in any order, each as its
    /// name and quantity.
    pub async fn list_becomes(&self, lines: &[&str]) {
        self.becomes(LIST, lines, "shopping list").await;
    }

    /// Adds a line to the list by hand.
    ///
    /// # Panics
    ///
    /// The field does not take it.
    pub async fn add_by_hand(&self, item: &str) {
        let field = self.named(Role::TextBox, "Add an item").await;
        field.send_keys(&format!("{item}\u{E007}")).await.expect("the item is typed");
    }

    /// Scrolls to the controls of this name.
    ///
    /// # Panics
    ///
    /// They are gone.
    pub async fn brings_into_sight(&self, group: &str) {
        let element = self.named(Role::Group, group).await;
        let element = serde_json::to_value(&element).expect("an element has a name");
        let script = "arguments[0].scrollIntoView({ block: 'center' })";
        self.client.execute(script, vec![element]).await.expect("the page is there");
    }

    /// Chooses a file where the page takes one.
    ///
    /// # Panics
    ///
    /// The page takes none.
    pub async fn choose_file(&self, file: &Path) {
        let field = Locator::Css("input[type=file]");
        let field = self.client.find(field).await.expect("a field for a file");
        field.send_keys(&file.display().to_string()).await.expect("the file is chosen");
    }

    /// Goes to a page.
    pub async fn go(&self, name: &str) {
        self.press(Role::Link, name).await;
    }

    /// Presses what has this role and name.
    ///
    /// # Panics
    ///
    /// It cannot be pressed.
    pub async fn press(&self, role: Role, name: &str) {
        let element = self.named(role, name).await;
        element.click().await.unwrap_or_else(|error| panic!("{name} cannot be pressed: {error}"));
    }

    /// Presses a button once it is in sight and can be pressed.
    pub async fn press_awake(&self, name: &str) {
        card::press(&self.client, None, name).await;
    }

    /// What has this role and name, once it is there.
    pub async fn named(&self, role: Role, name: &str) -> Element {
        until(&self.client, &format!("{role:?} {name:?}"), async || {
            role::find(&self.client, None, role, name).await.ok()?
        })
        .await
    }

    /// Waits until the activity page holds exactly these records, in any order, each as its kind
    /// and its word.
    pub async fn records_become(&self, records: &[&str]) {
        self.becomes(ACTIVITY, records, "records").await;
    }

    /// Waits until so many requests wait for an answer.
    pub async fn waits_for_cards(&self, number: usize) {
        until(&self.client, &format!("{number} requests"), async || {
            (self.waiting().await.len() == number).then_some(())
        })
        .await;
    }

    /// Waits until the page, wherever on it, says this.
    pub async fn says(&self, words: &str) {
        until(&self.client, &format!("the words {words:?}"), async || {
            self.text().await.contains(words).then_some(())
        })
        .await;
    }

    /// All words of the page.
    pub async fn text(&self) -> String {
        self.texts("return [document.body.innerText]").await.concat()
    }

    /// The records that the activity page holds, each as its kind and its word.
    pub async fn records(&self) -> Vec<String> {
        self.until("records", async |page| {
            let records = page.texts(ACTIVITY).await;
            (!records.is_empty()).then_some(records)
        })
        .await
    }

    /// Looks at the page until there is an answer.
    pub async fn until<T>(&self, what: &str, look: impl AsyncFn(&Self) -> Option<T>) -> T {
        until(&self.client, what, async || look(self).await).await
    }

    /// Waits until the page shows these words, anywhere.
    pub async fn shows(&self, words: &str) {
        self.until(&format!("the words {words:?}"), async |page| {
            page.everything().await.contains(words).then_some(())
        })
        .await;
    }

    /// Waits until the page shows these words nowhere.
    pub async fn shows_no_more(&self, words: &str) {
        self.until(&format!("no words {words:?}"), async |page| {
            (!page.everything().await.contains(words)).then_some(())
        })
        .await;
    }

    async fn everything(&self) -> String {
        let text = self.client.execute("return document.body.innerText", Vec::new()).await;
        text.ok().and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Picks one of the choices of a list.
    ///
    /// # Panics
    ///
    /// It is none of them.
    pub async fn picks(&self, list: &str, choice: &str) {
        let list = self.named(Role::ComboBox, list).await;
        list.select_by_value(choice).await.unwrap_or_else(|error| panic!("{choice}: {error}"));
    }

    /// Chooses who answers in the settings and comes back to the kitchen.
    pub async fn choose(&self, provider: Protocol) {
        self.go("Settings").await;
        self.press(Role::Radio, provider.title()).await;
        // While a card waits, the link says so.
        let link = self
            .until("the link to the kitchen", async |page| {
                let links = role::find_all(&page.client, None, Role::Link).await.ok()?;
                let to_kitchen = |name: &str| {
                    name.strip_prefix("Kitchen").is_some_and(|it| it.trim() != "Assistant")
                };
                links.into_iter().find_map(|(link, name)| to_kitchen(&name).then_some(link))
            })
            .await;
        link.click().await.expect("the kitchen is one press away");
    }

    /// All that the page is and that its browser keeps for it, as text.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn all_that_is_kept(&self) -> String {
        let kept = self.client.execute_async(KEPT, Vec::new()).await.expect("the page is there");
        kept.as_str().expect("what is kept is a text").to_owned()
    }

    /// Takes back the latest change of a line.
    pub async fn undo(&self, item: &str) {
        self.press(Role::Button, &format!("Undo {item}")).await;
    }

    /// From now on the browser refuses every write to the page's store.
    ///
    /// # Panics
    ///
    /// The page is gone.
    pub async fn break_the_store(&self) {
        let script = "for (const name of ['add', 'put']) IDBObjectStore.prototype[name] = () => { \
            throw new DOMException('The disk is full.', 'QuotaExceededError'); }";
        self.client.execute(script, Vec::new()).await.expect("the page is there");
    }

    async fn becomes(&self, script: &str, expected: &[&str], what: &str) {
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        until(&self.client, &format!("a {what} of {expected:?}"), async || {
            let mut seen = self.texts(script).await;
            seen.sort_unstable();
            (seen == expected).then_some(())
        })
        .await;
    }

    async fn open_card(&self, title: &str) -> Option<Card> {
        let element = role::find(&self.client, None, Role::Group, title).await.ok()??;
        Card::of(self.client.clone(), element).await
    }

    async fn texts(&self, script: &str) -> Vec<String> {
        let texts = self.client.execute(script, Vec::new()).await.unwrap_or_default();
        let texts = texts.as_array().into_iter().flatten();
        texts.filter_map(|it| it.as_str().map(str::to_owned)).collect()
    }
}

/// Everything of one build lies in one folder.
const LOADED: &str = "return performance.getEntriesByType('resource') \
    .map(it => /\\/[0-9a-f]{16}\\/(.+)$/.exec(it.name)?.[1]).filter(name => name)";

/// A line is in ink if it can be ticked.
const LIST: &str = "const list = '[aria-label=\"Shopping list\"] li:has([role=checkbox])'; \
    return [...document.querySelectorAll(list)].map(it => \
        `${it.querySelector('.n').innerText} ${it.querySelector('.q').innerText}` \
            .replace(/\\s+/g, ' ').trim())";

/// The document, and every place in which a page can keep something that scripts can read.
const KEPT: &str = "const [done] = arguments; (async () => { \
    const get = asked => new Promise((resolve, reject) => { \
        asked.onsuccess = () => resolve(asked.result); asked.onerror = () => reject(asked.error); }); \
    const kept = [document.documentElement.outerHTML, document.cookie, location.href, \
        JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), \
        JSON.stringify(await caches.keys())]; \
    for (const { name } of await indexedDB.databases()) { \
        const database = await get(indexedDB.open(name)); \
        for (const store of database.objectStoreNames) { \
            const held = database.transaction(store).objectStore(store); \
            const [keys, values] = [get(held.getAllKeys()), get(held.getAll())]; \
            kept.push(store, JSON.stringify([await keys, await values], (_, it) => \
                ArrayBuffer.isView(it) ? new TextDecoder().decode(it) : it)); \
        } \
        database.close(); \
    } \
    return kept.join('\\n'); \
})().then(done, error => done(`${error}`))";

const ACTIVITY: &str = "return [...document.querySelectorAll('.rec .kind')].map(it => \
    `${it.querySelector('small').innerText} ${it.querySelector('b').innerText}`.trim())";
