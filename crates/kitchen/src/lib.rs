//! The household: plain values and the tools on them. No browser, no network, no clock.
//!
//! Where to start:
//! 1. [`Household`]: the shopping list, changed by hand with [`Household::edit`] and taken back
//!    with [`Household::undo`].
//! 2. [`quantity`] and [`item`]: what adds up to what, and when two names mean the same thing.
//! 3. [`ingredient`]: a line of a recipe, taken apart.
//! 4. [`tools`]: what a model may call, one file for each tool.

pub mod aisle;
pub mod card;
mod change;
mod household;
pub mod ingredient;
pub mod item;
mod kitchen_agent;
mod language;
mod policy;
pub mod quantity;
pub mod shopping;
mod tools;

pub use change::{Change, ChangeId, LineChange, difference};
pub use household::{Edit, Household, Line, LineId};
pub use kitchen_agent::agent;
pub use language::Language;
pub use policy::policy;
pub use tools::all as tools;

pub use card::title;
