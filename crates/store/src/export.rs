//! All records as one file of JSON lines that a person can keep and check without this program: the
//! first line says what the file is, where the records end and how the digests are made; then each
//! record has a line. Nothing reads such a file back into a store: a file can approve nothing.

use agent::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::chain::{Broken, Head, verify};
use crate::database::{Database, Row};
use crate::error::StoreError;
use crate::records::{self, Record, RecordRow};
use crate::succession::Succession;
use crate::{Store, body};

/// The format's name.
pub const FORMAT: &str = "kitchen-assistant-audit";

/// The format's version that is written and read.
pub const VERSION: u32 = 1;

/// The longest line there is, in bytes: a record holds names and digests, no arguments.
pub const LINE_BYTES_MAX: usize = 1 << 20;

const HOW: &str = "A record's digest is the SHA-256, in hexadecimal, over three parts: the digest of \
    the record before it as text (nothing for the first), its number as 8 bytes big-endian, its body \
    as UTF-8. Before each part stands its length in bytes, as 8 bytes big-endian.";

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    /// Where the records end.
    head: Head,
    /// In milliseconds since the epoch.
    exported_at: Timestamp,
    /// How the digests are made, for people.
    digests: String,
}

/// A line of the file that holds a record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    number: u64,
    body: String,
    digest: String,
}

/// All records as one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The file.
    pub text: String,
    /// How many records it holds.
    pub records: usize,
    /// The first place where the records are not what was written. They are in the file as they are.
    pub broken: Option<Broken>,
}

impl<D: Database> Store<D> {
    /// Writes all records as one file, and holds them against the chain.
    ///
    /// # Errors
    /// As the database.
    pub async fn export_records(&self, now: Timestamp) -> Result<Export, StoreError> {
        let (rows, end) = self.all_records().await?;
        let broken = end.broken.or_else(|| verify(&Head::default(), &rows, &end.at).err());
        Ok(Export { text: write(&rows, end.at, now)?, records: rows.len(), broken })
    }
}

fn write(rows: &[RecordRow], head: Head, exported_at: Timestamp) -> Result<String, StoreError> {
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        head,
        exported_at,
        digests: HOW.to_owned(),
    };
    let mut text = body::write("the export", &header)?;
    for row in rows {
        text.push('\n');
        text.push_str(&body::write(RecordRow::WHAT, row)?);
    }
    text.push('\n');
    Ok(text)
}

/// What is wrong with a file, and where first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The record; absent if it is the file itself.
    pub place: Option<Place>,
    /// What is wrong.
    pub what: String,
}

/// The record that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub number: u64,
    /// Its tool and its time, as far as it can be read.
    pub about: Option<(String, Timestamp)>,
}

/// What a file that holds comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Where its records end.
    pub head: Head,
    /// How many of them are decisions.
    pub decisions: usize,
    /// How many of them are executions.
    pub executions: usize,
    /// How many of them are steps towards knowing what came of an execution.
    pub resolutions: usize,
    /// When it was written.
    pub exported_at: Timestamp,
}

/// Checks a file line by line, without holding it whole.
#[derive(Debug)]
pub struct Checker {
    header: Header,
    last: Head,
    /// The last record, for a fault that shows only at the end.
    place: Option<Place>,
    succession: Succession,
}

impl Checker {
    /// Begins with the first line.
    ///
    /// # Errors
    /// If it is not the first line of an export that this program reads.
    pub fn begin(line: &str) -> Result<Self, Fault> {
        let header: Header = serde_json::from_str(line).map_err(|error| {
            of_file(format!("the first line is not that of an export: {error}"))
        })?;
        if header.format != FORMAT {
            return Err(of_file(format!("it is a file of the format {:?}", header.format)));
        }
        if header.version != VERSION {
            let found = header.version;
            return Err(of_file(format!(
                "it is of version {found}; version {VERSION} is read here"
            )));
        }
        Ok(Self { header, last: Head::default(), place: None, succession: Succession::default() })
    }

    /// Takes the next line.
    ///
    /// # Errors
    /// If it does not hold the record that was written next, or that record cannot be.
    pub fn take(&mut self, line: &str) -> Result<(), Fault> {
        let expected = self.last.number + 1;
        let Line { number, body, digest } = serde_json::from_str(line).map_err(|error| {
            let place = Place { number: expected, about: None };
            Fault { place: Some(place), what: format!("its line cannot be read: {error}") }
        })?;
        let row = RecordRow { number, body, digest };
        let record = records::read(&row);
        let place = Place { number, about: record.as_ref().ok().map(about) };
        let fault = |what: String| Fault { place: Some(place.clone()), what };
        self.last.follow(&row).map_err(|broken| fault(broken.to_string()))?;
        let record = record.map_err(|error| fault(error.to_string()))?;
        self.succession.admit(number, record).map_err(fault)?;
        self.place = Some(place);
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the records do not end where the first line says.
    pub fn finish(self) -> Result<Checked, Fault> {
        let ends = self.last.stop(&self.header.head);
        ends.map_err(|broken| Fault { place: self.place, what: broken.to_string() })?;
        Ok(Checked {
            head: self.last,
            decisions: self.succession.decisions(),
            executions: self.succession.executions,
            resolutions: self.succession.resolutions,
            exported_at: self.header.exported_at,
        })
    }
}

fn of_file(what: String) -> Fault {
    Fault { place: None, what }
}

fn about(record: &Record) -> (String, Timestamp) {
    match record {
        Record::Decision(event) => (event.tool.clone(), event.decided_at),
        Record::Execution(event) => (event.tool.clone(), event.at),
        Record::Resolution(event) => (event.tool.clone(), event.at),
    }
}
