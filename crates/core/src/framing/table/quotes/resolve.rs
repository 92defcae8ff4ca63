//! Decides whether a row that contains line ends is a row with line ends between its quotes, or a row with a stray
//! quote and the rows that follow it.

use memchr::{memchr, memchr_iter};

use super::scan::RowScan;

/// How many bytes are read ahead, at most, to find out whether rows follow.
pub const AHEAD: usize = 256 << 10;

/// How many good rows must follow a line end for rows to resume there.
const MIN_ROWS: usize = 4;

/// The limit for the work on one row: the bytes that are read ahead, and [`ROW_COST`] for each row among them. Only
/// text that was made to reach this limit does.
const MAX_WORK: usize = 256 << 20;

/// The cost of beginning a row, in bytes read. Without it, a field of millions of empty lines would take seconds.
const ROW_COST: usize = 16;

/// A part of an input that begins with a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'t> {
    pub(super) text: &'t [u8],
    /// Whether the input ends with the text.
    pub(super) complete: bool,
    pub(super) delimiter: u8,
    /// The length of the longest row, without its line end.
    pub(super) longest: usize,
}

/// The result of examining a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolved {
    /// The row is as it seems. The next one begins here.
    Row(usize),
    /// The row has a stray quote. The start of the next row, and the number of fields in the rows that follow, if any
    /// do.
    Spoiled(usize, Option<usize>),
    /// The row has a quote that is never closed, and its end cannot be determined. The number of line ends before the
    /// quote.
    Unclosed(u64),
    /// The row is longer than rows may be.
    Overlong(RowScan),
    /// More text is needed to decide.
    Unknown,
}

/// Where rows resume after a stray quote.
enum Resume {
    /// At this position.
    At(usize),
    /// Nowhere in the row.
    Nowhere,
    /// Only after so many lines that look like rows that it would be wrong to make them part of this row.
    TooLate,
    /// More text is needed to decide.
    Unknown,
}

/// Whether rows follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// Rows with the expected number of fields.
    Rows,
    /// The end of the input.
    Nothing,
    /// Something else.
    Other,
    /// More text is needed to decide.
    Unknown,
}

