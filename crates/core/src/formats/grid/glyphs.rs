//! A line of text as the signs that grids are made of, one byte each: whatever draws a line, a space or a point is the same,
//! and what only surrounds a grid (quoting, code tags, quotes, the name of a list) is space.

/// A heavy or double upright line, where others are light.
pub(super) const HEAVY: u8 = 0x1d;
/// A light level line that is no hyphen, which might stand for an empty cell.
const LEVEL: u8 = 0x1c;
/// A letter outside ASCII.
const LETTER: u8 = 0x1e;
/// Anything else outside ASCII, or a control character.
const OTHER: u8 = 0x1f;

/// Tags that begin or end code in forums and pages, and what ends lines there and in programs.
const TAGS: [&[u8]; 15] = [
    b"[code]", b"[/code]", b"[tt]", b"[/tt]", b"<pre>", b"</pre>", b"<code>", b"</code>", b"<br>", b"<br/>", b"<br />",
    b"\\hline", b"\\\\", b"\" +", b"' +",
];

/// The signs of a line.
#[derive(Debug, Default)]
pub(super) struct Glyphs {
    /// One byte each.
    pub(super) bytes: Vec<u8>,
    /// Where signs are that are coloured as `show` colours solved digits.
    solved: Vec<usize>,
    /// There are colours or other sequences for terminals whose meaning is not known.
    pub(super) is_strange: bool,
    /// The name of a list stood before it (`board = [[5, 3, ...`).
    pub(super) is_named: bool,
}

impl Glyphs {
    /// Takes another line.
    pub(super) fn read(&mut self, line: &[u8]) {
        self.bytes.clear();
        self.solved.clear();
        (self.is_strange, self.is_named) = (false, false);
        if line.iter().all(|&byte| (b' '..=b'~').contains(&byte)) {
            self.bytes.extend_from_slice(line);
        } else {
            self.decode(line);
        }
        self.clear_surroundings();
    }

    /// Whether a sign is coloured as solved digits are.
    pub(super) fn is_solved(&self, at: usize) -> bool {
        self.solved.contains(&at)
    }

    fn decode(&mut self, line: &[u8]) {
        let (mut is_solved, mut rest) = (false, line);
        while let Some((&byte, after)) = rest.split_first() {
            if byte == 0x1b {
                let (sequence, next) = sequence(after);
                rest = next;
                match sequence.map(colours) {
                    Some(Some(solved)) => is_solved = solved,
                    _ => self.is_strange = true,
                }
                continue;
            }
            let text = &rest[..rest.len().min(4)];
            let character = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
            rest = &rest[character.map_or(1, char::len_utf8)..];
            if let Some(glyph) = character.map_or(Some(OTHER), glyph) {
                self.solved.extend(is_solved.then_some(self.bytes.len()));
                self.bytes.push(glyph);
            }
        }
    }

    fn clear_surroundings(&mut self) {
        let bytes = &mut self.bytes;
        // Quoted in a mail, or a comment in a program: `> 53..7....`.
        let quoting = bytes.iter().take_while(|byte| b"> /".contains(byte)).count();
        bytes[..quoting].fill(b' ');
        if self.solved.is_empty() {
            clear_comment(bytes);
            clear_tags(bytes);
        }
        if let Some(name) = name_of_list(bytes) {
            bytes[..name].fill(b' ');
            self.is_named = true;
        }
        bytes.iter_mut().filter(|byte| b"\"`".contains(byte)).for_each(|byte| *byte = b' ');
        if let Some(bullet) = bullet(bytes) {
            bytes[bullet] = b' ';
        }
        if is_drawn_with_hashes(bytes) {
            // As `show --ascii` draws heavy lines.
            let is_border = memchr::memmem::find(bytes, b"---").or(memchr::memmem::find(bytes, b"===")).is_some();
            let line = if is_border { b'+' } else { HEAVY };
            bytes.iter_mut().filter(|byte| **byte == b'#').for_each(|byte| *byte = line);
        }
        clear_other_bars(bytes);
    }
}

