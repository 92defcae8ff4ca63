//! Canonical forms: equivalent boards have the same form, a form is its own canonical form, and maps do what they say.

use std::cell::RefCell;

use gridmill::board::Batch;
use gridmill::canon::{CanonicalForm, Canonizer, Map};
use gridmill::error::{Code, Reject};
use gridmill::formats::{Evidence, Format, Hints, read_one, write_one};
use gridmill::kernels;

use super::{Random, formats};

/// The limit for search nodes. It is low, so that an input does not take long.
const EFFORT: u32 = 200;

thread_local! {
    static CANONIZER: RefCell<Canonizer> = RefCell::new(Canonizer::new(kernels::best()).effort(EFFORT));
}

/// The canonical form of a board: its string, the map to it, and the numbers of automorphisms.
type Form = (String, Map, [u64; 2]);

/// A map is written as it was read, and the map of a form leads from the board to it.
pub(crate) fn quick(data: &[u8]) {
    let Some((_, text)) = data.split_first() else { return };
    if let Ok(map) = String::from_utf8_lossy(text).parse::<Map>() {
        assert_eq!(map.to_string().as_bytes(), text);
        assert_eq!(map.inverse().inverse().to_string().as_bytes(), text);
    }
    let Ok(one) = read_one(text, None, &Hints::default(), &Evidence::default()) else { return };
    CANONIZER.with_borrow_mut(|canonizer| {
        let canonized = canonizer.canonize(&one.batch, false, CanonicalForm::Puzzle);
        match canonized.found(0) {
            Ok(found) => {
                let made = made(&found.map, &one.batch).and_then(|made| write_one(&made, 0, Format::V2));
                assert_eq!(
                    made.as_deref().map(str::as_bytes),
                    Ok(canonized.string(0)),
                    "{} makes it another",
                    found.map
                );
            }
            Err(reject) => assert!(!reject.message.contains("internal error"), "{reject:?}"),
        }
    });
}

/// Every kernel finds the same form, which is its own form and that of equivalent boards.
pub(crate) fn thorough(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else { return };
    let Ok(one) = read_one(text, None, &Hints::default(), &Evidence::default()) else { return };
    for form in [CanonicalForm::Puzzle, CanonicalForm::Solution] {
        let mut forms = kernels::available().into_iter().map(|kernel| {
            let mut canonizer = Canonizer::new(kernel).effort(EFFORT);
            form_of(&mut canonizer, &one.batch, form)
        });
        let found = forms.next().expect("every machine has a kernel");
        assert!(forms.all(|other| other == found), "kernels differ");
        match found {
            Ok(found) => holds(&one.batch, &found, form, first),
            Err(reject) => {
                assert!(!reject.message.is_empty() && !reject.message.contains("internal error"), "{reject:?}");
            }
        }
    }
}

fn form_of(canonizer: &mut Canonizer, board: &Batch, form: CanonicalForm) -> Result<Form, Reject> {
    let canonized = canonizer.canonize(board, false, form);
    let found = *canonized.found(0)?;
    let string = String::from_utf8_lossy(canonized.string(0)).into_owned();
    Ok((string, found.map, [found.automorphisms, found.grid_automorphisms.unwrap_or(0)]))
}

/// The image of a board under a map.
fn made(map: &Map, from: &Batch) -> Result<Batch, Reject> {
    let mut to = Batch::new();
    to.reset(from.shape(), 1);
    map.apply(from, 0, false, &mut to).map(|()| to)
}

/// Checks the properties of a form.
fn holds(board: &Batch, (string, map, counts): &Form, form: CanonicalForm, seed: u8) {
    let written = made(map, board).and_then(|made| write_one(&made, 0, Format::V2));
    assert_eq!(written.as_ref(), Ok(string), "{map} makes something else");
    let mut canonizer = Canonizer::new(kernels::best()).effort(EFFORT);
    let hints = Hints { kind: Some(board.shape().kind), ..Hints::default() };
    let canonical = read_one(string.as_bytes(), Some(Format::V2), &hints, &Evidence::default());
    let canonical = canonical.unwrap_or_else(|reject| panic!("{string}: {reject}")).batch;
    // Random digits: if they are not a map of the kind, the map is refused.
    let other = shuffled(map, seed);
    let images = [Some(canonical), made(&map.inverse(), board).ok(), made(&other, board).ok()];
    for image in images.iter().flatten() {
        match form_of(&mut canonizer, image, form) {
            Ok((again, _, again_counts)) => assert_eq!((&again, &again_counts), (string, counts), "{form:?}"),
            // The search is different there, and may be undecided.
            Err(reject) => assert_eq!(reject.code, Code::Undecided, "{reject}"),
        }
    }
}

/// A map with other digits.
fn shuffled(map: &Map, seed: u8) -> Map {
    let text = map.to_string();
    let (cells, digits) = text.rsplit_once(':').expect("four parts");
    let (mut digits, mut random) = (digits.as_bytes().to_vec(), Random(seed.into()));
    (1..digits.len()).for_each(|i| digits.swap(i, random.below(i + 1)));
    let text = format!("{cells}:{}", String::from_utf8_lossy(&digits));
    text.parse().unwrap_or_else(|bad| panic!("{text}: {bad}"))
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let map = b"\x0ft:132465879:879213564:245617938".to_vec();
    formats::strings().iter().map(|text| [&[0x0f], text.as_bytes()].concat()).chain([map]).collect()
}
