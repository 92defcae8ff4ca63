//! The result of guessing how strings are embedded in a text: the framing and the place of the strings, or why it is
//! not certain.

use std::fmt;

use crate::formats::argument;

/// The framing that a text seems to have. It may get more fields: create it with `..Default::default()`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guess {
    /// The name of the framing.
    pub framing: &'static str,
    /// The column of the strings.
    pub column: Option<String>,
    /// The pointer to the strings.
    pub field: Option<String>,
    /// The delimiter of fields, if it is not the usual one.
    pub delimiter: Option<u8>,
    /// Whether the first row is a record.
    pub no_header: bool,
    /// What else the user should know about the choice.
    pub note: Option<String>,
}

impl Guess {
    pub(super) fn of(framing: &'static str) -> Self {
        Self { framing, ..Self::default() }
    }

    /// The equivalent flags.
    pub fn flags(&self) -> String {
        let mut flags = format!("--framing {}", self.framing);
        if let Some(delimiter) = self.delimiter {
            flags.push_str(&match delimiter {
                b'\t' => " --delimiter tab".to_string(),
                other => format!(" --delimiter '{}'", char::from(other)),
            });
        }
        for (flag, value) in [("--column", &self.column), ("--field", &self.field)] {
            flags.push_str(&value.as_ref().map_or(String::new(), |value| format!(" {flag} {}", argument(value))));
        }
        flags.push_str(if self.no_header { " --no-header" } else { "" });
        flags
    }
}

/// Where the strings are, as far as the user named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NamedPlace<'a> {
    /// `--column`.
    pub column: Option<&'a str>,
    /// `--field`.
    pub field: Option<&'a str>,
    /// Whether puzzles are wanted. Then complete grids are not chosen if there may be puzzles beside them; otherwise that is noted.
    pub puzzles: bool,
}

/// Why the framing of a text is not certain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsure {
    /// Nothing known was found in it.
    Nothing(String),
    /// It can be read in several ways, or must be converted first.
    Refused(String),
}

impl fmt::Display for Unsure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Nothing(words) | Self::Refused(words)) = self;
        f.write_str(words)
    }
}

/// The guess for the only place of strings, or a refusal that names all places.
pub(super) fn only<P: Clone>(
    places: Vec<P>,
    shown: impl Fn(&P) -> String,
    guess: impl Fn(P) -> Guess,
) -> Option<Result<Guess, Unsure>> {
    match <[P; 1]>::try_from(places) {
        Ok([place]) => Some(Ok(guess(place))),
        Err(places) => {
            let flags = guess(places.first()?.clone()).flags();
            let places = places.iter().map(shown).collect::<Vec<_>>().join(" and in ");
            Some(Err(Unsure::Refused(format!("there are strings in {places}; choose one, for example with {flags}"))))
        }
    }
}
