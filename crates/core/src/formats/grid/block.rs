//! Reads consecutive lines as boards, or finds the reason why they are not boards.

use std::collections::VecDeque;
use std::ops::Range;

use super::companion::Companion;
use super::grid_line::{GridLine, LineRole};
use super::heading::Heading;
use super::line::{TokenKind, TokenLine};
use super::named::{NamedLines, Square};
use super::pictures::first_of_walls;
use super::{GridBlock, GridCells, GridCodes, cells_of, codes_of, json_advice, named, rows};
use crate::board::Cell;
use crate::error::{Code, Reject};

impl GridLine {
    /// Makes a block of this line alone.
    pub(super) fn block(&self, cells: Result<GridCells, Reject>) -> FoundBlock {
        FoundBlock::new(self, self, cells.map(|cells| codes_of(&cells)))
    }
}

/// A [`GridBlock`] in less memory, since a text without separators between its grids has all of them at once.
#[derive(Debug)]
pub(super) struct FoundBlock {
    start: u32,
    end: u32,
    next: u32,
    line: u32,
    codes: Result<GridCodes, Reject>,
    companion: Option<Companion>,
    square: Option<Square>,
}

impl FoundBlock {
    /// Makes the block from one line to another.
    fn new(first: &GridLine, last: &GridLine, codes: Result<GridCodes, Reject>) -> Self {
        let (companion, codes) = match codes {
            Ok(codes) => match Companion::of_cells(&cells_of(&codes)) {
                Some((companion, reject)) => (Some(companion), Err(reject)),
                None => (None, Ok(codes)),
            },
            Err(reject) => (None, Err(reject)),
        };
        Self { start: first.start, end: last.end, next: last.next, line: first.number, codes, companion, square: None }
    }

    /// Makes the block of lines that are no sudoku of side 9.
    fn named(first: &GridLine, last: &GridLine, named: NamedLines) -> Self {
        let NamedLines { companion, square, reject } = named;
        Self { companion, square, ..Self::new(first, last, Err(reject)) }
    }

    /// Makes the block of lines that only accompany a grid.
    pub(super) fn companion(first: &GridLine, last: &GridLine, companion: Companion) -> Self {
        Self { companion: Some(companion), ..Self::new(first, last, Err(companion.reject())) }
    }

    /// Makes the block of lines that look like a map of letters, but are no square.
    pub(super) fn part_of_map(first: &GridLine, last: &GridLine) -> Self {
        let words =
            "rows that look like a map of regions, cages or black cells; a map has as many rows as cells in each";
        Self::new(first, last, Err(Reject::whole(Code::Unsupported, words)))
    }
}

impl From<FoundBlock> for GridBlock {
    fn from(FoundBlock { start, end, next, line, codes, companion, square }: FoundBlock) -> Self {
        let (start, end, next) = (start as usize, end as usize, next as usize);
        let cells = codes.map(|codes| cells_of(&codes));
        Self { start, end, next, line: line.into(), cells, companion, list: None, square }
    }
}

/// Returns the number of rows of a paragraph, if a grid may be written in paragraphs of that size: one or three rows.
/// The first paragraph of a grid may also have column names.
pub(super) fn paragraph_rows(paragraph: &[GridLine], is_header: impl Fn(&GridLine) -> bool) -> Option<usize> {
    let mut rows = paragraph.iter().filter(|line| line.role.may_be_row() || line.role == LineRole::Header).peekable();
    let header = usize::from(rows.peek().is_some_and(|line| is_header(line)));
    let all = rows.clone().count();
    let certain = rows.filter(|line| !line.role.may_be_border()).count();
    let is_well_formed = paragraph.iter().all(|line| line.role != LineRole::Malformed);
    [3, 1]
        .into_iter()
        .find(|rows| is_well_formed && [all, all - header, certain, certain - header.min(certain)].contains(rows))
}

/// Blocks that were not yet returned, and the number of lines that belong to no block.
#[derive(Debug, Default)]
pub(super) struct FoundBlocks {
    pub(super) blocks: VecDeque<FoundBlock>,
    pub(super) lines_of_text: u64,
}

/// The lines of a grid that are not borders: column names above the rows, rows, column names below the rows.
#[derive(Debug, Clone, Copy)]
struct Pattern {
    header: usize,
    rows: usize,
    footer: usize,
}

const PATTERNS: [Pattern; 5] = [
    Pattern { header: 0, rows: 9, footer: 0 },
    Pattern { header: 1, rows: 9, footer: 0 },
    Pattern { header: 0, rows: 9, footer: 1 },
    Pattern { header: 1, rows: 9, footer: 1 },
    // Three lines for each row, with a place for every candidate.
    Pattern { header: 0, rows: 27, footer: 0 },
];

