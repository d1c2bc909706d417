//! What must not be achieved, one test for each threat.

mod asking;
mod binding;
mod shown;
mod silence;
