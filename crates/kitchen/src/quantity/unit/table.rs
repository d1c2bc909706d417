//! The units that measure and the words for pieces, as a table.

use super::{Family, Unit};

/// A unit whose amounts are written as decimal numbers.
const fn metric(
    family: Family,
    size: u64,
    words: &'static [&'static str],
    outgrown_at: Option<u64>,
    is_for_sums: bool,
) -> Unit {
    Unit { family, size, name: first(words), words, decimal: true, outgrown_at, is_for_sums }
}

/// A unit whose amounts are written as fractions.
pub(super) const fn counted(family: Family, size: u64, words: &'static [&'static str]) -> Unit {
    named(first(words), family, size, words)
}

pub(super) const fn named(
    name: &'static str,
    family: Family,
    size: u64,
    words: &'static [&'static str],
) -> Unit {
    Unit { family, size, name, words, decimal: false, outgrown_at: None, is_for_sums: true }
}

const fn teaspoon(words: &'static [&'static str]) -> Unit {
    named("tsp", Family::Spoon, 1, words)
}

const fn tablespoon(words: &'static [&'static str]) -> Unit {
    named("tbsp", Family::Spoon, 3, words)
}

/// A word that says no more than that things are counted.
const fn piece(words: &'static [&'static str]) -> Unit {
    counted(Family::Piece, 1, words)
}

pub(super) const fn first(words: &'static [&'static str]) -> &'static str {
    match words {
        [one, ..] => one,
        [] => "",
    }
}

