//! Lines that follow each other to boards, or to the reason why they are none.

use super::heading::Heading;
use super::line::{Line, TokenKind};
use super::sort::Sort;
use super::{Cells, GridBlock, of_json, rows};
use crate::board::Cell;
use crate::error::{Code, Reject};

/// A line that may be part of a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) part: Part,
    /// The name of a list stands before it: only a first row has one.
    pub(super) is_named: bool,
    /// A blank line stands before it.
    pub(super) is_apart: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) next: u32,
    pub(super) number: u32,
}

/// What it may be of it; see [`Sort`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Row,
    Border,
    RuleOrRow,
    SpaceOrRow,
    Header,
    Number,
    Odd,
}

impl Part {
    pub(super) fn of(sort: Sort) -> Option<Self> {
        Some(match sort {
            Sort::Row => Self::Row,
            Sort::Border => Self::Border,
            Sort::RuleOrRow => Self::RuleOrRow,
            Sort::SpaceOrRow => Self::SpaceOrRow,
            Sort::Header => Self::Header,
            Sort::Number => Self::Number,
            Sort::Odd => Self::Odd,
            Sort::Blank | Sort::Text | Sort::String => return None,
        })
    }

    fn may_be_row(self) -> bool {
        matches!(self, Self::Row | Self::RuleOrRow | Self::SpaceOrRow)
    }

    fn may_be_border(self) -> bool {
        matches!(self, Self::Border | Self::RuleOrRow | Self::SpaceOrRow)
    }
}

impl Item {
    /// The line as a block of its own.
    pub(super) fn block(&self, cells: Result<Cells, Reject>) -> GridBlock {
        block(self, self, cells)
    }
}

fn block(first: &Item, last: &Item, cells: Result<Cells, Reject>) -> GridBlock {
    let (start, end, next) = (first.start as usize, last.end as usize, last.next as usize);
    GridBlock { start, end, next, line: first.number.into(), cells }
}

/// The rows of a paragraph, if there are as few as stand together where blank lines stand inside grids: one or three, and
/// before the first of a grid the names of the columns.
pub(super) fn rows_of_a_part(paragraph: &[Item], is_header: impl Fn(&Item) -> bool) -> Option<usize> {
    let mut rows = paragraph.iter().filter(|item| item.part.may_be_row() || item.part == Part::Header).peekable();
    let names = usize::from(rows.peek().is_some_and(|item| is_header(item)));
    let all = rows.clone().count();
    let sure = rows.filter(|item| !item.part.may_be_border()).count();
    let is_sound = paragraph.iter().all(|item| item.part != Part::Odd);
    [3, 1].into_iter().find(|rows| is_sound && [all, all - names, sure, sure - names.min(sure)].contains(rows))
}

/// Blocks, and lines that are no part of any.
#[derive(Debug, Default)]
pub(super) struct FoundBlocks {
    pub(super) blocks: Vec<GridBlock>,
    pub(super) lines_of_text: u64,
}

/// How the grids of a block are written: rows of text to a grid, names of columns among them.
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
    // Three lines a row, with a place for each candidate.
    Pattern { header: 0, rows: 27, footer: 0 },
];

/// Boards with the index of their first and last row's line.
type Boards = Vec<(usize, usize, Cells)>;

/// Reads blocks out of lines.
pub(super) struct Reader<'r> {
    pub(super) text: &'r [u8],
    pub(super) lines: &'r mut Vec<Line>,
}

