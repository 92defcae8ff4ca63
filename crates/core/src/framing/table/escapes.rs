//! Rows of TSV in which a backslash makes the line end or the delimiter after it part of a field, as MySQL and MariaDB
//! write them (`SELECT ... INTO OUTFILE`, `mysqldump --tab`).
//!
//! In other tables a backslash is a character like any other, for example the last one of `C:\boards\`. The number of
//! fields decides: lines are one row if only together they have as many fields as the first row of the table. If each
//! of them has, too, the row is [`Extent::Unclear`]. If neither is the case, each line is a row.
//!
//! - [`Chain`]: where the row at a line ends.
//! - [`first_row`]: the number of fields in the first row.
//! - [`EscapesCutter`]: cuts text into chunks of whole rows.

use std::sync::{Arc, OnceLock};

use memchr::{memchr, memchr_iter, memrchr};

use crate::framing::chunk::{self, Cut, Limits};
use crate::framing::cutter::Cutter;
use crate::framing::{BYTE_ORDER_MARK, MAX_ROW};

/// How much text is read to find a row without backslashes, if the first row has some. The first chunk has as much.
const SEARCHED: usize = 64 << 10;

/// A line, with what backslashes in it may mean.
struct EscapedLine {
    /// The start of the next line.
    next: usize,
    /// The number of fields if backslashes mean nothing.
    fields: usize,
    /// How many of its delimiters follow a backslash.
    escaped: usize,
    /// Whether a backslash precedes its line end.
    goes_on: bool,
    /// Whether it consists of its line end alone.
    is_empty: bool,
}

impl EscapedLine {
    fn at(text: &[u8], start: usize, delimiter: u8) -> Self {
        let (end, next) = match memchr(b'\n', &text[start..]) {
            Some(feed) => (start + feed, start + feed + 1),
            None => (text.len(), text.len()),
        };
        let line = &text[start..end];
        let content = if next > end { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        let places = || memchr_iter(delimiter, content);
        Self {
            next,
            fields: 1 + places().count(),
            escaped: places().filter(|&place| is_escaped(content, place)).count(),
            goes_on: next > end && is_escaped(content, content.len()),
            is_empty: content.is_empty(),
        }
    }

    /// Whether no backslash in it can have a special meaning.
    fn is_clean(&self) -> bool {
        self.escaped == 0 && !self.goes_on
    }

    /// The number of delimiters if backslashes have their special meaning.
    fn delimiters(&self) -> usize {
        self.fields - 1 - self.escaped
    }
}

/// Whether an odd number of backslashes precedes byte `at`, so that they do not stand for backslashes alone.
pub(super) fn is_escaped(text: &[u8], at: usize) -> bool {
    text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Which lines a row consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// One line, in which backslashes mean nothing.
    Line,
    /// The lines up to this byte, in which backslashes have their special meaning.
    Joined(usize),
    /// Either: the lines up to this byte are one row or several.
    Unclear(usize),
}

/// Consecutive lines, each of which but the last goes on in the next one if backslashes have their special meaning.
///
/// It is read once, however many of its lines turn out to be rows, and no further than one row can have fields or bytes.
#[derive(Debug)]
pub(super) struct Chain {
    start: usize,
    end: usize,
    /// The number of fields of the lines if they are one row.
    fields: usize,
    /// Whether the last line goes on.
    goes_on: bool,
    /// The start of the last line that is no row of its own.
    misfit: Option<usize>,
}

impl Chain {
    /// A chain of no lines.
    pub(super) fn new() -> Self {
        Self::from(0)
    }

    fn from(start: usize) -> Self {
        Self { start, end: start, fields: 1, goes_on: true, misfit: None }
    }

