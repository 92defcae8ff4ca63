//! How much of a board is filled in.

use std::fmt;
use std::str::FromStr;

/// How much of a board is filled in. The same seed and number give the same puzzle in every mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mix {
    /// The puzzle: clues (in kinds with cages, the cages) and empty cells.
    #[default]
    Clues,
    /// The puzzle, some solved cells, and candidates in all other cells.
    Progress,
    /// The puzzle with every other white cell solved.
    Solved,
}

impl Mix {
    /// Every mix.
    pub const ALL: [Self; 3] = [Self::Clues, Self::Progress, Self::Solved];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clues => "clues",
            Self::Progress => "progress",
            Self::Solved => "solved",
        }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|mix| mix.name() == name)
            .ok_or_else(|| format!("no mix is named '{name}'; mixes: {}", Self::ALL.map(Self::name).join(", ")))
    }
}
