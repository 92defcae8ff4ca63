//! Drawings in a file each.

use super::NUMBER;
use crate::error::{Error, escape};
use crate::output::{LazyFile, Output, finish_together};
use crate::platform::open_files;

/// The most drawings that are put in place together. Each takes two descriptors until then.
const TOGETHER: usize = 100;

/// Descriptors that are left for everything else.
const OTHER_DESCRIPTORS: u64 = 24;

/// Files that are written, and put in place together: all of them or, if there are more than may be open at a time, so
/// many at a time.
pub(super) struct Drawings<'n> {
    /// The name of the files, with a placeholder.
    name: &'n str,
    waiting: Vec<Output>,
    in_place: usize,
    together: usize,
}

impl<'n> Drawings<'n> {
    pub(super) fn new(name: &'n str) -> Self {
        let free = open_files().saturating_sub(OTHER_DESCRIPTORS) / 2;
        let together = usize::try_from(free).unwrap_or(TOGETHER).clamp(1, TOGETHER);
        Self { name, waiting: Vec::new(), in_place: 0, together }
    }

    /// Writes the next drawing.
    pub(super) fn add(
        &mut self,
        open: impl FnOnce() -> anyhow::Result<Option<LazyFile>>,
        drawing: &[u8],
    ) -> anyhow::Result<()> {
        if self.waiting.len() == self.together {
            self.put_in_place()?;
        }
        let written = open().and_then(|file| {
            let Some(mut file) = file else { return Ok(None) };
            file.write(drawing)?;
            Ok(file.into_output())
        });
        self.waiting.extend(written.map_err(|error| self.and_in_place(error))?);
        Ok(())
    }

    /// Puts the rest in place.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.put_in_place()
    }

    fn put_in_place(&mut self) -> anyhow::Result<()> {
        let done = self.waiting.len();
        finish_together(self.waiting.drain(..)).map_err(|error| self.and_in_place(error.into()))?;
        self.in_place += done;
        Ok(())
    }

    /// Adds to an error which drawings were put in place before those that wait together.
    fn and_in_place(&self, error: anyhow::Error) -> anyhow::Error {
        let name = |number: usize| escape(self.name.replace(NUMBER, &number.to_string()).as_bytes());
        match (self.in_place, error.downcast_ref::<Error>()) {
            (0, _) | (_, Some(Error::Closed)) => error,
            (1, _) => anyhow::anyhow!("{error} (put in place earlier in this run: {})", name(1)),
            (last, _) => anyhow::anyhow!("{error} (put in place earlier in this run: {} to {})", name(1), name(last)),
        }
    }
}
