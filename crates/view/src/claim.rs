//! What a reply claims of what was asked before it, read from its words by rule, in English, Dutch,
//! German and French. It is shown beside what is on record and decides nothing.

use std::cmp::Reverse;

/// What a reply claims of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It was done.
    Done,
    /// It was not done.
    NotDone,
}

/// Whole words, of which a star may leave the ending open.
const DONE: &str = "done|all set|added|is on|are on|now on|put|removed|took|taken|is off|are off|\
    ticked|checked off|changed|updated|set to|\
    gedaan|klaar|toegevoegd|staat op|staan op|gezet|verwijderd|gehaald|afgevinkt|gewijzigd|\
    erledigt|fertig|hinzugef\u{fc}gt|steht auf|stehen auf|gesetzt|entfernt|gestrichen|abgehakt|\
    ge\u{e4}ndert|fait|ajout\u{e9}*|est sur|sont sur|retir\u{e9}*|supprim\u{e9}*|enlev\u{e9}*|\
    coch\u{e9}*|modifi\u{e9}*|mis";
const NOT: &str = "not|cannot|nothing|never|no|denied|declined|\
    niet|niets|geen|nooit|geweigerd|nicht|nichts|kein*|nie|abgelehnt|\
    pas|rien|jamais|aucun*|refus\u{e9}*";
/// What is offered or asked, not claimed.
const NOT_YET: &str = "would|will|shall|can|could|if|zal|zou|kan|als|\
    werde|w\u{fc}rde|soll|kann|k\u{f6}nnte|wenn|vais|peux|pourrais|voulez|veux|si";
/// How a name may go on where there are several of the thing.
const PLURALS: [&str; 5] = ["", "s", "es", "n", "en"];

/// What a reply claims of each of these, by their names. A sentence that names none of them counts
/// for all.
pub(crate) fn of(reply: &str, names: &[String]) -> Vec<Option<Claim>> {
    let mut by_length: Vec<_> = names.iter().map(|name| words(name)).enumerate().collect();
    // What is part of another name is not what is meant by that.
    by_length.sort_by_key(|(_, name)| Reverse(name.len()));
    let mut claims = vec![None; names.len()];
    let mut general = None;
    for sentence in reply.split_inclusive(['.', '!', '?', ';', '\n']) {
        let mut said = words(sentence);
        let named = cut(&mut said, &by_length);
        if sentence.ends_with('?') || has(&said, NOT_YET) {
            continue;
        }
        let claim = match (has(&said, NOT), has(&said, DONE)) {
            (true, _) => Claim::NotDone,
            (false, true) => Claim::Done,
            (false, false) => continue,
        };
        if named.is_empty() {
            general = general.or(Some(claim));
        }
        for (at, known) in claims.iter_mut().enumerate() {
            if named.contains(&at) {
                *known = Some(claim);
            }
        }
    }
    claims.into_iter().map(|claim| claim.or(general)).collect()
}

/// The words of a text, in small letters, each between spaces.
fn words(text: &str) -> String {
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let text = text.replace("n't", " not").replace("'ll", " will");
    let mut words = String::from(" ");
    for word in text.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.push_str(word);
        words.push(' ');
    }
    words
}

/// Takes names out of words, so that nothing is read into them, and gives the places of those that
/// were there.
fn cut(said: &mut String, names: &[(usize, String)]) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, name) in names.iter().filter(|(_, name)| !name.trim().is_empty()) {
        for plural in PLURALS {
            let name = format!("{}{plural} ", name.trim_end());
            if said.contains(&name) {
                *said = said.replace(&name, " \u{b7} ");
                found.push(*at);
            }
        }
    }
    found
}

fn has(said: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| match phrase.strip_suffix('*') {
        Some(stem) => said.contains(&format!(" {stem}")),
        None => said.contains(&format!(" {phrase} ")),
    })
}
