//! Finds strings with their length before them, as PHP's `serialize` writes them: `s:203:"https://..."`. The length
//! counts the bytes of the value, which a dump contains in escaped form. Strings may be nested, so a change of one byte
//! in a string changes the lengths of all strings around it.
//!
//! This module finds such strings, and tells whether their lengths are right. `escapes` knows how the bytes of a value
//! may be escaped, and `cut` cuts chunks outside of such strings.

mod cut;
mod escapes;

use std::ops::Range;

use memchr::{memchr_iter, memmem};

pub use cut::SerializedCutter;
pub use escapes::Escapes;
use escapes::ValueEnd;

/// Shorter strings are passed if their lengths are right: a link with a board that changes is longer.
const SHORTEST: usize = 24;

/// Strings of this length or more are long: one with a wrong length is taken to reach as far as its length says.
const LONG: usize = 64;

/// How far a string may reach whose length is less and wrong, if nothing closes it in the next [`HEAD`] bytes.
const SHORT_REACH: usize = 64 << 10;

/// The limit for the length of a string in the text. A longer one is treated as one with a wrong length.
const LONGEST: usize = 4 << 20;

/// The most bytes of text for one byte of a value (`\\u0000` and a little more).
const WIDEST: usize = 8;

/// The limit for the text before a string's first byte: its length, quotes, and the name of a class.
const HEAD: usize = 512;

/// The quotes that may enclose a string, and the escapes that are possible with them.
const READINGS: [(&[u8], Escapes); 8] = [
    (b"\"", Escapes::None),
    (b"\"", Escapes::Quotes),
    (b"\"", Escapes::Backslashes),
    (b"\"", Escapes::Both),
    (b"\\\"", Escapes::Backslashes),
    (b"\\\"", Escapes::Both),
    (b"\\\"", Escapes::Json),
    (b"\"\"", Escapes::Csv),
];

/// A string with the right length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerializedString {
    /// The start of its prefix.
    pub start: usize,
    /// The range of its length, as written.
    pub number: Range<usize>,
    /// Its length.
    pub length: usize,
    /// The range of its bytes, as written.
    pub body: Range<usize>,
    /// One past its closing characters.
    pub end: usize,
    /// The ways of escaping that are possible. All of them give this string.
    pub escapes: Vec<Escapes>,
}

/// Text that looks like the start of a string, but whose length is right for no way of escaping, or for several with
/// different ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misfit {
    /// Its first byte.
    pub start: usize,
    /// One past its opening quotes.
    pub after: usize,
    /// The end of the bytes that may belong to it.
    pub until: usize,
    /// The end of the text that was needed to decide.
    pub seen: usize,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchResult {
    /// No string begins in this range.
    Nothing,
    /// A string may begin at this byte, but more text is needed to decide.
    More(usize),
    /// A string.
    String(SerializedString),
    /// Text that looks like a string, but has a wrong length.
    Misfit(Misfit),
}

/// The first string that begins in `places`. `complete` says that nothing follows the text.
pub fn next(text: &[u8], places: Range<usize>, complete: bool) -> SearchResult {
    let mut from = places.start;
    while let Some(start) = letter(text, from..places.end) {
        if !complete && text.len() - start < 2 * HEAD {
            return SearchResult::More(start);
        }
        match opening(text, start) {
            Some(opening) if opening.length >= LONG => return opening.measure(text, complete),
            Some(opening) => match opening.short_misfit(text) {
                Some(misfit) => return SearchResult::Misfit(misfit),
                None if opening.length >= SHORTEST => return opening.measure(text, complete),
                None => from = opening.quotes,
            },
            None => from = start + 2,
        }
    }
    SearchResult::Nothing
}

/// The first letter in `places` that is followed by a colon and a digit: that of a string (`s`, or `S` with escapes of
/// its own), or of an object of a class that serializes itself (`C`).
fn letter(text: &[u8], places: Range<usize>) -> Option<usize> {
    let from = places.start;
    let colons = text.get(from..text.len().min(places.end.saturating_add(1)))?;
    memchr_iter(b':', colons).map(|colon| from + colon).find_map(|colon| {
        let is_one = colon > from
            && matches!(text[colon - 1], b's' | b'S' | b'C')
            && text.get(colon + 1).is_none_or(u8::is_ascii_digit);
        is_one.then(|| colon - 1)
    })
}

/// The text before the first byte of a string.
struct Opening {
    start: usize,
    number: Range<usize>,
    length: usize,
    /// The position of the quotes, or of the bracket of a class.
    quotes: usize,
    /// The quotes of the class's name.
    class: Option<Range<usize>>,
}

