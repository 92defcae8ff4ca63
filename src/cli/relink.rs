//! `gridmill relink`.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use ignore::WalkBuilder;

use super::diff_output::DiffOutput;
use super::first_rows::MoreRows;
use super::flags::{ColourChoice, Str8tsFlags, to_stderr};
use super::large_text::{self, LARGE};
use super::line_diff::LineDiff;
use super::link_rows::LinkRows;
use super::outputs::{CommandInputs, Outputs};
use super::{GOOD, SOME_BAD, print_notes, print_stderr};
use crate::amounts::{counted, grouped};
use crate::engine::{Convert, RejectsTo};
use crate::error::{Error, shown_path};
use crate::formats::encoding;
use crate::framing::{Links, RewrittenText};
use crate::output::Output;
use crate::platform;
use crate::source::{Reading, begin_as_utf8, foreign, is_archive};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill relink site/
      show what would change in a folder, as a diff
  gridmill relink --write site/ dump.sql
      apply the changes
  gridmill relink < page.html > new.html
      in a pipeline

A link is an address at sudokuwiki.org, str8ts.com or scanraid.com whose query
has bd=STRING (or n= with 81 masks), in text, HTML, Markdown, JSON or SQL. Its
page determines the kind. v1 and v0 strings become v2; the regions of a jigsaw
(shape=33 and jigmap, or the number of a layout) move into the string. Plain
strings change only with --plain. Everything else in the text stays unchanged,
except the lengths of PHP-serialized strings around links, which are updated.
Links that cannot be rewritten are listed on stderr or in the --rejects file
(on stdout only with --write). Folders are walked as in ripgrep: hidden files
and whatever .gitignore and .ignore name are skipped. Files with NUL bytes and
PDFs are not text and stay unchanged. A file is
replaced as a whole; it keeps its mode and gets a new modification time, and
other names of it (hard links) keep the old text. If one file cannot be read or
replaced, the others are still processed.

Exit codes: 0 all good, 1 some links cannot be rewritten, 2 the run failed.",
    next_help_heading = "Output"
)]
pub(super) struct RelinkFlags {
    /// Files and folders; none or '-' reads stdin and writes stdout.
    #[arg(value_name = "PATH", help_heading = None)]
    pub(super) paths: Vec<PathBuf>,

    /// Change the files instead of showing what would change.
    #[arg(long)]
    pub(super) write: bool,

    /// Include hidden files and folders.
    #[arg(long, help_heading = "Input")]
    pub(super) hidden: bool,

    /// Accept links to any host, and links without a host.
    #[arg(long, help_heading = "Input")]
    pub(super) any_host: bool,

    /// Rewrite plain strings too.
    #[arg(long, help_heading = "Input")]
    pub(super) plain: bool,

    #[command(flatten)]
    pub(super) str8ts: Str8tsFlags,

    /// Where to list the links that cannot be rewritten; '-' is stdout (default: stderr).
    #[arg(long, value_name = "FILE", help_heading = "Bad records")]
    pub(super) rejects: Option<PathBuf>,

    /// Colour the diff; 'auto' does so on terminals, unless NO_COLOR or TERM=dumb is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(super) color: ColourChoice,

    /// Replace an existing rejects file.
    #[arg(short, long)]
    pub(super) force: bool,

