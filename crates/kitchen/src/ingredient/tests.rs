//! What a line is taken apart into.

use super::*;

/// The name, the quantity as a list has it, the size of a package and the note.
#[track_caller]
fn check(language: Language, line: &str, name: &str, quantity: &str, note: &str) {
    let read = Ingredient::read(line, language);
    let written = (read.name.as_str(), read.quantity().to_string(), read.note.as_str());
    assert_eq!(written, (name, quantity.to_owned(), note), "{line}");
}

#[test]
fn an_english_line_is_an_amount_a_name_and_a_note() {
    let check = |line, name, quantity, note| check(Language::English, line, name, quantity, note);
    check("2 cups flour", "flour", "2 cups", "");
    check("½ jalapeño, chopped", "jalapeño", "1/2", "chopped");
    check("3 to 4 tablespoons butter", "butter", "3–4 tbsp", "");
    check("Salt to taste", "Salt", "", "to taste");
    check("2 tbsp plus 2 tsp coarse salt", "coarse salt", "2 2/3 tbsp", "");
    check("15 garlic cloves, peeled", "garlic", "15 cloves", "peeled");
    check("Juice of 2 lemons", "lemons", "2", "");
    check("mac and cheese", "mac and cheese", "", "");
    check("half and half", "half and half", "", "");
    check("1 cup half and half", "half and half", "1 cup", "");
    check("4 whole cloves", "whole cloves", "4", "");
    check("1 (14 oz) can diced tomatoes", "diced tomatoes", "1 can", "");
    check("One 15 oz (420g) can lentils", "lentils", "1 can", "");
    check("2–3 cloves", "cloves", "2–3", "");
    check("4 centre cut fillet steaks", "centre cut fillet steaks", "4", "");
    check("milk 0.5 l", "milk", "0.5 l", "");
    check("1,000 g rice", "rice", "1 kg", "");
    check("0.667 cup vinegar", "vinegar", "2/3 cup", "");
    check("70g/21/2oz butter", "butter", "70 g", "");
    check("2 tbsp plus 1 tsp/45 grams honey", "honey", "2 1/3 tbsp", "");
    check("1.5kg/3lb 5oz chicken", "chicken", "1.5 kg", "");
    check("2 tbsp (25 ml) butter 25 ml", "butter", "2 tbsp", "25 ml");
    check("½–1 tsp chilli", "chilli", "1/2–1 tsp", "");
    check("2–3 cups (375g) frozen strawberries", "frozen strawberries", "2–3 cups", "");
}

#[test]
fn other_languages_are_read_by_their_own_words() {
    check(Language::German, "4 TL Puderzucker", "Puderzucker", "4 TL", "");
    check(Language::German, "1.000 g Mehl", "Mehl", "1 kg", "");
    check(Language::German, "200 g g Feta", "Feta", "200 g", "");
    check(Language::Dutch, "1,5 tl vanille-extract", "vanille-extract", "1 1/2 tl", "");
    check(Language::French, "2 cuillères à soupe d’huile", "huile", "2 c. à soupe", "");
    check(Language::French, "Pomme(s) de terre : 300 g", "Pomme(s) de terre", "300 g", "");
    check(Language::French, "1 sachet de 50 g (2 oz) de soupe", "soupe", "1 sachet", "");
    check(Language::Dutch, "50 +150 gr suiker", "suiker", "200 g", "");
    check(Language::French, "100 g de petits pois", "petits pois", "100 g", "");
    check(Language::Italian, "sale q.b.", "sale", "", "");
    check(Language::Italian, "200/250 g di Fontina", "Fontina", "200–250 g", "");
    check(Language::Spanish, "20g Pan rallado", "Pan rallado", "20 g", "");
    check(Language::Portuguese, "⅔ de xícara (chá) de lentilha", "lentilha", "2/3 xícara", "");
    check(Language::Japanese, "砂糖 50g", "砂糖", "50 g", "");
    check(Language::Japanese, "ナス ２個", "ナス", "2 個", "");
    check(Language::Japanese, "カレー粉 大さじ1と1/2", "カレー粉", "1 1/2 大さじ", "");
    check(Language::Chinese, "一个半 番茄", "番茄", "1 1/2 个", "");
    check(Language::Hungarian, "30 dkg Dió darált", "Dió darált", "30 dkg", "");
}

#[test]
fn several_amounts_say_how_they_belong_together() {
    let relation = |line| Ingredient::read(line, Language::English).relation;
    assert_eq!(relation("300g/10½oz rhubarb"), Some(Relation::Alternatives));
    assert_eq!(relation("3lb 5oz chicken"), Some(Relation::Sum));
    assert_eq!(relation("1.5kg/3lb 5oz chicken"), Some(Relation::Mixed));
    let cans = Ingredient::read("4 x 400g/14oz cans tomatoes", Language::English);
    let sizes: Vec<_> = cans.package.iter().map(|it| (it.number(), it.unit())).collect();
    assert_eq!(sizes, [(Some(400.into()), Some("g")), (Some(14.into()), Some("oz"))]);
    assert_eq!(cans.quantity().to_string(), "4 cans");
}

#[test]
fn what_is_not_understood_stays_in_the_name() {
    for line in ["", "   ", "*", "12", "(", ")", "½", "1/0", "x", "cups", "of", "1 (", "'", "🥚"]
    {
        let read = Ingredient::read(line, Language::English);
        assert_eq!(read.name, line.trim(), "{line:?}");
    }
    let long = "a".repeat(LINE_MAX + 1);
    assert_eq!(Ingredient::read(&long, Language::English).name, long);
}
