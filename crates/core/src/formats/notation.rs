//! Formats that read and write one string at a time, without a kernel: notations. A file that implements [`Notation`], its
//! `SAMPLES`, and a line in `formats!` are all that one needs: what is here makes a [`Codec`] of it.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::{
    About, Codec, Form, Format, GridCells, Hints, Holds, Layout, Losses, Names, Records, Remainder, StringsOut, Text,
    losses, sealed,
};
use crate::board::{BATCH, Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel};

/// A format without a kernel. Its strings may have any length, and say themselves what shape their boards have.
pub(super) trait Notation: sealed::Sealed + Sync {
    /// Returns the name and the descriptions.
    fn about(&self) -> &'static About;

    /// Whether a text may be of this format, from its first characters or its length. Strings that it says yes to are of this
    /// format if nothing is said about them, so other text must not look like that by chance.
    fn resembles(&self, text: &[u8]) -> bool;

    /// Reads a string. If strings of the format do not name their kind, the hints do.
    ///
    /// # Errors
    /// The first fault of the string, or everything on its board that no kind of board has.
    fn read(&self, text: &[u8], hints: &Hints) -> Result<OneBoard, Reject>;

    /// Returns the shape in which boards of a shape are written, which has the same side.
    ///
    /// # Errors
    /// `unsupported` if no such boards are written. Without this method, none are.
    fn writes(&self, _: Shape) -> Result<Shape, Reject> {
        let words = format!("{} strings can be read but not written", self.about().name);
        Err(Reject::whole(Code::Unsupported, words))
    }

    /// Returns what strings with boards of this shape can represent.
    fn holds(&self, shape: Shape) -> Holds;

    /// Appends the string of a board of a shape that can be written. Losses are written as `--lossy` has them.
    ///
    /// # Errors
    /// `unsupported` if the board has something that no string of the format says, apart from losses. Any codes, even invalid
    /// ones, must not panic.
    fn write(&self, _batch: &Batch, _board: usize, _out: &mut Text) -> Result<(), Reject> {
        Err(super::no_fault(self.about().name))
    }
}

/// A board that was read.
#[derive(Debug)]
pub(super) struct OneBoard {
    /// The board, in a batch of one.
    pub(super) batch: Batch,
    /// What was lost in reading.
    pub(super) losses: Losses,
    /// Its title and author, which are among the losses.
    pub(super) names: Names,
}

impl OneBoard {
    /// A board of side 9 that consists of its cells.
    pub(super) fn of_cells(cells: &GridCells, kind: Kind) -> Result<Self, Reject> {
        let mut batch = Batch::new();
        batch.reset(Shape::new(kind, Side::NINE), 1);
        cells.iter().enumerate().for_each(|(at, &cell)| batch.set_cell(0, at, cell));
        Ok(Self { batch, losses: Losses::default(), names: Names::default() })
    }
}

impl<N: Notation> Codec for N {
    fn about(&self) -> &'static About {
        Notation::about(self)
    }

    fn resembles(&self, text: &[u8]) -> bool {
        Notation::resembles(self, text)
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        need_one_line(text)?;
        let board = self.read(text, hints)?;
        let form = form(self, board.batch.shape());
        RECOGNISED.with_borrow_mut(|recognised| recognised.add(form.id, text, board));
        Ok(form)
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, _: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        let mut decoded = Decoded::default();
        for board in 0..records.len() {
            let take = |one: &OneBoard| {
                batch.copy_board(board, &one.batch, 0);
                !one.losses.is_empty()
            };
            let Some(is_doubtful) = read_as(self, form, records.get(board), take) else { continue };
            decoded.good |= 1 << board;
            decoded.doubtful |= u64::from(is_doubtful) << board;
        }
        decoded
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        let read = self.read(text, &hints_of(form));
        read.err().unwrap_or_else(|| super::no_fault(Notation::about(self).name))
    }

    fn remainder(&self, form: Form, text: &[u8]) -> Remainder {
        let of_board = |one: &OneBoard| Remainder { losses: one.losses, names: one.names.clone() };
        read_as(self, form, text, of_board).unwrap_or_default()
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        Ok(form(self, Notation::writes(self, shape)?))
    }

    fn holds(&self, form: Form) -> Holds {
        Notation::holds(self, form.shape)
    }

    fn encode(&self, form: Form, batch: &Batch, _: &Kernel, out: StringsOut<'_>) -> u64 {
        let holds = Notation::holds(self, form.shape);
        let mut held = 0;
        for (board, end) in out.ends[..batch.len()].iter_mut().enumerate() {
            let start = out.text.len();
            match self.write(batch, board, out.text) {
                Ok(()) => held |= u64::from(losses(batch, board, &holds).is_empty()) << board,
                Err(_) => out.text.truncate(start),
            }
            *end = out.text.len();
            out.text.room(out.gap);
            out.text.advance(out.gap);
        }
        held
    }

    fn unwritable(&self, _: Form, batch: &Batch, board: usize) -> Option<Reject> {
        self.write(batch, board, &mut Text::new()).err()
    }
}

