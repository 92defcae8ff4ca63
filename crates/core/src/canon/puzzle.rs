//! The puzzle of a board: its layout and its givens, without solved cells, candidates, cage colours and region names.

use super::arrangement::CELLS;
use super::groups::{self, renames};
use super::map::Map;
use crate::board::{Batch, Cages, Cell, Codes, Colourer, Shape, components, region_labels, small_components};
use crate::error::{Code, Reject};

/// The contents of a cage.
#[derive(Debug, Clone, Copy)]
pub(super) struct CageContent {
    /// The number of its cells.
    pub cells: u16,
    /// 0 for none, 1 for +, 2 for -, 3 for x, 4 for /.
    pub operator: u16,
    /// The sum or clue; 0 for a cage without a sum.
    pub clue: u16,
}

impl CageContent {
    /// Returns the clue after each digit d has become n+1-d; a difference does not change, nor does the lack of a sum. For
    /// sums and differences only.
    pub(super) fn complemented(self, side: usize) -> i32 {
        if self.operator == 2 || self.clue == 0 {
            self.clue.into()
        } else {
            i32::from(self.cells) * (side as i32 + 1) - i32::from(self.clue)
        }
    }
}

/// One puzzle. Only the first n*n elements of its arrays are meaningful, and only the fields that its kind has.
pub(super) struct Puzzle {
    /// Kind and side.
    pub shape: Shape,
    /// The given digit of each cell, black ones included, or 0.
    pub clues: [u8; CELLS],
    /// 1 for a black cell.
    pub black: [u8; CELLS],
    /// The region of each cell, 1..n.
    pub regions: [u8; CELLS],
    /// The number of each cell's cage in `contents`.
    pub cages: [u16; CELLS],
    /// The cages, in the order of their first cells.
    pub contents: Vec<CageContent>,
    /// Whether each digit d may be replaced by n+1-d; false for kinds whose digits may be renamed arbitrarily.
    pub complements: bool,
    given: GivenByCode,
    numbering: CageNumbering,
}

/// For each code of small boards with black cells, the digit if it is given, and [`BLACK`].
#[derive(Default)]
struct GivenByCode {
    by_code: Vec<u8>,
    /// The shape that this is for, and whether solved cells are givens.
    of: Option<(Shape, bool)>,
}

/// Memory for numbering the cages of a board.
struct CageNumbering {
    /// For each cell that is the first of a cage, the number of the cage.
    number: [u16; CELLS],
    /// The first cell of each cage.
    first: [u16; CELLS],
    /// Two cell counts for each cage, for even and odd cells: with one count, increments for consecutive cells of a
    /// cage would depend on each other.
    sizes: [[u16; CELLS]; 2],
}

/// The mark of a black cell.
const BLACK: u8 = 128;

impl GivenByCode {
    /// The given digits of boards of a shape by code, which are computed if they are not known yet.
    fn find(&mut self, shape: Shape, all_given: bool) -> &[u8] {
        if self.of != Some((shape, all_given)) {
            let codes = shape.codes();
            self.of = Some((shape, all_given));
            self.by_code.clear();
            self.by_code.extend((0..=codes.max()).map(|code| match codes.read(code) {
                Some(Cell::Clue(digit)) => digit,
                Some(Cell::BlackClue(digit)) => BLACK | digit,
                Some(Cell::BlackEmpty) => BLACK,
                Some(Cell::Solved(digit)) if all_given => digit,
                _ => 0,
            }));
        }
        &self.by_code
    }
}

impl Puzzle {
    /// Makes memory for puzzles.
    pub(super) fn new() -> Self {
        Self {
            shape: Batch::new().shape(),
            clues: [0; CELLS],
            black: [0; CELLS],
            regions: [0; CELLS],
            cages: [0; CELLS],
            contents: Vec::new(),
            complements: false,
            given: GivenByCode::default(),
            numbering: CageNumbering { number: [0; CELLS], first: [0; CELLS], sizes: [[0; CELLS]; 2] },
        }
    }

    /// Returns the number of rows and columns.
    pub(super) fn side(&self) -> usize {
        self.shape.side.get()
    }

    /// Reads board `board` of a batch. With `all_given`, solved cells are givens too.
    ///
    /// # Errors
    /// `region` for a jigsaw without n regions of n cells, `unsupported` for a board with its own groups.
    pub(super) fn read(&mut self, batch: &Batch, board: usize, all_given: bool) -> Result<(), Reject> {
        self.shape = batch.shape();
        let (kind, side) = (self.shape.kind, self.shape.side);
        check_groups(batch, board)?;
        let at = board * batch.stride()..board * batch.stride() + side.cells();
        self.read_cells(batch, board, all_given);
        if kind.has_regions() {
            self.read_regions(&batch.regions()[at.clone()])?;
        }
        if kind.has_cages() {
            self.read_cages(&batch.colours()[at.clone()], &batch.contents()[at]);
        }
        self.complements = !renames(kind) && (!kind.has_cages() || self.cages_complement());
        Ok(())
    }

