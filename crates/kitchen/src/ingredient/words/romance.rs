//! The words of French, Italian, Spanish and Portuguese lines.

use super::{NONE, Words};

#[rustfmt::skip]
pub(super) const FRENCH: Words = Words {
    numbers: &[
        ("demi", 1, 2), ("demie", 1, 2), ("un demi", 1, 2), ("une demi", 1, 2), ("une demie", 1, 2),
        ("un quart", 1, 4), ("un quart de", 1, 4), ("la moitié", 1, 2), ("un", 1, 1), ("une", 1, 1),
        ("deux", 2, 1), ("trois", 3, 1), ("quatre", 4, 1), ("cinq", 5, 1), ("six", 6, 1),
        ("sept", 7, 1), ("huit", 8, 1), ("neuf", 9, 1), ("dix", 10, 1), ("douze", 12, 1),
    ],
    articles: &[
        "le", "la", "les", "quelques", "du", "des", "de la", "un peu de", "un peu d'",
        "un petit peu de", "une dizaine de",
    ],
    ranges: &["à", "a", "ou"],
    plus: &["plus", "et"],
    or: &["ou", "et/ou"],
    and: &["et", "&"],
    about: &[
        "environ", "env", "rase", "rases", "bombée", "bombées", "bonne", "bonnes", "bon", "belle",
        "belles", "beau", "beaux", "grosse", "grosses", "gros", "petite", "petites", "petit",
        "petits", "grande", "grandes", "grand", "grands", "généreuse", "large", "pleine", "pleines",
        "fine", "fines", "épaisse", "épaisses", "à peine", "presque", "moins de", "bien pleine",
    ],
    of: &[
        "de", "du", "des", "de la", "de l'", "d'", "d'un", "d'une", "d' un", "d' une", "de belles",
        "de belle", "en", "de petites", "de gros", "of",
    ],
    elisions: &["d'", "l'"],
    sizes: &[
        "gros", "grosse", "grosses", "petit", "petite", "petits", "petites", "grand", "grande",
        "grands", "grandes", "moyen", "moyenne", "moyens", "moyennes", "beau", "belle", "beaux",
        "belles", "bel", "bon", "bonne", "bonnes",
    ],
    sizes_of_weighed: false,
    vague: &[
        "pincée", "pincées", "poignée", "poignées", "filet", "brin", "brins", "feuilles", "feuille",
        "gouttes", "goutte", "branche", "branches", "trait", "tranche", "tranches", "bouquet",
        "gousse", "botte", "zeste", "zestes", "tour", "tours",
    ],
    before: &[],
    adverbs: &["finement", "grossièrement", "fraîchement", "fraichement", "très"],
    after: &[
        "ciselé", "ciselée", "ciselés", "ciselées", "haché", "hachée", "hachés", "hachées",
        "émincé", "émincée", "émincés", "émincées", "râpé", "râpée", "râpés", "râpées", "coupé",
        "coupée", "coupés", "coupées", "pelé", "pelée", "pelés", "pelées", "épluché", "épluchée",
        "épluchés", "épluchées", "fondu", "fondue", "tamisé", "tamisée", "pressé", "pressée",
        "lavé", "lavées", "égoutté", "égouttée", "égouttés", "égouttées", "battu", "battus",
        "facultatif", "facultative", "grattée", "grattées", "écrasé", "écrasée", "écrasées",
        "taillé", "taillée", "effeuillé", "effeuillée", "rincé", "rincés", "rincées", "équeutés",
        "équeutées", "équeutée",
    ],
    products: &[
        "viande hachée", "steak haché", "steaks hachés", "bœuf haché", "boeuf haché",
        "fromage râpé", "gruyère râpé", "emmental râpé", "coco râpée", "coco râpé", "crème battue",
        "fromage fondu", "oignons émincés",
    ],
    full: &["rase", "rases", "bombée", "bombées", "bien pleine", "pleine", "pleines"],
    ends: &[
        "pour", "selon", "coupé en", "coupée en", "coupés en", "coupées en", "en dés",
        "en rondelles", "en tranches", "en morceaux", "en lamelles", "en cubes", "en petits",
        "en fines", "à température", "au goût", "à volonté", "environ", "facultatif", "plus",
        "par exemple", "comme", "type", "ou plus", "si possible", "de préférence", "soit",
        "taillé en", "taillée en", "taillées en", "à votre", "avec la peau", "sans peau",
        "par personne", "selon le goût", "ainsi que", "dont", "à doser",
    ],
    parts: &["jus", "zeste", "zestes", "le jus", "le zeste"],
    behind: &[],
    ..NONE
};

