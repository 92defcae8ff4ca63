//! Links to pages of other programs on which a board can be played. What such a link holds is a string of another format.

use std::borrow::Cow;

use super::addresses::{Address, format_of_link};
use super::decode_one::DecodedString;
use super::notation::need_one_line;
use super::{
    About, BadSample, Codec, Evidence, Form, Format, FormatLayouts, Good, Hints, Holds, Layout, LayoutDoc, Names,
    Records, Remainder, Samples, StringsOut, Text, read_one, v2,
};
use crate::board::{BATCH, Batch, Kind, Shape};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel};

/// The format `link`.
pub(super) struct Link;

static ABOUT: About = About {
    id: Format::Link,
    name: "link",
    summary: "a link to a page where the board can be played",
    layouts: &[
        LayoutDoc { kinds: "all but str8ts", body: "sudokuwiki.org, `?bd=` and v2", length: "any" },
        LayoutDoc { kinds: "str8ts, -x, -b, -bx", body: "str8ts.com, `?bd=` and v2", length: "any" },
        LayoutDoc {
            kinds: "those of fpuzzles",
            body: "sudokupad.app and sudokupad, f-puzzles.com and fpuzzles",
            length: "any",
        },
    ],
};

/// The hosts of pages whose links have a board in a parameter.
pub const HOSTS_OF_BOARDS: [&str; 3] = ["sudokuwiki.org", "str8ts.com", "scanraid.com"];

/// The names of these pages and the kinds that they show, the name that is written first.
const PAGES: &[(&str, Kind)] = &[
    ("sudoku", Kind::Sudoku),
    ("sudokux", Kind::SudokuX),
    ("xsudoku", Kind::SudokuX),
    ("windoku", Kind::Windoku),
    ("windokusudoku", Kind::Windoku),
    ("coloursudoku", Kind::ColourSudoku),
    ("colorsudoku", Kind::ColourSudoku),
    ("jigsaw", Kind::Jigsaw),
    ("jigsawsudoku", Kind::Jigsaw),
    ("killersudoku", Kind::Killer),
    ("killer", Kind::Killer),
    ("killerjigsaw", Kind::KillerJigsaw),
    ("kenken", Kind::KenKen),
    ("kendoku", Kind::KenDoku),
    ("str8ts", Kind::Str8ts),
];

/// The values of the parameter `type` on the page for Str8ts, which distinguish its kinds.
const TYPES: &[(&str, Kind)] =
    &[("X", Kind::Str8tsX), ("B", Kind::Str8tsB), ("BX", Kind::Str8tsBX), ("XB", Kind::Str8tsBX)];