impl View<'_> {
    /// The end of the longest possible row that begins at `start`, with its line end.
    pub(super) fn limit(&self, start: usize) -> usize {
        start.saturating_add(self.longest).saturating_add(2)
    }

    /// Examines the row at `start`, in a table whose first row has `width` fields. It must contain line ends between
    /// quotes, or a quote that is still open at the end of the input.
    pub(super) fn resolve(&self, start: usize, width: Option<usize>) -> Resolved {
        let limit = self.limit(start).min(self.text.len());
        let at_end = self.complete && limit == self.text.len();
        let mut scan = RowScan::new(self.delimiter);
        let end = scan.read(&self.text[..limit], start).or((at_end && !scan.is_inside()).then_some(limit));
        match (end, width) {
            (None, _) if limit < self.limit(start) && !self.complete => return Resolved::Unknown,
            (Some(end), None) if scan.fits(None) => return Resolved::Row(end),
            // By chance a stray quote may be closed where a field could end. Then the following text is not a row.
            (Some(end), Some(width)) if scan.is_clean(width) => match self.follows(end, width, 1, &mut 0) {
                Follows::Rows | Follows::Nothing => return Resolved::Row(end),
                Follows::Unknown => return Resolved::Unknown,
                Follows::Other => {}
            },
            _ => {}
        }
        // If the first row itself is examined, its delimiters are all that is known of its width.
        let width = width.unwrap_or_else(|| self.fields_of_line(start));
        let last = end.map_or(limit, |end| end - 1);
        match (self.resume(start, last, width), end) {
            (Resume::At(next), _) => Resolved::Spoiled(next, Some(width)),
            (Resume::Unknown, _) => Resolved::Unknown,
            (Resume::TooLate, _) => Resolved::Unclosed(scan.lines_before_quote()),
            // The row ends, but has text after a closing quote or another number of fields. It remains one row.
            (Resume::Nowhere, Some(end)) if scan.is_malformed() => Resolved::Spoiled(end, None),
            (Resume::Nowhere, Some(end)) => Resolved::Row(end),
            (Resume::Nowhere, None) if at_end => Resolved::Spoiled(limit, None),
            (Resume::Nowhere, None) => Resolved::Overlong(scan),
        }
    }

    /// Finds the first line between `start` and `last` from which on rows follow.
    fn resume(&self, start: usize, last: usize, width: usize) -> Resume {
        let (mut work, mut passed) = (0, 0);
        let mut next = start;
        while let Some(line) = self.next_line(next, last, width) {
            next = line;
            match self.follows(next, width, MIN_ROWS, &mut work) {
                Follows::Rows => return Resume::At(next),
                Follows::Unknown => return Resume::Unknown,
                Follows::Nothing => {}
                Follows::Other => passed += usize::from(self.follows(next, width, 1, &mut work) == Follows::Rows),
            }
            if passed > MIN_ROWS || work > MAX_WORK {
                return Resume::TooLate;
            }
        }
        Resume::Nowhere
    }

    /// The next line after `at`, and not after `last`, from which on rows may follow: it has the right number of
    /// delimiters, contains a quote, or is empty. Most lines of a long text field are none of these.
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

    /// Whether `most` rows of `width` fields begin at `at`, or at least one if the input or the text that may be read
    /// ahead ends sooner. Adds the cost to `work`.
    pub(super) fn follows(&self, at: usize, width: usize, most: usize, work: &mut usize) -> Follows {
        let window = self.text.len().min(at.saturating_add(AHEAD));
        let at_end = self.complete && window == self.text.len();
        let no_more = at_end || window - at == AHEAD;
        let (mut next, mut rows) = (at, 0);
        while next < window && rows < most {
            let mut scan = RowScan::new(self.delimiter);
            let end = scan.read(&self.text[..window], next);
            *work += ROW_COST + end.unwrap_or(window) - next;
            match end {
                Some(end) if is_empty_line(&self.text[next..end]) => next = end,
                Some(end) if scan.is_clean(width) => (next, rows) = (end, rows + 1),
                Some(_) => return Follows::Other,
                None if at_end && scan.is_clean(width) => (next, rows) = (window, rows + 1),
                // The row is too long to be read ahead, but rows before it were good.
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

    /// The number of fields in the line at `start`, judged by its delimiters alone.
    fn fields_of_line(&self, start: usize) -> usize {
        let line = &self.text[start..];
        let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
        1 + memchr_iter(self.delimiter, line).count()
    }
}

/// Whether a line consists of its line end alone.
pub(super) fn is_empty_line(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, width: Option<usize>) -> Resolved {
        let view = View { text: text.as_bytes(), complete: true, delimiter: b',', longest: 1000 };
        let resolved = view.resolve(0, width);
        // With less text, the answer is the same or `Unknown`.
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
        // A row with another number of fields than the first row stays if no line in it looks like a row.
        assert_eq!(resolve("1,\"a\nb\"\n2,b,c\n3,b,c\n", Some(3)), Resolved::Row(8));
    }

    #[test]
    fn a_stray_quote_spoils_only_its_row() {
        let spoiled = |end| Resolved::Spoiled(end, Some(3));
        for rows in ["2,b,c\n", "2,b,c", "2,b,c\n3,\"d\",\"e\ne\"\r\n\n4,f,g\n5,h,i\n6,j\n"] {
            // The quote is never closed, or closed by the next quote.
            assert_eq!(resolve(&format!("1,\"b,c\n{rows}"), Some(3)), spoiled(7), "{rows}");
            assert_eq!(resolve(&format!("1,b,\"c\n{rows}"), Some(3)), spoiled(7), "{rows}");
        }
        assert_eq!(resolve("1,\"b,c\n2,b,c\n", None), spoiled(7));
        assert_eq!(resolve("1,\"b\n1,b,c\n2,b,\"c\"\n", Some(3)), spoiled(5));
        // The quote is closed by chance where a field could end.
        assert_eq!(resolve("1,b,\"c\n2,b,\"\n\"\n3,d,e\n", Some(3)), spoiled(7));
        assert_eq!(resolve("1,\"b,c\n2,\", d\",e\n3,d,e\n", Some(3)), spoiled(7));
        // Lines that are not rows belong to the spoiled row.
        assert_eq!(resolve("1,\"b\nmore\n2,b,c\n", Some(3)), spoiled(10));
        assert_eq!(resolve("1,\"b\nmore\n", Some(3)), Resolved::Spoiled(10, None));
        assert_eq!(resolve("1,b,\"c", Some(3)), Resolved::Spoiled(6, None));
        // There is text after the closing quote, and no row follows.
        assert_eq!(resolve("1,\"a\nb\"c\nd\n", Some(3)), Resolved::Spoiled(9, None));
    }

    #[test]
    fn uncertain_ends_are_not_guessed() {
        let ragged = "2,b,c\n3\n".repeat(5);
        assert_eq!(resolve(&format!("1,\"b,c\n{ragged}"), Some(3)), Resolved::Unclosed(0));
        assert_eq!(resolve(&format!("1,\"b,c\n{ragged}4,\"b\",c\n"), Some(3)), Resolved::Unclosed(0));
        assert_eq!(resolve(&format!("\"\n\",\"b,c\n{ragged}"), Some(3)), Resolved::Unclosed(1));
        assert_eq!(resolve(&format!("1,\"b,c\n{ragged}"), None), Resolved::Unclosed(0));
        // A few good rows between two damaged places are lost with them.
        assert_eq!(resolve("1,\"b,c\n2,b,c\n3\n", Some(3)), Resolved::Spoiled(15, None));
        let long = format!("1,\"b,c\n{}", "2,b\n".repeat(300));
        assert!(matches!(resolve(&long, Some(3)), Resolved::Overlong(_)));
    }
}
