//! The simple interface: one string or one board at a time, and lists of strings.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::canon::Key;
use crate::canon::{CanonicalForm, Canonizer, Map};
use crate::check::{self, Problem};
use crate::convert::{Conversion, Converter, EFFORT};
use crate::error::{Code, Reject};
use crate::formats::{AskedEvidence, Evidence, EvidenceSource, Format, Hints, Records, read_one, write_one};
use crate::kernels;
use crate::solve::{Grade, Query, Solver, UNDECIDED, grade_one};

/// Converts a string of any format to version 2.
///
/// ```
/// let v2 = gridmill_core::convert("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1")?;
/// assert!(v2.starts_with("S9B01") && v2.len() == 165);
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
///
/// # Errors
/// The string is of no format, could be of several, or is damaged. Nothing is guessed and nothing is lost.
pub fn convert(string: &str) -> Result<String, Reject> {
    convert_all([string]).pop().unwrap_or_else(|| Err(no_string()))
}

/// Converts strings of any formats to version 2, each on its own. The only exception are Str8ts strings that fit
/// several layouts: they are read in the layout of most of the others.
///
/// ```
/// let strings = ["4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......", "4..."];
/// let converted = gridmill_core::convert_all(strings);
/// assert!(converted[0].as_ref().is_ok_and(|v2| v2.starts_with("S9B04")));
/// assert_eq!(converted[1].as_ref().unwrap_err().code.name(), "length");
/// ```
pub fn convert_all<'s>(strings: impl IntoIterator<Item = &'s str>) -> Vec<Result<String, Reject>> {
    /// Strings in each call of the converter: enough to fill its batches, few enough for the caches.
    const CALL: usize = 4096;
    let strings: Vec<&str> = strings.into_iter().collect();
    let mut converter = Converter::new(Conversion::default(), kernels::best());
    let plan = *converter.plan();
    let weigh = || Ok::<_, Infallible>(plan.weigh(strings.iter().map(|string| string.as_bytes())));
    let evidence = AskedEvidence::new(&weigh);
    strings.chunks(CALL).flat_map(|strings| convert_some(&mut converter, strings, &evidence)).collect()
}

fn convert_some(
    converter: &mut Converter,
    strings: &[&str],
    evidence: &dyn EvidenceSource,
) -> Vec<Result<String, Reject>> {
    let (mut bytes, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for string in strings {
        starts.push(bytes.len() as u32);
        // A string over the limit is truncated one byte beyond it, which is enough for it to be refused.
        bytes.extend_from_slice(&string.as_bytes()[..string.len().min(crate::convert::MAX_RECORD + 1)]);
        ends.push(bytes.len() as u32);
    }
    let converted = converter.convert(Records { bytes: &bytes, starts: &starts, ends: &ends }, evidence);
    let string = |i| match converted.refusal(i) {
        Some(reject) => Err(reject.clone()),
        None => Ok(String::from_utf8_lossy(converted.string(i)).into_owned()),
    };
    (0..strings.len()).map(string).collect()
}

/// Reads a string of any format.
///
/// ```
/// use gridmill_core::{Cell, read};
///
/// let board = read("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1")?;
/// assert_eq!(board.cell(0, 8), Some(Cell::Clue(2)));
/// assert_eq!(board.cell(8, 8), Some(Cell::Clue(1)));
/// assert_eq!(board.cell(9, 0), None);
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
///
/// # Errors
/// As for [`convert()`]. A string of the first Str8ts layout whose black cells cannot be identified is `lossy`.
pub fn read(string: &str) -> Result<Board, Reject> {
    let one = read_one(string.as_bytes(), None, &Hints::default(), &Evidence::default())?;
    if one.losses.need_consent() {
        return Err(Reject::whole(Code::Lossy, format!("reading it loses: {}", one.losses)));
    }
    Ok(Board { all_given: !one.form.id.codec().holds(one.form).clue, batch: one.batch })
}

/// Writes a board as a string of a format.
///
/// ```
/// use gridmill_core::{Format, read, write};
///
/// let puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
/// assert_eq!(write(&read(puzzle)?, Format::Plain)?, puzzle.replace('.', "0"));
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
///
/// # Errors
/// `unsupported` if the format has no such boards, `lossy` if it cannot hold everything on this one.
pub fn write(board: &Board, to: Format) -> Result<String, Reject> {
    write_one(&board.batch, 0, to)
}

/// Checks a board against the rules of its kind. Problems and warnings are ordered by cell. [`solve()`] finds out
/// whether it has a solution.
pub fn validate(board: &Board) -> Vec<Problem> {
    check::problems(&board.batch, 0)
}

/// Counts the solutions of a board's givens, up to `limit`. `None` if that takes more than [`EFFORT`] search nodes, and
/// for windokus and colour sudokus of sides other than 9, whose rules are not defined.
///
/// ```
/// let board = gridmill_core::read(&".".repeat(81))?;
/// assert_eq!(gridmill_core::count_solutions(&board, 10), Some(10));
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
pub fn count_solutions(board: &Board, limit: u32) -> Option<u32> {
    if check::unsupported(board.batch.shape()).is_some() {
        return None;
    }
    let count = Solver::new(kernels::best()).count(&board.batch, 0, board.query(limit)).count;
    (count != UNDECIDED).then_some(count)
}

/// The grade of a board's puzzle: the first rung of a ladder of techniques that solves it (docs/GRADE.md). `None` for all
/// boards but sudokus of side 9, and without exactly one solution.
///
/// ```
/// let board = gridmill_core::read("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1")?;
/// assert_eq!(gridmill_core::grade(&board).map(|grade| grade.name()), Some("beyond"));
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
pub fn grade(board: &Board) -> Option<Grade> {
    grade_one(&board.batch, 0, board.all_given, EFFORT)
}

/// The result of [`solve()`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solution {
    /// The only solution: the digit of each cell, 1 to n in reading order; 0 for a black cell without one.
    Unique(Vec<u8>),
    /// There is no solution.
    None,
    /// There is more than one. This is one of them.
    Several(Vec<u8>),
    /// Deciding it takes more than [`EFFORT`] search nodes.
    Undecided,
    /// The rules of the kind are not defined for this side: windoku and colour-sudoku other than 9x9.
    Unsupported,
}

