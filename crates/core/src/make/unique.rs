//! Makes puzzles with one solution. It chooses the clues with the solver, whereas [`Maker::fill`] draws them at random.

use std::fmt;

use super::maker::{Maker, MakerMemory};
use super::mix::Mix;
use super::progress::GivenCells;
use super::rng::Rng;
use crate::board::{BATCH, Batch, Cell};
use crate::error::{Unavailable, plural};
use crate::kernels::Kernel;
use crate::solve::{BatchSolver, Puzzles, Query, Solver, UNDECIDED};

/// The number of clues of a puzzle with one solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clues {
    /// The random clues, and as many more as are needed for one solution.
    Drawn,
    /// Exactly this many clues.
    Exactly(usize),
    /// A minimal set of clues: it is proved that none of them can be left out. (A random order decides which minimal
    /// puzzle of a grid it is. Puzzles with more clues are less likely than in a uniform choice.)
    Minimal,
}

/// How many orders of removing clues are tried to reach a number of clues before making the puzzle fails.
const MAX_TRIES: u32 = 200;

/// The limit in search nodes for one step. The puzzles that a seed gives depend on it.
const STEP_EFFORT: u32 = 2_000;

/// The limit in search nodes for proving that one clue is needed, if a step could not decide it.
const PROOF_EFFORT: u32 = 200_000;

/// How many orders of removing clues are tried to prove that a puzzle is minimal before making it fails.
const MAX_PROOF_TRIES: u32 = 3;

/// Makes puzzles with one solution. Each thread has its own.
pub struct UniqueMaker<'m> {
    maker: &'m Maker,
    /// The maker of boards with every white cell placed.
    solved_maker: Maker,
    clues: Clues,
    /// The solver for kinds whose puzzles can be solved together.
    batch_solver: Option<BufferedSolver>,
    /// The solver for all other kinds, and for proofs.
    solver: Solver,
    /// The limit in search nodes for a proof.
    proof_effort: u32,
    /// The board to be solved.
    board: Batch,
    /// The boards with every white cell placed.
    solved: Batch,
    /// The chosen clues of each board.
    givens: Vec<GivenCells>,
}

impl fmt::Debug for UniqueMaker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UniqueMaker").field("maker", &self.maker).field("clues", &self.clues).finish_non_exhaustive()
    }
}

/// Solves many puzzles together.
struct BufferedSolver {
    solver: BatchSolver,
    text: Vec<u8>,
    counts: Vec<u32>,
}

impl<'m> UniqueMaker<'m> {
    /// Chooses clues for the boards of a maker.
    ///
    /// # Errors
    /// Solutions of this kind cannot be counted.
    pub fn new(maker: &'m Maker, clues: Clues, kernel: &'static Kernel) -> Result<Self, Unavailable> {
        let mut board = Batch::new();
        board.reset(maker.shape(), 1);
        let batch_solver = match BatchSolver::takes(&board, 0) {
            true => {
                let solver = BatchSolver::new(maker.shape().kind, kernel)?.budget(STEP_EFFORT);
                Some(BufferedSolver { solver, text: Vec::new(), counts: vec![0; BATCH] })
            }
            false => None,
        };
        let (solved_maker, solver) = (maker.clone().mix(Mix::Solved), Solver::new(kernel));
        let (solved, givens) = (Batch::new(), Vec::new());
        Ok(Self { maker, solved_maker, clues, batch_solver, solver, proof_effort: PROOF_EFFORT, board, solved, givens })
    }

    /// Makes the boards `first`, `first + 1`, ... with the same solutions, regions and cages as [`Maker::fill`], but
    /// other clues.
    ///
    /// # Errors
    /// [`Clues::Exactly`] asks for fewer clues than many tries could reach, or for more than there are cells; or it
    /// could not be proved that a puzzle for [`Clues::Minimal`] is minimal, which happens on large boards.
    pub fn fill(&mut self, first: u64, batch: &mut Batch, scratch: &mut MakerMemory) -> Result<(), Unavailable> {
        self.solved.reset(self.maker.shape(), batch.len());
        self.solved_maker.fill(first, &mut self.solved, scratch);
        self.choose_clues(first)?;
        self.maker.fill_with(first, batch, scratch, Some(&self.givens));
        Ok(())
    }

