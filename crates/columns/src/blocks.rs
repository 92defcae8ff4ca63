//! Cuts work into blocks, performs them on several threads, and returns the results in order.
//!
//! The threads are started for the call and have ended when it returns. So a forked process cannot miss any, and
//! starting them takes less time than a block.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use gridmill_core::convert::CheckLevel;

use crate::error::CallError;
use crate::session::Session;
use crate::strings::Strings;

/// The number of rows in a block: so few that the new strings stay in the cache.
pub(crate) const ROWS: usize = 2048;

/// The maximum number of rows in a block that is solved. A block should be large, because at its end the solver has few
/// puzzles left to search in parallel.
pub(crate) const MAX_ROWS: usize = 8192;

/// The minimum number of blocks for each thread, so that all threads have work until the end.
const MIN_BLOCKS_PER_THREAD: usize = 8;

/// The maximum number of blocks that a thread takes at a time. If two threads write to a page for the first time, both
/// create it, and a large page holds several blocks.
const MAX_BLOCKS_AT_ONCE: usize = 16;

/// With fewer rows than this, the calling thread does all the work.
const MIN_PARALLEL_ROWS: usize = 16_384;

/// Returns how many rows a block has, if there are `rows` in all and they are checked at this level.
pub(crate) fn rows_of_block(session: &Session<'_>, level: CheckLevel, rows: usize) -> usize {
    match level {
        CheckLevel::Unique => (rows / (threads(session, rows) * MIN_BLOCKS_PER_THREAD)).clamp(ROWS, MAX_ROWS),
        _ => ROWS,
    }
}

/// Cuts columns into blocks: returns the column of each block, and its rows there.
pub(crate) fn of_columns(
    columns: &[Strings<'_>],
    session: &Session<'_>,
    level: CheckLevel,
) -> Vec<(usize, Range<usize>)> {
    let of_block = rows_of_block(session, level, columns.iter().map(Strings::len).sum());
    let of_one = |(column, strings): (usize, &Strings<'_>)| {
        let len = strings.len();
        (0..len).step_by(of_block).map(move |first| (column, first..(first + of_block).min(len)))
    };
    columns.iter().enumerate().flat_map(of_one).collect()
}

/// Returns how many threads work on this many rows.
fn threads(session: &Session<'_>, rows: usize) -> usize {
    if rows < MIN_PARALLEL_ROWS { 1 } else { session.threads() }
}

/// Performs all jobs, and returns their results in order. Each thread has memory of its own, made by `memory`. `rows`
/// is the amount of work. A long job asks now and then whether to stop; if it stops, its result is not used.
pub(crate) fn run_jobs<J: Send, M, R: Send>(
    session: &Session<'_>,
    rows: usize,
    jobs: Vec<J>,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, J, &dyn Fn() -> bool) -> R + Sync,
) -> Result<Vec<R>, CallError> {
    let all = jobs.len();
    let threads = threads(session, rows).min(all.max(1));
    let at_once = (all / (threads * MIN_BLOCKS_PER_THREAD)).clamp(1, MAX_BLOCKS_AT_ONCE);
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let stopped = AtomicBool::new(false);
    let results = Mutex::new(Vec::from_iter((0..all).map(|_| None)));
    on_threads(threads, session.interrupted, &|interrupted| {
        let (mut memory, mut done) = (memory(), Vec::new());
        let stop = || {
            // Once the answer was yes, the function is not called again.
            let now = stopped.load(Ordering::Relaxed) || interrupted();
            stopped.fetch_or(now, Ordering::Relaxed);
            now
        };
        while !stop() {
            // No code panics while it holds this lock.
            let next: Vec<_> = jobs.lock().unwrap_or_else(PoisonError::into_inner).by_ref().take(at_once).collect();
            if next.is_empty() {
                break;
            }
            done.extend(next.into_iter().take_while(|_| !stop()).map(|(at, job)| (at, work(&mut memory, job, &stop))));
        }
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        done.into_iter().for_each(|(at, result)| results[at] = Some(result));
    });
    if stopped.into_inner() {
        return Err(CallError::Interrupted);
    }
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
}

/// Runs `run` on this many threads. Only the calling thread can be `interrupted`. (This function is not generic, so it
/// is compiled only once, unlike [`run_jobs`].)
fn on_threads(threads: usize, interrupted: &dyn Fn() -> bool, run: &(dyn Fn(&dyn Fn() -> bool) + Sync)) {
    thread::scope(|scope| {
        let start =
            |n| thread::Builder::new().name(format!("gridmill {n}")).spawn_scoped(scope, move || run(&|| false));
        // If no more threads can be started, the existing ones do all the work.
        let others: Vec<_> = (1..threads).map_while(|n| start(n).ok()).collect();
        run(interrupted);
        for other in others {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}
