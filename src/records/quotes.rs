//! Where rows of CSV end: at the line ends that are not between quotes. A quote opens where a field begins; elsewhere it is a
//! character like any other, except between quotes, where it closes, or with the next one stands for itself (RFC 4180, and what
//! its readers make of text that is not).

use memchr::{memchr, memchr2};

use super::chunk::{Cut, Limits};

/// What a piece of text begins in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mid {
    /// It begins between quotes.
    inside: bool,
    /// A quote may open a field at its start.
    opens: bool,
    /// So many of its first bytes may belong to a string before it whose length does not fit.
    pub owed: usize,
}

impl Mid {
    /// The start of a row.
    pub const ROW: Self = Self { inside: false, opens: true, owed: 0 };

    /// Text whose first bytes may belong to a string before it.
    pub fn owed(owed: usize) -> Self {
        Self { owed, ..Self::ROW }
    }
}

/// A walk through text from quote to quote.
struct Walk<'t> {
    text: &'t [u8],
    delimiter: u8,
    mid: Mid,
    inside: bool,
    /// Up to here is walked.
    at: usize,
    /// Behind the quote that closed last.
    closed: Option<usize>,
    /// There was a quote.
    any: bool,
}

impl<'t> Walk<'t> {
    fn new(text: &'t [u8], delimiter: u8, mid: Mid) -> Self {
        Self { text, delimiter, mid, inside: mid.inside, at: 0, closed: None, any: mid.inside }
    }

    /// Whether the quote at `at` opens a field, or goes on with one that seemed to be closed.
    fn opens(&self, at: usize) -> bool {
        match at.checked_sub(1) {
            None => self.mid.opens,
            Some(before) => {
                self.closed == Some(at) || self.text[before] == self.delimiter || self.text[before] == b'\n'
            }
        }
    }

    fn quote(&mut self, at: usize) {
        self.any = true;
        if self.inside {
            self.inside = false;
            self.closed = Some(at + 1);
        } else {
            self.inside = self.opens(at);
        }
        self.at = at + 1;
    }

    /// Walks to `to` without a look at line ends.
    fn pass(&mut self, to: usize) {
        while let Some(quote) = self.text.get(self.at..to).and_then(|text| memchr(b'"', text)) {
            self.quote(self.at + quote);
        }
        self.at = self.at.max(to);
    }

    /// Walks behind the next line end that ends a row.
    fn row_end(&mut self) -> Option<usize> {
        loop {
            let text = &self.text[self.at..];
            let found = if self.inside { memchr(b'"', text) } else { memchr2(b'"', b'\n', text) };
            let Some(found) = found else {
                self.at = self.text.len();
                return None;
            };
            let at = self.at + found;
            if self.text[at] == b'\n' {
                self.at = at + 1;
                return Some(at + 1);
            }
            self.quote(at);
        }
    }

    /// What the text behind the walk begins in the middle of.
    fn mid(&self) -> Mid {
        let opens = match self.at {
            0 => self.mid.opens,
            at => !self.inside && self.opens(at),
        };
        Mid { inside: self.inside, opens, owed: 0 }
    }
}

/// Behind the first and the last line end of `text` that end rows, in text that begins in the middle of `mid`.
pub fn row_ends(text: &[u8], delimiter: u8, mid: Mid) -> Option<(usize, usize)> {
    let mut walk = Walk::new(text, delimiter, mid);
    let first = walk.row_end()?;
    let mut last = first;
    while let Some(end) = walk.row_end() {
        last = end;
    }
    Some((first, last))
}

/// Cuts CSV into chunks of whole rows, as [`super::chunk::cut`] does lines. It sees all of the text, in order.
#[derive(Debug, Clone, Copy)]
pub struct Cutter {
    delimiter: u8,
    mid: Mid,
    quotes: bool,
}

impl Cutter {
    /// A cutter at the start of an input.
    pub fn new(delimiter: u8) -> Self {
        Self { delimiter, mid: Mid::ROW, quotes: true }
    }

    /// What the chunk at hand begins in the middle of.
    pub fn mid(&self) -> Mid {
        self.mid
    }

    /// Whether there may be quotes in the chunk that was cut last.
    pub fn has_quotes(&self) -> bool {
        self.quotes
    }

    /// Where the chunk at the start of `text` ends; `None` if that shows only with more text. The next call is for the chunk
    /// behind it.
    pub fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        let longest = limits.longest();
        let mut walk = Walk::new(&text[..text.len().min(longest)], self.delimiter, self.mid);
        walk.pass(limits.begin().min(text.len()));
        let end = walk.row_end();
        self.quotes = walk.any;
        if let Some(end) = end {
            self.mid = Mid::ROW;
            return Some(Cut { end, open: false });
        }
        if text.len() > longest {
            self.mid = walk.mid();
            return Some(Cut { end: longest, open: true });
        }
        if complete && !text.is_empty() {
            self.mid = Mid::ROW;
            return Some(Cut { end: text.len(), open: false });
        }
        None
    }

    /// The end of the last whole row in `text`, for a stream whose next bytes are not there yet.
    pub fn cut_early(&mut self, text: &[u8]) -> Option<Cut> {
        let (_, last) = row_ends(text, self.delimiter, self.mid)?;
        (self.mid, self.quotes) = (Mid::ROW, true);
        Some(Cut { end: last, open: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Vec<usize> {
        let mut walk = Walk::new(text.as_bytes(), b',', Mid::ROW);
        std::iter::from_fn(|| walk.row_end()).collect()
    }

    #[test]
    fn line_ends_between_quotes_end_no_row() {
        assert_eq!(ends("a,b\nc\n"), [4, 6]);
        assert_eq!(ends("\"a\nb\",c\nd\n"), [8, 10]);
        assert_eq!(ends("\"a\"\"\nb\"\nd\n"), [8, 10]); // two quotes are one, and the field goes on
        assert_eq!(ends("a\"b\nc\n"), [4, 6]); // no field begins there
        assert_eq!(ends("\"a\" \"\nb\n"), [6, 8]); // nor there
        assert_eq!(ends("\"\"\nb\n"), [3, 5]);
        assert!(ends("\"a\nb\n").is_empty()); // never closed
    }

    /// Whatever the sizes, chunks end where rows do, and text cut inside a row is taken up where it was left.
    #[test]
    fn cuts_are_row_ends() {
        let text = "a,\"x\ny\"\"\n\",b\n\"\"\"\n\",\"\"\nc\"d,e\n\"q\"\"\"\"r\n\n\"s\nend,\"\n";
        let all = ends(text);
        for size in 1..text.len() + 2 {
            for line in [1, 3, 100] {
                let (mut cutter, mut at) = (Cutter::new(b','), 0);
                let limits = Limits { size, line };
                while at < text.len() {
                    let rest = &text.as_bytes()[at..];
                    let mid = cutter.mid();
                    let mut walk = Walk::new(text.as_bytes(), b',', Mid::ROW);
                    walk.pass(at);
                    assert_eq!(mid, walk.mid(), "size {size} line {line} at {at}");
                    let cut = cutter.cut(rest, true, limits).expect("the text is complete");
                    at += cut.end;
                    assert!(cut.open || all.contains(&at) || at == text.len(), "size {size} line {line}: {at}");
                    assert!(!cut.open || line < 100);
                }
            }
        }
    }
}
