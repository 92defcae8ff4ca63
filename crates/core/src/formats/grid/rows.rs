//! Nine rows to a board. Every reading that is known is tried, and the rows are a board if those that fit say the same: the
//! same labels, one layout, one sign for empty cells, and nothing left over.

use super::Cells;
use super::glyphs::Glyphs;
use super::line::{Edges, Line, Place, RowLayout, Token, TokenKind};
use crate::board::{Cell, Mask};
use crate::error::{Code, Reject};

/// Signs for an empty cell.
pub(super) const BLANKS: &[u8] = b"0.Xx*_-?";
/// Marks that people put beside digits.
const MARKS: &[u8] = b"*#@+^()";
/// What lists of numbers have for nothing.
const NOTHING: [&[u8]; 4] = [b"null", b"None", b"nil", b"NULL"];
/// Labels of rows and names of columns, in order. (Row I is J where it might be taken for 1.)
const LABELS: [&[u8; 9]; 6] = [b"123456789", b"012345678", b"ABCDEFGHI", b"ABCDEFGHJ", b"abcdefghi", b"abcdefghj"];

/// The layouts whose cells need no measuring.
fn fixed_layouts() -> impl Iterator<Item = RowLayout> {
    let edges = || Edges::ALL.into_iter();
    [RowLayout::Words, RowLayout::Compact, RowLayout::Commas]
        .into_iter()
        .chain(edges().map(RowLayout::Tabs))
        .chain(edges().map(RowLayout::Bars))
}

/// The layouts in columns that tokens may stand in: in each box three cells, about as far from each other as from the edges.
fn column_layouts<'l>(line: &'l Line, tokens: &'l [Token]) -> impl Iterator<Item = RowLayout> + 'l {
    let shapes = Edges::ALL.into_iter().filter_map(|edges| Some((edges, line.shape(tokens, edges)?)));
    shapes.filter(|(_, shape)| (3..=15).contains(&shape.width)).flat_map(|(edges, shape)| {
        let steps = (1..=7).flat_map(|step| (0..=step).map(move |start| (start, step)));
        let fit = steps.filter(move |(start, step)| {
            let last = start + 2 * step;
            last < shape.width && shape.width - 1 - last <= *step
        });
        fit.map(move |(start, step)| RowLayout::Columns { edges, shape, start, step })
    })
}

/// What stands in the place of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellText {
    /// Nothing, and the sign for that.
    Empty(u8),
    Digit {
        digit: u8,
        is_solved: bool,
    },
    Candidates(Mask),
}

fn cell(glyphs: &Glyphs, place: Place, layout: RowLayout) -> Option<CellText> {
    let word = place.of(glyphs);
    match (word, layout) {
        ([], _) => Some(CellText::Empty(b' ')),
        ([sign], _) if BLANKS.contains(sign) => Some(CellText::Empty(*sign)),
        ([digit @ b'1'..=b'9'], _) => {
            Some(CellText::Digit { digit: digit - b'0', is_solved: glyphs.is_solved(place.start) })
        }
        // `|_5_|___|`: the line below a cell.
        ([b'_', inner @ .., b'_'], RowLayout::Bars(_)) => match inner {
            [digit @ b'1'..=b'9'] => Some(CellText::Digit { digit: digit - b'0', is_solved: false }),
            _ => inner.iter().all(|sign| *sign == b'_').then_some(CellText::Empty(b'_')),
        },
        // Numbers of several digits in a list are masks, or anything.
        (_, RowLayout::Commas) => NOTHING.contains(&word).then_some(CellText::Empty(b'n')),
        (_, RowLayout::Compact | RowLayout::Columns { .. }) => None,
        _ => marked(word),
    }
}

