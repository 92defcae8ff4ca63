//! Pasted grids: random layouts, each read as the boards that were written, or refused; and drawings by `show`.

use std::collections::BTreeMap;

use gridmill::board::{Batch, Cell, Kind, Shape, Side};
use gridmill::draw::{Style as Drawing, terminal};
use gridmill::formats::GridBlocks;
use gridmill::formats::{Format, write_one};
use gridmill::make::Mix;
use serde_json::Value;

use crate::random::{Rng, made};
use crate::support::{Folder, gridmill, run};

mod boards;
mod damage;
mod layouts;

use boards::{Cells, Pool, grid};
use damage::Damage;
use layouts::{Sheet, Style, sheet};

const LAYOUTS: usize = 3000;
/// Grids with so many lines of text between them are not compared.
const FAR: u64 = 51;

/// The boards of a text, and the number of refusals.
fn read(text: &str) -> (Vec<Cells>, Vec<String>) {
    let (mut boards, mut refused) = (Vec::new(), Vec::new());
    for block in GridBlocks::new(text.as_bytes()) {
        match block.cells {
            Ok(cells) => boards.push(cells),
            Err(reject) => refused.push(reject.to_string()),
        }
    }
    (boards, refused)
}

/// Whether all boards are among those that were written, in order.
fn are_among(found: &[Cells], written: &[Cells]) -> bool {
    let mut written = written.iter();
    found.iter().all(|board| written.any(|other| other == board))
}

#[derive(Default)]
struct Tally {
    layouts: usize,
    read: usize,
    not_at_once: usize,
}

/// The results for layouts, by the style of their cells and by damage.
type Tallies = (BTreeMap<Style, Tally>, BTreeMap<Damage, [usize; 2]>);

/// Reads random layouts. No board may be wrong, whatever the damage.
fn read_at_random(seed: u64) -> Tallies {
    let (mut rng, pool) = (Rng(seed), Pool::new(seed));
    let (mut whole, mut damaged) = Tallies::default();
    for n in 0..LAYOUTS {
        let Sheet { text, boards, damage, at_once, style } = sheet(&mut rng, &pool);
        let (found, refused) = read(&text);
        let context = format!("seed {seed}, layout {n}, {style:?}, {damage:?}\n{text}\n{refused:?}");
        assert!(are_among(&found, &boards), "a wrong board: {context}");
        if let Some((_, damage)) = damage {
            // Nothing may be missing silently.
            assert!(found.len() == boards.len() || !refused.is_empty(), "lost: {context}");
            let [all, others] = damaged.entry(damage).or_default();
            *all += 1;
            *others += usize::from(found.len() + 1 >= boards.len());
            continue;
        }
        let tally: &mut Tally = whole.entry(style).or_default();
        tally.layouts += 1;
        tally.not_at_once += usize::from(!at_once);
        tally.read += usize::from(at_once && found == boards && refused.is_empty());
        if at_once && found != boards && std::env::var_os("GRIDS").is_some() {
            println!("-- {context}");
        }
    }
    (whole, damaged)
}

/// What a person would read at once must be read. `GRIDS=1 cargo test grids:: -- --nocapture` prints failures.
#[test]
fn layouts_at_random() {
    let (whole, damaged) = read_at_random(2026);
    println!("{:<14}{:>8}{:>8}{:>16}", "cells", "layouts", "read", "not at once");
    for (style, tally) in &whole {
        println!("{:<14}{:>8}{:>8}{:>16}", format!("{style:?}"), tally.layouts, tally.read, tally.not_at_once);
    }
    println!("{:<14}{:>8}{:>24}", "damage", "layouts", "the others read");
    for (damage, [all, others]) in &damaged {
        println!("{:<14}{all:>8}{others:>24}", format!("{damage:?}"));
    }
    let count = |of: fn(&Tally) -> usize| whole.values().map(of).sum::<usize>();
    let (at_once, read) = (count(|tally| tally.layouts - tally.not_at_once), count(|tally| tally.read));
    println!("{read} of {at_once} read");
    assert!(read * 100 >= at_once * 98, "{read} of {at_once}");
    for (style, tally) in whole {
        assert!(tally.read * 10 >= (tally.layouts - tally.not_at_once) * 9, "{style:?}");
    }
}

