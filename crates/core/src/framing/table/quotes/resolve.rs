//! What a row is that goes over line ends: a row with line ends between its quotes, or one with a stray quote and the rows that
//! follow it.

use memchr::{memchr, memchr_iter};

use super::scan::RowScan;

/// Bytes that are read ahead at most to see whether rows follow.
pub const AHEAD: usize = 256 << 10;

/// Rows that have to follow for a place to be where rows begin.
const ROWS: usize = 4;

/// Bytes read ahead in all for one row, and [`BEGIN`] for each row that was begun. Only text that was made for it gets there.
const WORK: usize = 256 << 20;

/// What it takes to begin a row, in bytes read: else a field of millions of empty lines takes seconds.
const BEGIN: usize = 16;

/// Text in which rows are looked for: a part of an input, from a row's start on.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'t> {
    pub(super) text: &'t [u8],
    /// The input ends with the text.
    pub(super) complete: bool,
    pub(super) delimiter: u8,
    /// The longest row, without its line end.
    pub(super) longest: usize,
}

/// What a row turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolved {
    /// It is meant so; where the next one begins.
    Row(usize),
    /// It has a stray quote. Where the next one begins, and the fields of those that follow, if there are some.
    Spoiled(usize, Option<usize>),
    /// Its quote is not closed, and it shows nowhere that rows follow. The line ends before the quote.
    Unclosed(u64),
    /// It is longer than rows may be.
    Overlong(RowScan),
    /// That shows only with more text.
    Unknown,
}

/// Where reading can go on after a stray quote.
enum Resume {
    /// Where rows follow.
    At(usize),
    /// Nowhere in the row; all of it belongs together.
    Nowhere,
    /// Not before too many lines that look like rows would be taken for a part of this one.
    TooLate,
    /// That shows only with more text.
    Unknown,
}

/// Whether rows follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// Rows of so many fields as were asked for.
    Rows,
    /// The end of the input.
    Nothing,
    /// Something else.
    Other,
    /// That shows only with more text.
    Unknown,
}

impl View<'_> {
    /// One past the longest row that begins at `start`, with its line end.
    pub(super) fn limit(&self, start: usize) -> usize {
        start.saturating_add(self.longest).saturating_add(2)
    }

    /// What the row at `start` is, in a table whose first row has `width` fields. For rows with line ends between quotes, or
    /// with a quote that is open where the input ends.
    pub(super) fn resolve(&self, start: usize, width: Option<usize>) -> Resolved {
        let limit = self.limit(start).min(self.text.len());
        let at_end = self.complete && limit == self.text.len();
        let mut scan = RowScan::new(self.delimiter);
        let end = scan.read(&self.text[..limit], start).or((at_end && !scan.is_inside()).then_some(limit));
        match (end, width) {
            (None, _) if limit < self.limit(start) && !self.complete => return Resolved::Unknown,
            (Some(end), None) if scan.fits(None) => return Resolved::Row(end),
            // By chance a stray quote may be closed where a field could end; then no row follows.
            (Some(end), Some(width)) if scan.is_clean(width) => match self.follows(end, width, 1, &mut 0) {
                Follows::Rows | Follows::Nothing => return Resolved::Row(end),
                Follows::Unknown => return Resolved::Unknown,
                Follows::Other => {}
            },
            _ => {}
        }
        // A first row that is itself in question has at least its delimiters.
        let width = width.unwrap_or_else(|| self.fields_of_line(start));
        let last = end.map_or(limit, |end| end - 1);
        match (self.resume(start, last, width), end) {
            (Resume::At(next), _) => Resolved::Spoiled(next, Some(width)),
            (Resume::Unknown, _) => Resolved::Unknown,
            (Resume::TooLate, _) => Resolved::Unclosed(scan.lines_before_quote()),
            // A row that ends, but not as it should, is still what it seems to be.
            (Resume::Nowhere, Some(end)) if scan.is_malformed() => Resolved::Spoiled(end, None),
            (Resume::Nowhere, Some(end)) => Resolved::Row(end),
            (Resume::Nowhere, None) if at_end => Resolved::Spoiled(limit, None),
            (Resume::Nowhere, None) => Resolved::Overlong(scan),
        }
    }

    /// The first line end between `start` and `last` after which rows follow.
    fn resume(&self, start: usize, last: usize, width: usize) -> Resume {
        let (mut work, mut passed) = (0, 0);
        let mut next = start;
        while let Some(line) = self.next_line(next, last, width) {
            next = line;
            match self.follows(next, width, ROWS, &mut work) {
                Follows::Rows => return Resume::At(next),
                Follows::Unknown => return Resume::Unknown,
                Follows::Nothing => {}
                Follows::Other => passed += usize::from(self.follows(next, width, 1, &mut work) == Follows::Rows),
            }
            if passed > ROWS || work > WORK {
                return Resume::TooLate;
            }
        }
        Resume::Nowhere
    }

    /// The next line after `at`, and not after `last`, that may begin rows: by its delimiters, because it has quotes, or nothing
    /// at all. Most lines of text do not.
    fn next_line(&self, at: usize, last: usize, width: usize) -> Option<usize> {
        let (mut line, mut fields) = (None, 1);
        for (place, &byte) in (at..last).zip(&self.text[at..last]) {
            match (byte, line) {
                (b'"', Some(_)) => return line,
                (b'\n', Some(start)) if fields == width || is_empty_line(&self.text[start..=place]) => return line,
                (b'\n', _) => (line, fields) = (Some(place + 1), 1),
                _ => fields += usize::from(byte == self.delimiter),
            }
        }
        line
    }

    /// Whether so many rows of `width` fields follow at `at`, or fewer at the end of what may be looked at. What that took is
    /// added to `work`.
    pub(super) fn follows(&self, at: usize, width: usize, most: usize, work: &mut usize) -> Follows {
        let window = self.text.len().min(at.saturating_add(AHEAD));
        let at_end = self.complete && window == self.text.len();
        let no_more = at_end || window - at == AHEAD;
        let (mut next, mut rows) = (at, 0);
        while next < window && rows < most {
            let mut scan = RowScan::new(self.delimiter);
            let end = scan.read(&self.text[..window], next);
            *work += BEGIN + end.unwrap_or(window) - next;
            match end {
                Some(end) if is_empty_line(&self.text[next..end]) => next = end,
                Some(end) if scan.is_clean(width) => (next, rows) = (end, rows + 1),
                Some(_) => return Follows::Other,
                None if at_end && scan.is_clean(width) => (next, rows) = (window, rows + 1),
                // A row too long to be read ahead, after others.
                None if no_more && !at_end && rows > 0 && scan.line_ends == 0 => break,
                None if no_more => return Follows::Other,
                None => return Follows::Unknown,
            }
        }
        match rows {
            1.. if rows == most || no_more => Follows::Rows,
            0 if at_end => Follows::Nothing,
            0 if no_more => Follows::Other,
            _ => Follows::Unknown,
        }
    }

    /// One more than the delimiters of the line at `start`.
    fn fields_of_line(&self, start: usize) -> usize {
        let line = &self.text[start..];
        let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
        1 + memchr_iter(self.delimiter, line).count()
    }
}