/// A digit, or candidates in ascending order, with marks around them: `u5` and `5'` were not given.
fn marked(word: &[u8]) -> Option<CellText> {
    let solved = word.strip_prefix(b"u").or(word.strip_suffix(b"'"));
    let word = solved.unwrap_or(word);
    let first = word.iter().position(|byte| !MARKS.contains(byte))?;
    let last = word.iter().rposition(|byte| !MARKS.contains(byte))?;
    let digits = &word[first..=last];
    let ascend = digits.iter().all(|digit| (b'1'..=b'9').contains(digit)) && digits.is_sorted_by(|a, b| a < b);
    match digits {
        _ if !ascend => None,
        [digit] => Some(CellText::Digit { digit: digit - b'0', is_solved: solved.is_some() }),
        _ if solved.is_some() => None,
        _ => Some(CellText::Candidates(digits.iter().fold(0, |set, digit| set | 1 << (digit - b'1')))),
    }
}

/// Whether a line may be a row: with or without a label it has nine cells in some layout.
pub(super) fn is_row(line: &Line) -> bool {
    [Sides::NONE, Sides::LEFT, Sides::RIGHT, Sides::BOTH].into_iter().any(|sides| {
        let label = |label: &[u8]| (0..9).any(|row| LABELS.iter().any(|labels| is_label(label, labels, row)));
        unlabelled(line, sides, label).is_some_and(|tokens| has_nine_cells(line, tokens))
    })
}

/// Whether these tokens of a line are nine cells in some layout.
pub(super) fn has_nine_cells(line: &Line, tokens: &[Token]) -> bool {
    let fits = |layout| {
        let places = line.places(tokens, layout);
        places.is_some_and(|places| places.iter().all(|&place| cell(&line.glyphs, place, layout).is_some()))
    };
    fixed_layouts().chain(column_layouts(line, tokens)).any(fits)
        || Edges::ALL.into_iter().any(|edges| tall_row(line, edges))
}

/// Whether a line has the names of nine columns.
pub(super) fn is_header(line: &Line) -> bool {
    let mut names = Vec::with_capacity(9);
    for word in line.words() {
        let name = word.strip_prefix(b"c").or(word.strip_prefix(b"C")).filter(|name| !name.is_empty()).unwrap_or(word);
        names.extend_from_slice(name);
        if names.len() > 9 {
            return false;
        }
    }
    LABELS.iter().any(|labels| labels[..] == names)
}

/// On which sides rows are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sides {
    left: bool,
    right: bool,
}

impl Sides {
    const NONE: Self = Self { left: false, right: false };
    const LEFT: Self = Self { left: true, right: false };
    const RIGHT: Self = Self { left: false, right: true };
    const BOTH: Self = Self { left: true, right: true };
}

/// Whether a word is the label of a row (from 0): `A`, `a:`, `3.`, `(3)`, `r3`, `R3:`.
fn is_label(word: &[u8], labels: &[u8; 9], row: usize) -> bool {
    let is_punctuation = |byte: &u8| b"():.".contains(byte);
    let start = word.iter().position(|byte| !is_punctuation(byte)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| !is_punctuation(byte)).map_or(start, |last| last + 1);
    match &word[start..end] {
        [label] | [b'r' | b'R', label @ b'0'..=b'9'] => *label == labels[row],
        _ => false,
    }
}

/// The tokens of a row without its labels; none if it has not these.
fn unlabelled(line: &Line, sides: Sides, is_label: impl Fn(&[u8]) -> bool) -> Option<&[Token]> {
    let mut tokens = &line.tokens[..];
    let is_separator = |token: &Token| matches!(token.kind, TokenKind::Comma | TokenKind::Tab);
    if sides.left {
        let word = |tokens: &[Token]| tokens.iter().position(|token| token.kind == TokenKind::Word);
        let mut at = word(tokens)?;
        if tokens[at].place.of(&line.glyphs).eq_ignore_ascii_case(b"row") {
            at += 1 + word(&tokens[at + 1..])?;
        }
        is_label(tokens[at].place.of(&line.glyphs)).then_some(())?;
        tokens = &tokens[at + 1..];
        let bars = tokens.iter().filter(|token| matches!(token.kind, TokenKind::Bar | TokenKind::Heavy)).count();
        // Where there is one line more than cells or boxes have, it is that between labels and cells.
        if tokens.first().is_some_and(is_separator) || bars == 5 || bars == 11 {
            tokens = tokens.split_first().filter(|(first, _)| first.kind != TokenKind::Word)?.1;
        }
    }
    if sides.right {
        let at = tokens.iter().rposition(|token| token.kind == TokenKind::Word)?;
        is_label(tokens[at].place.of(&line.glyphs)).then_some(())?;
        tokens = &tokens[..at];
        tokens = tokens.split_last().filter(|(last, _)| is_separator(last)).map_or(tokens, |(_, rest)| rest);
    }
    Some(tokens)
}

