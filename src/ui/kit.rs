//! Plain parts that know nothing of agents.

pub(crate) mod button;
pub(crate) mod download;
pub(crate) mod el;
pub(crate) mod icon;
pub(crate) mod listen;
pub(crate) mod marked;
pub(crate) mod react;
pub(crate) mod resize;
pub(crate) mod style;
pub(crate) mod time;
