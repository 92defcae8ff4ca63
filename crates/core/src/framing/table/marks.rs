//! Where delimiters, line feeds and quotes stand in a table, found many at a time.

use crate::kernels::{Kernel, SLACK};

/// Bytes that are searched at once: what is found in them, and they themselves, stay in the first-level cache.
const WINDOW: usize = 4096;

/// Marks that are kept of a chunk while it is cut. A text of little else has more: there the rest is found again.
const MOST_KEPT: usize = 32 << 10;

/// Marks that are looked for at a time where they were not found before.
const ENOUGH: usize = 1024;

/// Bytes of a text in which marks have a place.
const MOST_MARKED: usize = Mark::FEED as usize;

/// A delimiter, a line feed or a quote: where it stands, and in the two highest bits what it is, so that the text need not be looked
/// at for that again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(u32);

impl Mark {
    // A delimiter has neither of them.
    const FEED: u32 = 1 << 30;
    #[cfg(test)]
    const FEED_AFTER_CR: u32 = 2 << 30;
    /// A quote, or a delimiter after a CR.
    const OTHER: u32 = 3 << 30;

    /// The mark at `at` of a text. Nothing stands before the first byte, which is no CR itself if it is a mark.
    #[inline(always)]
    fn new(text: &[u8], at: usize, delimiter: u8) -> Self {
        let (byte, after_cr) = (text[at], u32::from(text[at.saturating_sub(1)] == b'\r'));
        // Without branches: which mark comes next is known in few texts only.
        let feed = u32::from(byte == b'\n');
        let other = (1 - feed) & (after_cr | u32::from(byte != delimiter));
        let kind = (feed + (feed & after_cr)) << 30 | 0_u32.wrapping_sub(other) & Self::OTHER;
        Self(at as u32 | kind)
    }

    /// Where it stands.
    #[inline(always)]
    pub(super) fn at(self) -> u32 {
        self.0 & (Self::FEED - 1)
    }

    /// Whether all of these are delimiters, none of them after a CR.
    #[inline(always)]
    pub(super) fn are_delimiters(marks: &[Self]) -> bool {
        marks.iter().fold(0, |all, mark| all | mark.0) < Self::FEED
    }

    /// Of a line feed the bytes of the line end before it: a CR or none.
    #[inline(always)]
    pub(super) fn line_end(self) -> Option<u32> {
        let before = (self.0 >> 30).wrapping_sub(1);
        (before < 2).then_some(before)
    }
}

/// The marks that were found in the window at the end of a text, which begins at `window`, and stand at these places of it.
fn marks(text: &[u8], window: usize, found: &[u32], delimiter: u8) -> impl Iterator<Item = Mark> {
    found.iter().map(move |&at| Mark::new(text, window + at as usize, delimiter))
}

/// Marks at the start of a chunk, found while it was cut.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::framing::table) struct FoundMarks {
    marks: Vec<Mark>,
    /// They are all that stand before this byte.
    searched: usize,
}

/// Goes through a chunk that is being cut, for the third of the bytes that are marks, and keeps all of them.
#[derive(Debug, Clone)]
pub(in crate::framing::table) struct Marker {
    bytes: [u8; 3],
    kernel: &'static Kernel,
    kept: FoundMarks,
    /// The text before is searched; the third byte stands in the last window of it, or does not.
    searched: usize,
    has_third: bool,
    room: Vec<u32>,
    /// Marks of the chunk before, which is about how many there will be.
    expected: usize,
}

impl Marker {
    pub(super) fn new(bytes: [u8; 3], kernel: &'static Kernel) -> Self {
        let (kept, room) = (FoundMarks::default(), vec![0; WINDOW + SLACK]);
        Self { bytes, kernel, kept, searched: 0, has_third: false, room, expected: 0 }
    }

    pub(super) fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    /// Begins a chunk.
    pub(super) fn begin(&mut self) {
        self.kept.marks.clear();
        self.kept.marks.reserve(self.expected);
        (self.kept.searched, self.searched) = (0, 0);
    }