    /// Chooses the clues of all boards, whose numbers begin at `first`.
    fn choose_clues(&mut self, first: u64) -> Result<(), Unavailable> {
        let (shape, boards) = (self.maker.shape(), self.solved.len());
        let cells = shape.side.cells();
        self.givens.clear();
        self.givens.resize(boards, [false; 625]);
        let mut pending = Vec::new();
        for board in 0..boards {
            let mut rng = Rng::stream(self.maker.clue_family(), first.wrapping_add(board as u64));
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
            pending.push(ClueChoice { board, order: white, rng, undecided: Vec::new() });
        }
        // Grouping gains nothing for puzzles that are solved one by one, and the first failure should end the work.
        let together = if self.batch_solver.is_some() { BATCH } else { 1 };
        for choices in pending.chunks_mut(together) {
            self.add_clues(choices);
            if self.clues != Clues::Drawn {
                self.remove_clues(choices, first)?;
            }
        }
        Ok(())
    }

    /// Adds clues until there is one solution.
    fn add_clues(&mut self, choices: &mut [ClueChoice]) {
        let mut open: Vec<usize> = (0..choices.len()).collect();
        loop {
            let counts = self.count_solutions(open.iter().map(|&i| choices[i].board));
            open = open.into_iter().zip(counts).filter(|&(_, count)| count != 1).map(|(i, _)| i).collect();
            if open.is_empty() {
                return;
            }
            for &i in &open {
                let ClueChoice { board, order, .. } = &choices[i];
                let givens = &mut self.givens[*board];
                if let Some(&cell) = order.iter().find(|&&cell| !givens[usize::from(cell)]) {
                    givens[usize::from(cell)] = true;
                }
            }
        }
    }

    /// Removes clues one after another in random order, as long as there is only one solution. Tries other orders if
    /// too many clues are left.
    fn remove_clues(&mut self, choices: &mut [ClueChoice], first: u64) -> Result<(), Unavailable> {
        let wanted = if let Clues::Exactly(clues) = self.clues { clues } else { 0 };
        let mut open: Vec<usize> = (0..choices.len()).collect();
        for _ in 0..if self.clues == Clues::Minimal { MAX_PROOF_TRIES } else { MAX_TRIES } {
            let most = open.iter().map(|&i| choices[i].order.len()).max().unwrap_or(0);
            for step in 0..most {
                let mut tried: Vec<(usize, usize)> = Vec::new();
                for &i in &open {
                    let ClueChoice { board, order, .. } = &choices[i];
                    let Some(&cell) = order.get(step) else { continue };
                    let count = self.clue_count(*board);
                    let given = &mut self.givens[*board][usize::from(cell)];
                    if count > wanted && *given {
                        *given = false;
                        tried.push((i, cell.into()));
                    } else if count < wanted && !*given {
                        *given = true;
                    }
                }
                let counts = self.count_solutions(tried.iter().map(|&(i, _)| choices[i].board));
                for ((i, cell), count) in tried.into_iter().zip(counts).filter(|&(_, count)| count != 1) {
                    self.givens[choices[i].board][cell] = true;
                    if count == UNDECIDED {
                        choices[i].undecided.push(cell);
                    }
                }
            }
            open.retain(|&i| match self.clues {
                Clues::Minimal => !self.prove_minimal(&choices[i]),
                _ => self.clue_count(choices[i].board) != wanted,
            });
            if open.is_empty() {
                return Ok(());
            }
            for &i in &open {
                let ClueChoice { board, order, rng, undecided } = &mut choices[i];
                undecided.clear();
                // Starts again with all clues, since no order would remove more of the clues that are left.
                order.iter().for_each(|&cell| self.givens[*board][usize::from(cell)] = true);
                rng.shuffle(order);
            }
        }
        let board = first.wrapping_add(choices[open[0]].board as u64);
        Err(Unavailable(match self.clues {
            Clues::Minimal => format!(
                "it could not be shown of any puzzle for board {board} that no clue can be left out, in {MAX_PROOF_TRIES} \
                 tries with up to {} node{} of search for a clue; ask for a number of clues (--clues) or for a smaller \
                 side",
                self.proof_effort,
                plural(self.proof_effort)
            ),
            _ => format!(
                "no puzzle with {wanted} clues and one solution was found for board {board} in {MAX_TRIES} tries; ask for \
                 more clues"
            ),
        }))
    }

    /// Decides which of the undecided clues are needed, and removes those that are not. Returns false if one cannot be
    /// decided. (A clue that was needed is still needed after others are removed.)
    fn prove_minimal(&mut self, choice: &ClueChoice) -> bool {
        choice.undecided.iter().all(|&cell| {
            self.givens[choice.board][cell] = false;
            self.set_clues(choice.board);
            // With this clue there was one solution, so every other solution has another digit in this cell.
            let digit = self.solved.cell(choice.board, cell).digit();
            let is_needed = self.solver.has_other(&self.board, 0, Query::other_than(digit, cell, self.proof_effort));
            self.givens[choice.board][cell] = is_needed != Some(false);
            is_needed.is_some()
        })
    }

