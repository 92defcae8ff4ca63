//! Links of other sites, which hold whole puzzles. They are read as strings of the formats of these sites, and replaced as a whole.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::find::{
    LONGEST, ampersand, before_entity, before_next, is_address_prefix, is_query_byte, written_ampersand,
};
use super::read::{ReadLink, refused};
use super::{COUNTED_BEFORE, FoundLink, INSIDE, Links, netstring};
use crate::error::Reject;
use crate::formats::{Evidence, Format, Hints, format_of_link, read_one, write_in};

/// Schemes of links.
const SCHEMES: [&[u8]; 3] = [b"https", b"http", b"sudokupad"];

/// What follows a scheme, also as JSON may write it.
const AFTER_SCHEME: &[u8] = b"://";
const AFTER_SCHEME_IN_JSON: &[u8] = b":\\/\\/";

/// Punctuation that may follow a link without a space, and Markdown.
const PUNCTUATION: &[u8] = b".,;:!?*_|\\~";

/// The links of a text to other sites: their places, and the formats that read them.
pub(super) fn places(text: &[u8]) -> impl Iterator<Item = (Range<usize>, Format)> {
    let is_scheme =
        |colon: &usize| [AFTER_SCHEME, AFTER_SCHEME_IN_JSON].iter().any(|after| text[*colon..].starts_with(after));
    memchr::memchr_iter(b':', text).filter(is_scheme).filter_map(|colon| {
        let place = place(text, colon)?;
        let format = format_of_link(&plain(&text[place.clone()]))?;
        Some((place, format))
    })
}

/// What JSON writes for characters of addresses.
const ESCAPES: [(&[u8], u8); 3] = [(b"\\/", b'/'), (b"\\u0026", b'&'), (b"\\u003d", b'=')];

/// The escape at the start of a text, and its character.
fn escape(text: &[u8]) -> Option<(&'static [u8], u8)> {
    ESCAPES
        .into_iter()
        .find(|(escape, _)| text.get(..escape.len()).is_some_and(|text| text.eq_ignore_ascii_case(escape)))
}

/// An address without the escapes of JSON, and with `&` for its entities.
fn plain(address: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'\\', b'&', address).is_none() {
        return Cow::Borrowed(address);
    }
    let (mut out, mut rest) = (Vec::with_capacity(address.len()), address);
    while let Some(&byte) = rest.first() {
        let escape = escape(rest).map(|(escape, byte)| (escape.len(), byte));
        let (width, byte) = escape.or_else(|| Some((ampersand(rest)?, b'&'))).unwrap_or((1, byte));
        out.push(byte);
        rest = &rest[width..];
    }
    Cow::Owned(out)
}

/// The place of the address whose scheme ends at a byte.
fn place(text: &[u8], colon: usize) -> Option<Range<usize>> {
    let is_before = |scheme: &&&[u8]| {
        let start = colon.checked_sub(scheme.len());
        start.is_some_and(|start| text[start..colon].eq_ignore_ascii_case(scheme))
    };
    let start = colon - SCHEMES.iter().find(is_before)?.len();
    let most = text.len().min(start + LONGEST);
    let length = text[start..most].iter().position(|&byte| !is_query_byte(byte));
    let end = length.map_or(most, |length| start + length);
    let end = before_next(text, colon, end);
    // Other escapes are those of line ends and quotes, which are no part of it.
    let mut backslashes = memchr::memchr_iter(b'\\', &text[start..end]).map(|at| start + at);
    let end = backslashes.find(|&at| escape(&text[at..end]).is_none()).unwrap_or(end);
    // HTML has the quotes and brackets around an address as entities, if it is text and no attribute.
    let end = before_entity(text, start, end);
    let last = text[start..end].iter().rposition(|byte| !PUNCTUATION.contains(byte))?;
    let last = start + last + 1;
    Some(start..last + usize::from(ends_with_star(text, start..last)))
}

/// Whether a star after an address is the end of the texts in an id of SudokuPad, and not that of emphasis in Markdown.
fn ends_with_star(text: &[u8], address: Range<usize>) -> bool {
    let has_texts = || {
        let code = memmem::find(&text[address.clone()], b"/scf").map(|at| address.start + at);
        code.is_some_and(|code| text[code..address.end].contains(&b'*'))
    };
    text.get(address.end) == Some(&b'*') && !text[..address.start].ends_with(b"*") && has_texts()
}

/// Reads a link, and plans to replace it by what the plan writes. The text before `passed` is no part of it.
pub(super) fn read(text: &[u8], passed: usize, (place, format): (Range<usize>, Format), plan: &Links) -> FoundLink {
    let fixed = fixed(text, passed, &place);
    FoundLink { read: rewrite(text, &place, format, plan), place, fixed }
}

