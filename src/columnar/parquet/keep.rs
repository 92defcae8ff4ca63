//! Rows that were chosen before: row groups of which all stay are passed through as bytes, others are written anew.

use std::sync::{Mutex, PoisonError};

use parquet::data_type::Int64Type;

use super::write::{ChunkWriter, NewChunk, Pages};
use super::{Destination, Plan, open_all, unwritten};
use crate::columnar::output::FileOutput;
use crate::engine::{ColumnJob, RowSelection, SelectedRows};
use crate::error::Error;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::Input;

/// The next row group, and what is chosen of it.
struct Next<'n, 'c> {
    number: usize,
    choice: &'n mut RowSelection<'c>,
}

/// Writes the rows of all inputs that are chosen. Returns the output, with the bytes that were written.
pub(in crate::columnar) fn keep(
    job: &ColumnJob,
    inputs: Vec<Input>,
    output: Output,
    choice: &mut RowSelection<'_>,
) -> Result<(Output, u64), Error> {
    let inputs = open_all(inputs)?;
    let (plan, metadata) = Plan::new(job, &inputs, output.folder())?;
    let turns = Turnstile::new(plan.file(output, metadata)?);
    let next = Mutex::new(Next { number: 0, choice });
    job.run_on_all(|| plan.keep(&next, &turns))?;
    inputs.iter().try_for_each(|input| input.unchanged())?;
    turns.into_inner().end()
}

impl Plan<'_> {
    /// Works on row groups until there are none.
    fn keep(&self, next: &Mutex<Next<'_, '_>>, turns: &Turnstile<Destination>) -> Result<(), Error> {
        let _watch = turns.watch();
        loop {
            let (number, chosen) = {
                let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(&(input, group)) = self.groups.get(next.number) else { return Ok(()) };
                next.number += 1;
                let rows = self.inputs[input].metadata.row_group(group).num_rows();
                (next.number - 1, next.choice.next(rows.unsigned_abs()))
            };
            let done = chosen.and_then(|chosen| self.write_chosen(number, &chosen));
            // Where the turns are over, somebody else says why.
            let Ok(mut turn) = turns.wait(number as u64) else { return Ok(()) };
            let put = done.and_then(|done| match (done, &mut *turn) {
                (Some((filtered, new)), Destination::File(writer)) => {
                    self.append(writer, self.groups[number], filtered, new)
                }
                _ => Ok(()),
            });
            if let Err(error) = put {
                turn.stop();
                return Err(error);
            }
            let (input, group) = self.groups[number];
            self.job.add_bytes_read(self.inputs[input].metadata.row_group(group).compressed_size().unsigned_abs());
        }
    }

    /// The columns of a row group with the rows that stay, if not all do, and those that come after them; nothing if no row stays.
    #[expect(clippy::type_complexity, reason = "two lists of chunks, of which one may not be needed")]
    fn write_chosen(
        &self,
        number: usize,
        chosen: &SelectedRows,
    ) -> Result<Option<(Option<Vec<NewChunk>>, Vec<NewChunk>)>, Error> {
        let (input, group) = self.groups[number];
        let any_out = chosen.stay.contains(&false);
        if any_out && !chosen.stay.contains(&true) {
            return Ok(None);
        }
        let filtered = any_out.then(|| self.filter(input, group, &chosen.stay)).transpose()?;
        let counts = chosen.counts.iter().map(|counts| self.write_counts(input, group, counts));
        Ok(Some((filtered, counts.collect::<Result<_, _>>()?)))
    }

    /// The column with the sizes of classes.
    fn write_counts(&self, input: usize, group: usize, counts: &[Option<i64>]) -> Result<NewChunk, Error> {
        let leaves = self.new_leaves(&self.inputs[input], group)?;
        let leaf = leaves.into_iter().next().ok_or_else(|| Error::Internal("no column for counts".into()))?;
        let defined: Vec<_> = counts.iter().map(|count| i16::from(count.is_some())).collect();
        let values: Vec<_> = counts.iter().flatten().copied().collect();
        let mut pages = Pages::new(None)?;
        let mut writer = ChunkWriter::<Int64Type>::new(leaf.column, leaf.properties, &mut pages);
        let written = writer.write(&values, &defined, &[]).and_then(|()| writer.close());
        pages.end(written.map_err(unwritten)?)
    }
}

impl Destination {
    /// The output at its end, with the bytes that were written.
    pub(super) fn end(self) -> Result<(Output, u64), Error> {
        match self {
            Self::Nowhere(output) | Self::Strings(output) => Ok((output, 0)),
            Self::File(mut writer) => {
                writer.finish().map_err(unwritten)?;
                FileOutput::end(writer.inner_mut())
            }
        }
    }
}
