//! Lines that look like cells of a map, whatever their signs are and whatever else is in them. In a map, most cells have the same sign
//! beside them; in words, numbers and rows of a sudoku, few have.

use super::glyphs::{Glyphs, is_border_glyph};
use super::joints;
use super::labels::{Label, label};

/// No more bytes of a line are looked at.
const LONGEST_LOOK: usize = 4 << 10;
/// The most characters of the label of a row.
const LONGEST_LABEL: usize = 24;
/// The fewest cells of a row.
const FEWEST_CELLS: usize = 4;
/// A word of fewer characters is not a row of its own beside others.
const FEWEST_OF_WORD: usize = 6;
/// The cells of a row that shows what it is by itself: the side of most puzzles. Of other lengths are too many words, dates and numbers
/// of letters (`DD/MM/YYYY`, `MMXXIII`).
const CELLS_ALONE: usize = 9;
/// The fewest cells of a map on one line.
const FEWEST_OF_MAP: usize = 30;
/// The fewest rows of a map that show what it is by themselves.
const FEWEST_ROWS: usize = 3;
/// The fewest equal rows of a map whose pieces are columns.
const FEWEST_EQUAL: usize = 6;
/// In a map, at least this many of ten cells have a neighbour with the same sign, and
const TENTHS: usize = 6;
/// at least this many of ten have one beside them.
const TENTHS_BESIDE: usize = 3;
/// Rows of a map may differ in this many cells.
const MOST_WRONG: usize = 2;
/// Marks of ratings, which are in rows of the same sign.
const STARS: &str = "★☆⭐✰✩✪✫✭✮✯";

/// What a line is, if nothing has read it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Look<'t> {
    /// Blank, or a border.
    Gap,
    /// The name of a map, with its first row if that is on the same line.
    Label(Option<SignRow<'t>>),
    Row(SignRow<'t>),
    Words,
}

/// The cells that a line may have.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SignRow<'t> {
    signs: Vec<&'t str>,
    /// How many have the same sign beside them.
    paired: usize,
    are_digits: bool,
    /// Whether there is nothing else in the line.
    is_alone: bool,
}

/// Finds the first of some lines that looks like a row of a map.
pub(super) fn first_of_map(lines: &[&[u8]]) -> Option<usize> {
    let texts: Vec<&str> = lines.iter().map(|line| valid_part(line)).collect();
    let looks: Vec<Look> = texts.iter().map(|text| look(text)).collect();
    let mut rows: Vec<(usize, &SignRow)> = Vec::new();
    let mut is_labelled = false;
    let mut first = None;
    for (at, look) in looks.iter().enumerate() {
        let row = match look {
            Look::Gap => continue,
            Look::Label(None) => {
                is_labelled = true;
                None
            }
            Look::Label(Some(row)) => {
                is_labelled = true;
                Some(row)
            }
            Look::Row(row) => Some(row),
            Look::Words => None,
        };
        if let Some(row) = row {
            if std::mem::take(&mut is_labelled) && row.may_be_labelled() {
                first = first.or(Some(at));
            }
            rows.push((at, row));
            continue;
        }
        is_labelled &= matches!(look, Look::Label(_));
        first = first.or_else(|| first_of_rows(&std::mem::take(&mut rows)));
        rows.clear();
        if first.is_some() {
            return first;
        }
    }
    first.or_else(|| first_of_rows(&rows))
}

/// Finds the first row of a map among rows that follow each other.
fn first_of_rows<'t>(rows: &[(usize, &'t SignRow<'t>)]) -> Option<usize> {
    let is_near = |one: &SignRow, two: &SignRow| one.signs.len().abs_diff(two.signs.len()) <= MOST_WRONG;
    let mut equal = rows.chunk_by(|(_, one), (_, two)| one.signs == two.signs);
    let are_columns = |rows: &&[(usize, &SignRow)]| {
        let width = rows[0].1.signs.len();
        rows.len() >= FEWEST_EQUAL && rows[0].1.is_alone && width.abs_diff(rows.len()) <= MOST_WRONG
    };
    if let Some(rows) = equal.find(are_columns) {
        return Some(rows[0].0);
    }
    let mut start = 0;
    while start < rows.len() {
        if !rows[start].1.is_paired() {
            start += 1;
            continue;
        }
        let goes_on = |at: &usize| rows[*at].1.is_paired() || is_near(rows[*at].1, rows[*at - 1].1);
        let mut end = (start + 1..rows.len()).take_while(goes_on).last().unwrap_or(start) + 1;
        let next = end;
        while !rows[end - 1].1.is_paired() {
            end -= 1;
        }
        let signs = |rows: &[(usize, &'t SignRow<'t>)]| -> Vec<&SignRow> { rows.iter().map(|(_, row)| *row).collect() };
        if are_of_map(&signs(&rows[start..end])) {
            return Some(rows[start].0);
        }
        // A title above the rows may look like one of them.
        let mut even = rows[start..end].chunk_by(|(_, one), (_, two)| is_near(one, two));
        if let Some(rows) = even.find(|rows| are_of_map(&signs(rows))) {
            return Some(rows[0].0);
        }
        start = next;
    }
    None
}

