//! Starts the threads of a run.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// The maximum that a user can ask for.
const MAX_THREADS: usize = 1024;

/// The maximum that is started for each core. The output does not depend on it, and more threads only get in each
/// other's way: with 512 for each core, the idle workers of the pool spent two seconds looking for work.
const MAX_THREADS_PER_CORE: usize = 8;

/// Returns the number of threads to start if `asked` are asked for; 0 asks for one for each core.
pub(super) fn thread_count(asked: usize) -> Result<usize, Error> {
    // Reads files of the system, which takes as long as the conversion of a small file.
    let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    match asked {
        0 => Ok(cores()),
        1 => Ok(1),
        2..=MAX_THREADS => Ok(asked.min(cores() * MAX_THREADS_PER_CORE)),
        _ => Err(Error::Usage(format!("{asked} threads are too many; the maximum is {MAX_THREADS}"))),
    }
}

/// The threads of a run, waiting for work.
pub(super) struct Threads(Option<ThreadPool>);

impl Threads {
    /// Starts this many threads. If it is one, the calling thread does the work.
    ///
    /// # Errors
    /// The system may refuse to start that many.
    pub(super) fn start(threads: usize) -> Result<Self, Error> {
        if threads == 1 {
            return Ok(Self(None));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("worker {n}")).build();
        let refused = |error| {
            Error::Usage(format!(
                "cannot start {threads} threads: {error}; the system has no memory for their stacks, or a limit was \
                 reached (ulimit -v, ulimit -u); use fewer with -j"
            ))
        };
        let pool = pool.map_err(refused)?;
        // The system gives a thread its stacks only when the thread first runs. If it cannot, the program ends here,
        // before it has made any file.
        pool.broadcast(|_| ());
        Ok(Self(Some(pool)))
    }

    /// Returns the number of threads.
    pub(super) fn count(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs `work` on all threads at the same time, and waits for all of them.
    pub(super) fn run_on_all(&self, work: impl Fn() -> Result<(), Error> + Sync) -> Result<(), Error> {
        match &self.0 {
            None => work(),
            // Every worker pulls chunks until there are none left: no work is split in advance, and none is stolen.
            Some(pool) => pool.broadcast(|_| work()).into_iter().collect(),
        }
    }
}
