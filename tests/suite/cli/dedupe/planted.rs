//! Many puzzles with planted copies, and many keys: which of them are duplicates is known beforehand.

use std::collections::HashSet;

use gridmill::engine::{CanonicalPlan, Canonize, Conversion, Convert, Dedupe, Emit};
use gridmill::output::Target;
use gridmill::source::Input;

use crate::random::Rng;
use crate::support::{Folder, Shared, gridmill, run};

use super::script;

type Grid = [u8; 81];

/// An order of rows or columns that keeps bands together.
fn lines(rng: &mut Rng) -> Vec<usize> {
    let mut bands = [0, 1, 2];
    rng.shuffle(&mut bands);
    let mut in_band = || {
        let mut lines = [0, 1, 2];
        rng.shuffle(&mut lines);
        lines
    };
    bands.into_iter().flat_map(|band| in_band().map(|line| 3 * band + line)).collect()
}

/// The same puzzle, as a random map of its symmetries shows it.
fn copy(from: &Grid, rng: &mut Rng) -> Grid {
    let (rows, columns, transposed) = (lines(rng), lines(rng), rng.once_in(2));
    let mut names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    rng.shuffle(&mut names[1..]);
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        let source = if transposed { 9 * column + row } else { 9 * row + column };
        names[usize::from(from[source] - b'0')] + b'0'
    })
}

/// Puzzles of a seed as digits.
fn made(mix: &str, count: usize) -> Vec<Grid> {
    let arguments = format!("gen -q --unique --clues 36 --format plain --lossy --mix {mix} --count {count} --seed 6");
    let text = run(&mut gridmill(arguments.split(' ')), b"").good();
    text.chunks(82).map(|line| line[..81].try_into().expect("81 digits")).collect()
}

/// Puzzles of which no two are the same: ten for each grid, whose clues differ in number or, in pairs, in the place of
/// one. Their grids have no symmetries, so that different clues are different puzzles.
fn different(grids: usize, rng: &mut Rng) -> Vec<Grid> {
    let (puzzles, solutions) = (made("clues", grids), made("solved", grids));
    let mut all = Vec::new();
    for (puzzle, solution) in puzzles.iter().zip(&solutions) {
        let mut open: Vec<usize> = (0..81).filter(|&cell| puzzle[cell] == b'0').collect();
        rng.shuffle(&mut open);
        for number in 0..10 {
            // More clues of the only solution leave it the only one.
            let mut more = *puzzle;
            let given = number / 2 * 4;
            let last = open[given + number % 2];
            open[..given].iter().chain([&last]).for_each(|&cell| more[cell] = solution[cell]);
            all.push(more);
        }
    }
    all
}

/// Lines in random order, and which of them are the first of their class.
struct Planted {
    all: Vec<u8>,
    first: Vec<u8>,
    later: Vec<u8>,
}

fn planted(rng: &mut Rng, count: usize) -> Planted {
    let originals = different(6_000, rng);
    let mut all: Vec<(usize, Grid)> = originals.iter().copied().enumerate().collect();
    while all.len() < count {
        let class = rng.below(originals.len());
        all.push((class, copy(&originals[class], rng)));
    }
    rng.shuffle(&mut all);
    let mut seen = HashSet::new();
    let mut planted = Planted { all: Vec::new(), first: Vec::new(), later: Vec::new() };
    for (class, line) in all {
        let kind = if seen.insert(class) { &mut planted.first } else { &mut planted.later };
        for text in [&mut planted.all, kind] {
            text.extend_from_slice(&line);
            text.push(b'\n');
        }
    }
    planted
}

/// `dedupe` of a file by the engine, in chunks of this size.
fn in_chunks(folder: &Folder, canonize: Canonize, chunk: usize, memory: usize) -> Vec<u8> {
    let output = Shared::default();
    let canonical = Some(CanonicalPlan::new(canonize));
    let conversion = Conversion { emit: Emit::Nothing, canonical, ..Conversion::default() };
    let records = Convert::new(Target::Writer { name: "out".into(), writer: Box::new(output.clone()) })
        .input(Input::File(folder.at("all")))
        .conversion(conversion)
        .chunk_size(chunk)
        .threads(2);
    let temporary = folder.path().into();
    let dedupe = Dedupe { records, others: None, invert: false, count: None, groups: None, memory, temporary };
    dedupe.run().expect("a run");
    output.text().into_bytes()
}

#[test]
#[ignore = "takes longer, so only .ci/run runs it"]
fn all_planted_copies_of_a_hundred_thousand_puzzles_are_found_and_nothing_else() {
    let folder = Folder::new();
    let planted = planted(&mut Rng(6), 100_000);
    folder.write("all", &planted.all);
    folder.write("first", &planted.first);
    folder.write("later", &planted.later);
    script(
        r#"
        [ $(wc -l < all) = 100000 ] && [ $(wc -l < first) = 60000 ]
        $G dedupe -q all | cmp - first
        $G dedupe -q --form puzzle -j1 all | cmp - first
        $G dedupe -q --form solution -j3 --memory 1M all | cmp - first
        $G dedupe -q --form puzzle --memory 100K --no-mmap all --groups which | cmp - first
        cat all | $G dedupe -q --memory 1M --temp . | cmp - first
        $G dedupe -q --invert --memory 1M -j1 all | cmp - later
        # The maps make each copy the first of its class.
        tail -n +2 which | cut -f 7 | paste later - | $G canon -q --apply > made
        tail -n +2 which | cut -f 3 | awk 'NR == FNR { line[NR] = $0; next } { print line[$1] }' all - > of
        $G convert -q of | cmp - made
        [ -z "$(ls -A | grep gridmill-tmp)" ]"#,
        &folder,
    );
    for (chunk, canonize, memory) in [(1_000, Canonize::EitherForm, 1 << 30), (77_777, Canonize::EitherForm, 1 << 20)] {
        assert!(in_chunks(&folder, canonize, chunk, memory) == planted.first, "chunks of {chunk} bytes");
    }
}

#[test]
#[ignore = "takes longer, so only .ci/run runs it"]
fn a_million_keys_have_the_same_duplicates_with_little_memory() {
    let folder = Folder::new();
    let mut rng = Rng(8);
    let mut keys: Vec<u128> = Vec::new();
    let (mut all, mut first) = (String::new(), String::new());
    for _ in 0..1_000_000 {
        let is_copy = !keys.is_empty() && rng.once_in(10);
        let key = if is_copy { *rng.pick(&keys) } else { u128::from(rng.next()) << 64 | u128::from(rng.next()) };
        let line = format!("{key:032x}\n");
        all.push_str(&line);
        if !is_copy {
            keys.push(key);
            first.push_str(&line);
        }
    }
    folder.write("all", all);
    folder.write("first", first);
    script(
        r#"
        $G dedupe -q --keyed all | cmp - first
        $G dedupe -q --keyed --memory 1M all | cmp - first
        $G dedupe -q --keyed --memory 1M -j1 --no-mmap all | cmp - first
        cat all | $G dedupe -q --keyed --memory 1M --temp . | cmp - first
        [ -z "$(ls -A | grep gridmill-tmp)" ]"#,
        &folder,
    );
    assert!(in_chunks(&folder, Canonize::Key, 3_333, 1 << 20) == folder.read("first"));
}