/// Whether rows are rather what is left of a map than words.
fn are_of_map(rows: &[&SignRow]) -> bool {
    let alone = |row: &&SignRow| row.is_of_map_alone() || row.signs.len() >= FEWEST_OF_MAP && row.is_map();
    rows.iter().any(alone) || rows.len() >= FEWEST_ROWS && Neighbourhood::of(rows).is_of_map(rows)
}

/// How the cells of rows are to those beside them.
#[derive(Debug, Default)]
struct Neighbourhood<'t> {
    cells: usize,
    /// How many have the same sign beside them.
    beside: usize,
    /// How many have it beside, above or below them.
    near: usize,
    /// The signs, each with the number of its cells.
    signs: Vec<(&'t str, usize)>,
    /// The signs that stand beside themselves.
    paired: Vec<&'t str>,
}

impl<'t> Neighbourhood<'t> {
    fn of(rows: &[&SignRow<'t>]) -> Self {
        let mut found = Self::default();
        for sign in rows.iter().flat_map(|row| &row.signs) {
            match found.signs.iter_mut().find(|(known, _)| known == sign) {
                Some((_, count)) => *count += 1,
                None => found.signs.push((sign, 1)),
            }
        }
        for (at, row) in rows.iter().enumerate() {
            let others = [at.checked_sub(1), Some(at + 1)].map(|at| at.and_then(|at| rows.get(at)));
            for (cell, sign) in row.signs.iter().enumerate() {
                if !found.is_mask() && is_empty(sign) {
                    continue;
                }
                let is_beside = row.is_beside(cell);
                let is_same = others.iter().flatten().any(|other| other.signs.get(cell) == Some(sign));
                found.cells += 1;
                found.beside += usize::from(is_beside);
                found.near += usize::from(is_beside || is_same);
                if is_beside && !found.paired.contains(sign) {
                    found.paired.push(sign);
                }
            }
        }
        found
    }

    /// Whether there are only two signs.
    fn is_mask(&self) -> bool {
        self.signs.len() == 2
    }

    fn is_of_map(&self, rows: &[&SignRow]) -> bool {
        let &Self { cells, beside, near, .. } = self;
        let is_near = near * 10 >= cells * TENTHS && beside * 10 >= cells * TENTHS_BESIDE;
        if self.is_mask() {
            let fewest = self.signs.iter().map(|(_, count)| *count).min().unwrap_or(0);
            let has_runs = rows.iter().any(|row| row.signs.chunk_by(|one, two| one == two).count() >= 3);
            return is_near && has_runs && fewest * 9 >= cells;
        }
        // Of a word that is written several times, few letters stand beside themselves.
        let is_word = rows.iter().all(|row| row.signs == rows[0].signs) && beside * 4 < cells * 3;
        // In a long row, several signs do.
        let is_row = |row: &&SignRow| row.signs.len() < FEWEST_OF_WORD || row.count_signs().1 >= 2;
        let has_several = self.paired.len() >= 2 && rows.iter().any(is_row);
        is_near && cells >= FEWEST_ROWS * FEWEST_CELLS && has_several && !is_word
    }
}

impl<'t> SignRow<'t> {
    fn new(signs: Vec<&'t str>) -> Self {
        let mut row = Self { signs, paired: 0, are_digits: false, is_alone: false };
        row.paired = (0..row.signs.len()).filter(|&cell| !is_empty(row.signs[cell]) && row.is_beside(cell)).count();
        row
    }

    fn is_beside(&self, cell: usize) -> bool {
        let is_same = |other: usize| self.signs.get(other) == Some(&self.signs[cell]);
        cell.checked_sub(1).is_some_and(is_same) || is_same(cell + 1)
    }

    /// Whether it has only one sign, which is no letter.
    fn is_rule(&self) -> bool {
        self.signs.iter().all(|sign| *sign == self.signs[0]) && !self.signs[0].contains(char::is_alphanumeric)
    }

