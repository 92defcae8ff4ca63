//! Cuts text into chunks of whole lines. Only lines that are longer than any record may be are cut inside.

use memchr::{memchr, memrchr};

/// The size of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The minimal size of a chunk, at least 1: the search for its end begins there. Only the last chunk of an input,
    /// and chunks of a slow stream, may be smaller.
    pub size: usize,
    /// The length of the longest line, without its end. Only longer lines are cut.
    pub line: usize,
}

impl Limits {
    /// Where the search for the newline begins: at the last byte of a chunk of minimal size.
    pub fn begin(self) -> usize {
        self.size.max(1) - 1
    }

    /// The most bytes of a chunk: its size, then the rest of a line of maximal length, with its CR and LF.
    pub fn longest(self) -> usize {
        self.begin().saturating_add(self.line).saturating_add(2)
    }
}

/// The end of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The length of the chunk.
    pub end: usize,
    /// Whether the chunk ends inside a line. The part of that line in the chunk is then longer than the longest line,
    /// or else the chunk continues such a line from its first byte.
    pub open: bool,
}

/// The end of the chunk at the start of `text`; `None` if more text is needed to find it.
///
/// `complete` says that `text` is the rest of the input. With at least `limits.longest() + 1` bytes of text, or with
/// `complete` and some text, there always is an end.
pub fn cut(text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
    cut_from(text, 0, complete, limits)
}

/// Like [`cut`], if the first `known` bytes of text were searched before (by a call that returned `None`).
pub fn cut_from(text: &[u8], known: usize, complete: bool, limits: Limits) -> Option<Cut> {
    let at = limits.begin().max(known).min(text.len());
    cut_in_window(&text[at..], at, complete, limits)
}

/// Like [`cut`], but `window` only has the text from byte `at` of the chunk on. `at` is at most [`Limits::begin`], or
/// more if there is no newline between the two.
pub fn cut_in_window(window: &[u8], at: usize, complete: bool, limits: Limits) -> Option<Cut> {
    let room = limits.longest().saturating_sub(at);
    if let Some(newline) = memchr(b'\n', &window[..window.len().min(room)]) {
        return Some(Cut { end: at + newline + 1, open: false });
    }
    if window.len() > room {
        return Some(Cut { end: at + room, open: true });
    }
    let end = at + window.len();
    (complete && end > 0).then_some(Cut { end, open: false })
}

/// The end of the last whole line in `text`, for a stream whose next bytes have not arrived yet.
pub fn cut_early(text: &[u8]) -> Option<Cut> {
    memrchr(b'\n', text).map(|newline| Cut { end: newline + 1, open: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { size: 4, line: 5 };

    #[test]
    fn ends_at_the_first_newline_from_the_size_on() {
        assert_eq!(cut(b"a\nb\ncd\n", false, LIMITS), Some(Cut { end: 4, open: false }));
        assert_eq!(cut(b"a\nbc\ncd\n", false, LIMITS), Some(Cut { end: 5, open: false }));
        assert_eq!(cut(b"a\nb", false, LIMITS), None);
        assert_eq!(cut(b"a\nb", true, LIMITS), Some(Cut { end: 3, open: false }));
        assert_eq!(cut(b"", true, LIMITS), None);
    }

    #[test]
    fn a_line_just_short_enough_is_whole_wherever_it_begins() {
        for size in 1..20 {
            let limits = Limits { size, line: 5 };
            for before in 0..size {
                let text = [vec![b'x'; before], b"\n12345\r\n".to_vec(), vec![b'x'; 40]].concat();
                let end = cut(&text, false, limits).expect("the text is long enough or holds a newline").end;
                assert!(
                    end == before + 1 || end == before + 8 || before + 8 < size,
                    "size {size} before {before}: {end}"
                );
            }
        }
    }

    #[test]
    fn an_overlong_line_is_cut_inside_and_only_if_it_goes_on() {
        let limits = Limits { size: 1, line: 5 };
        assert_eq!(cut(b"12345678", false, limits), Some(Cut { end: 7, open: true }));
        assert_eq!(cut(b"1234567", false, limits), None);
        assert_eq!(cut(b"1234567", true, limits), Some(Cut { end: 7, open: false }));
        assert_eq!(cut(b"123456\n8", false, limits), Some(Cut { end: 7, open: false }));
    }

    #[test]
    fn early_cuts_give_whole_lines() {
        assert_eq!(cut_early(b"a\nb\nc"), Some(Cut { end: 4, open: false }));
        assert_eq!(cut_early(b"abc"), None);
    }
}
