//! The app: the only code that knows Leptos or a browser. Where to start:
//! 1. [`driver`]: owns the conversation; everything that happens goes through its inbox.
//! 2. [`database`]: the browser's database, which the `store` crate keeps everything in.
//! 3. [`ui`]: what a person sees, and the one way back to the driver.
//! 4. [`stopped`]: whether the page has stopped, which `stop.js` sees to when the program in it fails.

pub mod database;
pub mod driver;
mod part;
pub mod stopped;
pub mod ui;
