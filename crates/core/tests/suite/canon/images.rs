//! Random images of random boards have the same string, key and counts, and the maps are right.

use std::collections::BTreeMap;

use gridmill_core::board::{Batch, Cages, Cell, Kind, Shape, Side, components};
use gridmill_core::canon::{CanonicalForm, Canonizer, Map};
use gridmill_core::error::Code;
use gridmill_core::make::Mix;

use super::houses::{Group, Permutation, structure};
use super::mapped;
use crate::random::{Rng, made, open_cages, shapes};

/// The image of a board under a permutation of cells (the source of each cell) and of digits. Cages and regions are
/// renumbered, and what is not part of the puzzle is random.
pub(super) fn image(
    from: &Batch,
    board: usize,
    sources: &Permutation,
    digits: &[u8],
    complement: bool,
    rng: &mut Rng,
) -> Batch {
    let shape = from.shape();
    let (n, cells, at) = (shape.side.get(), shape.side.cells(), board * from.stride());
    let mut to = Batch::new();
    to.reset(shape, 1);
    let name = |digit: u8| digits[usize::from(digit)];
    for (cell, &source) in sources.iter().enumerate() {
        let content = match from.cell(board, source.into()) {
            Cell::Clue(digit) => Cell::Clue(name(digit)),
            Cell::BlackClue(digit) => Cell::BlackClue(name(digit)),
            Cell::BlackEmpty => Cell::BlackEmpty,
            _ => [Cell::Empty, Cell::Solved(1), Cell::Candidates(3)][rng.below(3)],
        };
        to.set_cell(0, cell, content);
    }
    if shape.kind.has_regions() {
        let mut names: Vec<u8> = (1..=n as u8).collect();
        rng.shuffle(&mut names);
        for (cell, &source) in sources.iter().enumerate() {
            to.regions_mut()[cell] = names[usize::from(from.regions()[at + usize::from(source)]) - 1];
        }
    }
    if shape.kind.has_cages() {
        image_cages(from, at, sources, complement, &mut to, rng);
    }
    assert_eq!(cells, sources.len());
    to
}

fn image_cages(from: &Batch, at: usize, sources: &Permutation, complement: bool, to: &mut Batch, rng: &mut Rng) {
    let shape = from.shape();
    let (n, cells) = (shape.side.get(), shape.side.cells());
    let labels = components(&from.colours()[at..at + cells], n);
    let arithmetic = shape.kind.rules().cages == Cages::Arithmetic;
    let cage = |cell: usize| labels[usize::from(sources[cell])];
    // Any colours in which touching cages differ: greedily, by cages in random order.
    let mut order: Vec<u16> = labels[..cells].to_vec();
    let mut colours = loop {
        rng.shuffle(&mut order);
        let mut colour = vec![0_u8; cells];
        let mut fits = true;
        for &label in &order {
            let members: Vec<usize> = (0..cells).filter(|&cell| cage(cell) == label).collect();
            if colour[members[0]] != 0 {
                continue;
            }
            let beside = members.iter().flat_map(|&cell| gridmill_core::board::Geometry::neighbours(cell, n));
            let taken: Vec<u8> = beside.map(|cell| colour[cell]).collect();
            let free: Vec<u8> = (1..=5).filter(|colour| !taken.contains(colour)).collect();
            fits &= !free.is_empty();
            let chosen = if free.is_empty() { 1 } else { *rng.pick(&free) };
            members.iter().for_each(|&cell| colour[cell] = chosen);
        }
        if fits {
            break colour;
        }
    };
    to.colours_mut()[..cells].swap_with_slice(&mut colours);
    to.contents_mut()[..cells].fill(0);
    for cell in 0..cells {
        let label = cage(cell);
        if (0..cell).any(|other| cage(other) == label) {
            continue;
        }
        let members: Vec<usize> = (0..cells).filter(|&cell| labels[cell] == label).collect();
        let (first, size) = (members[0], members.len());
        let operator = members[1..].iter().map(|&cell| from.contents()[at + cell]).max().unwrap_or(0);
        let clue = from.contents()[at + first];
        let turned = if complement && operator != 2 && clue != 0 { (size * (n + 1)) as u16 - clue } else { clue };
        to.contents_mut()[cell] = turned;
        if arithmetic && operator != 0 {
            let right = (cell + 1) % n != 0 && cage(cell + 1) == label;
            to.contents_mut()[if right { cell + 1 } else { cell + n }] = operator;
        }
    }
}