/// The kind that a page shows. The name of the page is in lower case and without an extension.
pub fn kind_of_page(page: &str) -> Option<Kind> {
    let name = page.replace(['_', '-'], "");
    let name = name.strip_suffix("player").unwrap_or(&name);
    PAGES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// The kind of a board on the page for a kind, if its link has this parameter `type`.
pub fn kind_of_type(kind: Kind, value: Option<&[u8]>) -> Option<Kind> {
    let Some(value) = value else { return Some(kind) };
    let is_value = |(known, _): &&(&str, Kind)| known.as_bytes().eq_ignore_ascii_case(value);
    TYPES.iter().find(is_value).filter(|_| kind == Kind::Str8ts).map(|(_, kind)| *kind)
}

/// The format of the strings that links to a page hold.
fn held(page: Layout) -> Format {
    match page {
        Layout::SudokuPadPage => Format::Sudokupad,
        Layout::FPuzzlesPage => Format::Fpuzzles,
        _ => Format::V2,
    }
}

/// The form of the strings in links to a page, and what stands before them.
fn written(page: Layout, shape: Shape) -> Result<(Form, Cow<'static, str>), Reject> {
    let of_kind =
        |list: &[(&'static str, Kind)]| list.iter().find(|(_, kind)| *kind == shape.kind).map(|(name, _)| *name);
    let address = match page {
        Layout::SudokuPadPage => Some("https://sudokupad.app/".into()),
        Layout::FPuzzlesPage => Some("https://f-puzzles.com/?load=".into()),
        Layout::Str8tsPage if shape.kind == Kind::Str8ts => Some("https://www.str8ts.com/str8ts.aspx?bd=".into()),
        Layout::Str8tsPage => {
            of_kind(TYPES).map(|name| format!("https://www.str8ts.com/str8ts.aspx?type={name}&bd=").into())
        }
        _ if shape.kind.has_black() => None,
        _ => of_kind(PAGES).map(|name| format!("https://www.sudokuwiki.org/{name}.htm?bd=").into()),
    };
    let no_page =
        || Reject::whole(Code::Unsupported, format!("the page {page} shows no boards of kind {}", shape.kind));
    Ok((held(page).codec().writes(shape)?, address.ok_or_else(no_page)?))
}

/// Whether boards of a shape can be written as links to a page.
pub(super) fn takes(page: Layout, shape: Shape) -> bool {
    Layout::PAGES.contains(&page) && written(page, shape).is_ok()
}

/// Why boards of a form cannot be written as links to the page that was asked for.
pub(super) fn refuses(form: &Form, page: Option<Layout>) -> Option<Reject> {
    written(page?, form.shape).err()
}

/// Reads a link: its layout, and the string that it holds. The layout is its page, or that of its string if it is not the usual one.
/// `of_string` is the layout of Str8ts strings, if it is known.
fn read(text: &[u8], of_string: Option<Layout>) -> Result<(Layout, DecodedString), Reject> {
    need_one_line(text)?;
    let no_link = |words: &str| Reject::whole(Code::Header, words);
    let address = Address::of(text).ok_or_else(|| no_link("a link begins with https:// and the host of a page"))?;
    let read = |string: &[u8], format, hints: &Hints| read_one(string, Some(format), hints, &Evidence::default());
    if let Some(format) = format_of_link(text) {
        let page = match format {
            _ if address.host == "f-puzzles.com" => Layout::FPuzzlesPage,
            _ if address.host == "sudokupad.app" => Layout::SudokuPadPage,
            _ => Layout::Spec,
        };
        return Ok((page, read(text, format, &Hints::default())?));
    }
    let (kind, string) = board(&address).ok_or_else(|| {
        no_link(
            "no link to a page that holds its board in version 2; 'gridmill convert --framing links' reads others of these pages",
        )
    })?;
    let layouts = FormatLayouts::default().with(Format::V2, of_string);
    let one = read(string, Format::V2, &Hints { layouts, ..Hints::default() })?;
    let found = one.form.shape.kind;
    if found != kind && (found, kind) != (Kind::KillerJigsaw, Kind::Killer) {
        return Err(Reject::whole(Code::Link, format!("its board is a {found}, but its page is for {kind}")));
    }
    let page = if address.host == "str8ts.com" { Layout::Str8tsPage } else { Layout::SudokuWikiPage };
    Ok((if one.form.layout == Layout::Spec { page } else { one.form.layout }, one))
}

/// The layout of the string of a link in this layout: links to pages have strings in the usual one.
fn layout_of_string(layout: Layout) -> Layout {
    if Layout::PAGES.contains(&layout) { Layout::Spec } else { layout }
}

/// The board of a link to a page that shows a kind: a string of version 2, the only one.
fn board<'t>(address: &Address<'t>) -> Option<(Kind, &'t [u8])> {
    if !HOSTS_OF_BOARDS.contains(&address.host.as_str()) {
        return None;
    }
    let page = address.path().rsplit(|&byte| byte == b'/').next()?;
    let page =
        page.split(|&byte| byte == b'.').next().map(|name| String::from_utf8_lossy(name).to_ascii_lowercase())?;
    let kind = kind_of_type(kind_of_page(&page)?, address.parameter("type"))?;
    let mut boards = address.parameters("bd").chain(address.parameters("n"));
    let string = boards.next().filter(|string| v2::resembles(string))?;
    let has_layout = ["shape", "jigmap"].iter().any(|name| address.parameter(name).is_some());
    (boards.next().is_none() && !has_layout).then_some((kind, string))
}

impl Codec for Link {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        Address::of(text).is_some_and(|address| board(&address).is_some())
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        let of_string = hints.layouts.get(Format::V2).or(hints.layouts.get(Format::Link).map(layout_of_string));
        let (layout, one) = read(text, of_string)?;
        Ok(Form { id: Format::Link, shape: one.batch.shape(), layout, width: 0 })
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, _: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        let mut decoded = Decoded::default();
        for board in 0..records.len() {
            let one = read(records.get(board), Some(layout_of_string(form.layout))).ok().map(|(_, one)| one);
            let Some(one) = one.filter(|one| one.batch.shape() == form.shape) else { continue };
            batch.copy_board(board, &one.batch, 0);
            decoded.good |= 1 << board;
            decoded.doubtful |= u64::from(!one.losses.is_empty()) << board;
        }
        decoded
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        read(text, Some(layout_of_string(form.layout))).err().unwrap_or_else(|| super::no_fault(ABOUT.name))
    }

    fn remainder(&self, form: Form, text: &[u8]) -> Remainder {
        let losses = read(text, Some(layout_of_string(form.layout))).map(|(_, one)| one.losses);
        let names = |id: Format| id.codec().remainder(Form { id, layout: Layout::Spec, ..form }, text).names;
        Remainder { losses: losses.unwrap_or_default(), names: format_of_link(text).map_or_else(Names::default, names) }
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        let page = Layout::PAGES.into_iter().find(|&page| takes(page, shape));
        let no_page = || Reject::whole(Code::Unsupported, format!("no page shows boards of kind {}", shape.kind));
        Ok(Form { id: Format::Link, shape, layout: page.ok_or_else(no_page)?, width: 0 })
    }

    fn holds(&self, form: Form) -> Holds {
        let held = held(form.layout).codec();
        held.holds(held.writes(form.shape).unwrap_or(form))
    }

    fn encode(&self, form: Form, batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
        let (mut strings, mut ends) = (Text::new(), [0; BATCH]);
        let mut bits = 0;
        let before = written(form.layout, form.shape).map_or_else(
            |_| Cow::Borrowed(""),
            |(form, before)| {
                let strings = StringsOut { text: &mut strings, gap: 0, ends: &mut ends };
                bits = form.id.codec().encode(form, batch, kernel, strings);
                before
            },
        );
        let mut start = 0;
        for (&end, link_end) in ends[..batch.len()].iter().zip(out.ends) {
            if end > start {
                out.text.push(before.as_bytes());
                out.text.push(&strings.as_slice()[start..end]);
            }
            start = end;
            *link_end = out.text.len();
            out.text.room(out.gap);
            out.text.advance(out.gap);
        }
        bits
    }

    fn unwritable(&self, form: Form, batch: &Batch, board: usize) -> Option<Reject> {
        match written(form.layout, form.shape) {
            Ok((form, _)) => form.id.codec().unwritable(form, batch, board),
            Err(reject) => Some(reject),
        }
    }
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Sudoku,
            "https://www.sudokuwiki.org/sudoku.htm?bd=S9B050300000700000000060000010905000000000908000000000600080000000600000003040000080003000001070000000200000006000600000000020800000000040109000005000000000800000709",
        ),
        Good {
            kind: Kind::Sudoku,
            text: "http://sudokuwiki.org/Sudoku_player?x=1&bd=S9B050300000700000000060000010905000000000908000000000600080000000600000003040000080003000001070000000200000006000600000000020800000000040109000005000000000800000709",
            canonical: Some(
                "https://www.sudokuwiki.org/sudoku.htm?bd=S9B050300000700000000060000010905000000000908000000000600080000000600000003040000080003000001070000000200000006000600000000020800000000040109000005000000000800000709",
            ),
        },
        Good::same(
            Kind::Str8tsX,
            "https://www.str8ts.com/str8ts.aspx?type=X&bd=U6B010000000000000000000000000000000000000000000000000000000000000000000000",
        ),
        Good::same(Kind::KenKen, "https://www.sudokuwiki.org/kenken.htm?bd=K3C00g1b41nk0sg0ts1lc2e82f41kw"),
        Good {
            kind: Kind::Sudoku,
            text: "https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79",
            canonical: Some(
                "https://www.sudokuwiki.org/sudoku.htm?bd=S9B050300000700000000060000010905000000000908000000000600080000000600000003040000080003000001070000000200000006000600000000020800000000040109000005000000000800000709",
            ),
        },
    ],
    bad: &[
        BadSample { text: "https://example.org/sudoku.htm?bd=1", code: Code::Header, cell: None },
        BadSample { text: "https://www.sudokuwiki.org/sudoku.htm", code: Code::Header, cell: None },
        BadSample { text: "https://sudokupad.app/wsj7iunsg6", code: Code::Remote, cell: None },
        BadSample {
            text: "https://www.sudokuwiki.org/sudoku.htm?bd=K3C00g1b41nk0sg0ts1lc2e82f41kw",
            code: Code::Link,
            cell: None,
        },
    ],
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;
    use crate::formats::{WrittenAs, recognise, write_in};

    fn empty(kind: Kind, side: usize) -> Batch {
        let mut batch = Batch::new();
        batch.reset(Shape::new(kind, Side::new(side).expect("a side")), 1);
        batch
    }

    #[test]
    fn each_page_shows_its_kinds_and_others_are_refused() {
        for (to, kind, side, begin) in [
            ("link", Kind::Sudoku, 16, "https://www.sudokuwiki.org/sudoku.htm?bd=SGB"),
            ("link", Kind::Str8tsBX, 9, "https://www.str8ts.com/str8ts.aspx?type=BX&bd=V9B"),
            ("link=str8ts", Kind::Str8ts, 6, "https://www.str8ts.com/str8ts.aspx?bd=T6B"),
            ("link=sudokuwiki", Kind::ColourSudoku, 9, "https://www.sudokuwiki.org/coloursudoku.htm?bd=C9B"),
            ("link=sudokupad", Kind::SudokuX, 9, "https://sudokupad.app/scf"),
            ("link=sudokupad", Kind::Sudoku, 6, "https://sudokupad.app/fpuzN4Ig"),
            ("link=fpuzzles", Kind::Sudoku, 9, "https://f-puzzles.com/?load=N4Ig"),
        ] {
            let to: WrittenAs = to.parse().expect("a format");
            let (link, losses) = write_in(&empty(kind, side), 0, to).expect("a link");
            assert!(link.starts_with(begin) && losses.is_empty(), "{link}");
            let form = recognise(link.as_bytes(), Some(Format::Link), &Hints::default()).expect("a link");
            assert_eq!(form.shape.kind, kind, "{link}");
            assert_eq!(to.layout.unwrap_or(form.layout), form.layout, "{link}");
        }
        for (to, kind, side, words) in [
            ("link=str8ts", Kind::Sudoku, 9, "the page str8ts shows no boards of kind sudoku"),
            ("link=sudokuwiki", Kind::Str8tsB, 9, "the page sudokuwiki shows no boards of kind str8ts-b"),
            ("link=sudokupad", Kind::Str8ts, 9, "no black cells"),
            ("link=fpuzzles", Kind::KenKen, 6, "no operators"),
            ("link=sudokupad", Kind::Sudoku, 25, "no boards of side 25"),
        ] {
            let reject = write_in(&empty(kind, side), 0, to.parse().expect("a format")).expect_err("no such page");
            assert!(reject.code == Code::Unsupported && reject.message.contains(words), "{reject}");
        }
        assert_eq!(
            "link=here".parse::<WrittenAs>(),
            Err("no page is named 'here'; pages: sudokuwiki, str8ts, sudokupad, fpuzzles".into())
        );
        assert!("v2=sudokuwiki".parse::<WrittenAs>().is_err());
    }

    #[test]
    fn only_links_to_boards_in_version_2_are_strings() {
        let v2 = format!("S9B{}", "0".repeat(162));
        let read = |link: &str| recognise(link.as_bytes(), None, &Hints::default());
        for link in [
            "https://WWW.SudokuWiki.org/SUDOKU.aspx?a=1&amp;bd=@#x",
            "sudokuwiki.org/Sudoku_Player?bd=@",
            "HTTP://scanraid.com/sudoku?bd=@",
        ] {
            assert_eq!(read(&link.replace('@', &v2)).map(|form| form.id), Ok(Format::Link), "{link}");
        }
        for link in [
            "https://example.org/sudoku.htm?bd=@",
            "https://www.sudokuwiki.org/other.htm?bd=@",
            "https://www.sudokuwiki.org/sudoku.htm?bd=@&bd=@",
            "https://www.sudokuwiki.org/sudoku.htm?bd=@&shape=1",
            "https://www.sudokuwiki.org/sudoku.htm?type=X&bd=@",
            "https://www.sudokuwiki.org/sudokux.htm?bd=@",
            "see https://www.sudokuwiki.org/sudoku.htm?bd=@",
        ] {
            assert!(read(&link.replace('@', &v2)).is_err(), "{link}");
        }
        let plain = "https://www.sudokuwiki.org/sudoku.htm?bd=".to_string() + &"0".repeat(81);
        assert!(!Format::Link.codec().resembles(plain.as_bytes()));
    }
}