/// Whether a line, with its end, has nothing else.
pub(super) fn is_empty_line(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, width: Option<usize>) -> Resolved {
        let view = View { text: text.as_bytes(), complete: true, delimiter: b',', longest: 1000 };
        let resolved = view.resolve(0, width);
        // With less text the answer is the same, or that it takes more.
        for length in 0..text.len() {
            let part = View { text: &text.as_bytes()[..length], complete: false, ..view };
            let found = part.resolve(0, width);
            assert!(found == Resolved::Unknown || found == resolved, "{text:?} {length}: {found:?}");
        }
        resolved
    }

    #[test]
    fn rows_with_line_ends_stay() {
        for text in [
            "1,\"a\nb\",5\" pipe\n",
            "1,\"a\nb\",c\n",
            "1,\"a\nb\",\"\n\"\r\n2,b,c\n",
            "1,\"a\n2,b,c\n3,b,c\n\",c\n2,b,c\n",
            "\"\n\",b,c",
        ] {
            let end = text.rfind("2,b,c\n").filter(|&at| !text[at..].contains('"')).unwrap_or(text.len());
            assert_eq!(resolve(text, Some(3)), Resolved::Row(end), "{text:?}");
        }
        // With other fields than the first row, they stay if nothing in them is a row.
        assert_eq!(resolve("1,\"a\nb\"\n2,b,c\n3,b,c\n", Some(3)), Resolved::Row(8));
    }

    #[test]
    fn stray_quotes_cost_their_row() {
        let spoiled = |end| Resolved::Spoiled(end, Some(3));
        for rows in ["2,b,c\n", "2,b,c", "2,b,c\n3,\"d\",\"e\ne\"\r\n\n4,f,g\n5,h,i\n6,j\n"] {
            // Never closed, and closed by the next quote.
            assert_eq!(resolve(&format!("1,\"b,c\n{rows}"), Some(3)), spoiled(7), "{rows}");
            assert_eq!(resolve(&format!("1,b,\"c\n{rows}"), Some(3)), spoiled(7), "{rows}");
        }
        assert_eq!(resolve("1,\"b,c\n2,b,c\n", None), spoiled(7));
        assert_eq!(resolve("1,\"b\n1,b,c\n2,b,\"c\"\n", Some(3)), spoiled(5));
        // Closed by chance where a field could end.
        assert_eq!(resolve("1,b,\"c\n2,b,\"\n\"\n3,d,e\n", Some(3)), spoiled(7));
        assert_eq!(resolve("1,\"b,c\n2,\", d\",e\n3,d,e\n", Some(3)), spoiled(7));
        // Lines that are no rows belong to it.
        assert_eq!(resolve("1,\"b\nmore\n2,b,c\n", Some(3)), spoiled(10));
        assert_eq!(resolve("1,\"b\nmore\n", Some(3)), Resolved::Spoiled(10, None));
        assert_eq!(resolve("1,b,\"c", Some(3)), Resolved::Spoiled(6, None));
        // A quote closed in the middle of text, and no rows.
        assert_eq!(resolve("1,\"a\nb\"c\nd\n", Some(3)), Resolved::Spoiled(9, None));
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let ragged = "2,b,c\n3\n".repeat(5);
        assert_eq!(resolve(&format!("1,\"b,c\n{ragged}"), Some(3)), Resolved::Unclosed(0));
        assert_eq!(resolve(&format!("1,\"b,c\n{ragged}4,\"b\",c\n"), Some(3)), Resolved::Unclosed(0));
        assert_eq!(resolve(&format!("\"\n\",\"b,c\n{ragged}"), Some(3)), Resolved::Unclosed(1));
        assert_eq!(resolve(&format!("1,\"b,c\n{ragged}"), None), Resolved::Unclosed(0));
        // A few rows that stand between two damages go with them.
        assert_eq!(resolve("1,\"b,c\n2,b,c\n3\n", Some(3)), Resolved::Spoiled(15, None));
        let long = format!("1,\"b,c\n{}", "2,b\n".repeat(300));
        assert!(matches!(resolve(&long, Some(3)), Resolved::Overlong(_)));
    }
}
