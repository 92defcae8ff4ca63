//! One attempt at a batch: its rows are read, decided about and written, some thousands at a time. With a backup, and more rows than
//! that, a clerk in a thread of its own decides about the next ones while the database writes some, and records what was written while
//! others are read.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::backup::BackupWriter;
use super::decide::{Decide, Fate, Tally};
use super::dialect::fault;
use super::journal::{BatchHash, HeldValue, Rejected};
use super::run::{Work, refusal};
use super::trail::Trail;
use super::{BatchOutcome, Change, Database, Interference, Job, Key, NotWritten, StoredAs, TableRow};
use crate::error::{Code, Error, Reject};

/// Bytes of refusals, and of values, after which a batch ends, whatever rows it may have.
const MOST_SAID: usize = 2 << 20;
const MOST_BYTES: usize = 64 << 20;

/// The rows of a batch that were written.
#[derive(Default)]
pub(super) struct Rows {
    /// The key of the last one.
    pub(super) last: Option<Key>,
    pub(super) count: usize,
    pub(super) tally: Tally,
    pub(super) rejected: Vec<Rejected>,
    said: usize,
    bytes: usize,
}

/// Why an attempt is to be made again.
pub(super) enum Failed {
    /// Others interfered.
    Conflict(Interference),
    /// Some rows are not to be written; they are known now.
    Without,
}

/// Rows that are read at a time, and what is to be done with them.
struct Slice {
    rows: Vec<TableRow>,
    fates: Vec<Fate>,
    tally: Tally,
}

/// What the clerk is to do.
enum Task {
    Decide(Vec<TableRow>),
    /// These are written.
    Record(Slice),
}

/// Who does what needs no database.
struct Clerk<'w, R> {
    decider: &'w mut R,
    stored: StoredAs,
    trail: &'w mut Trail,
    backup: Option<&'w mut BackupWriter>,
    hash: BatchHash,
}

impl<R: Decide> Clerk<'_, R> {
    /// Does what is asked, until nothing more can be.
    fn work(mut self, tasks: &Receiver<Task>, answers: &Sender<Slice>) -> Result<BatchHash, Error> {
        for task in tasks {
            match task {
                Task::Decide(rows) => {
                    if answers.send(self.decide(rows)?).is_err() {
                        break; // the attempt has failed
                    }
                }
                Task::Record(slice) => self.record(&slice)?,
            }
        }
        Ok(self.hash)
    }

    fn decide(&mut self, rows: Vec<TableRow>) -> Result<Slice, Error> {
        let (fates, tally) = self.decider.decide(&rows, &self.stored)?;
        Ok(Slice { rows, fates, tally })
    }

    fn record(&mut self, Slice { rows, fates, .. }: &Slice) -> Result<(), Error> {
        for (row, fate) in rows.iter().zip(fates) {
            let row_hash = self.hash.add(row, now(row, fate));
            self.trail.add(self.hash.key(), row_hash);
            if let (Fate::New(new), Some(backup)) = (fate, &mut self.backup) {
                backup.add(row, new.held())?;
            }
        }
        Ok(())
    }
}

/// What the column should hold now.
fn now<'a>(row: &'a TableRow, fate: &'a Fate) -> HeldValue<'a> {
    match fate {
        Fate::New(new) => new.held(),
        _ => row.target.as_ref().unwrap_or(&row.old).held(),
    }
}

/// Where the clerk is.
enum Desk<'w, R> {
    /// In the writer's own thread, with what was decided. Without a backup there is little to do, which costs no more than that its
    /// rows go from one core's cache to another's; and few rows are read at once, so that there is nothing to be done beside.
    Here(Box<Clerk<'w, R>>, Option<Slice>),
    There(Sender<Task>, Receiver<Slice>),
}