/// Solves a board of any kind and side, starting from its givens.
///
/// ```
/// use gridmill_core::{Solution, read, solve};
///
/// let board = read("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1")?;
/// let Solution::Unique(digits) = solve(&board) else { panic!("it has one solution") };
/// assert_eq!(digits[..9], [1, 7, 4, 3, 8, 5, 9, 6, 2]);
/// # Ok::<(), gridmill_core::Reject>(())
/// ```
pub fn solve(board: &Board) -> Solution {
    if check::unsupported(board.batch.shape()).is_some() {
        return Solution::Unsupported;
    }
    let mut solver = Solver::new(kernels::best());
    let counted = solver.count(&board.batch, 0, board.query(2));
    let solution = counted.solution.unwrap_or_default().to_vec();
    match counted.count {
        0 => Solution::None,
        1 => Solution::Unique(solution),
        UNDECIDED => Solution::Undecided,
        _ => Solution::Several(solution),
    }
}

/// The result of [`canonical()`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Canonical {
    /// The canonical board.
    pub board: Board,
    /// The canonical board as a v2 string.
    pub string: String,
    /// A map from the original board to the canonical one, to be applied with [`Board::mapped`].
    pub map: Map,
    /// The number of cell permutations that map the puzzle to itself.
    pub automorphisms: u64,
    /// The number of those that map its solution to itself; only for [`CanonicalForm::Solution`].
    pub grid_automorphisms: Option<u64>,
}

impl Canonical {
    /// The key of the string.
    pub fn key(&self) -> Key {
        Key::of(self.string.as_bytes())
    }
}

/// The canonical form of a board's puzzle, which all equivalent puzzles share ([`canon`](crate::canon)).
///
/// ```
/// use gridmill_core::canon::CanonicalForm;
/// use gridmill_core::{canonical, read};
///
/// let board = read("3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4")?;
/// let turned = board.mapped(&"t:987654321:123456789:912345678".parse()?)?;
/// let (one, other) = (canonical(&board, CanonicalForm::Puzzle)?, canonical(&turned, CanonicalForm::Puzzle)?);
/// assert_eq!(one.string, other.string);
/// assert_eq!(one.key().to_string(), "5211f6cd5adc58e1932c8202c41a3002");
/// // The proof that the two are the same puzzle: to the form, and back to the other one.
/// let proof = one.map.then(&other.map.inverse())?;
/// assert_eq!(format!("{:?}", board.mapped(&proof)?), format!("{turned:?}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `region` for a jigsaw without n regions of n cells; `unsupported` for shapes without a canonical form (see
/// [`canon`](crate::canon)); for [`CanonicalForm::Solution`] also `no-solution`, `many-solutions`, and `undecided`
/// after [`EFFORT`] search nodes.
pub fn canonical(board: &Board, form: CanonicalForm) -> Result<Canonical, Reject> {
    let mut canonizer = Canonizer::new(kernels::best()).effort(EFFORT);
    let canonized = canonizer.canonize(&board.batch, board.all_given, form);
    let found = canonized.found(0)?;
    let mut batch = Batch::new();
    batch.reset(board.batch.shape(), 1);
    batch.copy_board(0, canonized.batch(), 0);
    Ok(Canonical {
        board: Board { batch, all_given: false },
        string: String::from_utf8_lossy(canonized.string(0)).into_owned(),
        map: found.map,
        automorphisms: found.automorphisms,
        grid_automorphisms: found.grid_automorphisms,
    })
}

