//! How fast a migration goes, so that others can work meanwhile: how long batches take, and what to wait for between
//! them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Database;
use super::database::keep_alive;
use crate::error::{Error, shown_path};

/// Rows of the first batch, before it is known how long rows take.
const FIRST_BATCH: usize = 2_000;

/// How long a batch waits for a lock before it is rolled back and repeated with fewer rows.
const LOCK_WAIT: Duration = Duration::from_secs(1);

/// How often a waiting run checks whether to continue, and how often it uses its connection, since servers close idle
/// ones.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);

/// The time that others get between batches of a database with one writer, and the most of the batches' time that this
/// takes. SQLite's own busy handler sleeps up to 100 ms between two attempts, so whoever waits makes one in a gap.
const GAP: Duration = Duration::from_millis(110);
const GAPS: f64 = 0.28;

/// How much of a gap must be due before there is one. Shorter gaps would be missed by those who have waited for long.
const DUE: f64 = 0.7;

/// How long a database is read without a break if nobody else can commit meanwhile.
const READING: Duration = Duration::from_millis(400);

/// How often the replica's lag is read.
const LAG_INTERVAL: Duration = Duration::from_secs(1);

/// The first and the longest wait after interference.
const BACKOFF: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// The pace of a migration.
pub struct Pace<'d> {
    /// The intended duration of a batch, whose size is still limited by the job. Without it, batches have that size.
    pub batch_time: Option<Duration>,
    /// The limit for rows per second.
    pub rate: Option<u32>,
    /// No batch begins while this file exists.
    pub pause_file: Option<PathBuf>,
    /// No batch begins while the replica's lag exceeds this many seconds.
    pub max_lag: Option<f64>,
    /// A query that returns the lag; by default the replica reports it.
    pub lag_query: Option<String>,
    /// How long to wait for other sessions' locks in total.
    pub wait: Duration,
    /// Ends the run after the current batch.
    pub stop: &'d AtomicBool,
    /// Called with a message about what is waited for.
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

