//! Copies selected rows. Batches that are kept completely are written as they were read.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;

use super::{BatchQueue, Destination, Plan, about_all, open_all};
use crate::columnar::budget::Seat;
use crate::columnar::naming;
use crate::engine::{ColumnJob, RowSelection, SelectedRows};
use crate::error::Error;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::Input;

/// The next batch, and the selection of its rows.
struct Next<'n, 'c> {
    batches: BatchQueue,
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
    let plan = Plan::new(job, &inputs[0])?;
    let metadata = about_all(&inputs);
    let only = if let [input] = &inputs[..] { Some(input.path.clone()) } else { None };
    let copy = || {
        let turns = Turnstile::new(Destination::like(&inputs[0], &plan.schema, output)?);
        let next = Mutex::new(Next { batches: BatchQueue::new(inputs), selection });
        job.run_on_all(|| plan.copy_batches(&next, &turns))?;
        turns.into_inner().end(&plan, &metadata)
    };
    copy().map_err(|error| naming(only.as_deref(), error))
}

impl Plan<'_> {
    /// Copies batches until there are none left.
    fn copy_batches(&self, next: &Mutex<Next<'_, '_>>, turns: &Turnstile<Destination>) -> Result<(), Error> {
        let _watch = turns.watch();
        let mut seat = Seat::default();
        loop {
            let (number, selected, _share) = {
                let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                let (number, batch, share) = match self.pull(&mut next.batches, &mut seat) {
                    None => return Ok(()),
                    Some(Ok(((number, _, batch), share))) => (number, batch, share),
                    Some(Err(error)) => {
                        turns.stop();
                        return Err(error);
                    }
                };
                let selected = next.selection.next(batch.num_rows() as u64);
                (number, selected.map(|selected| (batch, selected)), share)
            };
            let kept = selected.and_then(|(batch, selected)| self.select_rows(batch, selected));
            // If the turns have ended, another worker reports why.
            let Ok(mut turn) = turns.wait(number) else { return Ok(()) };
            if let Err(error) = kept.and_then(|batch| batch.map_or(Ok(()), |batch| turn.write(&batch, self))) {
                turn.stop();
                return Err(error);
            }
        }
    }

    /// Returns the rows of a batch that are kept, with the sizes of their classes if these are appended. Returns `None`
    /// if no row is kept.
    fn select_rows(&self, batch: RecordBatch, selected: SelectedRows) -> Result<Option<RecordBatch>, Error> {
        let failed = |error: ArrowError| Error::Internal(format!("a batch with some rows: {error}"));
        let any_out = selected.keep.contains(&false);
        if any_out && !selected.keep.contains(&true) {
            return Ok(None);
        }
        let batch = match any_out {
            true => filter_record_batch(&batch, &BooleanArray::from(selected.keep.clone())).map_err(failed)?,
            false => batch,
        };
        selected.check_written(batch.num_rows() as u64)?;
        let mut columns = batch.columns().to_vec();
        columns.extend(selected.counts.map(|counts| Arc::new(Int64Array::from(counts)) as ArrayRef));
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some).map_err(failed)
    }
}
