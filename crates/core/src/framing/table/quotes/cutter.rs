//! Cuts CSV into chunks of whole rows.

use memchr::{memchr2, memrchr};

use super::resolve::{Follows, Resolved, View, is_empty_line};
use super::scan::RowScan;
use super::{AHEAD, Quotes};
use crate::framing::BYTE_ORDER_MARK;
use crate::framing::chunk::{Cut, Limits};
use crate::framing::cutter::Cutter;
use crate::framing::table::marks::MarkRecorder;
use crate::kernels::Kernel;

/// Cuts CSV into chunks of whole rows, as [`crate::framing::chunk::cut`] cuts text into chunks of whole lines. It must
/// be given all of the text, in order. Which rows it finds, and which of them have stray quotes, does not depend on the
/// size of the chunks.
#[derive(Debug, Clone)]
pub struct QuotesCutter {
    delimiter: u8,
    /// Whether a chunk was cut.
    begun: bool,
    /// The number of fields in the first row, once it is known.
    width: Option<usize>,
    /// The overlong row that continues in the next chunk, if there is one.
    overlong: Option<RowScan>,
    /// The quotes of the current chunk.
    quotes: Quotes,
    recorder: MarkRecorder,
}

/// Where [`QuotesCutter::walk`] stopped.
enum Walked {
    /// At the end of the first row that ends after the requested byte.
    End(usize),
    /// At the start of a row that does not end in the text.
    Open(usize),
    /// At the start of a row that needs more text to be understood.
    Unknown(usize),
    /// At the start of a row that is [`Resolved::Unclosed`].
    Unclosed(usize, u64),
    /// At the start of a row that is [`Resolved::Overlong`].
    Overlong(usize, RowScan),
}

/// Where a quoted field ends.
enum Closing {
    /// Here, after its closing quote.
    At(usize),
    /// Not on its line.
    LineEnd,
    /// Not in the text.
    Open,
}

impl Cutter for QuotesCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(Self::new(self.delimiter, self.recorder.kernel()))
    }

    fn enough(&self, limits: Limits) -> usize {
        limits.longest().saturating_add(AHEAD).saturating_add(1)
    }

    fn take_quotes(&mut self) -> Option<Quotes> {
        Some(Quotes { width: self.width, ..std::mem::take(&mut self.quotes) })
    }

    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        if text.is_empty() {
            return None;
        }
        self.quotes = Quotes::default();
        let view = View { text, complete, delimiter: self.delimiter, longest: limits.line };
        if let Some(scan) = self.overlong {
            return self.cut_overlong(view, scan, limits);
        }
        let start = self.start(view)?;
        let (end, open) = match self.walk(view, start, limits.begin()) {
            Walked::End(end) => (end, false),
            Walked::Open(at) if text.len() > view.limit(at) => {
                let mut scan = RowScan::new(self.delimiter);
                scan.read(&text[..view.limit(at)], at);
                self.begin_overlong(view, at, scan)
            }
            Walked::Open(_) if complete => (text.len(), false),
            Walked::Open(_) | Walked::Unknown(_) => return None,
            // The chunk ends before this row, which begins the next one.
            Walked::Unclosed(at, _) if at > start => (at, false),
            Walked::Unclosed(_, lines) => (self.end_unclosed(view, lines), false),
            Walked::Overlong(at, scan) => self.begin_overlong(view, at, scan),
        };
        self.begun = true;
        self.quotes.marks = self.recorder.end(end);
        Some(Cut { end, open })
    }

    fn cut_early(&mut self, text: &[u8], limits: Limits) -> Option<Cut> {
        self.quotes = Quotes::default();
        if self.overlong.is_some() {
            return None;
        }
        let view = View { text, complete: false, delimiter: self.delimiter, longest: limits.line };
        let start = self.start(view)?;
        let (Walked::End(end)
        | Walked::Open(end)
        | Walked::Unknown(end)
        | Walked::Unclosed(end, _)
        | Walked::Overlong(end, _)) = self.walk(view, start, usize::MAX);
        self.begun |= end > start;
        self.quotes.marks = self.recorder.end(end);
        (end > start).then_some(Cut { end, open: false })
    }
}

impl QuotesCutter {
    /// A cutter at the start of an input.
    pub fn new(delimiter: u8, kernel: &'static Kernel) -> Self {
        let recorder = MarkRecorder::new([delimiter, b'\n', b'"'], kernel);
        Self { delimiter, begun: false, width: None, overlong: None, quotes: Quotes::default(), recorder }
    }

    /// The start of the first row of the chunk. At the start of an input, also counts the fields of the first row that
    /// is not empty. `None` if more text is needed for this.
    fn start(&mut self, view: View) -> Option<usize> {
        if self.begun {
            return Some(0);
        }
        if view.text.len() < BYTE_ORDER_MARK.len() && !view.complete {
            return None;
        }
        let start = if view.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let limit = view.limit(start).min(view.text.len());
        let mut at = start;
        loop {
            let mut scan = RowScan::new(self.delimiter);
            match scan.read(&view.text[..limit], at) {
                Some(end) if is_empty_line(&view.text[at..end]) => at = end,
                // A row with a stray quote does not tell the width; the rows after it will.
                Some(_) if scan.line_ends > 0 && !scan.fits(None) => return Some(start),
                None if limit < view.limit(start) && !view.complete => return None,
                None if limit < view.text.len() || scan.is_inside() => return Some(start),
                _ => {
                    self.width = Some(scan.fields);
                    return Some(start);
                }
            }
        }
    }

