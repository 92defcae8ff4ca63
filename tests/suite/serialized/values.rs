//! Values as PHP serializes them: random values, a writer, and a strict reader.

use crate::random::Rng;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(String),
    Text(Vec<u8>),
    /// An array, or an object of a class, with numbers or texts as keys.
    Items(Option<&'static str>, Vec<(Value, Value)>),
    /// A string that contains a serialized value.
    Inner(Box<Value>),
}

/// The parts of texts. `@` is a link.
const PIECES: [&str; 22] = [
    "@ ",
    "@\n",
    "@;",
    "<a href=\"@\">",
    "See (@). ",
    "{\"url\":\"@\"}",
    "plain words ",
    "it's ",
    "''",
    "\"",
    "\";",
    "\\",
    "\\'",
    "\n",
    "\r\n",
    "\0",
    "\u{1a}",
    "\u{e9}\u{20ac}",
    "\u{1f600}",
    "};",
    "i:5;",
    "%20&amp;",
];

/// Texts that look like the start of a serialized string.
const DECOYS: [&str; 4] = ["s:300:\"", "s:70:\"", "s:100000:\\\"", "C:3:\"abc\":99:{"];

impl Value {
    /// A random value. With `decoys`, texts may contain those.
    pub(super) fn random(rng: &mut Rng, links: &[String], depth: usize, decoys: bool) -> Self {
        match rng.below(if depth == 0 { 6 } else { 11 }) {
            0 => Self::Null,
            1 => Self::Bool(rng.once_in(2)),
            2 => Self::Int(rng.next() as i64 >> rng.below(60)),
            3 => Self::Float(format!("{}.5", rng.below(1000))),
            4 | 5 => Self::Text(text(rng, links, decoys)),
            6 | 7 => Self::Inner(Box::new(Self::random(rng, links, depth - 1, decoys))),
            _ => {
                let class = *rng.pick(&[None, None, None, Some("stdClass")]);
                let mut items = Vec::new();
                for at in 0..rng.below(5) {
                    let key = match class.is_some() || rng.once_in(2) {
                        true => Self::Text(format!("key {at} of it's").into_bytes()),
                        false => Self::Int(at as i64),
                    };
                    items.push((key, Self::random(rng, links, depth - 1, decoys)));
                }
                Self::Items(class, items)
            }
        }
    }

    /// The value with all texts replaced.
    pub(super) fn map(&self, new: &impl Fn(&[u8]) -> Vec<u8>) -> Self {
        match self {
            Self::Text(text) => Self::Text(new(text)),
            Self::Inner(value) => Self::Inner(Box::new(value.map(new))),
            Self::Items(class, items) => {
                Self::Items(*class, items.iter().map(|(key, value)| (key.clone(), value.map(new))).collect())
            }
            other => other.clone(),
        }
    }

    /// The value as PHP serializes it.
    pub(super) fn written(&self) -> Vec<u8> {
        match self {
            Self::Null => b"N;".to_vec(),
            Self::Bool(yes) => format!("b:{};", u8::from(*yes)).into_bytes(),
            Self::Int(number) => format!("i:{number};").into_bytes(),
            Self::Float(number) => format!("d:{number};").into_bytes(),
            Self::Text(text) => [format!("s:{}:\"", text.len()).as_bytes(), text, b"\";"].concat(),
            Self::Inner(value) => Self::Text(value.written()).written(),
            Self::Items(class, items) => {
                let head = match class {
                    Some(class) => format!("O:{}:\"{class}\":{}:{{", class.len(), items.len()),
                    None => format!("a:{}:{{", items.len()),
                };
                let items = items.iter().flat_map(|(key, value)| [key.written(), value.written()]);
                [head.into_bytes(), items.flatten().collect(), b"}".to_vec()].concat()
            }
        }
    }

    /// Reads a text that is a single value, including texts that are values themselves.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let mut rest = text;
        let value = Self::take(&mut rest)?;
        rest.is_empty().then_some(value)
    }

    fn take(rest: &mut &[u8]) -> Option<Self> {
        let kind = *rest.first()?;
        if kind == b'N' {
            return after(rest, b"N;").map(|()| Self::Null);
        }
        *rest = rest.get(1..)?.strip_prefix(b":")?;
        let end = rest.iter().position(|byte| b":;".contains(byte))?;
        let number = std::str::from_utf8(&rest[..end]).ok()?.to_string();
        *rest = &rest[end..];
        let value = match kind {
            b'b' => Self::Bool(number == "1"),
            b'i' => Self::Int(number.parse().ok()?),
            b'd' => Self::Float(number),
            b's' => {
                let text = quoted(rest, number.parse().ok()?)?;
                Self::read(text).map_or_else(|| Self::Text(text.to_vec()), |value| Self::Inner(Box::new(value)))
            }
            b'a' => return Self::items(rest, None, number.parse().ok()?),
            b'O' => {
                let class = (quoted(rest, number.parse().ok()?)? == b"stdClass").then_some("stdClass");
                *rest = rest.strip_prefix(b":")?;
                let end = rest.iter().position(|&byte| byte == b':')?;
                let count = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
                *rest = &rest[end..];
                return Self::items(rest, class, count);
            }
            _ => return None,
        };
        after(rest, b";").map(|()| value)
    }

    fn items(rest: &mut &[u8], class: Option<&'static str>, count: usize) -> Option<Self> {
        after(rest, b":{")?;
        let items = (0..count).map(|_| Some((Self::take(rest)?, Self::take(rest)?))).collect::<Option<_>>()?;
        after(rest, b"}").map(|()| Self::Items(class, items))
    }
}

