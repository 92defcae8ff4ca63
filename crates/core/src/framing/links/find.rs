//! Where a link begins and ends, and its parts: host, page and parameters. Links are found around a parameter, as text that
//! holds none is most of all text.

use std::ops::Range;

use memchr::memmem;

/// A link to a board.
#[derive(Debug)]
pub(super) struct Link {
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The name of the page: lower case, without an ending.
    pub page: String,
    /// The parameters of the query, in order.
    pub parameters: Vec<Parameter>,
    /// It is part of the address of another page, as that of a copy in an archive.
    pub inside: bool,
}

/// A parameter of a query.
#[derive(Debug)]
pub(super) struct Parameter {
    /// Its name.
    pub name: String,
    /// Where what separates it from the one before it stands: `?`, `&`, `&amp;`, `\u0026` and the like.
    pub separator: Range<usize>,
    /// Where its value stands.
    pub value: Range<usize>,
}

/// Hosts whose links are to boards.
const HOSTS: [&str; 3] = ["sudokuwiki.org", "str8ts.com", "scanraid.com"];

/// Hosts that keep pages under the addresses that these had.
const ARCHIVES: [&str; 6] =
    ["archive.org", "archive.ph", "archive.is", "archive.today", "webcitation.org", "webcache.googleusercontent.com"];

/// How long a link may be. (The longest board has some 4,000 characters.)
pub(super) const LONGEST: usize = 1 << 16;

impl Link {
    /// The link whose query has a parameter that begins at `at`.
    pub(super) fn around(text: &[u8], at: usize, any_host: bool) -> Option<Self> {
        let low = at.saturating_sub(LONGEST);
        let question = low + text[low..at].iter().rposition(|&byte| byte == b'?' || !in_query(byte))?;
        if text[question] != b'?' {
            return None;
        }
        let start = low + run_before(&text[low..question], in_address);
        let start = start_of_address(text, start, question);
        let (page, part) = page(&text[start..question], any_host)?;
        let most = text.len().min(question + LONGEST);
        let length = text[at..most].iter().position(|&byte| !in_query(byte));
        let end = length.map_or(most, |length| at + length);
        let parameters = parameters(text, question, before_next(text, at, end));
        // What was found may be the end of another name.
        let here = parameters.iter().any(|parameter| parameter.separator.end == at);
        let before = low + run_before(&text[low..start], in_query);
        let inside = part || holds_addresses(&text[before..start]);
        here.then_some(Self { start, end: parameters.last()?.value.end, page, parameters, inside })
    }

    /// The parameters of a name.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Parameter> {
        self.parameters.iter().filter(move |parameter| parameter.name == name)
    }
}

/// Where the bytes begin that a text ends with and that all belong to something.
fn run_before(text: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    text.iter().rposition(|&byte| !belongs(byte)).map_or(0, |before| before + 1)
}

/// Bytes of the part before the question mark. A backslash is there in JSON, which may write `\/`.
fn in_address(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'%' | b':' | b'/' | b'@' | b'\\')
}

/// Bytes of a query with what it ends: everything but space, quotes and brackets.
pub(super) fn in_query(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'`' | b'^')
}

/// An address begins with its scheme, else with `//`, else with the host: what runs into it without a space is not part of it.
fn start_of_address(text: &[u8], start: usize, end: usize) -> usize {
    let address = &text[start..end];
    let scheme = ["https:", "http:"].iter().filter_map(|scheme| memmem::rfind(address, scheme.as_bytes())).max();
    let slashes = || memmem::rfind(address, b"//");
    start + scheme.or_else(slashes).unwrap_or(0)
}

/// Where the next link begins that a query from `at` to `end` runs into without a space; else `end`. An address that is the
/// value of a parameter is no other link.
fn before_next(text: &[u8], at: usize, end: usize) -> usize {
    let begins = |start: &usize| {
        let rest = &text[*start + 4..end];
        let rest = rest.strip_prefix(b"s").unwrap_or(rest);
        let slashes: Vec<u8> = rest.iter().copied().take(6).filter(|&byte| byte != b'\\').take(3).collect();
        slashes == b"://" && !b"=/".contains(&text[*start - 1])
    };
    memmem::find_iter(&text[at..end], b"http").map(|start| at + start).find(begins).unwrap_or(end)
}

/// Text in lower case and without the backslashes of JSON.
fn plainly(text: &[u8]) -> String {
    String::from_utf8_lossy(text).to_ascii_lowercase().replace('\\', "")
}

/// The page of an address, if its host is one of ours, and whether this host stands inside the path of another one.
fn page(address: &[u8], any_host: bool) -> Option<(String, bool)> {
    let address = plainly(address);
    let rest = address.strip_prefix("https:").or_else(|| address.strip_prefix("http:")).unwrap_or(&address);
    let mut segments = rest.strip_prefix("//").unwrap_or(rest).split('/').map(host);
    let own = segments.next().is_some_and(|host| HOSTS.contains(&host));
    let part = !own && segments.any(|segment| HOSTS.contains(&segment));
    let page = rest.rsplit('/').next().unwrap_or_default();
    (own || part || any_host).then(|| (page.split('.').next().unwrap_or_default().to_string(), part))
}

/// A host without its port and `www.`.
fn host(text: &str) -> &str {
    let host = text.split(':').next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether what stands before a link without a space is the address of a page whose path goes on with the link's address, or
/// that of an archive.
fn holds_addresses(before: &[u8]) -> bool {
    let before = plainly(before);
    if ARCHIVES.iter().any(|archive| before.contains(archive)) {
        return true;
    }
    let outer = before.find("//").map_or(before.as_str(), |slashes| &before[slashes + 2..]);
    let first = outer.trim_start_matches('/').split('/').next().unwrap_or_default();
    let has_host = outer.len() < before.len() && !first.is_empty() || first.contains('.');
    let has_path = before.starts_with('/') && !first.is_empty();
    before.ends_with('/') && (has_host || has_path)
}

/// Takes a query apart. The last value ends where no character of it stands: a full stop or a bracket may follow a link.
fn parameters(text: &[u8], question: usize, end: usize) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut separator = question..question + 1;
    loop {
        let from = separator.end;
        let next = (from..end).find_map(|at| Some(at..at + ampersand(&text[at..end])?));
        let (stop, mut equals, mut over) = (next.as_ref().map_or(end, |next| next.start), None, from);
        // A fragment ends the query; so does a backslash, which JSON has before a quote or a line end.
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
            Some(next) if over == stop => separator = next,
            _ => return parameters,
        }
    }
}

/// The bytes of the `&` that a text begins with, as URLs, HTML (once or several times over) and JSON write it.
fn ampersand(text: &[u8]) -> Option<usize> {
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

/// The bytes of the `=` that a text begins with: itself, or as some writers of JSON escape it.
pub(super) fn equals_sign(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b'=' => Some(1),
        b'\\' => escape(text, b"u003d"),
        _ => None,
    }
}

/// The bytes of an escape of JSON that a text begins with, which may have been escaped once more.
fn escape(text: &[u8], code: &[u8; 5]) -> Option<usize> {
    let backslashes = text.iter().take_while(|&&byte| byte == b'\\').count();
    let found = text.get(backslashes..backslashes + code.len())?;
    (backslashes > 0 && found.eq_ignore_ascii_case(code)).then_some(backslashes + code.len())
}