    /// Sets a puzzle of a kind that has nothing but cells to these clues.
    pub(super) fn set_clues(&mut self, shape: Shape, clues: &[u8]) {
        let cells = shape.side.cells();
        (self.shape, self.complements) = (shape, false);
        self.clues[..cells].copy_from_slice(&clues[..cells]);
    }

    fn read_cells(&mut self, batch: &Batch, board: usize, all_given: bool) {
        let (cells, codes) = (self.shape.side.cells(), self.shape.codes());
        if self.shape.side.is_small() {
            // These kinds come in millions, so there is no branch per cell.
            let row = &batch.codes16()[board * batch.stride()..][..cells];
            if self.shape.kind.has_black() {
                let by_code = self.given.find(self.shape, all_given);
                for ((clue, black), &code) in self.clues.iter_mut().zip(&mut self.black).zip(row) {
                    let given = by_code.get(usize::from(code)).copied().unwrap_or(0);
                    (*clue, *black) = (given & !BLACK, given / BLACK);
                }
                return;
            }
            let n = self.side() as u16;
            let most = if all_given { 2 * n } else { n };
            for (clue, &code) in self.clues[..cells].iter_mut().zip(row) {
                let digit = if code > n { code.wrapping_sub(n) } else { code };
                *clue = if code <= most { digit as u8 } else { 0 };
            }
            return;
        }
        for cell in 0..cells {
            let content = codes.read(batch.code(board, cell)).unwrap_or(Cell::Empty);
            self.black[cell] = content.is_black().into();
            self.clues[cell] = match content {
                Cell::Clue(digit) | Cell::BlackClue(digit) => digit,
                Cell::Solved(digit) if all_given => digit,
                _ => 0,
            };
        }
    }

    fn read_regions(&mut self, numbers: &[u8]) -> Result<(), Reject> {
        let n = self.side();
        let labels = region_labels(numbers, n);
        let (mut names, mut last, mut count) = ([0; CELLS], 0, [0; CELLS]);
        for (region, &label) in self.regions.iter_mut().zip(&labels[..n * n]) {
            let name = &mut names[usize::from(label)];
            if *name == 0 {
                last += 1;
                *name = last;
            }
            if usize::from(last) > n {
                let words = format!("a canonical form needs exactly {n} regions, and there are more");
                return Err(Reject::whole(Code::Region, words));
            }
            *region = *name;
            count[usize::from(*name)] += 1;
        }
        match (1..=n).find(|&region| count[region] != n) {
            None => Ok(()),
            Some(region) => {
                let first = self.regions[..n * n].iter().position(|&of| usize::from(of) == region).unwrap_or(0);
                let words = format!(
                    "a canonical form needs {n} regions of {n} cells; the region that begins here has {}",
                    count[region]
                );
                Err(Reject::at(Code::Region, first, n, words))
            }
        }
    }

    fn read_cages(&mut self, colours: &[u8], contents: &[u16]) {
        let n = self.side();
        match small_components(colours, n) {
            Some(labels) => self.number_cages(&labels[..n * n]),
            None => self.number_cages(&components(colours, n)[..n * n]),
        }
        for (content, &first) in self.contents.iter_mut().zip(&self.numbering.first) {
            content.clue = contents[usize::from(first)];
        }
        if !self.shape.kind.has_operators() {
            return;
        }
        let cages = &self.cages[..n * n];
        for (content, &first) in self.contents.iter_mut().zip(&self.numbering.first) {
            let second = second_cell(cages, first, n);
            content.operator = if content.cells > 1 { contents[second] } else { 0 };
        }
    }

    /// Numbers the cages in the order of their first cells; `labels` has the first cell of each cell's cage. There is
    /// no branch per cell.
    #[inline]
    fn number_cages<T: Copy + Into<u16>>(&mut self, labels: &[T]) {
        let mut count = 0;
        let CageNumbering { number, first, sizes } = &mut self.numbering;
        sizes.iter_mut().for_each(|sizes| sizes[..labels.len()].fill(0));
        for (cell, &label) in labels.iter().enumerate() {
            let label = usize::from(label.into());
            (number[cell], first[usize::from(count)]) = (count, cell as u16);
            count += u16::from(label == cell);
            self.cages[cell] = number[label];
            sizes[cell & 1][usize::from(self.cages[cell])] += 1;
        }
        self.contents.clear();
        let [even, odd] = &*sizes;
        let cells = even.iter().zip(odd).take(count.into()).map(|(even, odd)| even + odd);
        self.contents.extend(cells.map(|cells| CageContent { cells, operator: 0, clue: 0 }));
    }

    /// Returns whether every clue stays in the range of its field when all digits are complemented.
    fn cages_complement(&self) -> bool {
        let n = self.side();
        let most = match self.shape.kind.rules().cages {
            Cages::Arithmetic => (n * n * n * (n - 1) * (n - 2)).min(2047),
            _ => n * (n + 1) / 2,
        };
        let fits = |cage: &CageContent| {
            cage.clue == 0 || cage.operator < 3 && (1..=most as i32).contains(&cage.complemented(n))
        };
        self.contents.iter().all(fits)
    }

