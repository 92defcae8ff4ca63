//! Workers that need the layout of strings, which depends on the first chunks, whichever worker has them.

use std::panic::{catch_unwind, resume_unwind};

use loom::thread;

use crate::driver::{Container, End, NextPortion, Driver, Seat, Turns};
use crate::error::Error;
use crate::formats::Evidence;
use crate::source::{Chunk, Source, TEXT};
use crate::survey::{SURVEY_BYTES, Survey};

/// The evidence in all chunks: each byte of the window is weighed once.
const ALL: Evidence = Evidence([TEXT.len(), SURVEY_BYTES as usize - TEXT.len(), 0]);

/// A survey for threads, which must not borrow it.
fn survey(large: bool) -> &'static Survey<'static> {
    Box::leak(Box::new(Survey::new(Box::leak(Box::new(Source::new(large))), true)))
}

/// When a worker asks for the evidence, which it does if the strings of its chunk do not determine their layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Before,
    /// In the turn of the chunk, for its second part.
    InTurn,
}

/// As in text: each worker weighs its chunk, asks for the evidence if its number is that of `asks`, and waits for its
/// turn.
struct Text {
    survey: &'static Survey<'static>,
    asks: (u64, Asks),
}

impl Text {
    fn ask(&self, number: u64, when: Asks) {
        if (number, when) == self.asks {
            assert_eq!(self.survey.evidence(Chunk::weigh).expect("nobody dies"), ALL);
        }
    }
}

impl Container<()> for Text {
    type Worker = ();
    type Portion = (u64, Chunk);

    fn worker(&self) -> Result<(), Error> {
        Ok(())
    }

    fn next(&self, (): &mut (), _: &mut Seat) -> Option<NextPortion<'_, (u64, Chunk)>> {
        let mut surveyed = self.survey.next(Vec::new())?;
        surveyed.contribute(|chunk, window| Some(chunk.weigh(window)));
        let number = surveyed.pulled.sequence;
        Some(NextPortion::new(number, surveyed.pulled.chunk.map(|chunk| (number, chunk))))
    }

    fn process(&self, (): &mut (), (number, _chunk): (u64, Chunk), turns: &mut Turns<'_, ()>) -> Result<(), End> {
        self.ask(number, Asks::Before);
        turns.out()?;
        self.ask(number, Asks::InTurn);
        Ok(())
    }
}

/// A thread that could go on is interrupted at most four times; every order would take too long.
fn in_nearly_every_order(large: bool, asks: (u64, Asks)) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(4);
    model.check(move || {
        let text: &'static Text = Box::leak(Box::new(Text { survey: survey(large), asks }));
        let run: &'static Driver<'_, _, _, _> = Box::leak(Box::new(Driver::new(text, None, (), ())));
        let other = thread::spawn(move || run.work().expect("no error"));
        run.work().expect("no error");
        other.join().expect("no panic");
    });
}

#[test]
fn the_evidence_is_that_of_the_whole_window() {
    in_nearly_every_order(false, (0, Asks::Before));
    in_nearly_every_order(false, (1, Asks::Before));
    in_nearly_every_order(false, (1, Asks::InTurn));
}

#[test]
fn large_chunks_are_weighed_too() {
    in_nearly_every_order(true, (0, Asks::Before));
    in_nearly_every_order(true, (1, Asks::InTurn));
}

#[test]
fn nobody_waits_for_a_worker_that_died() {
    loom::model(|| {
        let survey = survey(false);
        let other = thread::spawn(move || {
            let dies = || {
                let _surveyed = survey.next(Vec::new());
                resume_unwind(Box::new(()))
            };
            catch_unwind(std::panic::AssertUnwindSafe(dies)).map(|()| ()).expect_err("it dies");
        });
        let mut surveyed = survey.next(Vec::new()).expect("a chunk");
        surveyed.contribute(|chunk, window| Some(chunk.weigh(window)));
        match survey.evidence(Chunk::weigh) {
            Ok(evidence) => assert_eq!(evidence, ALL),
            Err(error) => assert!(matches!(error, Error::Internal(_))),
        }
        other.join().expect("no panic");
    });
}