#[rustfmt::skip]
pub(super) const ITALIAN: Words = Words {
    numbers: &[
        ("mezzo", 1, 2), ("mezza", 1, 2), ("un mezzo", 1, 2), ("mezz'", 1, 2), ("un quarto", 1, 4),
        ("un", 1, 1), ("uno", 1, 1), ("una", 1, 1), ("due", 2, 1), ("tre", 3, 1), ("quattro", 4, 1),
        ("cinque", 5, 1), ("sei", 6, 1), ("sette", 7, 1), ("otto", 8, 1), ("nove", 9, 1),
        ("dieci", 10, 1), ("dodici", 12, 1),
    ],
    articles: &[
        "il", "lo", "la", "i", "gli", "le", "qualche", "alcune", "alcuni", "poco", "un po' di",
        "un po di",
    ],
    ranges: &["a", "o", "/"],
    plus: &["più", "e"],
    or: &["o", "oppure", "e/o"],
    and: &["e", "ed", "&"],
    about: &[
        "circa", "ca", "scarso", "scarsi", "abbondante", "abbondanti", "raso", "rasi", "colmo",
        "colmi", "piccolo", "piccola", "piccoli", "piccole", "grande", "grosso", "grossa",
        "generosa", "bella", "bel", "pieno", "pieni", "rasa",
    ],
    of: &["di", "del", "della", "dello", "dell'", "dei", "degli", "delle", "d'"],
    elisions: &["d'", "dell'"],
    sizes: &[
        "piccolo", "piccola", "piccoli", "piccole", "grande", "grandi", "grosso", "grossa",
        "grossi", "grosse", "medio", "media", "medi", "medie",
    ],
    sizes_of_weighed: false,
    vague: &[
        "q.b.", "pizzico", "manciata", "ciuffo", "foglia", "foglie", "foglioline", "rametto",
        "rametti", "spicchio", "goccia", "gocce", "quanto basta", "mazzetto", "filo", "noce",
        "fettine", "bustina",
    ],
    before: &[],
    adverbs: &["finemente", "appena"],
    after: &[
        "tritato", "tritata", "tritati", "tritate", "grattugiato", "grattugiata", "grattugiati",
        "tagliato", "tagliata", "tagliati", "tagliate", "affettato", "affettata", "affettati",
        "affettate", "fuso", "sciolto", "setacciata", "sbucciato", "sbucciata", "facoltativo",
        "pelato", "pelata", "spremuto", "sgocciolato", "sgocciolati", "sgocciolate", "a piacere",
        "a dadini", "a cubetti", "a fette", "a pezzetti", "a pezzi", "lessati",
    ],
    products: &["pan grattato", "cocco grattugiato", "carne tritata", "formaggio fuso"],
    full: &["raso", "rasi", "colmo", "colmi", "scarso", "scarsi", "abbondante", "abbondanti"],
    ends: &[
        "per", "di circa", "da circa", "a temperatura", "a piacere", "a gusto", "tagliato a",
        "tagliata a", "tagliati a", "tagliate a", "come", "circa", "oppure", "di cui", "a dadini",
        "a cubetti", "a fette", "a rondelle", "a pezzetti", "a pezzi", "a piacimento", "se serve",
        "facoltativo", "più", "tipo", "in alternativa", "ben fredda", "ben freddo", "+",
    ],
    parts: &["succo", "scorza", "buccia"],
    behind: &[],
    ..NONE
};

