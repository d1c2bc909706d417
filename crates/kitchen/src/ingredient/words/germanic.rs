//! The words of Dutch and German lines.

use super::{NONE, Words};

#[rustfmt::skip]
pub(super) const DUTCH: Words = Words {
    numbers: &[
        ("half", 1, 2), ("halve", 1, 2), ("een half", 1, 2), ("een halve", 1, 2),
        ("anderhalf", 3, 2), ("anderhalve", 3, 2), ("kwart", 1, 4), ("een kwart", 1, 4),
        ("driekwart", 3, 4), ("een", 1, 1), ("één", 1, 1), ("twee", 2, 1), ("drie", 3, 1),
        ("vier", 4, 1), ("vijf", 5, 1), ("zes", 6, 1), ("zeven", 7, 1), ("acht", 8, 1),
        ("negen", 9, 1), ("tien", 10, 1), ("twaalf", 12, 1),
    ],
    articles: &["de", "het", "enkele", "een paar", "paar", "wat", "eventueel", "evt", "nog"],
    ranges: &["tot", "à", "a", "of", "t/m"],
    plus: &["plus", "en"],
    or: &["of", "en/of"],
    and: &["en", "&"],
    about: &[
        "circa", "ca", "ongeveer", "ruim", "ruime", "krap", "krappe", "afgestreken", "volle",
        "flinke", "goede", "royale", "opgehoopte", "geschepte", "plm", "minimaal", "max",
        "minstens", "eventueel", "bijna", "dikke", "kleine", "grote", "dunne", "fijne", "klein",
        "groot", "flink", "goed",
    ],
    of: &["van", "van de", "van het", "van een"],
    sizes: &[
        "kleine", "klein", "grote", "groot", "middelgrote", "middelgroot", "flinke", "flink",
        "ruime", "forse", "mini",
    ],
    vague: &[
        "snuf", "snufje", "scheut", "scheutje", "handje", "handvol", "klontje", "klont", "mespunt",
        "mespuntje", "takje", "takjes", "blaadje", "blaadjes", "druppel", "druppels", "plakje",
        "plakjes", "bosje", "teentje", "stukje", "stukjes", "schepje", "beetje", "toefje",
    ],
    before: &[
        "gehakte", "fijngehakte", "grofgehakte", "gesneden", "fijngesneden", "geraspte",
        "geschaafde", "gesnipperde", "fijngesnipperde", "gesmolten", "geperste", "uitgeperste",
        "geschilde", "gepelde", "versgemalen", "versgeperste", "losgeklopte", "geklopte",
        "uitgelekte", "versgeraspte", "vers geperst", "fijn gesneden", "fijn gehakte",
        "vers gemalen",
    ],
    adverbs: &["fijn", "grof", "vers", "dun", "licht"],
    after: &[
        "gehakt", "fijngehakt", "gesneden", "fijngesneden", "geraspt", "gesnipperd",
        "fijngesnipperd", "gesmolten", "geperst", "uitgeperst", "geschild", "gepeld", "optioneel",
    ],
    products: &[
        "geraspte kokos", "gehakte tomaten", "gepelde tomaten", "gesneden groente", "geraspte kaas",
    ],
    full: &["afgestreken"],
    ends: &[
        "om te", "om in te", "om mee te", "voor", "naar smaak", "naar keuze", "naar wens",
        "bijvoorbeeld", "bijv", "zoals", "plus", "in plakjes", "in ringen", "in blokjes",
        "in stukjes", "in reepjes", "in repen", "in dunne", "in kwarten", "in grove", "in halve",
        "in fijne", "in kleine", "in partjes", "optioneel", "eventueel", "uit de oven",
        "op kamertemperatuur", "die", "ter garnering", "als garnering", "ongeveer", "ca", "circa",
        "per persoon", "met schil", "zonder schil", "en extra",
    ],
    parts: &["sap", "rasp", "schil", "zeste", "pitjes", "zaadjes"],
    behind: &["teentje", "teentjes", "tenen"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const GERMAN: Words = Words {
    numbers: &[
        ("halbe", 1, 2), ("halber", 1, 2), ("halbes", 1, 2), ("eine halbe", 1, 2),
        ("ein halber", 1, 2), ("ein halbes", 1, 2), ("anderthalb", 3, 2), ("ein viertel", 1, 4),
        ("ein", 1, 1), ("eine", 1, 1), ("einen", 1, 1), ("einer", 1, 1), ("eines", 1, 1),
        ("zwei", 2, 1), ("drei", 3, 1), ("vier", 4, 1), ("fünf", 5, 1), ("sechs", 6, 1),
        ("sieben", 7, 1), ("acht", 8, 1), ("neun", 9, 1), ("zehn", 10, 1), ("zwölf", 12, 1),
    ],
    articles: &[
        "der", "die", "das", "den", "einige", "ein paar", "evtl", "eventuell", "etwas", "etw",
        "n b", "nach belieben", "ein wenig", "wenig", "ein bisschen",
    ],
    ranges: &["bis", "oder", "-"],
    plus: &["plus", "und"],
    or: &["oder", "bzw", "und/oder"],
    and: &["und", "&", "u"],
    about: &[
        "je", "jeweils", "ca", "circa", "etwa", "ungefähr", "rund", "knapp", "gut", "gestr",
        "gestrichen", "gestrichene", "gestrichener", "gehäuft", "gehäufte", "gehäufter", "geh",
        "kl", "gr", "große", "großer", "großes", "kleine", "kleiner", "kleines", "gute", "guter",
        "gutes", "knappe", "knapper", "volle", "voller", "leicht gehäufte", "à", "mind",
        "mindestens", "dicke", "dünne", "halbvolle",
    ],
    of: &["von", "vom", "von der"],
    sizes: &[
        "kleine", "kleiner", "kleines", "kleinen", "große", "großer", "großes", "großen",
        "mittelgroße", "mittelgroßer", "mittelgroßes", "mittlere", "mittlerer", "mittleres", "kl",
        "gr", "mittelgr", "gehäufte", "gestrichene", "mittelgroßen", "mittelgross", "gross",
        "grosse", "grosser", "grosses", "mittelgrosse", "mittelgroß",
    ],
    vague: &[
        "prise", "prisen", "handvoll", "spritzer", "schuss", "msp", "messerspitze", "zweig",
        "zweige", "blatt", "blätter", "bund", "tropfen", "stück", "scheibe", "scheiben", "zehe",
        "stiele",
    ],
    before: &[
        "gehackte", "gehackter", "gehacktes", "gehackten", "feingehackte", "kleingehackte",
        "geriebene", "geriebener", "geriebenes", "geriebenen", "geschnittene", "geschnittener",
        "gewürfelte", "gewürfelter", "geschälte", "geschälter", "zerlassene", "geschmolzene",
        "fein gehackte", "frisch gepresster", "frischgepresster", "abgetropfte",
        "kleingeschnittene",
    ],
    adverbs: &["fein", "grob", "frisch", "klein", "dünn"],
    after: &[
        "gehackt", "gerieben", "geschnitten", "gewürfelt", "geschält", "gehobelt", "zerlassen",
        "geschmolzen", "optional", "gepresst", "abgetropft",
    ],
    products: &[
        "gehackte tomaten", "gehackte mandeln", "gehackte nüsse", "geschälte tomaten",
        "gehackte haselnüsse", "gehackte walnüsse",
    ],
    full: &["gestrichen", "gehäuft", ],
    ends: &[
        "für", "zum", "zur", "nach geschmack", "nach belieben", "nach wunsch", "zzgl", "plus",
        "zum beispiel", "z b", "wie", "in stücken", "in stücke", "in scheiben", "in würfeln",
        "in würfel", "in ringen", "in ringe", "in streifen", "in flöckchen", "bei bedarf",
        "je nach", "optional", "ca", "etwa", "circa", "oder mehr", "oder auch", "à", "je",
        "am stück", "zimmerwarm", "a", "evtl", "alternativ", "nach bedarf", "dazu",
        "aus dem kühlregal", "mit schale", "ohne kern", "ohne haut", "ohne stein",
    ],
    parts: &["saft", "abrieb", "schale", "zesten", "mark"],
    behind: &[],
    ..NONE
};
