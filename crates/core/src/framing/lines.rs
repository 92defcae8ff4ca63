//! The framing `lines`: one string per line. Finds lines and their ends, and tells which lines are not records.

use super::{Appends, Beside, Framing, FramingFacts, MAX_LINE, NamedFraming, Piece, RecordSort, RowWriter, Rows};
use crate::formats::{Line, Within};

pub(super) static LINES: NamedFraming = NamedFraming {
    name: "lines",
    plural: "lines",
    help: "One record per line",
    flags: &[],
    extensions: &["sdm"],
    rows_extension: Some("txt"),
    beside: Beside::Tab,
    records: RecordSort::Lines,
    within: Within::Line,
    make: |_| Ok(Box::new(Lines)),
};

/// One string per line. The new string replaces the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lines;

impl Framing for Lines {
    fn facts(&self) -> FramingFacts {
        FramingFacts { is_lines: true, longest: MAX_LINE, appends: Appends::Values, ..FramingFacts::default() }
    }

    fn find_rows(&self, _: &Piece, _: bool, _: &mut Rows) {}
}

impl RowWriter for Lines {}

/// The line at `start` and the start of the next, if exactly `width` bytes are followed by a line end. The bytes are
/// not examined: the caller notices a line end among them, since it is not a digit of any format.
#[inline]
pub fn line_of_width(text: &[u8], start: usize, width: usize) -> Option<Line> {
    let end = start + width;
    match text.get(end) {
        Some(b'\n') if width == 0 || text[end - 1] != b'\r' => Some(Line { start, end, next: end + 1 }),
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => Some(Line { start, end, next: end + 2 }),
        _ => None,
    }
}

/// The number of lines in a text. The last one need not have a line end.
#[inline]
pub fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64 + u64::from(text.last().is_some_and(|&byte| byte != b'\n'))
}

/// Whether a line is copied: it is empty or a comment (docs/CLI.md, "Records"). `strict` is for wolfram, whose strings
/// can begin with `#`; then only `# ` begins a comment.
#[inline]
pub fn is_no_record(line: &[u8], strict: bool) -> bool {
    match line {
        [] => true,
        [b'#', b' ', ..] => true,
        [b'#'] | [b'#', b'\t' | b'#', ..] => !strict,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::line_at;

    #[test]
    fn lines_and_their_ends() {
        let text = b"a\r\n\n\rb\r\r\nc";
        let lines: Vec<_> = std::iter::successors(line_at(text, 0), |line| line_at(text, line.next)).collect();
        let found: Vec<&[u8]> = lines.iter().map(|line| &text[line.start..line.end]).collect();
        assert_eq!(found, [b"a".as_slice(), b"", b"\rb\r", b"c"]);
        for line in &lines[..3] {
            assert_eq!(line_of_width(text, line.start, line.end - line.start), Some(*line));
        }
        assert_eq!(line_of_width(text, 9, 1), None);
        assert_eq!(line_of_width(text, 0, 2), None); // the CR belongs to the line end
    }

    #[test]
    fn comments() {
        for (line, loose, strict) in [
            ("", true, true),
            ("#", true, false),
            ("# x", true, true),
            ("#\tx", true, false),
            ("##", true, false),
            ("#x", false, false),
            (" # x", false, false),
        ] {
            assert_eq!(is_no_record(line.as_bytes(), false), loose, "{line}");
            assert_eq!(is_no_record(line.as_bytes(), true), strict, "{line}");
        }
    }
}