    /// Whether some cells have the same sign beside them.
    fn is_paired(&self) -> bool {
        let is_mask = self.count_signs().0 <= 2;
        let cells = || (0..self.signs.len()).filter(|&cell| is_mask || !is_empty(self.signs[cell]));
        cells().filter(|&cell| self.is_beside(cell)).count() * 4 >= cells().count()
    }

    /// The number of signs, and of those that stand beside themselves.
    fn count_signs(&self) -> (usize, usize) {
        let (mut all, mut paired) = (Vec::new(), Vec::new());
        for (cell, sign) in self.signs.iter().enumerate() {
            if !all.contains(sign) {
                all.push(*sign);
            }
            if !is_empty(sign) && self.is_beside(cell) && !paired.contains(sign) {
                paired.push(*sign);
            }
        }
        (all.len(), paired.len())
    }

    /// Whether it looks like a row of a map without others.
    fn is_of_map_alone(&self) -> bool {
        let length = self.signs.len();
        length == CELLS_ALONE && !self.are_digits && self.paired * 4 >= length * 3 && self.count_signs().1 >= 3
    }

    /// Whether it looks like a row of a map below the name of one.
    fn may_be_labelled(&self) -> bool {
        let (all, _) = self.count_signs();
        self.is_alone && all > 1 && (self.paired * 4 >= self.signs.len() || all * 3 <= self.signs.len() * 2)
    }

    /// Whether it looks like a whole map.
    fn is_map(&self) -> bool {
        let cells = self.signs.len();
        let near = |width: usize| {
            let is_same = |cell: usize, other: Option<usize>| {
                other.and_then(|other| self.signs.get(other)) == Some(&self.signs[cell])
            };
            let is_near = |&cell: &usize| {
                self.is_beside(cell) || is_same(cell, cell.checked_sub(width)) || is_same(cell, Some(cell + width))
            };
            (0..cells).filter(is_near).count()
        };
        let most = (FEWEST_CELLS..=25).map(near).max().unwrap_or(0);
        let is_near = most * 10 >= cells * TENTHS && self.paired * 10 >= cells * TENTHS_BESIDE;
        is_near && self.count_signs().1 >= 3
    }
}

/// The text of a line up to the first byte that is none.
pub(super) fn valid_part(line: &[u8]) -> &str {
    let line = &line[..line.len().min(LONGEST_LOOK)];
    line.utf8_chunks().next().map_or("", |chunk| chunk.valid()).trim()
}

/// Whether a sign is that of an empty cell.
pub(super) fn is_empty(sign: &str) -> bool {
    matches!(sign, "." | "-" | "_" | "0" | "·")
}

/// Says what a line looks like.
fn look(text: &str) -> Look<'_> {
    let text = text.trim_start_matches(['>', ' ']);
    // A comment or a heading.
    let inner = text.trim_start_matches('#');
    let text = if inner.starts_with(' ') { inner.trim_end_matches('#').trim() } else { text };
    if text.is_empty() || is_border(text) {
        return Look::Gap;
    }
    if text.contains("://") || text.contains("www.") || text.contains(|c| STARS.contains(c)) {
        return Look::Words;
    }
    let is_label = |text: &str| label(text.as_bytes()) == Some(Label::Map);
    if is_label(text) {
        return Look::Label(None);
    }
    let (before, rest) = match text.split_once([':', '：']) {
        Some((before, rest)) if before.chars().count() <= LONGEST_LABEL && !rest.trim().is_empty() => (before, rest),
        _ => ("", text),
    };
    let is_sentence = rest.trim_start().starts_with(char::is_alphanumeric);
    match row(if is_sentence { rest.trim_end_matches(['!', '?', '.']) } else { rest }) {
        Some(row) if row.is_rule() => Look::Gap,
        Some(row) if is_label(before) => Look::Label(Some(row)),
        Some(row) => Look::Row(row),
        None => Look::Words,
    }
}

/// Whether a line is a rule, perhaps with joints. A picture of cells has several signs that stand beside themselves, or dots.
fn is_border(text: &str) -> bool {
    let mut glyphs = Glyphs::default();
    glyphs.read(text.as_bytes());
    let glyphs = glyphs.bytes.trim_ascii();
    if !glyphs.iter().all(|&glyph| is_border_glyph(glyph)) {
        return false;
    }
    let mut runs: Vec<u8> = glyphs.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
    runs.retain(|glyph| *glyph != b' ');
    runs.dedup();
    runs.sort_unstable();
    runs.dedup();
    !matches!(runs[..], [b'.'] | [_, _, ..])
}

