//! Where delimiters, line feeds and quotes stand in a table, found many at a time.

use crate::kernels::{Kernel, SLACK};

/// Bytes that are searched at once: what is found in them, and they themselves, stay in the first-level cache.
const WINDOW: usize = 4096;

/// Goes from mark to mark.
pub(super) struct Marks<'t> {
    text: &'t [u8],
    bytes: [u8; 3],
    kernel: &'static Kernel,
    /// Where the window begins that was searched last, and where the next one does.
    window: usize,
    searched: usize,
    /// The marks of the window, from its start, how many they are, and how many of them were given.
    found: Box<[u32; WINDOW + SLACK]>,
    count: usize,
    given: usize,
}

impl<'t> Marks<'t> {
    /// The marks of `text` from `at` on.
    pub(super) fn new(text: &'t [u8], at: usize, bytes: [u8; 3], kernel: &'static Kernel) -> Self {
        let found = Box::new([0; WINDOW + SLACK]);
        Self { text, bytes, kernel, window: at, searched: at, found, count: 0, given: 0 }
    }

    /// Where the next mark stands; the end of the text if there is none.
    #[inline]
    pub(super) fn next(&mut self) -> usize {
        if self.given == self.count && !self.search() {
            return self.text.len();
        }
        let at = self.window + self.found[self.given] as usize;
        self.given += 1;
        at
    }

    /// Leaves out the marks before `at`, which is not before the last one given.
    pub(super) fn skip_to(&mut self, at: usize) {
        if at >= self.searched {
            (self.window, self.searched, self.count, self.given) = (at, at, 0, 0);
            return;
        }
        let after = self.found[self.given..self.count].iter();
        self.given += after.take_while(|&&found| self.window + (found as usize) < at).count();
    }

    /// Searches window after window until there is a mark.
    fn search(&mut self) -> bool {
        (self.count, self.given) = (0, 0);
        while self.count == 0 && self.searched < self.text.len() {
            self.window = self.searched;
            self.searched = self.text.len().min(self.window + WINDOW);
            let text = &self.text[self.window..self.searched];
            self.count = (self.kernel.find3)(text, self.bytes, self.found.as_mut_slice());
        }
        self.count > 0
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
            for start in [0, 1, 63, 64, WINDOW - 1, WINDOW, text.len()] {
                let mut marks = Marks::new(&text, start, *b",\n\"", kernel);
                for at in (start..text.len()).filter(is_mark) {
                    assert_eq!(marks.next(), at, "{}", kernel.name);
                }
                assert_eq!([marks.next(), marks.next()], [text.len(); 2]);
                for skip in [start, start + 100, start + WINDOW, start + 2 * WINDOW + 5] {
                    let mut marks = Marks::new(&text, start, *b",\n\"", kernel);
                    marks.next();
                    let to = skip.min(text.len()).max(start + 40);
                    marks.skip_to(to);
                    assert_eq!(marks.next(), (to..text.len()).find(is_mark).unwrap_or(text.len()));
                }
            }
        }
    }
}
