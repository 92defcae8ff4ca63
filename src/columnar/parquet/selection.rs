//! Copies selected rows: row groups that are kept completely are copied as bytes, others are written again.

use std::sync::atomic::Ordering;

use parquet::data_type::Int64Type;

use super::errors::write_error;
use super::write::{ChunkWriter, NewChunk, Pages};
use super::{GroupOutput, GroupPlan, only, open_all};
use crate::columnar::naming;
use crate::engine::{ColumnJob, Container, End, NextPortion, RowSelection, Seat, SelectedRows, Turns};
use crate::error::Error;
use crate::output::Output;
use crate::source::Input;

/// Writes the selected rows of all inputs. Returns the output and the number of bytes written.
pub(in crate::columnar) fn copy_kept(
    job: &ColumnJob,
    inputs: Vec<Input>,
    output: Output,
    selection: &mut RowSelection<'_>,
) -> Result<(Output, u64), Error> {
    let inputs = open_all(inputs)?;
    let (plan, metadata) = GroupPlan::new(job, &inputs, output.folder())?;
    let copy = || {
        let destination = job.run(&SelectGroups(&plan), plan.create_file(output, metadata)?, selection)?;
        inputs.iter().try_for_each(|input| input.unchanged())?;
        destination.end(&plan)
    };
    copy().map_err(|error| naming(only(&inputs), error))
}

/// Row groups of which some rows are copied.
struct SelectGroups<'p, 'r>(&'p GroupPlan<'r>);

impl Container<GroupOutput, &mut RowSelection<'_>> for SelectGroups<'_, '_> {
    type Worker = ();
    type Portion = usize;

    fn worker(&self) -> Result<(), Error> {
        Ok(())
    }

    fn next(&self, (): &mut (), seat: &mut Seat) -> Option<NextPortion<'_, usize>> {
        self.0.next(seat)
    }

    fn process(
        &self,
        (): &mut (),
        number: usize,
        turns: &mut Turns<'_, GroupOutput, &mut RowSelection<'_>>,
    ) -> Result<(), End> {
        let (input, group) = self.0.groups[number];
        let rows = self.0.inputs[input].metadata.row_group(group).num_rows();
        let selected = turns.number(|selection| selection.next(rows.unsigned_abs()))??;
        let done = self.0.write_selected(number, &selected)?;
        selected.check_written(match (done, turns.out()?) {
            (Some((filtered, appended)), GroupOutput::File(file)) => self.0.append(file, number, filtered, appended)?,
            _ => 0,
        })?;
        self.0.finish(number);
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.0.taken.load(Ordering::Relaxed)
    }
}

impl GroupPlan<'_> {
    /// Returns the columns of a row group with the rows that are kept (if some are not), and the appended columns.
    /// Returns `None` if no row is kept.
    #[expect(clippy::type_complexity, reason = "two lists of chunks, of which one may not be needed")]
    fn write_selected(
        &self,
        number: usize,
        selected: &SelectedRows,
    ) -> Result<Option<(Option<Vec<NewChunk>>, Vec<NewChunk>)>, Error> {
        let (input, group) = self.groups[number];
        if selected.are_left_out() {
            return Ok(None);
        }
        let any_out = selected.keep.contains(&false);
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
