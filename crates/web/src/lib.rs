//! gridmill in WebAssembly: the core's strings and boards for JavaScript, called by `gridmill.mjs`. There is no
//! wasm-bindgen: only bytes are exchanged.
//!
//! - `exports`: the functions that JavaScript calls. Options and answers are JSON and text.
//! - `memory`: buffers that JavaScript writes, found by their addresses; `answer`: what it reads.
//! - `options`: the options, named like the program's flags.
//! - `run`: converts a text that comes in pieces of any size; `framed`, `lines`: find its strings; `put_back`: puts new
//!   ones in their place; `summary`: counts and refusals.
//! - `columns`: the columns of a table, to choose from.
//! - `show`: describes one string; `cell_ranges`: finds a cell in it; `edit`, `cages`: change a board.

mod answer;
mod cages;
mod cell_ranges;
mod columns;
mod edit;
pub mod exports;
mod framed;
mod lines;
mod memory;
mod options;
mod put_back;
mod run;
mod show;
mod summary;

#[cfg(test)]
mod tests;