/// The parameters of an escape sequence for colours, if it is one, and what follows it.
fn sequence(after: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some(body) = after.strip_prefix(b"[") else { return (None, after) };
    let length = body.iter().take_while(|&&byte| byte.is_ascii_digit() || byte == b';').count();
    match body.get(length) {
        Some(b'm') => (Some(&body[..length]), &body[length + 1..]),
        _ => (None, body),
    }
}

/// Whether what follows these parameters is coloured as `show` colours solved digits; nothing if that cannot be said: other
/// colours may be those of black cells or of further groups.
fn colours(parameters: &[u8]) -> Option<bool> {
    match parameters {
        b"" | b"0" | b"1" | b"2" => Some(false),
        b"36" => Some(true),
        _ => None,
    }
}

/// The sign of a character; none if it has no width.
fn glyph(character: char) -> Option<u8> {
    Some(match character {
        '\t' | ' '..='~' => character as u8,
        '┃' | '┇' | '┋' | '╏' | '║' | '╹' | '╻' => HEAVY,
        '│' | '┆' | '┊' | '╎' | '╵' | '╷' | '╽' | '╿' | '¦' => b'|',
        '━' | '┅' | '┉' | '╍' | '═' | '╸' | '╺' => b'=',
        '─' | '┄' | '┈' | '╌' | '╴' | '╶' | '╼' | '╾' => LEVEL,
        '\u{2500}'..='\u{257f}' => b'+',
        '·' | '•' | '∙' | '⋅' | '□' | '▢' | '◻' | '☐' | '⬜' => b'.',
        '–' | '—' | '−' | '‐' | '‑' => b'-',
        '“' | '”' | '„' => b'"',
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{20e3}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => return None,
        _ if character.is_whitespace() => b' ',
        _ if character.is_alphabetic() => LETTER,
        _ => OTHER,
    })
}

/// What follows the bracket at the end of a list as a comment is taken away.
fn clear_comment(bytes: &mut Vec<u8>) {
    let Some(bracket) = memchr::memrchr2(b']', b'}', bytes) else { return };
    let rest = bytes[bracket + 1..].trim_ascii_start();
    let rest = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
    if rest.starts_with(b"#") || rest.starts_with(b"//") {
        bytes.truncate(bracket + 1);
    }
}

/// Tags at the ends of a line are taken away: what stands beside them keeps its column.
fn clear_tags(bytes: &mut Vec<u8>) {
    loop {
        let start = bytes.len() - bytes.trim_ascii_start().len();
        let end = bytes.trim_ascii_end().len().max(start);
        let rest = &bytes[start..end];
        let same = |part: Option<&[u8]>, tag: &[u8]| part.is_some_and(|part| part.eq_ignore_ascii_case(tag));
        let first = TAGS.iter().find(|tag| same(rest.get(..tag.len()), tag));
        let last = TAGS.iter().find(|tag| same(rest.len().checked_sub(tag.len()).map(|at| &rest[at..]), tag));
        match (first, last) {
            (Some(tag), _) => _ = bytes.drain(start..start + tag.len()),
            (None, Some(tag)) => bytes.truncate(end - tag.len()),
            (None, None) => return,
        }
    }
}

/// Where the mark of a list stands before its one word: `- 53..7....`.
fn bullet(bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().position(|&byte| byte != b' ')?;
    let is_mark = b"-*".contains(&bytes[start]) && bytes.get(start + 1) == Some(&b' ');
    let word = bytes[start + 1..].trim_ascii();
    (is_mark && word.len() >= 9 && !word.contains(&b' ')).then_some(start)
}

/// Whether a line is one of a drawing whose heavy lines are `#`, not a comment.
fn is_drawn_with_hashes(bytes: &[u8]) -> bool {
    let line = bytes.trim_ascii();
    let lines = line.iter().filter(|byte| b"#|+".contains(byte)).count();
    line.starts_with(b"#") && line.ends_with(b"#") && lines >= 8
}

