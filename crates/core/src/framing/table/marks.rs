//! Where delimiters, line feeds and quotes stand in a table, found many at a time.

use crate::kernels::{Kernel, SLACK};

/// Bytes that are searched at once: what is found in them, and they themselves, stay in the first-level cache.
const WINDOW: usize = 4096;

/// Goes from mark to mark.
pub(super) struct Marks<'t> {
    text: &'t [u8],
    bytes: [u8; 3],
    kernel: &'static Kernel,
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
        Self { text, bytes, kernel, searched: at, found: Box::new([0; _]), count: 0, passed: 0 }
    }

    /// Where the next `count` marks stand; nothing if there are not as many, or if they are more than a window may have.
    #[inline]
    pub(super) fn next(&mut self, count: usize) -> Option<&[u32]> {
        if self.count - self.passed < count {
            self.search(count);
        }
        self.found[self.passed..self.count].get(..count)
    }

    /// Passes over marks that were given.
    #[inline]
    pub(super) fn pass(&mut self, count: usize) {
        self.passed += count;
    }

    /// Leaves out the marks before `at`, which is not before the last one passed.
    pub(super) fn skip_to(&mut self, at: usize) {
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
        while self.count < count.min(WINDOW) && self.searched < self.text.len() {
            let window = self.searched;
            self.searched = self.text.len().min(window + WINDOW);
            let text = &self.text[window..self.searched];
            let room = &mut self.found[self.count..];
            let found = (self.kernel.find3)(text, self.bytes, room);
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
}
