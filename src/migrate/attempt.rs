//! One attempt at a batch: its rows are read, decided on and written, some thousands at a time. With a backup and more
//! rows than that, a second thread records what was written while the next rows are read and written.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use super::backup::BackupWriter;
use super::decide::{Decide, Decision, Tally};
use super::journal::{BatchHash, HeldValue, Rejected};
use super::run::{Work, refusal};
use super::trail::Trail;
use super::{
    BatchOutcome, Change, Database, Failure, Interference, KeyValue, MigrationJob, NotWritten, RowsToRead, StoredAs,
    TableRow,
};
use crate::error::{Code, Error, Reject};

/// The sizes of refusal messages and of values after which a batch ends, even if it has few rows.
const MAX_MESSAGE_BYTES: usize = 2 << 20;
const MAX_VALUE_BYTES: usize = 8 << 20;

/// The rows of a batch after they were written.
#[derive(Default)]
pub(super) struct WrittenBatch {
    /// The key of the last row.
    pub(super) last: Option<KeyValue>,
    pub(super) count: usize,
    pub(super) tally: Tally,
    pub(super) rejected: Vec<Rejected>,
    said: usize,
    bytes: usize,
}

/// Why an attempt must be repeated.
pub(super) enum Failed {
    /// Other sessions interfered.
    Conflict(Interference),
    /// The database refused some rows, which are now known and will be left out.
    Without,
}

/// Rows that were read together, and what to do with them.
struct Slice {
    rows: Vec<TableRow>,
    decisions: Vec<Decision>,
    tally: Tally,
}

/// Records what was written, in the batch's hash and in the backup.
struct Recorder<'w> {
    trail: &'w mut Trail,
    backup: Option<&'w mut BackupWriter>,
    hash: BatchHash,
}

impl Recorder<'_> {
    /// Records slices as they come, and returns rows that are no longer needed.
    fn work(mut self, written: &Receiver<Slice>, used: &Sender<Vec<TableRow>>) -> Result<BatchHash, Error> {
        for slice in written {
            self.record(&slice)?;
            // If the receiver is gone, the writer has failed.
            _ = used.send(slice.rows);
        }
        Ok(self.hash)
    }

    fn record(&mut self, Slice { rows, decisions, .. }: &Slice) -> Result<(), Error> {
        for (row, decision) in rows.iter().zip(decisions) {
            let row_hash = self.hash.add(row, now(row, decision));
            self.trail.add(self.hash.key(), row_hash);
            if let (Decision::New(_), Some(backup)) = (decision, &mut self.backup) {
                backup.add(row, row_hash)?;
            }
        }
        Ok(())
    }
}

/// The value that the column should have after the batch.
fn now<'a>(row: &'a TableRow, decision: &'a Decision) -> HeldValue<'a> {
    match decision {
        Decision::New(new) => new.held(),
        _ => row.target.as_ref().unwrap_or(&row.old).held(),
    }
}

/// Where recording is done.
enum Recording<'w> {
    /// In the writer's own thread. Without a backup recording is cheaper than moving rows from one core's cache to
    /// another's, and with few rows at a time there is nothing to do in parallel.
    Inline(Box<Recorder<'w>>),
    Thread(SyncSender<Slice>, Receiver<Vec<TableRow>>),
}

impl Recording<'_> {
    /// Records a slice. Returns rows that are no longer needed.
    fn record(&mut self, slice: Slice) -> Result<Option<Vec<TableRow>>, Error> {
        match self {
            Self::Inline(recorder) => recorder.record(&slice).map(|()| Some(slice.rows)),
            Self::Thread(written, used) => {
                written.send(slice).map_err(|_| gone())?;
                Ok(used.try_recv().ok())
            }
        }
    }
}

