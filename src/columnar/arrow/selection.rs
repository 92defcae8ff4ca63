//! Copies selected rows. Batches that are kept completely are written as they were read.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;

use super::{BatchOutput, BatchPlan, BatchQueue, about_all, open_all};
use crate::columnar::naming;
use crate::engine::{ColumnJob, Container, End, NextPortion, PortionQueue, RowSelection, Seat, SelectedRows, Turns};
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
    let plan = BatchPlan::new(job, &inputs[0])?;
    let metadata = about_all(&inputs);
    let only = if let [input] = &inputs[..] { Some(input.path.clone()) } else { None };
    let copy = || {
        let destination = BatchOutput::like(&inputs[0], &plan.schema, output)?;
        let batches = SelectBatches { plan: &plan, queue: plan.queue(BatchQueue::new(inputs)) };
        job.run(&batches, destination, selection)?.end(&plan, &metadata)
    };
    copy().map_err(|error| naming(only.as_deref(), error))
}

/// Batches of which some rows are copied.
struct SelectBatches<'p, 'r> {
    plan: &'p BatchPlan<'r>,
    queue: PortionQueue<BatchQueue>,
}

impl Container<BatchOutput, &mut RowSelection<'_>> for SelectBatches<'_, '_> {
    type Worker = ();
    /// A batch, with the number of its input.
    type Portion = (usize, RecordBatch);

    fn worker(&self) -> Result<(), Error> {
        Ok(())
    }

    fn next(&self, (): &mut (), seat: &mut Seat) -> Option<NextPortion<'_, Self::Portion>> {
        self.plan.next(&self.queue, seat)
    }

    fn process(
        &self,
        (): &mut (),
        (_, batch): Self::Portion,
        turns: &mut Turns<'_, BatchOutput, &mut RowSelection<'_>>,
    ) -> Result<(), End> {
        let selected = turns.number(|selection| selection.next(batch.num_rows() as u64))??;
        let kept = self.plan.select_rows(batch, selected)?;
        let out = turns.out()?;
        kept.map_or(Ok(()), |batch| Ok(out.write(&batch, self.plan)?))
    }
}

impl BatchPlan<'_> {
    /// Returns the rows of a batch that are kept, with the sizes of their classes if these are appended. Returns `None`
    /// if no row is kept.
    fn select_rows(&self, batch: RecordBatch, selected: SelectedRows) -> Result<Option<RecordBatch>, Error> {
        let failed = |error: ArrowError| Error::Internal(format!("a batch with some rows: {error}"));
        if selected.are_left_out() {
            return Ok(None);
        }
        let batch = match selected.keep.contains(&false) {
            true => filter_record_batch(&batch, &BooleanArray::from(selected.keep.clone())).map_err(failed)?,
            false => batch,
        };
        selected.check_written(batch.num_rows() as u64)?;
        let mut columns = batch.columns().to_vec();
        columns.extend(selected.counts.map(|counts| Arc::new(Int64Array::from(counts)) as ArrayRef));
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some).map_err(failed)
    }
}
