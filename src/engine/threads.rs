//! The threads of a run.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use crate::error::Error;

/// More would only be memory: each thread has buffers of a few chunks.
const MOST: usize = 1024;

/// The number of threads asked for, or of cores.
pub(super) fn threads(asked: usize) -> Result<usize, Error> {
    match asked {
        0 => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(MOST)),
        1..=MOST => Ok(asked),
        _ => Err(Error::Usage(format!("{asked} threads are too many; at most {MOST}"))),
    }
}

/// Has `work` done by this many threads at the same time (by the caller's own if it is one) and waits for all of them. `stop`
/// is to have those end that run already, if not all can be started.
///
/// Plain threads: a pool made for stealing work spends seconds on its own idle threads if there are hundreds.
pub(super) fn together(
    threads: usize,
    work: impl Fn() -> Result<(), Error> + Sync,
    stop: impl Fn(),
) -> Result<(), Error> {
    if threads == 1 {
        return work();
    }
    scope(|scope| {
        let mut all = Ok(());
        let mut workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            match Builder::new().name("worker".into()).spawn_scoped(scope, &work) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    stop();
                    all = Err(Error::Usage(format!("cannot start {threads} threads: {error}; ask for fewer with -j")));
                    break;
                }
            }
        }
        for worker in workers {
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            all = all.and(done);
        }
        all
    })
}
