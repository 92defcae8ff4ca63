//! The outputs of a command. All are claimed before any is opened, so that none is an input or another output.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use super::flags::OutputFlags;
use super::streams::Stdout;
use crate::output::zstd::DEFAULT_LEVEL;
use crate::output::{Claim, LazyFile, RunFiles, Target};
use crate::platform;

/// What a command reads.
pub(super) enum CommandInputs<'f> {
    /// Nothing.
    Nothing,
    /// Files, and stdin if one of them is `-` or there are none.
    Streams(&'f [PathBuf]),
    /// Files only; `-` has no special meaning.
    Files(&'f [PathBuf]),
    /// A SQLite database.
    Database(&'f Path),
}

/// The outputs of a command. Commands open outputs only through this type.
pub(super) struct Outputs {
    files: RunFiles,
    force: bool,
    sync: bool,
    /// An output goes to stdout.
    uses_stdout: bool,
}

impl Outputs {
    /// The outputs of a command that reads `inputs`. `force` says whether they may replace existing files.
    pub(super) fn new(inputs: &CommandInputs, force: bool, sync: bool) -> anyhow::Result<Self> {
        let mut files = RunFiles::default();
        match inputs {
            CommandInputs::Nothing => {}
            CommandInputs::Streams([]) => files.reads_stdin(),
            CommandInputs::Streams(paths) => paths.iter().for_each(|path| match path.as_os_str() == "-" {
                true => files.reads_stdin(),
                false => files.reads(path),
            }),
            CommandInputs::Files(paths) => paths.iter().for_each(|path| files.reads(path)),
            CommandInputs::Database(path) => database_files(path).iter().for_each(|path| files.reads(path)),
        }
        files.claim_stderr()?;
        Ok(Self { files, force, sync, uses_stdout: false })
    }

    /// Registers another file as an input.
    pub(super) fn also_reads(&mut self, path: &Path) {
        self.files.reads(path);
    }

    /// Claims stdout, which messages call `name`.
    pub(super) fn stdout(&mut self, name: &str) -> anyhow::Result<Claim> {
        if platform::was_closed(1) {
            anyhow::bail!("stdout is closed, but {name} would go there; open it, or name a file");
        }
        let claim = self.files.claim(name, Target::Stdout)?;
        self.uses_stdout = true;
        Ok(claim)
    }

    /// Whether an output goes to stdout, so that no other can.
    pub(super) fn uses_stdout(&self) -> bool {
        self.uses_stdout
    }

    /// Claims the file that a flag names; `-` is stdout.
    pub(super) fn named(&mut self, flag: &str, path: Option<&Path>) -> anyhow::Result<Option<Claim>> {
        let Some(path) = path else { return Ok(None) };
        if is_stdout(path) {
            return self.stdout(flag).map(Some);
        }
        let target = Target::File { path: path.to_path_buf(), force: self.force };
        Ok(Some(self.files.claim(flag, target)?))
    }

    /// Claims the file of `--output`, or stdout. Returns it with its compression level.
    pub(super) fn output(&mut self, flags: &OutputFlags) -> anyhow::Result<(Claim, Option<i32>)> {
        let level =
            flags.zstd.or_else(|| flags.output.as_deref().filter(|path| names_zstd(path)).map(|_| DEFAULT_LEVEL));
        let claim = match self.named("--output", flags.output.as_deref())? {
            Some(claim) => claim,
            None => self.stdout("the output (without -o)")?,
        };
        if level.is_some() && claim.is_stdout() && std::io::stdout().is_terminal() {
            anyhow::bail!("compressed output cannot go to a terminal; name a file with -o, or redirect stdout");
        }
        Ok((claim, level))
    }

    /// Returns an output that is opened when something is written to it. Whether it can be opened is checked at once.
    pub(super) fn lazily(&self, claim: Option<Claim>) -> anyhow::Result<Option<LazyFile>> {
        Ok(claim.map(|claim| claim.open_lazily(self.sync)).transpose()?)
    }
}

/// Returns the target where a run writes a claimed output. On a terminal, the output has to share the screen with the
/// progress bar.
pub(super) fn into_target(claim: Claim) -> Target {
    match claim.is_stdout() && std::io::stdout().is_terminal() {
        true => Target::Writer { name: "<stdout>".into(), writer: Box::new(Stdout) },
        false => claim.into_target(),
    }
}

/// Whether a name stands for stdout.
pub(super) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a name asks for compression.
pub(super) fn names_zstd(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"))
}

/// Returns the files of a database. SQLite keeps some of them beside it, a few only while the database is in use.
fn database_files(path: &Path) -> Vec<PathBuf> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let beside = |suffix: &str| {
        let mut name: OsString = real.clone().into();
        name.push(suffix);
        PathBuf::from(name)
    };
    ["", "-wal", "-shm", "-journal"].map(beside).into()
}