    /// Print no summary.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// The most changed files that an error names.
const MOST_NAMED: usize = 8;

/// The number of bytes of a file that are inspected before the rest is read.
const INSPECTED_BYTES: u64 = 8 << 10;

/// The number of bytes that show whether a text is UTF-16.
const UTF16_BYTES: usize = 16;

/// The maximum size of inputs that are not regular files, such as pipes and devices. They can be read only once.
const MAX_PIPED: u64 = 4 << 20;

pub(super) fn run(flags: &RelinkFlags) -> anyhow::Result<u8> {
    let hints = flags.str8ts.hints(None);
    let plan = Links { any_host: flags.any_host, plain: flags.plain, hints, ..Links::default() };
    let from_stdin = match &flags.paths[..] {
        [] => true,
        [path] => path.as_os_str() == "-",
        _ => false,
    };
    if from_stdin {
        return stdin(flags, plan);
    }
    let (found, failed) = find_files(flags)?;
    let files: Vec<_> = found.iter().map(|found| found.path.clone()).collect();
    let mut outputs = Outputs::new(&CommandInputs::Files(&files), flags.force, true)?;
    if !flags.write {
        outputs.stdout("the diff (without --write)")?;
    }
    let rejects = outputs.named("--rejects", flags.rejects.as_deref())?;
    let more = MoreRows::default();
    let rejects = LinkRows::new(outputs.lazily(rejects)?, &more);
    let mut run = RelinkRun {
        flags,
        plan,
        rejects,
        rows: 0,
        rewritten: 0,
        kept: 0,
        files: FileCounts { failed, ..FileCounts::default() },
        first_changed: Vec::new(),
    };
    let done = found.iter().try_for_each(|NamedFile { path, named }| run.file(path, *named));
    more.stdout_is_taken(outputs.uses_stdout()).print_count();
    done.and_then(|()| run.finish()).map_err(|error| run.and_changed(error))
}

/// Rewrites stdin to stdout, as a conversion of text of any length: in parallel, in order, with little memory.
fn stdin(flags: &RelinkFlags, plan: Links) -> anyhow::Result<u8> {
    if platform::was_closed(0) || platform::was_closed(1) {
        anyhow::bail!("stdin and stdout must be open; open them, or name files");
    }
    let (first, input) = large_text::begin_of_stdin(UTF16_BYTES)?;
    let mut outputs = Outputs::new(&CommandInputs::Streams(&[]), flags.force, true)?;
    let output = outputs.stdout("the text (without PATH)")?;
    let rejects = outputs.named("--rejects", flags.rejects.as_deref())?;
    let more = MoreRows::default();
    let unread = encoding(&first).filter(|_| is_utf16(&first) && !flags.quiet);
    let say_unread = || {
        let say = |words| print_stderr(&format!("<stdin>: links were not found and stay as they are: {words}"));
        unread.into_iter().for_each(say);
    };
    // The source would make UTF-8 of it.
    if begin_as_utf8(&first).is_some() {
        large_text::copy(input, outputs.lazily(Some(output))?)?;
        say_unread();
        return Ok(GOOD);
    }
    let done = Convert::new(output.into_target())
        .input(input)
        .reading(Reading::Read)
        .framing(Box::new(plan))
        .rejects(match rejects {
            Some(claim) => RejectsTo::Lazy(claim.into_target()),
            None => to_stderr(&more),
        })
        .run();
    more.stdout_is_taken(outputs.uses_stdout()).print_count();
    let done = done?;
    if !flags.quiet {
        print_stderr(&done.summary());
        done.unsupported_lines().iter().for_each(|line| print_stderr(line));
    }
    say_unread();
    Ok(if done.counts.rejected > 0 { SOME_BAD } else { GOOD })
}

struct RelinkRun<'f> {
    flags: &'f RelinkFlags,
    plan: Links,
    rejects: LinkRows,
    /// The number of links that were left unchanged.
    rows: u64,
    rewritten: u64,
    kept: u64,
    files: FileCounts,
    /// The names of the first files that were changed.
    first_changed: Vec<String>,
}

/// How many files there were.
#[derive(Debug, Default, Clone, Copy)]
struct FileCounts {
    /// Those that were searched.
    searched: u64,
    changed: u64,
    /// Those that are not text.
    binary: u64,
    /// Those in UTF-16, in which links are not found.
    utf16: u64,
    /// Those that could not be read or written, and such folders.
    failed: u64,
}

/// A file to search.
struct NamedFile {
    path: PathBuf,
    /// The file itself was named, not a folder around it.
    named: bool,
}

/// Finds all files before the first is changed: those that were named, and those in folders. Returns them with the
/// number of files and folders that cannot be accessed, which are reported at once. A path that was named must exist.
fn find_files(flags: &RelinkFlags) -> anyhow::Result<(Vec<NamedFile>, u64)> {
    let (mut all, mut failed) = (Vec::new(), 0);
    for path in &flags.paths {
        let metadata = fs::metadata(path).map_err(|error| Error::io(path, "open", error))?;
        if !metadata.is_dir() {
            all.push(NamedFile { path: path.clone(), named: true });
            continue;
        }
        let walk = WalkBuilder::new(path).hidden(!flags.hidden).sort_by_file_path(Ord::cmp).build();
        for entry in walk {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    all.push(NamedFile { path: entry.into_path(), named: false });
                }
                Ok(_) => {}
                Err(error) => {
                    print_stderr(&unreadable(path, &error));
                    failed += 1;
                }
            }
        }
    }
    Ok((all, failed))
}

/// The message about an error in a walk through this folder.
fn unreadable(folder: &Path, error: &ignore::Error) -> String {
    let mut place = error;
    let mut path = folder;
    while let ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } = place {
        if let ignore::Error::WithPath { path: of, .. } = place {
            path = of;
        }
        place = err;
    }
    // The system's answer is at the end of a chain of errors that repeat the path.
    let mut cause: Option<&dyn std::error::Error> = place.io_error().map(|error| error as _);
    while let Some(next) = cause.and_then(|cause| cause.source()) {
        cause = Some(next);
    }
    let cause = cause.map_or_else(|| place.to_string(), ToString::to_string);
    format!("{}: cannot read the folder: {cause}", shown_path(path))
}

