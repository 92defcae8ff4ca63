//! Reads the elements of XML, as far as files of puzzles need it: names, attributes, and the text after a tag.

/// An element, or the end of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'x> {
    /// The offset of its tag.
    pub(super) start: usize,
    /// The offset after its tag.
    pub(super) end: usize,
    /// Its name; of an end, with the slash before it.
    pub(super) name: &'x [u8],
    /// Its attributes, as they are written.
    attributes: &'x [u8],
    /// The text between this tag and the next one.
    pub(super) text: &'x [u8],
}

/// The elements of a text and their ends, in order, without comments, instructions and declarations. A tag that does not end is
/// none.
pub(super) fn elements(text: &[u8]) -> impl Iterator<Item = Element<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr::memchr(b'<', text.get(at..)?)?;
            let rest = &text[start..];
            let skipped = [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">")];
            if let Some((begin, end)) = skipped.into_iter().find(|(begin, _)| rest.starts_with(begin)) {
                at = start + begin.len() + memchr::memmem::find(&rest[begin.len()..], end)? + end.len();
                continue;
            }
            let length = tag_length(rest)?;
            at = start + length;
            let tag = &rest[1..length - 1];
            let name = tag.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(tag.len());
            let (name, attributes) = tag.split_at(name);
            let next = memchr::memchr(b'<', &text[at..]).unwrap_or(text.len() - at);
            let name = name.strip_suffix(b"/").unwrap_or(name);
            return Some(Element { start, end: at, name, attributes, text: &text[at..at + next] });
        }
    })
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

impl Element<'_> {
    /// The value of an attribute, without escapes. Line ends become spaces.
    pub(super) fn attribute(&self, name: &str) -> Option<Vec<u8>> {
        let mut rest = self.attributes;
        loop {
            let equals = memchr::memchr(b'=', rest)?;
            let key = rest[..equals].trim_ascii();
            let value = rest[equals + 1..].trim_ascii_start();
            let (&quote, value) = value.split_first().filter(|(quote, _)| b"\"'".contains(quote))?;
            let end = memchr::memchr(quote, value)?;
            if key == name.as_bytes() {
                return Some(unescaped(&value[..end]));
            }
            rest = &value[end + 1..];
        }
    }

    /// The text after the tag, without escapes. Line ends become spaces.
    pub(super) fn content(&self) -> Vec<u8> {
        unescaped(self.text)
    }
}

const ENTITIES: [(&[u8], u8); 5] = [(b"amp", b'&'), (b"lt", b'<'), (b"gt", b'>'), (b"quot", b'"'), (b"apos", b'\'')];

/// Replaces entities of ASCII characters. Others stay, since no puzzle has them.
fn unescaped(text: &[u8]) -> Vec<u8> {
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
        out.push(if matches!(byte, b'\n' | b'\r' | b'\t') { b' ' } else { byte });
    }
    out
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