/// A board, and its sign for empty cells, if it has any.
type ReadRows = (Cells, Option<u8>);

/// The board of nine rows. `is_framed` is whether a border stands right above the first one, so that it is no header.
///
/// # Errors
/// What cannot be accounted for, or that it can be read in two ways.
pub(super) fn board(rows: &[Line], is_framed: bool) -> Result<ReadRows, Reject> {
    let mut found: Option<(ReadRows, Sides, RowLayout)> = None;
    let mut fault = None;
    let mut take = |tokens: &[&[Token]; 9], layout: RowLayout, sides: Sides| {
        match read(rows, tokens, layout)? {
            Err(words) => _ = fault.get_or_insert(Reject::whole(Code::Digit, words)),
            Ok(board) => match &found {
                Some((other, ..)) if other.0 != board.0 => return Some(()),
                _ => found = found.or(Some((board, sides, layout))),
            },
        }
        None
    };
    let is_ambiguous = each_reading(rows, &mut take).is_some();
    match (found, fault) {
        (Some((board, sides, layout)), None) if !is_ambiguous => {
            let doubts = if sides == Sides::NONE { doubts(&board.0, rows, layout, is_framed) } else { None };
            doubts.map_or(Ok(board), Err)
        }
        (Some(_), _) => Err(ambiguous("its cells can be read in two ways")),
        (None, Some(fault)) => Err(fault),
        (None, None) => Err(Reject::whole(Code::Length, "its rows are not all written in the same way")),
    }
}

/// The first of nine rows that is not written like most of them.
pub(super) fn odd_one_out(rows: &[Line]) -> Option<usize> {
    let fits = |layout: RowLayout| {
        let fit = |line: &Line| {
            let places = line.places(&line.tokens, layout);
            places.is_some_and(|places| places.iter().all(|&place| cell(&line.glyphs, place, layout).is_some()))
        };
        rows.iter().map(fit).collect::<Vec<bool>>()
    };
    let most = fixed_layouts().map(fits).max_by_key(|fits| fits.iter().filter(|fit| **fit).count())?;
    most.contains(&true).then(|| most.iter().position(|fit| !fit))?
}

/// Goes through the ways in which nine rows may be read, until `take` has something to return.
fn each_reading<T>(rows: &[Line], take: &mut impl FnMut(&[&[Token]; 9], RowLayout, Sides) -> Option<T>) -> Option<T> {
    let all = LABELS.iter().flat_map(|labels| [Sides::LEFT, Sides::RIGHT, Sides::BOTH].map(|sides| (sides, *labels)));
    for (sides, labels) in std::iter::once((Sides::NONE, LABELS[0])).chain(all) {
        let mut tokens: [&[Token]; 9] = [&[]; 9];
        let all_labelled = rows.iter().zip(&mut tokens).enumerate().all(|(row, (line, tokens))| {
            let found = unlabelled(line, sides, |label| is_label(label, labels, row));
            found.map(|found| *tokens = found).is_some()
        });
        if !all_labelled {
            continue;
        }
        if let Some(done) = fixed_layouts().find_map(|layout| take(&tokens, layout, sides)) {
            return Some(done);
        }
        // A row that is full stands in other layouts too, where it has the same cells.
        let Some(first) = tokens.first() else { continue };
        if let Some(done) = column_layouts(&rows[0], first).find_map(|layout| take(&tokens, layout, sides)) {
            return Some(done);
        }
    }
    None
}

