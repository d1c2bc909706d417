//! What a person sees, as data: pure projections of what the driver holds, tested natively.

pub mod command;
pub mod scene;
