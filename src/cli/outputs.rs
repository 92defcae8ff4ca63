//! Where output goes, from the flags that several commands share.

use std::fs::File;
use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use super::flags::OutputFlags;
use super::startup;
use crate::file_id::FileId;
use crate::output::Target;
use crate::output::zstd::DEFAULT_LEVEL;

/// The target and the compression level that the flags ask for.
pub(super) fn target(flags: &OutputFlags) -> anyhow::Result<(Target, Option<i32>)> {
    let named = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"));
    let level = flags.zstd.or_else(|| flags.output.as_ref().filter(|path| named(path)).map(|_| DEFAULT_LEVEL));
    match flags.output.as_deref() {
        None => {
            if startup::was_closed(1) {
                anyhow::bail!("stdout is closed; open it, or name a file with -o");
            }
            if level.is_some() && std::io::stdout().is_terminal() {
                anyhow::bail!("compressed output is not for a terminal; name a file with -o, or redirect stdout");
            }
            Ok((Target::Stdout, level))
        }
        Some(path) => Ok((Target::File { path: path.to_path_buf(), force: flags.force }, level)),
    }
}

/// The inputs that are there (none or `-` is stdin), which no output may replace. (What cannot be looked at is refused when it is opened.)
pub(super) fn identities(paths: &[PathBuf]) -> Vec<FileId> {
    let stdin = || std::io::stdin().as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata());
    let metadata = |path: &PathBuf| if path.as_os_str() == "-" { stdin() } else { path.metadata() };
    match paths {
        [] => stdin().iter().map(FileId::of).collect(),
        paths => paths.iter().filter_map(|path| metadata(path).ok()).map(|m| FileId::of(&m)).collect(),
    }
}

/// Refuses two outputs that are one file.
pub(super) fn distinct(outputs: &[(&str, Option<&Path>)]) -> anyhow::Result<()> {
    let known: Vec<(&str, PathBuf)> =
        outputs.iter().filter_map(|(flag, path)| path.map(|path| (*flag, resolved(path)))).collect();
    for (i, (flag, path)) in known.iter().enumerate() {
        if let Some((other, _)) = known[..i].iter().find(|(_, other)| other == path && is_file_place(path)) {
            anyhow::bail!("{other} and {flag} name the same file; give them different ones");
        }
    }
    Ok(())
}

/// A path without links: of the file itself, or of the one that would be made.
fn resolved(path: &Path) -> PathBuf {
    let mut at = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // Links that dangle are followed by hand; those that lead round in a circle are refused where the file is opened.
    for _ in 0..40 {
        if let Ok(whole) = at.canonicalize() {
            return whole;
        }
        let (Ok(target), Some(folder)) = (at.read_link(), at.parent()) else { break };
        at = folder.join(target);
    }
    let made = || Some(at.parent()?.canonicalize().ok()?.join(at.file_name()?));
    made().unwrap_or(at)
}

/// Whether a path is, or would become, a regular file; `/dev/null` can take any number of outputs.
fn is_file_place(path: &Path) -> bool {
    path.metadata().map_or(true, |metadata| metadata.is_file())
}
