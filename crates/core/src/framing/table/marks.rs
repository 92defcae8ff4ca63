//! Finds the marks of a table, many at a time: the delimiters, line feeds and quotes that may end fields.
//!
//! [`MarkRecorder`] searches a chunk for quotes while the chunk is cut, and records all marks that it passes.
//! [`MarkCursor`] gives the reader of rows these marks, and searches for the others.

use crate::kernels::{Kernel, SLACK};

/// The number of bytes that are searched at once. They and the marks found in them fit in the first-level cache.
const WINDOW: usize = 4096;

/// The most marks that are recorded while a chunk is cut. A chunk that consists of little else has more; the rest is
/// then searched for again.
const MAX_RECORDED: usize = 32 << 10;

/// How many marks a cursor searches for at a time, if they were not recorded.
const SEARCH_BATCH: usize = 1024;

/// The limit for the position of a mark.
const MAX_POSITION: usize = Mark::LINE_FEED as usize;

/// A delimiter, line feed or quote: its position, and in the two highest bits its type, so that the text need not be
/// read again for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(u32);

impl Mark {
    // For a delimiter, both bits are 0.
    const LINE_FEED: u32 = 1 << 30;
    #[cfg(test)]
    const LINE_FEED_AFTER_CR: u32 = 2 << 30;
    /// A quote, a delimiter after a CR, or what follows a backslash.
    const OTHER: u32 = 3 << 30;

    /// The mark at position `at` of a text. (For position 0, the "byte before" is the mark itself, which is not a CR.)
    #[inline(always)]
    fn new(text: &[u8], at: usize, delimiter: u8) -> Self {
        let (byte, before) = (text[at], text[at.saturating_sub(1)]);
        // There are no branches, since few texts have an order of marks that can be predicted.
        let (after_cr, feed) = (u32::from(before == b'\r'), u32::from(byte == b'\n'));
        let other = u32::from(before == b'\\') | (1 - feed) & (after_cr | u32::from(byte != delimiter));
        let kind = (feed + (feed & after_cr)) << 30 | 0_u32.wrapping_sub(other) & Self::OTHER;
        Self(at as u32 | kind)
    }

    /// Its position.
    #[inline(always)]
    pub(super) fn at(self) -> u32 {
        self.0 & (Self::LINE_FEED - 1)
    }

    /// Whether all of these marks are delimiters, and none of them follows a CR or a backslash.
    #[inline(always)]
    pub(super) fn are_delimiters(marks: &[Self]) -> bool {
        marks.iter().fold(0, |all, mark| all | mark.0) < Self::LINE_FEED
    }

    /// For a line feed, the number of CRs that belong to its line end: 0 or 1. `None` for other marks, and after a backslash.
    #[inline(always)]
    pub(super) fn line_end_cr(self) -> Option<u32> {
        let before = (self.0 >> 30).wrapping_sub(1);
        (before < 2).then_some(before)
    }
}

/// The marks in the last window of a text. The window begins at byte `window`, and `found` are their positions in it.
fn marks(text: &[u8], window: usize, found: &[u32], delimiter: u8) -> impl Iterator<Item = Mark> {
    found.iter().map(move |&at| Mark::new(text, window + at as usize, delimiter))
}

/// Marks at the start of a chunk, recorded while it was cut.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::framing::table) struct RecordedMarks {
    marks: Vec<Mark>,
    /// All marks before this byte were recorded.
    searched: usize,
}

/// Finds the quotes in a chunk that is being cut, and records all marks that it passes.
#[derive(Debug, Clone)]
pub(in crate::framing::table) struct MarkRecorder {
    /// The bytes that are marks: the delimiter, the line feed and the quote.
    bytes: [u8; 3],
    kernel: &'static Kernel,
    recorded: RecordedMarks,
    /// The text before this byte was searched.
    searched: usize,
    /// Whether the last window that was searched contains a quote.
    has_quote: bool,
    /// Memory for the positions that a search finds.
    positions: Vec<u32>,
    /// The number of marks to expect, estimated from the last chunk.
    expected: usize,
}

