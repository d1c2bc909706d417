//! What a reply claims of what was asked before it, read from its words by rule. It is shown beside
//! what is on record and decides nothing.

/// What a reply claims of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It was done.
    Done,
    /// It was not done.
    NotDone,
}

const DONE: [&str; 17] = [
    "done",
    "all set",
    "added",
    "is on",
    "are on",
    "now on",
    "put ",
    "removed",
    "took",
    "taken",
    "is off",
    "are off",
    "ticked",
    "checked off",
    "changed",
    "updated",
    "set to",
];
const NOT: [&str; 9] =
    ["not ", "n't", "n\u{2019}t", "nothing", "never", "no ", "without", "denied", "declined"];
/// What is offered or asked, not claimed.
const NOT_YET: [&str; 9] =
    ["?", "would", "will ", "'ll", "\u{2019}ll", "shall", "can ", "could", "if "];

/// What a reply claims of the thing of that name, if anything. A sentence that names none of `all`
/// counts for each of them.
pub(crate) fn of(reply: &str, name: &str, all: &[String]) -> Option<Claim> {
    let reply = reply.to_lowercase();
    let mut general = None;
    let mut named = None;
    for sentence in reply.split_inclusive(['.', '!', '?', ';', '\n']) {
        let has = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
        let claim = match (has(&NOT_YET), has(&NOT), has(&DONE)) {
            (true, ..) | (false, false, false) => continue,
            (false, true, _) => Claim::NotDone,
            (false, false, true) => Claim::Done,
        };
        if sentence.contains(name) {
            named = Some(claim);
        } else if !all.iter().any(|name| sentence.contains(name)) {
            general = general.or(Some(claim));
        }
    }
    named.or(general)
}
