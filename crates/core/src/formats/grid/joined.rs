//! Makes one board of blocks that belong together: clues and a map of regions, a map of cages and their sums or clues, digits and a mask
//! of black cells. What contradicts refuses them.

use super::clues::LetterClue;
use super::companion::Companion;
use super::{GridBlock, cage_clues, named};
use crate::board::{Cell, components};
use crate::error::{Code, Reject};
use crate::formats::kenken_text::NamedCage;
use crate::formats::neutral::{NeutralBoard, NeutralCage, NeutralCell, NeutralRegions};
use crate::formats::notation::OneBoard;
use crate::formats::{Format, write_one};

/// The names of the cells of a map, row by row, and the side.
pub(super) struct SignMap {
    names: Vec<Vec<u8>>,
    side: usize,
    companion: Option<Companion>,
}

impl SignMap {
    /// Reads the map of a block.
    pub(super) fn of(text: &[u8], block: &GridBlock) -> Option<Self> {
        let length = block.list.as_ref().map_or(block.end - block.start, |(length, _)| *length);
        let (side, names) = named::cells_of_lines(&text[block.start..block.start + length])?;
        Some(Self { names, side, companion: block.companion })
    }

    /// A number for each name, in the order in which they occur.
    fn numbers(&self) -> Vec<u8> {
        let mut known: Vec<&[u8]> = Vec::new();
        let mut numbers = Vec::with_capacity(self.names.len());
        for name in &self.names {
            let at = known.iter().position(|other| other == name).unwrap_or_else(|| {
                known.push(name);
                known.len() - 1
            });
            numbers.push(u8::try_from(at).unwrap_or(u8::MAX));
        }
        numbers
    }

    /// Whether it has as many regions as its side, each of as many connected cells.
    fn is_of_regions(&self) -> bool {
        let labels = components(&self.numbers(), self.side);
        let cells = self.side * self.side;
        let size = |first: usize| (0..cells).filter(|&cell| usize::from(labels[cell]) == first).count();
        let mut firsts = (0..cells).filter(|&cell| usize::from(labels[cell]) == cell);
        let count = self.numbers().into_iter().max().map_or(0, |most| usize::from(most) + 1);
        count == self.side && firsts.all(|first| size(first) == self.side)
    }

    /// Whether all of its rows are the same, or all of its columns, each of different signs: these are no regions of a jigsaw, but
    /// their numbers or something else.
    fn is_of_lines(&self) -> bool {
        let is_first = |of: fn(usize, usize) -> usize| {
            (0..self.names.len()).all(|cell| self.names[cell] == self.names[of(cell, self.side)])
        };
        self.is_of_regions() && (is_first(|cell, side| cell % side) || is_first(|cell, side| cell / side * side))
    }

    /// The black cells, if its two signs say which they are.
    pub(super) fn black_cells(&self) -> Option<Vec<bool>> {
        let pairs: [[&[u8]; 2]; 4] = [[b"0", b"1"], [b".", b"#"], [b"w", b"b"], [b"W", b"B"]];
        let is_of = |pair: &&[&[u8]; 2]| self.names.iter().all(|name| pair.contains(&&name[..]));
        let [_, black] = pairs.iter().find(is_of)?;
        Some(self.names.iter().map(|name| name == black).collect())
    }
}

/// Makes the board of a map, with the clues of the grid beside it and the list below it, if there are any.
///
/// # Errors
/// What contradicts.
pub(super) fn board(
    map: &SignMap,
    clues: Option<&[NeutralCell]>,
    list: Option<&[LetterClue]>,
) -> Result<String, Reject> {
    if let Some(clues) = clues
        && clues.len() != map.names.len()
    {
        return contradiction(format!("the map beside it is of side {}", map.side));
    }
    if let Some(black) = map.black_cells().filter(|_| list.is_none()) {
        return str8ts(map, &black, clues);
    }
    let mut board = NeutralBoard::new(map.side)?;
    if let Some(clues) = clues {
        board.cells.copy_from_slice(clues);
    }
    match list {
        Some(list) => {
            let cages = cages_of(map, list)?;
            let is_kenken = list.iter().any(|(_, (_, operator))| *operator > 0);
            if let Some(clues) = clues
                && let Err(words) = cage_clues::check(&cages, clues, map.side, is_kenken)
            {
                return contradiction(format!("{words}; put them into different files"));
            }
            add_cages(&mut board, cages, is_kenken)?;
        }
        None if map.is_of_lines() => return Err(Reject::whole(Code::Ambiguous, LINES)),
        None if map.is_of_regions() => {
            let numbers = map.numbers();
            if let Some(cell) = clues.and_then(|clues| repeated(clues, &numbers)) {
                let words = "the digit is twice in a region of the map beside the grid";
                return Err(Reject::at(Code::Region, cell, map.side, words));
            }
            board.regions = NeutralRegions::Numbers(numbers.into_iter().map(|number| Some(number.into())).collect());
        }
        None => return Err(map.companion.map_or_else(no_map, Companion::reject_grid)),
    }
    string(board.into_board()?)
}