/// The board of nine rows in a layout; none if they do not stand in it.
fn read(rows: &[Line], tokens: &[&[Token]; 9], layout: RowLayout) -> Option<Result<ReadRows, String>> {
    let mut cells = [CellText::Empty(0); 81];
    for ((line, tokens), cells) in rows.iter().zip(tokens).zip(cells.chunks_exact_mut(9)) {
        let places = line.places(tokens, layout)?;
        for (found, place) in cells.iter_mut().zip(places) {
            *found = cell(&line.glyphs, place, layout)?;
        }
    }
    let sign = match one_sign(&cells) {
        Ok(sign) => sign,
        Err(words) => return Some(Err(words)),
    };
    if sign == Some(b' ') {
        let is_empty = |found: &CellText| *found == CellText::Empty(b' ');
        let is_inside = |row: &[CellText]| {
            let first = row.iter().position(|found| !is_empty(found));
            let last = row.iter().rposition(|found| !is_empty(found));
            first.zip(last).is_some_and(|(first, last)| row[first..last].iter().any(is_empty))
        };
        let is_enclosed = match layout {
            RowLayout::Bars(edges) | RowLayout::Tabs(edges) | RowLayout::Columns { edges, .. } => {
                edges.left && edges.right
            }
            RowLayout::Words | RowLayout::Compact | RowLayout::Commas => false,
        };
        // Nothing but spaces at the ends of rows: what stood there may be lost.
        if !is_enclosed && !cells.chunks_exact(9).any(is_inside) {
            return Some(Err("the ends of its rows are empty or missing".into()));
        }
        // A comma at the end of some rows only: these may lack their last cell instead.
        let mut commas =
            tokens.iter().map(|tokens| tokens.iter().filter(|token| token.kind == TokenKind::Comma).count());
        let first = commas.next();
        commas.all(|count| Some(count) == first).then_some(())?;
    }
    Some(Ok((placed(&cells), sign)))
}

/// The sign that a grid has for empty cells, if it has any.
///
/// # Errors
/// It has two: they may have two meanings, like those of black cells.
fn one_sign(cells: &[CellText; 81]) -> Result<Option<u8>, String> {
    let mut signs = cells.iter().filter_map(|found| if let CellText::Empty(sign) = found { Some(*sign) } else { None });
    let sign = signs.next();
    let Some(other) = signs.find(|&other| Some(other) != sign) else { return Ok(sign) };
    let [sign, other] = [sign.unwrap_or(b' '), other].map(|sign| match sign {
        b' ' => "nothing".to_string(),
        b'n' => "a word".to_string(),
        sign => format!("'{}'", char::from(sign)),
    });
    Err(format!("it has two signs for empty cells, {sign} and {other}"))
}

/// The board of 81 places of one line; none if something else stands in one of them.
pub(super) fn board_of(line: &Line, places: &[Place], layout: RowLayout) -> Option<Result<Cells, Reject>> {
    let mut cells = [CellText::Empty(0); 81];
    for (found, place) in cells.iter_mut().zip(places) {
        *found = cell(&line.glyphs, *place, layout)?;
    }
    Some(one_sign(&cells).map(|_| placed(&cells)).map_err(|words| Reject::whole(Code::Digit, words)))
}

/// What stands in the cells, where a digit alone among candidates is one if a cell that it sees has it still: it was not placed.
fn placed(cells: &[CellText; 81]) -> Cells {
    let candidates = |at: usize| if let CellText::Candidates(set) = cells[at] { set } else { 0 };
    std::array::from_fn(|at| match cells[at] {
        CellText::Empty(_) => Cell::Empty,
        CellText::Candidates(set) => Cell::Candidates(set),
        CellText::Digit { digit, is_solved: true } => Cell::Solved(digit),
        CellText::Digit { digit, .. } => {
            let set = 1 << (digit - 1);
            match seen(at).any(|other| candidates(other) & set != 0) {
                true => Cell::Candidates(set),
                false => Cell::Clue(digit),
            }
        }
    })
}

