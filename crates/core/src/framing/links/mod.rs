//! Links to boards inside text: finds them, and converts their old strings to version 2 (docs/FORMATS.md, "Links").
//! Everything outside the strings stays as it is.
//!
//! - `find`: finds links, and divides them into their parts.
//! - `encoded`: finds links that are encoded as part of something else.
//! - [`counted`]: finds the contents of containers that store lengths, in which no link may change.
//! - [`serialized`]: finds strings with their length before them. `lengths` updates these lengths if a link inside
//!   changes.
//! - `rewrite`: plans the edits that rewrite a link, or tells why it must stay. `value` and `read` handle its string,
//!   `regions` and `layouts` handle boards with regions.
//! - `sites`: finds links of other sites, which are replaced as a whole.
//! - `outside`: finds boards that are not in links, for a text that was only guessed to be one with links.

pub mod counted;
mod encoded;
mod find;
mod layouts;
mod lengths;
mod outside;
mod read;
mod regions;
mod rewrite;
pub mod serialized;
mod sites;
mod value;

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;

use super::cutter::{Cutter, TextBefore};
use super::{
    Asked, Beside, ChosenAs, Framing, FramingFacts, MAX_ROW, NamedFraming, Piece, RecordSort, RewrittenText, RowWriter,
    Rows, TextRow, Unsuited, count_lines,
};
use crate::error::{Refused, Reject};
use crate::formats::{Evidence, Format, Hints, Within, WrittenAs, write_in, write_one};
use crate::kernels::Kernel;
use find::SolverLink;
use lengths::Lengths;
use read::{Edit, ReadLink, refused};

pub(super) static LINKS: NamedFraming = NamedFraming {
    name: "links",
    plural: "text with links",
    help: "Links in text, found as by 'gridmill relink'; links with plain strings and those of other sites are included",
    flags: &[],
    extensions: &["html", "htm", "md"],
    rows_extension: None,
    beside: Beside::Nowhere,
    records: RecordSort::Links,
    within: Within::Field,
    make: |options| {
        let (to, hints, guessed) = (options.to, options.hints, options.guessed);
        Ok(Box::new(Links { plain: true, sites: true, guessed, hints, to, ..Links::default() }))
    },
};

/// Links inside text: which ones to find, and how to rewrite them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    /// Whether to take links to any host, or without a host, and not only those to the site.
    pub any_host: bool,
    /// Whether to convert plain strings to version 2. Otherwise they stay, since the site still accepts that form.
    pub plain: bool,
    /// Whether to read links of other sites that hold whole puzzles, and to replace them by strings.
    pub sites: bool,
    /// Whether to replace links of other sites even if something is lost.
    pub lossy: bool,
    /// What the user says about Str8ts strings. The kind follows from the link's page.
    pub hints: Hints,
    /// How the new strings are written. The pages accept version 2.
    pub to: WrittenAs,
    /// Whether it was guessed that the text is one with links. Boards outside of links are then refused instead of passed
    /// over.
    pub guessed: bool,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            any_host: false,
            plain: false,
            sites: false,
            lossy: false,
            hints: Hints::default(),
            to: Format::V2.into(),
            guessed: false,
        }
    }
}

impl Links {
    /// Rewrites the links of a text.
    ///
    /// ```
    /// use gridmill_core::framing::Links;
    ///
    /// let v1 = "03c848csc4cs1121g10hg005481020024881c8112002c0g1040h485848g0210h4481140350200gs403c4k81448050281k0091120k00gc80h4811s4cck80320g1c810c820020hc805210503cos0cok8s811";
    /// let text = format!("See [this](https://www.sudokuwiki.org/sudoku.htm?bd={v1} \"a board\").");
    /// let done = Links::default().text(text.as_bytes());
    /// let new = String::from_utf8(done.text.unwrap()).unwrap();
    /// assert!(new.starts_with("See [this](https://www.sudokuwiki.org/sudoku.htm?bd=S9B") && new.ends_with(" \"a board\")."));
    /// assert_eq!((done.rewritten, done.left.len()), (1, 0));
    /// ```
    pub fn text(&self, text: &[u8]) -> RewrittenText {
        self.piece(text, TextBefore::default())
    }

