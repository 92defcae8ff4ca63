//! The public interface for columns, compared with the program, with the shared vectors, and with boards.

mod boards;
mod columns;
mod exchange;
mod support;
mod types;
mod vectors;
mod verdicts;
