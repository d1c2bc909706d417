//! The words of Hungarian, Turkish, Polish, Czech and Slovak lines.

use super::{NONE, Words};

#[rustfmt::skip]
pub(super) const HUNGARIAN: Words = Words {
    numbers: &[
        ("fél", 1, 2), ("negyed", 1, 4), ("háromnegyed", 3, 4), ("másfél", 3, 2), ("egy", 1, 1),
        ("két", 2, 1), ("kettő", 2, 1), ("három", 3, 1), ("négy", 4, 1), ("öt", 5, 1),
        ("hat", 6, 1), ("hét", 7, 1), ("nyolc", 8, 1), ("tíz", 10, 1),
    ],
    articles: &["a", "az", "néhány", "kevés", "pár", "egy kevés", "egy kis", "ízlés szerint"],
    ranges: &["vagy"],
    plus: &["plusz", "és"],
    or: &["vagy", "illetve"],
    and: &["és"],
    about: &[
        "kb", "körülbelül", "csapott", "púpozott", "kis", "nagy", "kisebb", "nagyobb", "púpos",
        "jó", "bő", "közepes",
    ],
    sizes: &["nagy", "kis", "közepes", "nagyobb", "kisebb", "közepes méretű", "nagyméretű"],
    vague: &["csipet", "marék", "gerezd", "szál", "csokor", "késhegynyi", "levél"],
    after: &[
        "felkarikázva", "darálva", "reszelve", "aprítva", "felaprítva", "felkockázva", "szeletelve",
        "zúzva", "felszeletelve", "apróra vágva", "durvára vágva", "finomra vágva", "kockára vágva",
        "kockákra vágva", "felvágva", "vágva", "lereszelve", "olvasztva",
    ],
    adverbs: &["finomra", "apróra", "durvára", "nagyobb"],
    ends: &[
        "ízlés szerint", "a tetejére", "a szóráshoz", "a formához", "a díszítésre", "a díszítéshez",
        "a sütéshez", "a forma", "a kenéshez", "a tálaláshoz", "lehetőleg", "karikára", "karikákra",
        "kockákra", "kockára", "csíkokra", "szeletekre", "félbe", "negyedekre", "egészben",
        "apróra", "durvára", "finomra", "pl", "hosszú csíkokra", "felkarikázva", "opcionális",
        "szobahőmérsékletű", "5 cm-es", "cikkekre", "kikapart", "kis kockákra", "nagyobb kockákra",
    ],
    ..NONE
};

