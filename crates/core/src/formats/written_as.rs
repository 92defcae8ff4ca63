//! What the user names to write strings in.

use std::str::FromStr;

use super::{Format, FormatLayouts, Layout};

/// A format to write strings in, and the layout, if one was asked for by the name of the format: `link=sudokupad`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenAs {
    /// The format.
    pub format: Format,
    /// The layout.
    pub layout: Option<Layout>,
}

impl WrittenAs {
    /// Returns these layouts with the one that was asked for, if there is one.
    #[must_use]
    pub fn with(self, layouts: FormatLayouts) -> FormatLayouts {
        if self.layout.is_some() { layouts.with(self.format, self.layout) } else { layouts }
    }
}

impl From<Format> for WrittenAs {
    fn from(format: Format) -> Self {
        Self { format, layout: None }
    }
}

impl FromStr for WrittenAs {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name.split_once('=') {
            Some(("link", page)) => Ok(Self { format: Format::Link, layout: Some(Layout::page(page)?) }),
            _ => Format::to_write(name).map(Self::from),
        }
    }
}
