//! The framing `file`: files of other programs, which have one puzzle or several. Each becomes one line.

use std::sync::Arc;

use super::chunk::{Cut, Limits};
use super::cutter::Cutter;
use super::{
    Appends, Asked, BYTE_ORDER_MARK, Beside, ChosenAs, Framing, FramingFacts, NamedFraming, Piece, RecordSort,
    RowWriter, Rows, TextRow, Unsuited, Value, count_lines, line_at,
};
use crate::error::{Code, Reject};
use crate::formats::{FilePuzzle, Text, Within, file_puzzles, is_file};
use crate::kernels::Kernel;

pub(super) static FILE: NamedFraming = NamedFraming {
    name: "file",
    plural: "files of other programs",
    help: "A file of OpenSudoku, KSudoku, GNOME Sudoku, Sudoku Solver (.sdku) or Simon Tatham's puzzles, or a KenKen as text; each puzzle becomes one line",
    flags: &[],
    extensions: &["opensudoku", "1gsudoku", "ksudoku", "sdku"],
    rows_extension: None,
    beside: Beside::Nowhere,
    records: RecordSort::Blocks,
    within: Within::Field,
    make: |_| Ok(Box::new(ProgramFiles)),
};

/// Files of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProgramFiles;

/// The most bytes of a file. It is read as a whole.
const LONGEST: usize = 16 << 20;

/// What is said about other files.
const NO_FILE: &str = "it is no file of a program whose files --framing file reads";

impl Framing for ProgramFiles {
    fn facts(&self) -> FramingFacts {
        FramingFacts {
            chosen: ChosenAs::Strings,
            keeps_mark: false,
            appends: Appends::Titles,
            ..FramingFacts::default()
        }
    }

    fn cutter(&self, _: &'static Kernel) -> Option<Box<dyn Cutter>> {
        Some(Box::new(WholeCutter))
    }

    fn too_long(&self, piece: &[u8]) -> Option<&'static str> {
        (piece.len() > LONGEST).then_some("has more than 16 MiB, and --framing file reads files as a whole")
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        match asked.names.is_empty() {
            true => Ok(()),
            false => Err("solutions cannot be appended to files of other programs; leave out --solutions".into()),
        }
    }

    fn begin(&mut self, first: &Piece, _: &Asked) -> Result<(), Unsuited> {
        let text = first.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first.text);
        match text.trim_ascii().is_empty() || is_file(text) {
            true => Ok(()),
            false => Err(Unsuited::Input(NO_FILE.into())),
        }
    }

    /// The rows are the whole file, since nothing else than its puzzles is written.
    fn find_rows(&self, piece: &Piece, _: bool, rows: &mut Rows) {
        let text = piece.text;
        rows.lines = count_lines(text);
        let (mut line, mut counted, mut start) = (0, 0, 0);
        let begin = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut puzzles = match file_puzzles(&text[begin..]) {
            Some(puzzles) => puzzles,
            None if text[begin..].trim_ascii().is_empty() => Vec::new(),
            // `begin` sees only the first of several inputs.
            None => {
                let string = Err(Reject::whole(Code::Header, NO_FILE));
                vec![FilePuzzle { start: 0, end: text.len() - begin, string, names: Arc::default() }]
            }
        };
        puzzles.iter_mut().for_each(|puzzle| {
            puzzle.start += begin;
            puzzle.end += begin;
        });
        let last = puzzles.len().saturating_sub(1);
        for (number, puzzle) in puzzles.into_iter().enumerate() {
            line += memchr::memchr_iter(b'\n', &text[counted..puzzle.start]).count() as u32;
            counted = puzzle.start;
            let after = if number == last { text.len() } else { end_of_line(text, puzzle.end) };
            let end =
                text[..after].strip_suffix(b"\n").map_or(after, |text| text.strip_suffix(b"\r").unwrap_or(text).len());
            let row = TextRow { start, end: end as u32, next: after as u32, line, fields: 0, list: false };
            let is_good = puzzle.string.is_ok();
            rows.take_quoted(row, end == after && number != last, puzzle.string);
            if is_good {
                rows.set_names(puzzle.names);
            }
            start = after as u32;
        }
    }
}

/// The end of the line that a puzzle ends at, if nothing else follows on it; otherwise the end of the puzzle.
fn end_of_line(text: &[u8], end: usize) -> usize {
    match line_at(text, end) {
        Some(line) if text[end..line.next].trim_ascii().is_empty() => line.next,
        _ => end,
    }
}

