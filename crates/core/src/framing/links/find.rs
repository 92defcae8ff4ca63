//! Finds the start and end of a link, and its parts: host, page and parameters. Links are found by their parameters,
//! which are rare in other text.

use std::ops::Range;

use memchr::memmem;

use crate::formats::HOSTS_OF_BOARDS;

/// A link to a board.
#[derive(Debug)]
pub(super) struct SolverLink {
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The name of the page, in lower case and without an extension.
    pub page: String,
    /// The parameters of the query, in order.
    pub parameters: Vec<Parameter>,
    /// Whether it is part of the address of another page, such as an archived copy.
    pub inside: bool,
}

/// A parameter of a query.
#[derive(Debug)]
pub(super) struct Parameter {
    /// Its name.
    pub name: String,
    /// The range of what separates it from the previous one: `?`, `&`, `&amp;`, `\u0026` and the like.
    pub separator: Range<usize>,
    /// The range of its value.
    pub value: Range<usize>,
}

/// Hosts that archive pages under their original addresses.
const ARCHIVES: [&str; 6] =
    ["archive.org", "archive.ph", "archive.is", "archive.today", "webcitation.org", "webcache.googleusercontent.com"];

/// The limit for the length of a link. (The longest board has some 4,000 characters.)
pub(super) const LONGEST: usize = 1 << 16;

impl SolverLink {
    /// The link with a parameter that begins at `at`.
    pub(super) fn around(text: &[u8], at: usize, any_host: bool) -> Option<Self> {
        let low = at.saturating_sub(LONGEST);
        let question = low + text[low..at].iter().rposition(|&byte| byte == b'?' || !is_query_byte(byte))?;
        if text[question] != b'?' {
            return None;
        }
        let start = low + suffix_start(&text[low..question], is_address_byte);
        let start = start_of_address(text, start, question);
        let (page, part) = page(&text[start..question], any_host)?;
        let most = text.len().min(question + LONGEST);
        let length = text[at..most].iter().position(|&byte| !is_query_byte(byte));
        let end = length.map_or(most, |length| at + length);
        let parameters = parameters(text, question, before_next(text, at, end));
        // The match may be the end of a longer name.
        let here = parameters.iter().any(|parameter| parameter.separator.end == at);
        let before = low + suffix_start(&text[low..start], is_query_byte);
        let inside = part || is_address_prefix(&text[before..start]);
        here.then_some(Self { start, end: parameters.last()?.value.end, page, parameters, inside })
    }

    /// One past its last letter or digit that belongs to a parameter, not to what separates parameters.
    pub(super) fn last_letter(&self, text: &[u8]) -> usize {
        let last = |parameter: &Parameter| {
            let start = parameter.separator.end;
            let last = text[start..parameter.value.end].iter().rposition(u8::is_ascii_alphanumeric)?;
            Some(start + last + 1)
        };
        self.parameters.iter().rev().find_map(last).unwrap_or(self.end)
    }

    /// The parameters with this name.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Parameter> {
        self.parameters.iter().filter(move |parameter| parameter.name == name)
    }
}

/// The start of the longest suffix of `text` whose bytes all belong.
fn suffix_start(text: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    text.iter().rposition(|&byte| !belongs(byte)).map_or(0, |before| before + 1)
}

/// Whether a byte may occur before the question mark. JSON may write `/` as `\/`.
fn is_address_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'%' | b':' | b'/' | b'@' | b'\\')
}

/// Whether a byte may occur in a query or its fragment: all but space, quotes and brackets.
pub(super) fn is_query_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'`' | b'^')
}

/// The start of an address: its scheme, or else `//`, or else the host. Text that runs into it without a space is not
/// part of it.
fn start_of_address(text: &[u8], start: usize, end: usize) -> usize {
    let address = &text[start..end];
    let lower = address.to_ascii_lowercase();
    let scheme = ["https:", "http:"].iter().filter_map(|scheme| memmem::rfind(&lower, scheme.as_bytes())).max();
    let slashes = || memmem::rfind(address, b"//");
    start + scheme.or_else(slashes).unwrap_or(0)
}

/// The start of the next link, if a query from `at` to `end` runs into one without a space, or else `end`. An address
/// that is the value of a parameter is not a link of its own.
pub(super) fn before_next(text: &[u8], at: usize, end: usize) -> usize {
    let begins = |start: &usize| {
        let rest = &text[*start + 4..end];
        let rest = rest.strip_prefix(b"s").unwrap_or(rest);
        let slashes: Vec<u8> = rest.iter().copied().take(6).filter(|&byte| byte != b'\\').take(3).collect();
        slashes == b"://" && !b"=/".contains(&text[*start - 1])
    };
    memmem::find_iter(&text[at..end], b"http").map(|start| at + start).find(begins).unwrap_or(end)
}

/// Text in lower case, without the backslashes of JSON.
fn normalised(text: &[u8]) -> String {
    String::from_utf8_lossy(text).to_ascii_lowercase().replace('\\', "")
}

/// The page of an address if its host is one of ours, and whether this host is inside the path of another address.
fn page(address: &[u8], any_host: bool) -> Option<(String, bool)> {
    let address = normalised(address);
    let rest = address.strip_prefix("https:").or_else(|| address.strip_prefix("http:")).unwrap_or(&address);
    let mut segments = rest.strip_prefix("//").unwrap_or(rest).split('/').map(host);
    let own = segments.next().is_some_and(|host| HOSTS_OF_BOARDS.contains(&host));
    let part = !own && segments.any(|segment| HOSTS_OF_BOARDS.contains(&segment));
    let page = rest.rsplit('/').next().unwrap_or_default();
    (own || part || any_host).then(|| (page.split('.').next().unwrap_or_default().to_string(), part))
}

