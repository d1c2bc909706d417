//! Pages with recipes: what is read of each, against what its data says.

use std::fs;
use std::path::Path;

use recipes::Recipe;
use serde::Deserialize;
use serde_json::Value;

use crate::report::Report;

/// A page and what is expected of it.
#[derive(Deserialize)]
struct Case {
    file: String,
    expect: Expected,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    title: String,
    total_minutes: Option<u32>,
    prep_minutes: Option<u32>,
    cook_minutes: Option<u32>,
    ingredients: Vec<String>,
    instruction_steps: Option<usize>,
    #[serde(rename = "yield")]
    servings: Option<Yield>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Yield {
    count: u32,
    count_max: Option<u32>,
    unit: String,
}

impl From<Recipe> for Expected {
    fn from(recipe: Recipe) -> Self {
        Self {
            title: recipe.title,
            total_minutes: recipe.minutes.total,
            prep_minutes: recipe.minutes.prep,
            cook_minutes: recipe.minutes.cook,
            ingredients: recipe.ingredients,
            instruction_steps: Some(recipe.steps.len()).filter(|steps| *steps > 0),
            servings: recipe.servings.map(|it| Yield {
                count: it.count,
                count_max: it.count_max,
                unit: it.unit,
            }),
        }
    }
}

/// Runs every page of a folder that its `expected.json` names.
#[must_use]
pub fn run(folder: &Path) -> Report {
    let mut report = Report::default();
    match cases(folder) {
        Ok(cases) => cases.into_iter().for_each(|case| judge(folder, case, &mut report)),
        Err(why) => report.fail(folder.display().to_string(), why),
    }
    report
}

fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let text = fs::read_to_string(folder.join("expected.json")).map_err(|it| it.to_string())?;
    let all: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    all.into_iter().map(|it| serde_json::from_value(it).map_err(|it| it.to_string())).collect()
}

fn judge(folder: &Path, case: Case, report: &mut Report) {
    let name = case.file.rsplit('/').next().unwrap_or_default();
    let read = fs::read_to_string(folder.join(name)).map_err(|error| error.to_string());
    let read = read.and_then(|html| recipes::read(&html).map_err(|error| format!("{error:?}")));
    match read.map(Expected::from) {
        Ok(found) if found == case.expect => report.pass(),
        Ok(found) => report.fail(name, format!("expected {:?}, found {found:?}", case.expect)),
        Err(why) => report.fail(name, why),
    }
}