    /// The number of clues that a board has at present.
    fn clue_count(&self, board: usize) -> usize {
        self.givens[board].iter().filter(|&&given| given).count()
    }

    /// The number of solutions of boards with their current clues: none, one, two, or [`UNDECIDED`].
    fn count_solutions(&mut self, boards: impl Iterator<Item = usize>) -> Vec<u32> {
        let Some(BufferedSolver { solver, text, counts }) = &mut self.batch_solver else {
            return boards.map(|board| self.count_solutions_of(board)).collect();
        };
        text.clear();
        for board in boards {
            let givens = self.givens[board].iter().enumerate().take(81);
            text.extend(givens.map(|(i, &given)| if given { self.solved.cell(board, i).digit() } else { 0 }));
        }
        let n = text.len() / 81;
        solver.count(Puzzles::of_text(text, 81, n), 2, counts);
        counts[..n].to_vec()
    }

    /// The same for one board.
    fn count_solutions_of(&mut self, board: usize) -> u32 {
        self.set_clues(board);
        self.solver.count(&self.board, 0, Query::count(2, STEP_EFFORT)).count
    }

    /// Sets the solver's board to one with the current clues of `board`.
    fn set_clues(&mut self, board: usize) {
        let shape = self.maker.shape();
        self.board.copy_board(0, &self.solved, board);
        for (i, &given) in self.givens[board].iter().enumerate().take(shape.side.cells()) {
            if !self.solved.cell(board, i).is_black() {
                let digit = self.solved.cell(board, i).digit();
                let cell = if given { Cell::Clue(digit) } else { Cell::Empty };
                self.board.set_code(0, i, shape.codes().write(cell));
            }
        }
    }
}

/// A board whose clues are being chosen.
struct ClueChoice {
    board: usize,
    /// The white cells in the order in which they are tried.
    order: Vec<u16>,
    rng: Rng,
    /// Clues for which a step could not decide whether they are needed.
    undecided: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Shape, Side};
    use crate::kernels;
    use crate::solve::PropagationSolver;

    #[test]
    fn puzzles_that_cannot_be_proved_minimal_are_refused() {
        let maker = Maker::new(Kind::KenKen, Side::NINE, Mix::Clues, 5).expect("a maker");
        let mut unique = UniqueMaker::new(&maker, Clues::Minimal, kernels::best()).expect("a kind that is solved");
        unique.proof_effort = 1;
        let mut batch = Batch::new();
        batch.reset(maker.shape(), BATCH);
        let refused = unique.fill(0, &mut batch, &mut MakerMemory::default()).expect_err("proofs of one node").0;
        assert!(refused.contains("in 3 tries with up to 1 node") && refused.contains("smaller side"), "{refused}");
    }

    /// Boards with fewer and fewer clues: at first no cell can have another digit, then some can.
    #[test]
    fn has_other_agrees_with_propagation() {
        let shapes = [
            (Kind::Jigsaw, 9),
            (Kind::Killer, 9),
            (Kind::Str8ts, 9),
            (Kind::Sudoku, 16),
            (Kind::KenKen, 6),
            (Kind::KenDoku, 8),
        ];
        let mut said = [0; 3];
        for (kind, side) in shapes {
            let shape = Shape::new(kind, Side::new(side).expect("a side"));
            let maker = Maker::new(shape.kind, shape.side, Mix::Solved, 5).expect("a shape that is made");
            let (mut batch, mut plain) = (Batch::new(), PropagationSolver::new());
            batch.reset(shape, 16);
            maker.fill(0, &mut batch, &mut MakerMemory::default());
            for board in 0..batch.len() {
                let open = |i: usize| (i * 7 + board) % 16 <= board;
                let digits: Vec<u8> = (0..shape.side.cells()).map(|i| batch.cell(board, i).digit()).collect();
                let white: Vec<usize> = (0..digits.len()).filter(|&i| !batch.cell(board, i).is_black()).collect();
                for &i in &white {
                    let cell = if open(i) { Cell::Empty } else { Cell::Clue(digits[i]) };
                    batch.set_cell(board, i, cell);
                }
                for &i in white.iter().filter(|&&i| open(i)).step_by(11) {
                    let query = Query::other_than(digits[i], i, 3_000);
                    let expected = plain.has_other(&batch, board, query);
                    for kernel in kernels::available() {
                        let found = Solver::new(kernel).has_other(&batch, board, query);
                        assert!(found == expected || expected.is_none(), "{kind} {board} {i}: {found:?} {expected:?}");
                    }
                    said[expected.map_or(2, usize::from)] += 1;
                }
            }
        }
        assert!(said[0] > 0 && said[1] > 0, "{said:?}");
    }
}
