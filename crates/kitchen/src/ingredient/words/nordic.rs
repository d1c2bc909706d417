//! The words of Swedish, Danish and Norwegian lines.

use super::{NONE, Words};

#[rustfmt::skip]
pub(super) const SWEDISH: Words = Words {
    numbers: &[
        ("halv", 1, 2), ("halva", 1, 2), ("halvt", 1, 2), ("en halv", 1, 2), ("ett halvt", 1, 2),
        ("en", 1, 1), ("ett", 1, 1), ("två", 2, 1), ("tre", 3, 1), ("fyra", 4, 1), ("fem", 5, 1),
        ("sex", 6, 1), ("sju", 7, 1), ("åtta", 8, 1), ("nio", 9, 1), ("tio", 10, 1),
        ("tolv", 12, 1),
    ],
    articles: &["några", "ev", "eventuellt", "lite"],
    ranges: &["till", "eller"],
    plus: &["plus", "och", "+"],
    or: &["eller", "och/eller"],
    and: &["och", "&"],
    about: &[
        "ca", "cirka", "ungefär", "knappt", "drygt", "rågad", "rågade", "struken", "strukna",
        "stor", "stora", "liten", "små", "rejäl", "rejält", "gott", "god",
    ],
    of: &["av"],
    sizes: &[
        "stor", "stora", "stort", "liten", "litet", "små", "medelstor", "medelstora", "mellanstor",
        "mellanstora", "rejäl",
    ],
    vague: &[
        "nypa", "skvätt", "näve", "kvist", "kvistar", "knippe", "klick", "handfull", "blad",
        "stänk", "droppar",
    ],
    before: &[
        "hackad", "hackade", "hackat", "finhackad", "finhackade", "finhackat", "grovhackad",
        "grovhackade", "riven", "rivet", "rivna", "finriven", "finrivet", "skivad", "skivade",
        "strimlad", "strimlade", "skalad", "skalade", "smält", "pressad", "pressade",
        "färskpressad", "tärnad", "tärnade", "kokt", "kokta", "krossad", "krossade",
    ],
    adverbs: &["fint", "grovt", "tunt"],
    after: &["hackad", "finhackad", "hackade", "finhackade", "skivad", "riven", "smält"],
    ends: &[
        "till", "för", "efter smak", "att", "gärna", "t ex", "exempelvis", "ca", "à", "i bitar",
        "i tärningar", "i skivor", "i strimlor", "som", "plus", "eventuellt", "valfri mängd",
        "om du", "vid servering", "per person",
    ],
    parts: &["saft", "saften", "rivet skal", "skal", "skalet", "zest", "juice", "juicen"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const DANISH: Words = Words {
    numbers: &[
        ("halv", 1, 2), ("halve", 1, 2), ("halvt", 1, 2), ("en halv", 1, 2), ("et halvt", 1, 2),
        ("en kvart", 1, 4), ("halvanden", 3, 2), ("en", 1, 1), ("et", 1, 1), ("én", 1, 1),
        ("ét", 1, 1), ("to", 2, 1), ("tre", 3, 1), ("fire", 4, 1), ("fem", 5, 1), ("seks", 6, 1),
        ("syv", 7, 1), ("otte", 8, 1), ("ni", 9, 1), ("ti", 10, 1), ("tolv", 12, 1),
    ],
    articles: &["nogle", "evt", "eventuelt", "lidt", "et par"],
    ranges: &["til", "eller"],
    plus: &["plus", "og", "+"],
    or: &["eller", "og/eller"],
    and: &["og", "&"],
    about: &[
        "ca", "cirka", "omkring", "knap", "knapt", "godt", "god", "stor", "store", "stort", "lille",
        "små", "topppet", "toppet", "toppede", "strøgen", "strøgne", "rigelig", "ekstra",
    ],
    of: &["af"],
    sizes: &["stor", "store", "stort", "lille", "små", "mellemstor", "mellemstore", "mellemstort"],
    vague: &[
        "nip", "knivspids", "håndfuld", "kvist", "kviste", "dråbe", "dråber", "skvæt", "fed",
        "stilk", "bundt", "blade",
    ],
    before: &[
        "hakket", "hakkede", "finthakket", "finthakkede", "fintrevet", "friskrevet", "friskkværnet",
        "revet", "revne", "skåret", "pillede", "smeltet", "skrællede", "presset", "friskpresset",
    ],
    adverbs: &["fint", "groft", "frisk", "finthakket", "let"],
    after: &["hakket", "finthakket", "revet", "smeltet"],
    ends: &[
        "til", "efter smag", "for", "f eks", "fx", "eks", "i tern", "i skiver", "i strimler",
        "i mindre", "i stykker", "ca", "à", "som", "plus", "skåret i", "eventuelt", "evt",
        "efter behov", "fra frost",
    ],
    parts: &["saft", "saften", "skal", "skallen", "revet skal"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const NORWEGIAN: Words = Words {
    numbers: &[
        ("halv", 1, 2), ("halve", 1, 2), ("halvt", 1, 2), ("en halv", 1, 2), ("et halvt", 1, 2),
        ("en", 1, 1), ("ett", 1, 1), ("et", 1, 1), ("to", 2, 1), ("tre", 3, 1), ("fire", 4, 1),
        ("fem", 5, 1), ("seks", 6, 1), ("sju", 7, 1), ("åtte", 8, 1), ("ni", 9, 1), ("ti", 10, 1),
        ("tolv", 12, 1),
    ],
    articles: &["noen", "evt", "eventuelt", "litt", "et par"],
    ranges: &["til", "eller"],
    plus: &["plus", "og", "+"],
    or: &["eller", "og/eller"],
    and: &["og", "&"],
    about: &[
        "ca", "cirka", "omtrent", "knapp", "drøy", "god", "godt", "stor", "store", "stort", "liten",
        "små", "toppet", "strøken",
    ],
    of: &["av"],
    sizes: &[
        "stor", "store", "stort", "liten", "lite", "små", "mellomstor", "mellomstore", "middels",
    ],
    vague: &["klype", "neve", "kvist", "kvister", "dråpe", "dråper", "håndfull", "bunt", "blader"],
    before: &[
        "hakket", "hakkede", "finhakket", "finhakkede", "grovhakket", "revet", "revne", "finrevet",
        "skivet", "smeltet", "knust", "skrelt", "presset", "ferskpresset", "friskpresset",
        "nykvernet", "kvernet",
    ],
    adverbs: &["fint", "grovt", "fersk", "tynt"],
    after: &["hakket", "finhakket", "revet", "smeltet"],
    ends: &[
        "til", "etter smak", "for", "f eks", "i terninger", "i skiver", "i strimler", "i biter",
        "ca", "à", "som", "plus", "helst", "evt", "eventuelt", "juicen", "saften",
    ],
    parts: &["saft", "saften", "skall", "skallet", "revet skall"],
    ..NONE
};
