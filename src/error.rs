//! Errors that end a run ([`Error`]), and the refusal of a single record ([`Reject`]).

use std::io;
use std::path::{Path, PathBuf};

pub use gridmill_core::error::{
    Code, Position, Refusal, Refused, Reject, RejectPlace, RejectRows, Unavailable, escape, plural,
};

/// An error that ends a run: usage, input, output, archives. The program exits with code 2.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system call on a file or stream failed.
    #[error("{}: cannot {action}: {source}", shown_path(path))]
    Io {
        /// The file, or `<stdin>`, `<stdout>`, `<stderr>`.
        path: PathBuf,
        /// What was tried, as a verb: `open`, `read`, `write`, `rename`...
        action: &'static str,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// A problem with a file that makes the run impossible or unsafe. The message says what to do next.
    #[error("{}: {message}", shown_path(path))]
    File {
        /// The file concerned.
        path: PathBuf,
        /// What is wrong and what to do.
        message: String,
    },
    /// A compressed input is damaged, truncated or followed by something else.
    #[error("{}: damaged archive: {message}", shown_path(path))]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What is wrong, with the byte offset if it is known.
        message: String,
    },
    /// A database refused a request.
    #[error("{database}: cannot {action}: {message}")]
    Database {
        /// The database, without a password.
        database: String,
        /// What was tried, as a verb and what it is about.
        action: String,
        /// The database's answer, and what to do.
        message: String,
    },
    /// A setting cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The system gives no more memory.
    #[error("out of memory: {0}; run again with fewer threads (-j 1), a lower compression level, or more memory")]
    OutOfMemory(&'static str),
    /// A bad record was found with `--bad stop`. The program exits with code 1.
    #[error("stopped at the first bad record (--bad stop): {0}")]
    Stopped(String),
    /// The reader of our output went away. Not an error to report to a user.
    #[error("the output was closed by its reader")]
    Closed,
    /// A bug in this program.
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

/// A path for messages, with control bytes and invalid UTF-8 escaped. On Windows, whose paths have backslashes and cannot have
/// control bytes, each backslash stands once, and the prefix that a resolved path has (`\\?\`) is left out.
pub(crate) fn shown_path(path: impl AsRef<Path>) -> String {
    let text = escape(path.as_ref().as_os_str().as_encoded_bytes());
    match std::path::MAIN_SEPARATOR {
        '\\' => {
            let text = text.replace(r"\\", r"\");
            match text.strip_prefix(r"\\?\") {
                Some(rest) => {
                    rest.strip_prefix(r"UNC\").map_or_else(|| rest.to_string(), |share| format!(r"\\{share}"))
                }
                None => text,
            }
        }
        _ => text,
    }
}

impl From<Unavailable> for Error {
    fn from(Unavailable(message): Unavailable) -> Self {
        Self::Usage(message)
    }
}
