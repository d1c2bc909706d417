//! Copies of the optimised page that differ from it as a newer build or a broken one would.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use crate::files;

/// A copy of the optimised page.
pub struct Build {
    root: TempDir,
    folder: String,
}

impl Build {
    /// A copy that differs in nothing but its name, which is another for each.
    ///
    /// # Panics
    ///
    /// The optimised page is not as it is built.
    #[must_use]
    pub fn another() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let folder = format!("{:016x}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let page = files::page();
        let original = folder_of(&page);
        let root = TempDir::with_prefix("page-").expect("a folder for a page");
        let path = root.path().join(&folder);
        fs::create_dir(&path).expect("a folder for the build");
        for name in names(&page.join(&original)) {
            fs::copy(page.join(&original).join(&name), path.join(&name)).expect("a file");
        }
        let index = fs::read_to_string(page.join("index.html")).expect("the page itself");
        let index = index.replace(&original, &folder);
        fs::write(root.path().join("index.html"), index).expect("the page can be written");
        Self { root, folder }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// The files of the build, by their names.
    #[must_use]
    pub fn names(&self) -> BTreeSet<String> {
        names(&self.path().join(&self.folder))
    }

    /// Lacks a file.
    ///
    /// # Panics
    ///
    /// There is no such file.
    #[must_use]
    pub fn lacking(self, name: &str) -> Self {
        fs::remove_file(self.file(name)).expect("the file is there");
        self
    }

    /// Has a file again as it was built.
    ///
    /// # Panics
    ///
    /// No such file was built.
    pub fn mend(&self, name: &str) {
        let page = files::page();
        let original = page.join(folder_of(&page)).join(name);
        fs::copy(original, self.file(name)).expect("the file was built");
    }

    /// Loses the second half of a file.
    #[must_use]
    pub fn cut(self, name: &str) -> Self {
        self.with(name, |bytes| bytes.get(..bytes.len() / 2).unwrap_or_default().to_vec())
    }

    /// Has a fault in every function of a wasm file.
    #[must_use]
    pub fn faulty(self, name: &str) -> Self {
        self.with(name, |bytes| faulty(bytes).expect("the file is wasm"))
    }

    fn with(self, name: &str, change: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        let file = self.file(name);
        let bytes = fs::read(&file).expect("there is such a file");
        fs::write(&file, change(&bytes)).expect("the file can be written");
        self
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(&self.folder).join(name)
    }
}

fn folder_of(page: &Path) -> String {
    let is_hash = |name: &String| name.len() == 16 && !name.contains('.');
    names(page).into_iter().find(is_hash).expect("the page has a folder for its build")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("the optimised page can be read");
    entries.map(|it| it.expect("a file").file_name().to_string_lossy().into_owned()).collect()
}

/// A module with the same functions, each of which is a trap at once.
fn faulty(module: &[u8]) -> Option<Vec<u8>> {
    const CODE: u8 = 10;
    /// No locals, `unreachable`, `end`, behind the length of the three.
    const TRAP: [u8; 4] = [3, 0, 0, 0x0b];
    let (start, mut rest) = module.split_at_checked(8)?;
    let mut changed = start.to_vec();
    while let Some((id, after)) = rest.split_first() {
        let (length, after) = number(after)?;
        let (section, next) = after.split_at_checked(length)?;
        let mut section = section.to_vec();
        if *id == CODE {
            let functions = number(&section)?.0;
            section = [bytes(functions), TRAP.repeat(functions)].concat();
        }
        changed.push(*id);
        changed.extend(bytes(section.len()));
        changed.extend(section);
        rest = next;
    }
    Some(changed)
}

/// A number in wasm's form (LEB128) and what follows it.
fn number(from: &[u8]) -> Option<(usize, &[u8])> {
    let length = from.iter().position(|byte| byte & 0x80 == 0)? + 1;
    let (digits, rest) = from.split_at_checked(length)?;
    let number = digits.iter().rev().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f));
    Some((number, rest))
}

/// A number in that form.
fn bytes(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.extend(u8::try_from(number & 0x7f).map(|low| low | 0x80));
        number >>= 7;
    }
    bytes.extend(u8::try_from(number));
    bytes
}
