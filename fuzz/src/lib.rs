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

use gridmill::formats::Id;
use gridmill::framing::REGISTRY;

pub use mutate::{Random, mutate};

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

    /// Panics if what must hold does not.
    pub fn check(self, data: &[u8]) {
        match self {
            Self::Format(id) => formats::check(id, data),
            Self::Framing(at) => framings::check(REGISTRY[at], data),
            Self::Relink => links::check(data),
            Self::Canon => canon::check(data),
            Self::Archive => archives::check(data),
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
