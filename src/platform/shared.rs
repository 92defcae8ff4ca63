//! What means the same on all systems.

use std::io;

/// Who may use a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CreateMode {
    /// Its owner alone; on Windows, nobody else until it has the access list of the file that it replaces.
    Private,
    /// Whoever may use any new file there.
    Usual,
}

/// Why a file could not be given a name.
#[derive(Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))] // where no file is without a name
pub(crate) enum NotNamed {
    /// There is a file of that name.
    Taken,
    /// Some systems create files without names but cannot name them, because of restrictions on this process, or without
    /// `/proc`.
    Unsupported,
    Failed(io::Error),
}

/// An output stream that is open when a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputStream {
    Stdout,
    Stderr,
}

/// Says what becomes of the other names of a file that is replaced. `names` is the number of all.
pub(super) fn words_about_links(names: u64) -> Option<String> {
    let (names, verb) = match names {
        ..=1 => return None,
        2 => ("one other name (a hard link)".to_string(), "keeps"),
        all => (format!("{} other names (hard links)", all - 1), "keep"),
    };
    Some(format!("the old file had {names}, which {verb} the old contents"))
}
