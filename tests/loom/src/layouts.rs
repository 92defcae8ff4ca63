//! Workers that need the layout of strings, which depends on the first chunks, whichever worker has them.

use std::panic::{catch_unwind, resume_unwind};

use loom::thread;

use crate::driver::{Container, End, NextPortion, Driver, Seat, Turns};
use crate::error::Error;
use crate::formats::Evidence;
use crate::source::{Chunk, Pulled, Source, TEXT};
use crate::survey::{SURVEY_BYTES, Survey, SurveyedChunk};

/// The evidence in all chunks: each byte of the window is weighed once.
const ALL: Evidence = Evidence([TEXT.len(), SURVEY_BYTES as usize - TEXT.len(), 0]);

/// A survey for threads, which must not borrow it.
fn survey(large: bool) -> &'static Survey<'static> {
    Box::leak(Box::new(Survey::new(Box::leak(Box::new(Source::new(large))), true)))
}

/// When a worker asks for the evidence, which it does if the strings of its chunk do not determine their layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// As soon as it has the chunk.
    Reading,
    /// In the turn of the chunk, for its second part.
    InTurn,
}

/// As in text: each worker weighs its chunk, asks for the evidence if its number is that of `asks`, and waits for its
/// turn.
struct Text {
    survey: &'static Survey<'static>,
    asks: (u64, Asks),
    /// Workers read the next chunk before they wait for the turn of one.
    reads_ahead: bool,
}

impl Text {
    fn ask(&self, number: u64, when: Asks) {
        if (number, when) == self.asks {
            assert_eq!(self.survey.evidence(Chunk::weigh).expect("nobody dies"), ALL);
        }
    }

    fn read(&self, surveyed: SurveyedChunk<'static, 'static>) -> (u64, Result<Chunk, Error>) {
        let SurveyedChunk { pulled: Pulled { sequence: number, chunk }, contribution } = surveyed;
        if let (Some(contribution), Ok(chunk)) = (contribution, &chunk) {
            contribution.make(|window| chunk.weigh(window));
        }
        self.ask(number, Asks::Reading);
        (number, chunk)
    }
}

impl Container<()> for Text {
    type Worker = Option<(u64, Result<Chunk, Error>)>;
    type Portion = (u64, Chunk);

    fn worker(&self) -> Result<Self::Worker, Error> {
        Ok(None)
    }

    fn next(&self, ahead: &mut Self::Worker, _: &mut Seat) -> Option<NextPortion<'_, (u64, Chunk)>> {
        let (number, chunk) = match ahead.take() {
            Some(read) => read,
            None => self.read(self.survey.next(Vec::new())?),
        };
        Some(NextPortion::new(number, chunk.map(|chunk| (number, chunk))))
    }

    fn process(
        &self,
        ahead: &mut Self::Worker,
        (number, _chunk): (u64, Chunk),
        turns: &mut Turns<'_, ()>,
    ) -> Result<(), End> {
        if self.reads_ahead {
            *ahead = self.survey.next_unless_large(Vec::new()).ok().flatten().map(|next| self.read(next));
        }
        turns.out()?;
        self.ask(number, Asks::InTurn);
        Ok(())
    }
}

/// A thread that could go on is interrupted at most four times; every order would take too long.
fn in_nearly_every_order(large: bool, asks: (u64, Asks), reads_ahead: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(4);
    model.check(move || {
        let text: &'static Text = Box::leak(Box::new(Text { survey: survey(large), asks, reads_ahead }));
        let run: &'static Driver<'_, _, _, _> = Box::leak(Box::new(Driver::new(text, None, (), ())));
        let other = thread::spawn(move || run.work().expect("no error"));
        run.work().expect("no error");
        other.join().expect("no panic");
    });
}

#[test]
fn the_evidence_is_that_of_the_whole_window() {
    in_nearly_every_order(false, (0, Asks::Reading), false);
    in_nearly_every_order(false, (1, Asks::Reading), false);
    in_nearly_every_order(false, (1, Asks::InTurn), false);
}

#[test]
fn large_chunks_are_weighed_too() {
    in_nearly_every_order(true, (0, Asks::Reading), false);
    in_nearly_every_order(true, (1, Asks::InTurn), false);
}

/// A worker that asks about the chunk that it reads ahead has another one, whose turn has not ended.
#[test]
fn a_worker_asks_while_it_has_another_chunk() {
    in_nearly_every_order(false, (1, Asks::Reading), true);
    in_nearly_every_order(false, (2, Asks::Reading), true);
    in_nearly_every_order(true, (1, Asks::Reading), true);
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
        let SurveyedChunk { pulled, contribution } = survey.next(Vec::new()).expect("a chunk");
        let chunk = pulled.chunk.expect("nothing fails");
        contribution.expect("it is in the window").make(|window| chunk.weigh(window));
        match survey.evidence(Chunk::weigh) {
            Ok(evidence) => assert_eq!(evidence, ALL),
            Err(error) => assert!(matches!(error, Error::Internal(_))),
        }
        other.join().expect("no panic");
    });
}
