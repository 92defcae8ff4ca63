//! The threads of a run. Models start their own, which loom schedules.

use crate::error::Error;

pub struct Threads;

impl Threads {
    pub fn run_on_all(&self, work: impl Fn() -> Result<(), Error> + Sync) -> Result<(), Error> {
        work()
    }
}
