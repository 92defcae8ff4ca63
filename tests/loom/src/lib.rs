//! What gridmill's threads share, with loom's locks instead of std's. `cargo test` here tries the orders in which a few
//! threads can be scheduled, all of them where that is possible, and fails if one of them would wait forever.
//!
//! - `turns`: the turnstile and the gate of large chunks. `reading`: the blocks that are read ahead.
//! - `portions`: the loop of every run, with its queue and the memory for portions. `layouts`: the survey, in that loop.

#![cfg(test)]
#![allow(dead_code, reason = "what the models do not use")]

// The code of the program.
#[path = "../../../src/source/blocks.rs"]
mod blocks;
#[path = "../../../src/engine/driver/mod.rs"]
mod driver;
#[path = "../../../src/source/large.rs"]
mod large;
#[path = "../../../src/engine/driver/turns.rs"]
mod order;
#[path = "../../../src/engine/survey.rs"]
mod survey;

// What it uses, as far as it matters here.
mod error;
mod formats;
mod progress;
mod source;
mod threads;

mod layouts;
mod portions;
mod reading;
mod turns;
