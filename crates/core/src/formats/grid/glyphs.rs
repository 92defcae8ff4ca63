//! Normalises a line of text to the glyphs that grids are made of, one byte each. All characters that draw the same
//! kind of line, space or dot become the same glyph. What only surrounds a grid (quoting, code tags, quotes, the name
//! of a list) becomes spaces.

/// Signs for an empty cell.
pub(super) const EMPTY_SIGNS: &[u8] = b"0.Xx*_-?";
/// A heavy or double vertical line, in a drawing whose other lines are light.
pub(super) const HEAVY_BAR: u8 = 0x1d;
/// A light horizontal line that is not a hyphen. (A hyphen may also be the sign for an empty cell.)
const LIGHT_RULE: u8 = 0x1c;
/// A letter outside ASCII.
const LETTER: u8 = 0x1e;
/// Any other character outside ASCII, or a control character.
pub(super) const OTHER: u8 = 0x1f;

/// Tags that begin or end code in forums and web pages, and what ends a line in HTML, in LaTeX and in program code.
const TAGS: [&[u8]; 15] = [
    b"[code]", b"[/code]", b"[tt]", b"[/tt]", b"<pre>", b"</pre>", b"<code>", b"</code>", b"<br>", b"<br/>", b"<br />",
    b"\\hline", b"\\\\", b"\" +", b"' +",
];

/// The glyphs of a line.
#[derive(Debug, Default)]
pub(super) struct Glyphs {
    /// One byte for each glyph.
    pub(super) bytes: Vec<u8>,
    /// The positions of glyphs in the colour that `show` gives to solved digits, or after a `+`.
    solved: Vec<usize>,
    /// The line has colours or other escape sequences whose meaning is not known.
    pub(super) has_unknown_escape: bool,
    /// The name of a list preceded the glyphs (`board = [[5, 3, ...`).
    pub(super) has_list_name: bool,
}

