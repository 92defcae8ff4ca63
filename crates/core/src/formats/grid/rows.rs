//! Reads nine rows as a board. All known readings are tried. The rows are a board if all readings that fit give the
//! same cells, and if the rows have the same series of labels, one layout, one sign for empty cells, and nothing left
//! over.

use super::GridCells;
use super::glyphs::{EMPTY_SIGNS, Glyphs};
use super::line::{Edges, RowLayout, Span, Token, TokenKind, TokenLine};
use crate::board::{Cell, Mask, peers9};
use crate::error::{Code, Reject};

/// Marks that people write beside digits.
const MARKS: &[u8] = b"*#@+^()";
/// Words for an empty cell, as programs print them.
const EMPTY_WORDS: [&[u8]; 7] = [b"null", b"None", b"nil", b"NULL", b"NaN", b"nan", b"NA"];
/// Row labels and column names, in order. (The ninth is J instead of I where I could be taken for 1.)
const LABELS: [&[u8; 9]; 6] = [b"123456789", b"012345678", b"ABCDEFGHI", b"ABCDEFGHJ", b"abcdefghi", b"abcdefghj"];

/// Returns the layouts that need no measuring of columns.
fn fixed_layouts() -> impl Iterator<Item = RowLayout> {
    let edges = || Edges::ALL.into_iter();
    [RowLayout::Words, RowLayout::Compact, RowLayout::Commas]
        .into_iter()
        .chain(edges().map(RowLayout::Tabs))
        .chain(edges().map(RowLayout::Bars))
}

/// Returns the layouts in fixed columns that tokens may have: three cells in each box, about as far apart as from the
/// bars.
fn column_layouts<'l>(line: &'l TokenLine, tokens: &'l [Token]) -> impl Iterator<Item = RowLayout> + 'l {
    let geometries = Edges::ALL.into_iter().filter_map(|edges| Some((edges, line.box_geometry(tokens, edges)?)));
    geometries.filter(|(_, geometry)| (3..=15).contains(&geometry.width)).flat_map(|(edges, geometry)| {
        let steps = (1..=7).flat_map(|step| (0..=step).map(move |start| (start, step)));
        let fit = steps.filter(move |(start, step)| {
            let last = start + 2 * step;
            last < geometry.width && geometry.width - 1 - last <= *step
        });
        fit.map(move |(start, step)| RowLayout::Columns { edges, geometry, start, step })
    })
}

/// What is written in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellText {
    /// Nothing, and the sign that says so.
    Empty(u8),
    Digit {
        digit: u8,
        is_solved: bool,
    },
    Candidates(Mask),
}

/// Reads the text of a cell. None if a cell cannot have this text in this layout.
fn read_cell(glyphs: &Glyphs, span: Span, layout: RowLayout) -> Option<CellText> {
    let word = span.of(glyphs);
    match (word, layout) {
        ([], _) => Some(CellText::Empty(b' ')),
        ([sign], _) if EMPTY_SIGNS.contains(sign) => Some(CellText::Empty(*sign)),
        ([digit @ b'1'..=b'9'], _) => {
            Some(CellText::Digit { digit: digit - b'0', is_solved: glyphs.is_solved(span.start) })
        }
        // `|_5_|___|`: the underscores draw the line below a cell.
        ([b'_', inner @ .., b'_'], RowLayout::Bars(_)) => match inner {
            [digit @ b'1'..=b'9'] => Some(CellText::Digit { digit: digit - b'0', is_solved: false }),
            _ => inner.iter().all(|sign| *sign == b'_').then_some(CellText::Empty(b'_')),
        },
        (_, RowLayout::Compact | RowLayout::Columns { .. }) => None,
        _ if EMPTY_WORDS.contains(&word) => Some(CellText::Empty(b'n')),
        // A printed array of floating-point numbers: `5.` or `5.0`.
        ([digit @ b'0'..=b'9', b'.'] | [digit @ b'0'..=b'9', b'.', b'0'], _) => Some(match digit {
            b'0' => CellText::Empty(b'0'),
            _ => CellText::Digit { digit: digit - b'0', is_solved: false },
        }),
        // A placed digit.
        ([b'+', digit @ b'1'..=b'9'], _) => Some(CellText::Digit { digit: digit - b'0', is_solved: true }),
        // A number of several digits in a list may be a mask or anything else.
        (_, RowLayout::Commas) => None,
        _ => read_marked_cell(word),
    }
}

