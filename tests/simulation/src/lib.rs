//! One household in miniature, driven by a seed: the real loop and the real tools of the kitchen,
//! with a store, a model, a person and a clock that do what they should not. Where to start:
//! 1. [`world`]: what there is, and the ways anything can happen to it.
//! 2. [`schedule`]: one seed, one order of things, up to the point where nothing is left to do.
//! 3. [`violation`], [`checker`] and [`witness`]: what must hold after every step, judged by what was really
//!    shown, said, recorded and run, and not by what the session says of itself.
//! 4. [`exhaustive`]: two calls and every order of a few events; [`interleaved`]: the same two calls
//!    in two tabs, and every order of their steps; [`faults`]: every single fault and
//!    every pair of faults.
//! 5. [`mutant`]: mistakes planted around the product, each of which must be found, as must those in
//!    the product itself ([`agent::mistake`]).

pub mod agents;
pub mod checker;
pub mod coverage;
pub mod database;
pub mod exhaustive;
pub mod far_side;
pub mod faults;
pub mod interleaved;
pub mod kind;
pub mod model;
pub mod mutant;
pub mod person;
pub mod schedule;
pub mod seeds;
pub mod stream;
pub mod tab;
pub mod tools;
pub mod twin;
pub mod violation;
pub mod way;
pub mod witness;
pub mod world;
