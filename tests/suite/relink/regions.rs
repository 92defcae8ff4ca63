//! Links to boards with regions.

use std::collections::BTreeSet;

use gridmill::board::components;
use gridmill::formats::{Evidence, Format, Hints, read_one, write_one};
use gridmill::framing::Links;

use super::{relink, v1};
use crate::shared::vectors;
use crate::support::{PLAIN, gridmill, run};

#[test]
fn regions_go_into_the_string() {
    let jigsaw = run(&mut gridmill("gen -q --kind jigsaw --count 1 --mix progress".split(' ')), b"").good();
    let new = String::from_utf8(jigsaw).expect("text").trim_end().to_string();
    let one = read_one(new.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a jigsaw");
    let map: String = one.batch.regions()[..81].iter().map(|region| char::from(b'0' + region)).collect();
    let old = run(&mut gridmill(["convert", "-q", "--to", "v1", "--lossy"]), format!("{new}\n").as_bytes()).good();
    let old = String::from_utf8(old).expect("text").trim_end().to_string();
    // What v1 cannot distinguish, and therefore cannot be recovered.
    let new = {
        let cells = read_one(old.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("v1").batch;
        let mut batch = one.batch;
        (0..81).for_each(|i| batch.set_cell(0, i, cells.cell(0, i)));
        write_one(&batch, 0, Format::V2).expect("a jigsaw")
    };
    let page = "https://www.sudokuwiki.org/jigsaw.htm";
    for (before, after) in [
        (format!("{page}?shape=33&bd={old}&jigmap={map}"), format!("{page}?bd={new}")),
        (format!("{page}?bd={old}&amp;shape=33&amp;jigmap={map}&amp;x=1"), format!("{page}?bd={new}&amp;x=1")),
        (format!("{page}?shape=33&jigmap={map}&bd={old}#a"), format!("{page}?bd={new}#a")),
        (format!("{page}?y=2&jigmap={map}&bd={old}&shape=33 "), format!("{page}?y=2&bd={new} ")),
    ] {
        assert_eq!(relink(&Links::default(), &before), (after, vec![]), "{before}");
    }
    for (link, why) in [
        (format!("{page}?shape=29&bd={old}"), "built into the site"),
        (format!("{page}?shape=x&bd={old}"), "built into the site"),
        (format!("{page}?bd={old}&shape=5th"), "built into the site"),
        (format!("{page}?bd={old}&shape=5.x=/"), "built into the site"),
        (format!("{page}?bd={old}&shape=33&jigmap={map}.a"), "jigmap"),
        (format!("{page}?shape=33&bd={old}"), "no jigmap"),
        (format!("{page}?bd={old}"), "lacks the regions"),
        (format!("{page}?bd={old}&jigmap={map}"), "lacks the regions"),
        (format!("{page}?shape=33&bd={old}&jigmap=12"), "jigmap"),
        (format!("{page}?shape=33&bd={old}&jigmap={map}1"), "jigmap"),
        (format!("{page}?shape=11&bd={old}&jigmap={map}"), "two layouts"),
        (format!("{page}?shape=33&shape=11&bd={old}&jigmap={map}"), "shape twice"),
    ] {
        let (text, left) = relink(&Links::default(), &link);
        assert!(text == link && left.len() == 1 && left[0].contains(why), "{link}: {left:?}");
    }
    // Punctuation after a link is no part of it.
    let text = format!("({page}?bd={old}&shape=33&jigmap={map}). {page}?bd={old}&shape=33&jigmap={map}.");
    assert_eq!(relink(&Links::default(), &text).0, format!("({page}?bd={new}). {page}?bd={new}."));
}

/// Regions given by the number of a layout. Known J9B strings of two layouts have the same regions.
#[test]
fn numbered_layouts() {
    let page = "https://www.sudokuwiki.org/jigsaw.htm";
    let plain = Links { plain: true, ..Links::default() };
    let regions = |number: usize| {
        let (text, left) = relink(&plain, &format!("{page}?shape={number}&bd={PLAIN}"));
        assert_eq!(left, [""; 0], "{number}");
        let regions = regions(text.strip_prefix(&format!("{page}?bd=")).expect("a string"));
        let pieces: BTreeSet<_> = components(&regions, 9)[..81].iter().copied().collect();
        let whole = (1..=9).all(|region| regions.iter().filter(|&&other| other == region).count() == 9);
        assert!(whole && pieces.len() == 9, "{number}: nine pieces of nine cells");
        regions
    };
    let all: Vec<_> = (0..=28).map(regions).collect();
    let boxes: Vec<u8> = (0..81).map(|cell| cell / 27 * 3 + cell % 9 / 3 + 1).collect();
    assert!(all[0] == boxes);
    assert!((1..29).all(|number| !all[..number].contains(&all[number])));
    let strings = vectors("v2.tsv").unwrap_or_default().into_iter().filter(|row| row[1].starts_with("J9B"));
    let known: Vec<_> = strings.map(|row| super::regions::regions(&row[1])).collect();
    let count = |number: usize| known.iter().filter(|&regions| *regions == all[number]).count();
    assert!(count(1) > 1 && count(11) > 0 || vectors("v2.tsv").is_none());
}

/// The regions of a jigsaw in version 2.
fn regions(string: &str) -> Vec<u8> {
    let one = read_one(string.as_bytes(), None, &Hints::default(), &Evidence::default()).expect("a jigsaw");
    one.batch.regions()[..81].to_vec()
}

/// A killer with regions is accepted on any page for killers; pages for boards without regions refuse regions.
#[test]
fn regions_of_killers_and_of_others() {
    let made = run(&mut gridmill("gen -q --kind killer-jigsaw --count 1 --mix progress".split(' ')), b"").good();
    let made = String::from_utf8(made).expect("text").trim_end().to_string();
    let map: String = regions(&made).iter().map(|region| char::from(b'0' + region)).collect();
    let old = run(&mut gridmill(["convert", "-q", "--to", "v1", "--lossy"]), format!("{made}\n").as_bytes()).good();
    let old = String::from_utf8(old).expect("text").trim_end().to_string();
    let site = "https://www.sudokuwiki.org";
    let killer = relink(&Links::default(), &format!("{site}/killerjigsaw.htm?shape=33&bd={old}&jigmap={map}")).0;
    let new = killer.strip_prefix(&format!("{site}/killerjigsaw.htm?bd=")).expect("a string").to_string();
    assert!(new.starts_with("M9B") && regions(&new) == regions(&made));
    for page in ["killersudoku.aspx", "Killer_Sudoku_Player"] {
        for query in ["shape=33&jigmap=@&bd=", "shape=33&amp;jigmap=@&amp;bd="] {
            let before = format!("{site}/{page}?{}{old}", query.replace('@', &map));
            assert_eq!(relink(&Links::default(), &before), (format!("{site}/{page}?bd={new}"), vec![]));
        }
    }
    for (query, header) in [("shape=11&bd=", "M9B"), ("bd=", "L9B")] {
        let (text, left) = relink(&Links::default(), &format!("{site}/killersudoku.htm?{query}{old}"));
        assert!(text.contains(&format!("?bd={header}")) && left.is_empty(), "{text} {left:?}");
    }
    for page in ["sudoku", "sudokux", "windoku", "str8ts", "kenken"] {
        for layout in ["shape=33&jigmap=1", "shape=5", "jigmap=111"] {
            let link = format!("{site}/{page}.htm?bd={}&{layout}", v1());
            let (text, left) = relink(&Links::default(), &link);
            assert!(text == link && left.len() == 1 && left[0].contains("layout"), "{link}: {left:?}");
        }
    }
}