/// Reads a digit, or candidates in ascending order, with marks around them. `u5`, `+5` and `5'` are solved digits.
fn read_marked_cell(word: &[u8]) -> Option<CellText> {
    let solved = word.strip_prefix(b"u").or(word.strip_suffix(b"'"));
    let word = solved.unwrap_or(word);
    let first = word.iter().position(|byte| !MARKS.contains(byte))?;
    let last = word.iter().rposition(|byte| !MARKS.contains(byte))?;
    let digits = &word[first..=last];
    let is_solved = solved.is_some() || word[..first].contains(&b'+');
    let ascend = digits.iter().all(|digit| (b'1'..=b'9').contains(digit)) && digits.is_sorted_by(|a, b| a < b);
    match digits {
        _ if !ascend => None,
        [digit] => Some(CellText::Digit { digit: digit - b'0', is_solved }),
        _ if solved.is_some() => None,
        _ => Some(CellText::Candidates(digits.iter().fold(0, |set, digit| set | 1 << (digit - b'1')))),
    }
}

/// Whether a line may be a row: with or without labels, it has nine cells in some layout.
pub(super) fn is_row(line: &TokenLine) -> bool {
    [LabelSides::NONE, LabelSides::LEFT, LabelSides::RIGHT, LabelSides::BOTH].into_iter().any(|sides| {
        let label = |label: &[u8]| (0..9).any(|row| LABELS.iter().any(|labels| is_label(label, labels, row)));
        without_labels(line, sides, label).is_some_and(|tokens| has_nine_cells(line, tokens))
    })
}

/// Whether these tokens of a line are nine cells in some layout.
pub(super) fn has_nine_cells(line: &TokenLine, tokens: &[Token]) -> bool {
    let fits = |layout| {
        let spans = line.cell_spans(tokens, layout);
        spans.is_some_and(|spans| spans.iter().all(|&span| read_cell(&line.glyphs, span, layout).is_some()))
    };
    fixed_layouts().chain(column_layouts(line, tokens)).any(fits)
        || Edges::ALL.into_iter().any(|edges| may_be_tall_row(line, edges))
}

/// Whether a line consists of the names of nine columns.
pub(super) fn is_header(line: &TokenLine) -> bool {
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

/// On which sides rows have labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LabelSides {
    left: bool,
    right: bool,
}

impl LabelSides {
    const NONE: Self = Self { left: false, right: false };
    const LEFT: Self = Self { left: true, right: false };
    const RIGHT: Self = Self { left: false, right: true };
    const BOTH: Self = Self { left: true, right: true };
}

/// Whether a word is the label of a row (counted from 0): `A`, `a:`, `3.`, `(3)`, `r3`, `R3:`.
fn is_label(word: &[u8], labels: &[u8; 9], row: usize) -> bool {
    let is_punctuation = |byte: &u8| b"():.".contains(byte);
    let start = word.iter().position(|byte| !is_punctuation(byte)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| !is_punctuation(byte)).map_or(start, |last| last + 1);
    match &word[start..end] {
        [label] | [b'r' | b'R', label @ b'0'..=b'9'] => *label == labels[row],
        _ => false,
    }
}