    /// The first place from `at` on, which is not before the last one given, where the third byte stands in the text.
    pub(super) fn next_third(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            if self.has_third
                && at < self.searched
                && let Some(third) = memchr::memchr(self.bytes[2], &text[at..self.searched])
            {
                return Some(at + third);
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
        let (found, has_third) = (self.kernel.find3)(&text[window..self.searched], self.bytes, &mut self.room);
        self.has_third = has_third;
        if self.kept.searched == window && self.kept.marks.len() + found <= MOST_KEPT && self.searched <= MOST_MARKED {
            self.kept.marks.extend(marks(&text[..self.searched], window, &self.room[..found], self.bytes[0]));
            self.kept.searched = self.searched;
        }
    }

    /// The marks of the chunk, which ends at `end`.
    pub(super) fn end(&mut self, end: usize) -> FoundMarks {
        let mut kept = std::mem::take(&mut self.kept);
        self.expected = kept.marks.len() + kept.marks.len() / 16;
        if kept.searched > end {
            kept.marks.truncate(kept.marks.partition_point(|mark| (mark.at() as usize) < end));
            kept.searched = end;
        }
        kept
    }
}

/// Goes from mark to mark.
pub(super) struct Marks<'t> {
    text: &'t [u8],
    bytes: [u8; 3],
    kernel: &'static Kernel,
    /// Marks that were found before; while there are some, there are no others.
    known: &'t [Mark],
    /// The text before is searched.
    searched: usize,
    /// Marks that were found and not passed: see [`Marks::search`].
    found: Vec<Mark>,
    passed: usize,
    room: Vec<u32>,
}

impl<'t> Marks<'t> {
    /// The marks of `text` from `at` on.
    pub(super) fn new(text: &'t [u8], at: usize, bytes: [u8; 3], kernel: &'static Kernel) -> Self {
        Self { text, bytes, kernel, known: &[], searched: at, found: Vec::new(), passed: 0, room: Vec::new() }
    }

    /// The same, some of which are known: those of a text that begins with this one, or that this one begins with.
    pub(super) fn with(mut self, known: Option<&'t FoundMarks>) -> Self {
        if let Some(FoundMarks { marks, searched }) = known {
            let within = marks.partition_point(|mark| (mark.at() as usize) < self.text.len());
            self.known = &marks[..within];
            self.searched = self.text.len().min(*searched);
        }
        self
    }

    /// The marks that come next: at least `count`, unless there are not as many in the text, or in what of it is searched for so
    /// many.
    #[inline]
    pub(super) fn next(&mut self, count: usize) -> &[Mark] {
        if self.known.len() < count {
            self.search(count);
        }
        if self.known.is_empty() { &self.found[self.passed..] } else { self.known }
    }

    /// Passes over marks that were given.
    #[inline]
    pub(super) fn pass(&mut self, count: usize) {
        if self.known.is_empty() {
            self.passed += count;
        } else {
            self.known = &self.known[count..];
        }
    }

    /// Leaves out the marks before `at`, which is not before the last one passed.
    pub(super) fn skip_to(&mut self, at: usize) {
        let before = |marks: &[Mark]| marks.iter().take_while(|mark| (mark.at() as usize) < at).count();
        self.known = &self.known[before(self.known)..];
        if at >= self.searched {
            self.searched = at;
            self.found.clear();
            self.passed = 0;
            return;
        }
        self.passed += before(&self.found[self.passed..]);
    }

