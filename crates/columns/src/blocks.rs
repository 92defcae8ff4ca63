//! Work that is cut into blocks, done by some threads, with the results in order.
//!
//! The threads are started for the call and are gone when it ends: there is none that a forked process could miss, and starting them
//! takes less than a block.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use gridmill_core::convert::CheckLevel;

use crate::error::Error;
use crate::session::Session;
use crate::strings::Strings;

/// Rows of a block: few enough for the new strings to stay in the cache.
pub(crate) const ROWS: usize = 2048;

/// Rows of a block that is solved, at most: at the end of each the solver has few puzzles left to search side by side.
pub(crate) const MOST_ROWS: usize = 8192;

/// Blocks for each thread, at least, so that all have work until the end.
const BLOCKS: usize = 8;

/// Blocks that a thread takes at a time, at most: where two write to one page for the first time, both make one, and large pages hold several
/// blocks.
const AT_ONCE: usize = 16;

/// With fewer rows than this the calling thread does all of them.
const FEW: usize = 16_384;

/// How many rows a block has, of so many that are checked so far.
pub(crate) fn rows_of_block(session: &Session<'_>, level: CheckLevel, rows: usize) -> usize {
    match level {
        CheckLevel::Unique => (rows / (threads(session, rows) * BLOCKS)).clamp(ROWS, MOST_ROWS),
        _ => ROWS,
    }
}

/// The blocks of columns: for each its column, and its rows in that.
pub(crate) fn of_all(columns: &[Strings<'_>], session: &Session<'_>, level: CheckLevel) -> Vec<(usize, Range<usize>)> {
    let of_block = rows_of_block(session, level, columns.iter().map(Strings::len).sum());
    let of_one = |(column, strings): (usize, &Strings<'_>)| {
        let len = strings.len();
        (0..len).step_by(of_block).map(move |first| (column, first..(first + of_block).min(len)))
    };
    columns.iter().enumerate().flat_map(of_one).collect()
}

/// How many threads work on so many rows.
fn threads(session: &Session<'_>, rows: usize) -> usize {
    if rows < FEW { 1 } else { session.threads() }
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
    let threads = threads(session, rows).min(all.max(1));
    let at_once = (all / (threads * BLOCKS)).clamp(1, AT_ONCE);
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let over = AtomicBool::new(false);
    let results = Mutex::new(Vec::from_iter((0..all).map(|_| None)));
    on_threads(threads, session.interrupted, &|interrupted| {
        let (mut memory, mut done) = (memory(), Vec::new());
        let stop = || {
            // Who said so once is not asked again.
            let now = over.load(Ordering::Relaxed) || interrupted();
            over.fetch_or(now, Ordering::Relaxed);
            now
        };
        while !stop() {
            // Nothing that can panic happens while it is held.
            let next: Vec<_> = jobs.lock().unwrap_or_else(PoisonError::into_inner).by_ref().take(at_once).collect();
            if next.is_empty() {
                break;
            }
            done.extend(next.into_iter().take_while(|_| !stop()).map(|(at, job)| (at, work(&mut memory, job, &stop))));
        }
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        done.into_iter().for_each(|(at, result)| results[at] = Some(result));
    });
    if over.into_inner() {
        return Err(Error::Interrupted);
    }
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
}

/// Has something done by so many threads, of which the calling one is told when it is `interrupted`. (There is one of this function, and of
/// [`each`] one for each sort of jobs.)
fn on_threads(threads: usize, interrupted: &dyn Fn() -> bool, run: &(dyn Fn(&dyn Fn() -> bool) + Sync)) {
    thread::scope(|scope| {
        let start =
            |n| thread::Builder::new().name(format!("gridmill {n}")).spawn_scoped(scope, move || run(&|| false));
        // Where no more threads may be started, those that there are do all.
        let others: Vec<_> = (1..threads).map_while(|n| start(n).ok()).collect();
        run(interrupted);
        for other in others {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}
