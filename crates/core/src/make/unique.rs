//! Clues that leave one solution: chosen with the solver, where [`Maker::fill`] only draws them.

use super::maker::{Maker, Scratch};
use super::mix::Mix;
use super::progress::GivenCells;
use super::rng::Rng;
use crate::board::{BATCH, Batch, Cell};
use crate::error::Unavailable;
use crate::kernels::Kernel;
use crate::solve::{Batches, PropagationSolver};

/// How many clues a puzzle with one solution has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clues {
    /// Those that are drawn, and as many more as one solution needs.
    Drawn,
    /// So many.
    Exactly(usize),
    /// None can be left out. (Which of the minimal puzzles of a grid it becomes is up to a random order, which favours those
    /// with more clues less than chance would.)
    Minimal,
}

/// Orders in which clues are taken away before so few are given up.
const TRIES: u32 = 200;

/// Nodes that deciding one step may take: it depends on this which puzzles are made, so it is part of the seed's meaning.
const EFFORT: u32 = 2_000;

/// Makes puzzles with one solution. Each thread has one.
pub struct UniqueMaker<'m> {
    maker: &'m Maker,
    /// The boards with every white cell placed.
    full: Maker,
    clues: Clues,
    solver: Solver,
    board: Batch,
    solved: Batch,
    /// The clues that were found, a board each.
    givens: Vec<GivenCells>,
}

/// Puzzles of a kind that is solved side by side, or one by one.
enum Solver {
    Lanes { batches: Box<Batches>, text: Vec<u8>, counts: Vec<u32> },
    One(PropagationSolver),
}

impl<'m> UniqueMaker<'m> {
    /// Of the boards of a maker.
    ///
    /// # Errors
    /// For a kind whose solutions are not counted.
    pub fn new(maker: &'m Maker, clues: Clues, kernel: &'static Kernel) -> Result<Self, Unavailable> {
        let mut board = Batch::new();
        board.reset(maker.shape(), 1);
        let solver = match Batches::takes(&board, 0) {
            true => Solver::Lanes {
                batches: Box::new(Batches::new(maker.shape().kind, kernel)?.budget(EFFORT)),
                text: Vec::new(),
                counts: vec![0; BATCH],
            },
            false => Solver::One(PropagationSolver::new()),
        };
        let full = maker.clone().mix(Mix::Solved);
        Ok(Self { maker, full, clues, solver, board, solved: Batch::new(), givens: Vec::new() })
    }

    /// Makes the boards `first`, `first + 1`, ... as [`Maker::fill`] does, with the same solutions, regions and cages, and other
    /// clues.
    ///
    /// # Errors
    /// If [`Clues::Exactly`] asks for fewer than were found in many tries, or for more than there are cells.
    pub fn fill(&mut self, first: u64, batch: &mut Batch, scratch: &mut Scratch) -> Result<(), Unavailable> {
        self.solved.reset(self.maker.shape(), batch.len());
        self.full.fill(first, &mut self.solved, scratch);
        self.choose(first)?;
        self.maker.fill_with(first, batch, scratch, Some(&self.givens));
        Ok(())
    }

    fn choose(&mut self, first: u64) -> Result<(), Unavailable> {
        let (shape, boards) = (self.maker.shape(), self.solved.len());
        let cells = shape.side.cells();
        self.givens.clear();
        self.givens.resize(boards, [false; 625]);
        let mut pending = Vec::new();
        for board in 0..boards {
            let mut rng = Rng::stream(self.maker.further_family(), first.wrapping_add(board as u64));
            let mut white: Vec<u16> =
                (0..cells as u16).filter(|&i| !self.solved.cell(board, i.into()).is_black()).collect();
            if let Clues::Exactly(clues) = self.clues
                && clues > white.len()
            {
                return Err(Unavailable(format!("a board has {} cells for clues, not {clues}", white.len())));
            }
            for &i in &white {
                self.givens[board][usize::from(i)] = matches!(self.solved.cell(board, i.into()), Cell::Clue(_));
            }
            rng.shuffle(&mut white);
            pending.push(Choice { board, order: white, rng });
        }
        self.add(&mut pending);
        if self.clues != Clues::Drawn {
            self.take_away(&mut pending, first)?;
        }
        Ok(())
    }