/// Boards, each with the indices of its first and last line that is a row or has column names.
type Boards = Vec<(usize, usize, GridCodes)>;

/// Reads blocks from lines.
pub(super) struct BlockReader<'r> {
    pub(super) text: &'r [u8],
    /// Memory for rows, which is reused.
    pub(super) rows: &'r mut Vec<TokenLine>,
}

impl BlockReader<'_> {
    /// Reads the blocks of lines that have no text between them.
    pub(super) fn read_blocks(&mut self, lines: &[GridLine], heading: Option<&Heading>, found: &mut FoundBlocks) {
        // A number directly above rows is their title. It ends the section before it.
        let is_title = |at: usize| {
            lines[at].role == LineRole::Number
                && lines.get(at + 1).is_some_and(|next| !matches!(next.role, LineRole::Number | LineRole::Malformed))
        };
        let squares = self.squares_of_numbers(lines);
        let is_inside = |at: &usize| {
            squares.get(squares.partition_point(|square| square.end <= *at)).is_some_and(|square| square.contains(at))
        };
        let mut ends: Vec<usize> = (0..lines.len()).filter(|&at| is_title(at)).filter(|at| !is_inside(at)).collect();
        ends.extend(squares.iter().flat_map(|square| [square.start, square.end]));
        ends.push(lines.len());
        ends.sort_unstable();
        ends.dedup();
        let mut start = 0;
        for end in ends.into_iter().filter(|&end| end > 0) {
            self.read_section(&lines[start..end], heading.filter(|_| start == 0), found);
            start = end;
        }
    }

    /// The lines that are squares of digits, though each by itself could be a number.
    fn squares_of_numbers(&self, lines: &[GridLine]) -> Vec<Range<usize>> {
        let (mut squares, mut at) = (Vec::new(), 0);
        while let Some(line) = lines.get(at) {
            let side = self.text[line.start as usize..line.end as usize].trim_ascii().len();
            let square = lines.get(at..at + side).filter(|_| line.role == LineRole::Number).filter(|square| {
                let are_numbers = square.iter().all(|line| line.role == LineRole::Number);
                are_numbers && named::square_of_digits(self.text, square).is_some()
            });
            squares.extend(square.map(|square| at..at + square.len()));
            at += square.map_or(1, <[GridLine]>::len);
        }
        squares
    }

    /// Reads the blocks of a section: lines that begin with their title, if they have one.
    fn read_section(&mut self, lines: &[GridLine], heading: Option<&Heading>, found: &mut FoundBlocks) {
        let titles = lines.iter().take_while(|line| line.role == LineRole::Number).count();
        let square = if titles == lines.len() { named::square_of_digits(self.text, lines) } else { None };
        if let Some(named) = square {
            found.blocks.push_back(FoundBlock::named(&lines[0], &lines[lines.len() - 1], named));
            return;
        }
        found.lines_of_text += titles as u64;
        let lines = &lines[titles..];
        let may_lack_cells = |line: &GridLine| line.role.may_be_border() || line.role == LineRole::Header;
        if lines.iter().all(may_lack_cells) {
            found.lines_of_text += lines.len() as u64;
            return;
        }
        let fault = match self.read_boards(lines, heading) {
            Ok(boards) => return found.blocks.extend(split_in_blocks(lines, &boards)),
            Err(fault) => fault,
        };
        // Of two consecutive borders, the first ends one grid and the second begins the next: a fault in one grid does
        // not affect the other.
        let is_border = |at: usize| lines[at].role == LineRole::Border;
        let mut starts = vec![0];
        starts.extend((2..lines.len() - 1).filter(|&at| is_border(at - 1) && is_border(at)));
        starts.push(lines.len());
        if starts.len() == 2 {
            let (first, last) = (&lines[0], &lines[lines.len() - 1]);
            if let Some(named) = named::name(self.text, lines) {
                found.blocks.push_back(FoundBlock::named(first, last, named));
                return;
            }
            let reject = Reject { message: format!("not a grid of 9 rows of 9 cells: {}", fault.message), ..fault };
            found.blocks.push_back(FoundBlock::new(first, last, Err(reject)));
            return;
        }
        for section in starts.windows(2) {
            self.read_section(&lines[section[0]..section[1]], heading.filter(|_| section[0] == 0), found);
        }
    }

    /// Reads lines that must consist of grids and nothing else.
    fn read_boards(&mut self, lines: &[GridLine], heading: Option<&Heading>) -> Result<Boards, Reject> {
        if let Some(malformed) = lines.iter().find(|line| matches!(line.role, LineRole::Malformed | LineRole::Number)) {
            return Err(self.reject_malformed(malformed));
        }
        let mut readings: Vec<Boards> = Vec::new();
        let mut fault = None;
        let has_ambiguous_lines =
            lines.iter().any(|line| matches!(line.role, LineRole::RuleOrRow | LineRole::SpaceOrRow));
        for with_empty_rows in [false, true].into_iter().take(1 + usize::from(has_ambiguous_lines)) {
            let is_row = |line: &GridLine| {
                line.role == LineRole::Header
                    || line.role.may_be_row() && (with_empty_rows || !line.role.may_be_border())
            };
            let rows = (0..lines.len()).filter(|&at| is_row(&lines[at])).collect();
            let selection = RowChoice { lines, rows, with_empty_rows };
            if with_empty_rows && selection.may_be_borders() {
                continue;
            }
            for pattern in PATTERNS {
                match self.read_pattern(&selection, pattern) {
                    Some(Ok(boards)) if !readings.contains(&boards) => readings.push(boards),
                    Some(Err(reject)) => _ = fault.get_or_insert(reject),
                    _ => {}
                }
            }
        }
        match (readings.pop(), readings.is_empty()) {
            (Some(boards), true) => match self.reject_walls(lines, &boards) {
                Some(reject) => Err(reject),
                None => apply_heading(boards, heading),
            },
            (Some(_), false) => Err(rows::ambiguous("its lines can be grids in two ways")),
            (None, _) => Err(fault.unwrap_or_else(|| wrong_row_count(lines))),
        }
    }

    /// Refuses boards beside which are the walls of pieces, though each of these lines may be a border.
    fn reject_walls(&self, lines: &[GridLine], boards: &Boards) -> Option<Reject> {
        let starts = std::iter::once(0).chain(boards.iter().map(|(_, last, _)| last + 1));
        let mut gaps = starts.zip(boards.iter().map(|(first, ..)| *first).chain([lines.len()]));
        let walls = gaps.find_map(|(start, end)| {
            let bytes = |line: &GridLine| &self.text[line.start as usize..line.end as usize];
            let gap: Vec<&[u8]> = lines[start..end].iter().map(bytes).collect();
            first_of_walls(&gap).map(|at| lines[start + at].number + 1)
        })?;
        Some(rows::ambiguous(&format!("from line {walls} on, there are walls beside it, perhaps of regions or cages")))
    }

    /// Reads the selected rows as grids of one pattern. None if their number or their column names do not fit the
    /// pattern.
    fn read_pattern(&mut self, selection: &RowChoice, pattern: Pattern) -> Option<Result<Boards, Reject>> {
        let Pattern { header, rows: height, footer } = pattern;
        let RowChoice { lines, rows, .. } = selection;
        let size = header + height + footer;
        if rows.is_empty() || !rows.len().is_multiple_of(size) {
            return None;
        }
        let mut boards = Boards::with_capacity(rows.len() / size);
        for grid in rows.chunks_exact(size) {
            let (names, cells) =
                (&[&grid[..header], &grid[header + height..]].concat(), &grid[header..header + height]);
            if !names.iter().all(|&at| self.is_header(&lines[at])) {
                return None;
            }
            if cells.iter().any(|&at| lines[at].role == LineRole::Header) {
                return None;
            }
            match self.read_grid(selection, cells)? {
                Ok(cells) => boards.push((grid[0], grid[size - 1], codes_of(&cells))),
                Err(reject) => return Some(Err(reject)),
            }
        }
        Some(Ok(boards))
    }

    /// Reads the board of 9 rows, or of 27 lines with three for each row. None if the 27 lines are not such a grid.
    fn read_grid(&mut self, selection: &RowChoice, rows: &[usize]) -> Option<Result<GridCells, Reject>> {
        let lines = selection.lines;
        let line_number = |at: usize| lines[at].number + 1;
        let gaps = Gaps::between(lines, rows);
        self.rows.resize_with(self.rows.len().max(rows.len()), TokenLine::default);
        for (tokens, &at) in self.rows.iter_mut().zip(rows) {
            tokens.read(&self.text[lines[at].start as usize..lines[at].end as usize]);
        }
        if rows.len() == 27 {
            return (gaps == Gaps::Thirds).then(|| rows::read_tall_board(&self.rows[..27])).flatten().map(Ok);
        }
        if let Gaps::After(row) = gaps {
            let words = format!(
                "there is a border or blank line after row {} (line {}); these may only follow rows 3 and 6, or every row",
                row + 1,
                line_number(rows[row])
            );
            return Some(Err(Reject::whole(Code::Length, words)));
        }
        if let Some(named) = rows[1..].iter().find(|&&at| lines[at].has_list_name) {
            let words = format!("line {} begins with a name, which only a first row may do", line_number(*named));
            return Some(Err(Reject::whole(Code::Length, words)));
        }
        let is_framed = rows[0].checked_sub(1).is_some_and(|above| lines[above].role.may_be_border());
        Some(match rows::read_board(&self.rows[..9], is_framed) {
            Ok((cells, sign)) => selection.ambiguity(rows, &cells, sign, gaps).map_or(Ok(cells), Err),
            Err(reject) => Err(match rows::deviating_row(&self.rows[..9]) {
                Some(row) if reject.code == Code::Length => Reject {
                    message: format!("line {} is not written like the others", line_number(rows[row])),
                    ..reject
                },
                _ => {
                    let message =
                        format!("{} (lines {} to {})", reject.message, line_number(rows[0]), line_number(rows[8]));
                    Reject { message, ..reject }
                }
            }),
        })
    }

    /// Whether a line may be the column names.
    fn is_header(&mut self, line: &GridLine) -> bool {
        let mut tokens = TokenLine::default();
        tokens.read(&self.text[line.start as usize..line.end as usize]);
        rows::is_header(&tokens)
    }

    /// Says what is wrong with a line that is not a row.
    fn reject_malformed(&mut self, line: &GridLine) -> Reject {
        let mut tokens = TokenLine::default();
        tokens.read(&self.text[line.start as usize..line.end as usize]);
        let has_words = super::glyphs::has_word(&tokens.glyphs.bytes);
        let number = line.number + 1;
        let (code, words) = match tokens.count_cells() {
            _ if tokens.glyphs.has_unknown_escape => {
                (Code::Digit, "has unknown escape sequences, such as colours".to_string())
            }
            _ if tokens.tokens.iter().all(|token| token.kind != TokenKind::Word) => {
                (Code::Length, "is a border that does not go around boxes".to_string())
            }
            _ if has_words => {
                let json = json_advice(&self.text[line.start as usize..line.end as usize]);
                (Code::Digit, json.unwrap_or("has text besides its cells").to_string())
            }
            9 => (Code::Digit, "has something besides its 9 cells".to_string()),
            1 => (Code::Length, "has 1 cell".to_string()),
            cells if cells > 81 && cells.is_multiple_of(81) => {
                let boards = cells / 81;
                (
                    Code::Length,
                    format!(
                        "has {cells} cells: of {boards} boards each needs a line of its own, as jq -c '.[]' makes them"
                    ),
                )
            }
            cells => (Code::Length, format!("has {cells} cells")),
        };
        Reject::whole(code, format!("line {number} {words}"))
    }
}

