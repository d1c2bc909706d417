//! Recorded cases, judged against the real code. Each kind of case is one module with one `run`.

pub mod audit;
pub mod items;
pub mod lines;
pub mod recipes;
pub mod report;
pub mod scenarios;
pub mod streams;
pub mod tools;
pub mod utterances;