/// What nine rows without labels may be instead of a board: a first row or column in the order of names is one of eight rows or
/// columns, where it is not part of a whole solution.
fn doubts(board: &Cells, rows: &[Line], layout: RowLayout, is_framed: bool) -> Option<Reject> {
    let digit = |at: usize| match board[at] {
        Cell::Clue(digit) | Cell::Solved(digit) => digit,
        Cell::Candidates(set) if set.count_ones() == 1 => set.trailing_zeros() as u8 + 1,
        _ => 0,
    };
    let is_order = |at: fn(usize) -> usize| {
        let from = digit(at(0));
        from <= 1 && (0..9).all(|n| digit(at(n)) == from + n as u8)
    };
    let is_solution = || (0..81).all(|at| digit(at) > 0 && seen(at).all(|other| digit(other) != digit(at)));
    let is_bar =
        |line: &Line| matches!(line.tokens.first(), Some(Token { kind: TokenKind::Bar | TokenKind::Heavy, .. }));
    let is_inside = is_framed && rows.iter().all(is_bar);
    let is_header = !is_inside && is_order(|n| n) || is_order(|n| 72 + n);
    // A label is a word of its own.
    let is_label = layout != RowLayout::Compact && (is_order(|n| 9 * n) || is_order(|n| 9 * n + 8));
    match (is_header, is_label) {
        (false, false) => None,
        _ if is_solution() => None,
        (true, _) => Some(ambiguous("its first or last row may be the names of the columns of eight rows")),
        (_, true) => Some(ambiguous("its first or last column may be the labels of rows of eight cells")),
    }
}

/// A refusal of what can be two things.
pub(super) fn ambiguous(words: &str) -> Reject {
    Reject::whole(Code::Ambiguous, words)
}

/// Whether a line is one of the three that make a row of cells with room for each candidate.
fn tall_row(line: &Line, edges: Edges) -> bool {
    let is_one = |token: &Token| match token.place.of(&line.glyphs) {
        [sign] => sign.is_ascii_digit() || *sign == b'.',
        word => marked(word).is_some(),
    };
    line.fields(&line.tokens, edges).is_some_and(|fields| fields.iter().all(|field| field.iter().all(is_one)))
}

/// The board of 27 rows, three lines each with a place for every candidate: as `show` draws boards that have some.
pub(super) fn tall_board(rows: &[Line]) -> Option<Cells> {
    let mut boards = Edges::ALL.into_iter().filter_map(|edges| tall_cells(rows, edges));
    let board = boards.next()?;
    boards.all(|other| other == board).then_some(board)
}

fn tall_cells(rows: &[Line], edges: Edges) -> Option<Cells> {
    let mut board = [Cell::Empty; 81];
    for (row, lines) in rows.chunks_exact(3).enumerate() {
        let [above, middle, below] = lines else { return None };
        let fields = [above, middle, below].map(|line| line.fields(&line.tokens, edges));
        let [Some(above), Some(middle), Some(below)] = fields else { return None };
        for column in 0..9 {
            board[9 * row + column] = tall_cell(lines, [above[column], middle[column], below[column]])?;
        }
    }
    Some(board)
}

/// A cell of three lines: a digit in its middle, or a sign in each of nine places.
fn tall_cell(lines: &[Line], fields: [&[Token]; 3]) -> Option<Cell> {
    if let [[], middle, []] = fields {
        let [Token { kind: TokenKind::Word, place }] = middle else {
            return middle.is_empty().then_some(Cell::Empty);
        };
        return match cell(&lines[1].glyphs, *place, RowLayout::Words)? {
            CellText::Digit { digit, is_solved: false } => Some(Cell::Clue(digit)),
            CellText::Digit { digit, is_solved: true } => Some(Cell::Solved(digit)),
            _ => None,
        };
    }
    let mut set = 0;
    for (row, (line, field)) in lines.iter().zip(fields).enumerate() {
        let [_, _, _] = field else { return None };
        for (column, token) in field.iter().enumerate() {
            let digit = (3 * row + column) as u8;
            match token.place.of(&line.glyphs) {
                b"." => {}
                [sign] if *sign == b'1' + digit => set |= 1 << digit,
                _ => return None,
            }
        }
    }
    (set > 0).then_some(Cell::Candidates(set))
}

/// The other cells of a cell's row, column and box.
pub(super) fn seen(at: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (at / 9, at % 9);
    (0..81).filter(move |&other| {
        let (r, c) = (other / 9, other % 9);
        other != at && (r == row || c == column || r / 3 == row / 3 && c / 3 == column / 3)
    })
}
