//! How fast a migration goes, so that others can work meanwhile: batches of a length of time, and what is waited for between them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Database;
use crate::error::{Error, escape};

/// Rows of the first batch, before it is known how long they take.
const FIRST: usize = 2_000;

/// How long a lock is waited for before all that the batch holds is let go, and it is begun again with fewer rows.
const LOCK_WAIT: Duration = Duration::from_secs(1);

/// How often one looks whether to go on, and how often the connection is used meanwhile, which servers close that are not used.
const LOOK: Duration = Duration::from_millis(200);
const ALIVE: Duration = Duration::from_secs(10);

/// How often the replica is asked.
const ASK: Duration = Duration::from_secs(1);

/// The first and the longest wait after others interfered.
const BACKOFF: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// What a migration goes by.
pub struct Pace<'d> {
    /// What a batch is to take, with as many rows as the job says at most; if there is none, it has so many.
    pub batch_time: Option<Duration>,
    /// Rows a second, at most.
    pub rate: Option<u32>,
    /// While there is such a file, no batch is begun.
    pub pause_file: Option<PathBuf>,
    /// Seconds: while the replica is further behind, no batch is begun.
    pub max_lag: Option<f64>,
    /// What says how far it is behind; if there is none, the replica itself.
    pub lag_query: Option<String>,
    /// How long locks of others are waited for, in all.
    pub wait: Duration,
    /// Ends the run after the batch at hand.
    pub stop: &'d AtomicBool,
    /// Told what is waited for.
    pub say: &'d dyn Fn(&str),
}

impl std::fmt::Debug for Pace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pace").field("batch_time", &self.batch_time).field("rate", &self.rate).finish_non_exhaustive()
    }
}

impl Default for Pace<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            batch_time: Some(Duration::from_millis(500)),
            rate: None,
            pause_file: None,
            max_lag: None,
            lag_query: None,
            wait: Duration::from_secs(30),
            stop: &NEVER,
            say: &|_: &str| {},
        }
    }
}

/// A word for a reason to wait, and words for people.
type Reason = (&'static str, String);

/// What is known of the batch before.
#[derive(Debug, Default)]
pub(super) struct Turn {
    rows: usize,
    took: Duration,
    /// When the replica was not too far behind.
    asked: Option<Instant>,
}

impl Turn {
    /// A batch was written.
    pub(super) fn wrote(&mut self, rows: usize, took: Duration) {
        (self.rows, self.took) = (rows, took);
    }
}

/// Who interferes with a batch.
#[derive(Debug, Clone)]
pub struct Interference {
    /// The database's words.
    pub message: String,
    /// Somebody holds a lock for longer than was waited.
    pub is_lock: bool,
}

impl Pace<'_> {
    /// Rows of the first batch, of `most` at most.
    pub(super) fn first(&self, most: usize) -> usize {
        if self.batch_time.is_some() { self.allowed(most.min(FIRST)) } else { most }
    }

    /// Rows of the batch after one of `rows` rows, which took so long.
    pub(super) fn next(&self, batch: usize, rows: usize, took: Duration, most: usize) -> usize {
        let Some(time) = self.batch_time else { return batch.saturating_mul(2).min(most) };
        let fits = (rows as f64 * time.as_secs_f64() / took.as_secs_f64().max(1e-6)) as usize;
        // A batch that ended early says little of what one of more rows takes.
        let next = if took > time { fits.min(batch) } else { fits.clamp(batch, batch.saturating_mul(2)) };
        self.allowed(next.min(most))
    }

    fn allowed(&self, rows: usize) -> usize {
        let rate = self.rate.zip(self.batch_time).map(|(rate, time)| (f64::from(rate) * time.as_secs_f64()) as usize);
        rows.min(rate.unwrap_or(usize::MAX)).max(1)
    }

    /// How long a lock is waited for in a transaction.
    pub(super) fn lock_wait(&self) -> Duration {
        self.wait.min(LOCK_WAIT)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits; less if the run is to stop.
    fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(LOOK));
        }
    }

    /// Waits after others interfered for the `n`th time.
    pub(super) fn back_off(&self, n: u32) {
        self.rest((BACKOFF[0] * 2_u32.saturating_pow(n.min(10))).min(BACKOFF[1]));
    }

    /// Waits until the next batch may begin. Nothing is locked meanwhile.
    pub(super) fn wait_for_turn(&self, database: &mut impl Database, turn: &mut Turn) -> Result<(), Error> {
        if let Some(rate) = self.rate {
            self.rest(Duration::from_secs_f64(turn.rows as f64 / f64::from(rate.max(1))).saturating_sub(turn.took));
        }
        let mut said = "";
        let mut used = Instant::now();
        while !self.is_stopped() {
            let Some(why) = self.reason_to_wait(database, turn)? else {
                if !said.is_empty() {
                    (self.say)("continuing");
                }
                return Ok(());
            };
            if said != why.0 {
                (self.say)(&format!("waiting: {}", why.1));
                said = why.0;
            }
            self.rest(LOOK);
            if used.elapsed() >= ALIVE {
                database.stay()?;
                used = Instant::now();
            }
        }
        Ok(())
    }

    /// Why the next batch is not to begin: a word for it, and words for people.
    fn reason_to_wait(&self, database: &mut impl Database, turn: &mut Turn) -> Result<Option<Reason>, Error> {
        if let Some(file) = self.pause_file.as_ref().filter(|file| file.exists()) {
            let file = escape(file.as_os_str().as_encoded_bytes());
            return Ok(Some(("file", format!("the file {file} exists (--pause-file)"))));
        }
        let Some(most) = self.max_lag else { return Ok(None) };
        if turn.asked.is_some_and(|asked| asked.elapsed() < ASK) {
            return Ok(None);
        }
        Ok(match database.lag(self.lag_query.as_deref())? {
            Some(lag) if lag <= most => {
                turn.asked = Some(Instant::now());
                None
            }
            Some(lag) => Some(("behind", format!("the replica is {lag:.1} s behind (--max-lag {most})"))),
            None => Some(("unknown", "it is unknown how far the replica is behind".into())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_become_as_long_as_they_are_to_be() {
        let pace = Pace::default();
        let ms = Duration::from_millis;
        assert_eq!((pace.first(50_000), pace.first(60)), (2_000, 60));
        assert_eq!(pace.next(2_000, 2_000, ms(10), 50_000), 4_000); // twice as many at most
        assert_eq!(pace.next(2_000, 2_000, ms(400), 50_000), 2_500);
        assert_eq!(pace.next(2_000, 2_000, ms(5_000), 50_000), 200);
        assert_eq!(pace.next(2_000, 1, ms(60_000), 50_000), 1);
        assert_eq!(pace.next(40_000, 40_000, ms(100), 50_000), 50_000);
        assert_eq!(pace.next(2_000, 7, ms(400), 50_000), 2_000); // it ended early
        let slow = Pace { rate: Some(100), ..Pace::default() };
        assert_eq!((slow.first(50_000), slow.next(50, 50, ms(1), 50_000)), (50, 50));
        let fixed = Pace { batch_time: None, ..Pace::default() };
        assert_eq!((fixed.first(50_000), fixed.next(100, 100, ms(9_000), 50_000)), (50_000, 200));
    }
}