/// Why a link must not be replaced as a whole, because of the text before it. That before `passed` is no part of an address
/// around it.
pub(super) fn fixed(text: &[u8], passed: usize, place: &Range<usize>) -> Option<&'static str> {
    let low = place.start.saturating_sub(LONGEST).max(passed).min(place.start);
    let before = text[low..place.start].iter().rposition(|&byte| !is_query_byte(byte)).map_or(low, |at| low + at + 1);
    let before = plain(&text[before..place.start]);
    let is_value = || before.contains(&b'?') && before.ends_with(b"=");
    if is_address_prefix(&before) || memmem::find(&before, AFTER_SCHEME).is_some() || is_value() {
        return Some(INSIDE);
    }
    let is_colon = |colon: &&[u8]| {
        let end = before.len().checked_sub(colon.len());
        end.is_some_and(|end| before[end..].eq_ignore_ascii_case(colon))
    };
    let has_other_scheme = || [&b":"[..], b"%3a", b"%253a"].iter().any(is_colon);
    if text[place.clone()].starts_with(b"//") && has_other_scheme() {
        return Some("its scheme is neither https: nor http:, and would stand before the new link");
    }
    netstring(text, place.start, place.end).then_some(COUNTED_BEFORE)
}

/// The new text in place of an old link: with `&` as the old one has it, since it may be HTML or JSON.
pub(super) fn written_like(old: &[u8], new: String) -> String {
    if !new.contains('&') {
        return new;
    }
    new.replace('&', &String::from_utf8_lossy(written_ampersand(old)))
}