/// Whether all clues stay in range and all operators can be complemented.
pub(super) fn complements(batch: &Batch, board: usize) -> bool {
    let shape = batch.shape();
    let (n, cells, at) = (shape.side.get(), shape.side.cells(), board * batch.stride());
    if !shape.kind.has_cages() {
        return shape.kind.has_black();
    }
    let labels = components(&batch.colours()[at..at + cells], n);
    let most = if shape.kind.has_operators() { (n.pow(3) * (n - 1) * (n - 2)).min(2047) } else { n * (n + 1) / 2 };
    (0..cells).filter(|&cell| usize::from(labels[cell]) == cell).all(|first| {
        let members: Vec<usize> = (0..cells).filter(|&cell| usize::from(labels[cell]) == first).collect();
        let operator = members[1..].iter().map(|&cell| batch.contents()[at + cell]).max().unwrap_or(0);
        let clue = usize::from(batch.contents()[at + first]);
        let turned = if operator == 2 { clue as isize } else { (members.len() * (n + 1)) as isize - clue as isize };
        clue == 0 || (!shape.kind.has_operators() || operator < 3) && turned >= 1 && turned <= most as isize
    })
}

/// A board with a share of its digits given, from hardly any to all.
pub(super) fn with_givens(from: &Batch, board: usize, rng: &mut Rng) -> Batch {
    let mut to = Batch::new();
    to.reset(from.shape(), 1);
    to.copy_board(0, from, board);
    let share = rng.below(5);
    for cell in 0..from.shape().side.cells() {
        if let Cell::Solved(digit) | Cell::Clue(digit) = to.cell(0, cell) {
            to.set_cell(0, cell, if rng.below(4) < share { Cell::Clue(digit) } else { Cell::Empty });
        }
    }
    if rng.once_in(3) {
        open_cages(&mut to, 0, rng);
    }
    // Clues may clash.
    if renames(from.shape().kind) && rng.once_in(4) {
        let side = from.shape().side;
        (0..side.get())
            .for_each(|_| to.set_cell(0, rng.below(side.cells()), Cell::Clue(rng.below(side.get()) as u8 + 1)));
    }
    to
}

/// String, key and counts.
type Form = (String, String, [u64; 2]);

/// The form of a board and a map that makes it, or the code of its refusal.
fn form_of(canonizer: &mut Canonizer, board: &Batch, form: CanonicalForm) -> Result<(Form, Map), Code> {
    let canonized = canonizer.canonize(board, false, form);
    let found = canonized.found(0).map_err(|reject| reject.code)?;
    let string = String::from_utf8_lossy(canonized.string(0)).into_owned();
    assert_eq!(mapped(board, &found.map).as_ref(), Ok(&string), "{}", found.map);
    let counts = [found.automorphisms, found.grid_automorphisms.unwrap_or(0)];
    Ok(((string, canonized.key(0).to_string(), counts), found.map))
}

#[test]
fn images_have_the_form_key_and_counts_of_the_board() {
    let mut rng = Rng(17);
    let mut canonizer = Canonizer::new(crate::kernel()).effort(2000);
    let (mut forms, mut refused) = (0, 0);
    for shape in shapes_with_forms() {
        let Some(boards) = made(shape, Mix::Solved, false, 17) else { continue };
        let group = structure(shape.kind, shape.side).group();
        for board in 0..if shape.side.is_small() { 12 } else { 2 } {
            let one = with_givens(&boards, board, &mut rng);
            for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
                match check_image(&mut canonizer, &one, &group, form, &mut rng) {
                    Ok(()) => forms += 1,
                    Err(code) => refused += u32::from(code != Code::Undecided),
                }
            }
        }
    }
    assert!(forms > 500 && refused > 50, "{forms} {refused}");
}

/// At least 100,000 images in all. With `GRIDMILL_IMAGES=100000` at least so many of every kind.
#[test]
#[ignore = "takes longer, so only .ci/run runs it"]
fn a_hundred_thousand_images_have_the_form_key_and_counts_of_their_boards() {
    let mut rng = Rng(23);
    let mut canonizer = Canonizer::new(crate::kernel()).effort(200);
    let of_each = std::env::var("GRIDMILL_IMAGES").map_or(0, |count| count.parse().expect("a number of images"));
    let (mut images, mut counts, mut kinds) = (0, BTreeMap::new(), BTreeMap::<String, u32>::new());
    let made = |shape: Shape| Some((made(shape, Mix::Solved, false, 23)?, structure(shape.kind, shape.side).group()));
    let all: Vec<(Batch, Group)> = shapes_with_forms().filter(|shape| shape.side.is_small()).filter_map(made).collect();
    while images < 100_000 || kinds.values().any(|count| *count < of_each) {
        for (boards, group) in &all {
            let kind = boards.shape().kind.to_string();
            let of_kind = kinds.entry(kind.clone()).or_default();
            if images >= 100_000 && *of_kind >= of_each {
                continue;
            }
            for board in 0..boards.len() {
                let one = with_givens(boards, board, &mut rng);
                let is_solution = rng.once_in(4);
                let form = if is_solution { CanonicalForm::Solution } else { CanonicalForm::Puzzle };
                let found = u32::from(check_image(&mut canonizer, &one, group, form, &mut rng).is_ok());
                (images, *of_kind) = (images + found, *of_kind + found);
                *counts.entry((kind.clone(), one.shape().side.get(), is_solution)).or_insert(0) += found;
            }
        }
    }
    assert_eq!(counts.len(), 2 * all.len());
    println!("{images} images: {kinds:?}");
    let few =
        |((_, _, is_solution), count): &((String, usize, bool), u32)| *count < if *is_solution { 50 } else { 500 };
    let few: Vec<_> = counts.into_iter().filter(few).collect();
    assert!(few.is_empty(), "{few:?}");
}

