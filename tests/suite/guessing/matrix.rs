//! A table of guesses for strings of every form and for everyday data. Each must be read as what it is, or refused.
//! `cargo test --test suite -- matrix --nocapture` prints it.

use std::collections::BTreeMap;

use gridmill::board::{Batch, Kind, Shape, Side};
use gridmill::formats::{DecodedString, Evidence, Form, Format, Hints, read_one};
use gridmill::kernels;
use gridmill::make::Mix;

use super::everyday::EVERYDAY;
use crate::forms::{forms, hints, same_board, written};
use crate::random::{Rng, anything, made, shapes};

/// The results for some strings of one sort.
#[derive(Default)]
struct Taken {
    strings: usize,
    /// Read in the form in which they were written, with the right board.
    right: usize,
    /// Read with the right cells, but as another kind, since the strings do not name it.
    unsaid: usize,
    refused: usize,
    /// Everything else, by the form, with one string each.
    wrong: BTreeMap<String, (usize, String)>,
}

impl Taken {
    fn add(&mut self, text: &[u8], truth: Option<&DecodedString>) {
        self.strings += 1;
        match read_one(text, None, &Hints::default(), &Evidence::default()) {
            Err(_) => self.refused += 1,
            Ok(one) if truth.is_some_and(|truth| is_same(truth, &one)) => self.right += 1,
            Ok(one) if truth.is_some_and(|truth| same_cells(&truth.batch, &one.batch)) => self.unsaid += 1,
            Ok(one) => {
                let name = format!("{} {}", name(one.form), one.form.shape.kind);
                let string = String::from_utf8_lossy(text).into_owned();
                self.wrong.entry(name).or_insert((0, string)).0 += 1;
            }
        }
    }
}

/// Whether the format and the board are right. Some ids of SudokuPad are puzzles of f-puzzles, and read as such, and links to
/// their pages are strings of either.
fn is_same(truth: &DecodedString, one: &DecodedString) -> bool {
    let is_format = match truth.form.id {
        Format::Sudokupad => matches!(one.form.id, Format::Sudokupad | Format::Fpuzzles),
        Format::Link => matches!(one.form.id, Format::Link | Format::Sudokupad | Format::Fpuzzles),
        id => one.form.id == id,
    };
    is_format && same_board(&truth.batch, 0, &one.batch, 0)
}

/// Whether two boards, one of which has less, agree in everything that both could have.
fn same_cells(truth: &Batch, read: &Batch) -> bool {
    truth.shape().side == read.shape().side
        && read.shape().kind.is_plain()
        && (0..truth.shape().side.cells()).all(|cell| truth.code(0, cell) == read.code(0, cell))
}

fn name(form: Form) -> String {
    if form.shape.kind.has_black() { format!("{} {}", form.id, form.layout) } else { form.id.to_string() }
}

/// Some strings of a form that can be read if their form is given, with their boards.
fn strings(form: Form, boards: &Batch) -> Vec<(Vec<u8>, DecodedString)> {
    let (text, ends, _) = written(form, boards, kernels::best());
    let starts = std::iter::once(9).chain(ends.iter().map(|end| end + 1));
    let strings = starts.zip(&ends).map(|(start, &end)| text.as_slice()[start..end].to_vec());
    let said = |string: &Vec<u8>| {
        let hints = Hints { kind: Some(form.shape.kind), ..hints(form) };
        read_one(string, Some(form.id), &hints, &Evidence::default()).ok()
    };
    strings.filter_map(|string| said(&string).map(|one| (string, one))).collect()
}

/// Puzzles, filled boards and solutions of a shape, and boards with any contents. (Not for Str8ts: the layout of a
/// string is recognised by the rules that its board follows, and such boards follow none.)
fn boards(shape: Shape, rng: &mut Rng) -> Vec<Batch> {
    let few = shape.side != Side::NINE;
    let mixes = if few { &[Mix::Progress][..] } else { &Mix::ALL };
    // Large boards take long to make.
    let is_quick = shape.side.is_small() || !shape.kind.has_black() && !shape.kind.has_regions();
    let made = mixes.iter().filter(|_| is_quick).filter_map(|&mix| made(shape, mix, rng.once_in(2), rng.next()));
    let mut boards: Vec<Batch> = made.collect();
    let times = if shape.kind.has_black() {
        0
    } else if few {
        1
    } else {
        4
    };
    boards.extend((0..times).map(|_| anything(shape, rng)));
    boards
}

/// Prints the table. Panics if anything was misread.
fn show(title: &str, table: &BTreeMap<String, Taken>) {
    println!("{title:<34} {:>8} {:>8} {:>8} {:>8} {:>6}", "strings", "right", "unsaid", "refused", "wrong");
    let mut wrong = Vec::new();
    for (name, taken) in table {
        let Taken { strings, right, unsaid, refused, wrong: others } = taken;
        let count: usize = others.values().map(|(count, _)| count).sum();
        println!("{name:<34} {strings:>8} {right:>8} {unsaid:>8} {refused:>8} {count:>6}");
        wrong.extend(others.iter().map(|(form, (count, string))| format!("{name} -> {form}: {count}, as {string}")));
    }
    assert!(wrong.is_empty(), "strings read as what they are not:\n{}", wrong.join("\n"));
}

#[test]
fn strings_of_every_form_are_read_as_what_they_are_or_refused() {
    let mut rng = Rng(71);
    let mut table: BTreeMap<String, Taken> = BTreeMap::new();
    for shape in shapes() {
        for boards in boards(shape, &mut rng) {
            for form in forms(shape) {
                let taken = table.entry(format!("{} {}", name(form), shape.kind)).or_default();
                strings(form, &boards).iter().for_each(|(string, truth)| taken.add(string, Some(truth)));
            }
        }
    }
    show("written as", &table);
    let total = |part: fn(&Taken) -> usize| table.values().map(part).sum::<usize>();
    assert!(total(|taken| taken.right) > total(|taken| taken.strings) / 2);
    let kinds = table.keys().filter(|name| name.starts_with("v2"));
    assert!(kinds.count() >= Kind::all().count());
}

#[test]
fn everyday_data_is_no_board() {
    let mut rng = Rng(72);
    let mut table: BTreeMap<String, Taken> = BTreeMap::new();
    for &(name, make) in EVERYDAY {
        let taken = table.entry(name.to_string()).or_default();
        (0..2_000).for_each(|_| taken.add(make(&mut rng).as_bytes(), None));
    }
    show("everyday", &table);
}