    /// Adds clues until there is one solution.
    fn add(&mut self, choices: &mut [Choice]) {
        let mut open: Vec<usize> = (0..choices.len()).collect();
        loop {
            let unique = self.are_unique(open.iter().map(|&i| choices[i].board));
            open = open.into_iter().zip(unique).filter(|(_, unique)| !unique).map(|(i, _)| i).collect();
            if open.is_empty() {
                return;
            }
            for &i in &open {
                let Choice { board, order, .. } = &choices[i];
                let givens = &mut self.givens[*board];
                if let Some(&cell) = order.iter().find(|&&cell| !givens[usize::from(cell)]) {
                    givens[usize::from(cell)] = true;
                }
            }
        }
    }

    /// Takes clues away, one after the other in random order, as long as there is one solution; several times if too many are
    /// left.
    fn take_away(&mut self, choices: &mut [Choice], first: u64) -> Result<(), Unavailable> {
        let wanted = if let Clues::Exactly(clues) = self.clues { clues } else { 0 };
        let mut open: Vec<usize> = (0..choices.len()).collect();
        for _ in 0..TRIES {
            let most = open.iter().map(|&i| choices[i].order.len()).max().unwrap_or(0);
            for step in 0..most {
                let mut tried: Vec<(usize, usize)> = Vec::new();
                for &i in &open {
                    let Choice { board, order, .. } = &choices[i];
                    let Some(&cell) = order.get(step) else { continue };
                    let count = self.count(*board);
                    let given = &mut self.givens[*board][usize::from(cell)];
                    if count > wanted && *given {
                        *given = false;
                        tried.push((*board, cell.into()));
                    } else if count < wanted && !*given {
                        *given = true;
                    }
                }
                let unique = self.are_unique(tried.iter().map(|&(board, _)| board));
                for ((board, cell), _) in tried.into_iter().zip(unique).filter(|(_, unique)| !unique) {
                    self.givens[board][cell] = true;
                }
            }
            if self.clues == Clues::Minimal {
                return Ok(());
            }
            open.retain(|&i| self.count(choices[i].board) != wanted);
            if open.is_empty() {
                return Ok(());
            }
            for &i in &open {
                let Choice { board, order, rng } = &mut choices[i];
                // All of them are clues again: with the same few, no order would lead to fewer.
                order.iter().for_each(|&cell| self.givens[*board][usize::from(cell)] = true);
                rng.shuffle(order);
            }
        }
        let board = first.wrapping_add(choices[open[0]].board as u64);
        Err(Unavailable(format!(
            "no puzzle with {wanted} clues and one solution was found for board {board} in {TRIES} tries; ask for more clues"
        )))
    }

    fn count(&self, board: usize) -> usize {
        self.givens[board].iter().filter(|&&given| given).count()
    }

    /// Whether boards have one solution with the clues they have now.
    fn are_unique(&mut self, boards: impl Iterator<Item = usize>) -> Vec<bool> {
        match &mut self.solver {
            Solver::Lanes { batches, text, counts } => {
                text.clear();
                for board in boards {
                    let givens = self.givens[board].iter().enumerate().take(81);
                    text.extend(givens.map(|(i, &given)| if given { self.solved.cell(board, i).digit() } else { 0 }));
                }
                let n = text.len() / 81;
                batches.count(text, 81, n, 2, counts);
                counts[..n].iter().map(|&count| count == 1).collect()
            }
            Solver::One(solver) => {
                let codes = self.maker.shape().codes();
                let mut unique = Vec::new();
                for board in boards {
                    self.board.copy_board(0, &self.solved, board);
                    for (i, &given) in self.givens[board].iter().enumerate().take(self.maker.shape().side.cells()) {
                        if !self.solved.cell(board, i).is_black() {
                            let digit = self.solved.cell(board, i).digit();
                            let cell = if given { Cell::Clue(digit) } else { Cell::Empty };
                            self.board.set_code(0, i, codes.write(cell));
                        }
                    }
                    unique.push(solver.count(&self.board, 0, false, 2, EFFORT).count == 1);
                }
                unique
            }
        }
    }
}

/// A board whose clues are being chosen.
struct Choice {
    board: usize,
    /// Its white cells in the order in which they are looked at.
    order: Vec<u16>,
    rng: Rng,
}
