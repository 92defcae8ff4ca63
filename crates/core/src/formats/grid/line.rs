//! A line as tokens, and the places of nine cells in it, for each layout of a row that is known.

use super::glyphs::{Glyphs, HEAVY};

/// A line, its signs and its tokens.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) glyphs: Glyphs,
    pub(super) tokens: Vec<Token>,
}

/// A word, or a sign that stands between words. Spaces are no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Where it stands among the signs.
    pub(super) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// An upright line, light or heavy.
    Bar,
    Heavy,
    /// A comma or semicolon.
    Comma,
    Tab,
    /// Brackets.
    Open,
    Close,
}

/// Where something stands among the signs of a line. An empty place is that of a cell in which nothing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// How the nine cells of a row stand. All rows of a grid stand in one layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowLayout {
    /// A word each: `5 3 . | . 7 . | . . .`.
    Words,
    /// A sign each, nine or three together: `53. .7. ...`.
    Compact,
    /// Between commas, in brackets or not; nothing may stand between two of them.
    Commas,
    /// Between tabs, of which one may stand before or after all cells.
    Tabs(Edges),
    /// Between upright lines, with or without those at the edges.
    Bars(Edges),
    /// In columns between the upright lines of boxes, where a space is an empty cell: `| 5 3   |   7   |       |`.
    Columns { edges: Edges, shape: Shape, start: usize, step: usize },
}

/// The signs of a box in a row, where the second box begins, and how many signs there are at the left and right edge besides:
/// beside a label for example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) width: usize,
    second: usize,
    room: [usize; 2],
}

/// Whether something stands at the left and at the right edge of a row that also stands between its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edges {
    pub(super) left: bool,
    pub(super) right: bool,
}

impl Edges {
    pub(super) const ALL: [Self; 4] = [
        Self { left: false, right: false },
        Self { left: true, right: false },
        Self { left: false, right: true },
        Self { left: true, right: true },
    ];

    fn count(self) -> usize {
        usize::from(self.left) + usize::from(self.right)
    }
}

impl Place {
    pub(super) fn of<'g>(&self, glyphs: &'g Glyphs) -> &'g [u8] {
        &glyphs.bytes[self.start..self.end]
    }
}

impl TokenKind {
    fn is_bar(self) -> bool {
        matches!(self, Self::Bar | Self::Heavy)
    }
}

