//! Forms of boards with cages or black cells are the least of all maps (CANON.md, section 3).

use gridmill_core::board::{Batch, Cell, Kind, Shape, Side, components};
use gridmill_core::canon::{CanonicalForm, Canonizer};
use gridmill_core::make::Mix;

use super::houses::structure;
use super::images::{complements, image, with_givens};
use crate::random::{Rng, made};

/// The layout of a board as numbers: black cells, cages by first appearance, then operator and clue of each cage.
fn layout(batch: &Batch, board: usize) -> Vec<u16> {
    let shape = batch.shape();
    let (n, cells, at) = (shape.side.get(), shape.side.cells(), board * batch.stride());
    let mut numbers = Vec::new();
    if shape.kind.has_black() {
        let is_black = |cell| matches!(batch.cell(board, cell), Cell::BlackEmpty | Cell::BlackClue(_));
        numbers.extend((0..cells).map(|cell| u16::from(is_black(cell))));
    }
    if shape.kind.has_cages() {
        let labels = components(&batch.colours()[at..at + cells], n);
        let (mut cages, mut contents): (Vec<u16>, Vec<u16>) = (Vec::new(), Vec::new());
        for cell in 0..cells {
            let number = cages.iter().position(|&cage| cage == labels[cell]).unwrap_or_else(|| {
                cages.push(labels[cell]);
                let others = (cell + 1..cells).filter(|&other| labels[other] == labels[cell]);
                contents.push(others.map(|other| batch.contents()[at + other]).max().unwrap_or(0));
                contents.push(batch.contents()[at + cell]);
                cages.len() - 1
            });
            numbers.push(number as u16 + 1);
        }
        numbers.extend(contents);
    }
    numbers
}

fn clues(batch: &Batch, board: usize) -> Vec<u8> {
    let clue = |cell| match batch.cell(board, cell) {
        Cell::Clue(digit) | Cell::BlackClue(digit) => digit,
        _ => 0,
    };
    (0..batch.shape().side.cells()).map(clue).collect()
}

#[test]
fn forms_of_cages_and_black_cells_are_the_least_of_all_maps() {
    let (mut rng, mut canonizer) = (Rng(37), Canonizer::new(crate::kernel()));
    let side = Side::new(6).expect("a side");
    for kind in [Kind::Killer, Kind::KenKen, Kind::KenDoku, Kind::Str8ts, Kind::Str8tsB] {
        let boards = made(Shape::new(kind, side), Mix::Solved, false, 37).expect("boards");
        let group = structure(kind, side).group().all();
        let (mut solved, mut complemented) = (0, 0);
        for board in 0..24 {
            let one = with_givens(&boards, board, &mut rng);
            let grid: Vec<u8> = (0..side.cells()).map(|cell| boards.cell(board, cell).digit()).collect();
            let identity: Vec<u8> = (0..=6).collect();
            let mut names = vec![(identity, false)];
            if complements(&one, 0) {
                names.push((vec![0, 6, 5, 4, 3, 2, 1], true));
                complemented += 1;
            }
            for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
                let canonized = canonizer.canonize(&one, false, form);
                let Ok(found) = canonized.found(0) else { continue };
                let mut least_of = |map: &Vec<u16>| {
                    let sequences = names.iter().map(|(names, complement)| {
                        let other = image(&one, 0, map, names, *complement, &mut rng);
                        let digits = map.iter().map(|&cell| names[usize::from(grid[usize::from(cell)])]);
                        let solution = if form == CanonicalForm::Solution { digits.collect() } else { Vec::new() };
                        (layout(&other, 0), solution, clues(&other, 0))
                    });
                    sequences.min().expect("a sequence")
                };
                let sequences: Vec<_> = group.iter().map(&mut least_of).collect();
                let least = sequences.iter().min().expect("maps");
                let got = (layout(canonized.batch(), 0), clues(canonized.batch(), 0));
                assert_eq!((&got.0, &got.1), (&least.0, &least.2), "{kind} {form:?}");
                let same = sequences.iter().filter(|sequence| *sequence == least).count();
                assert_eq!(found.automorphisms, same as u64);
                solved += u32::from(form == CanonicalForm::Solution);
            }
        }
        assert!(solved > 5 && (complemented > 5 || kind.has_operators()), "{kind}: {solved} {complemented}");
    }
}
