//! Canonical forms.

/// The groups, computed from the houses.
mod houses;
/// Images of boards under random elements of the groups.
mod images;

use gridmill_core::board::Batch;
use gridmill_core::canon::{CanonicalForm, Canonizer, Map};
use gridmill_core::error::Reject;
use gridmill_core::formats::{FormatLayouts, Hints, Id, Layout, write_one};

use crate::formats::decode;
use crate::shared::vectors;

/// A board of a string: v2 as specified, or 81 digits.
fn read(string: &str) -> Result<Batch, Reject> {
    let hints = Hints { layouts: FormatLayouts::default().with(Id::V2, Layout::Spec), ..Hints::default() };
    let id = if string.len() == 81 { Id::Plain } else { Id::V2 };
    Ok(decode(id, &hints, string.as_bytes())?.1)
}

/// The string of what a map makes of a board.
fn mapped(batch: &Batch, map: &Map) -> Result<String, Reject> {
    let mut to = Batch::new();
    to.reset(batch.shape(), 1);
    map.apply(batch, 0, false, &mut to, 0)?;
    write_one(&to, 0, Id::V2)
}

#[test]
fn shared_vectors_have_the_same_forms_keys_and_counts_and_all_maps_hold() {
    let mut canonizer = Canonizer::new(crate::kernel());
    let mut wrong = Vec::new();
    for row in vectors("canon.tsv").unwrap_or_default() {
        let [_, form, input, _, canonical, key, automorphisms, grid, map] = &row[..] else { panic!("{row:?}") };
        let form = if form == "puzzle" { CanonicalForm::Puzzle } else { CanonicalForm::Solution };
        let batch = match read(input) {
            Ok(batch) => batch,
            Err(reject) => {
                assert_eq!(canonical, "!format", "{input}: {reject}");
                continue;
            }
        };
        let canonized = canonizer.canonize(&batch, false, form);
        let found = match canonized.found(0) {
            Ok(found) => found,
            Err(reject) if format!("!{}", reject.code) == *canonical => continue,
            Err(reject) => {
                wrong.push(format!("{input} {form:?}: {reject}, not {canonical}"));
                continue;
            }
        };
        let string = String::from_utf8_lossy(canonized.string(0));
        let grids = found.grid_automorphisms.map_or("-".into(), |grids| grids.to_string());
        let got = [string.to_string(), canonized.key(0).to_string(), found.automorphisms.to_string(), grids];
        if got.each_ref() != [canonical, key, automorphisms, grid] {
            wrong.push(format!("{input} {form:?}:\n{got:?}, not\n{:?}", [canonical, key, automorphisms, grid]));
            continue;
        }
        for map in [found.map, map.parse().expect("a map")] {
            assert_eq!(mapped(&batch, &map).as_deref(), Ok(canonical.as_str()), "{input}: {map}");
        }
        assert_eq!(found.map.to_string().parse(), Ok(found.map));
    }
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong.join("\n"));
}
