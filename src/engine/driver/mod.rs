//! The loop of every run: each worker pulls a portion of the input, works on it, waits for its turn, and writes it.
//!
//! - [`Container`]: what is pulled, worked on and written. [`run`]: the loop, on all threads.
//! - `queue`: portions that are pulled one at a time, when there is room for them. `budget`: how much room there is.
//! - `turns`: workers use what they share in the order of their portions.

mod budget;
mod queue;
mod turns;

pub(crate) use budget::Seat;
pub(crate) use queue::PortionQueue;

use super::progress::Progress;
use super::threads::Threads;
use crate::error::Error;
use budget::Share;
use turns::{Turn, Turnstile};

/// An input that is processed in portions. They are written to `Out`. Where rows have numbers that depend on the
/// portions before, these are found with `Numbers`.
pub(crate) trait Container<Out, Numbers = ()>: Sync {
    /// The memory of a worker.
    type Worker;
    /// What a worker pulls.
    type Portion;

    /// The memory of a worker that has done nothing yet.
    fn worker(&self) -> Result<Self::Worker, Error>;

    /// Pulls the next portion. Returns `None` if there are none left, or the worker is not needed. Many workers call this
    /// at the same time; the numbers 0, 1, 2... are the order in which portions stand in the input.
    fn next(&self, worker: &mut Self::Worker, seat: &mut Seat) -> Option<NextPortion<'_, Self::Portion>>;

    /// Works on a portion, waits for its turn, and writes it.
    fn process(
        &self,
        worker: &mut Self::Worker,
        portion: Self::Portion,
        turns: &mut Turns<'_, Out, Numbers>,
    ) -> Result<(), End>;

    /// How much was taken from the input so far, as progress is counted; 0 if that is not known.
    fn taken(&self) -> u64 {
        0
    }

    /// The run ends early: no more portions are pulled, and whoever waits for one stops waiting.
    fn stop(&self) {}
}

/// A portion that was pulled, or the error at its place. It keeps its share of the memory until it is written.
pub(crate) struct NextPortion<'c, P> {
    number: u64,
    portion: Result<P, Error>,
    share: Option<Share<'c>>,
}

impl<P> NextPortion<'_, P> {
    /// The portion with this number, whose memory is not counted.
    pub(crate) fn new(number: u64, portion: Result<P, Error>) -> Self {
        Self { number, portion, share: None }
    }
}

/// Why a run ends before the last portion.
pub(crate) enum End {
    /// Nothing more is needed, or another worker has ended the run and reports why.
    Over,
    /// It failed.
    Failed(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The turns of one portion.
pub(crate) struct Turns<'t, Out, Numbers = ()> {
    numbers: &'t Turnstile<Numbers>,
    all: &'t Turnstile<Out>,
    out: Option<Turn<'t, Out>>,
    number: u64,
}

impl<Out, Numbers> Turns<'_, Out, Numbers> {
    /// Waits until all earlier portions have been numbered, and numbers this one. If a portion is numbered, all are, each
    /// once.
    #[allow(dead_code, reason = "only the second passes of dedupe number rows, which needs zstd")]
    pub(crate) fn number<R>(&mut self, number: impl FnOnce(&mut Numbers) -> R) -> Result<R, End> {
        Ok(number(&mut *self.numbers.wait(self.number).ok_or(End::Over)?))
    }

    /// Waits until all earlier portions are written. Then it is the turn of this one, until it has been processed.
    pub(crate) fn out(&mut self) -> Result<&mut Out, End> {
        let turn = self.out.take().or_else(|| self.all.wait(self.number)).ok_or(End::Over)?;
        Ok(self.out.insert(turn))
    }
}

/// What all workers share.
pub(crate) struct Driver<'r, C, Out, Numbers> {
    container: &'r C,
    progress: Option<&'r Progress>,
    numbers: Turnstile<Numbers>,
    out: Turnstile<Out>,
}

/// Processes all portions on all threads. Returns `out` after the last turn.
///
/// # Errors
/// The first one, in the order of the portions. Only what comes before it is written.
pub(crate) fn run<C: Container<Out, Numbers>, Out: Send, Numbers: Send>(
    container: &C,
    workers: &Threads,
    progress: Option<&Progress>,
    out: Out,
    numbers: Numbers,
) -> Result<Out, Error> {
    let run = Driver::new(container, progress, out, numbers);
    workers.run_on_all(|| run.work())?;
    progress.inspect(|progress| progress.pass(container.taken()));
    Ok(run.out.into_inner())
}

impl<'r, C: Container<Out, Numbers>, Out, Numbers> Driver<'r, C, Out, Numbers> {
    pub(crate) fn new(container: &'r C, progress: Option<&'r Progress>, out: Out, numbers: Numbers) -> Self {
        Self { container, progress, numbers: Turnstile::new(numbers), out: Turnstile::new(out) }
    }

    /// What each worker does: it takes portions until there are none left, or the run ends.
    pub(crate) fn work(&self) -> Result<(), Error> {
        let _watch = Watch(self);
        let (mut worker, mut seat) = (self.container.worker().inspect_err(|_| self.stop())?, Seat::default());
        while !self.out.is_over()
            && let Some(next) = self.container.next(&mut worker, &mut seat)
        {
            // There is room for others when the turn has ended.
            let NextPortion { number, portion, share: _share } = next;
            let mut turns = Turns { numbers: &self.numbers, all: &self.out, out: None, number };
            let done =
                portion.map_err(End::from).and_then(|portion| self.container.process(&mut worker, portion, &mut turns));
            // An error is reported in turn, since an earlier portion may end the run.
            if turns.out().is_err() {
                return Ok(());
            }
            if let Err(end) = done {
                // Nobody is next when this turn ends.
                self.stop();
                return if let End::Failed(error) = end { Err(error) } else { Ok(()) };
            }
            self.progress.inspect(|progress| progress.take(self.container.taken()));
        }
        Ok(())
    }

    /// Ends the run early.
    fn stop(&self) {
        self.out.stop();
        self.numbers.stop();
        self.container.stop();
    }
}

/// Ends the run if its worker panics, since the turns of that worker would never end.
struct Watch<'w, 'r, C: Container<Out, Numbers>, Out, Numbers>(&'w Driver<'r, C, Out, Numbers>);

impl<C: Container<Out, Numbers>, Out, Numbers> Drop for Watch<'_, '_, C, Out, Numbers> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
