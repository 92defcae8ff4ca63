//! Where a link begins and ends, and its parts: host, page and parameters. Links are found around a parameter, as text that
//! holds none is most of all text.

use std::ops::Range;

/// A link to a board.
#[derive(Debug)]
pub struct Link {
    /// Its first byte.
    pub start: usize,
    /// Behind its last byte.
    pub end: usize,
    /// The name of the page: lower case, without an ending.
    pub page: String,
    /// The parameters of the query, in order.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a query.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where what separates it from the one before it stands: `?`, `&`, `&amp;` or `\u0026`.
    pub separator: Range<usize>,
    /// Where its value stands.
    pub value: Range<usize>,
}

/// Hosts whose links are to boards.
const HOSTS: [&str; 3] = ["sudokuwiki.org", "str8ts.com", "scanraid.com"];

/// How long a link may be. (The longest board has some 4,000 characters.)
const LONGEST: usize = 1 << 16;

/// What separates parameters: in a URL, in HTML, in JSON.
const SEPARATORS: [&[u8]; 4] = [b"&amp;", b"\\u0026", b"&#38;", b"&"];

impl Link {
    /// The link whose query has a parameter that begins at `at`.
    pub fn around(text: &[u8], at: usize, any_host: bool) -> Option<Self> {
        let low = at.saturating_sub(LONGEST);
        let question = low + text[low..at].iter().rposition(|&byte| byte == b'?' || !in_query(byte))?;
        if text[question] != b'?' {
            return None;
        }
        let start =
            low + text[low..question].iter().rposition(|&byte| !in_address(byte)).map_or(0, |before| before + 1);
        let start = start_of_address(text, start, question);
        let page = page(&text[start..question], any_host)?;
        let most = text.len().min(question + LONGEST);
        let length = text[question..most].iter().position(|&byte| !in_query(byte));
        let end = length.map_or(most, |length| question + length);
        let parameters = parameters(text, question, end);
        // What was found may be the end of another name.
        let here = parameters.iter().any(|parameter| parameter.separator.end == at);
        here.then_some(Self { start, end: parameters.last()?.value.end, page, parameters })
    }

    /// The parameters of a name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Parameter> {
        self.parameters.iter().filter(move |parameter| parameter.name == name)
    }
}

/// Bytes of the part before the question mark. A backslash is there in JSON, which may write `\/`.
fn in_address(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%:/@\\".contains(&byte)
}

/// Bytes of a query with what it ends: everything but space, quotes and brackets.
fn in_query(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'<>()[]{}`^".contains(&byte)
}

/// An address begins with its scheme, else with `//`, else with the host: what runs into it without a space is not part of it.
fn start_of_address(text: &[u8], start: usize, end: usize) -> usize {
    let address = &text[start..end];
    let scheme =
        ["https:", "http:"].iter().filter_map(|scheme| memchr::memmem::rfind(address, scheme.as_bytes())).max();
    let slashes = || memchr::memmem::rfind(address, b"//");
    start + scheme.or_else(slashes).unwrap_or(0)
}

/// The page of an address, if its host is one of ours.
fn page(address: &[u8], any_host: bool) -> Option<String> {
    let address = String::from_utf8_lossy(address).to_ascii_lowercase().replace("\\/", "/");
    let rest = address.strip_prefix("https:").or_else(|| address.strip_prefix("http:")).unwrap_or(&address);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    if !any_host && !HOSTS.contains(&host) {
        return None;
    }
    let page = rest.rsplit('/').next().unwrap_or_default();
    Some(page.split('.').next().unwrap_or_default().to_string())
}

/// Takes a query apart. The last value ends where no character of it stands: a full stop or a bracket may follow a link.
fn parameters(text: &[u8], question: usize, end: usize) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut separator = question..question + 1;
    loop {
        let from = separator.end;
        let rest = &text[from..end];
        let next = (0..rest.len()).find_map(|i| {
            let separator = SEPARATORS.iter().find(|separator| rest[i..].starts_with(separator))?;
            Some(from + i..from + i + separator.len())
        });
        // A fragment ends the query; so does a backslash, which JSON has before a quote or a line end.
        let stop = next.as_ref().map_or(end, |next| next.start);
        let over = memchr::memchr3(b'#', b'\\', b';', &text[from..stop]).map_or(stop, |length| from + length);
        let part = &text[from..over];
        let (name, value) = match memchr::memchr(b'=', part) {
            Some(equals) => (&part[..equals], from + equals + 1..over),
            None => (part, over..over),
        };
        let name = String::from_utf8_lossy(name).into_owned();
        parameters.push(Parameter { name, separator, value });
        match next {
            Some(next) if over == stop => separator = next,
            _ => return parameters,
        }
    }
}
