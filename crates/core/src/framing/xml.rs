//! XML: the values of attributes with a name, and the texts of elements with a name. Everything else is copied.

use std::borrow::Cow;
use std::ops::Range;

use super::chunk::{Cut, Limits};
use super::cutter::Cutter;
use super::rows::StringPlace;
use super::{
    Asked, BYTE_ORDER_MARK, Beside, ChosenAs, Framing, FramingFacts, MAX_ROW, NamedFraming, Options, Piece, RecordSort,
    RowWriter, Rows, TextRow, Unsuited,
};
use crate::error::{Code, Reject, escape};
use crate::formats::{Text, Within, XmlElement, elements, encoding, is_xml_name, next_tag, unescaped};
use crate::kernels::Kernel;

pub(super) static XML: NamedFraming = NamedFraming {
    name: "xml",
    plural: "XML",
    help: "The attributes or elements of XML that --column names: NAME, or ELEMENT@NAME for the attributes of one element; everything else stays",
    flags: &["--column"],
    extensions: &[],
    rows_extension: None,
    beside: Beside::Nowhere,
    records: RecordSort::Rows,
    within: Within::Field,
    make: |options: &Options| match &options.columns[..] {
        [name] => Ok(Box::new(Xml::new(name))),
        [] => {
            Err("use --column to name the attribute or element that has the strings, for example --column data".into())
        }
        [..] => Err("the strings of XML have one name; give --column once".into()),
    },
};

/// XML, and what in it has the strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Xml {
    /// The element whose attributes have strings; if there is none, all attributes and elements of the name have.
    element: Option<Vec<u8>>,
    name: Vec<u8>,
}

impl Xml {
    /// Strings in attributes and elements with this name, or in attributes of one element: `ELEMENT@NAME`.
    pub fn new(name: &str) -> Self {
        match name.split_once('@') {
            Some((element, name)) => Self { element: Some(element.into()), name: name.into() },
            None => Self { element: None, name: name.into() },
        }
    }

    /// Adds the strings of an element, which may be its attribute and its text, as one row.
    fn take(&self, element: &XmlElement<'_>, found: &mut FoundValues<'_>) {
        if let Some(fault) = element.fault() {
            let tag = element.start..element.end;
            return found.take(&[tag], element.end, Some(fault.to_string()));
        }
        let (mut values, mut refused, mut next) = (Vec::new(), None, element.end);
        if self.element.as_ref().is_none_or(|wanted| wanted == element.name) {
            let mut places = element.attributes_named(&self.name);
            values.extend(places.next());
            refused = places.next().map(|_| format!("the element has two attributes {}", escape(&self.name)));
        }
        if self.element.is_none() && element.name == self.name && !element.is_over {
            let value = element.text.trim_ascii();
            let end = element.end + element.text.trim_ascii_end().len();
            next += element.text.len();
            let closed = end_tag_length(&found.text[next..], &self.name);
            next += closed.unwrap_or(0);
            let reason = match (memchr::memchr(b'<', value), closed) {
                (None, Some(_)) => None,
                (Some(_), _) => Some("its text has a comment, CDATA or an instruction in it"),
                (None, None) => Some("there are elements in it, or it is not closed; only text is a string"),
            };
            refused = refused.or(reason.map(str::to_string));
            values.push(end - value.len()..end);
        }
        found.take(&values, next, refused);
    }
}

/// The length of the end tag of an element with this name at the beginning of a text.
fn end_tag_length(text: &[u8], name: &[u8]) -> Option<usize> {
    let after = text.strip_prefix(b"</")?.strip_prefix(name)?.trim_ascii_start();
    after.starts_with(b">").then(|| text.len() - after.len() + 1)
}

/// The rows of a text, one for each element with values.
struct FoundValues<'f> {
    text: &'f [u8],
    rows: &'f mut Rows,
    /// Whether rows without a string are added, too.
    all: bool,
    /// The lines before this offset are counted.
    counted: usize,
    /// Where the last row ends.
    next: usize,
}

