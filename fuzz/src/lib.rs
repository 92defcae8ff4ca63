//! Properties that must hold for any bytes: a check for every format, framing and archive, for links, canonical forms,
//! files with columns and backups, with seeds and mutations.
//!
//! `fuzz/run TARGET` searches for inputs that violate them. The project's `cargo test` checks inputs that were found,
//! and some more.

mod archives;
mod backups;
mod canon;
#[cfg(feature = "parquet")]
mod columns;
mod formats;
mod framings;
mod links;
mod mutate;

use std::hash::{DefaultHasher, Hasher};

use gridmill::formats::Format;
use gridmill::framing::REGISTRY;

pub use mutate::{Random, mutate, substitute};

/// A hash that depends on the bytes only.
fn hash(data: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(data);
    hasher.finish()
}

/// A fuzz target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The strings of a format, or with `None`, strings whose format is guessed.
    Format(Option<Format>),
    /// Text in a framing, given by its index in the registry.
    Framing(usize),
    /// Links, rewritten as `gridmill relink` does.
    Relink,
    /// Boards and maps, for canonical forms.
    Canon,
    /// Compressed input.
    Archive,
    /// Parquet and Arrow files.
    #[cfg(feature = "parquet")]
    Columns,
    /// Backups of migrations.
    Backup,
}

impl Target {
    /// Every target.
    pub fn all() -> impl Iterator<Item = Self> {
        let formats = Format::ALL.into_iter().map(Some).chain([None]).map(Self::Format);
        let others = [
            Self::Relink,
            Self::Canon,
            Self::Archive,
            #[cfg(feature = "parquet")]
            Self::Columns,
            Self::Backup,
        ];
        formats.chain((0..REGISTRY.len()).map(Self::Framing)).chain(others)
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
            #[cfg(feature = "parquet")]
            Self::Columns => "columns".into(),
            Self::Backup => "backup".into(),
        }
    }

    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Like [`Target::check_all`], for one input.
    pub fn check(self, data: &[u8]) {
        self.check_all(&[data]);
    }

    /// Checks inputs, at most 64, and panics if a property does not hold. Slow properties are only checked for inputs
    /// that are selected by their hash.
    pub fn check_all(self, inputs: &[&[u8]]) {
        match self {
            Self::Format(id) => formats::quick(id, inputs),
            Self::Framing(at) => inputs.iter().for_each(|data| framings::quick(REGISTRY[at], data)),
            Self::Relink => inputs.iter().for_each(|data| links::quick(data)),
            Self::Canon => inputs.iter().for_each(|data| canon::quick(data)),
            Self::Archive => inputs.iter().for_each(|data| archives::quick(data)),
            #[cfg(feature = "parquet")]
            Self::Columns => inputs.iter().for_each(|data| columns::quick(data)),
            Self::Backup => inputs.iter().for_each(|data| backups::quick(data)),
        }
        let every = match self {
            #[cfg(feature = "parquet")]
            Self::Columns => 64,
            Self::Relink | Self::Backup => 64,
            Self::Archive | Self::Canon => 8192,
            Self::Format(_) | Self::Framing(_) => 1024,
        };
        let sample = inputs.iter().filter(|data| hash(data).is_multiple_of(every));
        sample.for_each(|data| self.check_thoroughly(data));
    }

    /// Checks the slow properties, which take a hundred times as long. Panics if one does not hold.
    pub fn check_thoroughly(self, data: &[u8]) {
        match self {
            Self::Format(id) => formats::thorough(id, data),
            Self::Framing(at) => framings::thorough(REGISTRY[at], data),
            Self::Relink => links::thorough(data),
            Self::Canon => canon::thorough(data),
            Self::Archive => archives::thorough(data),
            #[cfg(feature = "parquet")]
            Self::Columns => columns::thorough(data),
            Self::Backup => backups::thorough(data),
        }
    }

    /// Whether an input is accepted, as far as that is quickly known, and short for this target. Mutations of a refused
    /// input are mostly refused for the same reason, and those of a long one take longer.
    pub fn is_usual(self, data: &[u8]) -> bool {
        let is_short = |longest| data.len() <= longest;
        match self {
            Self::Format(id) => is_short(500) && formats::takes(id, data),
            Self::Canon => is_short(500) && formats::takes(None, data),
            // The shortest file with a string has 641 bytes, the shortest backup with a row 286.
            #[cfg(feature = "parquet")]
            Self::Columns => is_short(1500) && columns::takes(data),
            Self::Backup => is_short(1500) && backups::takes(data),
            _ => is_short(500),
        }
    }

    /// Makes a change that suits the target's inputs. Returns false if this is left to [`mutate`].
    pub fn mutate(self, data: &mut Vec<u8>, random: &mut Random) -> bool {
        match self {
            #[cfg(feature = "parquet")]
            Self::Columns => columns::mutate(data, random),
            _ => {
                let _ = (data, random);
                false
            }
        }
    }

    /// Whether the first byte of an input has hints for the rest.
    pub fn has_hints(self) -> bool {
        matches!(self, Self::Format(_) | Self::Canon)
    }

    /// Further seeds, which take longer to make than a test may: boards of every kind and side.
    pub fn more_seeds(self) -> Vec<Vec<u8>> {
        match self {
            Self::Format(id) => formats::made(id).collect(),
            _ => Vec::new(),
        }
    }

    /// Seeds.
    pub fn seeds(self) -> Vec<Vec<u8>> {
        match self {
            Self::Format(id) => formats::seeds(id),
            Self::Framing(at) if REGISTRY[at].name != "links" => framings::seeds(),
            Self::Framing(_) | Self::Relink => links::seeds(),
            Self::Canon => canon::seeds(),
            Self::Archive => archives::seeds(),
            #[cfg(feature = "parquet")]
            Self::Columns => columns::seeds(),
            Self::Backup => backups::seeds(),
        }
    }
}