/// After which rows there is a border or a blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    None,
    /// After every third row.
    Thirds,
    /// After every row.
    All,
    /// After this row (counted from 0) and perhaps others, in an order that no grid has.
    After(usize),
}

impl Gaps {
    fn between(lines: &[GridLine], rows: &[usize]) -> Self {
        let is_gap = |pair: &[usize]| pair[1] - pair[0] > 1 || lines[pair[1]].follows_blank_line;
        let after: Vec<usize> =
            rows.windows(2).enumerate().filter(|(_, pair)| is_gap(pair)).map(|(row, _)| row).collect();
        let is_third = |row: &usize| row % 3 == 2;
        match after.iter().find(|row| !is_third(row)) {
            None if after.is_empty() => Self::None,
            None if after.len() + 1 == rows.len().div_ceil(3) => Self::Thirds,
            None => Self::After(after[0]),
            Some(_) if after.len() + 1 == rows.len() => Self::All,
            Some(&row) => Self::After(row),
        }
    }
}

/// Lines, and the indices of those that are read as rows. Lines that may be a border or a row of empty cells are all
/// read as borders or all as rows.
struct RowChoice<'i> {
    lines: &'i [GridLine],
    rows: Vec<usize>,
    /// Whether lines that may be a border or a row of empty cells are read as rows.
    with_empty_rows: bool,
}

