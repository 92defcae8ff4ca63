//! The files of a run, and the check that no output is an input or another output.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::Target;
use super::place::{Followed, follow};
use crate::error::Error;
use crate::platform::{FileFacts, FileId, OutputStream, name_as_compared, open_stdin};

/// The inputs and outputs of a run, compared by file identity: hard links, symbolic links and `./x` do not hide that
/// two names are one file. Every output is claimed here before any is opened.
///
/// ```
/// use gridmill::output::{RunFiles, Target};
///
/// let mut files = RunFiles::default();
/// files.reads("Cargo.toml".as_ref());
/// let target = Target::File { path: "./Cargo.toml".into(), force: true };
/// assert!(files.claim("the output", target).is_err());
/// ```
#[derive(Debug, Default)]
pub struct RunFiles {
    inputs: HashSet<Identity>,
    outputs: Vec<Claimed>,
}

/// An output that is neither an input nor another output of its run: see [`RunFiles::claim`].
#[derive(Debug)]
pub struct Claim {
    pub(super) target: Target,
}

/// An output that was claimed.
#[derive(Debug)]
struct Claimed {
    name: String,
    identity: Option<Identity>,
    access: Access,
}

/// How an output is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// A file is created there, which may replace another one.
    ByName,
    /// Messages are appended to whatever else is written there.
    Stderr,
    Stdout,
    /// Through a descriptor that is already open.
    Descriptor,
}

/// An existing file, or the folder and name of one that does not exist yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Identity {
    There(FileId),
    Free { folder: FileId, name: OsString },
}

impl RunFiles {
    /// Registers the file at `path` as an input. If there is none, no output may create it.
    pub fn reads(&mut self, path: &Path) {
        // An error here comes again when the input is opened, and is reported then.
        self.inputs.extend(Identity::at(path).ok().flatten());
    }

    /// Registers stdin as an input.
    pub fn reads_stdin(&mut self) {
        self.inputs.extend(Identity::of_stream(open_stdin()));
    }

    /// Registers files as inputs.
    pub fn reads_these(&mut self, files: &[FileId]) {
        self.inputs.extend(files.iter().copied().map(Identity::There));
    }

    /// Claims an output. Messages call it `name`.
    ///
    /// # Errors
    /// It is an input, or was claimed before, or its symbolic links form a loop.
    pub fn claim(&mut self, name: &str, target: Target) -> Result<Claim, Error> {
        match &target {
            Target::Stdout => {
                self.write(name, "<stdout>".into(), Identity::of_stream(OutputStream::Stdout.open()), Access::Stdout)?;
            }
            Target::File { path, .. } => {
                let access = match (follow(path)?, OutputStream::named(path)) {
                    (Followed::Path(_), _) => Access::ByName,
                    (Followed::Descriptor, Some(OutputStream::Stdout)) => Access::Stdout,
                    (Followed::Descriptor, Some(OutputStream::Stderr)) => Access::Stderr,
                    (Followed::Descriptor, None) => Access::Descriptor,
                };
                self.write(name, path.clone(), Identity::at(path)?, access)?;
            }
            Target::Writer { .. } => {}
        }
        Ok(Claim { target })
    }

    /// Claims stderr for messages.
    ///
    /// # Errors
    /// It goes to an input, or to a file that is to be replaced.
    pub fn claim_stderr(&mut self) -> Result<(), Error> {
        self.write(
            "the messages on stderr",
            "<stderr>".into(),
            Identity::of_stream(OutputStream::Stderr.open()),
            Access::Stderr,
        )
    }

    fn write(&mut self, name: &str, shown: PathBuf, identity: Option<Identity>, access: Access) -> Result<(), Error> {
        if identity.as_ref().is_some_and(|identity| self.inputs.contains(identity)) {
            return Err(Error::file(shown, "is also an input; write to another file"));
        }
        let new = Claimed { name: name.to_string(), identity, access };
        if let Some(other) = self.outputs.iter().find(|other| new.collides(other)) {
            let both = match (access, other.access) {
                (Access::Stdout, Access::Stdout) => "would both go to stdout; name a file for one of them",
                _ => "name the same file; give them different ones",
            };
            return Err(Error::Usage(format!("{} and {name} {both}", other.name)));
        }
        self.outputs.push(new);
        Ok(())
    }
}

impl Claimed {
    fn collides(&self, other: &Self) -> bool {
        let same = self.identity.is_some() && self.identity == other.identity;
        match (self.access, other.access) {
            (Access::Stdout, Access::Stdout) => true,
            (Access::Stderr, access) | (access, Access::Stderr) => same && access == Access::ByName,
            _ => same,
        }
    }
}

impl Identity {
    /// `None` for what any number of outputs may share: devices (`/dev/null`, a terminal) and sockets.
    fn of(facts: &FileFacts) -> Option<Self> {
        (facts.is_file() || facts.is_fifo()).then(|| Self::There(facts.id()))
    }

    fn of_stream(stream: io::Result<File>) -> Option<Self> {
        // A closed stream collides with nothing.
        Self::of(&FileFacts::of(&stream.ok()?).ok()?)
    }

    fn at(path: &Path) -> Result<Option<Self>, Error> {
        if let Ok(facts) = FileFacts::at(path) {
            return Ok(Self::of(&facts));
        }
        let Followed::Path(place) = follow(path)? else { return Ok(None) };
        let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else { return Ok(None) };
        let folder = FileId::at(folder).map_err(|error| Error::io(path, "examine", error))?;
        Ok(Some(Self::Free { folder, name: name_as_compared(name) }))
    }
}
