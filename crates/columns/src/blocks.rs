//! Work that is cut into blocks, done by some threads, with the results in order.
//!
//! The threads are started for the call and are gone when it ends: there is none that a forked process could miss, and starting them
//! takes less than a block.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Error;
use crate::session::Session;
use crate::strings::Strings;

/// Rows of a block: enough for the solver, few enough for the new strings to stay in the cache.
pub(crate) const ROWS: usize = 2048;

/// With fewer rows than this the calling thread does all of them.
const FEW: usize = 16_384;

/// The blocks of columns: for each its column, and its rows in that.
pub(crate) fn of_all(columns: &[Strings<'_>]) -> Vec<(usize, Range<usize>)> {
    let of_one = |(column, strings): (usize, &Strings<'_>)| {
        let len = strings.len();
        (0..len).step_by(ROWS).map(move |first| (column, first..(first + ROWS).min(len)))
    };
    columns.iter().enumerate().flat_map(of_one).collect()
}

/// Has the jobs done, each by one of the threads with the memory of its own that `memory` makes. `rows` says how much there is to do.
/// Whoever works long on a job asks now and then whether to stop; what is returned then is not used.
pub(crate) fn each<J: Send, M, R: Send>(
    session: &Session<'_>,
    rows: usize,
    jobs: Vec<J>,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, J, &dyn Fn() -> bool) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let all = jobs.len();
    let threads = if rows < FEW { 1 } else { session.threads().min(all.max(1)) };
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let over = AtomicBool::new(false);
    let run = |interrupted: &dyn Fn() -> bool| {
        let (mut memory, mut done) = (memory(), Vec::new());
        let stop = || {
            // Who said so once is not asked again.
            let now = over.load(Ordering::Relaxed) || interrupted();
            over.fetch_or(now, Ordering::Relaxed);
            now
        };
        while !stop() {
            // Nothing that can panic happens while it is held.
            let Some((at, job)) = jobs.lock().unwrap_or_else(PoisonError::into_inner).next() else { break };
            done.push((at, work(&mut memory, job, &stop)));
        }
        done
    };
    let done = thread::scope(|scope| {
        let start = |n| thread::Builder::new().name(format!("gridmill {n}")).spawn_scoped(scope, || run(&|| false));
        // Where no more threads may be started, those that there are do all.
        let others: Vec<_> = (1..threads).map_while(|n| start(n).ok()).collect();
        let mut done = run(session.interrupted);
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    if over.into_inner() {
        return Err(Error::Interrupted);
    }
    let mut results: Vec<Option<R>> = (0..all).map(|_| None).collect();
    done.into_iter().for_each(|(at, result)| results[at] = Some(result));
    Ok(results.into_iter().flatten().collect())
}