/// The part of an attempt that uses the database.
struct BatchWriter<'w, D, R> {
    database: &'w mut D,
    job: &'w MigrationJob,
    decider: &'w mut R,
    stored: StoredAs,
    fatal: &'w mut HashMap<KeyValue, String>,
    /// The most rows to write; `None` for all.
    most: Option<usize>,
    recording: Recording<'w>,
    rows: WrittenBatch,
}

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Writes the rows of a batch, after `after` and up to `end`. Also returns their hash.
    pub(super) fn write_rows(
        &mut self,
        after: Option<&KeyValue>,
        end: Option<&KeyValue>,
    ) -> Result<Result<(WrittenBatch, BatchHash), Failed>, Failure> {
        let (stored, slice) = (self.database.table().stored_as(), self.database.table().dialect.slice);
        let Self { database, job, decider, trail, backup, fatal, speed, .. } = self;
        let recorder = Recorder { trail, backup: backup.as_mut(), hash: BatchHash::default() };
        let most = (!R::WHOLE).then_some(speed.batch);
        let (database, rows) = (&mut **database, WrittenBatch::default());
        let is_here = recorder.backup.is_none() || most.is_some_and(|most| most <= slice);
        let writer = |recording| BatchWriter { database, job, decider, stored, fatal, most, recording, rows };
        if is_here {
            let mut writer = writer(Recording::Inline(Box::new(recorder)));
            let written = writer.write_all(after, end)?;
            let Recording::Inline(recorder) = writer.recording else { return Err(gone().into()) };
            return Ok(written.map(|()| (writer.rows, recorder.hash)));
        }
        // A short queue, so that memory is limited if the writer is faster than the recorder.
        let ((slices, written), (give_back, used)) = (sync_channel(2), channel());
        let mut writer = writer(Recording::Thread(slices, used));
        thread::scope(|scope| {
            let recorder = thread::Builder::new().spawn_scoped(scope, move || recorder.work(&written, &give_back));
            let recorder = recorder.map_err(|error| {
                writer.database.table().fault("write a batch", format!("a thread cannot be started: {error}"))
            })?;
            let written = writer.write_all(after, end);
            let BatchWriter { recording, rows, .. } = writer;
            drop(recording);
            // If the recorder failed, the writer only knows that it is gone.
            let hash = recorder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(written?.map(|()| (rows, hash)))
        })
    }
}