impl RelinkRun<'_> {
    /// Processes one file. If it cannot be read or written, reports that and continues with the others.
    fn file(&mut self, path: &Path, named: bool) -> anyhow::Result<()> {
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > LARGE) {
            return self.large(path, named).or_else(|error| self.fail(error));
        }
        let text = match self.text(path, named) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(()),
            Err(error) => return self.fail(error),
        };
        self.files.searched += 1;
        let mut done = self.plan.text(&text);
        if let Some(new) = done.text.take() {
            if !self.flags.write {
                print_diff(path, &text, &new, DiffOutput::new(self.flags.color))?;
            } else if let Err(error) = replace(path, &text, &new) {
                done.rewritten = 0;
                self.fail(error)?;
            }
            if done.rewritten > 0 {
                self.count_changed(path);
            }
        }
        self.take(&shown_path(path), &done)
    }

    /// Returns the text of a file, or `None` if there is nothing to do.
    fn text(&mut self, path: &Path, named: bool) -> Result<Option<Vec<u8>>, Error> {
        let file = File::open(path).map_err(|error| Error::io(path, "open", error))?;
        let mut text = Vec::new();
        let read = |most, text: &mut Vec<u8>| {
            (&file).take(most).read_to_end(text).map_err(|error| Error::io(path, "read", error))
        };
        read(INSPECTED_BYTES, &mut text)?;
        packed(path, named, &text)?;
        if named || is_text(&text) {
            read(MAX_PIPED + 1 - INSPECTED_BYTES, &mut text)?;
        }
        if text.len() as u64 > MAX_PIPED {
            let most = MAX_PIPED >> 20;
            let why = format!(
                "is not a regular file and has more than {most} MiB; use stdin for text of any length: gridmill relink < PATH"
            );
            return Err(Error::file(path, why));
        }
        if is_text(&text) {
            return Ok(Some(text));
        }
        if is_utf16(&text) {
            self.files.utf16 += 1;
            return Ok(None);
        }
        self.files.binary += 1;
        // If a file was named, its user wants to know why its links were not rewritten.
        let links = if named { self.plan.text(&text).rewritten } else { 0 };
        if links > 0 {
            let why = format!(
                "is left alone with {}: it has NUL bytes or begins with %PDF, so it is not text",
                counted(links, "link")
            );
            return Err(Error::file(path, why));
        }
        Ok(None)
    }

    /// Processes a file that does not fit into memory. It is read once to find changes, and again if there are any.
    fn large(&mut self, path: &Path, named: bool) -> Result<(), Error> {
        packed(path, named, &large_text::first_bytes(path)?)?;
        let search = |rejects| large_text::search(path, self.plan, rejects);
        let stamp = large_text::stamp(path)?;
        if !large_text::is_text(path)? {
            if is_utf16(&large_text::first_bytes(path)?) {
                self.files.utf16 += 1;
                return Ok(());
            }
            self.files.binary += 1;
            let rewritten = if named { search(RejectsTo::Nowhere).map_or(0, |counts| counts.rewritten) } else { 0 };
            let why = format!(
                "is left alone with {}: it has NUL bytes or begins with %PDF, so it is not text",
                counted(rewritten, "link")
            );
            return if rewritten > 0 { Err(Error::file(path, why)) } else { Ok(()) };
        }
        self.files.searched += 1;
        let counts = search(self.rejects.of_run())?;
        self.kept += counts.kept;
        self.rows += counts.left;
        if counts.rewritten == 0 {
            return Ok(());
        }
        if self.flags.write {
            large_text::replace(path, self.plan, (stamp, counts))?;
        } else {
            large_text::diff(path, &shown_path(path), self.plan, DiffOutput::new(self.flags.color))?;
        }
        self.rewritten += counts.rewritten;
        self.count_changed(path);
        Ok(())
    }

    fn count_changed(&mut self, path: &Path) {
        print_notes();
        self.files.changed += 1;
        if self.first_changed.len() < MOST_NAMED {
            self.first_changed.push(shown_path(path));
        }
    }

    /// Adds to the error that ends the run which files were changed before it.
    fn and_changed(&self, error: anyhow::Error) -> anyhow::Error {
        if !self.flags.write || self.files.changed == 0 || matches!(error.downcast_ref(), Some(Error::Closed)) {
            return error;
        }
        let names = self.first_changed.join(", ");
        let rest = match self.files.changed - self.first_changed.len() as u64 {
            0 => String::new(),
            rest => format!(" and {} more", grouped(rest)),
        };
        let files = counted(self.files.changed, "file");
        anyhow::anyhow!("{error}; changed before that: {files} ({names}{rest}); run again to change the others")
    }

    /// Reports why a file was not processed. Returns an error only if the other files cannot be processed either.
    fn fail(&mut self, error: Error) -> anyhow::Result<()> {
        let full = |kind| matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        match error {
            Error::Closed => return Err(error.into()),
            Error::Io { ref source, .. } if full(source.kind()) => return Err(error.into()),
            _ => print_stderr(&error.to_string()),
        }
        self.files.failed += 1;
        Ok(())
    }

    /// Counts the results for a text, and lists the links that were left unchanged.
    fn take(&mut self, name: &str, done: &RewrittenText) -> anyhow::Result<()> {
        self.rewritten += done.rewritten;
        self.kept += done.kept;
        self.rows += done.left.len() as u64;
        Ok(self.rejects.list(name, &done.left)?)
    }

    fn finish(&self) -> anyhow::Result<u8> {
        self.rejects.finish()?;
        if !self.flags.quiet {
            let &Self { rewritten, kept, rows, files, .. } = self;
            let FileCounts { searched, changed, binary, utf16, failed } = files;
            let mut rest = match kept {
                0 => String::new(),
                1 => ", 1 stays as it is".into(),
                _ => format!(", {} stay as they are", grouped(kept)),
            };
            if rows > 0 {
                rest.push_str(&format!(", {} left alone", grouped(rows)));
            }
            for (count, noun, what) in [
                (binary, "binary file", "skipped"),
                (utf16, "file", "in UTF-16 skipped (convert to UTF-8 first)"),
                (failed, "file", "failed"),
            ] {
                if count > 0 {
                    rest.push_str(&format!("; {} {what}", counted(count, noun)));
                }
            }
            let links = match (rewritten, self.flags.write) {
                (0, _) => "no links to rewrite".to_string(),
                (_, write) => {
                    let done = if write { "rewritten" } else { "to be rewritten with --write" };
                    let place = if searched == 1 { "it".into() } else { format!("{} of them", grouped(changed)) };
                    format!("{} in {place} {done}", counted(rewritten, "link"))
                }
            };
            print_stderr(&format!("{}, {links}{rest}", counted(searched, "file")));
        }
        Ok(if self.rows > 0 || self.files.failed > 0 { SOME_BAD } else { GOOD })
    }
}

