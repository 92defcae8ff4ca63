//! Finds the bytes of a text that something before them counts: the contents of containers that store lengths, such as
//! web archives (WARC), saved HTTP responses, mailboxes with `Content-Length`, dumps of Subversion, streams of `git
//! fast-export`, and append-only files of Redis. A link in such bytes must not change in length.
//!
//! A container is recognised at the start of a text, and followed record by record. A text that begins with anything else
//! and mentions a length is no container.

use std::ops::Range;

use memchr::memchr;

use crate::framing::BYTE_ORDER_MARK;

/// How far a text has been followed: the state in front of its next byte. The default is the start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    state: FollowState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum FollowState {
    /// Nothing but empty lines so far.
    #[default]
    Start,
    /// Not a container, or not any more.
    Over,
    /// Everything that follows is counted.
    Whole,
    /// Lines between what is counted.
    Lines(ContainerKind),
    /// The header of a record: lines of names and values, up to an empty line.
    Header { kind: ContainerKind, length: Option<u64>, chunked: bool },
    /// Counted bytes, and what follows.
    Body { left: u64, kind: ContainerKind, next: NextLine },
    /// The size of a chunk of a body is expected, as HTTP transfers them.
    Chunk(ContainerKind),
    /// After the last chunk, up to an empty line.
    Trailer(ContainerKind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextLine {
    Lines,
    Chunk,
}

/// What a container begins with decides which of its lines have lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContainerKind {
    /// Headers, one after the other: messages of language servers, and others.
    Fields,
    /// Dumps of Subversion.
    Subversion,
    /// Messages of HTTP.
    Http,
    /// Messages that begin with `From `.
    Mailbox,
    /// Records that begin with `WARC/`.
    Warc,
    /// `data 203`
    Git,
    /// `$203`
    Redis,
    /// `V 203`
    Properties,
    /// `set key 0 0 203`
    Memcached,
    /// `+3,203:key->`
    Cdb,
    /// Archives of `ar`.
    Ar,
    /// Archives of the time before WARC.
    Arc,
}

impl Counted {
    /// Follows the next piece of a text, and calls `counted` for every range of counted bytes in it.
    pub(super) fn follow(&mut self, text: &[u8], mut counted: impl FnMut(Range<usize>)) {
        let mut at = 0;
        while at < text.len() {
            match self.state {
                FollowState::Over => return,
                FollowState::Whole => return counted(at..text.len()),
                FollowState::Body { left, kind, next } => {
                    let here = usize::try_from(left).unwrap_or(usize::MAX).min(text.len() - at);
                    counted(at..at + here);
                    at += here;
                    self.state = match (left - here as u64, next) {
                        (0, NextLine::Lines) => FollowState::Lines(kind),
                        (0, NextLine::Chunk) => FollowState::Chunk(kind),
                        (left, _) => FollowState::Body { left, kind, next },
                    };
                }
                _ => {
                    let end = memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
                    let line = text[at..end].strip_suffix(b"\n").unwrap_or(&text[at..end]);
                    let line = line.strip_suffix(b"\r").unwrap_or(line);
                    let (state, used) = self.state.after(line, &text[at..]);
                    self.state = state;
                    at = used.map_or(end, |used| at + used);
                }
            }
        }
    }
}

impl FollowState {
    /// The state after a line of the text `rest`, and how many bytes of it are used if it is not the whole line.
    fn after(self, line: &[u8], rest: &[u8]) -> (Self, Option<usize>) {
        let state = match self {
            Self::Start if line.is_empty() => self,
            Self::Start if is_bencoded(rest) => Self::Whole,
            Self::Start => {
                let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
                match ContainerKind::of(line, rest.get(line.len()) == Some(&b'\r')) {
                    Some(kind) => return Self::Lines(kind).after(line, rest),
                    None => Self::Over,
                }
            }
            Self::Lines(kind) => return kind.line(line),
            Self::Header { kind, length, chunked } => kind.header(line, length, chunked),
            Self::Chunk(kind) => {
                let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let size = std::str::from_utf8(&line[..digits]).ok().and_then(|hex| u64::from_str_radix(hex, 16).ok());
                match size {
                    _ if line.is_empty() => self, // the line end after a chunk
                    Some(0) => Self::Trailer(kind),
                    Some(left) => Self::Body { left, kind, next: NextLine::Chunk },
                    None => Self::Lines(kind),
                }
            }
            Self::Trailer(kind) if line.is_empty() => Self::Lines(kind),
            _ => self,
        };
        (state, None)
    }
}

impl ContainerKind {
    /// The kind of container that begins with this line, which may end with a carriage return.
    fn of(line: &[u8], ends_with_return: bool) -> Option<Self> {
        let begins = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
        Some(match () {
            () if begins(&[b"WARC/"]) => Self::Warc,
            () if is_http(line) => Self::Http,
            () if begins(&[b"From "]) => Self::Mailbox,
            () if line == b"blob" || begins(&[b"reset refs/", b"commit refs/", b"feature ", b"option "]) => Self::Git,
            () if begins(&[b"SVN-fs-dump-format-version:"]) => Self::Subversion,
            () if begins(&[b"filedesc://"]) => Self::Arc,
            () if line == b"!<arch>" => Self::Ar,
            () if Self::Memcached.length(line).is_some() => Self::Memcached,
            () if Self::Properties.length(line).is_some() => Self::Properties,
            () if Self::Cdb.length(line).is_some() => Self::Cdb,
            () if ends_with_return && (begins(&[b"*"]) || Self::Redis.length(line).is_some()) => Self::Redis,
            () if field(line).is_some() => Self::Fields,
            () => return None,
        })
    }