/// The cells of a line, if it may have some.
fn row(text: &str) -> Option<SignRow<'_>> {
    let separates =
        |c: char| c.is_whitespace() || "|,;[](){}<>\"'`".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c);
    let words: Vec<&str> = text.split(separates).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit()) || is_empty(word);
    if words.iter().all(is_number) {
        return numbers(&words);
    }
    if let Some(row) = numbers_among(&words, is_number) {
        return Some(row);
    }
    let parts = joints::parts(text);
    if let Some(parts) = parts.as_ref().filter(|parts| parts.iter().all(is_number)) {
        return numbers(parts);
    }
    let joined_row = parts.map(SignRow::new).filter(SignRow::is_paired);
    if let Some(row) = joined_row {
        return Some(SignRow { is_alone: true, ..row });
    }
    let is_even = words.len() == 1 || words.iter().all(|word| word.chars().count() == words[0].chars().count());
    let plain: Vec<&str> =
        words.iter().copied().filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit())).collect();
    let long = plain.iter().filter(|word| word.chars().count() >= FEWEST_OF_WORD);
    let views = long
        .map(|word| characters(word))
        .chain([plain.iter().flat_map(|word| characters(word)).collect(), words.clone()])
        .chain(words.iter().filter_map(|word| joined(word)))
        .chain(words.iter().map(|word| joined(word)).collect::<Option<Vec<_>>>().map(|parts| parts.concat()));
    // The view of which most cells have the same sign beside them.
    let score = |row: &SignRow| row.paired * row.paired * 1000 / row.signs.len();
    let mut rows = views.filter(|signs| signs.len() >= FEWEST_CELLS).map(SignRow::new);
    let first = rows.next()?;
    let best =
        rows.fold(
            first,
            |best, row| {
                if (score(&row), row.signs.len()) > (score(&best), best.signs.len()) { row } else { best }
            },
        );
    Some(SignRow { is_alone: is_even, ..best })
}

/// The cells of a line of numbers: a digit each, or a number. Long numbers and those with zeros are something else.
fn numbers<'t>(words: &[&'t str]) -> Option<SignRow<'t>> {
    let length = words.first()?.len();
    let is_even = words.iter().all(|word| word.len() == length);
    let signs = match words.len() {
        1 | 3 | 9 if is_even && length > 1 => words.iter().flat_map(|word| characters(word)).collect(),
        _ if words.iter().all(|word| word.len() <= 2) => words.to_vec(),
        _ => return None,
    };
    let is_mask = signs.iter().all(|sign| matches!(*sign, "0" | "1"));
    let is_row = signs.len() >= FEWEST_CELLS && (length == 1 || is_mask || signs.len() >= FEWEST_OF_WORD);
    let has_zeros = words.len() == 1 && signs.contains(&"0") && !is_mask;
    (is_row && !has_zeros).then(|| SignRow { are_digits: true, is_alone: true, ..SignRow::new(signs) })
}

/// The cells of the numbers that stand together among other words, such as the name of a row or a comment, if they look like those of a map.
fn numbers_among<'t>(words: &[&'t str], is_number: impl Fn(&&str) -> bool) -> Option<SignRow<'t>> {
    // A dash beside a row without spaces is no cell.
    let are_narrow = words.iter().all(|word| !is_number(word) || word.len() == 1);
    let is_number = |word: &&str| is_number(word) && (are_narrow || !is_empty(word));
    let runs = words.chunk_by(|one, two| is_number(one) == is_number(two)).filter(|run| is_number(&run[0]));
    let longest = runs.max_by_key(|run| run.iter().map(|word| word.len()).sum::<usize>())?;
    let row = numbers(longest).filter(|row| row.signs.len() >= FEWEST_OF_WORD && row.is_paired())?;
    Some(SignRow { is_alone: false, ..row })
}

/// The characters of a word, without those that have no width.
fn characters(word: &str) -> Vec<&str> {
    let is_seen = |c: char| {
        !matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{20e3}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}')
    };
    word.char_indices().filter(|(_, c)| is_seen(*c)).map(|(at, c)| &word[at..at + c.len_utf8()]).collect()
}

/// The parts of a word between which the same sign stands: `A-A-B`.
fn joined(word: &str) -> Option<Vec<&str>> {
    let joint = word.chars().find(|c| "-/.:_+*~=".contains(*c))?;
    let parts: Vec<&str> = word.split(joint).collect();
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}