/// Refuses what is not one line. What stands at the end of some strings may be anything, and white space is left out of others, but a
/// string has no line end.
pub(super) fn need_one_line(text: &[u8]) -> Result<(), Reject> {
    if memchr::memchr(b'\n', text).is_some() || text.ends_with(b"\r") {
        return Err(Reject::whole(Code::Digit, "the string contains a line end, which puzzle strings never do"));
    }
    Ok(())
}

/// The form of strings with boards of a shape.
fn form(notation: &impl Notation, shape: Shape) -> Form {
    Form { id: Notation::about(notation).id, shape, layout: Layout::Spec, width: 0 }
}

/// The hints for reading a string again that was recognised as one of this form.
fn hints_of(form: Form) -> Hints {
    Hints { kind: Some(form.shape.kind), ..Hints::default() }
}

/// Reads a string whose board has the shape of the form, unless its board is known since it was recognised.
fn read_as<R>(notation: &impl Notation, form: Form, text: &[u8], mut take: impl FnMut(&OneBoard) -> R) -> Option<R> {
    let known = RECOGNISED.with_borrow_mut(|recognised| recognised.find(form, text).map(&mut take));
    known.or_else(|| {
        let board = notation.read(text, &hints_of(form)).ok()?;
        (board.batch.shape() == form.shape).then(|| take(&board))
    })
}

thread_local! {
    static RECOGNISED: RefCell<Recognised> = RefCell::default();
}

/// The boards that a thread has recognised last. A string is read to find out the shape of its board, and its board is needed
/// soon after, when the strings that follow have been recognised as well.
#[derive(Default)]
struct Recognised {
    boards: VecDeque<(Format, Box<[u8]>, OneBoard)>,
    /// The bytes of their strings.
    bytes: usize,
    /// The place of the last one that was found: the next one is searched after it.
    last: usize,
}

/// The most bytes of their strings.
const MOST_RECOGNISED: usize = 1 << 18;

impl Recognised {
    fn add(&mut self, id: Format, text: &[u8], board: OneBoard) {
        if text.len() > MOST_RECOGNISED / 2 {
            return;
        }
        while self.boards.len() >= BATCH || self.bytes + text.len() > MOST_RECOGNISED {
            let Some((_, text, _)) = self.boards.pop_front() else { break };
            self.bytes -= text.len();
            self.last = self.last.saturating_sub(1);
        }
        self.bytes += text.len();
        self.boards.push_back((id, text.into(), board));
    }

    fn find(&mut self, form: Form, text: &[u8]) -> Option<&OneBoard> {
        let count = self.boards.len();
        let is_it = |at: &usize| {
            let (id, known, board) = &self.boards[*at];
            *id == form.id && **known == *text && board.batch.shape() == form.shape
        };
        self.last = (self.last..count).chain(0..self.last.min(count)).find(is_it)?;
        Some(&self.boards[self.last].2)
    }
}