impl RowChoice<'_> {
    /// Whether the lines that are read as rows of empty cells could be the borders of a grid that has too few rows
    /// without them.
    fn may_be_borders(&self) -> bool {
        let others: Vec<usize> = self.rows.iter().copied().filter(|&at| !self.is_rule(at)).collect();
        let looks_like_a_grid = !matches!(Gaps::between(self.lines, &others), Gaps::After(_));
        others.len() < self.rows.len() && looks_like_a_grid
    }

    fn is_rule(&self, at: usize) -> bool {
        self.lines[at].role == LineRole::RuleOrRow
    }

    /// Rejects a board if lines that are read as rows of empty cells could be borders, or the reverse.
    fn ambiguity(&self, rows: &[usize], cells: &GridCells, sign: Option<u8>, gaps: Gaps) -> Option<Reject> {
        if !self.with_empty_rows {
            // Look as far as the nearest other lines above and below this grid.
            let is_other = |line: &GridLine| !line.role.may_be_border();
            let above = self.lines[..rows[0]].iter().rposition(is_other).unwrap_or(0);
            let last = rows[rows.len() - 1];
            let below =
                self.lines[last + 1..].iter().position(is_other).map_or(self.lines.len(), |rows| last + 1 + rows);
            let possible_row = (above..below).find(|&at| self.may_be_empty_row(at, sign, gaps));
            return possible_row.map(|at| may_be_border(&self.lines[at]));
        }
        // If no other row has an empty cell, nothing shows that these lines consist of the sign for an empty cell.
        let is_known_sign = (0..81).any(|cell| cells[cell] == Cell::Empty && !self.is_rule(rows[cell / 9]));
        let rule = rows.iter().find(|&&at| self.is_rule(at)).filter(|_| !is_known_sign);
        rule.map(|&at| may_be_border(&self.lines[at]))
    }

    /// Whether a line that is read as a border may be a row of empty cells, because it consists of the grid's sign for
    /// them. A border between boxes is recognised by its position, if no other border and no blank line is next to it.
    fn may_be_empty_row(&self, at: usize, sign: Option<u8>, gaps: Gaps) -> bool {
        let line = |at: Option<usize>| at.and_then(|at| self.lines.get(at));
        let is_border = |at: Option<usize>| line(at).is_some_and(|line| line.role.may_be_border());
        let follows_blank_line = |at: usize| line(Some(at)).is_some_and(|line| line.follows_blank_line);
        match (self.lines[at].role, sign) {
            (LineRole::SpaceOrRow, Some(b' ')) => true,
            (LineRole::RuleOrRow, Some(b'-' | b'_' | b'*')) => {
                let is_single = !is_border(at.checked_sub(1)) && !is_border(Some(at + 1));
                gaps == Gaps::None || !is_single || follows_blank_line(at) || follows_blank_line(at + 1)
            }
            _ => false,
        }
    }
}