impl RowWriter for ProgramFiles {
    fn is_bare(&self, _: &[u8]) -> bool {
        false
    }

    /// Writes a string, and the line end after it if the file has none there.
    fn put(&self, string: &[u8], lacks_line_end: bool, out: &mut Text) {
        out.push(string);
        if lacks_line_end {
            out.push_byte(b'\n');
        }
    }

    fn label(&self, _: &str) -> Vec<u8> {
        b"\t".to_vec()
    }

    /// Appends a value to the last line, whose end may have been written already.
    fn append(&self, label: &[u8], values: &[Value], _: bool, out: &mut Text) {
        let is_ended = out.as_slice().ends_with(b"\n");
        out.truncate(out.len() - usize::from(is_ended));
        out.push(label);
        values.iter().for_each(|value| value.write(out));
        if is_ended {
            out.push_byte(b'\n');
        }
    }
}

/// Cuts nothing: a file is one piece, unless it is too long.
#[derive(Debug, Clone, Copy)]
struct WholeCutter;

impl Cutter for WholeCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(Self)
    }

    fn enough(&self, _: Limits) -> usize {
        LONGEST + 1
    }

    fn cut(&mut self, text: &[u8], complete: bool, _: Limits) -> Option<Cut> {
        let is_known = complete && !text.is_empty() || text.len() > LONGEST;
        is_known.then_some(Cut { end: text.len().min(LONGEST + 1), open: false })
    }

    fn cut_early(&mut self, _: &[u8], _: Limits) -> Option<Cut> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    #[test]
    fn each_puzzle_becomes_a_line() {
        let text = b"<opensudoku>\n<game data=\"1\"/>\n<!-- <game data=\"2\"/> --><game data='a&#10;b'/><game/>\n</opensudoku>\n";
        let piece = Piece { text, start: 0, quotes: None, kernel: kernels::best(), before: Default::default() };
        let mut rows = Rows::default();
        ProgramFiles.rows(&piece, false, &mut rows);
        assert_eq!(rows.strings(text).collect::<Vec<_>>(), [&b"1"[..], b"a b"]);
        assert_eq!((rows.lines, rows.refused.len()), (4, 1));
        assert_eq!(rows.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!((rows.rows[0].start, rows.rows[2].next as usize), (0, text.len()));
        assert!(rows.rows.windows(2).all(|pair| pair[0].next == pair[1].start));
        let lacking: Vec<_> = rows.fields.iter().map(|field| field.quoted).collect();
        assert_eq!(lacking, [false, true]);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let rows = |text: &[u8]| {
            let piece = Piece { text, start: 0, quotes: None, kernel: kernels::best(), before: Default::default() };
            let mut rows = Rows::default();
            ProgramFiles.rows(&piece, false, &mut rows);
            let strings = rows.strings(text).map(<[u8]>::to_vec).collect::<Vec<_>>();
            (strings, rows.refused.into_iter().map(|refused| refused.1.message.to_string()).collect::<Vec<_>>())
        };
        for text in ["<other>\n<game data=\"1\"/>\n</other>\n", "words", "\u{feff}<other/>"] {
            assert_eq!(rows(text.as_bytes()), (vec![], vec![NO_FILE.to_string()]), "{text}");
        }
        for text in ["", " \n", "\u{feff}"] {
            assert_eq!(rows(text.as_bytes()), (vec![], vec![]), "{text}");
        }
        let marked = "\u{feff}<opensudoku><game data=\"1\"/></opensudoku>\n";
        assert_eq!(rows(marked.as_bytes()), (vec![b"1".to_vec()], vec![]));
    }

    #[test]
    fn saved_games_are_their_ids() {
        let saved = |states: &str| {
            format!(
                "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\nGAME    :4:Solo\nPARAMS  :3:3x3\nDESC    :4:zzzc\nNSTATES :1:{states}\n"
            )
        };
        let string = |text: &str| file_puzzles(text.as_bytes()).and_then(|mut puzzles| puzzles.pop()?.string.ok());
        assert_eq!(string(&saved("1")).as_deref(), Some(&b"3x3:zzzc"[..]));
        assert_eq!(string(&saved("2")), None);
        assert_eq!(string(&saved("1").replace("Solo", "Mine")), None);
        for end in 0..saved("1").len() {
            _ = string(&saved("1")[..end]);
        }
    }
}
