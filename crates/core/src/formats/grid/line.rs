//! Splits a line into tokens, and finds the spans of the nine cells of a row for each known layout.

use super::glyphs::{Glyphs, HEAVY_BAR};

/// The glyphs and tokens of a line.
#[derive(Debug, Default)]
pub(super) struct TokenLine {
    pub(super) glyphs: Glyphs,
    pub(super) tokens: Vec<Token>,
}

/// A word, or a separator between words. Spaces are not tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Its span in the glyphs of the line.
    pub(super) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// A light vertical line.
    Bar,
    /// A heavy vertical line.
    HeavyBar,
    /// A comma or semicolon.
    Comma,
    Tab,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
}

/// A range of the glyphs of a line. The span of a cell in which nothing is written is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// How the nine cells of a row are written. All rows of a grid have the same layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowLayout {
    /// One word for each cell: `5 3 . | . 7 . | . . .`.
    Words,
    /// One glyph for each cell, in words of three or nine: `53. .7. ...`.
    Compact,
    /// Separated by commas, with or without brackets. A cell may have no text.
    Commas,
    /// Separated by tabs. There may be a tab before the first cell or after the last.
    Tabs(Edges),
    /// Separated by bars, with or without bars at the edges.
    Bars(Edges),
    /// In fixed columns between the bars of the boxes, where a space is an empty cell: `| 5 3   |   7   |       |`.
    Columns { edges: Edges, geometry: BoxGeometry, start: usize, step: usize },
}

/// The width of a box in glyphs, the start of the second box, and the number of other glyphs at the left and right edge
/// of the row, for example next to a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoxGeometry {
    pub(super) width: usize,
    second_start: usize,
    margins: [usize; 2],
}

/// Whether the separator of cells also precedes the first cell (`left`), and whether it follows the last (`right`).
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

impl Span {
    pub(super) fn of<'g>(&self, glyphs: &'g Glyphs) -> &'g [u8] {
        &glyphs.bytes[self.start..self.end]
    }
}

impl TokenKind {
    fn is_bar(self) -> bool {
        matches!(self, Self::Bar | Self::HeavyBar)
    }
}

