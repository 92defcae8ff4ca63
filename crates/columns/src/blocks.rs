//! Work that is cut into blocks, done by some threads, with the results in order.
//!
//! The threads are started for the call and are gone when it ends: there is none that a forked process could miss, and starting them
//! takes less than a block.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Error;
use crate::session::Session;

/// Rows of a block: enough for the solver, few enough for the new strings to stay in the cache.
pub(crate) const ROWS: usize = 2048;

/// With fewer rows than this the calling thread does all of them.
const FEW: usize = 16_384;

/// Has the jobs done, each by one of the threads with the memory of its own that `memory` makes. `rows` says how much there is to do.
pub(crate) fn each<J: Send, M, R: Send>(
    session: &Session<'_>,
    rows: usize,
    jobs: Vec<J>,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, J) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let all = jobs.len();
    let threads = if rows < FEW { 1 } else { session.threads().min(all.max(1)) };
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let over = AtomicBool::new(false);
    let run = |interrupted: &dyn Fn() -> bool| {
        let (mut memory, mut done) = (memory(), Vec::new());
        loop {
            if interrupted() {
                over.store(true, Ordering::Relaxed);
            }
            if over.load(Ordering::Relaxed) {
                break;
            }
            // Nothing that can panic happens while it is held.
            let Some((at, job)) = jobs.lock().unwrap_or_else(PoisonError::into_inner).next() else { break };
            done.push((at, work(&mut memory, job)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let start = |n| thread::Builder::new().name(format!("gridmill {n}")).spawn_scoped(scope, || run(&|| false));
        // Where no more threads may be started, those that there are do all.
        let others: Vec<_> = (1..threads).map_while(|n| start(n).ok()).collect();
        let mut done = run(session.interrupted);
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    if done.len() < all {
        return Err(Error::Interrupted);
    }
    done.sort_unstable_by_key(|&(at, _)| at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
