//! What must not be achieved, one test for each threat, each named after its row.

mod asking;
mod binding;
mod shown;
mod silence;
