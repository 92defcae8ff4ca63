//! A naive implementation of the rules of docs/FORMATS.md, which does not use those of the crate.

use gridmill::board::{Batch, Kind};

/// The contents of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Empty,
    Clue(u8),
    Solved(u8),
    /// A set of candidates: digit d is bit d-1.
    Candidates(u32),
    Black,
    BlackClue(u8),
}

impl Content {
    fn of_code(code: u32, n: u32, has_black: bool) -> Self {
        let digit = |base: u32| u8::try_from(code - base).expect("a digit");
        let (solved, candidates) = if has_black { (2 * n + 1, 3 * n + 1) } else { (n, 2 * n) };
        match code {
            0 => Self::Empty,
            _ if code <= n => Self::Clue(digit(0)),
            _ if has_black && code == n + 1 => Self::Black,
            _ if has_black && code <= 2 * n + 1 => Self::BlackClue(digit(n + 1)),
            _ if code <= candidates => Self::Solved(digit(solved)),
            _ => {
                assert!(code - candidates < 1 << n, "code {code} is out of range");
                Self::Candidates(code - candidates)
            }
        }
    }

    /// The placed digit, or 0.
    pub(super) fn digit(self) -> u8 {
        match self {
            Self::Clue(d) | Self::Solved(d) | Self::BlackClue(d) => d,
            Self::Empty | Self::Candidates(_) | Self::Black => 0,
        }
    }

    pub(super) fn is_black(self) -> bool {
        matches!(self, Self::Black | Self::BlackClue(_))
    }
}

/// The rules of a kind, beyond rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Boxes,
    Diagonals,
    Windows,
    ColourGroups,
    Regions,
    Sums,
    Arithmetic,
    Straights,
}

fn rules(kind: Kind) -> &'static [Rule] {
    use Rule::{Arithmetic, Boxes, ColourGroups, Diagonals, Regions, Straights, Sums, Windows};
    match kind {
        Kind::Sudoku => &[Boxes],
        Kind::SudokuX => &[Boxes, Diagonals],
        Kind::Windoku => &[Boxes, Windows],
        Kind::ColourSudoku => &[Boxes, ColourGroups],
        Kind::Jigsaw => &[Regions],
        Kind::Killer => &[Boxes, Sums],
        Kind::KillerJigsaw => &[Regions, Sums],
        Kind::KenKen => &[Arithmetic],
        Kind::KenDoku => &[Boxes, Arithmetic],
        Kind::Str8ts => &[Straights],
        Kind::Str8tsX => &[Straights, Diagonals],
        Kind::Str8tsB => &[Straights, Boxes],
        Kind::Str8tsBX => &[Straights, Boxes, Diagonals],
        _ => panic!("the rules of {kind} are not written down here"),
    }
}

/// The sides for which there are boards of a kind.
pub(super) fn sides(kind: Kind) -> &'static [usize] {
    match kind {
        Kind::Windoku | Kind::ColourSudoku => &[9],
        Kind::KenKen => &[3, 4, 5, 6, 7, 8, 9, 16, 25],
        _ => &[6, 8, 9, 16, 25],
    }
}

/// The cells of a house, and whether they are a line, whose white runs are straights in Str8ts.
struct House {
    name: String,
    cells: Vec<usize>,
    line: bool,
}

/// One board of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    pub kind: Kind,
    pub n: usize,
    pub cells: Vec<Content>,
    pub regions: Vec<u8>,
    pub colours: Vec<u8>,
    pub contents: Vec<u16>,
}

impl Board {
    pub(super) fn of(batch: &Batch, board: usize) -> Self {
        let (kind, n) = (batch.shape().kind, batch.shape().side.get());
        let from = board * batch.stride();
        let has = |rule| rules(kind).contains(&rule);
        let part = from..from + n * n;
        let caged = has(Rule::Sums) || has(Rule::Arithmetic);
        Self {
            kind,
            n,
            cells: (0..n * n).map(|i| Content::of_code(batch.code(board, i), n as u32, has(Rule::Straights))).collect(),
            regions: if has(Rule::Regions) { batch.regions()[part.clone()].to_vec() } else { Vec::new() },
            colours: if caged { batch.colours()[part.clone()].to_vec() } else { Vec::new() },
            contents: if caged { batch.contents()[part].to_vec() } else { Vec::new() },
        }
    }

    /// The puzzle: everything but what a player filled in.
    pub(super) fn puzzle(&self) -> Self {
        let given =
            |cell: &Content| if matches!(cell, Content::Clue(_)) || cell.is_black() { *cell } else { Content::Empty };
        Self { cells: self.cells.iter().map(given).collect(), ..self.clone() }
    }

    fn has(&self, rule: Rule) -> bool {
        rules(self.kind).contains(&rule)
    }