impl MarkRecorder {
    pub(super) fn new(bytes: [u8; 3], kernel: &'static Kernel) -> Self {
        let (recorded, positions) = (RecordedMarks::default(), vec![0; WINDOW + SLACK]);
        Self { bytes, kernel, recorded, searched: 0, has_quote: false, positions, expected: 0 }
    }

    pub(super) fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    /// Begins a chunk.
    pub(super) fn begin(&mut self) {
        self.recorded.marks.clear();
        self.recorded.marks.reserve(self.expected);
        (self.recorded.searched, self.searched) = (0, 0);
    }

    /// The position of the first quote from `at` on. `at` must not be less than in earlier calls for the same chunk.
    pub(super) fn next_quote(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            if self.has_quote
                && at < self.searched
                && let Some(quote) = memchr::memchr(self.bytes[2], &text[at..self.searched])
            {
                return Some(at + quote);
            }
            at = at.max(self.searched);
            if self.searched >= text.len() {
                return None;
            }
            self.search(text);
        }
    }

    /// Searches the next window.
    fn search(&mut self, text: &[u8]) {
        let window = self.searched;
        self.searched = text.len().min(window + WINDOW);
        let (found, has_quote) = (self.kernel.find3)(&text[window..self.searched], self.bytes, &mut self.positions);
        self.has_quote = has_quote;
        let RecordedMarks { marks: recorded, searched } = &mut self.recorded;
        if *searched == window && recorded.len() + found <= MAX_RECORDED && self.searched <= MAX_POSITION {
            recorded.extend(marks(&text[..self.searched], window, &self.positions[..found], self.bytes[0]));
            *searched = self.searched;
        }
    }

    /// Ends the chunk at `end`. Returns the marks that were recorded in it.
    pub(super) fn end(&mut self, end: usize) -> RecordedMarks {
        let mut recorded = std::mem::take(&mut self.recorded);
        self.expected = recorded.marks.len() + recorded.marks.len() / 16;
        if recorded.searched > end {
            recorded.marks.truncate(recorded.marks.partition_point(|mark| (mark.at() as usize) < end));
            recorded.searched = end;
        }
        recorded
    }
}

/// A cursor over the marks of a text.
pub(super) struct MarkCursor<'t> {
    text: &'t [u8],
    bytes: [u8; 3],
    kernel: &'static Kernel,
    /// The next marks, if they were recorded before. `found` is used only when there are none of these left.
    recorded: &'t [Mark],
    /// The text before this byte was searched.
    searched: usize,
    /// Marks that [`MarkCursor::search`] found, the first `passed` of which were passed.
    found: Vec<Mark>,
    passed: usize,
    /// Memory for the positions that a search finds.
    positions: Vec<u32>,
}

impl<'t> MarkCursor<'t> {
    /// A cursor over the marks of `text` from `at` on.
    pub(super) fn new(text: &'t [u8], at: usize, bytes: [u8; 3], kernel: &'static Kernel) -> Self {
        let (found, positions) = (Vec::new(), Vec::new());
        Self { text, bytes, kernel, recorded: &[], searched: at, found, passed: 0, positions }
    }

    /// Takes marks that were recorded in the same text, or in a longer or shorter text with the same start.
    pub(super) fn with(mut self, recorded: Option<&'t RecordedMarks>) -> Self {
        if let Some(RecordedMarks { marks, searched }) = recorded {
            let within = marks.partition_point(|mark| (mark.at() as usize) < self.text.len());
            self.recorded = &marks[..within];
            self.searched = self.text.len().min(*searched);
        }
        self
    }