/// The string of a board.
pub(super) fn string(board: OneBoard) -> Result<String, Reject> {
    write_one(&board.batch, 0, Format::V2)
}

const LINES: &str = "beside a map whose regions are the rows or the columns, which is no jigsaw; if the map says something else, put the \
    two into different files";

/// Refuses a grid beside a square that is no map.
pub(super) fn no_map() -> Reject {
    Reject::whole(
        Code::Ambiguous,
        "beside a square of the same side that is neither a board nor a map of its regions; if they do not belong together, put them into \
         different files",
    )
}

fn contradiction<T>(words: String) -> Result<T, Reject> {
    Err(Reject::whole(Code::Unsupported, format!("blocks that do not belong together: {words}")))
}

/// The first cell with a digit that an earlier cell of its region has, too.
fn repeated(clues: &[NeutralCell], regions: &[u8]) -> Option<usize> {
    let mut found = [0_u32; 256];
    (0..clues.len()).find(|&cell| {
        let seen = &mut found[usize::from(regions[cell])];
        let bit = (1_u32 << clues[cell].given.max(clues[cell].solved)) & !1;
        let is_repeated = *seen & bit != 0;
        *seen |= bit;
        is_repeated
    })
}

/// The digits and black cells of a Str8ts, as a string of the format plain.
fn str8ts(map: &SignMap, black: &[bool], clues: Option<&[NeutralCell]>) -> Result<String, Reject> {
    let is_clue = |cell: &NeutralCell| cell.solved == 0 && cell.centre == 0;
    let clues = clues.filter(|clues| map.side == 9 && clues.iter().all(is_clue));
    let digits = clues.map(|clues| clues.iter().map(|cell| cell.given).collect::<Vec<_>>());
    digits.map(|digits| named::plain_str8ts(&digits, black)).ok_or_else(|| Companion::Mask.reject_grid())
}

/// The cages of a map of letters, with their sums or clues, if these are known.
fn cages_of(map: &SignMap, list: &[LetterClue]) -> Result<Vec<NamedCage>, Reject> {
    let mut cages: Vec<NamedCage> = Vec::new();
    for (cell, name) in map.names.iter().enumerate() {
        match cages.iter_mut().find(|cage| cage.name == *name) {
            Some(cage) => cage.cells.push(cell as u16),
            None => cages.push(NamedCage { name: name.clone(), cells: vec![cell as u16], clue: None }),
        }
    }
    for &(letter, clue) in list {
        let name = char::from(letter);
        let Some(cage) = cages.iter_mut().find(|cage| cage.name == [letter]) else {
            return contradiction(format!("a sum or clue for {name}, which has no cell"));
        };
        if cage.clue.replace(clue).is_some() {
            return contradiction(format!("two sums or clues for {name}"));
        }
    }
    Ok(cages)
}

/// Adds cages with their sums, or with their clues and operators.
fn add_cages(board: &mut NeutralBoard, cages: Vec<NamedCage>, is_kenken: bool) -> Result<(), Reject> {
    let side = board.side;
    board.arithmetic = is_kenken;
    if is_kenken {
        board.regions = NeutralRegions::None;
        for cage in cages {
            board.cages.push(cage.checked(side)?);
        }
        return Ok(());
    }
    let mut total = 0;
    for cage in cages {
        let sum = cage.clue.map(|(sum, _)| sum);
        check_sum(&cage, sum, side)?;
        total += sum.unwrap_or(0);
        board.cages.push(NeutralCage { cells: cage.cells, clue: sum, operator: 0 });
    }
    let all = (side * side * (side + 1) / 2) as u32;
    match total == all {
        true => Ok(()),
        false => contradiction(format!("the sums of all cages are {total} together, not {all}")),
    }
}

/// Whether as many different digits as a cage has cells can have its sum.
fn check_sum(cage: &NamedCage, sum: Option<u32>, side: usize) -> Result<(), Reject> {
    let name = crate::error::escape(&cage.name);
    let Some(sum) = sum else { return contradiction(format!("no sum for {name}")) };
    let (n, count) = (side as u32, cage.cells.len() as u32);
    let least = count * (count + 1) / 2;
    let fits = count <= n && (least..=count * n - (least - count)).contains(&sum);
    if fits { Ok(()) } else { contradiction(format!("no {count} different digits have the sum {sum} of {name}")) }
}

/// The cells of a grid.
pub(super) fn cells_of(block: &GridBlock) -> Option<Vec<NeutralCell>> {
    let given = |given: u8| NeutralCell { given, ..NeutralCell::default() };
    if let Some(square) = &block.square {
        return square.digits().map(|digits| digits.into_iter().map(given).collect());
    }
    let cell = |cell: &Cell| match *cell {
        Cell::Solved(solved) => NeutralCell { solved, ..NeutralCell::default() },
        Cell::Candidates(centre) => NeutralCell { centre, ..NeutralCell::default() },
        other => given(other.digit()),
    };
    block.cells.as_ref().ok().map(|cells| cells.iter().map(cell).collect())
}