    /// Rewrites the links of a piece of text. `before` is what its cutter says of the text before it.
    pub fn piece(&self, text: &[u8], before: TextBefore) -> RewrittenText {
        // The boards are dropped here, since they take some memory.
        let mut lost = BTreeMap::new();
        let edits = |found: FoundLink| {
            let place = found.place.clone();
            if let Some(losses) = found.read.as_ref().ok().map(|read| read.losses).filter(|losses| !losses.is_empty()) {
                lost.insert(place.start, losses);
            }
            (place, found.edits())
        };
        let links: Vec<_> = self.read(text).map(edits).collect();
        let changing = links.iter().filter(|(_, edits)| edits.as_ref().is_ok_and(|edits| !edits.is_empty()));
        let changing: Vec<_> = changing.map(|(link, _)| link.clone()).collect();
        let mut lengths = Lengths::around(text, before.uncertain, &changing);
        let (mut follows, mut contents) = (before.counted, Vec::new());
        if !changing.is_empty() {
            follows.follow(text, |range| contents.push(range));
        }
        let mut done = RewrittenText::default();
        let mut all = Vec::new();
        let mut left: Vec<(Range<usize>, Reject)> = match self.guessed {
            true => outside::boards(text, &links.iter().map(|(link, _)| link.clone()).collect::<Vec<_>>()),
            false => Vec::new(),
        };
        for (link, edits) in links {
            let changed =
                edits.and_then(|edits| match contents.partition_point(|range: &Range<usize>| range.start < link.end) {
                    at if at > 0 && contents[at - 1].end > link.start && !edits.is_empty() => Err(refused(COUNTED)),
                    _ => lengths.apply(text, &link, &edits).map(|()| edits),
                });
            match changed {
                Ok(edits) if edits.is_empty() => done.kept += 1,
                Ok(edits) => {
                    done.rewritten += 1;
                    done.lost.extend(lost.remove(&link.start));
                    all.extend(edits);
                }
                Err(reject) => left.push((link, reject)),
            }
        }
        left.sort_by_key(|(place, _)| place.start);
        let (mut counted, mut line) = (0, 0);
        for (place, reject) in left {
            line += memchr::memchr_iter(b'\n', &text[counted..place.start]).count() as u64;
            counted = place.start;
            let (at, record) = (place.start, text[place].into());
            done.left.push(Refused { line, at, reject, record, too_long: None, warning: false });
        }
        all.extend(lengths.edits());
        done.text = (done.rewritten > 0).then(|| edited(text, all));
        done
    }

    /// Reads the links of a text.
    fn read<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = FoundLink> + 't {
        let mut passed = 0;
        let sites = self.sites.then(|| sites::places(text)).into_iter().flatten();
        let (mut sites, mut places) = (sites.peekable(), places(text).peekable());
        let next = move || match (sites.peek(), places.peek()) {
            (Some((site, _)), Some(&at)) if site.start < at => sites.next().map(LinkPlace::Site),
            (Some(_), None) => sites.next().map(LinkPlace::Site),
            _ => places.next().map(LinkPlace::Parameter),
        };
        std::iter::from_fn(next).filter_map(move |place| {
            let at = match &place {
                LinkPlace::Site((site, _)) => site.start,
                LinkPlace::Parameter(at) => *at,
            };
            if at < passed {
                return None;
            }
            let mut found = if let LinkPlace::Site(site) = place {
                sites::read(text, passed, site, self)
            } else if encoded::is_equals_sign(&text[at + 2..]) {
                self.encoded(text, at)?
            } else {
                let link = SolverLink::around(text, at, self.any_host)?;
                let whole = || sites::fixed(text, passed, &(link.start..link.end));
                let fixed = fixed(text, &link).or_else(|| (self.to.format == Format::Link).then(whole)?);
                let read = rewrite::rewrite(text, &link, self, &Evidence::default());
                let read = read.and_then(|read| self.replaced(text, &link, read));
                FoundLink { place: link.start..link.end, read, fixed }
            };
            // The text before `passed` belongs to an earlier link, which may have run into this one.
            found.place.start = found.place.start.max(passed);
            passed = found.place.end;
            Some(found)
        })
    }

    /// Replaces a link as a whole, if links are written.
    fn replaced(&self, text: &[u8], link: &SolverLink, read: ReadLink) -> Result<ReadLink, Reject> {
        if self.to.format != Format::Link {
            return Ok(read);
        }
        let (new, losses) = write_in(&read.board, 0, self.to)?;
        if !self.lossy && losses.need_consent() {
            return Err(losses.reject(self.to.format.name(), read.board.shape().side.get()));
        }
        // Punctuation after the link is no part of it, unless it belongs to the board.
        let end = link.last_letter(text);
        let end = read.edits.iter().map(|(range, _)| range.end).max().map_or(end, |of_board| end.max(of_board));
        let old = &text[link.start..end];
        let new = sites::written_like(old, new);
        let is_same = *old == *new.as_bytes();
        let end = find::after_fragment(text, end);
        let edits = if is_same { Vec::new() } else { vec![(link.start..end, new)] };
        Ok(ReadLink { edits, losses, ..read })
    }

    /// The format of the strings that stand in links.
    fn string_format(&self) -> Format {
        if self.to.format == Format::Link { Format::V2 } else { self.to.format }
    }

    /// The link around an encoded parameter. It can be read, but not rewritten.
    fn encoded(&self, text: &[u8], at: usize) -> Option<FoundLink> {
        let (place, plain) = encoded::decode_around(text, at);
        let link = encoded::first_link(&plain, self.any_host)?;
        let read = rewrite::rewrite(&plain, &link, self, &Evidence::default());
        Some(FoundLink {
            place,
            read,
            fixed: Some("it is percent-encoded or entity-encoded as part of something else"),
        })
    }
}