impl FoundValues<'_> {
    /// Counts lines up to an offset. Returns the line there, from 0.
    fn line(&mut self, to: usize) -> u32 {
        self.rows.lines += memchr::memchr_iter(b'\n', &self.text[self.counted..to]).count() as u64;
        self.counted = to;
        self.rows.lines as u32
    }

    /// Counts the lines of the text before an offset, the last of which may go on there.
    fn end(&mut self, to: usize) {
        self.line(to);
        self.rows.lines += u64::from(self.text[..to].last().is_some_and(|&byte| byte != b'\n'));
    }

    /// A row, and where the next one may begin: not before the end of the tags of this one, so that text up to there has all of it.
    fn row(&mut self, place: &Range<usize>, next: usize) -> TextRow {
        let (start, end) = (place.start as u32, place.end as u32);
        self.next = next;
        TextRow { start, end, next: next as u32, line: self.line(place.start), fields: 0, list: false }
    }

    /// Adds the values of an element as a row of strings, without escapes, or refuses it. Empty ones are no strings.
    fn take(&mut self, values: &[Range<usize>], next: usize, refused: Option<String>) {
        let (Some(first), Some(last)) = (values.first(), values.last()) else { return };
        let row = self.row(&(first.start..last.end), next);
        if let Some(words) = refused {
            return self.rows.refuse(row, Reject::whole(Code::Column, words));
        }
        let strings = values.iter().filter(|place| self.push((*place).clone())).count();
        self.rows.take(row, Ok(strings as u32), self.all);
    }

    /// Adds a value as a string, without escapes. Returns whether it is one.
    fn push(&mut self, place: Range<usize>) -> bool {
        let value = &self.text[place.clone()];
        let is_plain = value.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'&' || *byte == b' ');
        let value = if is_plain { Cow::Borrowed(value) } else { Cow::Owned(unescaped(value)) };
        !value.trim_ascii().is_empty() && self.rows.push(value, StringPlace::new(place, true))
    }
}

impl Framing for Xml {
    fn facts(&self) -> FramingFacts {
        let chosen = ChosenAs::Strings;
        FramingFacts { keeps_refused: true, chosen, rows_stand_alone: true, ..FramingFacts::default() }
    }

    fn cutter(&self, _: &'static Kernel) -> Option<Box<dyn Cutter>> {
        Some(Box::new(XmlCutter::default()))
    }

    fn too_long(&self, piece: &[u8]) -> Option<&'static str> {
        (piece.len() > LONGEST).then_some("has more than 16 MiB in which no element ends")
    }

    fn begin(&mut self, first: &Piece, _: &Asked) -> Result<(), Unsuited> {
        if ![Some(&self.name), self.element.as_ref()].into_iter().flatten().all(|name| is_xml_name(name)) {
            let words = "--column is a name of XML, or two with @ between them, and names do not begin with a digit";
            return Err(Unsuited::Asked(words.into()));
        }
        let text = first.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first.text).trim_ascii_start();
        match text.is_empty() || text.starts_with(b"<") {
            true => Ok(()),
            false => {
                Err(Unsuited::Input(encoding(first.text).unwrap_or("it does not begin with <, as XML does").into()))
            }
        }
    }

    fn find_rows(&self, piece: &Piece, all: bool, rows: &mut Rows) {
        let mut found = FoundValues { text: piece.text, rows, all, counted: 0, next: 0 };
        let mut end = 0;
        for element in elements(piece.text) {
            if found.rows.is_full() {
                found.rows.stopped = Some(found.next);
                return found.end(found.next);
            }
            self.take(&element, &mut found);
            end = element.end;
        }
        let open = next_tag(piece.text, end);
        if open < piece.text.len() {
            let row = found.row(&(open..piece.text.len()), piece.text.len());
            let words = "the file is cut off: a tag or a comment does not end";
            found.rows.refuse(row, Reject::whole(Code::Length, words));
        }
        found.end(piece.text.len());
    }
}

impl RowWriter for Xml {
    fn is_bare(&self, strings: &[u8]) -> bool {
        !strings.iter().any(|byte| b"&<>\"'".contains(byte))
    }

    fn put(&self, string: &[u8], _: bool, out: &mut Text) {
        for &byte in string {
            match byte {
                b'&' => out.push(b"&amp;"),
                b'<' => out.push(b"&lt;"),
                b'>' => out.push(b"&gt;"),
                b'"' => out.push(b"&quot;"),
                b'\'' => out.push(b"&apos;"),
                byte => out.push_byte(byte),
            }
        }
    }
}

/// The most bytes of a piece. Elements end much earlier.
const LONGEST: usize = MAX_ROW;

/// Cuts text where an element ends, outside of tags, comments and the like.
#[derive(Debug, Clone, Copy, Default)]
struct XmlCutter {
    /// The end of the last tag of the chunk that was examined.
    examined: usize,
}

impl XmlCutter {
    /// The ends of elements in the part of a text that was not examined yet.
    fn ends<'t>(&'t mut self, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
        let from = self.examined.min(text.len());
        elements(&text[from..]).filter_map(move |element| {
            self.examined = from + element.end;
            element.is_over.then_some(self.examined)
        })
    }
}