    /// Searches window after window until there are so many marks, and enough; not for more than a window may have.
    #[inline(never)]
    fn search(&mut self, count: usize) {
        if count > WINDOW || self.found.len() - self.passed >= count {
            return;
        }
        self.found.drain(..self.passed);
        self.passed = 0;
        self.found.extend_from_slice(std::mem::take(&mut self.known));
        self.room.resize(WINDOW + SLACK, 0);
        while self.found.len() < count.max(ENOUGH) && self.searched < self.text.len().min(MOST_MARKED) {
            let window = self.searched;
            self.searched = self.text.len().min(MOST_MARKED).min(window + WINDOW);
            let text = &self.text[..self.searched];
            let (found, _) = (self.kernel.find3)(&text[window..], self.bytes, &mut self.room);
            self.found.extend(marks(text, window, &self.room[..found], self.bytes[0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    /// Where the first `count` of some marks stand, if they are as many.
    fn places(marks: &[Mark], count: usize) -> Option<Vec<u32>> {
        Some(marks.get(..count)?.iter().map(|mark| mark.at()).collect())
    }

    /// The mark at a place, by the text before it.
    fn slowly(text: &[u8], at: usize) -> Mark {
        let kind = match &text[..=at] {
            [.., b'\r', b'\n'] => Mark::FEED_AFTER_CR,
            [.., b'\n'] => Mark::FEED,
            [.., b'\r', b','] => Mark::OTHER,
            [.., b','] => 0,
            _ => Mark::OTHER,
        };
        Mark(kind + at as u32)
    }

    #[test]
    fn all_marks_in_order_and_none_of_those_that_are_left_out() {
        let text: Vec<u8> = (0..3 * WINDOW as u32 + 77).map(|i| b"a,b\"\nccccc"[(i * i % 97) as usize % 10]).collect();
        let is_mark = |at: &usize| b",\n\"".contains(&text[*at]);
        for kernel in kernels::available() {
            for (start, many) in
                [(0, 1), (1, 2), (63, 3), (64, 700), (WINDOW - 1, 4), (WINDOW, WINDOW), (text.len(), 1)]
            {
                let mut marks = Marks::new(&text, start, *b",\n\"", kernel);
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
                    let mut marks = Marks::new(&text, start, *b",\n\"", kernel);
                    marks.next(1);
                    let to = skip.min(text.len());
                    marks.skip_to(to);
                    let expected = (to..text.len()).find(is_mark).map(|at| vec![at as u32]);
                    assert_eq!(places(marks.next(1), 1), expected);
                }
            }
        }
    }

    /// Text with many quotes and few, longer than what is kept of it in one of the cases.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let bytes =
            |common: &'static [u8], len: u32| (0..len).map(move |i| common[(i * i / 7 % 97) as usize % common.len()]);
        let windows = WINDOW as u32;
        [
            (b"a,b\"\nccccc".as_slice(), 3 * windows + 77),
            (b"abcde,\nfgh", 2 * windows),
            (b"abc,\r\n\r,d", 3 * windows + 5),
            (b",", 10 * windows),
            (b",\"", 500),
        ]
        .into_iter()
        .map(move |(common, len)| bytes(common, len).collect())
    }

    #[test]
    fn a_text_is_gone_through_for_quotes_and_all_marks_are_kept() {
        for (text, kernel) in
            texts().flat_map(|text| kernels::available().into_iter().map(move |kernel| (text.clone(), kernel)))
        {
            let mut marker = Marker::new(*b",\n\"", kernel);
            for (len, end) in [(0, 0), (1, 1), (text.len() / 2, text.len() / 3), (text.len(), text.len())] {
                let part = &text[..len];
                marker.begin();
                let (mut at, mut quotes) = (0, Vec::new());
                while let Some(quote) = marker.next_third(part, at) {
                    quotes.push(quote);
                    at = quote + 1;
                }
                let expected: Vec<_> = (0..len).filter(|&at| part[at] == b'"').collect();
                assert_eq!(quotes, expected, "{}", kernel.name);
                let kept = marker.end(end);
                assert!(kept.searched == end || kept.marks.len() + WINDOW > MOST_KEPT);
                let marks = (0..kept.searched).filter(|&at| b",\n\"".contains(&text[at]));
                assert!(kept.marks.iter().copied().eq(marks.map(|at| slowly(&text, at))), "{} {len}", kernel.name);
            }
        }
    }

    /// Places that are passed over, as those between quotes are, do not bring the marks out of order.
    #[test]
    fn marks_that_are_known_are_those_that_are_found() {
        for text in texts() {
            let kernel = kernels::best();
            for known in [0, 1, 63, text.len() / 3, text.len()] {
                let mut marker = Marker::new(*b",\n\"", kernel);
                marker.begin();
                (0..known).for_each(|at| _ = marker.next_third(&text[..known], at));
                let found = marker.end(known);
                for (len, count) in [(text.len(), 1), (text.len() - 5, 7), (text.len() / 4, 3), (text.len(), WINDOW)] {
                    let text = &text[..len];
                    let mut with = Marks::new(text, 0, *b",\n\"", kernel).with(Some(&found));
                    let mut without = Marks::new(text, 0, *b",\n\"", kernel);
                    for step in 0.. {
                        let next = without.next(count).get(..count).map(<[Mark]>::to_vec);
                        assert_eq!(with.next(count).get(..count), next.as_deref(), "{known} {len} {count} {step}");
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