impl Framing for Links {
    fn facts(&self) -> FramingFacts {
        // Longer lines are split, but not inside a link. The limit is lower than `MAX_ROW` because a part of a line is in
        // memory together with its new text and all edits, and because a part may be longer if a word does not end before
        // the limit.
        let chosen = ChosenAs::Places;
        FramingFacts { longest: MAX_ROW / 4, keeps_refused: true, chosen, ..FramingFacts::default() }
    }

    fn cutter(&self, _: &'static Kernel) -> Option<Box<dyn Cutter>> {
        match self.guessed {
            true => Some(Box::new(outside::OutsideCutter::default())),
            false => Some(Box::new(serialized::SerializedCutter::default())),
        }
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        let words = if asked.from.is_some() {
            "the format of each link is detected; leave out --from"
        } else if asked.hints.kind.is_some() {
            "the page of a link determines the kind; leave out --kind"
        } else if !asked.names.is_empty() {
            "nothing can be appended to a link; leave out --solutions and --add"
        } else {
            return Ok(());
        };
        Err(words.into())
    }

    fn begin(&mut self, first: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        self.lossy = asked.lossy;
        if !first.text.starts_with(b"%PDF") {
            return Ok(());
        }
        let words = "the input is a PDF, whose contents must not change in length; use the text it was made from";
        Err(Unsuited::Asked(words.into()))
    }

    /// The boards of links are given in version 2, whatever format the links have.
    fn format(&self, _: Option<Format>) -> Option<Format> {
        Some(Format::V2)
    }

    /// Each link is a row. Its string is the link's board in version 2, of the kind that the link's page shows.
    fn find_rows(&self, piece: &Piece, _: bool, rows: &mut Rows) {
        let text = piece.text;
        let board = |read: Result<ReadLink, Reject>| read.and_then(|read| write_one(&read.board, 0, Format::V2));
        let mut found: Vec<_> = self.read(text).map(|FoundLink { place, read, .. }| (place, board(read))).collect();
        if self.guessed {
            let links: Vec<_> = found.iter().map(|(place, _)| place.clone()).collect();
            found.extend(outside::boards(text, &links).into_iter().map(|(place, reject)| (place, Err(reject))));
            found.sort_by_key(|(place, _)| place.start);
        }
        let (mut counted, mut line) = (0, 0);
        for (place, board) in found {
            line += memchr::memchr_iter(b'\n', &text[counted..place.start]).count() as u32;
            counted = place.start;
            let (start, end) = (place.start as u32, place.end as u32);
            rows.take_string(TextRow { start, end, next: end, line, fields: 0, list: false }, board);
        }
        rows.lines = count_lines(text);
    }

    fn rewrite(&self, piece: &Piece) -> Option<RewrittenText> {
        // A byte order mark before the text is not part of it.
        let uncertain = piece.before.uncertain.saturating_sub(piece.start);
        Some(self.piece(piece.text, TextBefore { uncertain, ..piece.before }))
    }
}

