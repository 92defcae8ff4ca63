//! The cages of a board, which the user can draw.

use std::collections::{BTreeMap, BTreeSet};

use gridmill_core::board::{Batch, Shape, components};
use serde_json::Value;

use crate::options::field;

/// The operators of KenKen in the order of their numbers, from 1.
const OPERATORS: [&str; 4] = ["+", "-", "x", "/"];

/// The number of colours for cages.
const COLOURS: u8 = 5;

/// The contents of a cage: its clue and, in KenKen, the number of its operator.
type Clue = (u16, u16);

/// The cages of a board.
pub(crate) struct BoardCages {
    /// A number for the cage of each cell. Neighbouring cages have different numbers.
    numbers: Vec<u8>,
    /// The clues of cages with these cells, if they are known.
    clues: BTreeMap<Vec<usize>, Clue>,
}

impl BoardCages {
    /// Makes each row a cage without a clue, which is always valid.
    pub(crate) fn rows(shape: Shape) -> Self {
        let side = shape.side.get();
        Self { numbers: (0..shape.side.cells()).map(|cell| (cell / side) as u8).collect(), clues: BTreeMap::new() }
    }

    /// The cages of a board.
    pub(crate) fn read(board: &Batch) -> Self {
        let (side, cells) = (board.shape().side.get(), board.shape().side.cells());
        let mut cages = Self { numbers: board.colours()[..cells].to_vec(), clues: BTreeMap::new() };
        let contents = &board.contents()[..cells];
        for of in cages.parts(side) {
            let operator = operator_cell(&of, side).map_or(1, |cell| contents[cell].clamp(1, 4));
            let clue = contents[of[0]];
            cages.clues.insert(of, (clue, operator));
        }
        cages
    }

    /// Draws cages, given as a list of `{cells, clue, operator}` with cells from 0. Each cell leaves its old cage.
    ///
    /// # Errors
    /// An entry is not a cage.
    pub(crate) fn draw(&mut self, asked: &Value, shape: Shape) -> Result<(), String> {
        let side = shape.side.get();
        for one in asked.as_array().ok_or("cages must be a list")? {
            let (mut cells, clue) =
                cage(one, shape).ok_or_else(|| format!("{one} is not a cage of a {}", shape.kind))?;
            cells.sort_unstable();
            cells.dedup();
            let is_beside = |number: u8| {
                cells.iter().flat_map(|&cell| beside(cell, side)).any(|other| self.numbers[other] == number)
            };
            let number = (0..=u8::MAX).find(|&number| !is_beside(number)).ok_or("this cage touches too many others")?;
            cells.iter().for_each(|&cell| self.numbers[cell] = number);
            if !self.parts(side).contains(&cells) {
                return Err("the cells of a cage must be connected by their sides".into());
            }
            self.clues.extend(clue.map(|clue| (cells, clue)));
        }
        Ok(())
    }

    /// Writes the cages into a board. A cage without a clue gets the smallest sum of different digits.
    ///
    /// # Errors
    /// There are not enough colours for neighbouring cages to differ.
    pub(crate) fn write(&self, board: &mut Batch) -> Result<(), String> {
        let (side, cells) = (board.shape().side.get(), board.shape().side.cells());
        let parts = self.parts(side);
        let colours =
            colours(&parts, side).ok_or("five colours are not enough for these cages; draw them differently")?;
        board.contents_mut()[..cells].fill(0);
        for (part, colour) in parts.iter().zip(colours) {
            let smallest = (part.len() * (part.len() + 1) / 2) as u16;
            let (clue, operator) = self.clues.get(part).copied().unwrap_or((smallest, 1));
            part.iter().for_each(|&cell| board.colours_mut()[cell] = colour);
            board.contents_mut()[part[0]] = clue;
            if let Some(cell) = operator_cell(part, side).filter(|_| board.shape().kind.has_operators()) {
                board.contents_mut()[cell] = operator;
            }
        }
        Ok(())
    }

    /// The cells of each cage in reading order. A cage that was cut in two counts as two.
    fn parts(&self, side: usize) -> Vec<Vec<usize>> {
        let labels = components(&self.numbers, side);
        let firsts = (0..self.numbers.len()).filter(|&cell| usize::from(labels[cell]) == cell);
        firsts
            .map(|first| (first..self.numbers.len()).filter(|&cell| usize::from(labels[cell]) == first).collect())
            .collect()
    }
}

/// The cells of a cage in JSON, and its clue if it has one.
fn cage(asked: &Value, shape: Shape) -> Option<(Vec<usize>, Option<Clue>)> {
    let map = asked.as_object()?;
    let cell = |cell: &Value| cell.as_u64().map(|cell| cell as usize).filter(|&cell| cell < shape.side.cells());
    let cells = field(map, "cells")?.as_array()?.iter().map(cell).collect::<Option<Vec<_>>>()?;
    let operator = match field(map, "operator") {
        None => 1,
        Some(sign) => 1 + OPERATORS.iter().position(|operator| sign == *operator)? as u16,
    };
    let clue = match field(map, "clue") {
        None => None,
        Some(clue) => Some((u16::try_from(clue.as_u64()?).ok().filter(|&clue| clue > 0)?, operator)),
    };
    (!cells.is_empty()).then_some((cells, clue))
}

/// The cell with a cage's operator: the one to the right of the first if that is in the cage, or else the one below.
/// None for a cage of one cell.
fn operator_cell(cells: &[usize], side: usize) -> Option<usize> {
    let first = *cells.first().filter(|_| cells.len() > 1)?;
    let beside = first % side + 1 < side && cells.contains(&(first + 1));
    Some(if beside { first + 1 } else { first + side })
}

/// The cells next to a cell.
fn beside(cell: usize, side: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / side, cell % side);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < side).then_some(cell + 1);
    let above = (row > 0).then(|| cell - side);
    let below = (row + 1 < side).then_some(cell + side);
    [left, right, above, below].into_iter().flatten()
}

/// A colour from 1 for each cage, different from those of its neighbours.
fn colours(parts: &[Vec<usize>], side: usize) -> Option<Vec<u8>> {
    let mut of = vec![0; side * side];
    parts.iter().enumerate().for_each(|(part, cells)| cells.iter().for_each(|&cell| of[cell] = part));
    let neighbours = parts.iter().enumerate().map(|(part, cells)| {
        let others = cells.iter().flat_map(|&cell| beside(cell, side)).map(|cell| of[cell]);
        others.filter(|&other| other != part).collect::<BTreeSet<usize>>()
    });
    let neighbours: Vec<_> = neighbours.collect();
    let mut steps = 100_000;
    let mut colours = vec![0; parts.len()];
    paint(&neighbours, &mut colours, &mut steps).then_some(colours)
}

/// Colours the remaining cages, beginning with the one that has the fewest colours left.
fn paint(neighbours: &[BTreeSet<usize>], colours: &mut [u8], steps: &mut u32) -> bool {
    let left = |part: usize, colours: &[u8]| -> Vec<u8> {
        (1..=COLOURS).filter(|colour| neighbours[part].iter().all(|&at| colours[at] != *colour)).collect()
    };
    let unpainted = (0..colours.len()).filter(|&part| colours[part] == 0);
    let Some(next) = unpainted.min_by_key(|&part| left(part, colours).len()) else { return true };
    for colour in left(next, colours) {
        colours[next] = colour;
        *steps = steps.saturating_sub(1);
        if *steps > 0 && paint(neighbours, colours, steps) {
            return true;
        }
    }
    colours[next] = 0;
    false
}
