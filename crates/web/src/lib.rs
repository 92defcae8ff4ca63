//! gridmill in WebAssembly: the core's strings and boards for JavaScript, which `gridmill.mjs` calls. No wasm-bindgen: what goes
//! over the border is bytes.
//!
//! - `exports`: the functions that JavaScript calls. Options and answers are JSON, and text.
//! - `memory`: the bytes that JavaScript writes, found by their addresses; `answer`: what it reads.
//! - `json`: values between them; `options`: what is asked for, under the names of the program's flags.
//! - `run`: a text in pieces of any size to the text that it becomes; `framed`, `lines`: how its strings stand in it; `put_back`: new ones in
//!   their place; `told`: what is said of them.
//! - `show`: all that is to be said of one string; `fault`: where in it something is wrong; `edit`, `cages`: a board that is drawn by hand.

mod answer;
mod cages;
mod edit;
pub mod exports;
mod fault;
mod framed;
mod json;
mod lines;
mod memory;
mod options;
mod put_back;
mod run;
mod show;
mod told;

/// Whether this is the whole module, and not the small one without solvers, grids, tables, JSON lines and links.
const WHOLE: bool = cfg!(feature = "whole");

/// Says of what is asked for that the small module does not have it.
fn is_left_out(what: &str) -> String {
    format!("{what} needs gridmill.wasm; this is gridmill-small.wasm")
}

#[cfg(test)]
mod tests;
