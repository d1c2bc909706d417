//! Reads a recipe from a page. Where to start:
//! 1. [`read`]: a page's HTML to a [`Recipe`], or why there is none.
//! 2. `html` takes a page apart, `page` finds the data that a page carries for machines (JSON-LD, schema.org's `Recipe`), `graph`
//!    the recipe in it, wherever it stands.
//! 3. `method`, `servings`, `duration` and `text` read its parts, each in the shapes that pages give
//!    them.
//!
//! Nothing is made up: what a page does not say stays absent, and [`Recipe::missing`] names it. What
//! comes out is text without markup, and no address of the page's data is followed.

mod duration;
mod graph;
mod html;
mod method;
mod page;
mod servings;
mod text;

use serde::Serialize;

pub use servings::Servings;

/// The longest page that is read, in bytes.
pub const PAGE_BYTES_MAX: usize = 4 << 20;
/// The most lines of ingredients, and the most steps, that a recipe may have.
pub const LINES_MAX: usize = 300;
/// The longest line of an ingredient or a title, in bytes; a step may be ten times as long.
pub const LINE_BYTES_MAX: usize = 2_000;

/// A recipe as its page tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// What it is called.
    pub title: String,
    /// How much it makes; absent if the page does not say.
    pub servings: Option<Servings>,
    /// How long it takes; a time that is not told is absent.
    pub minutes: Minutes,
    /// One line for each ingredient, as it is written.
    pub ingredients: Vec<String>,
    /// The method, step by step.
    pub steps: Vec<String>,
}

/// Times in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Minutes {
    /// Getting things ready.
    pub prep: Option<u32>,
    /// On the stove or in the oven.
    pub cook: Option<u32>,
    /// From beginning to end; the sum of the others if the page gives no total.
    pub total: Option<u32>,
}

/// Why there is no recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRecipe {
    /// The page is longer than [`PAGE_BYTES_MAX`].
    PageTooLong,
    /// The page carries no recipe for machines.
    NoneThere,
    /// It has more lines or longer ones than a recipe has.
    TooLong,
}

/// A part of a recipe that its page does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The lines of ingredients.
    Ingredients,
    /// The method.
    Steps,
}

/// Reads the recipe of a page. If there are several, it is the first that has ingredients.
///
/// # Errors
/// Why there is none.
pub fn read(html: &str) -> Result<Recipe, NoRecipe> {
    if html.len() > PAGE_BYTES_MAX {
        return Err(NoRecipe::PageTooLong);
    }
    let page = page::read(html);
    let found = page.data.iter().flat_map(graph::recipes);
    let mut recipes =
        found.map(|it| graph::Found::of(it, &page.title)).filter(graph::Found::is_one);
    let first = recipes.next().ok_or(NoRecipe::NoneThere)?;
    let found = if first.ingredients.is_empty() {
        recipes.find(|it| !it.ingredients.is_empty()).unwrap_or(first)
    } else {
        first
    };
    found.recipe()
}

impl Recipe {
    /// What its page does not have, and a person may want to add.
    pub fn missing(&self) -> impl Iterator<Item = Part> {
        let ingredients = self.ingredients.is_empty().then_some(Part::Ingredients);
        ingredients.into_iter().chain(self.steps.is_empty().then_some(Part::Steps))
    }
}
