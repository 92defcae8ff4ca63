//! `--framing auto`: detects how strings are arranged in the inputs, from their file name extensions and first bytes.

use std::io::Read;
use std::path::Path;

use super::InputFlags;
use super::columns::by_first_bytes;
use super::framings::AUTO;
use crate::error::{Error, shown_path};
use crate::framing::{Guess, NamedFraming, NamedPlace, Unsure, guess};
use crate::source::{Input, Reading, Source, begin_as_utf8, foreign, is_archive};

/// The number of bytes that are inspected.
const INSPECTED_BYTES: usize = 64 << 10;

impl InputFlags {
    /// Detects the framing of the inputs of a command, if that is asked for. Returns what to tell the user about it.
    pub(in crate::cli) fn detect_framing(&mut self, command: &str) -> anyhow::Result<Option<String>> {
        self.detection.puzzles = command != "convert";
        let is_auto = std::ptr::eq(self.framing, &AUTO);
        let note = self.detect_columns(is_auto)?;
        if note.is_some() || !is_auto {
            return Ok(note);
        }
        let mut found: Option<(String, Guess)> = None;
        let names = if self.inputs.is_empty() { vec!["-".into()] } else { self.inputs.clone() };
        for path in &names {
            if path.as_os_str() == "-" && names.len() == 1 && self.stdin_has_columns()? {
                return Ok(Some(format!("<stdin>: read with --framing {}", self.framing.name)));
            }
            let (name, one) =
                if path.as_os_str() == "-" { ("<stdin>".into(), self.of_stdin()?) } else { self.of_file(path)? };
            match &found {
                Some((first, other)) if other.flags() != one.flags() => anyhow::bail!(
                    "{first} is read with {}, but {name} with {}; convert them separately, or set --framing",
                    other.flags(),
                    one.flags()
                ),
                Some(_) => {}
                None => found = Some((name, one)),
            }
        }
        let Some((name, guess)) = found else { return Ok(None) };
        let more = guess.note.as_ref().map_or(String::new(), |note| format!("; {note}"));
        let note = format!("{name}: read with {}{more}", guess.flags());
        self.take(guess.clone())?;
        self.detection.guessed = Some(guess);
        Ok(Some(note))
    }

    /// Checks that other files, which are read in the same way as the inputs, seem to have the same framing.
    pub(super) fn check_guessed(&self) -> anyhow::Result<()> {
        let Some(guessed) = &self.detection.guessed else { return Ok(()) };
        let sort = |guess: &Guess| (guess.framing, guess.delimiter, guess.no_header);
        for path in self.inputs.iter().filter(|path| path.as_os_str() != "-") {
            if !path.metadata().map_err(|error| Error::io(path, "open", error))?.is_file() {
                continue;
            }
            let (name, one) = self.of_file(path)?;
            anyhow::ensure!(
                sort(&one) == sort(guessed),
                "{name} is read with {}, but the input with {}; both must have the same form, or set --framing",
                one.flags(),
                guessed.flags()
            );
        }
        Ok(())
    }

    fn take(&mut self, guess: Guess) -> anyhow::Result<()> {
        self.framing = NamedFraming::named(guess.framing)
            .ok_or_else(|| Error::Internal(format!("no framing {}", guess.framing)))?;
        if self.column.is_empty() {
            self.column.extend(guess.column);
        }
        if self.field.is_empty() {
            self.field.extend(guess.field);
        }
        self.delimiter = self.delimiter.or(guess.delimiter);
        self.no_header |= guess.no_header;
        Ok(())
    }

    fn of_file(&self, path: &Path) -> anyhow::Result<(String, Guess)> {
        let name = shown_path(path);
        let metadata = path.metadata().map_err(|error| Error::io(path, "open", error))?;
        anyhow::ensure!(
            metadata.is_file(),
            "{name} is not a regular file, so --framing auto cannot inspect it; set --framing"
        );
        let source = Source::new(vec![Input::File(path.to_path_buf())], Reading::Read, INSPECTED_BYTES)?;
        let (text, whole) = match source.next(Vec::new()) {
            Some(pulled) => pulled.chunk.map(|chunk| (chunk.text().to_vec(), chunk.shape.last))?,
            None => (Vec::new(), true),
        };
        // The extension before the one that marks compression.
        let stem = path.with_extension("");
        let ending = |path: &Path| path.extension().and_then(|ending| ending.to_str()).map(str::to_string);
        let ending = match ending(path) {
            Some(last) if ["zst", "gz"].contains(&last.as_str()) => ending(&stem),
            last => last,
        };
        let guess = self.guess(&text, ending.as_deref(), whole).map_err(|words| anyhow::anyhow!("{name}: {words}"))?;
        Ok((name, guess))
    }

    /// Returns the first bytes of stdin, and keeps them to be read later.
    fn peek(&mut self) -> anyhow::Result<&[u8]> {
        if self.detection.peeked.is_none() {
            let mut text = Vec::new();
            let read = std::io::stdin().lock().take(INSPECTED_BYTES as u64).read_to_end(&mut text);
            read.map_err(|error| Error::io("<stdin>", "read", error))?;
            self.detection.peeked = Some(text);
        }
        Ok(self.detection.peeked.as_deref().unwrap_or_default())
    }

    /// Whether stdin is a file with columns. If so, it is opened as one.
    fn stdin_has_columns(&mut self) -> anyhow::Result<bool> {
        let found = by_first_bytes(self.peek()?);
        self.framing = found.unwrap_or(self.framing);
        Ok(found.is_some())
    }

    fn of_stdin(&mut self) -> anyhow::Result<Guess> {
        let text = self.peek()?.to_vec();
        if let Some(foreign) = foreign(&text) {
            return Err(Error::file("<stdin>", foreign.refusal).into());
        }
        let archive = "<stdin> is compressed, so --framing auto cannot inspect it; set --framing, or name the file";
        anyhow::ensure!(!is_archive(&text), archive);
        let whole = text.len() < INSPECTED_BYTES;
        let guess = self
            .guess(&begin_as_utf8(&text).unwrap_or(text), None, whole)
            .map_err(|words| anyhow::anyhow!("<stdin>: {words}"))?;
        Ok(guess)
    }

    fn guess(&self, text: &[u8], ending: Option<&str>, whole: bool) -> Result<Guess, Unsure> {
        let [column, field] = [&self.column, &self.field].map(|names| names.first().map(String::as_str));
        guess(text, ending, whole, &NamedPlace { column, field, puzzles: self.detection.puzzles })
    }
}
