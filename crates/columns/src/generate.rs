//! Makes columns of boards, from arrays of numbers or from a seed.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::ArrayRef;
use gridmill_core::board::{BATCH, Batch, Cell, Shape};
use gridmill_core::error::Unavailable;
use gridmill_core::formats::{Form, Format, StringsOut, Text as Written, write_one};
use gridmill_core::kernels::{Kernel, all_bits};
use gridmill_core::make::{Clues, Maker, MakerMemory, UniqueMaker};
use gridmill_core::{Code, Reject};

use crate::assemble::{NewBlock, join_blocks};
use crate::blocks::{self, ROWS};
use crate::error::CallError;
use crate::refused::RefusedRows;
use crate::session::Session;

/// The cells of boards, one board after the other.
#[derive(Debug, Clone, Copy)]
pub struct BoardCells<'a> {
    /// Placed digits; 0 if there is none.
    pub digits: &'a [u8],
    /// Whether each digit is given: one value for all digits, or one for each.
    pub given: &'a [bool],
    /// The candidates of cells without a digit, digit d as bit d - 1: empty, or one value for each cell.
    pub masks: &'a [u32],
    /// The numbers of regions, 1 to n: empty, those of all boards, or those of each board.
    pub regions: &'a [u8],
}

/// Writes boards as a column of strings. It has several chunks if there are more than 2 GiB.
///
/// # Errors
/// [`CallError::Usage`] for a kind with black cells or cages, for regions that are missing or not needed, and for arrays
/// whose sizes do not match. [`CallError::Refused`] for numbers out of range, and for boards that the format cannot
/// represent.
pub fn write_boards(
    cells: BoardCells<'_>,
    shape: Shape,
    to: Format,
    session: &Session<'_>,
) -> Result<Vec<ArrayRef>, CallError> {
    let Shape { kind, side } = shape;
    let all = cells.digits.len();
    let usage = |words: String| Err(CallError::Usage(words));
    if kind.has_cages() || kind.has_black() {
        let what = if kind.has_cages() { "cages" } else { "black cells" };
        return usage(format!("boards of kind {kind} have {what}, which these arrays cannot describe"));
    }
    if !kind.rules().sides.contains(&(side.get() as u8)) {
        return usage(format!("there are no boards of kind {kind} and side {side}"));
    }
    match (kind.has_regions(), cells.regions.len()) {
        (true, 0) => return usage(format!("boards of kind {kind} need regions")),
        (false, 1..) => return usage(format!("boards of kind {kind} have no regions")),
        _ => {}
    }
    let fits = |len: usize, few: usize| len == few || len == all;
    if !all.is_multiple_of(side.cells())
        || !fits(cells.given.len(), 1)
        || !fits(cells.masks.len(), 0)
        || !(cells.regions.is_empty() || fits(cells.regions.len(), side.cells()))
    {
        return usage("the arrays are of boards of different shapes".into());
    }
    let form = writable(to, shape)?;
    let boards = (all / side.cells()) as u64;
    write_blocks(
        0..boards,
        ROWS as u64,
        form,
        session,
        || (),
        |(), batch, first, len| {
            batch.reset(shape, len);
            let fill = |board| Some((board, fill_board(&cells, batch, first as usize, board).err()?));
            (0..len).filter_map(fill).collect()
        },
    )
}

/// Fills one board of a batch whose first board has the number `first`.
fn fill_board(cells: &BoardCells<'_>, batch: &mut Batch, first: usize, board: usize) -> Result<(), Reject> {
    let side = batch.shape().side;
    let from = (first + board) * side.cells();
    let full = batch.shape().codes().full_mask();
    for cell in 0..side.cells() {
        let at = from + cell;
        let digit = cells.digits[at];
        let mask = cells.masks.get(at).copied().unwrap_or(0);
        if usize::from(digit) > side.get() || mask & !full != 0 {
            let what =
                if usize::from(digit) > side.get() { format!("digit {digit}") } else { format!("mask {mask:#x}") };
            return Err(Reject::at(Code::Range, cell, side.get(), format!("{what} is out of range for side {side}")));
        }
        let given = cells.given.get(at).or(cells.given.first()).copied().unwrap_or(true);
        let holds = match (digit, mask) {
            (0, 0) => Cell::Empty,
            (0, mask) => Cell::Candidates(mask),
            (digit, _) if given => Cell::Clue(digit),
            (digit, _) => Cell::Solved(digit),
        };
        batch.set_cell(board, cell, holds);
        if let Some(&region) = cells.regions.get(at).or(cells.regions.get(cell)) {
            if !(1..=side.get()).contains(&usize::from(region)) {
                let words = format!("region {region} is not one of 1 to {side}");
                return Err(Reject::at(Code::Range, cell, side.get(), words));
            }
            let place = board * batch.stride() + cell;
            batch.regions_mut()[place] = region;
        }
    }
    Ok(())
}