#[rustfmt::skip]
pub(super) const TURKISH: Words = Words {
    numbers: &[
        ("yarım", 1, 2), ("çeyrek", 1, 4), ("bir buçuk", 3, 2), ("bir", 1, 1), ("iki", 2, 1),
        ("üç", 3, 1), ("dört", 4, 1), ("beş", 5, 1), ("altı", 6, 1), ("yedi", 7, 1),
        ("sekiz", 8, 1), ("dokuz", 9, 1), ("on", 10, 1),
    ],
    articles: &["birkaç", "biraz"],
    ranges: &["veya", "ila"],
    plus: &["artı"],
    or: &["veya", "ya da"],
    and: &["ve"],
    about: &["yaklaşık", "silme", "tepeleme", "dolu"],
    sizes: &["büyük", "küçük", "orta", "orta boy", "büyük boy", "küçük boy", "iri"],
    vague: &["tutam", "avuç", "demet", "dal", "diş"],
    before: &[
        "doğranmış", "rendelenmiş", "kıyılmış", "dilimlenmiş", "eritilmiş", "soyulmuş",
        "ince kıyılmış",
    ],
    adverbs: &["ince", "küp", "iri"],
    ends: &["üzeri için", "üzerine", "kızartmak için", "isteğe bağlı", "tercihen"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const POLISH: Words = Words {
    numbers: &[
        ("pół", 1, 2), ("połowa", 1, 2), ("połówka", 1, 2), ("ćwierć", 1, 4), ("półtora", 3, 2),
        ("półtorej", 3, 2), ("jeden", 1, 1), ("jedna", 1, 1), ("jedno", 1, 1), ("dwa", 2, 1),
        ("dwie", 2, 1), ("trzy", 3, 1), ("cztery", 4, 1), ("pięć", 5, 1), ("sześć", 6, 1),
        ("osiem", 8, 1), ("dziesięć", 10, 1),
    ],
    articles: &["kilka", "trochę", "odrobina", "parę"],
    ranges: &["do", "lub", "albo"],
    plus: &["plus", "i", "oraz"],
    or: &["lub", "albo", "i/lub"],
    and: &["i", "oraz"],
    about: &[
        "około", "ok", "płaska", "płaskie", "płaskich", "kopiasta", "kopiaste", "czubata",
        "czubate", "niepełna", "niepełne", "duża", "duże", "mała", "małe", "spora", "solidna",
        "pełna", "pełne",
    ],
    sizes: &[
        "duży", "duża", "duże", "dużych", "mały", "mała", "małe", "małych", "średni", "średnia",
        "średnie", "średnich",
    ],
    vague: &[
        "szczypta", "garść", "gałązka", "pęczek", "kilka kropli", "ząbek", "listki", "plasterek",
    ],
    before: &[
        "posiekanego", "posiekanej", "posiekanych", "posiekany", "posiekana", "startego", "startej",
        "starty", "starta", "tartego", "pokrojonego", "pokrojonej", "pokrojonych", "obranych",
        "obrany", "stopionego", "roztopionego", "mielonego,",
    ],
    alone: &[
        "gęstej", "kwaśnej", "świeżych", "świeży", "świeża", "świeże", "duże", "małe", "słodkiej",
        "ostrej",
    ],
    adverbs: &["drobno", "grubo", "świeżo"],
    after: &[
        "posiekany", "posiekana", "posiekane", "posiekanego", "posiekanej", "starty", "starta",
        "starte", "pokrojony", "pokrojona", "pokrojone", "obrany", "obrana", "obrane",
        "opcjonalnie",
    ],
    ends: &[
        "do smaku", "do", "np", "na", "dla", "według", "w temperaturze", "opcjonalnie", "*",
        "pokrojone w", "pokrojony w", "pokrojona w",
    ],
    parts: &["sok", "skórka", "otarta skórka"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const CZECH: Words = Words {
    numbers: &[
        ("půl", 1, 2), ("polovina", 1, 2), ("půlka", 1, 2), ("čtvrt", 1, 4), ("jeden", 1, 1),
        ("jedna", 1, 1), ("jedno", 1, 1), ("dva", 2, 1), ("dvě", 2, 1), ("tři", 3, 1),
        ("čtyři", 4, 1), ("pět", 5, 1), ("šest", 6, 1), ("osm", 8, 1), ("deset", 10, 1),
    ],
    articles: &["několik", "trochu", "pár", "trocha"],
    ranges: &["až", "nebo", "-"],
    plus: &["plus", "a"],
    or: &["nebo", "či", "anebo"],
    and: &["a"],
    about: &[
        "asi", "cca", "zhruba", "vrchovatá", "vrchovaté", "zarovnaná", "zarovnané", "velká",
        "velké", "malá", "malé", "plná", "plné", "přibližně", "větší", "menší",
    ],
    of: &["z", "ze"],
    sizes: &[
        "velký", "velká", "velké", "malý", "malá", "malé", "střední", "středně velká",
        "středně velké", "větší", "menší",
    ],
    vague: &["špetka", "hrst", "stroužek", "snítka", "svazek", "lístek", "lístky", "kapka"],
    before: &[
        "nasekané", "nasekaná", "nasekaný", "nastrouhaný", "nastrouhaná", "nastrouhané",
        "nakrájený", "nakrájená", "nakrájené", "rozpuštěné", "rozpuštěného", "oloupaný", "oloupaná",
    ],
    adverbs: &["najemno", "nahrubo", "nadrobno", "jemně", "čerstvě", "hrubě"],
    after: &[
        "nasekané", "nastrouhaný", "nastrouhaná", "nakrájený", "nakrájená", "nakrájené",
        "volitelně",
    ],
    ends: &["dle chuti", "podle chuti", "pro", "např", "dle", "do", "podle"],
    parts: &["šťáva", "kůra", "šťava", "kôra"],
    ..NONE
};

#[rustfmt::skip]
pub(super) const SLOVAK: Words = Words {
    numbers: &[
        ("pol", 1, 2), ("polovica", 1, 2), ("polovička", 1, 2), ("štvrť", 1, 4), ("jeden", 1, 1),
        ("jedna", 1, 1), ("jedno", 1, 1), ("dva", 2, 1), ("dve", 2, 1), ("tri", 3, 1),
        ("štyri", 4, 1), ("päť", 5, 1), ("šesť", 6, 1), ("osem", 8, 1), ("desať", 10, 1),
    ],
    articles: &["niekoľko", "trochu", "pár", "trocha"],
    ranges: &["až", "alebo", "-"],
    plus: &["plus", "a"],
    or: &["alebo", "či"],
    and: &["a"],
    about: &[
        "asi", "cca", "zhruba", "vrchovatá", "vrchovaté", "zarovnaná", "zarovnané", "veľká",
        "veľké", "malá", "malé", "plná", "približne", "väčšia", "menšia",
    ],
    of: &["z", "zo"],
    sizes: &[
        "veľký", "veľká", "veľké", "malý", "malá", "malé", "stredný", "stredná", "stredné", "väčší",
        "väčšia", "menší", "menšia",
    ],
    vague: &["štipka", "hrsť", "strúčik", "vetvička", "zväzok", "lístok", "lístky"],
    before: &[
        "nasekaná", "nasekaný", "nasekané", "nastrúhaný", "nastrúhaná", "nastrúhané", "nakrájaný",
        "nakrájaná", "nakrájané", "roztopené", "ošúpaný", "ošúpaná",
    ],
    adverbs: &["najemno", "nahrubo", "nadrobno", "jemne", "čerstvo"],
    after: &[
        "nasekaná", "nasekaný", "nastrúhaný", "nastrúhaná", "nakrájaná", "nakrájaný", "voliteľne",
    ],
    ends: &["podľa chuti", "pre", "napr", "podľa", "do"],
    parts: &["šťava", "kôra"],
    ..NONE
};
