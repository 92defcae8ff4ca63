//! Addresses of pages of other programs, which hold whole puzzles.

use std::borrow::Cow;

use super::Format;

/// The sites whose links hold whole puzzles, and the formats that read them. Each format says which addresses of its site have one.
const SITES: &[(&str, Format)] = &[
    ("f-puzzles.com", Format::Fpuzzles),
    ("sudokupad.app", Format::Sudokupad),
    ("app.crackingthecryptic.com", Format::Sudokupad),
    ("sudokumaker.app", Format::Sudokumaker),
    ("sudoku.coach", Format::Sudokucoach),
    ("sudokuexchange.com", Format::Sudokupad),
    ("puzz.link", Format::Puzzlink),
    ("pzv.jp", Format::Puzzlink),
    ("pzprxs.vercel.app", Format::Puzzlink),
    ("pzplus.tck.mn", Format::Puzzlink),
    ("chiark.greenend.org.uk", Format::SgtSolo),
    ("chiark.greenend.org.uk", Format::SgtKeen),
    ("swaroopg92.github.io", Format::Penpa),
    ("logicmastersindia.com", Format::Penpa),
    ("opt-pan.github.io", Format::Penpa),
];

/// The format of a link of another site that holds a puzzle, or names one on the site's server.
pub fn format_of_link(address: &[u8]) -> Option<Format> {
    if program_id(address).is_some() {
        return Some(Format::Sudokupad);
    }
    let parts = Address::of(address)?;
    let format = parts.formats().find(|format| format.codec().resembles(address));
    format.filter(|_| !parts.is_page_of_sudokupad())
}

/// The id in an address that opens SudokuPad as a program.
pub(super) fn program_id(address: &[u8]) -> Option<&[u8]> {
    const PROGRAM: &[u8] = b"sudokupad://puzzle/";
    let (begin, id) = address.split_at_checked(PROGRAM.len())?;
    begin.eq_ignore_ascii_case(PROGRAM).then_some(id)
}

/// The first parts of addresses of pages that are no puzzles, all of which names of puzzles could be.
const PAGES: &[&str] = &[
    "about", "account", "api", "app", "assets", "blog", "contact", "css", "docs", "donate", "events", "faq",
    "features", "fonts", "forum", "guide", "help", "home", "images", "img", "index", "js", "login", "logout", "news",
    "policy", "press", "privacy", "profile", "register", "search", "settings", "shop", "signup", "sounds", "static",
    "store", "support", "terms", "tools", "tutorial",
];

/// The parts of an address that say what it leads to.
pub(super) struct Address<'t> {
    /// The host, in lower case and without `www.`.
    pub(super) host: String,
    /// What follows the host and the slash after it.
    pub(super) rest: &'t [u8],
}

/// The longest host.
const LONGEST_HOST: usize = 100;