impl Line {
    /// Takes another line.
    pub(super) fn read(&mut self, text: &[u8]) {
        self.glyphs.read(text);
        self.tokens.clear();
        let bytes = &self.glyphs.bytes;
        // Round brackets are marks beside a digit, unless they are those of a list or stand alone.
        let is_list = bytes.contains(&b',') || bytes.starts_with(b"( ") || bytes.ends_with(b" )");
        let kind = |byte: u8| match byte {
            b'|' => Some(TokenKind::Bar),
            HEAVY => Some(TokenKind::Heavy),
            b',' | b';' => Some(TokenKind::Comma),
            b'\t' => Some(TokenKind::Tab),
            b'[' | b'{' => Some(TokenKind::Open),
            b']' | b'}' => Some(TokenKind::Close),
            b'(' if is_list => Some(TokenKind::Open),
            b')' if is_list => Some(TokenKind::Close),
            _ => None,
        };
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let length = match kind(byte) {
                Some(_) => 1,
                None => bytes[at..].iter().take_while(|&&byte| byte != b' ' && kind(byte).is_none()).count(),
            };
            if length > 0 {
                let place = Place { start: at, end: at + length };
                self.tokens.push(Token { kind: kind(byte).unwrap_or(TokenKind::Word), place });
            }
            at += length.max(1);
        }
        self.unquote();
    }

    /// Takes single quotes off words that have them on both sides, or off all words together.
    fn unquote(&mut self) {
        let bytes = &self.glyphs.bytes;
        let is_quote = |at: usize| bytes.get(at) == Some(&b'\'');
        for Token { kind, place } in &mut self.tokens {
            if *kind == TokenKind::Word
                && place.end - place.start >= 2
                && is_quote(place.start)
                && is_quote(place.end - 1)
            {
                (place.start, place.end) = (place.start + 1, place.end - 1);
            }
        }
        let first = self.tokens.iter().position(|token| token.kind == TokenKind::Word);
        let last = self.tokens.iter().rposition(|token| token.kind == TokenKind::Word);
        if let (Some(first), Some(last)) = (first, last)
            && first < last
            && is_quote(self.tokens[first].place.start)
            && is_quote(self.tokens[last].place.end - 1)
        {
            self.tokens[first].place.start += 1;
            self.tokens[last].place.end -= 1;
        }
    }

    /// The words of a line.
    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.tokens.iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.place.of(&self.glyphs))
    }

    /// Where the nine cells stand in tokens of this line, if they stand in that layout.
    pub(super) fn places(&self, tokens: &[Token], layout: RowLayout) -> Option<[Place; 9]> {
        let tokens = without_brackets(tokens)?;
        match layout {
            RowLayout::Commas => {
                let is_last = tokens.last().is_some_and(|token| token.kind == TokenKind::Comma);
                let row = |right| parts(tokens, |kind| kind == TokenKind::Comma, Edges { left: false, right });
                places(row(false).or_else(|| row(true).filter(|_| is_last))?)
            }
            RowLayout::Tabs(edges) => places(parts(tokens, |kind| kind == TokenKind::Tab, edges)?),
            RowLayout::Bars(edges) => {
                let parts = parts(tokens, TokenKind::is_bar, edges)?;
                bars_fit(tokens, |token| usize::from(token.kind.is_bar()), usize::from(!edges.left)).then_some(())?;
                places(parts)
            }
            RowLayout::Words => words(without_comma(tokens)),
            RowLayout::Compact => compact(without_comma(tokens)),
            RowLayout::Columns { edges, shape, start, step } => {
                let (groups, _) = self.groups(tokens, edges).filter(|(_, found)| *found == shape)?;
                columns(tokens, groups, start, step)
            }
        }
    }

    /// What stands between upright lines, nine times, each of any number of tokens.
    pub(super) fn fields<'t>(&self, tokens: &'t [Token], edges: Edges) -> Option<[&'t [Token]; 9]> {
        let fields = parts(tokens, TokenKind::is_bar, edges)?;
        bars_fit(tokens, |token| usize::from(token.kind.is_bar()), usize::from(!edges.left)).then_some(fields)
    }

    /// The signs of the three boxes of a row between upright lines.
    fn groups(&self, tokens: &[Token], edges: Edges) -> Option<([Place; 3], Shape)> {
        let mut bars = [Place::default(); 4];
        let mut count = 0;
        for token in tokens.iter().filter(|token| token.kind.is_bar()) {
            *bars.get_mut(count)? = token.place;
            count += 1;
        }
        if count != 2 + edges.count() {
            return None;
        }
        let inner = usize::from(edges.left);
        let (first, second) = (bars[inner], bars[inner + 1]);
        let width = second.start - first.end;
        let (left, right) = (first.start.checked_sub(width)?, second.end + width);
        let room = [
            if edges.left { left.checked_sub(bars[0].end)? } else { 0 },
            match edges.right {
                true => bars[inner + 2].start.checked_sub(right)?,
                // Spaces at the end may be lost, but a row with more of them has been shifted.
                false => self.glyphs.bytes.len().saturating_sub(right),
            },
        ];
        let places = [(left, first.start), (first.end, second.start), (second.end, right)];
        Some((places.map(|(start, end)| Place { start, end }), Shape { width, second: first.end, room }))
    }

    /// The shape of a row whose cells stand in columns.
    pub(super) fn shape(&self, tokens: &[Token], edges: Edges) -> Option<Shape> {
        self.groups(tokens, edges).map(|(_, shape)| shape)
    }
}

/// Tokens without the brackets around them and what stands before and after these; none if there are others.
fn without_brackets(tokens: &[Token]) -> Option<&[Token]> {
    // Some lists have the comma between rows before them.
    let tokens = match tokens {
        [Token { kind: TokenKind::Comma, .. }, list @ ..] if list.first()?.kind == TokenKind::Open => list,
        _ => tokens,
    };
    let start = tokens.iter().take_while(|token| token.kind == TokenKind::Open).count();
    let last = tokens.iter().rposition(|token| token.kind == TokenKind::Word).unwrap_or(start);
    let close = tokens.get(last..)?.iter().position(|token| token.kind == TokenKind::Close);
    let end = close.map_or(tokens.len(), |length| last + length);
    let is_end = |token: &Token| matches!(token.kind, TokenKind::Close | TokenKind::Comma);
    let row = tokens.get(start..end)?;
    let is_whole = row.iter().all(|token| !matches!(token.kind, TokenKind::Open | TokenKind::Close));
    (is_whole && tokens[end..].iter().all(is_end)).then_some(row)
}