impl<R: Decide> Desk<'_, R> {
    fn ask(&mut self, task: Task) -> Result<(), Error> {
        match (self, task) {
            (Self::There(tasks, _), task) => tasks.send(task).map_err(|_| gone()),
            (Self::Here(clerk, _), Task::Record(slice)) => clerk.record(&slice),
            (Self::Here(clerk, decided), Task::Decide(rows)) => {
                *decided = Some(clerk.decide(rows)?);
                Ok(())
            }
        }
    }

    /// What was decided of the rows that were asked about first.
    fn answer(&mut self) -> Result<Slice, Error> {
        match self {
            Self::Here(_, decided) => decided.take().ok_or_else(gone),
            Self::There(_, answers) => answers.recv().map_err(|_| gone()),
        }
    }
}

/// What is done with the database.
struct Writer<'w, D, R> {
    database: &'w mut D,
    job: &'w Job,
    fatal: &'w mut HashMap<Key, String>,
    /// The most rows; none if all are to be written.
    most: Option<usize>,
    desk: Desk<'w, R>,
    /// The clerk was asked about rows, and has not said anything yet; or has.
    is_asked: bool,
    answer: Option<Slice>,
    rows: Rows,
}

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Writes the rows of a batch, after `after` and up to `end`. Returns their hash, too.
    pub(super) fn write_rows(
        &mut self,
        after: Option<&Key>,
        end: Option<&Key>,
    ) -> Result<Result<(Rows, BatchHash), Failed>, Error> {
        let (stored, slice) = (self.database.stored_as(), self.database.slice());
        let Self { database, job, decider, trail, backup, fatal, batch, .. } = self;
        let clerk = Clerk { decider, stored, trail, backup: backup.as_mut(), hash: BatchHash::default() };
        let most = (!R::WHOLE).then_some(*batch);
        let (database, rows) = (&mut **database, Rows::default());
        let writer = |desk| Writer { database, job, fatal, most, desk, is_asked: false, answer: None, rows };
        if clerk.backup.is_none() || most.is_some_and(|most| most <= slice) {
            let mut writer = writer(Desk::Here(Box::new(clerk), None));
            let written = writer.write_all(after, end)?;
            let Desk::Here(clerk, _) = writer.desk else { return Err(gone()) };
            return Ok(written.map(|()| (writer.rows, clerk.hash)));
        }
        let ((tasks, to_do), (answer, answers)) = (channel(), channel());
        let mut writer = writer(Desk::There(tasks, answers));
        thread::scope(|scope| {
            let clerk = thread::Builder::new().spawn_scoped(scope, move || clerk.work(&to_do, &answer));
            let clerk = clerk.map_err(|error| {
                fault(&writer.database.name(), "write a batch", format!("a thread cannot be started: {error}"))
            })?;
            let written = writer.write_all(after, end);
            let Writer { desk, rows, .. } = writer;
            drop(desk);
            // Where it failed, what the writer says is only that it is gone.
            let hash = clerk.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(written?.map(|()| (rows, hash)))
        })
    }
}

