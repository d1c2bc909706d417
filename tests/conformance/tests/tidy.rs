//! The house rules that no compiler holds: arrows between packages, sizes, leftovers, pairs of names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Lines a file of code may have before it is asked for its second noun.
const LINES_MAX: usize = 450;

/// What each package may use of the workspace.
const ARROWS: [(&str, &[&str]); 8] = [
    ("agent", &[]),
    ("kitchen", &["agent"]),
    ("recipes", &[]),
    ("wire", &["agent"]),
    ("builtin", &["agent", "kitchen"]),
    ("store", &["agent", "kitchen"]),
    ("view", &["agent", "kitchen", "store"]),
    ("proxy", &["agent", "builtin", "wire"]),
];

/// All that the loop may use of others; the last in its tests alone.
const AGENT_USES: [&str; 4] = ["serde", "serde_json", "sha2", "proptest"];

/// What the rooms of the page may not use: screens know no stores, no wires and not who drives them,
/// and who drives knows no screens.
const ROOMS: [(&str, &[&str]); 2] = [
    ("src/ui", &["store::", "wire::", "crate::driver", "crate::database"]),
    ("src/driver", &["leptos", "crate::ui"]),
];

/// Crates that know a browser; the page alone may name them.
const BROWSER: [&str; 5] = ["gloo", "js-sys", "leptos", "wasm-bindgen", "web-sys"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below a folder of the project with one of these endings, with its text.
fn files(folder: &str, endings: &[&str]) -> io::Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            let built = ["target", "node_modules", "dist", "."]
                .iter()
                .any(|start| shown.rsplit('/').next().is_some_and(|name| name.starts_with(start)));
            if path.is_dir() {
                folders.extend((!built).then_some(path));
            } else if endings.iter().any(|ending| shown.ends_with(ending)) {
                found.insert(shown, fs::read_to_string(&path)?);
            }
        }
    }
    assert!(!found.is_empty(), "{folder} holds no {endings:?}");
    Ok(found)
}

/// The names under every heading of dependencies in a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]") && !line.starts_with("[workspace");
        } else if inside && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            names.extend(line.split(['.', '=', ' ']).next().map(str::to_owned));
        }
    }
    names
}

#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn packages_use_only_what_their_arrows_allow() -> io::Result<()> {
    let mut faults = Vec::new();
    for (package, allowed) in ARROWS {
        let manifest = root().join("crates").join(package).join("Cargo.toml");
        for name in dependencies(&fs::read_to_string(manifest)?) {
            let ours = ARROWS.iter().any(|(it, _)| *it == name);
            let foreign = package == "agent" && !AGENT_USES.contains(&name.as_str());
            if (ours || foreign) && !allowed.contains(&name.as_str()) {
                faults.push(format!("{package} must not use {name}"));
            }
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn every_package_has_its_arrows() -> io::Result<()> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(root().join("crates"))? {
        let name = entry?.file_name().display().to_string();
        if !ARROWS.iter().any(|(package, _)| *package == name) {
            faults.push(format!("crates/{name} has no arrows"));
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn the_page_alone_knows_a_browser() -> io::Result<()> {
    let mut faults = Vec::new();
    for (path, manifest) in
        files("crates", &["Cargo.toml"])?.into_iter().chain(files("tests", &["Cargo.toml"])?)
    {
        for name in dependencies(&manifest) {
            if BROWSER.iter().any(|start| name.starts_with(start)) {
                faults.push(format!("{path} must not name {name}"));
            }
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn the_rooms_of_the_page_use_only_what_their_arrows_allow() -> io::Result<()> {
    let mut faults = Vec::new();
    for (room, foreign) in ROOMS {
        for (path, text) in files(room, &[".rs"])? {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let words = code.split(|it: char| !(it.is_alphanumeric() || "_:".contains(it)));
                let found =
                    words.filter_map(|word| foreign.iter().find(|it| word.starts_with(**it)));
                faults.extend(found.map(|it| format!("{path}:{} uses {it}", number + 1)));
            }
        }
    }
    none(&faults);
    Ok(())
}

/// A page under Trusted Types takes no markup as text, and Leptos' macro makes such of nested tags.
#[test]
fn the_page_is_written_with_builder_functions() -> io::Result<()> {
    let words = ["view!", "inner_html", "insert_adjacent_html", "outer_html"];
    let mut faults = Vec::new();
    for (path, text) in files("src", &[".rs"])? {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let found = words.iter().find(|word| code.contains(**word));
            faults.extend(found.map(|word| format!("{path}:{}: {word}", number + 1)));
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn a_file_is_one_noun() -> io::Result<()> {
    let mut faults = Vec::new();
    for (path, text) in files("src", &[".rs"])?.into_iter().chain(files("crates", &[".rs"])?) {
        let lines = text.lines().count();
        if lines > LINES_MAX {
            faults.push(format!("{path} has {lines} lines, {LINES_MAX} are allowed"));
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn a_file_says_its_job_first() -> io::Result<()> {
    let mut faults = Vec::new();
    for folder in ["src", "crates", "tests"] {
        for (path, text) in files(folder, &[".rs"])? {
            if !text.starts_with("//! ") {
                faults.push(format!("{path} does not say its job in the first line"));
            }
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn nothing_is_left_for_later() -> io::Result<()> {
    // In two halves, so that this file holds none of them.
    let words = [("TO", "DO"), ("FIX", "ME"), ("todo", "!("), ("dbg", "!("), ("#[ign", "ore")];
    let words = words.map(|(first, second)| format!("{first}{second}"));
    let mut faults = Vec::new();
    for folder in ["src", "crates", "tests", "scripts", "style"] {
        let endings = [".rs", ".js", ".mjs", ".css", ".sh", ".html", ".toml", ".md"];
        for (path, text) in files(folder, &endings)? {
            for (number, line) in text.lines().enumerate() {
                let found = words.iter().find(|word| line.contains(word.as_str()));
                faults.extend(found.map(|word| format!("{path}:{}: {word}", number + 1)));
            }
        }
    }
    none(&faults);
    Ok(())
}

#[test]
fn a_style_belongs_to_the_part_of_the_page_with_its_name() -> io::Result<()> {
    let mut faults = Vec::new();
    for path in files("style", &[".css"])?.into_keys() {
        let name = path.trim_start_matches("../").rsplit_once("style/").map_or("", |(_, it)| it);
        let name = name.trim_end_matches(".css");
        let part = root().join("src/ui").join(format!("{name}.rs"));
        if !["tokens", "base"].contains(&name) && !part.exists() {
            faults.push(format!("style/{name}.css has no src/ui/{name}.rs"));
        }
    }
    none(&faults);
    Ok(())
}

/// The page has every style, from the start or with the part it is for; and the screens are tried
/// with those it has from the start, in the same order.
#[test]
fn every_style_is_loaded_once_and_the_screens_are_tried_with_those_of_the_page() -> io::Result<()> {
    let styles = |file: &str| -> io::Result<Vec<String>> {
        let text = fs::read_to_string(root().join(file))?;
        let named = text.split('"').filter(|it| it.ends_with(".css"));
        Ok(named.map(|it| it.trim_start_matches("../").to_owned()).collect())
    };
    let mut loaded = styles("index.html")?;
    assert_eq!(styles("tests/web/ui/page.rs")?, loaded);
    loaded.extend(styles("src/ui/later.rs")?);
    loaded.sort();
    let there = files("style", &[".css"])?.into_keys();
    let there: Vec<_> = there.map(|it| it.trim_start_matches("../").to_owned()).collect();
    assert_eq!(loaded, there);
    Ok(())
}