/// Makes the boards with these numbers. Each board depends only on its number, so columns can be made in parts. `clues`
/// is for boards with exactly one solution; with `None`, clues are drawn without solving.
///
/// # Errors
/// [`CallError::Usage`] if the format cannot represent such boards, or if they cannot be made.
pub fn generate(
    maker: &Maker,
    clues: Option<Clues>,
    numbers: Range<u64>,
    to: Format,
    session: &Session<'_>,
) -> Result<Vec<ArrayRef>, CallError> {
    let form = writable(to, maker.shape())?;
    let unique = || clues.map(|clues| UniqueMaker::new(maker, clues, session.kernel)).transpose();
    unique()?; // checks whether such boards can be made
    // Boards with one solution take so long to make that blocks are small, so that all threads take part even in a
    // short call.
    let block = if clues.is_some() { BATCH as u64 } else { ROWS as u64 };
    let failed = AtomicBool::new(false);
    let memory = || (MakerMemory::default(), unique().ok().flatten());
    let done = write_blocks(numbers, block, form, session, memory, |(scratch, unique), batch, first, len| {
        batch.reset(maker.shape(), len);
        let Some(unique) = unique else {
            maker.fill(first, batch, scratch);
            return Vec::new();
        };
        // After the first failure, no more boards are needed.
        let made = match failed.load(Ordering::Relaxed) {
            true => Err(Unavailable(String::new())),
            false => unique.fill(first, batch, scratch),
        };
        let Err(Unavailable(why)) = made else { return Vec::new() };
        failed.store(true, Ordering::Relaxed);
        vec![(0, Reject::whole(Code::Unsupported, why))]
    });
    match done {
        Err(CallError::Refused(RefusedRows { rows, .. })) if !rows.is_empty() => {
            Err(CallError::Usage(format!("board {}: {}", rows[0].record, rows[0].reject.message)))
        }
        done => done,
    }
}

/// Returns the form in which a format writes boards of this shape.
fn writable(to: Format, shape: Shape) -> Result<Form, CallError> {
    let unable = |reject: Reject| {
        CallError::Usage(format!("{to} cannot hold a {} of side {}: {}", shape.kind, shape.side, reject.message))
    };
    to.codec().writes(shape).map_err(unable)
}

/// Fills and writes boards with these numbers, a block at a time. `fill` fills a batch with boards from a number on,
/// using memory of the thread, and returns the boards that cannot be made.
fn write_blocks<M>(
    numbers: Range<u64>,
    block: u64,
    form: Form,
    session: &Session<'_>,
    memory: impl Fn() -> M + Sync,
    fill: impl Fn(&mut M, &mut Batch, u64, usize) -> Vec<(usize, Reject)> + Sync,
) -> Result<Vec<ArrayRef>, CallError> {
    let end = numbers.end;
    let cut = |first: u64, by: u64, end: u64| first..(first + by).min(end);
    let jobs: Vec<Range<u64>> = numbers.clone().step_by(block as usize).map(|first| cut(first, block, end)).collect();
    let kernel = session.kernel;
    // Making boards one by one with a solver is so much work that several threads are used even for a few.
    let rows =
        if block < ROWS as u64 { usize::MAX } else { usize::try_from(end - numbers.start).unwrap_or(usize::MAX) };
    let memory = || (memory(), Batch::new(), Written::new());
    let blocks = blocks::run_jobs(session, rows, jobs, memory, |(memory, batch, text), numbers, _| {
        let (mut done, mut refused, end) = (NewBlock::default(), Vec::new(), numbers.end);
        for first in numbers.step_by(BATCH) {
            let len = (end - first).min(BATCH as u64) as usize;
            let mut unable = fill(memory, batch, first, len);
            if unable.is_empty() {
                unable = write_batch(batch, form, kernel, text, &mut done);
            }
            refused.extend(unable.into_iter().map(|(board, reject)| (first as usize + board, reject)));
        }
        (done, refused)
    })?;
    let (mut texts, mut refused) = (Vec::with_capacity(blocks.len()), RefusedRows::default());
    for (block, unable) in blocks {
        unable.iter().for_each(|(row, reject)| refused.add(*row, reject, session.list_refused));
        texts.push(block);
    }
    if refused.first().is_some() {
        return Err(CallError::Refused(refused));
    }
    Ok(join_blocks(texts))
}

/// Appends the strings of a batch. Returns the boards that the format cannot represent.
fn write_batch(
    batch: &Batch,
    form: Form,
    kernel: &Kernel,
    text: &mut Written,
    to: &mut NewBlock,
) -> Vec<(usize, Reject)> {
    let (format, mut ends) = (form.id.codec(), [0; BATCH]);
    text.clear();
    let whole = format.holds(form).whole_shape(batch.shape());
    if whole
        && format.encode(form, batch, kernel, StringsOut { text, gap: 0, ends: &mut ends }) == all_bits(batch.len())
    {
        let before = to.bytes.len();
        to.bytes.extend_from_slice(text.as_slice());
        to.ends.extend(ends[..batch.len()].iter().map(|end| before + end));
        return Vec::new();
    }
    let refuse = |board| Some((board, write_one(batch, board, form.id).err()?));
    (0..batch.len()).filter_map(refuse).collect()
}
