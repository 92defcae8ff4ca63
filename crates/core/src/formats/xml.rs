//! Reads the elements of XML, as far as files of puzzles need it: names, attributes, and the text after a tag.

use std::ops::Range;

/// An element, or the end of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct XmlElement<'x> {
    /// The offset of its tag.
    pub(crate) start: usize,
    /// The offset after its tag.
    pub(crate) end: usize,
    /// Its name; of an end, with the slash before it.
    pub(crate) name: &'x [u8],
    /// Its attributes, as they are written.
    attributes: &'x [u8],
    /// What stands between this tag and the next one, with comments and the like.
    pub(crate) text: &'x [u8],
    /// Whether nothing of it is after its tag: it is the end of an element, or an element without contents.
    pub(crate) is_over: bool,
}

/// The elements of a text and their ends, in order, without comments, instructions and declarations. A tag that does not end is
/// none.
pub(crate) fn elements(text: &[u8]) -> impl Iterator<Item = XmlElement<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr::memchr(b'<', text.get(at..)?)?;
            let rest = &text[start..];
            if let Some(aside) = Aside::of(rest) {
                at = start + aside?.length;
                continue;
            }
            let length = tag_length(rest)?;
            at = start + length;
            let tag = &rest[1..length - 1];
            let name = tag.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(tag.len());
            let (name, attributes) = tag.split_at(name);
            let name = name.strip_suffix(b"/").unwrap_or(name);
            let (end, next) = (at, next_tag(text, at));
            at = next;
            let is_over = tag.ends_with(b"/") || tag.starts_with(b"/");
            return Some(XmlElement { start, end, name, attributes, text: &text[end..next], is_over });
        }
    })
}

/// What is no element: a comment, an instruction, a declaration, or text as it is.
struct Aside<'x> {
    length: usize,
    /// The text that is part of what is around it.
    text: &'x [u8],
}

impl<'x> Aside<'x> {
    /// What stands at the beginning of a text, if it is no element; `Some(None)` if it does not end.
    fn of(text: &'x [u8]) -> Option<Option<Self>> {
        let sorts = [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")];
        let Some((begin, end)) = sorts.into_iter().find(|(begin, _)| text.starts_with(begin)) else {
            let declaration = text.starts_with(b"<!").then(|| declaration_length(text));
            return declaration.map(|length| Some(Self { length: length?, text: b"" }));
        };
        Some(memchr::memmem::find(&text[begin.len()..], end).map(|inner| Self {
            length: begin.len() + inner + end.len(),
            text: if begin == b"<![CDATA[" { &text[begin.len()..][..inner] } else { b"" },
        }))
    }
}

/// The length of a declaration, which may have others between brackets, quotes, and comments in it.
fn declaration_length(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (2, 0_usize);
    loop {
        let rest = text.get(at..)?;
        let end = match rest.first()? {
            quote @ (b'"' | b'\'') => memchr::memchr(*quote, &rest[1..])? + 2,
            b'<' if rest.starts_with(b"<!--") => memchr::memmem::find(rest, b"-->")? + 3,
            b'<' if rest.starts_with(b"<?") => memchr::memmem::find(rest, b"?>")? + 2,
            b'>' if depth == 0 => return Some(at + 1),
            byte => {
                depth = match byte {
                    b'[' => depth + 1,
                    b']' => depth.saturating_sub(1),
                    _ => depth,
                };
                1
            }
        };
        at += end;
    }
}

/// Whether a text is a name of XML.
pub(crate) fn is_xml_name(name: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:-.".contains(byte) || !byte.is_ascii();
    name.iter().all(is_part) && name.first().is_some_and(|byte| !byte.is_ascii_digit() && !b"-.".contains(byte))
}

/// The offset of the first tag from an offset on, or of what does not end; the length of the text if there is none.
pub(crate) fn next_tag(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(next) = memchr::memchr(b'<', &text[at..]) {
        at += next;
        match Aside::of(&text[at..]) {
            Some(Some(aside)) => at += aside.length,
            _ => return at,
        }
    }
    text.len()
}

/// The length of a tag, which may have `>` between quotes.
fn tag_length(text: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, &byte) in text.iter().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if byte == b'>' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

impl XmlElement<'_> {
    /// The value of an attribute, without escapes. Line ends become spaces.
    pub(super) fn attribute(&self, name: &str) -> Option<Vec<u8>> {
        let place = self.attributes_named(name.as_bytes()).next()?;
        let before = self.end - 1 - self.attributes.len();
        Some(unescaped(&self.attributes[place.start - before..place.end - before]))
    }