impl TokenLine {
    /// Replaces the content by another line.
    pub(super) fn read(&mut self, text: &[u8]) {
        self.glyphs.read(text);
        self.tokens.clear();
        let bytes = &self.glyphs.bytes;
        // Round brackets are marks beside a digit, unless they belong to a list or are words of their own.
        let is_list = bytes.contains(&b',') || bytes.starts_with(b"( ") || bytes.ends_with(b" )");
        let kind = |byte: u8| match byte {
            b'|' => Some(TokenKind::Bar),
            HEAVY_BAR => Some(TokenKind::HeavyBar),
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
                let span = Span { start: at, end: at + length };
                self.tokens.push(Token { kind: kind(byte).unwrap_or(TokenKind::Word), span });
            }
            at += length.max(1);
        }
        self.unquote();
    }

    /// Removes single quotes around each word, or around all words together.
    fn unquote(&mut self) {
        let bytes = &self.glyphs.bytes;
        let is_quote = |at: usize| bytes.get(at) == Some(&b'\'');
        for Token { kind, span } in &mut self.tokens {
            if *kind == TokenKind::Word && span.end - span.start >= 2 && is_quote(span.start) && is_quote(span.end - 1)
            {
                (span.start, span.end) = (span.start + 1, span.end - 1);
            }
        }
        let first = self.tokens.iter().position(|token| token.kind == TokenKind::Word);
        let last = self.tokens.iter().rposition(|token| token.kind == TokenKind::Word);
        // Nothing is left of a word of two quotes.
        let is_empty = |at: usize| self.tokens[at].span.start == self.tokens[at].span.end;
        if let (Some(first), Some(last)) = (first, last)
            && first < last
            && !is_empty(first)
            && !is_empty(last)
            && is_quote(self.tokens[first].span.start)
            && is_quote(self.tokens[last].span.end - 1)
        {
            self.tokens[first].span.start += 1;
            self.tokens[last].span.end -= 1;
        }
    }

    /// Returns the words of the line.
    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = &[u8]> + Clone {
        self.tokens.iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.span.of(&self.glyphs))
    }

    /// Finds the spans of the nine cells in tokens of this line, if the tokens have that layout.
    pub(super) fn cell_spans(&self, tokens: &[Token], layout: RowLayout) -> Option<[Span; 9]> {
        let tokens = without_brackets(tokens)?;
        match layout {
            RowLayout::Commas => {
                let tokens = without_outer_bars(tokens);
                let is_last = tokens.last().is_some_and(|token| token.kind == TokenKind::Comma);
                let row = |right| split_in_nine(tokens, |kind| kind == TokenKind::Comma, Edges { left: false, right });
                part_spans(row(false).or_else(|| row(true).filter(|_| is_last))?)
            }
            RowLayout::Tabs(edges) => part_spans(split_in_nine(tokens, |kind| kind == TokenKind::Tab, edges)?),
            RowLayout::Bars(edges) => {
                let parts = split_in_nine(tokens, TokenKind::is_bar, edges)?;
                bars_fit(tokens, |token| usize::from(token.kind.is_bar()), usize::from(!edges.left)).then_some(())?;
                part_spans(parts)
            }
            RowLayout::Words => word_spans(without_comma(tokens)),
            RowLayout::Compact => compact_spans(without_comma(tokens)),
            RowLayout::Columns { edges, geometry, start, step } => {
                let (boxes, _) = self.box_spans(tokens, edges).filter(|(_, found)| *found == geometry)?;
                column_spans(tokens, boxes, start, step)
            }
        }
    }

    /// Splits tokens at bars into nine fields of any number of tokens.
    pub(super) fn fields<'t>(&self, tokens: &'t [Token], edges: Edges) -> Option<[&'t [Token]; 9]> {
        let fields = split_in_nine(tokens, TokenKind::is_bar, edges)?;
        bars_fit(tokens, |token| usize::from(token.kind.is_bar()), usize::from(!edges.left)).then_some(fields)
    }

    /// Finds the spans of the three boxes of a row between bars.
    fn box_spans(&self, tokens: &[Token], edges: Edges) -> Option<([Span; 3], BoxGeometry)> {
        let mut bars = [Span::default(); 4];
        let mut count = 0;
        for token in tokens.iter().filter(|token| token.kind.is_bar()) {
            *bars.get_mut(count)? = token.span;
            count += 1;
        }
        if count != 2 + edges.count() {
            return None;
        }
        let inner = usize::from(edges.left);
        let (first, second) = (bars[inner], bars[inner + 1]);
        let width = second.start - first.end;
        let (left, right) = (first.start.checked_sub(width)?, second.end + width);
        let margins = [
            if edges.left { left.checked_sub(bars[0].end)? } else { 0 },
            match edges.right {
                true => bars[inner + 2].start.checked_sub(right)?,
                // Trailing spaces may have been lost, but a row with more of them than expected has been shifted.
                false => self.glyphs.bytes.len().saturating_sub(right),
            },
        ];
        let spans = [(left, first.start), (first.end, second.start), (second.end, right)];
        Some((spans.map(|(start, end)| Span { start, end }), BoxGeometry { width, second_start: first.end, margins }))
    }

    /// Returns the box geometry of a row whose cells are in fixed columns.
    pub(super) fn box_geometry(&self, tokens: &[Token], edges: Edges) -> Option<BoxGeometry> {
        self.box_spans(tokens, edges).map(|(_, geometry)| geometry)
    }
}