    /// Walks from the start of a row to the end of the first row that ends after byte `begin`. Up to this byte,
    /// searches only for quotes, and records the marks.
    fn walk(&mut self, view: View, start: usize, begin: usize) -> Walked {
        let text = view.text;
        let row_start = |at: usize| memrchr(b'\n', &text[start..at]).map_or(start, |end| start + end + 1);
        let begin = begin.max(start);
        let mut at = start;
        self.recorder.begin();
        loop {
            let search_end = begin.min(text.len());
            let found = match at < search_end {
                true => match self.recorder.next_quote(&text[..search_end], at) {
                    Some(quote) => quote,
                    None => {
                        at = search_end;
                        continue;
                    }
                },
                false => match memchr2(b'"', b'\n', &text[at..]) {
                    Some(found) if text[at + found] == b'\n' => return Walked::End(at + found + 1),
                    Some(quote) => at + quote,
                    None => return Walked::Open(row_start(text.len())),
                },
            };
            self.quotes.any = true;
            at = found + 1;
            let opens = found == start || text[found - 1] == self.delimiter || text[found - 1] == b'\n';
            if !opens {
                continue;
            }
            let row = match closing(text, at) {
                Closing::At(end) => {
                    at = end;
                    continue;
                }
                Closing::Open if !view.complete || text.len() > view.limit(row_start(found)) => {
                    return Walked::Open(row_start(found));
                }
                Closing::Open | Closing::LineEnd => row_start(found),
            };
            at = match view.resolve(row, self.width) {
                Resolved::Row(end) => end,
                Resolved::Spoiled(end, width) => {
                    self.width = self.width.or(width);
                    self.quotes.spoiled.push(row..end);
                    end
                }
                Resolved::Unknown => return Walked::Unknown(row),
                Resolved::Unclosed(lines) => return Walked::Unclosed(row, lines),
                Resolved::Overlong(scan) => return Walked::Overlong(row, scan),
            };
            if at > begin || at == text.len() && view.complete {
                return Walked::End(at);
            }
        }
    }

    /// Ends the chunk inside the row at `at`, where that row exceeds the longest length. The next chunk continues it.
    fn begin_overlong(&mut self, view: View, at: usize, scan: RowScan) -> (usize, bool) {
        self.overlong = Some(scan);
        self.quotes.tail = at;
        (view.limit(at).min(view.text.len()), true)
    }

    /// Makes all of the text a chunk in which no rows can be read.
    fn end_unclosed(&mut self, view: View, lines: u64) -> usize {
        self.quotes.unclosed = Some(lines);
        view.text.len()
    }

    /// Cuts a chunk that continues an overlong row. The chunk contains nothing else.
    fn cut_overlong(&mut self, view: View, before: RowScan, limits: Limits) -> Option<Cut> {
        let part = &view.text[..view.text.len().min(limits.longest())];
        let at_end = view.complete && part.len() == view.text.len();
        let mut scan = before;
        let (end, open) = match scan.read(part, 0) {
            Some(end) => match self.after_overlong(&scan, view, end) {
                Follows::Other => (self.end_unclosed(view, scan.lines_before_quote()), false),
                // The next chunk begins with the line end, so that what follows is examined then.
                Follows::Unknown if end > 1 => {
                    scan = before;
                    scan.read(&part[..end - 1], 0);
                    (end - 1, true)
                }
                Follows::Unknown => return None,
                Follows::Rows | Follows::Nothing => (end, false),
            },
            None if at_end && scan.line_ends > 0 && !scan.fits(self.width) => {
                (self.end_unclosed(view, scan.lines_before_quote()), false)
            }
            None if at_end || part.len() > limits.begin() => (part.len(), !at_end),
            None => return None,
        };
        self.quotes.head = end;
        self.overlong = open.then_some(scan);
        Some(Cut { end, open })
    }

    /// Tells what follows an overlong row. A row with line ends may have a stray quote and contain other rows; the
    /// result is then [`Follows::Other`].
    fn after_overlong(&self, scan: &RowScan, view: View, end: usize) -> Follows {
        match scan.line_ends {
            0 => Follows::Nothing,
            _ if !scan.fits(self.width) => Follows::Other,
            _ => view.follows(end, self.width.unwrap_or(scan.fields), 1, &mut 0),
        }
    }
}

/// The end of the quoted field whose contents begin at `at`.
fn closing(text: &[u8], mut at: usize) -> Closing {
    while let Some(found) = memchr2(b'"', b'\n', &text[at..]) {
        at += found;
        match (text[at], text.get(at + 1)) {
            (b'\n', _) => return Closing::LineEnd,
            (_, Some(b'"')) => at += 2,
            _ => return Closing::At(at + 1),
        }
    }
    Closing::Open
}