    fn neighbours(&self, i: usize) -> Vec<usize> {
        let (row, column) = (i / self.n, i % self.n);
        let mut list = Vec::new();
        if row > 0 {
            list.push(i - self.n);
        }
        if row + 1 < self.n {
            list.push(i + self.n);
        }
        if column > 0 {
            list.push(i - 1);
        }
        if column + 1 < self.n {
            list.push(i + 1);
        }
        list
    }

    /// The connected components of equal values, each in reading order, ordered by first cell.
    fn parts(&self, values: &[u8]) -> Vec<Vec<usize>> {
        let mut seen = vec![false; values.len()];
        let mut parts = Vec::new();
        for first in 0..values.len() {
            let mut part = Vec::new();
            let mut todo = vec![first];
            while let Some(i) = todo.pop() {
                if !std::mem::replace(&mut seen[i], true) {
                    part.push(i);
                    todo.extend(self.neighbours(i).into_iter().filter(|&j| values[j] == values[i] && !seen[j]));
                }
            }
            part.sort_unstable();
            if !part.is_empty() {
                parts.push(part);
            }
        }
        parts
    }

    fn houses(&self) -> Vec<House> {
        let n = self.n;
        let mut houses = Vec::new();
        let mut add = |name: String, line: bool, belongs: &dyn Fn(usize, usize) -> bool| {
            let cells = (0..n * n).filter(|i| belongs(i / n, i % n)).collect();
            houses.push(House { name, cells, line });
        };
        for k in 0..n {
            add(format!("row {}", k + 1), true, &|r, _| r == k);
            add(format!("column {}", k + 1), true, &|_, c| c == k);
        }
        if self.has(Rule::Boxes) {
            let (height, width) = match n {
                6 => (2, 3),
                8 => (2, 4),
                9 => (3, 3),
                16 => (4, 4),
                25 => (5, 5),
                _ => panic!("no boxes on side {n}"),
            };
            for k in 0..n {
                let (top, left) = (k / (n / width) * height, k % (n / width) * width);
                let inside = move |r, c| (top..top + height).contains(&r) && (left..left + width).contains(&c);
                add(format!("box {}", k + 1), false, &inside);
            }
        }
        if self.has(Rule::Diagonals) {
            add("diagonal from the top left".into(), true, &|r, c| r == c);
            add("diagonal from the top right".into(), true, &|r, c| r + c == n - 1);
        }
        if self.has(Rule::Windows) {
            for (top, left) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
                let inside = move |r, c| (top..top + 3).contains(&r) && (left..left + 3).contains(&c);
                add(format!("window at {top}, {left}"), false, &inside);
            }
        }
        if self.has(Rule::ColourGroups) {
            for k in 0..9 {
                add(format!("colour group {}", k + 1), false, &|r, c| r % 3 * 3 + c % 3 == k);
            }
        }
        if self.has(Rule::Regions) {
            for k in 1..=n {
                add(format!("region {k}"), false, &|r, c| self.regions[r * n + c] as usize == k);
            }
        }
        houses
    }

    /// The cages: connected components of one colour. Empty if the kind has none.
    pub(super) fn cages(&self) -> Vec<Vec<usize>> {
        self.parts(&self.colours)
    }

    /// The five groups that hold each digit because the windows do: rows or columns 2-4, 6-8 and 1, 5, 9 crossing, without
    /// the windows themselves.
    fn implied_by_windows(&self) -> Vec<House> {
        let part = |k: usize| match k {
            1..=3 => 0,
            5..=7 => 1,
            _ => 2,
        };
        let group = |k: usize| House {
            name: format!("group {k} that follows from the windows"),
            cells: (0..81).filter(|i| part(i / 9) * 3 + part(i % 9) == k).collect(),
            line: false,
        };
        if self.has(Rule::Windows) { [2, 5, 6, 7, 8].map(group).into() } else { Vec::new() }
    }

    /// Checks a filled board.
    pub(super) fn check_solution(&self) -> Result<(), String> {
        for (i, &cell) in self.cells.iter().enumerate() {
            let digit = cell.digit() as usize;
            match cell {
                Content::Empty | Content::Candidates(_) => return Err(format!("cell {i} is not filled in")),
                Content::Black => {}
                _ if !(1..=self.n).contains(&digit) => return Err(format!("cell {i} holds {digit}")),
                _ => {}
            }
            if cell.is_black() && !self.has(Rule::Straights) {
                return Err(format!("cell {i} is black"));
            }
        }
        for house in self.houses().into_iter().chain(self.implied_by_windows()) {
            self.check_house(&house).map_err(|fault| format!("{}: {fault}", house.name))?;
        }
        if self.has(Rule::Regions) && self.parts(&self.regions).len() != self.n {
            return Err("a region is in pieces".into());
        }
        if self.colours.iter().any(|colour| !(1..=5).contains(colour)) {
            return Err("a colour is not one of five".into());
        }
        if self.has(Rule::Sums) {
            self.cages().iter().try_for_each(|cage| self.check_sum(cage))?;
        }
        if self.has(Rule::Arithmetic) {
            self.cages().iter().try_for_each(|cage| self.check_arithmetic(cage))?;
        }
        Ok(())
    }

    fn digits<'a>(&'a self, cells: &'a [usize]) -> impl Iterator<Item = u32> + 'a {
        cells.iter().map(|&i| u32::from(self.cells[i].digit())).filter(|&digit| digit > 0)
    }

    fn repeats(&self, cells: &[usize]) -> bool {
        let mut digits: Vec<u32> = self.digits(cells).collect();
        digits.sort_unstable();
        digits.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn check_house(&self, house: &House) -> Result<(), String> {
        if house.cells.len() != self.n {
            return Err(format!("has {} cells", house.cells.len()));
        }
        if self.repeats(&house.cells) {
            return Err("a digit repeats".into());
        }
        if self.has(Rule::Straights) && house.line {
            for run in house.cells.split(|&i| self.cells[i].is_black()).filter(|run| !run.is_empty()) {
                let (low, high) = (self.digits(run).min().expect("white"), self.digits(run).max().expect("white"));
                if (high - low) as usize + 1 != run.len() {
                    return Err(format!("the run from cell {} is no straight", run[0]));
                }
            }
        }
        Ok(())
    }

    fn check_sum(&self, cage: &[usize]) -> Result<(), String> {
        if cage.len() > self.n.min(5) {
            return Err(format!("the cage at {} has {} cells", cage[0], cage.len()));
        }
        if self.repeats(cage) {
            return Err(format!("a digit repeats in the cage at {}", cage[0]));
        }
        if u32::from(self.contents[cage[0]]) != self.digits(cage).sum::<u32>() {
            return Err(format!("the sum of the cage at {} is wrong", cage[0]));
        }
        if cage[1..].iter().any(|&i| self.contents[i] != 0) {
            return Err(format!("the cage at {} has a sum elsewhere", cage[0]));
        }
        Ok(())
    }

    fn check_arithmetic(&self, cage: &[usize]) -> Result<(), String> {
        let first = cage[0];
        let fault = |words: &str| Err(format!("the cage at {first}: {words}"));
        let clue = u32::from(self.contents[first]);
        let n = self.n as u32;
        if clue == 0 || clue > 2047.min(n.pow(3) * (n - 1) * (n - 2)) {
            return fault("its clue is out of range");
        }
        let mut digits: Vec<u32> = self.digits(cage).collect();
        digits.sort_unstable();
        if cage.len() == 1 {
            return if digits == [clue] { Ok(()) } else { fault("one cell, another digit") };
        }
        if cage.len() > 4 {
            return fault("more than four cells");
        }
        let beside = cage.iter().copied().find(|&i| i == first + 1 && i % self.n != 0);
        let place = beside.unwrap_or(first + self.n);
        if cage.iter().any(|&i| i != first && i != place && self.contents[i] != 0) {
            return fault("content elsewhere");
        }
        let pair = digits.len() == 2;
        let right = match self.contents[place] {
            1 => digits.iter().sum::<u32>() == clue,
            2 => pair && digits[1] - digits[0] == clue,
            3 => digits.iter().product::<u32>() == clue,
            4 => pair && digits[0] * clue == digits[1],
            _ => return fault("no operator in its place"),
        };
        if right { Ok(()) } else { fault("its clue is wrong") }
    }

    /// Checks a board that is half way to a solution: what is placed is right, no candidate is placed in a house of its
    /// cell, and the right one is among them.
    pub(super) fn check_progress(&self, solution: &Self) -> Result<(), String> {
        let mut seen = vec![0_u32; self.cells.len()];
        let houses = self.houses().into_iter().map(|house| house.cells);
        for house in houses.chain(if self.has(Rule::Sums) { self.cages() } else { Vec::new() }) {
            let placed = self.digits(&house).fold(0, |placed, digit| placed | 1 << (digit - 1));
            house.iter().for_each(|&i| seen[i] |= placed);
        }
        for (i, (&cell, &right)) in self.cells.iter().zip(&solution.cells).enumerate() {
            let fault = |words: &str| Err(format!("cell {i}: {words}, {cell:?} where {right:?} is right"));
            match cell {
                Content::Solved(_) | Content::Clue(_) if cell.digit() != right.digit() || right.is_black() => {
                    return fault("a wrong digit");
                }
                Content::Black | Content::BlackClue(_) if cell != right => return fault("another black cell"),
                Content::Candidates(_) if right.is_black() => return fault("candidates in a black cell"),
                Content::Candidates(mask) if mask >> (right.digit() - 1) & 1 == 0 => {
                    return fault("the right digit is out");
                }
                Content::Candidates(mask) if mask & seen[i] != 0 => return fault("a candidate is placed elsewhere"),
                Content::Empty => return fault("empty"),
                _ => {}
            }
        }
        Ok(())
    }
}