/// Returns the tokens of a row without its labels, or none if the row does not have labels on these sides.
fn without_labels(line: &TokenLine, sides: LabelSides, is_label: impl Fn(&[u8]) -> bool) -> Option<&[Token]> {
    let mut tokens = &line.tokens[..];
    let is_separator = |token: &Token| matches!(token.kind, TokenKind::Comma | TokenKind::Tab);
    if sides.left {
        let word = |tokens: &[Token]| tokens.iter().position(|token| token.kind == TokenKind::Word);
        let mut at = word(tokens)?;
        if tokens[at].span.of(&line.glyphs).eq_ignore_ascii_case(b"row") {
            at += 1 + word(&tokens[at + 1..])?;
        }
        is_label(tokens[at].span.of(&line.glyphs)).then_some(())?;
        tokens = &tokens[at + 1..];
        let bars = tokens.iter().filter(|token| matches!(token.kind, TokenKind::Bar | TokenKind::HeavyBar)).count();
        // If there is one bar more than around cells or boxes, this is the bar between the label and the cells.
        if tokens.first().is_some_and(is_separator) || bars == 5 || bars == 11 {
            tokens = tokens.split_first().filter(|(first, _)| first.kind != TokenKind::Word)?.1;
        }
    }
    if sides.right {
        let at = tokens.iter().rposition(|token| token.kind == TokenKind::Word)?;
        is_label(tokens[at].span.of(&line.glyphs)).then_some(())?;
        tokens = &tokens[..at];
        tokens = tokens.split_last().filter(|(last, _)| is_separator(last)).map_or(tokens, |(_, rest)| rest);
    }
    Some(tokens)
}

/// A board, and its sign for empty cells, if it has empty cells.
type BoardAndSign = (GridCells, Option<u8>);

/// Reads the board of nine rows. `is_framed` says whether a border is directly above the first row, which then is not a
/// header.
///
/// # Errors
/// Something has no meaning in a row, or the rows can be read in two ways.
pub(super) fn read_board(rows: &[TokenLine], is_framed: bool) -> Result<BoardAndSign, Reject> {
    let mut found: Option<(BoardAndSign, LabelSides, RowLayout)> = None;
    let mut fault = None;
    let mut visit = |tokens: &[&[Token]; 9], layout: RowLayout, sides: LabelSides| {
        match read_in_layout(rows, tokens, layout)? {
            Err(words) => _ = fault.get_or_insert(Reject::whole(Code::Digit, words)),
            Ok(board) => match &found {
                Some((other, ..)) if other.0 != board.0 => return Some(()),
                _ => found = found.or(Some((board, sides, layout))),
            },
        }
        None
    };
    let is_ambiguous = try_readings(rows, &mut visit).is_some();
    match (found, fault) {
        (Some((board, sides, layout)), None) if !is_ambiguous => {
            let ambiguity =
                if sides == LabelSides::NONE { label_ambiguity(&board.0, rows, layout, is_framed) } else { None };
            ambiguity.map_or(Ok(board), Err)
        }
        (Some(_), _) => Err(ambiguous("its cells can be read in two ways")),
        (None, Some(fault)) => Err(fault),
        (None, None) => Err(Reject::whole(Code::Length, "its rows are not all written in the same way")),
    }
}

/// Returns the first of nine rows that is not written like most of them.
pub(super) fn deviating_row(rows: &[TokenLine]) -> Option<usize> {
    let fits = |layout: RowLayout| {
        let fit = |line: &TokenLine| {
            let spans = line.cell_spans(&line.tokens, layout);
            spans.is_some_and(|spans| spans.iter().all(|&span| read_cell(&line.glyphs, span, layout).is_some()))
        };
        rows.iter().map(fit).collect::<Vec<bool>>()
    };
    let most = fixed_layouts().map(fits).max_by_key(|fits| fits.iter().filter(|fit| **fit).count())?;
    most.contains(&true).then(|| most.iter().position(|fit| !fit))?
}

