//! Columns from outside: compared with what the program does with the same strings, with the shared vectors, and with boards.

mod boards;
mod columns;
mod exchange;
mod support;
mod types;
mod vectors;
mod verdicts;