/// A grid with one row three times in each band, with its thirds shifted. Such grids have at least three automorphisms,
/// up to the largest number of all grids.
fn shifted_rows(rng: &mut Rng) -> [u8; 81] {
    let (mut digits, mut grid) = ([1, 2, 3, 4, 5, 6, 7, 8, 9], [0; 81]);
    rng.shuffle(&mut digits);
    // In half of them, digits also follow a rule.
    let by_rule = rng.once_in(2);
    for band in 0..3 {
        for place in 0..3 {
            // The digits of three columns, one in each stack; other bands have others.
            let mut three: [u8; 3] = std::array::from_fn(|i| digits[3 * ((band + place) % 3) + i]);
            match by_rule {
                true => three.rotate_left(rng.below(2) * band),
                false => rng.shuffle(&mut three),
            }
            for (row, stack) in (0..3).flat_map(|row| (0..3).map(move |stack| (row, stack))) {
                grid[9 * (3 * band + row) + 3 * stack + place] = three[(stack + row) % 3];
            }
        }
    }
    grid
}

#[test]
fn grids_of_shifted_rows_have_the_form_of_their_images_whatever_clues_they_have() {
    let shape = Shape::new(Kind::Sudoku, Side::NINE);
    let group = structure(shape.kind, shape.side).group();
    let (mut rng, mut canonizer) = (Rng(31), Canonizer::new(crate::kernel()).effort(200));
    let (mut counts, mut forms) = (std::collections::BTreeSet::new(), 0);
    for round in 0..3000 {
        let mut grid = Batch::new();
        grid.reset(shape, 1);
        shifted_rows(&mut rng).iter().enumerate().for_each(|(cell, &digit)| grid.set_cell(0, cell, Cell::Clue(digit)));
        let found = canonizer.canonize(&grid, false, CanonicalForm::Solution).found(0).copied();
        let automorphisms = found.expect("it obeys the rules").automorphisms;
        assert!(automorphisms.is_multiple_of(3) && 648_u64.is_multiple_of(automorphisms), "{automorphisms}");
        counts.insert(automorphisms);
        let clues = with_givens(&grid, 0, &mut rng);
        for (board, form) in [(&grid, CanonicalForm::Puzzle), (&clues, CanonicalForm::Solution)] {
            forms += u32::from(check_image(&mut canonizer, board, &group, form, &mut rng).is_ok());
        }
        if round % 10 == 0 {
            check_image(&mut canonizer, &clues, &group, CanonicalForm::Puzzle, &mut rng).expect("all have one");
        }
    }
    assert!(forms > 4000, "{forms}");
    assert!(counts.len() > 5 && counts.contains(&3) && counts.contains(&648), "{counts:?}");
}

/// Checks that a random image of a board has the form, key and counts of the board, and so has the form itself.
///
/// # Errors
/// The reason why there is no form, which must be the same for both.
fn check_image(
    canonizer: &mut Canonizer,
    one: &Batch,
    group: &Group,
    form: CanonicalForm,
    rng: &mut Rng,
) -> Result<(), Code> {
    let shape = one.shape();
    let complement = !renames(shape.kind) && complements(one, 0) && rng.once_in(2);
    let other = random_image(one, group, complement, rng);
    let (a, b) = (form_of(canonizer, one, form), form_of(canonizer, &other, form));
    if [a.as_ref().err(), b.as_ref().err()].contains(&Some(&Code::Undecided)) {
        return Err(Code::Undecided);
    }
    let form_alone = |found: &Result<(Form, Map), Code>| found.clone().map(|(form, _)| form);
    assert_eq!(form_alone(&a), form_alone(&b), "{shape:?} {form:?}");
    let ((expected, map), (_, other_map)) = (a?, b?);
    assert!(group.order.is_multiple_of(expected.2[0].into()), "{:?} of {}", expected.2, group.order);
    let canonical = super::read(&expected.0).expect("a board");
    // The search may take longer for the form than for both of the others.
    let again = form_of(canonizer, &canonical, form);
    if again.as_ref().err() != Some(&Code::Undecided) {
        assert_eq!(form_alone(&again), Ok(expected));
    }
    // Back from the form to the board, and on from there to its image.
    let unchanged = Map::identity(shape.side);
    assert_eq!(mapped(&canonical, &map.inverse()), mapped(one, &unchanged), "{map}");
    let across = map.then(&other_map.inverse()).expect("maps of one group");
    assert_eq!(mapped(one, &across), mapped(&other, &unchanged), "{across}");
    Ok(())
}