impl RowWriter for Links {}

/// Why a link in the contents of a container must stay.
const COUNTED: &str = "it is in the contents of a container, whose length is written before them (as in Content-Length: \
                       1234 or data 1234) and would become wrong; rewrite the contents before they are put in there";

/// Why a link in an address must stay.
const INSIDE: &str = "it is part of another address, which would break";

/// Why a link in a netstring must stay.
const COUNTED_BEFORE: &str = "the number before it is its length, which would become wrong";

/// Where a link may be: the link of another site, with the format that reads it, or a parameter with a board.
enum LinkPlace {
    Site((Range<usize>, Format)),
    Parameter(usize),
}

/// A link that was read.
struct FoundLink {
    place: Range<usize>,
    read: Result<ReadLink, Reject>,
    /// Why it must stay as it is, whatever its string is.
    fixed: Option<&'static str>,
}

impl FoundLink {
    /// The edits that rewrite it.
    fn edits(self) -> Result<Vec<Edit>, Reject> {
        let edits = self.read?.edits;
        match self.fixed {
            Some(why) if !edits.is_empty() => Err(refused(why)),
            _ => Ok(edits),
        }
    }
}

/// Why a link must stay as it is, because of the text before it.
fn fixed(text: &[u8], link: &SolverLink) -> Option<&'static str> {
    if link.inside {
        return Some(INSIDE);
    }
    netstring(text, link.start, link.end).then_some(COUNTED_BEFORE)
}

/// Whether a link is in a netstring: a length, a colon, the bytes, a comma. (A bencoded string has no comma at its end, so
/// the text after it runs into the link's board.)
fn netstring(text: &[u8], start: usize, end: usize) -> bool {
    /// How far before a link its length is looked for.
    const REACH: usize = 16 << 10;
    // Punctuation after a link may have been taken for a part of it.
    let end = start + text[start..end].iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |last| last + 1);
    let low = start.saturating_sub(REACH);
    memchr::memrchr_iter(b':', &text[low..start]).map(|colon| low + colon).any(|colon| {
        let digits = text[low..colon].iter().rev().take(7).take_while(|byte| byte.is_ascii_digit()).count();
        let number = &text[colon - digits..colon];
        let length = number.iter().fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
        let close = colon + 1 + length;
        if digits == 0 || close < end || text.get(close) != Some(&b',') {
            return false;
        }
        // A number and a comma at the right distance may be a coincidence, unless nothing but the link is between them, or
        // both are where netstrings begin and end.
        let alone = colon + 1 == start && !text[end..close].contains(&b'\n');
        let before = text[..colon - digits].last().is_none_or(|byte| b"\n,:".contains(byte));
        let after = text.get(close + 1).is_none_or(|byte| byte.is_ascii_digit() || b"\r\n,}]".contains(byte));
        alone || before && after
    })
}

/// Applies edits to a text.
fn edited(text: &[u8], mut edits: Vec<Edit>) -> Vec<u8> {
    edits.sort_by_key(|(range, _)| range.start);
    let (mut new, mut copied) = (Vec::with_capacity(text.len() + text.len() / 8), 0);
    for (range, with) in edits {
        new.extend_from_slice(&text[copied..range.start]);
        new.extend_from_slice(with.as_bytes());
        copied = range.end;
    }
    new.extend_from_slice(&text[copied..]);
    new
}

/// The positions, in order, where a parameter with a board may begin. Text without any is passed at the speed of a byte
/// search.
fn places(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_board = |at: &usize| {
        let sign = &text[at + 2..];
        find::equals_sign(sign).is_some() || encoded::is_equals_sign(sign)
    };
    let boards = memmem::find_iter(text, b"bd").filter(is_board);
    // Masks are numbers with commas; `n=` alone is far too common to examine each time.
    let masks = memmem::find_iter(text, b"n=").filter(|&at| text.get(at + 2).is_some_and(u8::is_ascii_digit));
    let (mut boards, mut masks) = (boards.peekable(), masks.peekable());
    std::iter::from_fn(move || match (boards.peek(), masks.peek()) {
        (Some(a), Some(b)) if a < b => boards.next(),
        (Some(_), None) => boards.next(),
        _ => masks.next(),
    })
}
