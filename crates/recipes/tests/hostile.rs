//! Pages that mean no good: an error or plain text, and never a panic.

use recipes::{LINES_MAX, NoRecipe, PAGE_BYTES_MAX, Part, read};
use serde_json::{Value, json};

fn page(data: &Value) -> String {
    let data = data.to_string().replace("</", "<\\/");
    format!("<title>Soup</title><script type=\"application/ld+json\">{data}</script>")
}

fn recipe(ingredients: &[&str]) -> Value {
    json!({ "@type": "Recipe", "name": "Soup", "recipeIngredient": ingredients })
}

#[test]
fn a_page_without_a_recipe_has_none() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = format!("<script type=\"application/ld+json\">{deep}</script>");
    for html in [
        "",
        "<html>",
        "\0\u{FEFF}",
        "{\"@type\":\"Recipe\"}",
        "<script type='application/ld+json'>{\"@type\":\"Recipe\"}</script>",
        "<script type='application/ld+json'>null</script>",
        "<script>{\"@type\":\"Recipe\",\"recipeYield\":\"4\"}</script>",
        &deep,
    ] {
        assert_eq!(read(html), Err(NoRecipe::NoneThere), "{}", &html[..html.len().min(80)]);
    }
}

#[test]
fn a_page_or_a_recipe_that_is_too_long_is_not_read_in_part() {
    let long = "x".repeat(PAGE_BYTES_MAX + 1);
    assert_eq!(read(&long), Err(NoRecipe::PageTooLong));
    let eggs = ["egg"; LINES_MAX + 1];
    assert_eq!(read(&page(&recipe(&eggs))), Err(NoRecipe::TooLong));
    assert!(read(&page(&recipe(&eggs[1..]))).is_ok());
    let line = "x".repeat(3_000);
    assert_eq!(read(&page(&recipe(&[&line]))), Err(NoRecipe::TooLong));
}

#[test]
fn what_comes_out_is_text_without_markup() {
    let lines = [
        "<img src=x onerror=alert(1)>eggs",
        "<script>alert(1)</script>milk",
        "<a href='javascript:alert(1)'>flour</a>",
        "&lt;b&gt;butter&lt;/b&gt;",
        "<svg><style><img src=x>salt",
    ];
    let read = read(&page(&recipe(&lines))).unwrap();
    assert_eq!(read.ingredients, ["eggs", "milk", "flour", "butter"]);
}

#[test]
fn tags_within_tags_without_end_are_read_like_any() {
    let deep = format!("{}eggs", "<b>".repeat(50_000));
    let lines = [deep.as_str()];
    assert_eq!(read(&page(&recipe(&lines))).unwrap().ingredients, ["eggs"]);
    let html = format!("{}{}", "<div>".repeat(100_000), page(&recipe(&["eggs"])));
    assert_eq!(read(&html).unwrap().ingredients, ["eggs"]);
}

#[test]
fn what_a_page_does_not_say_is_missing_and_not_made_up() {
    let data = json!({ "@type": "Recipe", "recipeYield": "4", "name": null });
    let read = read(&page(&data)).unwrap();
    assert_eq!((read.title.as_str(), read.minutes.total), ("Soup", None));
    assert_eq!(read.missing().collect::<Vec<_>>(), [Part::Ingredients, Part::Steps]);
}