    /// What is wrong with the tag, if it is none of XML. Then what it says is not what it seems to.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let is_end = self.name.starts_with(b"/");
        if !is_xml_name(self.name.strip_prefix(b"/").unwrap_or(self.name)) {
            return Some("a < that begins no tag of XML");
        }
        let mut rest = self.attributes.strip_suffix(b"/").unwrap_or(self.attributes);
        while !rest.trim_ascii_start().is_empty() {
            if is_end {
                return Some("the end of an element has more than a name");
            }
            if !rest[0].is_ascii_whitespace() {
                return Some("attributes without a space between them");
            }
            let equals = memchr::memchr(b'=', rest).unwrap_or(rest.len());
            let (key, value) = rest.split_at(equals);
            if !is_xml_name(key.trim_ascii()) || value.is_empty() {
                return Some("an attribute without a value, or a value without an attribute");
            }
            let value = value[1..].trim_ascii_start();
            let quote = value.first().filter(|quote| b"\"'".contains(quote));
            let end = quote.and_then(|quote| memchr::memchr(*quote, &value[1..]));
            let Some(end) = end else { return Some("a value without quotes around it") };
            if value[..end + 1].contains(&b'<') {
                return Some("a < in a value, so a quote may be missing");
            }
            rest = &value[end + 2..];
        }
        None
    }

    /// The places of the values of attributes with a name, of which an element should have only one.
    pub(crate) fn attributes_named(&self, name: &[u8]) -> impl Iterator<Item = Range<usize>> {
        self.attributes().filter(move |(key, _)| *key == name).map(|(_, place)| place)
    }

    /// The names of all attributes.
    pub(super) fn attribute_names(&self) -> impl Iterator<Item = &[u8]> {
        self.attributes().map(|(name, _)| name)
    }

    /// The names of attributes, and the places of their values.
    fn attributes(&self) -> impl Iterator<Item = (&[u8], Range<usize>)> {
        let before = self.end - 1 - self.attributes.len();
        let mut at = 0;
        let next = move || {
            let equals = at + memchr::memchr(b'=', self.attributes.get(at..)?)?;
            let key = self.attributes[at..equals].trim_ascii();
            let value = self.attributes[equals + 1..].trim_ascii_start();
            let start = self.attributes.len() - value.len() + 1;
            let quote = *value.first().filter(|quote| b"\"'".contains(quote))?;
            let end = start + memchr::memchr(quote, &value[1..])?;
            at = end + 1;
            Some((key, before + start..before + end))
        };
        std::iter::from_fn(next)
    }

    /// The text after the tag, without escapes and comments. Line ends become spaces.
    pub(super) fn content(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len());
        let mut rest = self.text;
        while let Some(at) = memchr::memchr(b'<', rest) {
            let Some(Some(aside)) = Aside::of(&rest[at..]) else { break };
            out.extend(unescaped(&rest[..at]));
            out.extend(aside.text.iter().map(|&byte| spaced(byte)));
            rest = &rest[at + aside.length..];
        }
        out.extend(unescaped(rest));
        out
    }
}

const ENTITIES: [(&[u8], u8); 5] = [(b"amp", b'&'), (b"lt", b'<'), (b"gt", b'>'), (b"quot", b'"'), (b"apos", b'\'')];

/// Replaces entities of ASCII characters. Others stay, since no puzzle has them.
pub(crate) fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let end = after.iter().take(8).position(|&byte| byte == b';').filter(|_| byte == b'&');
        let code = end.and_then(|end| Some((character(&after[..end])?, &after[end + 1..])));
        let byte = code.map_or(byte, |(code, after)| {
            rest = after;
            code
        });
        out.push(spaced(byte));
    }
    out
}