impl Reader<'_> {
    /// The blocks of lines between which no text stands.
    pub(super) fn blocks(&mut self, items: &[Item], heading: Option<&Heading>) -> FoundBlocks {
        let mut found = FoundBlocks::default();
        // A number above rows is their title, and ends what is above it.
        let is_title = |at: usize| {
            items[at].part == Part::Number
                && items.get(at + 1).is_some_and(|next| !matches!(next.part, Part::Number | Part::Odd))
        };
        let titles: Vec<usize> = (0..items.len()).filter(|&at| is_title(at)).collect();
        let mut start = 0;
        for end in titles.into_iter().chain([items.len()]) {
            self.between_titles(&items[start..end], heading.filter(|_| start == 0), &mut found);
            start = end;
        }
        found
    }

    /// Lines that begin with their title, if they have one.
    fn between_titles(&mut self, items: &[Item], heading: Option<&Heading>, found: &mut FoundBlocks) {
        let titles = items.iter().take_while(|item| item.part == Part::Number).count();
        found.lines_of_text += titles as u64;
        let items = &items[titles..];
        let says_nothing = |item: &Item| item.part.may_be_border() || item.part == Part::Header;
        if items.iter().all(says_nothing) {
            found.lines_of_text += items.len() as u64;
            return;
        }
        let fault = match self.boards(items, heading) {
            Ok(boards) => return found.blocks.extend(spans(items, &boards)),
            Err(fault) => fault,
        };
        // Where one grid's border follows another's, what is wrong with one is not wrong with the other.
        let is_border = |at: usize| items[at].part == Part::Border;
        let mut starts = vec![0];
        starts.extend((2..items.len() - 1).filter(|&at| is_border(at - 1) && is_border(at)));
        starts.push(items.len());
        if starts.len() == 2 {
            let (first, last) = (&items[0], &items[items.len() - 1]);
            let reject = Reject { message: format!("not a grid of 9 rows of 9 cells: {}", fault.message), ..fault };
            found.blocks.push(block(first, last, Err(reject)));
            return;
        }
        for part in starts.windows(2) {
            self.between_titles(&items[part[0]..part[1]], heading.filter(|_| part[0] == 0), found);
        }
    }

    /// The boards of lines that are nothing else.
    fn boards(&mut self, items: &[Item], heading: Option<&Heading>) -> Result<Boards, Reject> {
        if let Some(odd) = items.iter().find(|item| matches!(item.part, Part::Odd | Part::Number)) {
            return Err(self.oddity(odd));
        }
        let mut all: Vec<Boards> = Vec::new();
        let mut fault = None;
        let has_both = items.iter().any(|item| matches!(item.part, Part::RuleOrRow | Part::SpaceOrRow));
        for empty_rows in [false, true].into_iter().take(1 + usize::from(has_both)) {
            let is_row = |item: &Item| {
                item.part == Part::Header || item.part.may_be_row() && (empty_rows || !item.part.may_be_border())
            };
            let rows = (0..items.len()).filter(|&at| is_row(&items[at])).collect();
            let taken = Taken { items, rows, empty_rows };
            if empty_rows && taken.may_be_rules() {
                continue;
            }
            for pattern in PATTERNS {
                match self.in_pattern(&taken, pattern) {
                    Some(Ok(boards)) if !all.contains(&boards) => all.push(boards),
                    Some(Err(reject)) => _ = fault.get_or_insert(reject),
                    _ => {}
                }
            }
        }
        match (all.pop(), all.is_empty()) {
            (Some(boards), true) => as_headed(boards, heading),
            (Some(_), false) => Err(rows::ambiguous("its lines can be grids in two ways")),
            (None, _) => Err(fault.unwrap_or_else(|| miscounted(items))),
        }
    }

    /// The boards of rows that are grids in a pattern; none if there are not as many as it takes.
    fn in_pattern(&mut self, taken: &Taken, pattern: Pattern) -> Option<Result<Boards, Reject>> {
        let Pattern { header, rows: many, footer } = pattern;
        let Taken { items, rows, .. } = taken;
        let size = header + many + footer;
        if rows.is_empty() || !rows.len().is_multiple_of(size) {
            return None;
        }
        let mut boards = Boards::with_capacity(rows.len() / size);
        for grid in rows.chunks_exact(size) {
            let (names, cells) = (&[&grid[..header], &grid[header + many..]].concat(), &grid[header..header + many]);
            if !names.iter().all(|&at| self.is_header(&items[at])) {
                return None;
            }
            if cells.iter().any(|&at| items[at].part == Part::Header) {
                return None;
            }
            match self.grid(taken, cells)? {
                Ok(board) => boards.push((grid[0], grid[size - 1], board)),
                Err(reject) => return Some(Err(reject)),
            }
        }
        Some(Ok(boards))
    }

    /// The board of nine rows, or of three times as many; none if it is no matter of these rows.
    fn grid(&mut self, taken: &Taken, rows: &[usize]) -> Option<Result<Cells, Reject>> {
        let items = taken.items;
        let line = |at: usize| items[at].number + 1;
        let gaps = Gaps::between(items, rows);
        self.lines.resize_with(self.lines.len().max(rows.len()), Line::default);
        for (line, &at) in self.lines.iter_mut().zip(rows) {
            line.read(&self.text[items[at].start as usize..items[at].end as usize]);
        }
        if rows.len() == 27 {
            return (gaps == Gaps::Thirds).then(|| rows::tall_board(&self.lines[..27])).flatten().map(Ok);
        }
        if let Gaps::After(row) = gaps {
            let words = format!(
                "there is a border or blank line after row {} (line {}); these may only follow rows 3 and 6, or every row",
                row + 1,
                line(rows[row])
            );
            return Some(Err(Reject::whole(Code::Length, words)));
        }
        if let Some(named) = rows[1..].iter().find(|&&at| items[at].is_named) {
            let words = format!("line {} begins with a name, which only a first row may do", line(*named));
            return Some(Err(Reject::whole(Code::Length, words)));
        }
        let is_framed = rows[0].checked_sub(1).is_some_and(|above| items[above].part.may_be_border());
        Some(match rows::board(&self.lines[..9], is_framed) {
            Ok((cells, sign)) => taken.doubt(rows, &cells, sign, gaps).map_or(Ok(cells), Err),
            Err(reject) => Err(match rows::odd_one_out(&self.lines[..9]) {
                Some(row) if reject.code == Code::Length => {
                    Reject { message: format!("line {} is not written like the others", line(rows[row])), ..reject }
                }
                _ => {
                    let message = format!("{} (lines {} to {})", reject.message, line(rows[0]), line(rows[8]));
                    Reject { message, ..reject }
                }
            }),
        })
    }

    fn is_header(&mut self, item: &Item) -> bool {
        let mut line = Line::default();
        line.read(&self.text[item.start as usize..item.end as usize]);
        rows::is_header(&line)
    }

    /// What is wrong with a line that is no row.
    fn oddity(&mut self, item: &Item) -> Reject {
        let mut line = Line::default();
        line.read(&self.text[item.start as usize..item.end as usize]);
        let has_words = super::glyphs::has_word(&line.glyphs.bytes);
        let number = item.number + 1;
        let (code, words) = match line.cells() {
            _ if line.glyphs.is_strange => (Code::Digit, "has unknown escape sequences, such as colours".to_string()),
            _ if line.tokens.iter().all(|token| token.kind != TokenKind::Word) => {
                (Code::Length, "is a border that does not go around boxes".to_string())
            }
            _ if has_words => {
                let json = of_json(&self.text[item.start as usize..item.end as usize]);
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

/// Where something stands between rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gaps {
    None,
    /// After every third.
    Thirds,
    All,
    /// After this row (from 0), among others, and in no order that grids have.
    After(usize),
}

impl Gaps {
    fn between(items: &[Item], rows: &[usize]) -> Self {
        let is_gap = |pair: &[usize]| pair[1] - pair[0] > 1 || items[pair[1]].is_apart;
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

/// Lines, and those of them that are taken for rows. All that may be borders or rows of empty cells are one or the other.
struct Taken<'i> {
    items: &'i [Item],
    rows: Vec<usize>,
    empty_rows: bool,
}

impl Taken<'_> {
    /// Whether lines that are taken for empty rows could be borders, in a grid that lacks rows then.
    fn may_be_rules(&self) -> bool {
        let others: Vec<usize> = self.rows.iter().copied().filter(|&at| !self.is_rule(at)).collect();
        let looks_like_a_grid = !matches!(Gaps::between(self.items, &others), Gaps::After(_));
        others.len() < self.rows.len() && looks_like_a_grid
    }

    fn is_rule(&self, at: usize) -> bool {
        self.items[at].part == Part::RuleOrRow
    }

    /// What is to be said against lines that were taken for empty rows of a board, or were not.
    fn doubt(&self, rows: &[usize], cells: &Cells, sign: Option<u8>, gaps: Gaps) -> Option<Reject> {
        if !self.empty_rows {
            // Up to the rows of the grids above and below.
            let is_other = |item: &Item| !item.part.may_be_border();
            let above = self.items[..rows[0]].iter().rposition(is_other).unwrap_or(0);
            let last = rows[rows.len() - 1];
            let below =
                self.items[last + 1..].iter().position(is_other).map_or(self.items.len(), |rows| last + 1 + rows);
            let left_out = (above..below).find(|&at| self.may_be_left_out(at, sign, gaps));
            return left_out.map(|at| may_be_border(&self.items[at]));
        }
        // Where no other row has an empty cell, nothing says that these lines are made of the sign for one.
        let is_known = (0..81).any(|cell| cells[cell] == Cell::Empty && !self.is_rule(rows[cell / 9]));
        let rule = rows.iter().find(|&&at| self.is_rule(at)).filter(|_| !is_known);
        rule.map(|&at| may_be_border(&self.items[at]))
    }

    /// Whether a line that is taken for a border may be a row of a grid whose sign for empty cells it is made of. Borders between
    /// boxes are known by their places, where they stand alone.
    fn may_be_left_out(&self, at: usize, sign: Option<u8>, gaps: Gaps) -> bool {
        let item = |at: Option<usize>| at.and_then(|at| self.items.get(at));
        let is_border = |at: Option<usize>| item(at).is_some_and(|item| item.part.may_be_border());
        let is_apart = |at: usize| item(Some(at)).is_some_and(|item| item.is_apart);
        match (self.items[at].part, sign) {
            (Part::SpaceOrRow, Some(b' ')) => true,
            (Part::RuleOrRow, Some(b'-' | b'_' | b'*')) => {
                let stands_alone = !is_border(at.checked_sub(1)) && !is_border(Some(at + 1));
                gaps == Gaps::None || !stands_alone || is_apart(at) || is_apart(at + 1)
            }
            _ => false,
        }
    }
}

fn may_be_border(item: &Item) -> Reject {
    rows::ambiguous(&format!("line {} may be a border or a row of empty cells", item.number + 1))
}

/// How many rows there are, where they are not as many as grids have.
fn miscounted(items: &[Item]) -> Reject {
    let rows = items.iter().filter(|item| item.part == Part::Row).count();
    if let Some(rule) = items.iter().find(|item| item.part == Part::RuleOrRow) {
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

/// Boards, the first as the headline above it says.
fn as_headed(mut boards: Boards, heading: Option<&Heading>) -> Result<Boards, Reject> {
    if let (Some(heading), Some((.., cells))) = (heading, boards.first_mut()) {
        *cells = heading.applied(*cells).map_err(|words| Reject::whole(Code::Digit, words))?;
    }
    Ok(boards)
}

/// The blocks of boards: the border below a grid belongs to it, the next one is above the next grid.
fn spans<'b>(items: &'b [Item], boards: &'b Boards) -> impl Iterator<Item = GridBlock> + 'b {
    let mut start = 0;
    boards.iter().enumerate().map(move |(n, (_, last, cells))| {
        let next = boards.get(n + 1).map_or(items.len(), |(first, ..)| *first);
        let below = (last + 1 < next && !items[last + 1].is_apart).then_some(last + 1);
        let last = if n + 1 == boards.len() { items.len() - 1 } else { below.unwrap_or(*last) };
        let first = std::mem::replace(&mut start, last + 1);
        block(&items[first], &items[last], Ok(*cells))
    })
}