/// The text before a string whose letter is at `start`.
fn opening(text: &[u8], start: usize) -> Option<Opening> {
    let (place, length) = number(text, start + 2)?;
    let quotes = place.end + 1;
    let width = quote(&text[quotes..])?;
    if text[start] != b'C' {
        return Some(Opening { start, number: place, length, quotes, class: None });
    }
    // C:11:"ArrayObject":37:{...}
    let class = quotes..quotes + width;
    let close = [&text[class.clone()], b":"].concat();
    let name = &text[class.end..text.len().min(start + HEAD / 2)];
    let (place, length) = number(text, class.end + memmem::find(name, &close)? + close.len())?;
    let bracket = place.end + 1;
    (text.get(bracket) == Some(&b'{')).then_some(Opening {
        start,
        number: place,
        length,
        quotes: bracket,
        class: Some(class),
    })
}

/// A length, and the position after its colon.
fn number(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let digits = text[at..].iter().take(HEAD / 4).take_while(|byte| byte.is_ascii_digit()).count();
    let number = at..at + digits;
    let value = text[number.clone()]
        .iter()
        .fold(0_usize, |value, digit| value.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    (digits > 0 && text.get(number.end) == Some(&b':')).then_some((number, value))
}

/// The length of the quote at the start of a text, in any of the ways in which nested quotes are escaped.
fn quote(text: &[u8]) -> Option<usize> {
    const WAYS: [&[u8]; 6] = [b"\"", b"u0022", b"&quot;", b"&#34;", b"&#034;", b"&#x22;"];
    let backslashes = text.iter().take(HEAD / 8).take_while(|&&byte| byte == b'\\').count();
    let way = WAYS.iter().find(|way| text[backslashes..].starts_with(way))?;
    (*way != WAYS[1] || backslashes > 0).then_some(backslashes + way.len())
}

impl Opening {
    /// If the length of a short string is wrong: where the string ends, as far as anybody can tell.
    fn short_misfit(&self, text: &[u8]) -> Option<Misfit> {
        let opened = match &self.class {
            Some(class) => class.clone(),
            None => self.quotes..self.quotes + quote(&text[self.quotes..])?,
        };
        let after = self.quotes + self.class.as_ref().map_or(opened.len(), |_| 1);
        let close = if self.class.is_some() { b"}".to_vec() } else { [&text[opened], b";"].concat() };
        // Nearly all strings are written as they are.
        if text.get(after + self.length..).is_some_and(|rest| rest.starts_with(&close)) {
            return None;
        }
        match self.measure(text, true) {
            SearchResult::Misfit(misfit) => {
                let near = &text[after..text.len().min(self.start + HEAD)];
                let end = memmem::find(near, &close).map_or(after + SHORT_REACH, |end| after + end);
                Some(Misfit { until: end, ..misfit })
            }
            _ => None,
        }
    }

    /// Finds the end of the string for each way of escaping.
    fn measure(&self, text: &[u8], complete: bool) -> SearchResult {
        let after = self.quotes + self.class.as_ref().map_or_else(|| quote(&text[self.quotes..]).unwrap_or(1), |_| 1);
        let until = self.quotes.saturating_add(self.length.saturating_mul(WIDEST));
        let mut misfit = Misfit { start: self.start, after, until, seen: after };
        let mut fits: Vec<(Range<usize>, usize, Escapes)> = Vec::new();
        for (quotes, escapes) in READINGS {
            let Some((body, close)) = self.body(text, quotes).filter(|_| self.length <= LONGEST) else { continue };
            let end = match escapes.find_end(text, body, self.length, LONGEST) {
                ValueEnd::At(end) if text.len() - end >= close.len() => end,
                ValueEnd::Past => continue,
                ValueEnd::At(_) | ValueEnd::Short if complete => continue,
                ValueEnd::At(_) | ValueEnd::Short => return SearchResult::More(self.start),
            };
            if text[end..].starts_with(&close) {
                misfit.seen = misfit.seen.max(end + close.len());
                fits.push((body..end, end + close.len(), escapes));
            }
        }
        // Where double quotes are doubled, so are those around a string.
        if fits.iter().any(|fit| fit.2 == Escapes::Csv) {
            fits.retain(|fit| fit.2 == Escapes::Csv);
        }
        match fits.first().cloned() {
            Some((body, end, _)) if fits.iter().all(|fit| fit.0 == body) => SearchResult::String(SerializedString {
                start: self.start,
                number: self.number.clone(),
                length: self.length,
                body,
                end,
                escapes: fits.into_iter().map(|(_, _, escapes)| escapes).collect(),
            }),
            _ => SearchResult::Misfit(misfit),
        }
    }

    /// The string's first byte, if it is enclosed in such quotes, and what closes it.
    fn body(&self, text: &[u8], quotes: &[u8]) -> Option<(usize, Vec<u8>)> {
        match &self.class {
            Some(class) => (text[class.clone()] == *quotes).then(|| (self.quotes + 1, b"}".to_vec())),
            None => {
                text[self.quotes..].starts_with(quotes).then(|| (self.quotes + quotes.len(), [quotes, b";"].concat()))
            }
        }
    }
}