/// Returns the tokens inside the brackets of a row, or all tokens if there are no brackets. None if there are other
/// brackets.
fn without_brackets(tokens: &[Token]) -> Option<&[Token]> {
    // In some lists the comma between two rows is at the start of a line.
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

/// Returns the tokens without the bar at one end or both, as in a MiniZinc array: `5, 3, _, ..., _|`.
fn without_outer_bars(tokens: &[Token]) -> &[Token] {
    let is_bar = |token: &&Token| token.kind == TokenKind::Bar;
    let tokens = &tokens[usize::from(tokens.first().filter(is_bar).is_some())..];
    &tokens[..tokens.len() - usize::from(tokens.last().filter(is_bar).is_some())]
}

/// Returns the tokens without the comma at one end that separates the rows of a list.
fn without_comma(tokens: &[Token]) -> &[Token] {
    match tokens {
        [row @ .., Token { kind: TokenKind::Comma, .. }] | [Token { kind: TokenKind::Comma, .. }, row @ ..] => row,
        _ => tokens,
    }
}

/// Splits tokens at separators into nine parts. Separators at the edges have nothing outside them.
fn split_in_nine(tokens: &[Token], separates: impl Fn(TokenKind) -> bool, edges: Edges) -> Option<[&[Token]; 9]> {
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

/// Returns the spans of nine parts of which each is one word or nothing.
fn part_spans(parts: [&[Token]; 9]) -> Option<[Span; 9]> {
    let mut spans = [Span::default(); 9];
    for (span, part) in spans.iter_mut().zip(parts) {
        let mut tokens = part.iter().filter(|token| token.kind != TokenKind::Tab);
        *span = match (tokens.next(), tokens.next()) {
            (None, _) => Span::default(),
            (Some(&Token { kind: TokenKind::Word, span }), None) => span,
            _ => return None,
        };
    }
    Some(spans)
}

/// Returns the spans of nine cells in the layout [`RowLayout::Words`].
fn word_spans(tokens: &[Token]) -> Option<[Span; 9]> {
    let mut spans = [Span::default(); 9];
    let mut count = 0;
    for token in tokens {
        match token.kind {
            TokenKind::Word => {
                *spans.get_mut(count)? = token.span;
                count += 1;
            }
            TokenKind::Bar | TokenKind::HeavyBar | TokenKind::Tab => {}
            TokenKind::Comma | TokenKind::Open | TokenKind::Close => return None,
        }
    }
    (count == 9 && bars_fit(tokens, |token| usize::from(token.kind == TokenKind::Word), 0)).then_some(spans)
}

/// Returns the spans of nine cells in the layout [`RowLayout::Compact`].
fn compact_spans(tokens: &[Token]) -> Option<[Span; 9]> {
    let mut spans = [Span::default(); 9];
    let mut count = 0;
    for Token { kind, span } in tokens {
        match kind {
            TokenKind::Word if matches!(span.end - span.start, 3 | 9) => {
                for at in span.start..span.end {
                    *spans.get_mut(count)? = Span { start: at, end: at + 1 };
                    count += 1;
                }
            }
            TokenKind::Bar | TokenKind::HeavyBar | TokenKind::Tab => {}
            _ => return None,
        }
    }
    let glyphs = |token: &Token| if token.kind == TokenKind::Word { token.span.end - token.span.start } else { 0 };
    (count == 9 && bars_fit(tokens, glyphs, 0)).then_some(spans)
}

/// Whether bars are only where a sudoku has them: between boxes or between all cells; and heavy bars among light ones
/// only between boxes. `cells` returns how many cells a token takes, `first` is how many cells precede the first token.
fn bars_fit(tokens: &[Token], cells: impl Fn(&Token) -> usize, first: usize) -> bool {
    const INNER: u32 = 0b1_1111_1110;
    const BOXES: u32 = 1 << 3 | 1 << 6;
    let (mut light, mut heavy, mut before) = (0, 0, first);
    for token in tokens {
        // The bit of a bar is the number of cells before it.
        match token.kind {
            TokenKind::Bar => light |= 1 << before.min(31),
            TokenKind::HeavyBar => heavy |= 1 << before.min(31),
            _ => {}
        }
        before += cells(token);
    }
    let (light, heavy) = (light & INNER, heavy & INNER);
    let all = light | heavy;
    (all & !BOXES == 0 || all == INNER) && (light == 0 || heavy == 0 || heavy == BOXES && light & BOXES == 0)
}

/// Finds cells in fixed columns: in each box, the glyphs at `start`, `start + step` and `start + 2 * step`.
fn column_spans(tokens: &[Token], boxes: [Span; 3], start: usize, step: usize) -> Option<[Span; 9]> {
    let mut spans = [Span::default(); 9];
    for Token { kind, span } in tokens {
        match kind {
            TokenKind::Word => {}
            TokenKind::Bar | TokenKind::HeavyBar => continue,
            _ => return None,
        }
        for at in span.start..span.end {
            let index = boxes.iter().position(|span| (span.start..span.end).contains(&at))?;
            let offset = (at - boxes[index].start).checked_sub(start).filter(|offset| offset % step == 0)?;
            let column = Some(offset / step).filter(|&column| column < 3)?;
            spans[3 * index + column] = Span { start: at, end: at + 1 };
        }
    }
    Some(spans)
}