/// A byte, or a space for white space.
fn spaced(byte: u8) -> u8 {
    if matches!(byte, b'\n' | b'\r' | b'\t') { b' ' } else { byte }
}

/// The character of an entity.
fn character(entity: &[u8]) -> Option<u8> {
    if let Some((_, byte)) = ENTITIES.iter().find(|(name, _)| *name == entity) {
        return Some(*byte);
    }
    let digits = str::from_utf8(entity.strip_prefix(b"#")?).ok()?;
    let code = match digits.strip_prefix('x') {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    code.ok().filter(u8::is_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_go_on_after_comments() {
        let text = b"<a>0 1<!-- <b> --> 2<![CDATA[ 3\n&lt;<]]>4<?c <d>?>5&lt;</a><a/><a>6<!-- 7";
        let contents: Vec<_> = elements(text).map(|element| element.content()).collect();
        assert_eq!(contents, [&b"0 1 2 3 &lt;<45<"[..], b"", b"", b"6"]);
    }

    #[test]
    fn tags_that_are_none_have_faults() {
        let faults = |text: &str| elements(text.as_bytes()).map(|tag| tag.fault()).collect::<Vec<_>>();
        for good in
            ["<a/>", "<a />", "<a b='c'/>", "<a b = \"1>2'\"\n c='' >", "</a >", "<a:b-c.d \u{e4}='/'/>", "<a b='c' />"]
        {
            assert_eq!(faults(good), [None], "{good}");
        }
        for (bad, words) in [
            ("< a='b'>", "begins no tag"),
            ("<>", "begins no tag"),
            ("<1>", "begins no tag"),
            ("<a<b>", "begins no tag"),
            ("</a b='c'>", "more than a name"),
            ("<a b='c'd='e'/>", "without a space"),
            ("<a b>", "without a value"),
            ("<a b c='d'/>", "without a value"),
            ("<a ='d'/>", "without a value"),
            ("<a / b='c'>", "without a value"),
            ("<a b=c/>", "without quotes"),
            ("<a b=/>", "without quotes"),
            ("<a b='c><d e='f>", "a quote may be missing"),
        ] {
            let found = faults(bad);
            assert!(found.iter().flatten().any(|fault| fault.contains(words)), "{bad}: {found:?}");
            for end in 0..bad.len() {
                _ = faults(&bad[..end]);
            }
        }
    }

    #[test]
    fn declarations_have_no_elements() {
        let text = "<!DOCTYPE r [<!ENTITY b \"<x/>]><y/>\"><!-- ' ]> <z/> --><?p \" ]><z/>?>]><r/><!ENTITY>";
        let names: Vec<_> = elements(text.as_bytes()).map(|element| element.name).collect();
        assert_eq!(names, [b"r"]);
        let length = text.find("<r/>").unwrap();
        for end in 0..length {
            assert_eq!(elements(&text.as_bytes()[..end]).count(), 0, "{end}");
            assert_eq!(next_tag(&text.as_bytes()[..end], 0), 0, "{end}");
        }
    }

    #[test]
    fn elements_attributes_and_texts() {
        let text = b"<?xml a=\"<x>\"?>\n<!DOCTYPE a>\n<a b='1>2' c = \"x&#10;y&amp;&#x41;\"/><!-- <no d='1'/> -->\n<d >e &lt;\n</d><f";
        let found: Vec<_> = elements(text).collect();
        let names: Vec<_> = found.iter().map(|element| element.name).collect();
        assert_eq!(names, [&b"a"[..], b"d", b"/d"]);
        assert_eq!(found[0].attribute("b").as_deref(), Some(&b"1>2"[..]));
        assert_eq!(found[0].attribute("c").as_deref(), Some(&b"x y&A"[..]));
        assert_eq!(found[0].attribute("d"), None);
        assert_eq!(found[1].content(), b"e < ");
        assert_eq!(&text[found[1].start..found[1].end], b"<d >");
        for end in 0..text.len() {
            elements(&text[..end]).for_each(|element| _ = (element.attribute("c"), element.content()));
        }
    }
}