/// A reason to wait, as a stable word and as a message.
type Reason = (&'static str, String);

/// The state of pacing after the previous batch.
#[derive(Debug, Default)]
pub(super) struct PaceState {
    rows: usize,
    took: Duration,
    /// How many gaps are due to others who want to write.
    due: f64,
    /// When the replica's lag was last found acceptable.
    asked: Option<Instant>,
}

impl PaceState {
    /// Records that a batch was written.
    pub(super) fn wrote(&mut self, rows: usize, took: Duration) {
        (self.rows, self.took) = (rows, took);
        self.due += took.div_duration_f64(GAP) * GAPS;
    }

    /// How long others are to be given now.
    fn gap(&mut self) -> Duration {
        if self.due < DUE {
            return Duration::ZERO;
        }
        self.due = (self.due - 1.0).min(0.0);
        GAP
    }
}

impl Pace<'_> {
    /// Rows of the first batch, at most `most`.
    pub(super) fn first(&self, most: usize) -> usize {
        if self.batch_time.is_some() { self.allowed(most.min(FIRST_BATCH)) } else { most }
    }

    /// Rows of the next batch, after one of `rows` rows that took `took`.
    pub(super) fn next(&self, batch: usize, rows: usize, took: Duration, most: usize) -> usize {
        let Some(time) = self.batch_time else { return batch.saturating_mul(2).min(most) };
        let fits = (rows as f64 * time.as_secs_f64() / took.as_secs_f64().max(1e-6)) as usize;
        // A batch that ended early says little about larger ones.
        let next = if took > time { fits.min(batch) } else { fits.clamp(batch, batch.saturating_mul(2)) };
        self.allowed(next.min(most))
    }

    fn allowed(&self, rows: usize) -> usize {
        let rate = self.rate.zip(self.batch_time).map(|(rate, time)| (f64::from(rate) * time.as_secs_f64()) as usize);
        rows.min(rate.unwrap_or(usize::MAX)).max(1)
    }

    /// How long to wait for a lock within a transaction.
    pub(super) fn lock_wait(&self) -> Duration {
        self.wait.min(LOCK_WAIT)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits, or returns early if the run is to stop.
    fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(CHECK_INTERVAL));
        }
    }

    /// Whether a transaction that began then has read for so long that others must get a chance to write.
    pub(super) fn has_read_enough(begun: Instant) -> bool {
        begun.elapsed() >= READING
    }

    /// Waits after the `n`th interference.
    pub(super) fn back_off(&self, n: u32) {
        self.rest((BACKOFF[0] * 2_u32.saturating_pow(n.min(10))).min(BACKOFF[1]));
    }

    /// Waits until the next batch may begin. No lock is held meanwhile.
    pub(super) fn wait_for_turn(&self, database: &mut impl Database, state: &mut PaceState) -> Result<(), Error> {
        let at_rate = self.rate.map_or(Duration::ZERO, |rate| {
            Duration::from_secs_f64(state.rows as f64 / f64::from(rate.max(1))).saturating_sub(state.took)
        });
        let gap = if database.table().dialect.has_one_writer { state.gap() } else { Duration::ZERO };
        self.rest(at_rate.max(gap));
        let mut said = "";
        let mut used = Instant::now();
        while !self.is_stopped() {
            let Some(why) = self.reason_to_wait(database, state)? else {
                if !said.is_empty() {
                    (self.say)("continuing");
                }
                return Ok(());
            };
            if said != why.0 {
                (self.say)(&format!("waiting: {}", why.1));
                said = why.0;
            }
            self.rest(CHECK_INTERVAL);
            if used.elapsed() >= KEEP_ALIVE_INTERVAL {
                keep_alive(database)?;
                used = Instant::now();
            }
        }
        Ok(())
    }

    /// Why the next batch may not begin yet.
    fn reason_to_wait(&self, database: &mut impl Database, state: &mut PaceState) -> Result<Option<Reason>, Error> {
        if let Some(path) = &self.pause_file {
            let file = shown_path(path);
            match path.try_exists() {
                Ok(false) => {}
                Ok(true) => return Ok(Some(("file", format!("the file {file} exists (--pause-file)")))),
                // It may exist.
                Err(error) => {
                    return Ok(Some(("unknown-file", format!("{file} cannot be examined: {error} (--pause-file)"))));
                }
            }
        }
        let Some(most) = self.max_lag else { return Ok(None) };
        if state.asked.is_some_and(|asked| asked.elapsed() < LAG_INTERVAL) {
            return Ok(None);
        }
        Ok(match database.lag(self.lag_query.as_deref())? {
            Some(lag) if lag <= most => {
                state.asked = Some(Instant::now());
                None
            }
            Some(lag) => Some(("behind", format!("the replica is {lag:.1} s behind (--max-lag {most})"))),
            None => {
                let why = match self.lag_query {
                    Some(_) => "--lag-query returns NULL or no row",
                    None => "it receives nothing, or is not a replica",
                };
                Some(("unknown", format!("it is unknown how far the replica is behind: {why}")))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_long_enough_for_others_and_a_part_of_the_whole() {
        for (took, every) in [(1, 393), (50, 8), (200, 2), (300, 2), (500, 1), (9_000, 1)] {
            let mut state = PaceState::default();
            let gaps: Vec<_> = (0..10_000)
                .filter(|_| {
                    state.wrote(1, Duration::from_millis(took));
                    state.gap() > Duration::ZERO
                })
                .collect();
            let longest = gaps.windows(2).map(|two| two[1] - two[0]).max();
            assert!(longest <= Some(every), "{took}: {longest:?}");
            assert!(gaps.len() as u64 * 110 <= 10_000 * took * 28 / 100 + 110, "{took}: {}", gaps.len());
        }
    }

    #[test]
    fn batches_become_as_long_as_they_are_to_be() {
        let pace = Pace::default();
        let ms = Duration::from_millis;
        assert_eq!((pace.first(50_000), pace.first(60)), (2_000, 60));
        assert_eq!(pace.next(2_000, 2_000, ms(10), 50_000), 4_000); // at most doubled
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