impl<D: Database, R: Decide> Writer<'_, D, R> {
    fn write_all(&mut self, after: Option<&Key>, end: Option<&Key>) -> Result<Result<(), Failed>, Error> {
        // Triggers may change rows that were read already.
        let reads_ahead = matches!(self.desk, Desk::There(..)) && !self.database.has_triggers();
        self.read(after, end)?;
        while let Some(mut slice) = self.next_slice()? {
            if reads_ahead {
                self.read(after, end)?;
            }
            let refused = self.rows.tally.rejected;
            self.rows.tally.add(&slice.tally);
            self.refuse_fatal(&mut slice);
            if let Some(failed) = self.write_slice(&mut slice)? {
                return Ok(Err(failed));
            }
            if self.rows.tally.rejected > refused {
                self.note_refusals(&slice);
            }
            self.desk.ask(Task::Record(slice))?;
            if !reads_ahead {
                self.read(after, end)?;
            }
        }
        Ok(Ok(()))
    }

    /// Reads the next rows, if there may be more, and asks about them.
    fn read(&mut self, after: Option<&Key>, end: Option<&Key>) -> Result<(), Error> {
        let Rows { last, count, said, bytes, .. } = &mut self.rows;
        let slice = self.database.slice();
        let limit = match self.most {
            None => slice,
            Some(most) if *count < most && *said < MOST_SAID && *bytes < MOST_BYTES => slice.min(most - *count),
            Some(_) => return Ok(()),
        };
        let rows = self.database.read(last.as_ref().or(after), end, limit)?;
        let Some(row) = rows.last() else { return Ok(()) };
        *last = Some(row.key.clone());
        *count += rows.len() / self.job.columns.len();
        *bytes += rows.iter().filter_map(|row| row.old.bytes()).map(<[u8]>::len).sum::<usize>();
        self.desk.ask(Task::Decide(rows))?;
        self.is_asked = true;
        Ok(())
    }

    /// The rows that were asked about, if there are some.
    fn next_slice(&mut self) -> Result<Option<Slice>, Error> {
        if self.answer.is_none() && self.is_asked {
            self.is_asked = false;
            self.answer = Some(self.desk.answer()?);
        }
        Ok(self.answer.take())
    }

    /// What is to be done with a row that was read again.
    fn decide_again(&mut self, row: TableRow) -> Result<Slice, Error> {
        self.answer = self.next_slice()?;
        self.desk.ask(Task::Decide(vec![row]))?;
        self.desk.answer()
    }

    fn refuse_fatal(&mut self, Slice { rows, fates, .. }: &mut Slice) {
        if self.fatal.is_empty() {
            return;
        }
        for (row, fate) in rows.iter().zip(fates).filter(|(_, fate)| matches!(fate, Fate::New(_))) {
            if let Some(why) = self.fatal.get(&row.key) {
                let reject = Reject::whole(Code::Column, why.clone());
                self.rows.tally.written -= 1;
                self.rows.tally.reject(reject.code);
                *fate = Fate::Refused(reject);
            }
        }
    }

    fn note_refusals(&mut self, Slice { rows, fates, .. }: &Slice) {
        for (row, fate) in rows.iter().zip(fates) {
            if let Fate::Refused(reject) = fate {
                let one = refusal(row, reject, self.job);
                self.rows.said += size_of::<Rejected>() + one.key.len() + one.message.len() + one.record.len();
                self.rows.rejected.push(one);
            }
        }
    }

    /// Writes the new strings. Rows that are not as they were read are read and decided again, once; what the database does not
    /// take is refused. Says how the attempt failed, if all of it has to be done again.
    fn write_slice(&mut self, Slice { rows, fates, .. }: &mut Slice) -> Result<Option<Failed>, Error> {
        let mut left: Vec<usize> = (0..rows.len()).filter(|&i| matches!(fates[i], Fate::New(_))).collect();
        for attempt in 0..2 {
            let changes: Vec<_> = left.iter().filter_map(|&i| change(&rows[i], &fates[i])).collect();
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
                        let again_read = self.database.read_one(&rows[i].key)?;
                        let Some(one) = again_read.into_iter().find(|one| one.column == rows[i].column) else {
                            fates[i] = Fate::Stays;
                            self.rows.tally.gone += 1;
                            continue;
                        };
                        let mut decided = self.decide_again(one)?;
                        self.rows.tally.add(&Tally { rows: 0, ..decided.tally });
                        rows[i] = decided.rows.remove(0);
                        fates[i] = decided.fates.remove(0);
                        if matches!(fates[i], Fate::New(_)) {
                            again.push(i);
                        }
                        continue;
                    }
                    NotWritten::Changed => {
                        let message =
                            "it was not changed, twice: a trigger keeps it as it is, or somebody else changes it";
                        Reject::whole(Code::Column, message)
                    }
                };
                self.rows.tally.reject(reject.code);
                fates[i] = Fate::Refused(reject);
            }
            left = again;
        }
        Ok(None)
    }
}

fn change<'a>(row: &'a TableRow, fate: &'a Fate) -> Option<Change<'a>> {
    match fate {
        Fate::New(new) => Some(Change { row, new }),
        _ => None,
    }
}

fn gone() -> Error {
    Error::Internal("rows were asked about, and nothing was decided".into())
}