    /// Checks that a map may be applied to this puzzle: that its kind allows the permutations of cells and digits.
    ///
    /// # Errors
    /// `map`, with what is not allowed.
    pub(super) fn check_map(&self, map: &Map) -> Result<(), Reject> {
        let (kind, side) = (self.shape.kind, self.shape.side);
        let refuse = |words: String| Err(Reject::whole(Code::Map, words));
        if map.side() != side.get() {
            return refuse(format!("the map has side {}, but the board has side {side}", map.side()));
        }
        if !groups::contains(kind, side, &map.cells) {
            return refuse(format!("the rows and columns of {map} do not keep the houses of a {kind} of side {side}"));
        }
        let may = renames(kind) || map.keeps_digits() || (self.complements && map.complements());
        if !may {
            let may = if self.complements { "be kept or complemented" } else { "only be kept" };
            return refuse(format!("the digits of this {kind} may {may}, unlike those of {map}"));
        }
        Ok(())
    }

    /// Applies a map to this puzzle and writes the result as board `board` of a batch of its shape: givens as clues,
    /// everything else empty, regions by first appearance, cages in the least colours.
    pub(super) fn write(&self, map: &Map, to: &mut Batch, board: usize, colourer: &mut Colourer) {
        let (side, codes) = (self.shape.side, self.shape.codes());
        let (n, cells, at) = (side.get(), side.cells(), board * to.stride());
        let (mut small, mut large) = ([0_u16; 96], Vec::new());
        let sources = if cells <= small.len() {
            &mut small[..cells]
        } else {
            large.resize(cells, 0);
            &mut large[..]
        };
        map.cells.fill_sources(n, sources);
        let sources = &*sources;
        if side.is_small() {
            let mut names = [0_u16; 16];
            (1..=n).for_each(|digit| names[digit] = map.digit(digit as u8).into());
            let row = &mut to.codes16_mut()[at..at + cells];
            for (code, &source) in row.iter_mut().zip(sources) {
                *code = names[usize::from(self.clues[usize::from(source)] & 15)];
            }
            if self.shape.kind.has_black() {
                for (code, &source) in row.iter_mut().zip(sources) {
                    *code += u16::from(self.black[usize::from(source)]) * codes.black_empty() as u16;
                }
            }
        } else {
            for (cell, &source) in sources.iter().enumerate() {
                let digit = map.digit(self.clues[usize::from(source)]);
                let black = self.shape.kind.has_black() && self.black[usize::from(source)] != 0;
                to.set_code(board, cell, given(codes, black, digit));
            }
        }
        if self.shape.kind.has_regions() {
            let (mut names, mut last) = ([0; 256], 0);
            for (to, &source) in to.regions_mut()[at..].iter_mut().zip(sources) {
                let name = &mut names[usize::from(self.regions[usize::from(source)])];
                if *name == 0 {
                    last += 1;
                    *name = last;
                }
                *to = *name;
            }
        }
        if self.shape.kind.has_cages() {
            let (cages, first_cells) = colourer.list_cages(sources, &self.cages);
            let contents = &mut to.contents_mut()[at..at + cells];
            self.write_contents(!map.keeps_digits(), cages, first_cells, contents);
            colourer.colour_cages(n, &mut to.colours_mut()[at..at + cells]);
        }
    }

    /// Writes the contents of cages, of which each cell has the number, and whose first cells are listed.
    fn write_contents(&self, complements: bool, cages: &[u16], first_cells: &[u16], contents: &mut [u16]) {
        let n = self.side();
        contents.fill(0);
        for &cell in first_cells {
            let content = self.contents[usize::from(cages[usize::from(cell)])];
            let clue = if complements { content.complemented(n) as u16 } else { content.clue };
            contents[usize::from(cell)] = clue;
            // A cage of one cell has no operator.
            if content.operator != 0 {
                contents[second_cell(cages, cell, n)] = content.operator;
            }
        }
    }
}

/// Returns the cell to the right of the first cell of a cage if it belongs to the cage, otherwise the one below.
#[inline(always)]
fn second_cell(cages: &[u16], first: u16, n: usize) -> usize {
    let cell = usize::from(first);
    let next = cages.get(cell + 1).copied().unwrap_or(u16::MAX);
    let right = (next == cages[cell]) & !(u32::from(first) + 1).is_multiple_of(n as u32);
    cell + if right { 1 } else { n }
}

/// Returns an error for a board with groups that are not implied by its kind.
///
/// # Errors
/// `unsupported`.
pub(super) fn check_groups(batch: &Batch, board: usize) -> Result<(), Reject> {
    if batch.groups(board).is_some_and(|groups| !groups.implied_by(batch.shape().kind)) {
        let words = "a board with its own groups has no canonical form: v2 cannot hold them";
        return Err(Reject::whole(Code::Unsupported, words));
    }
    Ok(())
}

/// Returns the code of a given, or of an empty cell.
fn given(codes: Codes, black: bool, digit: u8) -> u32 {
    match (black, digit) {
        (false, digit) => digit.into(),
        (true, 0) => codes.write(Cell::BlackEmpty),
        (true, digit) => codes.write(Cell::BlackClue(digit)),
    }
}
