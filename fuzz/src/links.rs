//! Links: text that was rewritten is not changed by rewriting it again, and everything outside of links is copied.

use gridmill::framing::Links;

use super::framings;

pub(crate) fn quick(text: &[u8]) {
    stays(text, Links::default());
}

pub(crate) fn thorough(text: &[u8]) {
    stays(text, Links { any_host: true, plain: true, ..Links::default() });
}

fn stays(text: &[u8], links: Links) {
    let once = links.text(text);
    let left = once.left.len();
    let Some(new) = once.text else {
        assert_eq!(once.rewritten, 0);
        return;
    };
    assert!(once.rewritten > 0 && new != text);
    let again = links.text(&new);
    assert_eq!((again.rewritten, again.text), (0, None), "what was rewritten is rewritten again");
    assert_eq!(again.left.len(), left, "links that were left alone");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = framings::seeds();
    let v1 = gridmill::formats::Format::V1.samples()[0].good[0].text;
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={v1}");
    for text in [
        format!("{link}&x=1 http://str8ts.com/str8ts.html?bd={v1}."),
        format!("a:1:{{i:0;s:{}:\"{link}\";}}", link.len()),
        format!("https://x.org/?u=https%3A%2F%2Fwww.sudokuwiki.org%2Fsudoku.htm%3Fbd%3D{v1}"),
        format!("<a href=&quot;{}&quot;>", link.replace('&', "&amp;")),
        format!("https://www.sudokuwiki.org/jigsaw.htm?bd={v1}&shape=5&x=1"),
        format!("https://www.sudokuwiki.org/jigsaw.htm?shape=33&jigmap={}&bd={v1}", "123456789".repeat(9)),
    ] {
        seeds.push(text.into_bytes());
    }
    seeds
}