/// Tokens without a comma at one end, as it stands between the rows of a list.
fn without_comma(tokens: &[Token]) -> &[Token] {
    match tokens {
        [row @ .., Token { kind: TokenKind::Comma, .. }] | [Token { kind: TokenKind::Comma, .. }, row @ ..] => row,
        _ => tokens,
    }
}

/// What stands between separators, nine times, besides nothing at the edges.
fn parts(tokens: &[Token], separates: impl Fn(TokenKind) -> bool, edges: Edges) -> Option<[&[Token]; 9]> {
    let separators = tokens.iter().filter(|token| separates(token.kind)).count();
    if separators != 8 + edges.count() {
        return None;
    }
    let mut split = tokens.split(|token| separates(token.kind));
    if edges.left && !split.next()?.is_empty() {
        return None;
    }
    let mut parts = [&tokens[..0]; 9];
    for part in &mut parts {
        *part = split.next()?;
    }
    split.all(<[_]>::is_empty).then_some(parts)
}

/// Parts of which each is one word, or nothing.
fn places(parts: [&[Token]; 9]) -> Option<[Place; 9]> {
    let mut places = [Place::default(); 9];
    for (place, part) in places.iter_mut().zip(parts) {
        let mut tokens = part.iter().filter(|token| token.kind != TokenKind::Tab);
        *place = match (tokens.next(), tokens.next()) {
            (None, _) => Place::default(),
            (Some(&Token { kind: TokenKind::Word, place }), None) => place,
            _ => return None,
        };
    }
    Some(places)
}

fn words(tokens: &[Token]) -> Option<[Place; 9]> {
    let mut places = [Place::default(); 9];
    let mut count = 0;
    for token in tokens {
        match token.kind {
            TokenKind::Word => {
                *places.get_mut(count)? = token.place;
                count += 1;
            }
            TokenKind::Bar | TokenKind::Heavy | TokenKind::Tab => {}
            TokenKind::Comma | TokenKind::Open | TokenKind::Close => return None,
        }
    }
    (count == 9 && bars_fit(tokens, |token| usize::from(token.kind == TokenKind::Word), 0)).then_some(places)
}

fn compact(tokens: &[Token]) -> Option<[Place; 9]> {
    let mut places = [Place::default(); 9];
    let mut count = 0;
    for Token { kind, place } in tokens {
        match kind {
            TokenKind::Word if matches!(place.end - place.start, 3 | 9) => {
                for at in place.start..place.end {
                    *places.get_mut(count)? = Place { start: at, end: at + 1 };
                    count += 1;
                }
            }
            TokenKind::Bar | TokenKind::Heavy | TokenKind::Tab => {}
            _ => return None,
        }
    }
    let signs = |token: &Token| if token.kind == TokenKind::Word { token.place.end - token.place.start } else { 0 };
    (count == 9 && bars_fit(tokens, signs, 0)).then_some(places)
}

/// Whether upright lines stand where those of a sudoku may: between boxes or between all cells, and heavy ones among light ones
/// between boxes. `cells` is how many cells a token takes, `first` how many are taken before the first token.
fn bars_fit(tokens: &[Token], cells: impl Fn(&Token) -> usize, first: usize) -> bool {
    const INNER: u32 = 0b1_1111_1110;
    const BOXES: u32 = 1 << 3 | 1 << 6;
    let (mut light, mut heavy, mut before) = (0, 0, first);
    for token in tokens {
        // A line between cells stands after those that it ends.
        match token.kind {
            TokenKind::Bar => light |= 1 << before.min(31),
            TokenKind::Heavy => heavy |= 1 << before.min(31),
            _ => {}
        }
        before += cells(token);
    }
    let (light, heavy) = (light & INNER, heavy & INNER);
    let all = light | heavy;
    (all & !BOXES == 0 || all == INNER) && (light == 0 || heavy == 0 || heavy == BOXES && light & BOXES == 0)
}

/// Cells in columns: in each box the signs at `start`, one step on, and two.
fn columns(tokens: &[Token], groups: [Place; 3], start: usize, step: usize) -> Option<[Place; 9]> {
    let mut places = [Place::default(); 9];
    for Token { kind, place } in tokens {
        match kind {
            TokenKind::Word => {}
            TokenKind::Bar | TokenKind::Heavy => continue,
            _ => return None,
        }
        for at in place.start..place.end {
            let group = groups.iter().position(|group| (group.start..group.end).contains(&at))?;
            let offset = (at - groups[group].start).checked_sub(start).filter(|offset| offset % step == 0)?;
            let column = Some(offset / step).filter(|&column| column < 3)?;
            places[3 * group + column] = Place { start: at, end: at + 1 };
        }
    }
    Some(places)
}