/// The units that measure, and the words for pieces.
#[rustfmt::skip]
pub(super) static MEASURES: &[Unit] = &[
    // Pieces.
    piece(&["", "", "count"]),
    named("piece", Family::Piece, 1, &["", "", "piece", "pieces", "pc", "pcs"]),
    named("stuk", Family::Piece, 1, &["", "", "stuk", "stuks", "st."]),
    named("Stück", Family::Piece, 1, &["", "", "stück", "stücke", "Stck"]),
    piece(&["pièce", "pièces", "pce"]),
    piece(&["unité", "unités"]),
    piece(&["pezzo", "pezzi"]),
    piece(&["unidad", "unidades", "ud", "uds"]),
    piece(&["unidade", "unidades", "unid", "unids"]),
    piece(&["st", "st", "stycken", "styck"]),
    piece(&["stk", "stk"]),
    piece(&["db", "db", "darab"]),
    piece(&["adet", "adet", "tane"]),
    piece(&["sztuka", "sztuki", "sztuk", "szt"]),
    piece(&["ks", "ks", "kus", "kusy", "kusů", "kusov"]),
    piece(&["個", "個", "コ", "ケ", "こ"]),
    piece(&["个", "个"]),
    // Metric.
    metric(Family::Weight, 1, &["g", "g", "gr", "grs", "gm", "gram", "grams", "gramm", "gramme",
        "grammes", "grammi", "grammo", "gramo", "gramos", "grama", "gramas", "gramy", "gramów",
        "gramů", "gramov", "克", "グラム"], Some(1000), true),
    metric(Family::Weight, 10, &["dkg", "dkg", "dag", "deka", "decagram"], Some(1000), false),
    metric(Family::Weight, 1000, &["kg", "kg", "kgs", "kilo", "kilos", "kilogram", "kilograms",
        "kilogramm", "kilogramme", "kilogrammes", "kilogrammi", "chilo", "chilogrammi",
        "kilogramo", "kilogramos", "quilo", "quilos", "quilograma", "quilogramas", "kilogramy",
        "kilogramów", "公斤", "千克", "キロ"], None, true),
    metric(Family::Volume, 1, &["ml", "ml", "mls", "millilitre", "millilitres", "milliliter",
        "milliliters", "millilitri", "mililitro", "mililitros", "mililitr", "mililitrů", "cc", "㎖",
        "毫升", "ミリリットル"], Some(1000), true),
    metric(Family::Volume, 10, &["cl", "cl", "centilitre", "centilitres", "centiliter",
        "centiliters", "centilitri", "centilitro", "centilitros"], Some(1000), false),
    metric(Family::Volume, 100, &["dl", "dl", "decilitre", "decilitres", "deciliter", "deciliters",
        "decilitri", "decilitro", "decilitros"], Some(1000), false),
    metric(Family::Volume, 1000, &["l", "l", "lt", "ltr", "litre", "litres", "liter", "liters",
        "litro", "litros", "litri", "litr", "litry", "litrów", "litrů", "ℓ", "升", "リットル"], None,
        true),
    metric(Family::Length, 1, &["mm", "mm", "millimetre", "millimetres", "millimeter",
        "millimeters"], Some(10), true),
    metric(Family::Length, 10, &["cm", "cm", "cms", "centimetre", "centimetres", "centimeter",
        "centimeters", "centimètre", "centimètres", "Zentimeter", "センチ", "厘米"], None, true),
    // American and British.
    counted(Family::Inch, 1, &["inch", "inches", "″"]),
    counted(Family::ImperialWeight, 1, &["oz", "oz", "ozs", "ounce", "ounces", "onces"]),
    counted(Family::ImperialWeight, 16, &["lb", "lb", "lbs", "pound", "pounds", "livre",
        "livres"]),
    counted(Family::FluidOunce, 1, &["fl oz", "fl oz", "floz", "fl ozs", "fluid ounce",
        "fluid ounces", "fl ounce", "fl ounces", "fluid oz"]),
    counted(Family::Pint, 1, &["pint", "pints", "pt", "pts", "pinte", "pintes"]),
    counted(Family::Pint, 2, &["quart", "quarts", "qt", "qts"]),
    counted(Family::Pint, 8, &["gallon", "gallons", "gal"]),
    counted(Family::Cup, 1, &["cup", "cups"]),
    // Spoons.
    teaspoon(&["tsp", "tsp", "tsps", "teaspoon", "teaspoons", "teaspoonful", "teaspoonfuls"]),
    teaspoon(&["tl", "tl", "theelepel", "theelepels", "theelepeltje", "theelepeltjes", "theel",
        "koffielepel", "koffielepels"]),
    teaspoon(&["TL", "TL", "Teelöffel", "Teel", "Kaffeelöffel"]),
    teaspoon(&["c. à café", "c. à café", "cuillère à café", "cuillères à café", "cuillerée à café",
        "cuillerées à café", "cuill. à café", "cuil. à café", "cuillère à thé", "cuillères à thé",
        "c. à thé", "c. à c", "càc", "cac", "c.c", "c à c", "cuiller à café", "cuillers à café",
        "c. café", "cuil à café"]),
    teaspoon(&["cucchiaino", "cucchiaini"]),
    teaspoon(&["cucharadita", "cucharaditas", "cdta", "cdtas", "cdita", "cditas", "cucharilla",
        "cucharillas", "cucharada de café", "cucharadas de café", "cucharadita de café",
        "cucharaditas de café", "cucharada de postre", "cucharadas de postre"]),
    teaspoon(&["colher (chá)", "colheres (chá)", "colher de chá", "colheres de chá",
        "colher de (chá)", "colheres de (chá)", "colher chá", "colheres chá", "c. chá",
        "c. de chá", "colherzinha"]),
    teaspoon(&["tsk", "tsk", "tesked", "teskedar"]),
    teaspoon(&["teske", "teskeer", "ts", "teskje", "teskjeer"]),
    teaspoon(&["teáskanál", "teáskanál", "tk", "mokkáskanál", "tkanál"]),
    teaspoon(&["kávéskanál", "kávéskanál", "kk", "kvk"]),
    teaspoon(&["çay kaşığı", "çay kaşığı"]),
    teaspoon(&["łyżeczka", "łyżeczki", "łyżeczek", "łyżeczkę", "łyżeczka do herbaty"]),
    teaspoon(&["lžička", "lžičky", "lžiček", "lžičku", "čajová lžička", "čajové lžičky", "ČL",
        "kávová lžička", "kávové lžičky"]),
    teaspoon(&["lyžička", "lyžičky", "lyžičiek", "čajová lyžička", "čajové lyžičky",
        "kávová lyžička", "kávové lyžičky"]),
    teaspoon(&["小さじ", "小さじ", "小匙"]),
    teaspoon(&["茶匙", "茶匙", "小勺"]),
    tablespoon(&["tbsp", "tbsp", "tbsps", "tbs", "tbl", "tblsp", "tbls", "tablespoon",
        "tablespoons", "tablespoonful", "tablespoonfuls"]),
    tablespoon(&["el", "el", "eetlepel", "eetlepels", "eetl", "soeplepel", "soeplepels"]),
    tablespoon(&["EL", "EL", "Esslöffel", "Eßlöffel", "Essl", "Esslöffeln"]),
    tablespoon(&["c. à soupe", "c. à soupe", "cuillère à soupe", "cuillères à soupe",
        "cuillerée à soupe", "cuillerées à soupe", "cuill. à soupe", "cuil. à soupe",
        "cuil à soupe", "cuillère à table", "cuillères à table", "c. à table", "c. à tab",
        "c. à s", "càs", "cas", "c.s", "cs", "cuiller à soupe", "cuillers à soupe", "c. soupe"]),
    tablespoon(&["cucchiaio", "cucchiai", "cucchiaiata", "cucchiaiate", "cucchiaio da tavola",
        "cucchiai da tavola"]),
    tablespoon(&["cucharada", "cucharadas", "cda", "cdas", "cucharada sopera",
        "cucharadas soperas", "cuchara", "cucharas", "cucharada grande", "cucharadas grandes"]),
    tablespoon(&["colher (sopa)", "colheres (sopa)", "colher de sopa", "colheres de sopa",
        "colher de (sopa)", "colheres de (sopa)", "colher sopa", "colheres sopa", "c. sopa",
        "c. de sopa"]),
    tablespoon(&["msk", "msk", "matsked", "matskedar"]),
    tablespoon(&["spsk", "spsk", "spiseske", "spiseskeer", "spiseskefuld"]),
    tablespoon(&["ss", "ss", "spiseskje", "spiseskjeer"]),
    tablespoon(&["evőkanál", "evőkanál", "ek", "evők", "ekanál"]),
    tablespoon(&["yemek kaşığı", "yemek kaşığı"]),
    tablespoon(&["łyżka", "łyżki", "łyżek", "łyżkę", "łyżka stołowa", "łyżki stołowe"]),
    tablespoon(&["lžíce", "lžíce", "lžic", "lžíci", "polévková lžíce", "polévkové lžíce",
        "polévkových lžic", "PL"]),
    tablespoon(&["lyžica", "lyžice", "lyžíc", "polievková lyžica", "polievkové lyžice",
        "polievkových lyžíc"]),
    tablespoon(&["大さじ", "大さじ", "大匙"]),
    tablespoon(&["汤匙", "汤匙", "大勺"]),
];
