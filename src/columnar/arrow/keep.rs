//! Rows that were chosen before: other batches are written as they were read.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;

use super::{Batches, Destination, Plan, open_all};
use crate::engine::{ColumnJob, RowSelection, SelectedRows};
use crate::error::Error;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::Input;

/// The next batch, and what is chosen of it.
struct Next<'n, 'c> {
    batches: Batches,
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
    let plan = Plan::new(job, &inputs[0])?;
    let turns = Turnstile::new(Destination::like(&inputs[0], &plan.schema, output)?);
    let next = Mutex::new(Next { batches: Batches::new(inputs), choice });
    job.run_on_all(|| plan.keep(&next, &turns))?;
    turns.into_inner().end()
}

impl Plan<'_> {
    /// Works on batches until there are none.
    fn keep(&self, next: &Mutex<Next<'_, '_>>, turns: &Turnstile<Destination>) -> Result<(), Error> {
        let _watch = turns.watch();
        loop {
            let (number, chosen) = {
                let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
                let (number, batch) = match next.batches.pull() {
                    None => return Ok(()),
                    Some(Ok((number, _, batch))) => (number, batch),
                    Some(Err(error)) => {
                        turns.stop();
                        return Err(error);
                    }
                };
                let chosen = next.choice.next(batch.num_rows() as u64);
                (number, chosen.map(|chosen| (batch, chosen)))
            };
            let kept = chosen.and_then(|(batch, chosen)| self.of_batch(batch, chosen));
            // Where the turns are over, somebody else says why.
            let Ok(mut turn) = turns.wait(number) else { return Ok(()) };
            if let Err(error) = kept.and_then(|batch| batch.map_or(Ok(()), |batch| turn.write(&batch))) {
                turn.stop();
                return Err(error);
            }
        }
    }

    /// The rows of a batch that stay, with the sizes of their classes if these are asked for; nothing if none stays.
    fn of_batch(&self, batch: RecordBatch, chosen: SelectedRows) -> Result<Option<RecordBatch>, Error> {
        let failed = |error: ArrowError| Error::Internal(format!("a batch with some rows: {error}"));
        let any_out = chosen.stay.contains(&false);
        if any_out && !chosen.stay.contains(&true) {
            return Ok(None);
        }
        let batch = match any_out {
            true => filter_record_batch(&batch, &BooleanArray::from(chosen.stay)).map_err(failed)?,
            false => batch,
        };
        let mut columns = batch.columns().to_vec();
        columns.extend(chosen.counts.map(|counts| Arc::new(Int64Array::from(counts)) as ArrayRef));
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some).map_err(failed)
    }
}