impl<'t> Address<'t> {
    /// The address that a text is, with or without its scheme.
    pub(super) fn of(text: &'t [u8]) -> Option<Self> {
        let after = |scheme: &[u8]| {
            let begin = text.get(..scheme.len())?;
            begin.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
        };
        let address = after(b"https://").or_else(|| after(b"http://")).unwrap_or(text);
        let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
        let end = address.iter().take(LONGEST_HOST).position(|byte| !is_host(byte))?;
        let host = String::from_utf8_lossy(&address[..end]).to_ascii_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host).to_string();
        let rest = &address[end..];
        let rest = rest.strip_prefix(b"/").or_else(|| rest.starts_with(b"?").then_some(rest))?;
        host.contains('.').then_some(Self { host, rest })
    }

    /// The formats that read links of its site.
    fn formats(&self) -> impl Iterator<Item = Format> {
        let is_of = |site: &str| {
            let before = self.host.strip_suffix(site);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        SITES.iter().filter(move |(site, _)| is_of(site)).map(|(_, format)| *format)
    }

    /// Whether it is of a site whose links a format reads.
    pub(super) fn is_of(&self, format: Format) -> bool {
        self.formats().any(|other| other == format)
    }

    /// The path, without the query and the fragment.
    pub(super) fn path(&self) -> &'t [u8] {
        &self.rest[..self.rest.iter().position(|byte| b"?#".contains(byte)).unwrap_or(self.rest.len())]
    }

    /// What follows the first `#`.
    pub(super) fn fragment(&self) -> Option<&'t [u8]> {
        memchr::memchr(b'#', self.rest).map(|at| &self.rest[at + 1..])
    }

    /// The value of a parameter of the query, as it stands there.
    pub(super) fn parameter(&self, name: &str) -> Option<&'t [u8]> {
        self.parameters(name).next()
    }

    /// The values of all parameters of a name.
    pub(super) fn parameters<'n>(&self, name: &'n str) -> impl Iterator<Item = &'t [u8]> + use<'t, 'n> {
        let query = self.rest[self.path().len()..].strip_prefix(b"?").unwrap_or_default();
        let query = &query[..query.iter().position(|&byte| byte == b'#').unwrap_or(query.len())];
        let parameters = query.split(|&byte| byte == b'&').map(|one| one.strip_prefix(b"amp;").unwrap_or(one));
        parameters.filter_map(|parameter| parameter.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
    }

    /// Whether it is one of SudokuPad.
    pub(super) fn is_sudokupad(&self) -> bool {
        let host = self.host.as_str();
        host == "sudokupad.app" || host == "app.crackingthecryptic.com" || host.ends_with(".sudokupad.app")
    }

    /// Whether it is a page of SudokuPad that no puzzle is on. The names of puzzles are one word, or an author and a title.
    pub(super) fn is_page_of_sudokupad(&self) -> bool {
        let id = self.sudokupad_id();
        let mut parts = id.split(|&byte| byte == b'/').filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default();
        let is_word = |word: &&str| word.as_bytes().eq_ignore_ascii_case(first);
        let may_be_page = self.is_sudokupad() && self.parameter("puzzleid").is_none() && !holds_puzzle(id);
        may_be_page && (parts.count() > 1 || PAGES.iter().any(is_word))
    }

    /// The id of the puzzle in an address of SudokuPad.
    pub(super) fn sudokupad_id(&self) -> &'t [u8] {
        if let Some(id) = self.parameter("puzzleid") {
            return id;
        }
        let path = self.path();
        let page = path.strip_prefix(b"sudoku.html").or_else(|| path.strip_prefix(b"sudoku"));
        without_settings(match page {
            Some([b'/', rest @ ..]) => rest,
            Some([]) => &[],
            _ => path,
        })
    }
}

/// Whether an id of SudokuPad begins as those that hold a puzzle.
pub(super) fn holds_puzzle(id: &[u8]) -> bool {
    [&b"scl"[..], b"ctc", b"scf", b"classic", b"fpuz"].iter().any(|name| id.starts_with(name))
}

/// Leaves out settings of the page of SudokuPad.
pub(super) fn without_settings(id: &[u8]) -> &[u8] {
    let ends = [&b"?setting-"[..], b"&setting-"].into_iter().filter_map(|name| memchr::memmem::find(id, name));
    &id[..ends.min().unwrap_or(id.len())]
}

/// Decodes percent codes. One that is invalid stays as it is.
pub(super) fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
        rest = after;
        out.push(match (byte, after) {
            (b'%', [high, low, more @ ..]) => match (value(*high), value(*low)) {
                (Some(high), Some(low)) => {
                    rest = more;
                    high << 4 | low
                }
                _ => byte,
            },
            _ => byte,
        });
    }
    out
}

/// Decodes percent codes of base 64, in which a space was a plus.
pub(super) fn unescaped_base64(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'%', b' ', text).is_none() {
        return text.into();
    }
    let mut out = unescaped(text);
    out.iter_mut().filter(|byte| **byte == b' ').for_each(|byte| *byte = b'+');
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_divided() {
        let address = Address::of(b"HTTPS://www.Example.org/a/b?c=1&amp;d=2%20#e?f=3").expect("an address");
        assert_eq!((address.host.as_str(), address.path()), ("example.org", &b"a/b"[..]));
        assert_eq!(address.parameter("d"), Some(&b"2%20"[..]));
        assert_eq!((address.parameter("c"), address.parameter("f")), (Some(&b"1"[..]), None));
        assert_eq!(Address::of(b"example.org?c=1").and_then(|address| address.parameter("c")), Some(&b"1"[..]));
        for text in ["", "example.org", "https://", "scf000/1", "no host/here"] {
            assert!(Address::of(text.as_bytes()).is_none(), "{text}");
        }
        assert_eq!(unescaped(b"%7B%22 %zz%2"), b"{\" %zz%2");
        assert_eq!(*unescaped_base64(b"a%2Fb c"), *b"a/b+c");
    }
}
