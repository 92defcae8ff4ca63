//! What can go wrong: a run that cannot go on ([`Error`]) and one record that is refused ([`Reject`]).

use std::io;
use std::path::{Path, PathBuf};

pub use gridmill_core::error::{Code, Position, Reject, Unavailable, escape, plural};

/// A run that cannot go on: usage, input, output, archives. The program ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An operating-system call failed on a file or stream.
    #[error("{}: cannot {action}: {source}", shown(path))]
    Io {
        /// The file, or `<stdin>`, `<stdout>`, `<stderr>`.
        path: PathBuf,
        /// What was tried, as a verb: `open`, `read`, `write`, `rename`...
        action: &'static str,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// Something about a file makes the run impossible or unsafe; the message says what to do next.
    #[error("{}: {message}", shown(path))]
    File {
        /// The file concerned.
        path: PathBuf,
        /// What is wrong and what to do.
        message: String,
    },
    /// A compressed input is damaged, cut or followed by something else.
    #[error("{}: damaged archive: {message}", shown(path))]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What is wrong, with the byte where known.
        message: String,
    },
    /// A database refused something.
    #[error("{database}: cannot {action}: {message}")]
    Database {
        /// The database, without a password.
        database: String,
        /// What was tried, as a verb and what it is about.
        action: String,
        /// The database's answer, and what to do.
        message: String,
    },
    /// A value of the plan is not usable.
    #[error("{0}")]
    Usage(String),
    /// The system gives no more memory.
    #[error("out of memory: {0}; run again with fewer threads (-j 1), a lower compression level, or more memory")]
    OutOfMemory(&'static str),
    /// `--bad stop` met a bad record. The program ends with exit code 1.
    #[error("stopped at the first bad record (--bad stop): {0}")]
    Stopped(String),
    /// The reader of our output went away; not an error for a user.
    #[error("the output was closed by its reader")]
    Closed,
    /// A fault of this program.
    #[error("internal error: {0}; please report it with the input that caused it")]
    Internal(String),
}

impl Error {
    /// An [`Error::Io`] about `path`, or [`Error::Closed`] for a closed pipe.
    pub fn io(path: impl AsRef<Path>, action: &'static str, source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Io { path: path.as_ref().to_path_buf(), action, source }
    }

    /// An [`Error::File`] about `path`.
    pub fn file(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::File { path: path.as_ref().to_path_buf(), message: message.into() }
    }

    /// An [`Error::Archive`] about `path`.
    pub fn archive(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::Archive { path: path.as_ref().to_path_buf(), message: message.into() }
    }
}

/// A path for a message: control bytes and bytes that are not UTF-8 escaped.
fn shown(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

impl From<Unavailable> for Error {
    fn from(Unavailable(message): Unavailable) -> Self {
        Self::Usage(message)
    }
}