impl<D: Database, R: Decide> BatchWriter<'_, D, R> {
    fn write_all(&mut self, after: Option<&KeyValue>, end: Option<&KeyValue>) -> Result<Result<(), Failed>, Failure> {
        while let Some(mut slice) = self.next_slice(after, end)? {
            let refused = self.rows.tally.rejected;
            self.rows.tally.add(&slice.tally);
            self.refuse_fatal(&mut slice);
            if let Some(failed) = self.write_slice(&mut slice)? {
                return Ok(Err(failed));
            }
            if self.rows.tally.rejected > refused {
                self.note_refusals(&slice);
            }
            if let Some(used) = self.recording.record(slice)? {
                self.database.reuse(used);
            }
        }
        Ok(Ok(()))
    }

    /// Reads the next rows, if there may be more, and decides what to do with them.
    fn next_slice(&mut self, after: Option<&KeyValue>, end: Option<&KeyValue>) -> Result<Option<Slice>, Failure> {
        let WrittenBatch { last, count, said, bytes, .. } = &mut self.rows;
        let slice = self.database.table().dialect.slice;
        let limit = match self.most {
            None => slice,
            Some(most) if *count < most && *said < MAX_MESSAGE_BYTES && *bytes < MAX_VALUE_BYTES => {
                slice.min(most - *count)
            }
            Some(_) => return Ok(None),
        };
        let rows = self.database.read(RowsToRead::Page(last.as_ref().or(after), end, limit))?;
        let Some(row) = rows.last() else { return Ok(None) };
        *last = Some(row.key.clone());
        *count += rows.len() / self.job.columns.len();
        *bytes += rows.iter().filter_map(|row| row.old.bytes()).map(<[u8]>::len).sum::<usize>();
        Ok(Some(self.decide(rows)?))
    }

    fn decide(&mut self, rows: Vec<TableRow>) -> Result<Slice, Error> {
        let (decisions, tally) = self.decider.decide(&rows, &self.stored)?;
        Ok(Slice { rows, decisions, tally })
    }

    fn refuse_fatal(&mut self, Slice { rows, decisions, .. }: &mut Slice) {
        if self.fatal.is_empty() {
            return;
        }
        for (row, decision) in rows.iter().zip(decisions).filter(|(_, decision)| matches!(decision, Decision::New(_))) {
            if let Some(why) = self.fatal.get(&row.key) {
                let reject = Reject::whole(Code::Column, why.clone());
                self.rows.tally.written -= 1;
                self.rows.tally.reject(reject.code);
                *decision = Decision::Refused(reject);
            }
        }
    }

    fn note_refusals(&mut self, Slice { rows, decisions, .. }: &Slice) {
        for (row, decision) in rows.iter().zip(decisions) {
            if let Decision::Refused(reject) = decision {
                let one = refusal(row, reject, self.job);
                self.rows.said += size_of::<Rejected>() + one.key.len() + one.message.len() + one.record.len();
                self.rows.rejected.push(one);
            }
        }
    }

    /// Writes the new strings. Rows that have changed since they were read are read and decided on again, once; rows
    /// that the database does not accept are refused. Returns why the attempt failed, if all of it must be repeated.
    fn write_slice(&mut self, Slice { rows, decisions, .. }: &mut Slice) -> Result<Option<Failed>, Failure> {
        let mut left: Vec<usize> = (0..rows.len()).filter(|&i| matches!(decisions[i], Decision::New(_))).collect();
        for attempt in 0..2 {
            let changes: Vec<_> = left.iter().filter_map(|&i| change(&rows[i], &decisions[i])).collect();
            if changes.is_empty() {
                break;
            }
            let is_all = attempt == 0 && self.job.filter.is_none();
            let missed = match self.database.write(&changes, is_all && changes.len() == rows.len())? {
                BatchOutcome::Done(missed) => missed,
                BatchOutcome::Conflict(why) => return Ok(Some(Failed::Conflict(why))),
                BatchOutcome::Ended(of, why) => {
                    self.fatal.insert(rows[left[of]].key.clone(), why);
                    return Ok(Some(Failed::Without));
                }
            };
            let mut again = Vec::new();
            for (of, why) in missed {
                let i = left[of];
                self.rows.tally.written -= 1;
                let reject = match why {
                    NotWritten::Refused(message) => Reject::whole(Code::Column, message),
                    NotWritten::Changed if attempt == 0 => {
                        let again_read = self.database.read(RowsToRead::Row(&rows[i].key))?;
                        let Some(one) = again_read.into_iter().find(|one| one.column == rows[i].column) else {
                            decisions[i] = Decision::Stays;
                            self.rows.tally.gone += 1;
                            continue;
                        };
                        let mut decided = self.decide(vec![one])?;
                        self.rows.tally.add(&Tally { rows: 0, ..decided.tally });
                        rows[i] = decided.rows.remove(0);
                        decisions[i] = decided.decisions.remove(0);
                        if matches!(decisions[i], Decision::New(_)) {
                            again.push(i);
                        }
                        continue;
                    }
                    NotWritten::Changed => {
                        let message = "it stayed unchanged after two attempts: a trigger keeps the old value, or somebody else is changing it";
                        Reject::whole(Code::Column, message)
                    }
                };
                self.rows.tally.reject(reject.code);
                decisions[i] = Decision::Refused(reject);
            }
            left = again;
        }
        Ok(None)
    }
}

fn change<'a>(row: &'a TableRow, decision: &'a Decision) -> Option<Change<'a>> {
    match decision {
        Decision::New(new) => Some(Change { row, new }),
        _ => None,
    }
}

fn gone() -> Error {
    Error::Internal("rows were written, and nobody records them".into())
}
