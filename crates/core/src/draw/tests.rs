//! Drawings of all kinds and sides.

use super::samples::{named, rich};
use super::*;
use crate::board::{Batch, Kind};

/// Writes drawings to a folder for inspection: `DRAWINGS=folder cargo test draw::tests::gallery -- --ignored`.
#[test]
#[ignore = "by hand, when drawings change: for looking at"]
fn gallery() {
    let folder = std::path::PathBuf::from(std::env::var_os("DRAWINGS").expect("DRAWINGS names a folder"));
    for (name, batch) in boards() {
        std::fs::write(folder.join(format!("{name}.svg")), svg(&[(&batch, 0)])).unwrap();
        for (style, ending) in [(PLAIN, "txt"), (ASCII, "asc"), (COLOUR, "ansi")] {
            std::fs::write(folder.join(format!("{name}.{ending}")), terminal(&batch, 0, style)).unwrap();
        }
        std::fs::write(folder.join(format!("{name}.json")), json(&batch, 0).to_string()).unwrap();
    }
}

const PLAIN: Style = Style { ascii: false, colour: false, compact: false };
const ASCII: Style = Style { ascii: true, colour: false, compact: false };
const COLOUR: Style = Style { ascii: false, colour: true, compact: false };

/// A board of every kind and side, with candidates and without.
fn boards() -> impl Iterator<Item = (String, Batch)> {
    let shapes = Kind::all().flat_map(|kind| kind.rules().sides.iter().map(move |&side| (kind, side)));
    let rich = shapes.flat_map(|(kind, side)| {
        [true, false].map(|candidates| {
            let name = format!("{kind}-{side}{}", if candidates { "-notes" } else { "" });
            (name, rich(kind, side.into(), candidates))
        })
    });
    rich.chain(named())
}