fn rewrite(text: &[u8], place: &Range<usize>, format: Format, plan: &Links) -> Result<ReadLink, Reject> {
    let one = read_one(&plain(&text[place.clone()]), Some(format), &Hints::default(), &Evidence::default())?;
    if !plan.lossy && one.losses.need_consent() {
        return Err(refused(&format!("reading it loses: {}; --lossy converts it anyway", one.losses)));
    }
    let (new, mut losses) = write_in(&one.batch, 0, plan.to)?;
    if !plan.lossy && losses.need_consent() {
        return Err(losses.reject(plan.to.format.name(), one.batch.shape().side.get()));
    }
    losses.join(&one.losses);
    let new = written_like(&text[place.clone()], new);
    Ok(ReadLink { edits: vec![(place.clone(), new)], board: one.batch, losses })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    const RUNS: &str = "5NlQ19j9mGca3OIN1bWGk2m41TjS79";
    const DIGITS: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

    fn plan() -> Links {
        Links { sites: true, plain: true, to: Format::Plain.into(), ..Links::default() }
    }

    #[test]
    fn links_of_other_sites_are_replaced_as_a_whole() {
        for (before, link, after) in [
            ("[this](", format!("https://sudokupad.app/scf{RUNS}?setting-nogrid=1"), ") is one"),
            ("<a href=\"", format!("https://sudokuexchange.com/play/?s={DIGITS}&amp;d=2"), "\">"),
            ("&lt;a href=&quot;", format!("https://sudokuexchange.com/play/?s={RUNS}"), "&quot;&gt;"),
            ("href=", format!("HTTPS://www.sudoku.coach/en/play/{DIGITS}"), "."),
            ("", format!("sudokupad://puzzle/scf{RUNS}"), ", or another"),
            ("", format!("SUDOKUPAD://Puzzle/scf{RUNS}"), ", or another"),
            ("see ", "HTTPS://PUZZ.LINK/p?sudoku/9/9/5".to_string(), " "),
            ("x\n", format!("https://app.crackingthecryptic.com/sudoku/?puzzleid=scf{RUNS}"), "\n"),
            (r#"{"a":""#, format!(r"https:\/\/sudokuexchange.com\/play\/?s\u003d{DIGITS}\u0026d=2"), r#"\n"}"#),
            (r#"{"a":"see "#, format!("https://sudokupad.app/scf{RUNS}"), r#"\"."}"#),
            ("<a href=\"", format!("https://sudokupad.app/scf{RUNS}*tNoon*"), "\">"),
            ("[this](", format!("https://sudokupad.app/scf{RUNS}*tNoon*aAnn*"), ")."),
            ("**", format!("https://sudokupad.app/scf{RUNS}*tNoon"), "**"),
            ("**", format!("https://puzz.link/p?sudoku/9/9/{}", "5"), "**"),
        ] {
            let text = format!("{before}{link}{after}");
            let done = plan().text(text.as_bytes());
            assert_eq!((done.rewritten, done.left.len()), (1, 0), "{text} {:?}", done.left);
            let new = String::from_utf8(done.text.expect("a new text")).expect("text");
            let board = new.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).expect("the text around it");
            assert!(
                board == DIGITS || link.to_ascii_lowercase().contains("puzz.link") && board.len() == 81,
                "{text}: {new}"
            );
            // It is no link of the pages that relink is for.
            let left = Links { any_host: true, plain: true, ..Links::default() }.text(text.as_bytes());
            assert!(left.text.is_none() && left.left.is_empty(), "{text}");
        }
    }

    #[test]
    fn whole_links_are_replaced_by_links() {
        let v2 = "S9B050300000700000000060000010905000000000908000000000600080000000600000003040000080003000001070000000200000006000600000000020800000000040109000005000000000800000709";
        let wiki = format!("https://www.sudokuwiki.org/sudoku.htm?bd={v2}");
        let pad = format!("https://sudokupad.app/scf{RUNS}");
        let masks =
            DIGITS.chars().map(|c| c.to_digit(10).map_or(0, |digit| 1 << digit >> 1)).map(|mask: u32| mask.to_string());
        let masks = masks.collect::<Vec<_>>().join(",");
        for (before, to, after) in [
            (pad.clone(), "link", wiki.clone()),
            (wiki.clone(), "link=sudokupad", pad.clone()),
            (format!("http://sudokuwiki.org/Sudoku?x=1&amp;bd={DIGITS}"), "link=sudokupad", pad.clone()),
            (
                format!("http://sudokuwiki.org/Sudoku?bd={}&x=1", DIGITS.replace('0', ".")),
                "link=sudokupad",
                pad.clone(),
            ),
            (wiki.clone(), "link", wiki.clone()),
        ] {
            let plan = Links { to: to.parse().expect("a format"), ..plan() };
            let text = format!("a \"{before}\". ({before}), {before}.\n");
            let done = plan.text(text.as_bytes());
            assert!(done.left.is_empty(), "{text}: {:?}", done.left);
            let new = done.text.map_or(text.clone(), |new| String::from_utf8(new).expect("text"));
            assert_eq!(new, text.replace(&before, &after));
        }
        let lossy = format!("https://sudokuwiki.org/sudoku.htm?n={masks}");
        let done = Links { to: "link=sudokupad".parse().expect("a format"), ..plan() }.text(lossy.as_bytes());
        assert!(done.text.is_some_and(|new| new.starts_with(b"https://sudokupad.app/fpuzN4Ig")), "solved digits");
        let done = Links { to: "link=str8ts".parse().expect("a format"), ..plan() }.text(pad.as_bytes());
        assert!(done.text.is_none() && done.left[0].reject.code == Code::Unsupported);
    }

    const V2: &str = "S9B050300000700000000060000010905000000000908000000000600080000000600000003040000080003000001070000000200000006000600000000020800000000040109000005000000000800000709";

    /// The text after links are replaced by links to a page, and the number of those left alone.
    fn written_to(to: &str, text: &str) -> (String, usize) {
        let done = Links { to: to.parse().expect("a format"), ..plan() }.text(text.as_bytes());
        (done.text.map_or(text.to_string(), |new| String::from_utf8(new).expect("text")), done.left.len())
    }

    #[test]
    fn whole_links_end_before_entities_and_with_their_fragments() {
        let plain = format!("http://sudokuwiki.org/sudoku.htm?bd={DIGITS}");
        let wiki = format!("https://www.sudokuwiki.org/sudoku.htm?bd={V2}");
        let pad = format!("https://sudokupad.app/scf{RUNS}");
        for (to, new, olds) in [
            ("link", &wiki, [&plain, &pad, &format!("{plain}&amp;x=1")]),
            ("link=sudokupad", &pad, [&plain, &wiki, &format!("{wiki}&#38;x=1")]),
        ] {
            for old in olds {
                for after in [
                    "&quot;&gt;",
                    "&lt;/a&gt;",
                    "&nbsp;x",
                    "&apos;",
                    "&rdquo;,",
                    "&#039;",
                    "&#8221;",
                    "&amp;quot;",
                    "&amp;#39; x",
                    "&amp;",
                    "&amp;, x",
                    "& x",
                    ".",
                ] {
                    let done = written_to(to, &format!("a {old}{after}"));
                    assert_eq!(done, (format!("a {new}{after}"), 0), "{old}{after}");
                }
                let done = written_to(to, &format!("a {old}#top&quot; ({old}#top), {old}#a=b."));
                assert_eq!(done, (format!("a {new}&quot; ({new}), {new}."), 0), "{old}");
            }
        }
        // A link that is written as it would be stays, with its fragment.
        let same = format!("{wiki}#top&quot;");
        assert_eq!(written_to("link", &same), (same, 0));
    }

    #[test]
    fn whole_links_with_other_schemes_in_addresses_or_with_lengths_stay() {
        let old = format!("www.sudokuwiki.org/sudoku.htm?bd={V2}");
        let pad = format!("https://sudokupad.app/scf{RUNS}");
        for scheme in ["HTTP://", "Http://", "HTTPS://", "https://", "//", "", r"HTTPS:\/\/"] {
            assert_eq!(written_to("link=sudokupad", &format!("a {scheme}{old} b")), (format!("a {pad} b"), 0));
        }
        let wiki = format!("https://{old}");
        for text in [
            format!("https%3A//{old}"),
            format!("ftp://{old}"),
            format!("android-app://{old}"),
            format!(r"ftp:\/\/{old}"),
            format!("https://x.org/?u={wiki}&lang=de"),
            format!("https://x.org/?u={wiki}&amp;lang=de"),
            format!("<a href=\"/go?u={wiki}&amp;lang=de\">"),
            format!("{}:{wiki},", wiki.len()),
        ] {
            assert_eq!(written_to("link=sudokupad", &text), (text, 1));
        }
        for text in [
            format!("{}:{pad},", pad.len()),
            format!("{}:<p>{pad}</p>,\n", pad.len() + 7),
            format!("<a href=\"/go?u={pad}&amp;lang=de\">"),
        ] {
            assert_eq!(written_to("link", &text), (text, 1));
        }
    }

    #[test]
    fn lengths_of_short_strings_change_with_whole_links() {
        let wiki = format!("https://www.sudokuwiki.org/sudoku.htm?bd={V2}");
        let pad = format!("https://sudokupad.app/scf{RUNS}");
        let string = |text: &str| format!("a:1:{{i:0;s:{}:\"{text}\";}}", text.len());
        for (text, new) in [(&pad, &wiki), (&format!("<p>{pad}</p>"), &format!("<p>{wiki}</p>"))] {
            assert_eq!(written_to("link", &string(text)), (string(new), 0));
            assert_eq!(written_to("link=sudokupad", &string(new)), (string(text), 0));
            assert_eq!(written_to("link", &string(&string(text))), (string(&string(new)), 0));
        }
        let wrong = string(&pad).replace("s:55:", "s:54:");
        assert_eq!(written_to("link", &wrong), (wrong.clone(), 1));
    }

    #[test]
    fn ampersands_are_written_as_in_the_old_link() {
        let board = format!("V9B{}", "0".repeat(162));
        let new = |and: &str| format!("https://www.str8ts.com/str8ts.aspx?type=BX{and}bd={board}");
        for and in ["&", "&amp;", "&#38;", r"\u0026", "&amp;amp;"] {
            let old = format!("http://str8ts.com/Str8ts?x=1{and}type=XB{and}bd={board}");
            assert_eq!(written_to("link", &format!("<a href='{old}'>")), (format!("<a href='{}'>", new(and)), 0));
            assert_eq!(written_to("link", &new(and)), (new(and), 0));
        }
    }

    #[test]
    fn what_is_no_puzzle_is_passed_over_and_names_of_puzzles_are_refused() {
        for text in [
            format!("https://example.org/scf{RUNS}"),
            format!("https://notsudokupad.app/scf{RUNS}"),
            "https://sudokupad.app/ https://sudokupad.app/js/main.js https://sudoku.coach/en/learn/x-wing".to_string(),
            "https://sudokumaker.app/ http://f-puzzles.com/".to_string(),
            "https://sudokupad.app/about https://sudokupad.app/Blog/2024 https://sudokupad.app/a/b/c".to_string(),
            format!("scf{RUNS} ://sudokupad.app/scf{RUNS}"),
        ] {
            let done = Links { any_host: true, ..plan() }.text(text.as_bytes());
            assert!(done.text.is_none() && done.left.is_empty(), "{text}: {:?}", done.left);
        }
        for (text, code) in [
            ("https://sudokupad.app/wsj7iunsg6".to_string(), Code::Remote),
            ("https://SudokuPad.app/somebody/about-time".to_string(), Code::Remote),
            ("https://sudokupad.app/?puzzleid=about".to_string(), Code::Remote),
            ("http://f-puzzles.com/?id=yc3h2k9x".to_string(), Code::Remote),
            (format!("https://sudokupad.app/scf{}", RUNS.repeat(2)), Code::Unsupported),
            (format!("https://web.archive.org/web/2020/https://sudokupad.app/scf{RUNS}"), Code::Link),
            (format!("https://example.org/?u=https://sudokupad.app/scf{RUNS}"), Code::Link),
        ] {
            let done = plan().text(text.as_bytes());
            let codes: Vec<_> = done.left.iter().map(|left| left.reject.code).collect();
            assert!(done.text.is_none() && codes == [code], "{text}: {:?}", done.left);
        }
    }

    #[test]
    fn several_links_without_spaces_are_several() {
        let text = format!("https://sudokupad.app/scf{RUNS}https://sudokuexchange.com/play/?s={RUNS}");
        let done = plan().text(text.as_bytes());
        assert_eq!((done.rewritten, done.text), (2, Some([DIGITS, DIGITS].concat().into_bytes())));
    }
}
