//! Copies selected rows: row groups that are kept completely are copied as bytes, others are written again.

use std::sync::{Mutex, PoisonError};

use parquet::data_type::Int64Type;

use super::errors::write_error;
use super::write::{ChunkWriter, NewChunk, Pages};
use super::{Destination, Plan, only, open_all};
use crate::columnar::budget::Seat;
use crate::columnar::naming;
use crate::engine::{ColumnJob, RowSelection, SelectedRows};
use crate::error::Error;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::Input;

/// The next row group, and the selection of its rows.
struct Next<'n, 'c> {
    number: usize,
    selection: &'n mut RowSelection<'c>,
}

/// Writes the selected rows of all inputs. Returns the output and the number of bytes written.
pub(in crate::columnar) fn copy_kept(
    job: &ColumnJob,
    inputs: Vec<Input>,
    output: Output,
    selection: &mut RowSelection<'_>,
) -> Result<(Output, u64), Error> {
    let inputs = open_all(inputs)?;
    let (plan, metadata) = Plan::new(job, &inputs, output.folder())?;
    let copy = || {
        let turns = Turnstile::new(plan.create_file(output, metadata)?);
        let next = Mutex::new(Next { number: 0, selection });
        job.run_on_all(|| plan.copy_row_groups(&next, &turns))?;
        inputs.iter().try_for_each(|input| input.unchanged())?;
        turns.into_inner().end(&plan)
    };
    copy().map_err(|error| naming(only(&inputs), error))
}

impl Plan<'_> {
    /// Copies row groups until there are none left.
    fn copy_row_groups(&self, next: &Mutex<Next<'_, '_>>, turns: &Turnstile<Destination>) -> Result<(), Error> {
        let _watch = turns.watch();
        let mut seat = Seat::default();
        loop {
            let (number, selected, _share) = {
                let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(&(input, group)) = self.groups.get(next.number) else { return Ok(()) };
                let Some(share) = self.budget.take(&mut seat, self.cost(next.number)) else { return Ok(()) };
                next.number += 1;
                let rows = self.inputs[input].metadata.row_group(group).num_rows();
                (next.number - 1, next.selection.next(rows.unsigned_abs()), share)
            };
            let done = selected.and_then(|selected| Ok((self.write_selected(number, &selected)?, selected)));
            // If the turns have ended, another worker reports why.
            let Ok(mut turn) = turns.wait(number as u64) else { return Ok(()) };
            let written = done.and_then(|(done, selected)| match (done, &mut *turn) {
                (Some((filtered, new)), Destination::File(file)) => {
                    selected.check_written(self.append(file, self.groups[number], filtered, new)?)
                }
                _ => selected.check_written(0),
            });
            if let Err(error) = written {
                turn.stop();
                return Err(error);
            }
            let (input, group) = self.groups[number];
            self.job.add_bytes_read(self.inputs[input].metadata.row_group(group).compressed_size().unsigned_abs());
        }
    }

    /// Returns the columns of a row group with the rows that are kept (if some are not), and the appended columns.
    /// Returns `None` if no row is kept.
    #[expect(clippy::type_complexity, reason = "two lists of chunks, of which one may not be needed")]
    fn write_selected(
        &self,
        number: usize,
        selected: &SelectedRows,
    ) -> Result<Option<(Option<Vec<NewChunk>>, Vec<NewChunk>)>, Error> {
        let (input, group) = self.groups[number];
        let any_out = selected.keep.contains(&false);
        if any_out && !selected.keep.contains(&true) {
            return Ok(None);
        }
        if !any_out {
            self.check_copied(input, group)?;
        }
        let filtered = any_out.then(|| self.filter(input, group, &selected.keep)).transpose()?;
        let counts = selected.counts.iter().map(|counts| self.write_counts(input, group, counts));
        Ok(Some((filtered, counts.collect::<Result<_, _>>()?)))
    }

    /// Writes the column with the sizes of classes.
    fn write_counts(&self, input: usize, group: usize, counts: &[Option<i64>]) -> Result<NewChunk, Error> {
        let leaves = self.new_leaves(&self.inputs[input], group)?;
        let leaf = leaves.into_iter().next().ok_or_else(|| Error::Internal("no column for counts".into()))?;
        let defined: Vec<_> = counts.iter().map(|count| i16::from(count.is_some())).collect();
        let values: Vec<_> = counts.iter().flatten().copied().collect();
        let mut pages = Pages::new(&self.space, false, self.inputs[input].has_checksums())?;
        let mut writer = ChunkWriter::<Int64Type>::new(leaf.column, leaf.properties, &mut pages);
        let written = writer.write(&values, &defined, &[]).and_then(|()| writer.close());
        pages.end(written.map_err(write_error)?)
    }
}
