//! What a run of cases came to. No cases at all is a failure.

use std::fmt;

/// What a run of cases came to.
#[derive(Debug, Default)]
pub struct Report {
    passed: usize,
    failed: Vec<(String, String)>,
    skipped: Vec<(String, String)>,
    notes: Vec<String>,
}

impl Report {
    /// A case held.
    pub fn pass(&mut self) {
        self.passed += 1;
    }

    /// A case did not hold, and why.
    pub fn fail(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.failed.push((name.into(), why.into()));
    }

    /// A case was not run, and why.
    pub fn skip(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.skipped.push((name.into(), why.into()));
    }

    /// Something to be told before the last line.
    pub fn note(&mut self, line: impl Into<String>) {
        self.notes.push(line.into());
    }

    /// Whether every case that was run held, and at least one was run.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.failed.is_empty() && self.passed > 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, why) in &self.skipped {
            writeln!(f, "skipped {name}: {why}")?;
        }
        for (name, why) in &self.failed {
            writeln!(f, "FAILED {name}: {why}")?;
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        let (failed, skipped) = (self.failed.len(), self.skipped.len());
        if self.passed + failed + skipped == 0 {
            writeln!(f, "no cases were found")?;
        }
        writeln!(f, "{} passed, {failed} failed, {skipped} skipped", self.passed)
    }
}