impl Cutter for XmlCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(Self::default())
    }

    fn enough(&self, _: Limits) -> usize {
        LONGEST + 1
    }

    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        let found = self.ends(text).find(|&end| end > limits.begin());
        let is_known = complete && !text.is_empty() || text.len() > LONGEST;
        let end = found.or(is_known.then_some(text.len().min(LONGEST + 1)))?;
        self.examined = 0;
        Some(Cut { end, open: false })
    }

    fn cut_early(&mut self, text: &[u8], _: Limits) -> Option<Cut> {
        self.examined = 0;
        let end = self.ends(text).last();
        self.examined = 0;
        end.map(|end| Cut { end, open: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    const TEXT: &str = "<?xml version='1.0'?>\n<!DOCTYPE games>\n<games data=\"none\"><!-- <game data=\"no\"/> -->\n\
        <game id='1' data='ab&amp;c'/>\n<game\n data = \"d&#x65;\" >text</game><puzzle>\n f&lt; </puzzle>\
        <puzzle/><puzzle></puzzle><puzzle>g<b/>h</puzzle><puzzle>i<!-- j --></puzzle><![CDATA[<game data=\"no\"/>]]>\n\
        <game data='k' data='l'/><game  data=' '/></games>\n";

    /// The strings, and the lines, texts and messages of refused rows.
    fn found(name: &str, text: &str) -> (Vec<String>, Vec<(u32, String, String)>) {
        let piece = Piece {
            text: text.as_bytes(),
            start: 0,
            quotes: None,
            kernel: kernels::best(),
            before: Default::default(),
        };
        let mut rows = Rows::default();
        Xml::new(name).rows(&piece, false, &mut rows);
        let goes_on = !text.is_empty() && !text.ends_with('\n');
        assert_eq!(rows.lines, text.matches('\n').count() as u64 + u64::from(goes_on));
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let refused = rows.refused.iter().map(|(row, reject)| {
            let row = rows.rows[*row];
            (row.line, string(&text.as_bytes()[row.start as usize..row.end as usize]), reject.message.to_string())
        });
        (rows.strings(text.as_bytes()).map(string).collect(), refused.collect())
    }

    #[test]
    fn attributes_and_elements_of_a_name() {
        let (strings, refused) = found("data", TEXT);
        assert_eq!(strings, ["none", "ab&c", "de"]);
        assert_eq!(refused, [(7, "k".into(), "the element has two attributes data".into())]);
        assert_eq!(found("game@data", TEXT).0, ["ab&c", "de"]);
        let (strings, refused) = found("puzzle", TEXT);
        assert_eq!(strings, ["f<"]);
        let parts: Vec<_> = refused.iter().map(|(line, text, message)| (*line, &text[..], &message[..20])).collect();
        assert_eq!(parts, [(6, "g", "there are elements i"), (6, "i<!-- j -->", "its text has a comme")]);
        assert_eq!(found("puzzle@data", TEXT), (vec![], vec![]));
        let (_, refused) = found("data", "<a data='b'/>\n<a data='c");
        assert_eq!(refused, [(1, "<a data='c".into(), "the file is cut off: a tag or a comment does not end".into())]);
    }

    /// Rows end where their elements do, so that text up to the end of a row has the same rows.
    #[test]
    fn text_up_to_the_end_of_a_row_has_the_same_rows() {
        let text =
            format!("{TEXT}<data data='m'>n</data >\n<data>o</database></data><data data='p'><data>q<b/></data>");
        for name in ["data", "puzzle"] {
            let rows = |text: &str| {
                let kernel = kernels::best();
                let piece = Piece { text: text.as_bytes(), start: 0, quotes: None, kernel, before: Default::default() };
                let mut rows = Rows::default();
                Xml::new(name).rows(&piece, true, &mut rows);
                rows
            };
            let whole = rows(&text);
            for (at, row) in whole.rows.iter().enumerate() {
                let part = rows(&text[..row.next as usize]);
                assert_eq!(part.rows, whole.rows[..=at], "{name}: {}", &text[..row.next as usize]);
                let refused = whole.refused.iter().take_while(|refused| refused.0 <= at);
                assert!(part.refused.iter().map(|one| (one.0, &one.1)).eq(refused.map(|one| (one.0, &one.1))));
            }
        }
        let (strings, refused) = found("data", "<data data='m'>n</data >\n<data>o</database>");
        assert_eq!((strings, refused.len()), (vec!["m".to_string(), "n".to_string()], 1));
    }

    #[test]
    fn what_is_no_xml_is_refused() {
        for (text, good, bad) in [
            ("<r><game data=P/><game data='Q'/></r>", vec!["Q"], "<game data=P/>"),
            ("<r>1 < 2<game data=\"P\"/><game data='Q'/></r>", vec!["Q"], "< 2<game data=\"P\"/>"),
            ("<r><game data=\"P/>\n<game data=\"Q/></r>", vec![], "<game data=\"P/>\n<game data=\"Q/>"),
            ("<data>P</database><data>Q</data>", vec!["Q"], "P"),
        ] {
            let (strings, refused) = found("data", text);
            assert_eq!(strings, good, "{text}");
            assert!(refused.len() == 1 && refused[0].1 == bad, "{text}: {refused:?}");
        }
        let text = "<!DOCTYPE r [<!ENTITY b \"<x/><game data='P'/>\">]>\n<game data='Q'/>";
        assert_eq!(found("data", text), (vec!["Q".to_string()], vec![]));
    }

    #[test]
    fn every_part_can_be_read() {
        for end in 0..TEXT.len() {
            for name in ["data", "puzzle", "games"] {
                let (strings, refused) = found(name, &TEXT[..end]);
                assert!(strings.len() + refused.len() < 10, "{end}");
            }
        }
    }

    #[test]
    fn chunks_end_where_elements_end() {
        let ends: Vec<usize> = elements(TEXT.as_bytes()).filter(|tag| tag.is_over).map(|tag| tag.end).collect();
        for size in 1..TEXT.len() + 2 {
            let limits = Limits { size, line: 1 << 20 };
            let expected = ends.iter().copied().find(|&end| end >= size).unwrap_or(TEXT.len());
            let whole = XmlCutter::default().cut(TEXT.as_bytes(), true, limits);
            assert_eq!(whole, Some(Cut { end: expected, open: false }), "{size}");
            // Text that arrives bit by bit is cut there, too, and the next chunk begins anew.
            let mut cutter = XmlCutter::default();
            let early = (0..=TEXT.len()).find_map(|end| cutter.cut(&TEXT.as_bytes()[..end], end == TEXT.len(), limits));
            assert_eq!((early, cutter.examined), (whole, 0), "{size}");
        }
        let early = |end: usize| XmlCutter::default().cut_early(&TEXT.as_bytes()[..end], Limits { size: 1, line: 9 });
        assert_eq!(early(ends[0]), Some(Cut { end: ends[0], open: false }));
        assert_eq!(early(ends[1] - 1), Some(Cut { end: ends[0], open: false }));
        assert_eq!(early(ends[0] - 1), None);
        let long = vec![b' '; LONGEST + 1];
        let limits = Limits { size: 9, line: 9 };
        assert_eq!(XmlCutter::default().cut(&long[1..], false, limits), None);
        assert_eq!(XmlCutter::default().cut(&long, false, limits), Some(Cut { end: LONGEST + 1, open: false }));
        assert!(Xml::new("a").too_long(&long).is_some() && Xml::new("a").too_long(&long[1..]).is_none());
    }

    #[test]
    fn pieces_have_the_strings_of_the_whole() {
        for name in ["data", "puzzle"] {
            let whole = found(name, TEXT);
            for size in 1..TEXT.len() {
                let (mut at, mut lines, mut strings, mut refused) = (0, 0, Vec::new(), Vec::new());
                while at < TEXT.len() {
                    let limits = Limits { size, line: 1 << 20 };
                    let cut = XmlCutter::default().cut(&TEXT.as_bytes()[at..], true, limits).expect("an end");
                    let part = &TEXT[at..at + cut.end];
                    let (more, bad) = found(name, part);
                    strings.extend(more);
                    refused.extend(bad.into_iter().map(|(line, text, message)| (line + lines, text, message)));
                    lines += part.matches('\n').count() as u32;
                    at += cut.end;
                }
                assert_eq!((strings, refused), whole, "{name} {size}");
            }
        }
    }

    #[test]
    fn new_strings_are_escaped() {
        let mut out = Text::new();
        Xml::new("a").put(b"1&<>\"'2", true, &mut out);
        assert_eq!(out.as_slice(), b"1&amp;&lt;&gt;&quot;&apos;2");
        assert_eq!(unescaped(out.as_slice()), b"1&<>\"'2");
        assert!(Xml::new("a").is_bare(b"S9B05") && !Xml::new("a").is_bare(b"12&"));
    }

    #[test]
    fn names_and_texts_that_are_none_are_refused() {
        let begin = |name: &str, text: &str| {
            let (text, kernel) = (text.as_bytes(), kernels::best());
            let piece = Piece { text, start: 0, quotes: None, kernel, before: Default::default() };
            Xml::new(name).begin(&piece, &Asked::default()).map_err(Unsuited::into_message)
        };
        for name in ["data", "a:b", "game@data", "_x-1.y"] {
            assert_eq!(begin(name, "\u{feff} <a/>"), Ok(()), "{name}");
        }
        for name in ["", "1", "a b", "@data", "game@", "a@b@c", "a=\"b\"", "-a"] {
            assert!(begin(name, "<a/>").is_err_and(|words| words.contains("--column")), "{name}");
        }
        assert_eq!(begin("a", ""), Ok(()));
        assert!(begin("a", "a,b\n").is_err_and(|words| words.contains("does not begin with <")));
        assert!(begin("a", "\u{0}<\u{0}a").is_err());
    }
}
