//! Boards as terminal text ([`terminal()`]), SVG ([`svg()`]) and JSON ([`json()`], which documents the schema).

mod borders;
mod canvas;
mod cells;
mod fills;
mod json;
mod outline;
mod svg;
mod terminal;
mod theme;
mod view;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use canvas::Style;
pub use json::json;
pub use svg::{SvgPage, svg};
pub use terminal::{terminal, terminal_width};
pub use theme::Theme;