/// Tries all ways to read nine rows, until `visit` returns something.
fn try_readings<T>(
    rows: &[TokenLine],
    visit: &mut impl FnMut(&[&[Token]; 9], RowLayout, LabelSides) -> Option<T>,
) -> Option<T> {
    let all = LABELS
        .iter()
        .flat_map(|labels| [LabelSides::LEFT, LabelSides::RIGHT, LabelSides::BOTH].map(|sides| (sides, *labels)));
    for (sides, labels) in std::iter::once((LabelSides::NONE, LABELS[0])).chain(all) {
        let mut tokens: [&[Token]; 9] = [&[]; 9];
        let all_labelled = rows.iter().zip(&mut tokens).enumerate().all(|(row, (line, tokens))| {
            let found = without_labels(line, sides, |label| is_label(label, labels, row));
            found.map(|found| *tokens = found).is_some()
        });
        if !all_labelled {
            continue;
        }
        if let Some(done) = fixed_layouts().find_map(|layout| visit(&tokens, layout, sides)) {
            return Some(done);
        }
        // A row without empty cells also fits other layouts. They give the same cells.
        let Some(first) = tokens.first() else { continue };
        if let Some(done) = column_layouts(&rows[0], first).find_map(|layout| visit(&tokens, layout, sides)) {
            return Some(done);
        }
    }
    None
}

/// Reads the board of nine rows in one layout, or returns none if they do not have this layout.
fn read_in_layout(
    rows: &[TokenLine],
    tokens: &[&[Token]; 9],
    layout: RowLayout,
) -> Option<Result<BoardAndSign, String>> {
    let mut cells = [CellText::Empty(0); 81];
    for ((line, tokens), cells) in rows.iter().zip(tokens).zip(cells.chunks_exact_mut(9)) {
        let spans = line.cell_spans(tokens, layout)?;
        for (found, span) in cells.iter_mut().zip(spans) {
            *found = read_cell(&line.glyphs, span, layout)?;
        }
    }
    let sign = match empty_sign(&cells) {
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
        // If only the ends of rows have empty cells, text may have been lost there.
        if !is_enclosed && !cells.chunks_exact(9).any(is_inside) {
            return Some(Err("the ends of its rows are empty or missing".into()));
        }
        // If only some rows end with a comma, these rows may lack their last cell.
        let mut commas =
            tokens.iter().map(|tokens| tokens.iter().filter(|token| token.kind == TokenKind::Comma).count());
        let first = commas.next();
        commas.all(|count| Some(count) == first).then_some(())?;
    }
    Some(Ok((to_cells(&cells), sign)))
}