#[test]
#[ignore = "takes longer, so only .ci/run runs it"]
fn more_layouts_at_random() {
    (1..40).for_each(|seed| _ = read_at_random(seed));
}

/// The cells of the grids in a text, all of which must be valid.
#[track_caller]
fn all_read(text: &str) -> Vec<Cells> {
    let (boards, refused) = read(text);
    assert!(refused.is_empty(), "{refused:?}\n{text}");
    boards
}

/// Damaged and arbitrary bytes: blocks are in order, and nothing panics.
#[test]
fn any_bytes() {
    let (mut rng, pool) = (Rng(12), Pool::new(12));
    for _ in 0..1500 {
        let mut text = sheet(&mut rng, &pool).text.into_bytes();
        for _ in 0..1 + rng.below(12) {
            let at = rng.below(text.len().max(1));
            match rng.below(4) {
                _ if text.is_empty() => break,
                0 => text[at] = rng.next() as u8,
                1 => text.insert(at, *rng.pick(b" |,[]{}'\"\t\r\n#-=+\x1b\xe2\x94m0;")),
                2 => _ = text.remove(at),
                _ => text.truncate(at + 1),
            }
        }
        let (mut end, mut line) = (0, None);
        for block in GridBlocks::new(&text) {
            assert!(
                end <= block.start && block.start < block.end && block.end <= block.next && block.next <= text.len()
            );
            assert!(line < Some(block.line));
            assert_eq!(text[..block.start].iter().filter(|&&byte| byte == b'\n').count() as u64, block.line);
            (end, line) = (block.next, Some(block.line));
        }
    }
}

/// What `show` prints above a drawing.
fn headline(kind: &str, cells: &Cells) -> String {
    let count = |is: fn(&Cell) -> bool| cells.iter().filter(|cell| is(cell)).count();
    let counts = [
        (count(|cell| matches!(cell, Cell::Clue(_))), "clues"),
        (count(|cell| matches!(cell, Cell::Solved(_))), "solved"),
        (count(|cell| matches!(cell, Cell::Candidates(_))), "with candidates"),
        (count(|cell| matches!(cell, Cell::Empty)), "empty"),
    ];
    let words: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
    format!("v2, {kind} 9x9: {}\n", words.join(", "))
}

/// Every drawing of a sudoku is read as the board that was drawn, also with what `show` prints around it.
#[test]
fn drawings_of_sudokus_read_back() {
    let styles = [(false, false), (true, false), (false, true), (true, true)];
    let shape = Shape::new(Kind::Sudoku, Side::NINE);
    let mut texts = 0;
    for mix in Mix::ALL {
        for single_candidates in [false, true] {
            let made = made(shape, mix, single_candidates, 5).expect("sudokus are made");
            for board in (0..made.len()).step_by(4) {
                let cells = grid(&made, board);
                for (ascii, colour) in styles {
                    let drawing = terminal(&made, board, Drawing { ascii, colour, compact: false });
                    let shown =
                        format!("{}{drawing}as v0:       loses clue (46 cells)\n\n", headline("sudoku", &cells));
                    assert_eq!(all_read(&shown), [cells], "{shown}");
                    assert_eq!(all_read(&shown.repeat(3)), [cells; 3], "{shown}");
                    texts += 1;
                    // Without the line above, solved digits cannot be distinguished from givens.
                    let has = |is: fn(&Cell) -> bool| cells.iter().any(is);
                    if has(|cell| matches!(cell, Cell::Clue(_))) || !has(|cell| matches!(cell, Cell::Solved(_))) {
                        assert_eq!(all_read(&drawing), [cells], "{drawing}");
                    }
                }
            }
        }
    }
    assert!(texts > 300);
}