/// One board: its kind, its side, and the contents of its cells.
///
/// Rows and columns are numbered from 0 here; messages name cells from 1, as in `r4c7`.
pub struct Board {
    batch: Batch,
    /// Whether solved cells count as givens, because the board was read from a format without clues.
    all_given: bool,
}

impl Board {
    /// A board whose cells are all empty.
    ///
    /// # Errors
    /// `unsupported` for a kind with regions or cages, which only a string can provide: use [`read`].
    pub fn empty(kind: Kind, side: Side) -> Result<Self, Reject> {
        if kind.has_regions() || kind.has_cages() {
            let words = format!("an empty {kind} would lack regions or cages; read one from a string");
            return Err(Reject::whole(Code::Unsupported, words));
        }
        let mut batch = Batch::new();
        batch.reset(Shape::new(kind, side), 1);
        (0..side.cells()).for_each(|cell| batch.set_cell(0, cell, Cell::Empty));
        Ok(Self { batch, all_given: false })
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        self.batch.shape().kind
    }

    /// The side: the number of rows and columns, and the largest digit.
    pub fn side(&self) -> usize {
        self.batch.shape().side.get()
    }

    /// The contents of a cell; `None` outside the board.
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        self.index(row, column).map(|cell| self.batch.cell(0, cell))
    }

    /// The contents of all cells in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.batch.shape().side.cells()).map(|cell| self.batch.cell(0, cell))
    }

    /// Sets the contents of a cell.
    ///
    /// # Errors
    /// `range` for a cell outside the board, a digit that is not 1 to n, an empty or too large set of candidates, and a
    /// black cell in a kind without them.
    pub fn set(&mut self, row: usize, column: usize, to: Cell) -> Result<(), Reject> {
        let (side, kind) = (self.side(), self.kind());
        let Some(index) = self.index(row, column) else {
            let words = format!("row {row} and column {column} (from 0) are outside a board of side {side}");
            return Err(Reject::whole(Code::Range, words));
        };
        let fits = match to {
            Cell::Empty => true,
            Cell::Clue(digit) | Cell::Solved(digit) => (1..=side).contains(&usize::from(digit)),
            Cell::BlackEmpty => kind.has_black(),
            Cell::BlackClue(digit) => kind.has_black() && (1..=side).contains(&usize::from(digit)),
            Cell::Candidates(set) => set != 0 && set >> side == 0,
        };
        if !fits {
            return Err(Reject::at(
                Code::Range,
                index,
                side,
                format!("a {kind} of side {side} has no cell with {to:?}"),
            ));
        }
        self.batch.set_cell(0, index, to);
        Ok(())
    }

    /// The number of a cell's region, 1 to n; `None` outside the board, and for kinds without regions.
    pub fn region(&self, row: usize, column: usize) -> Option<u8> {
        let cell = self.index(row, column).filter(|_| self.kind().has_regions())?;
        Some(self.batch.regions()[cell])
    }

    /// Applies a map to the board's puzzle: givens are clues, and all other cells are empty.
    ///
    /// # Errors
    /// `map` if it is not a map of the board's kind; `region` and `unsupported` as for [`canonical()`].
    pub fn mapped(&self, map: &Map) -> Result<Self, Reject> {
        let mut batch = Batch::new();
        batch.reset(self.batch.shape(), 1);
        map.apply(&self.batch, 0, self.all_given, &mut batch)?;
        Ok(Self { batch, all_given: false })
    }

    /// How many solutions its givens have.
    fn query(&self, limit: u32) -> Query {
        Query::count(limit, EFFORT).all_given(self.all_given)
    }

    fn index(&self, row: usize, column: usize) -> Option<usize> {
        let side = self.side();
        (row < side && column < side).then_some(row * side + column)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let string = write(self, Format::V2).unwrap_or_else(|reject| reject.to_string());
        f.debug_tuple("Board").field(&string).finish()
    }
}

impl FromStr for Board {
    type Err = Reject;

    fn from_str(string: &str) -> Result<Self, Reject> {
        read(string)
    }
}

/// An internal refusal: there was no record to read.
fn no_string() -> Reject {
    Reject::whole(Code::Length, "there is no string")
}