/// Layout, grid and clues.
type Sequence = (Vec<u8>, Vec<u8>, Vec<u8>);

/// Renumbers digits by first appearance, as far as they have no number yet.
fn named(digits: impl Iterator<Item = u8>, names: &mut [u8; 32]) -> Vec<u8> {
    let name = |digit: u8| {
        if digit != 0 && names[usize::from(digit)] == 0 {
            names[usize::from(digit)] = names.iter().max().expect("names") + 1;
        }
        names[usize::from(digit)]
    };
    digits.map(name).collect()
}

#[test]
fn forms_are_the_least_of_all_maps() {
    let mut rng = Rng(29);
    let mut canonizer = Canonizer::new(crate::kernel());
    let mut solved = 0;
    for (kind, side) in [(Kind::Sudoku, 6), (Kind::SudokuX, 9), (Kind::Windoku, 9), (Kind::Jigsaw, 6)] {
        let side = Side::new(side).expect("a side");
        let shape = Shape::new(kind, side);
        let boards = made(shape, Mix::Solved, false, 29).expect("boards");
        let all = structure(kind, side).group().all();
        for board in 0..24 {
            let one = with_givens(&boards, board, &mut rng);
            let clues: Vec<u8> = (0..side.cells()).map(|cell| one.cell(0, cell).digit()).collect();
            let numbers = || (0..side.cells()).map(|cell| if kind == Kind::Jigsaw { one.regions()[cell] } else { 0 });
            let regions: Vec<u8> = numbers().collect();
            let grid: Vec<u8> = (0..side.cells()).map(|cell| boards.cell(board, cell).digit()).collect();
            for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
                let canonized = canonizer.canonize(&one, false, form);
                let Ok(found) = canonized.found(0) else { continue };
                let sequence = |map: &Permutation| {
                    let of = |from: &[u8]| map.iter().map(|&cell| from[usize::from(cell)]).collect::<Vec<u8>>();
                    let (mut names, mut region_names) = ([0; 32], [0; 32]);
                    let layout = named(of(&regions).into_iter(), &mut region_names);
                    let digits = if form == CanonicalForm::Solution { of(&grid) } else { Vec::new() };
                    let digits = named(digits.into_iter(), &mut names);
                    (layout, digits, named(of(&clues).into_iter(), &mut names))
                };
                let sequences: Vec<_> = all.iter().map(sequence).collect();
                let least = sequences.iter().min().expect("maps");
                let count = |same: &dyn Fn(&Sequence) -> bool| {
                    sequences.iter().filter(|sequence| same(sequence)).count() as u64
                };
                let cells: Vec<u8> = (0..side.cells()).map(|cell| canonized.batch().cell(0, cell).digit()).collect();
                assert_eq!(cells, least.2, "{kind} {form:?}");
                assert_eq!(found.automorphisms, count(&|other| other == least));
                if form == CanonicalForm::Solution {
                    let grids = count(&|other| (&other.0, &other.1) == (&least.0, &least.1));
                    assert_eq!(found.grid_automorphisms, Some(grids));
                    solved += 1;
                }
            }
        }
    }
    assert!(solved > 20, "{solved}");
}

fn random_image(one: &Batch, group: &Group, complement: bool, rng: &mut Rng) -> Batch {
    let n = one.shape().side.get() as u8;
    let mut digits: Vec<u8> = (0..=n).collect();
    if renames(one.shape().kind) {
        rng.shuffle(&mut digits[1..]);
    } else if complement {
        digits[1..].reverse();
    }
    image(one, 0, &group.draw(rng), &digits, complement, rng)
}

/// Whether any digit permutation is allowed.
fn renames(kind: Kind) -> bool {
    kind.is_plain() || kind == Kind::Jigsaw
}

/// The shapes with a form, and to save time only some of the largest.
fn shapes_with_forms() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| match shape.side.get() {
        25 => shape.kind == Kind::Sudoku,
        16 => matches!(shape.kind, Kind::Sudoku | Kind::SudokuX | Kind::Jigsaw | Kind::KenDoku),
        9 => true,
        _ => !matches!(shape.kind, Kind::Windoku | Kind::ColourSudoku),
    })
}
