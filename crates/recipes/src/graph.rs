//! The recipes in a page's data: at its top, in a list, in `@graph`, or as what another thing is
//! about.

use serde_json::{Map, Value};

use crate::servings::{self, Servings};
use crate::{LINE_BYTES_MAX, LINES_MAX, Minutes, NoRecipe, Recipe};
use crate::{duration, method, text};

/// How deep a recipe may lie in the data.
const DEPTH_MAX: usize = 12;

/// All recipes in the data, in its order.
pub(crate) fn recipes(data: &Value) -> Vec<&Map<String, Value>> {
    let mut found = Vec::new();
    collect(data, DEPTH_MAX, &mut found);
    found
}

fn collect<'a>(value: &'a Value, depth: usize, found: &mut Vec<&'a Map<String, Value>>) {
    if depth == 0 {
        return;
    }
    match value {
        Value::Array(all) => all.iter().for_each(|it| collect(it, depth - 1, found)),
        Value::Object(object) if is_recipe(object) => found.push(object),
        Value::Object(object) => object.values().for_each(|it| collect(it, depth - 1, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Its type is `Recipe`, alone or among others, with or without schema.org's address before it.
fn is_recipe(object: &Map<String, Value>) -> bool {
    let names = |it: &Value| {
        it.as_str().is_some_and(|it| it.rsplit(['/', '#', ':']).next() == Some("Recipe"))
    };
    match object.get("@type") {
        Some(Value::Array(types)) => types.iter().any(names),
        Some(one) => names(one),
        None => false,
    }
}

/// A recipe as it was found.
pub(crate) struct Found {
    title: String,
    servings: Option<Servings>,
    minutes: Minutes,
    pub(crate) ingredients: Vec<String>,
    steps: Vec<String>,
}

impl Found {
    /// Reads what was found. A recipe without a name has that of its page.
    pub(crate) fn of(object: &Map<String, Value>, page_title: &str) -> Self {
        let first =
            |keys: &[&str]| keys.iter().find_map(|key| object.get(*key)).filter(|it| !it.is_null());
        let minutes =
            |keys: &[&str]| first(keys).and_then(Value::as_str).and_then(duration::minutes);
        let (prep, cook) = (minutes(&["prepTime"]), minutes(&["cookTime", "performTime"]));
        let given = prep.into_iter().chain(cook).reduce(u32::saturating_add);
        let total = minutes(&["totalTime"]).or(given);
        let title = first(&["name", "headline"]).and_then(Value::as_str).map(text::line);
        Self {
            title: title.filter(|it| !it.is_empty()).unwrap_or_else(|| page_title.to_owned()),
            servings: first(&["recipeYield", "yield"]).and_then(servings::servings),
            minutes: Minutes { prep, cook, total },
            ingredients: first(&["recipeIngredient", "ingredients"]).map(lines).unwrap_or_default(),
            steps: first(&["recipeInstructions"]).map(method::steps).unwrap_or_default(),
        }
    }

    /// Whether it says anything of a dish: some pages carry an empty one beside the one they mean.
    pub(crate) fn is_one(&self) -> bool {
        let is_told = self.servings.is_some() || self.minutes != Minutes::default();
        !self.ingredients.is_empty() || !self.steps.is_empty() || is_told
    }

    /// The recipe, if it is of a recipe's size.
    pub(crate) fn recipe(self) -> Result<Recipe, NoRecipe> {
        let Self { title, servings, minutes, ingredients, steps } = self;
        let short = |line: &String| line.len() <= LINE_BYTES_MAX;
        let fits = short(&title)
            && ingredients.len() <= LINES_MAX
            && ingredients.iter().all(short)
            && steps.len() <= LINES_MAX
            && steps.iter().all(|step| step.len() <= LINE_BYTES_MAX * 10);
        let recipe = Recipe { title, servings, minutes, ingredients, steps };
        fits.then_some(recipe).ok_or(NoRecipe::TooLong)
    }
}

/// The lines of ingredients: a list of texts or of things with a name, or one text.
fn lines(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text::lines(text),
        Value::Array(all) => all.iter().flat_map(one).collect(),
        Value::Object(_) => one(value).into_iter().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn one(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text::line(text),
        Value::Object(object) => {
            let part = |key: &str| object.get(key).and_then(Value::as_str).map(text::line);
            let whole = part("text").or_else(|| part("item"));
            let parts = [part("amount"), part("name")];
            whole.unwrap_or_else(|| parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    Some(text).filter(|it| !it.is_empty())
}