    /// The next marks. There are at least `count` of them, unless the text has fewer or `count` is so large that they
    /// are not searched for (see [`MarkCursor::search`]).
    #[inline]
    pub(super) fn next(&mut self, count: usize) -> &[Mark] {
        if self.recorded.len() < count {
            self.search(count);
        }
        if self.recorded.is_empty() { &self.found[self.passed..] } else { self.recorded }
    }

    /// Passes the next `count` marks.
    #[inline]
    pub(super) fn pass(&mut self, count: usize) {
        if self.recorded.is_empty() {
            self.passed += count;
        } else {
            self.recorded = &self.recorded[count..];
        }
    }

    /// Passes all marks before position `at`, which must not be before the last mark that was passed.
    pub(super) fn skip_to(&mut self, at: usize) {
        let before = |marks: &[Mark]| marks.iter().take_while(|mark| (mark.at() as usize) < at).count();
        self.recorded = &self.recorded[before(self.recorded)..];
        if at >= self.searched {
            self.searched = at;
            self.found.clear();
            self.passed = 0;
            return;
        }
        self.passed += before(&self.found[self.passed..]);
    }

    /// Searches window after window until there are `count` marks, and at least [`SEARCH_BATCH`]. Does nothing if
    /// `count` exceeds the size of a window.
    #[inline(never)]
    fn search(&mut self, count: usize) {
        if count > WINDOW || self.found.len() - self.passed >= count {
            return;
        }
        self.found.drain(..self.passed);
        self.passed = 0;
        self.found.extend_from_slice(std::mem::take(&mut self.recorded));
        self.positions.resize(WINDOW + SLACK, 0);
        while self.found.len() < count.max(SEARCH_BATCH) && self.searched < self.text.len().min(MAX_POSITION) {
            let window = self.searched;
            self.searched = self.text.len().min(MAX_POSITION).min(window + WINDOW);
            let text = &self.text[..self.searched];
            let (found, _) = (self.kernel.find3)(&text[window..], self.bytes, &mut self.positions);
            self.found.extend(marks(text, window, &self.positions[..found], self.bytes[0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    /// The positions of the first `count` marks, if there are so many.
    fn places(marks: &[Mark], count: usize) -> Option<Vec<u32>> {
        Some(marks.get(..count)?.iter().map(|mark| mark.at()).collect())
    }

    /// The mark at a position, determined from the text up to it.
    fn expected_mark(text: &[u8], at: usize) -> Mark {
        let kind = match &text[..=at] {
            [.., b'\\', _] => Mark::OTHER,
            [.., b'\r', b'\n'] => Mark::LINE_FEED_AFTER_CR,
            [.., b'\n'] => Mark::LINE_FEED,
            [.., b'\r', b','] => Mark::OTHER,
            [.., b','] => 0,
            _ => Mark::OTHER,
        };
        Mark(kind + at as u32)
    }

    #[test]
    fn a_cursor_gives_all_marks_in_order_and_none_that_were_skipped() {
        let text: Vec<u8> = (0..3 * WINDOW as u32 + 77).map(|i| b"a,b\"\nccccc"[(i * i % 97) as usize % 10]).collect();
        let is_mark = |at: &usize| b",\n\"".contains(&text[*at]);
        for kernel in kernels::available() {
            for (start, many) in
                [(0, 1), (1, 2), (63, 3), (64, 700), (WINDOW - 1, 4), (WINDOW, WINDOW), (text.len(), 1)]
            {
                let mut marks = MarkCursor::new(&text, start, *b",\n\"", kernel);
                let all: Vec<_> = (start..text.len()).filter(is_mark).map(|at| at as u32).collect();
                let mut rest = &all[..];
                while let Some((next, after)) = rest.split_at_checked(many) {
                    assert_eq!(places(marks.next(many), many).as_deref(), Some(next), "{}", kernel.name);
                    marks.pass(many);
                    rest = after;
                }
                assert_eq!([0; 2].map(|_| places(marks.next(many), many)), [None, None]);
                assert_eq!(places(marks.next(rest.len()), rest.len()).as_deref(), Some(rest));
                for skip in [start, start + 100, start + WINDOW, start + 2 * WINDOW + 5] {
                    let mut marks = MarkCursor::new(&text, start, *b",\n\"", kernel);
                    marks.next(1);
                    let to = skip.min(text.len());
                    marks.skip_to(to);
                    let expected = (to..text.len()).find(is_mark).map(|at| vec![at as u32]);
                    assert_eq!(places(marks.next(1), 1), expected);
                }
            }
        }
    }

    /// Texts with many quotes and with few. One has more marks than are recorded.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let bytes =
            |common: &'static [u8], len: u32| (0..len).map(move |i| common[(i * i / 7 % 97) as usize % common.len()]);
        let windows = WINDOW as u32;
        [
            (b"a,b\"\nccccc".as_slice(), 3 * windows + 77),
            (b"abcde,\nfgh", 2 * windows),
            (b"abc,\r\n\r,d", 3 * windows + 5),
            (b"ab\\,\n\\\"c", 2 * windows),
            (b",", 10 * windows),
            (b",\"", 500),
        ]
        .into_iter()
        .map(move |(common, len)| bytes(common, len).collect())
    }

    #[test]
    fn a_recorder_finds_all_quotes_and_records_all_marks() {
        for (text, kernel) in
            texts().flat_map(|text| kernels::available().into_iter().map(move |kernel| (text.clone(), kernel)))
        {
            let mut recorder = MarkRecorder::new(*b",\n\"", kernel);
            for (len, end) in [(0, 0), (1, 1), (text.len() / 2, text.len() / 3), (text.len(), text.len())] {
                let part = &text[..len];
                recorder.begin();
                let (mut at, mut quotes) = (0, Vec::new());
                while let Some(quote) = recorder.next_quote(part, at) {
                    quotes.push(quote);
                    at = quote + 1;
                }
                let expected: Vec<_> = (0..len).filter(|&at| part[at] == b'"').collect();
                assert_eq!(quotes, expected, "{}", kernel.name);
                let recorded = recorder.end(end);
                assert!(recorded.searched == end || recorded.marks.len() + WINDOW > MAX_RECORDED);
                let marks = (0..recorded.searched).filter(|&at| b",\n\"".contains(&text[at]));
                let marks = marks.map(|at| expected_mark(&text, at));
                assert!(recorded.marks.iter().copied().eq(marks), "{} {len}", kernel.name);
            }
        }
    }

    /// Positions that are skipped, such as those between quotes, do not change the order of the marks.
    #[test]
    fn recorded_marks_equal_those_that_are_found() {
        for text in texts() {
            let kernel = kernels::best();
            for searched in [0, 1, 63, text.len() / 3, text.len()] {
                let mut recorder = MarkRecorder::new(*b",\n\"", kernel);
                recorder.begin();
                (0..searched).for_each(|at| _ = recorder.next_quote(&text[..searched], at));
                let found = recorder.end(searched);
                for (len, count) in [(text.len(), 1), (text.len() - 5, 7), (text.len() / 4, 3), (text.len(), WINDOW)] {
                    let text = &text[..len];
                    let mut with = MarkCursor::new(text, 0, *b",\n\"", kernel).with(Some(&found));
                    let mut without = MarkCursor::new(text, 0, *b",\n\"", kernel);
                    for step in 0.. {
                        let next = without.next(count).get(..count).map(<[Mark]>::to_vec);
                        assert_eq!(with.next(count).get(..count), next.as_deref(), "{searched} {len} {count} {step}");
                        let Some(next) = next else { break };
                        match step % 5 {
                            4 => {
                                let after = next[count - 1].at() as usize + 100;
                                [&mut with, &mut without].map(|marks| marks.skip_to(after))
                            }
                            _ => [&mut with, &mut without].map(|marks| marks.pass(count)),
                        };
                    }
                }
            }
        }
    }
}
