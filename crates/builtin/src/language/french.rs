//! French.

use super::{Language, Needs, Verb, verb};
use crate::wish::Act;

const VERBS: &[Verb] = &[
    verb(Act::Tick, "coche", "", Needs::Nothing),
    verb(Act::Tick, "marque", "", Needs::List),
    verb(Act::Tick, "j'ai acheté", "", Needs::KnownItem),
    verb(Act::Untick, "décoche", "", Needs::Nothing),
    verb(Act::Remove, "supprime", "", Needs::Nothing),
    verb(Act::Remove, "enlève", "", Needs::Nothing),
    verb(Act::Remove, "retire", "", Needs::Nothing),
    verb(Act::Add, "ajoute", "", Needs::Nothing),
    verb(Act::Add, "ajoutez", "", Needs::Nothing),
    verb(Act::Add, "ajouter", "", Needs::Nothing),
    verb(Act::Add, "mets", "", Needs::List),
    verb(Act::Add, "mettre", "", Needs::List),
    verb(Act::Add, "achète", "", Needs::Nothing),
    verb(Act::Add, "il faut", "", Needs::KnownItem),
    verb(Act::Add, "il nous faut", "", Needs::KnownItem),
];

/// French.
pub(super) const FRENCH: Language = Language {
    verbs: VERBS,
    reads: &[
        "LIST",
        "qu'est-ce qu'il y a sur LIST",
        "qu'y a-t-il sur LIST",
        "que reste-t-il à acheter",
        "lis LIST",
        "montre LIST",
        "montre-moi LIST",
    ],
    whether: &[],
    and: &["et", "&"],
    compounds: &["sel et poivre"],
    list: &["liste de courses", "liste des courses", "liste d' achats", "liste"],
    determiners: &["la", "ma", "notre", "cette"],
    prepositions: &["à", "dans", "sur", "de"],
    articles: &[
        "de la", "de l'", "du", "des", "le", "la", "les", "l'", "d'", "de", "mon", "ma", "mes",
        "aussi",
    ],
    of: &["de la", "de l'", "de", "d'", "du", "des"],
    numbers: &[
        ("un", "1"),
        ("une", "1"),
        ("deux", "2"),
        ("trois", "3"),
        ("quatre", "4"),
        ("cinq", "5"),
        ("six", "6"),
        ("sept", "7"),
        ("huit", "8"),
        ("neuf", "9"),
        ("dix", "10"),
        ("onze", "11"),
        ("douze", "12"),
        ("vingt", "20"),
        ("demi-douzaine", "6"),
        ("une demi-douzaine", "6"),
    ],
    dozen: &["douzaine"],
    half: &["une demi", "un demi", "demi"],
    openers: &["peux-tu", "tu peux", "bonjour", "salut", "ok", "et", "aussi"],
    closers: &["s'il te plaît", "s'il vous plaît", "stp", "svp", "merci", "aussi"],
    corrects: &["non", "en fait", "plutôt", "attends", "pardon", "mais"],
    makes: &["mets-en", "mets en", "plutôt", "je voulais dire", "disons"],
    instead: &["plutôt", "suffit", "suffisent"],
    no: &["non", "non merci", "annule", "laisse tomber", "arrête"],
    yes: &["oui", "d'accord", "oui merci", "vas-y"],
};