/// A drawing without its colours does not distinguish solved digits from givens, but the line above says that there are
/// both.
#[test]
fn drawings_without_their_colours() {
    let made = made(Shape::new(Kind::Sudoku, Side::NINE), Mix::Progress, false, 6).expect("sudokus are made");
    let cells = grid(&made, 0);
    let drawing = terminal(&made, 0, Drawing { ascii: false, colour: true, compact: false });
    let mut plain = String::new();
    for part in drawing.split('\x1b') {
        plain += if plain.is_empty() { part } else { part.split_once('m').map_or("", |(_, rest)| rest) };
    }
    let (boards, refused) = read(&format!("{}{plain}", headline("sudoku", &cells)));
    assert!(boards.is_empty() && refused[0].contains("digits are given"), "{refused:?}");
    let mut given = cells;
    given.iter_mut().for_each(|cell| {
        if let Cell::Solved(digit) = *cell {
            *cell = Cell::Clue(digit);
        }
    });
    assert!(given != cells && all_read(&plain) == [given]);
}

/// Drawings of other kinds are not sudokus: their marks, regions, cages and black cells are not ignored.
#[test]
fn drawings_of_other_kinds_are_refused() {
    for kind in Kind::all().filter(|kind| *kind != Kind::Sudoku) {
        let Some(side) = kind.rules().sides.contains(&9).then_some(Side::NINE) else { continue };
        for mix in Mix::ALL {
            let Some(made) = made(Shape::new(kind, side), mix, false, 8) else { continue };
            for (ascii, colour) in [(false, false), (true, false), (false, true), (true, true)] {
                let drawing = terminal(&made, 0, Drawing { ascii, colour, compact: false });
                let headline = headline(kind.name(), &grid(&made, 0));
                for text in [drawing.clone(), format!("{headline}{drawing}")] {
                    let (boards, refused) = read(&text);
                    assert!(boards.is_empty() && !refused.is_empty(), "{kind} {mix}\n{text}");
                }
            }
        }
    }
}

/// The program with random layouts, all in one text, compared with each alone: the same boards, and everything is
/// counted.
#[test]
fn layouts_in_one_text() {
    let (mut rng, pool) = (Rng(8), Pool::new(8));
    let (mut text, mut expected) = (String::new(), Vec::new());
    let (mut all, mut lines_of_text) = (0, 0);
    for n in 0..400 {
        let mut layout = sheet(&mut rng, &pool).text;
        layout += if layout.ends_with('\n') { "" } else { "\n" };
        let mut grids = GridBlocks::new(layout.as_bytes());
        let blocks: Vec<_> = grids.by_ref().collect();
        (all, lines_of_text) = (all + blocks.len(), lines_of_text + grids.lines_of_text() + FAR);
        expected.extend(blocks.iter().filter_map(|block| block.cells.as_ref().ok()).map(v2_of));
        // So far apart, a puzzle and its candidates are not taken for stages of one puzzle.
        text += &format!("== layout {n} of many\n").repeat(FAR as usize);
        text += &layout;
    }
    let folder = Folder::new();
    let (path, report) = (folder.write("in", &text), folder.at("report"));
    for bad in ["reject", "keep"] {
        let args = ["convert", "-q", "-f", "--framing", "grid", "--bad", bad, "--report"];
        let done = run(gridmill(args).arg(&report).arg(&path), b"");
        let found: Vec<&str> = done.text().lines().filter(|line| line.starts_with("S9B")).collect();
        assert_eq!(found, expected);
        let report: Value = serde_json::from_slice(&folder.read("report")).expect("JSON");
        assert_eq!(report["records"], all);
        assert_eq!(report["rejected"], all - expected.len());
        assert_eq!(report["lines_of_text"], lines_of_text);
        assert_eq!(report["lines"], text.lines().count());
        assert_eq!(done.stderr.lines().count(), 1 + all - expected.len());
    }
}

/// Cells as version 2.
fn v2_of(cells: &Cells) -> String {
    let mut batch = Batch::new();
    batch.reset(Shape::new(Kind::Sudoku, Side::NINE), 1);
    cells.iter().enumerate().for_each(|(at, &cell)| batch.set_cell(0, at, cell));
    write_one(&batch, 0, Format::V2).expect("version 2 holds everything")
}