    /// The state after a line between records, and how many bytes of it are used if it is not the whole line.
    fn line(self, line: &[u8]) -> (FollowState, Option<usize>) {
        let header = FollowState::Header { kind: self, length: None, chunked: false };
        let state = match self {
            _ if line.is_empty() => FollowState::Lines(self),
            Self::Fields => match field(line) {
                Some(_) => return (header.after(line, line).0, None),
                None => FollowState::Over,
            },
            Self::Subversion if field(line).is_some() => return (header.after(line, line).0, None),
            Self::Http if is_http(line) || line.starts_with(b"--") => header,
            Self::Mailbox if line.starts_with(b"From ") => header,
            Self::Warc if line.starts_with(b"WARC/") => header,
            Self::Subversion | Self::Http | Self::Mailbox | Self::Warc => FollowState::Lines(self),
            _ => match self.length(line) {
                Some((left, used)) => return (FollowState::Body { left, kind: self, next: NextLine::Lines }, used),
                None => FollowState::Lines(self),
            },
        };
        (state, None)
    }

    /// The state after a line of a header.
    fn header(self, line: &[u8], length: Option<u64>, chunked: bool) -> FollowState {
        if line.is_empty() {
            return match length {
                _ if chunked => FollowState::Chunk(self),
                Some(left) if left > 0 => FollowState::Body { left, kind: self, next: NextLine::Lines },
                // The lines of a message without a length are like those of any text.
                _ if self == Self::Fields && length.is_none() => FollowState::Over,
                _ => FollowState::Lines(self),
            };
        }
        let Some((name, value)) = field(line) else {
            let continues = line.starts_with(b" ") || line.starts_with(b"\t");
            return if continues { FollowState::Header { kind: self, length, chunked } } else { self.line(line).0 };
        };
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        let length = if is("content-length") { number(value).or(length) } else { length };
        let chunked = chunked || is("transfer-encoding") && value.to_ascii_lowercase().ends_with(b"chunked");
        FollowState::Header { kind: self, length, chunked }
    }

    /// The length in a line, and how many bytes of it come before what is counted, if not the whole line.
    fn length(self, line: &[u8]) -> Option<(u64, Option<usize>)> {
        let words = || line.split(|&byte| byte == b' ');
        let after = |prefixes: &[&[u8]]| prefixes.iter().find_map(|prefix| number(line.strip_prefix(*prefix)?));
        let length = match self {
            Self::Git => after(&[b"data "])?,
            Self::Redis => after(&[b"$", b"=", b"!"])?,
            Self::Properties => after(&[b"K ", b"V "])?,
            Self::Memcached => {
                let at = match words().next()? {
                    b"set" | b"add" | b"replace" | b"append" | b"prepend" | b"cas" => 4,
                    b"VALUE" => 3,
                    _ => return None,
                };
                number(words().nth(at)?)?
            }
            Self::Ar => number(line.strip_suffix(b"`")?.get(48..58)?.trim_ascii())?,
            Self::Arc => number(words().next_back()?)?,
            Self::Cdb => {
                let lengths = line.strip_prefix(b"+")?;
                let lengths = &lengths[..memchr(b':', lengths)?];
                let comma = memchr(b',', lengths)?;
                // An arrow is between the key and the value.
                let both = number(&lengths[..comma])?.checked_add(number(&lengths[comma + 1..])?)?;
                return Some((both.checked_add(2)?, Some(lengths.len() + 2)));
            }
            Self::Fields | Self::Subversion | Self::Http | Self::Mailbox | Self::Warc => return None,
        };
        Some((length, None))
    }
}

/// Whether a line begins a request or a response of HTTP.
fn is_http(line: &[u8]) -> bool {
    const METHODS: [&[u8]; 6] = [b"GET ", b"POST ", b"PUT ", b"PATCH ", b"DELETE ", b"HEAD "];
    let version = |text: &[u8]| text.starts_with(b"HTTP/") && text.get(5).is_some_and(u8::is_ascii_digit);
    let last = line.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    version(line) || METHODS.iter().any(|method| line.starts_with(method)) && version(last)
}

/// The name and the value of a line of a header.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    const LONGEST: usize = 100;
    let colon = memchr(b':', &line[..line.len().min(LONGEST)])?;
    let name = &line[..colon];
    let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte));
    let value = &line[colon + 1..];
    // An address has a colon, too.
    (is_name && !value.starts_with(b"//")).then(|| (name, value.trim_ascii()))
}

fn number(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Whether a text begins with two bencoded values in a list or dictionary.
fn is_bencoded(text: &[u8]) -> bool {
    let opened = text.iter().take_while(|&&byte| byte == b'd' || byte == b'l').count();
    let string = |text: &[u8]| {
        let digits = text.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        let length = number(&text[..digits]).filter(|_| digits > 0 && text.get(digits) == Some(&b':'))?;
        Some(digits + 1 + usize::try_from(length).ok()?)
    };
    let integer = |text: &[u8]| {
        let rest = text.strip_prefix(b"i")?;
        let length = rest.iter().take(20).take_while(|byte| byte.is_ascii_digit() || **byte == b'-').count();
        (length > 0 && rest.get(length) == Some(&b'e')).then_some(length + 2)
    };
    let value = |text: &[u8]| string(text).or_else(|| integer(text));
    let second = value(&text[opened..]).and_then(|length| text.get(opened + length..)).unwrap_or_default();
    opened > 0 && (matches!(second, [b'd' | b'l' | b'e', ..]) || value(second).is_some())
}