/// `!`, `:` and `&` between spaces are upright lines, where several of one stand in a line; `!` beside cells too, where no other
/// upright line does. The point after LaTeX's row of a sudoku is none of it.
fn clear_other_bars(bytes: &mut [u8]) {
    let bars = bytes.iter().filter(|byte| [b'|', HEAVY].contains(byte)).count();
    for sign in *b"!:&" {
        let is_space = |at: Option<usize>| at.is_none_or(|at| bytes.get(at).is_none_or(|&byte| byte == b' '));
        let is_alone = |at: usize| is_space(at.checked_sub(1)) && is_space(Some(at + 1));
        let may_touch = sign == b'!' && bars == 0;
        let bars: Vec<usize> = memchr::memchr_iter(sign, bytes).filter(|&at| may_touch || is_alone(at)).collect();
        if bars.len() >= 2 {
            bars.iter().for_each(|&at| bytes[at] = b'|');
        }
    }
    if let [b'|', .., b'|', b'.'] = bytes.trim_ascii()
        && bars == 10
    {
        let point = bytes.trim_ascii_end().len() - 1;
        bytes[point] = b' ';
    }
}

/// Bytes of the name of a list, or of a string, before its first bracket or quote: `board = `, `"puzzle": `, `int grid[9][9] = `, `array(`.
fn name_of_list(bytes: &[u8]) -> Option<usize> {
    let is_bracket = |byte: &u8| b"[{(\"'".contains(byte);
    let ends = memchr::memchr3_iter(b'=', b':', b'(', bytes);
    let mut names = ends.filter(|&at| bytes[at + 1..].trim_ascii_start().first().is_some_and(is_bracket));
    // `A: [5, 3, ...` has a label, `a = [5, 3, ...` a name.
    let is_name =
        |at: &usize| has_word(&bytes[..*at]) || bytes[*at] == b'=' && bytes[..*at].iter().any(u8::is_ascii_alphabetic);
    names.find(is_name).filter(|&at| !has_member(&bytes[..at])).map(|at| at + 1)
}

/// Whether a member with its value, and the comma after it, stand before the name of a list: `{"id": 2, "puzzle"`. Commas between the
/// brackets of types and in the arguments of a call are not meant.
fn has_member(name: &[u8]) -> bool {
    let start = name.iter().take_while(|byte| b" {[(".contains(byte)).count();
    let (mut depth, mut has_value) = (0_u32, false);
    for (at, &byte) in name.iter().enumerate().skip(start) {
        match byte {
            b'[' | b'<' => depth += 1,
            b']' | b'>' => depth = depth.saturating_sub(1),
            b'(' => has_value = false,
            b':' if name[start..at].ends_with(b":") || name.get(at + 1) == Some(&b':') => {}
            b':' | b'=' => has_value = true,
            b',' if depth == 0 && has_value => return true,
            _ => {}
        }
    }
    false
}

/// Whether there is a word of a language among signs: two letters of which one is not that of an empty cell. One letter again
/// and again is a sign for empty cells that is not known, not a word.
pub(super) fn has_word(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == LETTER;
    bytes
        .split(|byte| !is_letter(byte))
        .any(|run| run.contains(&LETTER) || run.windows(2).any(|pair| !pair[0].eq_ignore_ascii_case(&pair[1])))
}

/// Whether a sign is of a line that stands between rows, or of a space or an upright line in it.
pub(super) fn is_of_border(byte: u8) -> bool {
    byte == LEVEL || byte == HEAVY || b"-=_~*+|:.'` ".contains(&byte)
}

/// Whether there is a level line among signs that are all of a border.
pub(super) fn is_level(bytes: &[u8]) -> bool {
    let is_run = |three: &[u8]| b"-=_~*".contains(&three[0]) && three[1..] == [three[0]; 2];
    bytes.contains(&LEVEL) || bytes.contains(&b'+') || bytes.windows(3).any(is_run)
}

/// Whether a level line changes its weight: it follows regions, not boxes.
pub(super) fn is_uneven(bytes: &[u8]) -> bool {
    let has = |two: &[u8]| memchr::memmem::find(bytes, two).is_some();
    bytes.contains(&LEVEL) && bytes.contains(&b'=') || has(b"--") && has(b"==")
}
