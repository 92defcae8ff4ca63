//! What must hold for any bytes: a check for every format, framing and archive, for links and canonical forms, what to begin with, and
//! how to change it.
//!
//! `fuzz/run TARGET` looks for bytes for which it does not hold; `cargo test` of the project tries what was found, and some more.

mod archives;
mod canon;
mod formats;
mod framings;
mod links;
mod mutate;

use std::hash::{DefaultHasher, Hasher};

use gridmill::formats::Id;
use gridmill::framing::REGISTRY;

pub use mutate::{Random, mutate, substitute};

/// The same for the same bytes.
fn hash(data: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(data);
    hasher.finish()
}

/// What is fuzzed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The strings of a format; `None`: of whatever format they seem to be.
    Format(Option<Id>),
    /// Text with strings in it, by the place of the framing in the registry.
    Framing(usize),
    /// Links, rewritten as `gridmill relink` does.
    Relink,
    /// Boards and maps, for canonical forms.
    Canon,
    /// Compressed input.
    Archive,
}

impl Target {
    /// Every one.
    pub fn all() -> impl Iterator<Item = Self> {
        let formats = Id::ALL.into_iter().map(Some).chain([None]).map(Self::Format);
        formats.chain((0..REGISTRY.len()).map(Self::Framing)).chain([Self::Relink, Self::Canon, Self::Archive])
    }

    /// The name, as `fuzz/run` takes it.
    pub fn name(self) -> String {
        match self {
            Self::Format(Some(id)) => format!("format-{id}"),
            Self::Format(None) => "format-auto".into(),
            Self::Framing(at) => format!("framing-{}", REGISTRY[at].name),
            Self::Relink => "relink".into(),
            Self::Canon => "canon".into(),
            Self::Archive => "archive".into(),
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Panics if what must hold does not: as [`Target::check_all`] of one.
    pub fn check(self, data: &[u8]) {
        self.check_all(&[data]);
    }

    /// Panics if what can be checked at every execution does not hold for each of these inputs, at most 64, or if the rest does not
    /// for those of them whose hash says so.
    pub fn check_all(self, inputs: &[&[u8]]) {
        match self {
            Self::Format(id) => formats::quick(id, inputs),
            Self::Framing(at) => inputs.iter().for_each(|data| framings::quick(REGISTRY[at], data)),
            Self::Relink => inputs.iter().for_each(|data| links::quick(data)),
            Self::Canon => inputs.iter().for_each(|data| canon::quick(data)),
            Self::Archive => inputs.iter().for_each(|data| archives::quick(data)),
        }
        let every = match self {
            Self::Relink => 64,
            Self::Archive | Self::Canon => 8192,
            Self::Format(_) | Self::Framing(_) => 1024,
        };
        let sample = inputs.iter().filter(|data| hash(data).is_multiple_of(every));
        sample.for_each(|data| self.check_thoroughly(data));
    }

    /// Panics if what takes a hundred times as long to check does not hold.
    pub fn check_thoroughly(self, data: &[u8]) {
        match self {
            Self::Format(id) => formats::thorough(id, data),
            Self::Framing(at) => framings::thorough(REGISTRY[at], data),
            Self::Relink => links::thorough(data),
            Self::Canon => canon::thorough(data),
            Self::Archive => archives::thorough(data),
        }
    }

    /// Whether an input is more than refused, as far as that is soon told: one that is refused is mostly refused for the same
    /// reason when it is changed.
    pub fn takes(self, data: &[u8]) -> bool {
        match self {
            Self::Format(id) => formats::takes(id, data),
            Self::Canon => formats::takes(None, data),
            Self::Framing(_) | Self::Relink | Self::Archive => true,
        }
    }

    /// Whether the first byte of an input says how the rest is read.
    pub fn has_hints(self) -> bool {
        matches!(self, Self::Format(_) | Self::Canon)
    }

    /// More inputs to begin with, which take longer to make than a test may: boards of every kind and side.
    pub fn more_seeds(self) -> Vec<Vec<u8>> {
        match self {
            Self::Format(id) => formats::made(id).collect(),
            Self::Framing(_) | Self::Relink | Self::Canon | Self::Archive => Vec::new(),
        }
    }

    /// Inputs to begin with.
    pub fn seeds(self) -> Vec<Vec<u8>> {
        match self {
            Self::Format(id) => formats::seeds(id),
            Self::Framing(_) => framings::seeds(),
            Self::Relink => links::seeds(),
            Self::Canon => canon::seeds(),
            Self::Archive => archives::seeds(),
        }
    }
}
