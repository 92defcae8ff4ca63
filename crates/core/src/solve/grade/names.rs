//! The rungs and their names.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::Unavailable;

/// The name of the ladder. Other rules would be another ladder.
pub const LADDER: &str = "ladder 1";

/// The first rung of the ladder that solves a sudoku.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Grade {
    /// Full houses, and hidden singles in boxes.
    Box = 1,
    /// Hidden singles in rows and columns.
    Hidden,
    /// Naked singles.
    Single,
    /// Locked candidates.
    Locked,
    /// Naked and hidden pairs.
    Pair,
    /// Naked and hidden triples and quads.
    Subset,
    /// X-wing, swordfish and jellyfish.
    Fish,
    /// XY-wing, XYZ-wing, W-wing and turbot fish.
    Wing,
    /// Chains and loops of cells with two candidates and of digits with two places in a unit.
    Chain,
    /// Candidates that singles refute.
    Net,
    /// One solution, which no rung finds.
    Beyond,
}

impl Grade {
    /// All grades, easiest first.
    pub const ALL: [Self; 11] = [
        Self::Box,
        Self::Hidden,
        Self::Single,
        Self::Locked,
        Self::Pair,
        Self::Subset,
        Self::Fish,
        Self::Wing,
        Self::Chain,
        Self::Net,
        Self::Beyond,
    ];

    /// The number of the rung, 1 to 11.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The name of the rung.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Hidden => "hidden",
            Self::Single => "single",
            Self::Locked => "locked",
            Self::Pair => "pair",
            Self::Subset => "subset",
            Self::Fish => "fish",
            Self::Wing => "wing",
            Self::Chain => "chain",
            Self::Net => "net",
            Self::Beyond => "beyond",
        }
    }

    /// What the rung adds to those before it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Box => "full houses, and hidden singles in boxes",
            Self::Hidden => "hidden singles in rows and columns",
            Self::Single => "naked singles",
            Self::Locked => "locked candidates",
            Self::Pair => "naked and hidden pairs",
            Self::Subset => "naked and hidden triples and quads",
            Self::Fish => "X-wing, swordfish, jellyfish",
            Self::Wing => "XY-wing, XYZ-wing, W-wing, turbot fish",
            Self::Chain => "chains and loops of strong links",
            Self::Net => "candidates that singles refute",
            Self::Beyond => "everything else with one solution",
        }
    }

    pub(super) fn of_rung(rung: u8) -> Option<Self> {
        Self::ALL.get(usize::from(rung).checked_sub(1)?).copied()
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Grade {
    type Err = Unavailable;

    /// Reads a name or a number.
    fn from_str(text: &str) -> Result<Self, Unavailable> {
        let found = Self::ALL.into_iter().find(|grade| grade.name() == text || grade.number().to_string() == text);
        found.ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|grade| format!("{} {grade}", grade.number())).collect();
            Unavailable(format!("there is no grade {text:?}; grades: {}", names.join(", ")))
        })
    }
}

/// Grades from one to another, as `NAME` or `NAME..NAME` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradeRange {
    first: Grade,
    last: Grade,
}

impl GradeRange {
    /// The grades of a range.
    ///
    /// # Errors
    /// There are none, since the first is above the last.
    pub fn new(grades: RangeInclusive<Grade>) -> Result<Self, Unavailable> {
        let (first, last) = grades.into_inner();
        if first > last {
            let words = format!("{first} (grade {}) is above {last} (grade {})", first.number(), last.number());
            return Err(Unavailable(words));
        }
        Ok(Self { first, last })
    }

    /// Whether a grade is one of these.
    pub fn contains(self, grade: Grade) -> bool {
        (self.first..=self.last).contains(&grade)
    }
}

impl FromStr for GradeRange {
    type Err = Unavailable;

    fn from_str(text: &str) -> Result<Self, Unavailable> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        Self::new(first.parse()?..=last.parse()?)
    }
}

impl fmt::Display for GradeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last { write!(f, "{first}") } else { write!(f, "{first}..{last}") }
    }
}
