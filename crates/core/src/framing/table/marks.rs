//! Where delimiters, line feeds and quotes stand in a table, found many at a time.

use crate::kernels::{Kernel, SLACK};

/// Bytes that are searched at once: what is found in them, and they themselves, stay in the first-level cache.
const WINDOW: usize = 4096;

/// Marks that are kept of a chunk while it is cut. A text of little else has more: there the rest is found again.
const MOST_KEPT: usize = 32 << 10;

/// Marks at the start of a chunk, found while it was cut.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::framing::table) struct FoundMarks {
    marks: Vec<u32>,
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
        if self.kept.searched == window && self.kept.marks.len() + found <= MOST_KEPT {
            self.kept.marks.extend(self.room[..found].iter().map(|at| at + window as u32));
            self.kept.searched = self.searched;
        }
    }

    /// The marks of the chunk, which ends at `end`.
    pub(super) fn end(&mut self, end: usize) -> FoundMarks {
        let mut kept = std::mem::take(&mut self.kept);
        self.expected = kept.marks.len() + kept.marks.len() / 16;
        if kept.searched > end {
            kept.marks.truncate(kept.marks.partition_point(|&at| (at as usize) < end));
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
    known: &'t [u32],
    /// The text before is searched.
    searched: usize,
    /// Marks that were found, how many they are, and how many of them were passed.
    found: Box<[u32; 2 * WINDOW + SLACK]>,
    count: usize,
    passed: usize,
}

impl<'t> Marks<'t> {
    /// The marks of `text` from `at` on.
    pub(super) fn new(text: &'t [u8], at: usize, bytes: [u8; 3], kernel: &'static Kernel) -> Self {
        Self { text, bytes, kernel, known: &[], searched: at, found: Box::new([0; _]), count: 0, passed: 0 }
    }

    /// The same, some of which are known: those of a text that begins with this one, or that this one begins with.
    pub(super) fn with(mut self, known: Option<&'t FoundMarks>) -> Self {
        if let Some(FoundMarks { marks, searched }) = known {
            let within = marks.partition_point(|&at| (at as usize) < self.text.len());
            self.known = &marks[..within];
            self.searched = self.text.len().min(*searched);
        }
        self
    }

    /// Where the next `count` marks stand; nothing if there are not as many, or if they are more than a window may have.
    #[inline]
    pub(super) fn next(&mut self, count: usize) -> Option<&[u32]> {
        match self.known.get(..count) {
            Some(next) => Some(next),
            None => self.next_found(count),
        }
    }

    fn next_found(&mut self, count: usize) -> Option<&[u32]> {
        if count > WINDOW {
            return None;
        }
        let known = std::mem::take(&mut self.known);
        if !known.is_empty() {
            self.found[..known.len()].copy_from_slice(known);
            (self.count, self.passed) = (known.len(), 0);
        }
        if self.count - self.passed < count {
            self.search(count);
        }
        self.found[self.passed..self.count].get(..count)
    }

    /// Passes over marks that were given.
    #[inline]
    pub(super) fn pass(&mut self, count: usize) {
        match self.known.get(count..) {
            Some(after) if !self.known.is_empty() => self.known = after,
            _ => self.passed += count,
        }
    }

    /// Leaves out the marks before `at`, which is not before the last one passed.
    pub(super) fn skip_to(&mut self, at: usize) {
        let before = self.known.iter().take_while(|&&known| (known as usize) < at).count();
        self.known = &self.known[before..];
        if at >= self.searched {
            (self.searched, self.count, self.passed) = (at, 0, 0);
            return;
        }
        let after = self.found[self.passed..self.count].iter();
        self.passed += after.take_while(|&&found| (found as usize) < at).count();
    }

    /// Searches window after window until there are so many marks.
    fn search(&mut self, count: usize) {
        self.found.copy_within(self.passed..self.count, 0);
        (self.count, self.passed) = (self.count - self.passed, 0);
        while self.count < count && self.searched < self.text.len() {
            let window = self.searched;
            self.searched = self.text.len().min(window + WINDOW);
            let text = &self.text[window..self.searched];
            let room = &mut self.found[self.count..];
            let (found, _) = (self.kernel.find3)(text, self.bytes, room);
            room[..found].iter_mut().for_each(|at| *at += window as u32);
            self.count += found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

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
                    assert_eq!(marks.next(many), Some(next), "{}", kernel.name);
                    marks.pass(many);
                    rest = after;
                }
                assert_eq!([marks.next(many).is_none(), marks.next(many).is_none()], [true; 2]);
                assert_eq!(marks.next(rest.len()), Some(rest));
                for skip in [start, start + 100, start + WINDOW, start + 2 * WINDOW + 5] {
                    let mut marks = Marks::new(&text, start, *b",\n\"", kernel);
                    marks.next(1);
                    let to = skip.min(text.len());
                    marks.skip_to(to);
                    let expected = (to..text.len()).find(is_mark).map(|at| vec![at as u32]);
                    assert_eq!(marks.next(1).map(<[u32]>::to_vec), expected);
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
                let marks = (0..kept.searched).filter(|&at| b",\n\"".contains(&text[at])).map(|at| at as u32);
                assert!(kept.marks.iter().copied().eq(marks), "{} {len}", kernel.name);
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
                        let next = without.next(count).map(<[u32]>::to_vec);
                        assert_eq!(with.next(count), next.as_deref(), "{known} {len} {count} {step}");
                        let Some(next) = next else { break };
                        match step % 5 {
                            4 => [&mut with, &mut without].map(|marks| marks.skip_to(next[count - 1] as usize + 100)),
                            _ => [&mut with, &mut without].map(|marks| marks.pass(count)),
                        };
                    }
                }
            }
        }
    }
}
