//! gridmill in WebAssembly: the core's strings and boards for JavaScript, which `gridmill.mjs` calls. No wasm-bindgen: what goes
//! over the border is bytes.
//!
//! - `exports`: the functions that JavaScript calls. Options and answers are JSON, and text.
//! - `memory`: the bytes that JavaScript writes, found by their addresses; `answer`: what it reads.
//! - `options`: what is asked for, under the names of the program's flags.
//! - `run`: a text in pieces of any size to the text that it becomes; `framed`, `lines`: how its strings stand in it; `put_back`: new ones in
//!   their place; `told`: what is said of them.
//! - `show`: all that is to be said of one string; `fault`: where in it something is wrong; `edit`, `cages`: a board that is drawn by hand.

mod answer;
mod cages;
mod edit;
pub mod exports;
mod fault;
mod framed;
mod lines;
mod memory;
mod options;
mod put_back;
mod run;
mod show;
mod told;

#[cfg(test)]
mod tests;