/// Whether these bytes are text. Binary data contain many bytes that look like links.
fn is_text(bytes: &[u8]) -> bool {
    !bytes.starts_with(b"%PDF") && memchr::memchr(0, bytes).is_none()
}

/// Refuses a file that was named and is an archive, in which links are not found.
fn packed(path: &Path, named: bool, first: &[u8]) -> Result<(), Error> {
    if !named {
        return Ok(());
    }
    if is_archive(first) {
        let why = "is compressed (gzip or zstd), so its links are not rewritten; 'gridmill relink < FILE > NEW' decompresses it \
                   and rewrites them";
        return Err(Error::file(path, why));
    }
    match foreign(first) {
        Some(foreign) if foreign.is_archive => Err(Error::file(path, foreign.refusal)),
        _ => Ok(()),
    }
}

/// Whether binary data are text in another encoding: it begins with a byte order mark, or every other one of its first
/// bytes is NUL.
fn is_utf16(bytes: &[u8]) -> bool {
    let nuls =
        |from: usize| bytes.len() >= UTF16_BYTES && bytes[from..UTF16_BYTES].iter().step_by(2).all(|&byte| byte == 0);
    let has_mark = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    has_mark || nuls(0) != nuls(1)
}

/// Replaces a file by the new text.
fn replace(path: &Path, old: &[u8], new: &[u8]) -> Result<(), Error> {
    let mut output = Output::replacing(path, true)?;
    output.write(new)?;
    output.sync()?;
    // Changes that somebody made in the meantime must not be lost.
    if fs::read(path).map_err(|error| Error::io(path, "read", error))? != old {
        return Err(Error::file(path, "was changed while it was being read; run again"));
    }
    output.finish()
}

/// Prints the changes.
fn print_diff(path: &Path, old: &[u8], new: &[u8], output: DiffOutput) -> anyhow::Result<()> {
    let mut text = Vec::new();
    let mut diff = LineDiff::new(&shown_path(path), old, &mut text);
    diff.write_all(new).and_then(|()| diff.finish()).map_err(|error| Error::io(path, "compare", error))?;
    let mut output = output;
    Ok(output.write_all(&text).map_err(|error| Error::io("<stdout>", "write", error))?)
}