    /// The extent of the row at `start`, in a table whose rows have `width` fields. `start` must not be before that of the
    /// last call for the same text.
    pub(super) fn extent(&mut self, text: &[u8], start: usize, delimiter: u8, width: usize) -> Extent {
        if EscapedLine::at(text, start, delimiter).is_clean() {
            return Extent::Line;
        }
        if self.end <= start {
            *self = Self::from(start);
        }
        while self.start < start {
            let passed = EscapedLine::at(text, self.start, delimiter);
            self.fields -= passed.delimiters();
            self.start = passed.next;
        }
        while self.goes_on && self.fields <= width && self.end < text.len() && self.end - start <= MAX_ROW {
            let line = EscapedLine::at(text, self.end, delimiter);
            if line.fields != width && !line.is_empty {
                self.misfit = Some(self.end);
            }
            self.fields += line.delimiters();
            self.goes_on = line.goes_on;
            self.end = line.next;
        }
        // At the end of the text, a line that goes on does not tell in what. Text is never cut where it would matter.
        let is_row = !self.goes_on && self.fields == width && self.end - start <= MAX_ROW;
        match self.misfit {
            _ if !is_row => Extent::Line,
            Some(misfit) if misfit >= start => Extent::Joined(self.end),
            _ => Extent::Unclear(self.end),
        }
    }
}

/// The first row of a table that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstRow {
    /// The number of its fields; 0 if there is no such row, or none that is short enough to be read.
    pub(super) width: usize,
    /// How much text tells the number.
    end: usize,
}

impl FirstRow {
    /// No row, or one that is too long, wherever the first chunk ends.
    const UNKNOWN: Self = Self { width: 0, end: 0 };
}

/// Finds the number of fields in the first row of the table at the start of `text`; rows have at least `least`. If
/// backslashes in the row could mean something, the rows after it decide. `None` if more text is needed, which `whole`
/// rules out.
pub(super) fn first_row(text: &[u8], delimiter: u8, least: usize, whole: bool) -> Option<FirstRow> {
    let mut start = 0;
    let first = loop {
        match &text[start..] {
            [] if whole => return Some(FirstRow::UNKNOWN),
            [b'\n', ..] => start += 1,
            [b'\r', b'\n', ..] => start += 2,
            rest if !whole && memchr(b'\n', rest).is_none() => return None,
            _ => break EscapedLine::at(text, start, delimiter),
        }
    };
    if first.next - start > MAX_ROW {
        return Some(FirstRow::UNKNOWN);
    }
    if first.is_clean() {
        return Some(FirstRow { width: first.fields, end: first.next });
    }
    let searched = &text[..text.len().min(SEARCHED.max(first.next))];
    let is_all = whole && searched.len() == text.len();
    // The number of fields of each line, and of each chain.
    let (mut alone, mut together, mut chain) = (Vec::new(), Vec::new(), None);
    let mut at = start;
    while at < searched.len() && (is_all || memchr(b'\n', &searched[at..]).is_some()) {
        let line = EscapedLine::at(searched, at, delimiter);
        at = line.next;
        if chain.is_none() && line.is_empty {
            continue;
        }
        if chain.is_none() && line.is_clean() {
            return Some(FirstRow { width: line.fields, end: at });
        }
        alone.extend((!line.is_empty).then_some(line.fields));
        let fields = chain.take().unwrap_or(1) + line.delimiters();
        match line.goes_on {
            true => chain = Some(fields),
            false => together.push(fields),
        }
    }
    let same = |all: &[usize]| all.first().copied().filter(|one| *one >= least && all.iter().all(|other| other == one));
    let width = same(&alone).or_else(|| same(&together)).unwrap_or(first.fields);
    (whole || searched.len() < text.len()).then_some(FirstRow { width, end: searched.len() })
}

/// Cuts TSV into chunks of whole rows, as [`chunk::cut`] cuts text into chunks of whole lines, but not after a line that
/// may go on in the next one. It is asked about the ends of chunks alone, and looks at little more than the line there.
#[derive(Debug, Clone)]
pub(super) struct EscapesCutter {
    delimiter: u8,
    /// The least number of fields in a row.
    least: usize,
    /// The number of fields in the first row of the first input that has one; 0 if it is unknown.
    width: Arc<OnceLock<usize>>,
}

impl EscapesCutter {
    /// A cutter at the start of the first input.
    pub(super) fn new(delimiter: u8, least: usize) -> Self {
        Self { delimiter, least, width: Arc::default() }
    }