/// Returns the sign that a grid has for empty cells, if it has empty cells.
///
/// # Errors
/// The grid has two signs. They may have two meanings, for example empty and black cells.
fn empty_sign(cells: &[CellText; 81]) -> Result<Option<u8>, String> {
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

/// Reads the board of 81 spans of one line. None if one of them is not a cell.
pub(super) fn read_spans(line: &TokenLine, spans: &[Span], layout: RowLayout) -> Option<Result<GridCells, Reject>> {
    let mut cells = [CellText::Empty(0); 81];
    for (found, span) in cells.iter_mut().zip(spans) {
        *found = read_cell(&line.glyphs, *span, layout)?;
    }
    Some(empty_sign(&cells).map(|_| to_cells(&cells)).map_err(|words| Reject::whole(Code::Digit, words)))
}

/// Converts what is written in the cells. A single digit is a candidate, not a placed digit, if one of its peers still
/// has it as a candidate.
fn to_cells(cells: &[CellText; 81]) -> GridCells {
    let candidates = |at: usize| if let CellText::Candidates(set) = cells[at] { set } else { 0 };
    let has_candidates = (0..81).any(|at| candidates(at) != 0);
    std::array::from_fn(|at| match cells[at] {
        CellText::Empty(_) => Cell::Empty,
        CellText::Candidates(set) => Cell::Candidates(set),
        CellText::Digit { digit, is_solved: true } => Cell::Solved(digit),
        CellText::Digit { digit, .. } => {
            let set = 1 << (digit - 1);
            match has_candidates && peers9(at).any(|other| candidates(other) & set != 0) {
                true => Cell::Candidates(set),
                false => Cell::Clue(digit),
            }
        }
    })
}

/// Rejects nine rows without labels whose first or last row or column is 1 to 9, or 0 to 8, in order: this may be the
/// column names or row labels of only eight rows or columns. A complete solution may also begin like this, and is not
/// rejected.
fn label_ambiguity(board: &GridCells, rows: &[TokenLine], layout: RowLayout, is_framed: bool) -> Option<Reject> {
    let digit = |at: usize| match board[at] {
        Cell::Clue(digit) | Cell::Solved(digit) => digit,
        Cell::Candidates(set) if set.count_ones() == 1 => set.trailing_zeros() as u8 + 1,
        _ => 0,
    };
    let is_order = |at: fn(usize) -> usize| {
        let from = digit(at(0));
        from <= 1 && (0..9).all(|n| digit(at(n)) == from + n as u8)
    };
    let is_solution = || (0..81).all(|at| digit(at) > 0 && peers9(at).all(|other| digit(other) != digit(at)));
    let is_bar = |line: &TokenLine| {
        matches!(line.tokens.first(), Some(Token { kind: TokenKind::Bar | TokenKind::HeavyBar, .. }))
    };
    let is_inside = is_framed && rows.iter().all(is_bar);
    let is_header = !is_inside && is_order(|n| n) || is_order(|n| 72 + n);
    // In a compact layout the first digit is not a word, so it cannot be a label.
    let is_label = layout != RowLayout::Compact && (is_order(|n| 9 * n) || is_order(|n| 9 * n + 8));
    match (is_header, is_label) {
        (false, false) => None,
        _ if is_solution() => None,
        (true, _) => Some(ambiguous("its first or last row may be the names of the columns of eight rows")),
        (_, true) => Some(ambiguous("its first or last column may be the labels of rows of eight cells")),
    }
}

/// Rejects lines that can be read in two ways.
pub(super) fn ambiguous(words: &str) -> Reject {
    Reject::whole(Code::Ambiguous, words)
}

/// Whether a line may be one of the three lines of a row in which each cell has a place for every candidate.
fn may_be_tall_row(line: &TokenLine, edges: Edges) -> bool {
    let may_be_candidates = |token: &Token| match token.span.of(&line.glyphs) {
        [glyph] => glyph.is_ascii_digit() || *glyph == b'.',
        word => read_marked_cell(word).is_some(),
    };
    line.fields(&line.tokens, edges)
        .is_some_and(|fields| fields.iter().all(|field| field.iter().all(may_be_candidates)))
}

/// Reads the board of 27 lines, three for each row, with a place for every candidate. `show` draws boards with
/// candidates so.
pub(super) fn read_tall_board(rows: &[TokenLine]) -> Option<GridCells> {
    let mut boards = Edges::ALL.into_iter().filter_map(|edges| tall_cells(rows, edges));
    let board = boards.next()?;
    boards.all(|other| other == board).then_some(board)
}

/// Reads the cells of 27 lines with bars at these edges.
fn tall_cells(rows: &[TokenLine], edges: Edges) -> Option<GridCells> {
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

/// Reads a cell of three lines: a digit in its middle, or a glyph in each of the nine places.
fn tall_cell(lines: &[TokenLine], fields: [&[Token]; 3]) -> Option<Cell> {
    if let [[], middle, []] = fields {
        let [Token { kind: TokenKind::Word, span }] = middle else {
            return middle.is_empty().then_some(Cell::Empty);
        };
        return match read_cell(&lines[1].glyphs, *span, RowLayout::Words)? {
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
            match token.span.of(&line.glyphs) {
                b"." => {}
                [glyph] if *glyph == b'1' + digit => set |= 1 << digit,
                _ => return None,
            }
        }
    }
    (set > 0).then_some(Cell::Candidates(set))
}