/// Skips an expected text.
fn after(rest: &mut &[u8], what: &[u8]) -> Option<()> {
    *rest = rest.strip_prefix(what)?;
    Some(())
}

/// Reads `:"..."` with `length` bytes.
fn quoted<'t>(rest: &mut &'t [u8], length: usize) -> Option<&'t [u8]> {
    after(rest, b":\"")?;
    let (text, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    after(rest, b"\"").map(|()| text)
}

fn text(rng: &mut Rng, links: &[String], decoys: bool) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..rng.below(8) {
        text.push_str(&rng.pick::<&str>(&PIECES).replace("@", rng.pick::<String>(links)));
        if decoys && rng.once_in(12) {
            text.push_str(rng.pick::<&str>(&DECOYS));
        }
    }
    text.into_bytes()
}

/// A notation of text within other text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Unchanged.
    Bare,
    /// A MySQL literal, as `mysqldump` writes it.
    MySql,
    /// One as other tools write it: with single quotes doubled, and double quotes unescaped.
    Tool,
    /// A literal of SQLite or PostgreSQL.
    Sql,
    /// A field of `COPY`.
    Copy,
    /// A JSON string, as PHP writes it.
    Json,
    /// A field of CSV.
    Csv,
}

impl Notation {
    /// Every notation.
    pub(super) const ALL: [Self; 7] =
        [Self::Bare, Self::MySql, Self::Tool, Self::Sql, Self::Copy, Self::Json, Self::Csv];

    /// The text before and after it.
    pub(super) fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Bare => ("", "\n"),
            Self::MySql | Self::Tool => ("INSERT INTO `t` VALUES (1,'", "',NULL);\n"),
            Self::Sql => ("INSERT INTO t VALUES(1,'", "');\n"),
            Self::Copy => ("1\t", "\t\\N\n"),
            Self::Json => ("{\"id\":1,\"value\":\"", "\"}\n"),
            Self::Csv => ("1,\"", "\",x\n"),
        }
    }

    /// The escapes of special bytes.
    fn escape(self, c: char) -> Option<String> {
        let backslash = |c: char| Some(format!("\\{c}"));
        match (self, c) {
            (Self::MySql, '\'' | '"' | '\\') | (Self::Tool | Self::Copy, '\\') => backslash(c),
            (Self::MySql | Self::Tool | Self::Copy, '\n') => backslash('n'),
            (Self::MySql | Self::Tool | Self::Copy, '\r') => backslash('r'),
            (Self::MySql | Self::Tool, '\0') => backslash('0'),
            (Self::MySql | Self::Tool, '\u{1a}') => backslash('Z'),
            (Self::Tool | Self::Sql, '\'') => Some("''".into()),
            (Self::Csv, '"') => Some("\"\"".into()),
            (Self::Json, '"' | '\\' | '/') => backslash(c),
            (Self::Json, '\n') => backslash('n'),
            (Self::Json, '\r') => backslash('r'),
            (Self::Json, c) if !(' '..='~').contains(&c) => {
                let mut units = [0; 2];
                Some(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect())
            }
            _ => None,
        }
    }

    /// Encodes a text.
    pub(super) fn put(self, text: &str) -> String {
        let (before, behind) = self.around();
        let text: String = text.chars().map(|c| self.escape(c).unwrap_or_else(|| c.to_string())).collect();
        format!("{before}{text}{behind}")
    }

    /// Decodes a text; `None` if it is invalid.
    pub(super) fn get(self, text: &str) -> Option<String> {
        let (before, behind) = self.around();
        let mut rest = text.strip_prefix(before)?.strip_suffix(behind)?;
        let mut found = String::new();
        while let Some(c) = rest.chars().next() {
            let special = ['\'', '"', '\\', '/', '\n', '\r', '\0', '\u{1a}', '\u{e9}', '\u{20ac}', '\u{1f600}'];
            let escaped = special.into_iter().find(|&c| self.escape(c).is_some_and(|escape| rest.starts_with(&escape)));
            let width = escaped.map_or(c.len_utf8(), |c| self.escape(c).map_or(0, |escape| escape.len()));
            found.push(escaped.unwrap_or(c));
            rest = &rest[width..];
        }
        // Only accepted if it would be written like that.
        (self.put(&found) == text).then_some(found)
    }
}