/// A host without its port and `www.`.
fn host(text: &str) -> &str {
    let host = text.split(':').next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether the text directly before a link is the address of a page whose path continues with the link's address, or of
/// an archive.
pub(super) fn is_address_prefix(before: &[u8]) -> bool {
    let before = normalised(before);
    if ARCHIVES.iter().any(|archive| before.contains(archive)) {
        return true;
    }
    let outer = before.find("//").map_or(before.as_str(), |slashes| &before[slashes + 2..]);
    let first = outer.trim_start_matches('/').split('/').next().unwrap_or_default();
    let has_host = outer.len() < before.len() && !first.is_empty() || first.contains('.');
    let has_path = before.starts_with('/') && !first.is_empty();
    before.ends_with('/') && (has_host || has_path)
}

/// Splits a query into parameters. Punctuation after a link, such as a full stop or a bracket, is not part of the last
/// value.
fn parameters(text: &[u8], question: usize, end: usize) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut separator = question..question + 1;
    loop {
        let from = separator.end;
        let next = (from..end).find_map(|at| Some(at..at + ampersand(&text[at..end])?));
        let next_is_other = next.as_ref().is_some_and(|next| is_entity(&text[next.end..end]));
        let (stop, mut equals, mut over) = (next.as_ref().map_or(end, |next| next.start), None, from);
        // A fragment ends the query. So does a backslash, which JSON has before a quote or a line end.
        while over < stop && !matches!(text[over], b'#' | b';') {
            match equals_sign(&text[over..stop]).filter(|_| equals.is_none()) {
                Some(width) => {
                    equals = Some(over..over + width);
                    over += width;
                }
                None if text[over] == b'\\' => break,
                None => over += 1,
            }
        }
        let equals = equals.unwrap_or(over..over);
        let name = String::from_utf8_lossy(&text[from..equals.start]).into_owned();
        parameters.push(Parameter { name, separator, value: equals.end..over });
        match next {
            Some(next) if over == stop && !next_is_other => separator = next,
            _ => return parameters,
        }
    }
}

/// The length of the `&` at the start of a text, as URLs, HTML (escaped once or more) and JSON write it.
pub(super) fn ampersand(text: &[u8]) -> Option<usize> {
    if text.first() == Some(&b'\\') {
        return escape(text, b"u0026");
    }
    let mut rest = text.strip_prefix(b"&")?;
    while let Some(more) = rest.strip_prefix(b"amp;") {
        rest = more;
    }
    let number = rest.strip_prefix(b"#x").or_else(|| rest.strip_prefix(b"#X")).map(|digits| (digits, b"26;"));
    let number = number.or_else(|| rest.strip_prefix(b"#").map(|digits| (digits, b"38;")));
    let after = number.and_then(|(digits, code)| {
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        digits[zeros..].strip_prefix(code)
    });
    Some(text.len() - after.unwrap_or(rest).len())
}

/// Whether an ampersand before this text begins the entity of another character (`&quot;`), which is no part of an address.
fn is_entity(after: &[u8]) -> bool {
    /// The length of the longest name of an entity, and some more.
    const LONGEST_NAME: usize = 40;
    let Some(end) = after.iter().take(LONGEST_NAME).position(|&byte| byte == b';') else { return false };
    let name = after[..end].strip_prefix(b"#").unwrap_or(&after[..end]);
    !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric)
}

/// The end of an address in an HTML text, if nothing else ends it before `end`: where the entity of another character
/// begins, or an ampersand that no parameter follows.
pub(super) fn before_entity(text: &[u8], start: usize, end: usize) -> usize {
    let ends = |&at: &usize| {
        let after = ampersand(&text[at..end]).map_or(&[][..], |width| &text[at + width..end]);
        is_entity(after) || !after.iter().any(u8::is_ascii_alphanumeric)
    };
    memchr::memchr_iter(b'&', &text[start..end]).map(|at| start + at).find(ends).unwrap_or(end)
}

/// The end of the fragment that begins at `at`, or `at` if none does.
pub(super) fn after_fragment(text: &[u8], at: usize) -> usize {
    if text.get(at) != Some(&b'#') {
        return at;
    }
    let most = text.len().min(at + LONGEST);
    let length = text[at..most].iter().position(|&byte| !is_query_byte(byte) || byte == b'\\' || byte == b';');
    let end = before_next(text, at, length.map_or(most, |length| at + length));
    // An ampersand may begin an entity, whose end was not looked at.
    let end = memchr::memchr(b'&', &text[at..end]).map_or(end, |length| at + length);
    text[at..end].iter().rposition(u8::is_ascii_alphanumeric).map_or(at, |last| at + last + 1)
}

/// How the first `&` in an address is written.
pub(super) fn written_ampersand(address: &[u8]) -> &[u8] {
    let first = address.iter().enumerate().find_map(|(at, _)| Some(&address[at..at + ampersand(&address[at..])?]));
    first.unwrap_or(b"&")
}

/// The length of the `=` at the start of a text: itself, or as some JSON writers escape it.
pub(super) fn equals_sign(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b'=' => Some(1),
        b'\\' => escape(text, b"u003d"),
        _ => None,
    }
}

/// The length of the JSON escape at the start of a text. It may be escaped once more.
fn escape(text: &[u8], code: &[u8; 5]) -> Option<usize> {
    let backslashes = text.iter().take_while(|&&byte| byte == b'\\').count();
    let found = text.get(backslashes..backslashes + code.len())?;
    (backslashes > 0 && found.eq_ignore_ascii_case(code)).then_some(backslashes + code.len())
}
