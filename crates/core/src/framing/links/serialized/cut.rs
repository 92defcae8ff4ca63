//! Cuts chunks outside of strings with a length, so that each chunk can be read alone.

use memchr::memchr;

use super::{LONGEST, SearchResult, WIDEST, next};
use crate::framing::chunk::{Cut, Limits};
use crate::framing::cutter::{Cutter, TextBefore};
use crate::framing::links::counted::Counted;

/// A word that is longer than a line may be, such as an embedded picture, is cut only at this many times that length,
/// since links after the cut would be refused.
const FURTHER: usize = 4;

/// Cuts text into chunks like [`crate::framing::chunk::cut`], but never inside a string with the right length. It must
/// be given all of the text, in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct SerializedCutter {
    uncertain: usize,
    counted: Counted,
}

impl Cutter for SerializedCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(Self::default())
    }

    fn before(&self) -> TextBefore {
        TextBefore { uncertain: self.uncertain, counted: self.counted, ..TextBefore::default() }
    }

    fn enough(&self, limits: Limits) -> usize {
        limits.longest().saturating_mul(FURTHER).saturating_add(1)
    }

    /// Chunks are never open: without a line end for too long, the text is cut where neither a link nor a length can
    /// be.
    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        let usual = limits.longest();
        let most = usual.saturating_mul(FURTHER);
        let mut end = self.end_within(usual, text, complete, limits.begin());
        if end.is_none() && text.len() > usual {
            end = self.end_within(most, text, complete, limits.begin());
        }
        self.end(text, end.or_else(|| (text.len() > most).then_some((most, most + LONGEST * WIDEST))))
    }

    fn cut_early(&mut self, text: &[u8], _: Limits) -> Option<Cut> {
        let walk = Walk { text, complete: false, at: 0, covered: 0, uncertain: self.uncertain };
        self.end(text, walk.last_end(|byte| byte == b'\n'))
    }
}

impl SerializedCutter {
    /// The end of a chunk of at most `most` bytes, and the uncertain bytes after it; `None` if it cannot be cut.
    fn end_within(&self, most: usize, text: &[u8], complete: bool, begin: usize) -> Option<(usize, usize)> {
        let is_longer = text.len() > most;
        let window = &text[..text.len().min(most)];
        let complete = complete && !is_longer;
        let walk = || Walk { text: window, complete, at: 0, covered: 0, uncertain: self.uncertain };
        walk().line_end(begin).or_else(|| match is_longer {
            true => walk().last_end(is_apart),
            false => (complete && !text.is_empty()).then_some((text.len(), 0)),
        })
    }

    fn end(&mut self, text: &[u8], end: Option<(usize, usize)>) -> Option<Cut> {
        let (end, uncertain) = end?;
        self.counted.follow(&text[..end], |_| ());
        self.uncertain = uncertain.saturating_sub(end);
        Some(Cut { end, open: false })
    }
}

/// Whether a byte occurs neither in a link nor between a length and its string.
fn is_apart(byte: u8) -> bool {
    byte <= b' ' || b"<>()[]".contains(&byte)
}

/// A walk through text from string to string.
struct Walk<'t> {
    text: &'t [u8],
    complete: bool,
    /// Strings that begin before this position have been passed.
    at: usize,
    /// No chunk may end before this position.
    covered: usize,
    /// Bytes before this position may belong to strings with a wrong length.
    uncertain: usize,
}

impl Walk<'_> {
    /// One past the first line end from `from` on that is outside of strings, and the uncertain bytes after it.
    fn line_end(mut self, from: usize) -> Option<(usize, usize)> {
        let after = |at: usize| Some(at + memchr(b'\n', self.text.get(at..)?)? + 1);
        let mut end = after(from)?;
        while self.at < end {
            let found = next(self.text, self.at..end, self.complete);
            if found == SearchResult::Nothing {
                break;
            }
            self.pass(found)?;
            if self.covered > end {
                end = after(self.covered)?;
            }
        }
        Some((end, self.uncertain))
    }

    /// One past the last byte outside of strings for which `may` is true, and the uncertain bytes after it. If other
    /// bytes than line ends will do, the end of a string will, too.
    fn last_end(mut self, may: impl Fn(u8) -> bool) -> Option<(usize, usize)> {
        let mut last = None;
        loop {
            let found = next(self.text, self.at..self.text.len(), self.complete);
            let from = self.at.max(self.covered);
            let stop = match &found {
                SearchResult::Nothing => self.text.len(),
                SearchResult::More(start) => *start,
                SearchResult::String(string) => string.start,
                SearchResult::Misfit(misfit) => misfit.start,
            };
            let apart = self.text.get(from..stop).and_then(|gap| gap.iter().rposition(|&byte| may(byte)));
            last = apart.map(|apart| (from + apart + 1, self.uncertain)).or(last);
            if self.pass(found).is_none() || self.at >= self.text.len() {
                return last;
            }
            if may(b' ') && self.at >= self.covered {
                last = Some((self.at, self.uncertain));
            }
        }
    }

    /// Continues after the result of a search, if that was conclusive.
    fn pass(&mut self, found: SearchResult) -> Option<()> {
        match found {
            SearchResult::Nothing | SearchResult::More(_) => return None,
            SearchResult::String(string) => {
                self.at = string.end;
                self.covered = self.covered.max(string.end);
            }
            SearchResult::Misfit(misfit) => {
                self.at = misfit.after;
                self.covered = self.covered.max(misfit.seen);
                self.uncertain = self.uncertain.max(misfit.until);
            }
        }
        Some(())
    }
}