#[rustfmt::skip]
pub(super) const SPANISH: Words = Words {
    numbers: &[
        ("medio", 1, 2), ("media", 1, 2), ("un cuarto de", 1, 4), ("un cuarto", 1, 4), ("un", 1, 1),
        ("uno", 1, 1), ("una", 1, 1), ("dos", 2, 1), ("tres", 3, 1), ("cuatro", 4, 1),
        ("cinco", 5, 1), ("seis", 6, 1), ("siete", 7, 1), ("ocho", 8, 1), ("nueve", 9, 1),
        ("diez", 10, 1), ("doce", 12, 1),
    ],
    articles: &[
        "el", "la", "los", "las", "unos", "unas", "algunas", "algunos", "un poco de",
        "un poquito de", "poco de",
    ],
    ranges: &["a", "o", "ó"],
    plus: &["más", "y"],
    or: &["o", "u", "y/o"],
    and: &["y", "e", "&"],
    about: &[
        "aproximadamente", "aprox", "unos", "unas", "rasa", "rasas", "colmada", "colmadas", "buen",
        "buena", "generosa", "generoso", "pequeño", "pequeña", "pequeños", "pequeñas", "grande",
        "grandes", "casi", "escasa", "escaso",
    ],
    of: &["de", "del", "de la", "de los", "de las"],
    elisions: &[],
    sizes: &[
        "grande", "grandes", "pequeño", "pequeña", "pequeños", "pequeñas", "mediano", "mediana",
        "medianos", "medianas", "gordo", "gorda", "gordos", "gordas",
    ],
    sizes_of_weighed: false,
    vague: &[
        "pizca", "puñado", "chorro", "chorrito", "hoja", "hojas", "rama", "ramas", "ramita",
        "ramitas", "rodaja", "rodajas", "diente", "gotas", "manojo",
    ],
    before: &[],
    adverbs: &["finamente", "muy", "recién"],
    after: &[
        "picado", "picada", "picados", "picadas", "troceado", "troceada", "troceados", "troceadas",
        "cortado", "cortada", "cortados", "cortadas", "pelado", "pelada", "pelados", "peladas",
        "rallado", "rallada", "rallados", "ralladas", "fundida", "fundido", "derretida",
        "derretido", "batido", "batidos", "laminado", "laminados", "laminadas", "escurrido",
        "escurridos", "escurridas", "opcional", "exprimido",
    ],
    products: &["pan rallado", "coco rallado", "queso rallado", "carne picada"],
    full: &["rasa", "rasas", "colmada", "colmadas"],
    ends: &[
        "para", "al gusto", "a gusto", "cortado en", "cortada en", "cortados en", "cortadas en",
        "en rodajas", "en trozos", "en dados", "en cubos", "en juliana", "en láminas", "como",
        "opcional", "a temperatura", "aproximadamente", "aprox", "si se", "por ejemplo", "más",
        "según", "o al gusto", "o más",
    ],
    parts: &["zumo", "jugo", "ralladura", "piel"],
    behind: &[],
    ..NONE
};

#[rustfmt::skip]
pub(super) const PORTUGUESE: Words = Words {
    numbers: &[
        ("meio", 1, 2), ("meia", 1, 2), ("um quarto", 1, 4), ("um", 1, 1), ("uma", 1, 1),
        ("dois", 2, 1), ("duas", 2, 1), ("três", 3, 1), ("quatro", 4, 1), ("cinco", 5, 1),
        ("seis", 6, 1), ("sete", 7, 1), ("oito", 8, 1), ("nove", 9, 1), ("dez", 10, 1),
        ("doze", 12, 1),
    ],
    articles: &["o", "a", "os", "as", "alguns", "algumas", "um pouco de"],
    ranges: &["a", "ou"],
    plus: &["mais", "e"],
    or: &["ou", "e/ou"],
    and: &["e", "&"],
    about: &[
        "cerca de", "aproximadamente", "aprox", "rasa", "rasas", "cheia", "cheias", "bem cheia",
        "bem cheias", "pequeno", "pequena", "pequenos", "pequenas", "grande", "grandes", "boa",
    ],
    of: &["de", "do", "da", "dos", "das", "d'"],
    elisions: &["d'"],
    sizes: &[
        "grande", "grandes", "pequeno", "pequena", "pequenos", "pequenas", "médio", "média",
        "médios", "médias",
    ],
    sizes_of_weighed: false,
    vague: &[
        "q.b.", "pitada", "punhado", "fio", "folha", "folhas", "ramo", "ramos", "dente", "dentes",
        "gotas",
    ],
    before: &[],
    adverbs: &["finamente", "bem", "grosseiramente"],
    after: &[
        "picado", "picada", "picados", "picadas", "ralado", "ralada", "ralados", "raladas",
        "cortado", "cortada", "cortados", "cortadas", "fatiado", "fatiada", "fatiados", "fatiadas",
        "picadinho", "picadinha", "picadinhos", "derretido", "derretida", "descascado",
        "descascada", "descascados", "descascadas", "espremido", "espremidos", "espremida",
        "escorrido", "escorridos", "escorrida", "batido", "batidos", "opcional", "amassado",
        "amassados", "amassada",
    ],
    products: &["coco ralado", "queijo ralado", "carne picada", "pão ralado", "carne moída"],
    full: &["rasa", "rasas", "cheia", "cheias", "bem cheia", "bem cheias"],
    ends: &[
        "a gosto", "para", "p/", "cortado em", "cortada em", "cortados em", "cortadas em",
        "em cubos", "em rodelas", "em fatias", "em pedaços", "em tiras", "em temperatura",
        "à temperatura", "como", "opcional", "o quanto", "até", "se necessário", "sem pele",
        "sem casca", "com casca", "sem semente", "sem sementes",
    ],
    parts: &["suco", "sumo", "raspas", "casca"],
    behind: &[],
    ..NONE
};