impl Glyphs {
    /// Replaces the glyphs by those of another line.
    pub(super) fn read(&mut self, line: &[u8]) {
        self.bytes.clear();
        self.solved.clear();
        (self.has_unknown_escape, self.has_list_name) = (false, false);
        if line.iter().all(|&byte| (b' '..=b'~').contains(&byte)) {
            self.bytes.extend_from_slice(line);
        } else {
            self.decode(line);
        }
        // Most rows: nothing in them surrounds a grid.
        if self.bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b" .,_".contains(byte)) {
            return;
        }
        self.clear_surroundings();
        if memchr::memchr(b'+', &self.bytes).is_some() {
            self.take_signs_of_placed_digits();
        }
    }

    /// Whether a glyph is that of a solved digit.
    pub(super) fn is_solved(&self, at: usize) -> bool {
        self.solved.contains(&at)
    }

    /// Converts a line that has characters other than printable ASCII.
    fn decode(&mut self, line: &[u8]) {
        let (mut is_solved, mut rest) = (false, line);
        while let Some((&byte, after)) = rest.split_first() {
            if byte == 0x1b {
                let (sequence, next) = split_escape(after);
                rest = next;
                match sequence.map(is_solved_colour) {
                    Some(Some(solved)) => is_solved = solved,
                    _ => self.has_unknown_escape = true,
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

    /// Removes what only surrounds a grid, or replaces it by spaces.
    fn clear_surroundings(&mut self) {
        let bytes = &mut self.bytes;
        // Quoted in a mail, or a comment in a program: `> 53..7....`.
        let quoting = bytes.iter().take_while(|byte| b"> /".contains(byte)).count();
        bytes[..quoting].fill(b' ');
        if self.solved.is_empty() {
            clear_comment(bytes);
            clear_tags(bytes);
        }
        if let Some(name) = list_name_length(bytes) {
            bytes[..name].fill(b' ');
            self.has_list_name = true;
        }
        bytes.iter_mut().filter(|byte| b"\"`".contains(byte)).for_each(|byte| *byte = b' ');
        if let Some(bullet) = bullet_position(bytes) {
            bytes[bullet] = b' ';
        }
        if is_drawn_with_hashes(bytes) {
            // `show --ascii` draws heavy lines with `#`.
            let is_border = memchr::memmem::find(bytes, b"---").or(memchr::memmem::find(bytes, b"===")).is_some();
            let line = if is_border { b'+' } else { HEAVY_BAR };
            bytes.iter_mut().filter(|byte| **byte == b'#').for_each(|byte| *byte = line);
        }
        clear_other_bars(bytes);
    }

    /// Removes the `+` before each placed digit, if the cells of the line have no space between them: `+4.87.32+5.`.
    fn take_signs_of_placed_digits(&mut self) {
        let is_cell = |byte: &u8| byte.is_ascii_digit() || EMPTY_SIGNS.contains(byte);
        let (mut lengths, mut length) = (Vec::new(), 0);
        for (at, byte) in self.bytes.iter().enumerate() {
            match byte {
                b'+' if self.bytes.get(at + 1).is_some_and(|next| (b'1'..=b'9').contains(next)) => {}
                b' ' | b'|' | b'\t' => lengths.push(std::mem::take(&mut length)),
                cell if is_cell(cell) => length += 1,
                _ => return,
            }
        }
        lengths.push(length);
        lengths.retain(|&length| length > 0);
        if !matches!(lengths[..], [9 | 81] | [3, 3, 3]) {
            return;
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for (at, &byte) in self.bytes.iter().enumerate() {
            if byte == b'+' {
                continue;
            }
            if at.checked_sub(1).is_some_and(|before| self.bytes[before] == b'+') {
                self.solved.push(bytes.len());
            }
            bytes.push(byte);
        }
        self.bytes = bytes;
    }
}

/// Splits an escape sequence from the text after it. Returns its parameters if it sets colours.
fn split_escape(after: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some(body) = after.strip_prefix(b"[") else { return (None, after) };
    let length = body.iter().take_while(|&&byte| byte.is_ascii_digit() || byte == b';').count();
    match body.get(length) {
        Some(b'm') => (Some(&body[..length]), &body[length + 1..]),
        _ => (None, body),
    }
}

/// Whether these parameters set the colour that `show` gives to solved digits. None if that is unknown: other colours
/// may mark black cells or groups.
fn is_solved_colour(parameters: &[u8]) -> Option<bool> {
    match parameters {
        b"" | b"0" | b"1" | b"2" => Some(false),
        b"36" => Some(true),
        _ => None,
    }
}

/// Returns the glyph of a character, or none if the character has no width.
fn glyph(character: char) -> Option<u8> {
    Some(match character {
        '\t' | ' '..='~' => character as u8,
        '┃' | '┇' | '┋' | '╏' | '║' | '╹' | '╻' => HEAVY_BAR,
        '│' | '┆' | '┊' | '╎' | '╵' | '╷' | '╽' | '╿' | '¦' => b'|',
        '━' | '┅' | '┉' | '╍' | '═' | '╸' | '╺' => b'=',
        '─' | '┄' | '┈' | '╌' | '╴' | '╶' | '╼' | '╾' => LIGHT_RULE,
        '\u{2500}'..='\u{257f}' => b'+',
        '·' | '•' | '∙' | '⋅' | '□' | '▢' | '◻' | '☐' | '⬜' => b'.',
        '–' | '—' | '−' | '‐' | '‑' => b'-',
        '“' | '”' | '„' => b'"',
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{20e3}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => return None,
        '\u{ff10}'..='\u{ff19}' => b'0' + (character as u32 - 0xff10) as u8,
        _ if character.is_whitespace() => b' ',
        _ if character.is_alphabetic() => LETTER,
        _ => OTHER,
    })
}

/// Removes a comment after the closing bracket of a list.
fn clear_comment(bytes: &mut Vec<u8>) {
    let Some(bracket) = memchr::memrchr2(b']', b'}', bytes) else { return };
    let rest = bytes[bracket + 1..].trim_ascii_start();
    let rest = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
    if rest.starts_with(b"#") || rest.starts_with(b"//") {
        bytes.truncate(bracket + 1);
    }
}

/// Removes tags at the ends of a line, so that the rest begins in the same column as the other lines.
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

/// Returns the position of a list bullet before the only word of a line: `- 53..7....`.
fn bullet_position(bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().position(|&byte| byte != b' ')?;
    let is_mark = b"-*".contains(&bytes[start]) && bytes.get(start + 1) == Some(&b' ');
    let word = bytes[start + 1..].trim_ascii();
    (is_mark && word.len() >= 9 && !word.contains(&b' ')).then_some(start)
}

/// Whether a line that begins with `#` is part of a drawing with heavy lines, and not a comment.
fn is_drawn_with_hashes(bytes: &[u8]) -> bool {
    let line = bytes.trim_ascii();
    let lines = line.iter().filter(|byte| b"#|+".contains(byte)).count();
    // A row of black and white cells has such signs side by side.
    let has = |pair: &[u8]| memchr::memmem::find(line, pair).is_some();
    line.starts_with(b"#") && line.ends_with(b"#") && lines >= 8 && !has(b"##") && !has(b"#.")
}

/// Turns `!`, `:` and `&` into bars, if the line has at least two of the same between spaces. `!` may also touch cells,
/// if the line has no other bars. Also clears the full stop that LaTeX's sudoku environment has after each row.
fn clear_other_bars(bytes: &mut [u8]) {
    let bars = bytes.iter().filter(|byte| [b'|', HEAVY_BAR].contains(byte)).count();
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

/// Returns the length of the name of a list or string before its first bracket or quote: `board = `, `"puzzle": `,
/// `int grid[9][9] = `, `array(`.
fn list_name_length(bytes: &[u8]) -> Option<usize> {
    let is_bracket = |byte: &u8| b"[{(\"'".contains(byte);
    let ends = memchr::memchr3_iter(b'=', b':', b'(', bytes);
    let mut names = ends.filter(|&at| bytes[at + 1..].trim_ascii_start().first().is_some_and(is_bracket));
    // `A: [5, 3, ...` has a label, `a = [5, 3, ...` has a name.
    let is_name =
        |at: &usize| has_word(&bytes[..*at]) || bytes[*at] == b'=' && bytes[..*at].iter().any(u8::is_ascii_alphabetic);
    names.find(is_name).filter(|&at| !has_member(&bytes[..at])).map(|at| at + 1)
}

/// Whether an object's member with its value and a comma precedes the name of a list: `{"id": 2, "puzzle"`. Commas
/// inside the brackets of a type and between the arguments of a call do not count.
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

/// Whether glyphs contain a word of a language: two different letters in sequence, or a letter outside ASCII. The same
/// letter repeated is not a word, but may be an unknown sign for empty cells.
pub(super) fn has_word(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == LETTER;
    bytes
        .split(|byte| !is_letter(byte))
        .any(|run| run.contains(&LETTER) || run.windows(2).any(|pair| !pair[0].eq_ignore_ascii_case(&pair[1])))
}

/// Whether a glyph can be part of a border: of its rules, bars and spaces.
pub(super) fn is_border_glyph(byte: u8) -> bool {
    byte == LIGHT_RULE || byte == HEAVY_BAR || b"-=_~*+|:.'` ".contains(&byte)
}

/// Whether glyphs that can all be part of a border contain a horizontal rule.
pub(super) fn has_rule(bytes: &[u8]) -> bool {
    let is_run = |three: &[u8]| b"-=_~*".contains(&three[0]) && three[1..] == [three[0]; 2];
    bytes.contains(&LIGHT_RULE) || bytes.contains(&b'+') || bytes.windows(3).any(is_run)
}

/// Whether a horizontal rule is partly heavy: it then follows the regions of a jigsaw, not boxes.
pub(super) fn has_mixed_weight(bytes: &[u8]) -> bool {
    let has = |two: &[u8]| memchr::memmem::find(bytes, two).is_some();
    bytes.contains(&LIGHT_RULE) && bytes.contains(&b'=') || has(b"--") && has(b"==")
}