    /// The number of fields in the first row, and where a chunk may end at the earliest, so that the reader of the first
    /// chunk finds the same number.
    ///
    /// `complete` says that `text` is the rest of the input, and `enough` that there will be no more text for the chunk.
    fn width(&self, text: &[u8], complete: bool, enough: bool) -> Option<(usize, usize)> {
        if let Some(&width) = self.width.get() {
            return Some((width, 0));
        }
        let table = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let known = if complete { table.len() } else { memrchr(b'\n', table).map_or(0, |feed| feed + 1) };
        let FirstRow { width, end } = first_row(&table[..known], self.delimiter, self.least, complete || enough)?;
        Some((width, text.len() - table.len() + end))
    }

    /// Ends the first chunk.
    fn end(&self, width: usize, cut: Cut) -> Option<Cut> {
        self.width.get_or_init(|| width);
        Some(cut)
    }
}

impl Cutter for EscapesCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(self.clone())
    }

    fn is_local(&self) -> bool {
        true
    }

    fn enough(&self, limits: Limits) -> usize {
        Limits { size: limits.size.max(SEARCHED + BYTE_ORDER_MARK.len()), ..limits }.longest().saturating_add(1)
    }

    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        let (width, least) = self.width(text, complete, text.len() >= self.enough(limits))?;
        let limits = Limits { size: limits.size.max(least), ..limits };
        let cut = chunk::cut(text, complete, limits)?;
        let mut line = match cut {
            Cut { open: false, end } if width > 0 && goes_on(&text[..end]) => end,
            _ => return self.end(width, cut),
        };
        // A row that goes on after the line begins at most `limits.begin()` bytes after the start of the chunk.
        let near = &text[..text.len().min(limits.longest())];
        let mut fields = 1;
        while line < near.len() {
            let is_cut = memchr(b'\n', &near[line..]).is_none();
            if is_cut && near.len() == text.len() && !complete {
                return None;
            }
            let next = EscapedLine::at(near, line, self.delimiter);
            fields += next.delimiters();
            if fields > width || is_cut && near.len() < text.len() {
                return self.end(width, cut);
            }
            line = next.next;
            if !next.goes_on {
                return self.end(width, Cut { end: line, open: false });
            }
        }
        match near.len() < text.len() {
            true => self.end(width, cut),
            false => complete.then_some(Cut { end: line, open: false }).and_then(|cut| self.end(width, cut)),
        }
    }

    fn cut_early(&mut self, text: &[u8], _: Limits) -> Option<Cut> {
        let (width, least) = self.width(text, false, false)?;
        // The number of fields of the lines after a possible end, if they are one row.
        let mut fields = 1;
        let mut end = memrchr(b'\n', text)? + 1;
        fields += EscapedLine::at(text, end, self.delimiter).delimiters();
        while width > 0 && goes_on(&text[..end]) && fields <= width {
            end = memrchr(b'\n', &text[..end - 1])? + 1;
            fields += EscapedLine::at(text, end, self.delimiter).delimiters();
        }
        if end < least { None } else { self.end(width, Cut { end, open: false }) }
    }
}

/// Whether a text ends with a line that may go on in the next one.
fn goes_on(text: &[u8]) -> bool {
    let Some(line) = text.strip_suffix(b"\n") else { return false };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    is_escaped(line, line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With as much text as `enough` says, there always is a cut.
    #[test]
    fn enough_text_is_always_cut() {
        for size in [1, 1000, 4 * SEARCHED] {
            for line in [1000, MAX_ROW] {
                let limits = Limits { size, line };
                let new = || EscapesCutter::new(b'\t', 1);
                let enough = new().enough(limits);
                for begin in ["", "\n", "a\n", "a\\\n", "a\\\tb\n", "\u{feff}a\\\n", "\u{feff}"] {
                    for rest in ["\0", "\n", "\\\n", "\\\t\n"] {
                        let mut text = begin.as_bytes().to_vec();
                        while text.len() < enough {
                            text.extend_from_slice(rest.as_bytes());
                        }
                        text.truncate(enough);
                        assert!(new().cut(&text, false, limits).is_some(), "{size} {line} {begin:?} {rest:?}");
                    }
                }
            }
        }
    }
}
