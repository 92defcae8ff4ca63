//! The threads of a run.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// The most that can be asked for.
const MOST: usize = 1024;

/// The most that are started for each core. The output does not depend on it, and more only get in each other's way: with 512
/// for each core, idle workers of the pool alone took two seconds to look for work.
const MOST_A_CORE: usize = 8;

/// The number of threads that serve who asks for this many; 0 asks for one for each core.
pub(super) fn threads(asked: usize) -> Result<usize, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(MOST);
    match asked {
        0 => Ok(cores),
        1..=MOST => Ok(asked.min(cores * MOST_A_CORE)),
        _ => Err(Error::Usage(format!("{asked} threads are too many; the maximum is {MOST}"))),
    }
}

/// Threads that wait for work.
pub(super) struct Threads(Option<ThreadPool>);

impl Threads {
    /// Starts so many; if it is one, the caller's own serves.
    ///
    /// # Errors
    /// There may not be so many.
    pub(super) fn start(threads: usize) -> Result<Self, Error> {
        if threads == 1 {
            return Ok(Self(None));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("worker {n}")).build();
        let refused = |error| Error::Usage(format!("cannot start {threads} threads: {error}; use fewer with -j"));
        let pool = pool.map_err(refused)?;
        // Each has its stacks only when it runs; who cannot get them ends the program, which has made no file yet.
        pool.broadcast(|_| ());
        Ok(Self(Some(pool)))
    }

    /// How many there are.
    #[cfg(feature = "zstd")]
    pub(super) fn count(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Has `work` done by all of them at the same time, and waits for all.
    pub(super) fn together(&self, work: impl Fn() -> Result<(), Error> + Sync) -> Result<(), Error> {
        match &self.0 {
            None => work(),
            // Every worker pulls chunks until there are none: nothing is split in advance, and nothing is stolen.
            Some(pool) => pool.broadcast(|_| work()).into_iter().collect(),
        }
    }
}