/// Rejects a line that may be a border or a row of empty cells.
fn may_be_border(line: &GridLine) -> Reject {
    rows::ambiguous(&format!("line {} may be a border or a row of empty cells", line.number + 1))
}

/// Says how many rows there are, when their number is not that of a grid.
fn wrong_row_count(lines: &[GridLine]) -> Reject {
    let rows = lines.iter().filter(|line| line.role == LineRole::Row).count();
    if let Some(rule) = lines.iter().find(|line| line.role == LineRole::RuleOrRow) {
        return may_be_border(rule);
    }
    let words = match rows {
        0 => "it has no row of 9 cells".to_string(),
        1 => "it has 1 row".to_string(),
        rows if rows.is_multiple_of(9) => "it is unclear which of its lines are rows".to_string(),
        rows => format!("it has {rows} rows"),
    };
    Reject::whole(Code::Length, words)
}

/// Corrects the first board by the heading above it.
fn apply_heading(mut boards: Boards, heading: Option<&Heading>) -> Result<Boards, Reject> {
    if let (Some(heading), Some((.., codes))) = (heading, boards.first_mut()) {
        let cells = heading.apply_to(cells_of(codes)).map_err(|words| Reject::whole(Code::Digit, words))?;
        *codes = codes_of(&cells);
    }
    Ok(boards)
}

/// Makes the blocks of boards. The border below a grid belongs to this grid, a second border to the next grid.
fn split_in_blocks<'b>(lines: &'b [GridLine], boards: &'b Boards) -> impl Iterator<Item = FoundBlock> + 'b {
    let mut start = 0;
    boards.iter().enumerate().map(move |(n, (_, last, codes))| {
        let next = boards.get(n + 1).map_or(lines.len(), |(first, ..)| *first);
        let below = (last + 1 < next && !lines[last + 1].follows_blank_line).then_some(last + 1);
        let last = if n + 1 == boards.len() { lines.len() - 1 } else { below.unwrap_or(*last) };
        let first = std::mem::replace(&mut start, last + 1);
        FoundBlock::new(&lines[first], &lines[last], Ok(*codes))
    })
}
