//! `tests/golden/gen.txt`: the hashes of boards of every kind, side and mix in every format. The same seed gives the
//! same bytes on every machine and in every version; a change here changes everybody's test data.
//!
//! If that is intended, write a new file: `GRIDMILL_GOLDEN=write cargo test --test suite make::golden`. `UPDATE_DOCS=1` only adds the
//! lines of a new format.

use std::collections::HashSet;
use std::fmt::Write;

use gridmill::formats::REGISTRY;
use gridmill::make::Mix;

use super::{generate, maker, shapes};
use crate::random::often;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/gen.txt");
const SEEDS: [u64; 2] = [1, 2];
const BOARDS: u64 = 64;

const HEAD: &str = "\
# What 'gridmill gen --count 64' writes: kind, side, mix, format, and the FNV-1a 64 of the bytes for seed 1 and seed 2.
# Made anew by: GRIDMILL_GOLDEN=write cargo test --test suite make::golden
";

/// FNV-1a, 64 bits (draft-eastlake-fnv).
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The kind, side and mix of a line.
fn boards_of(line: &str) -> String {
    line.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The name of the format in a line.
fn format_of(line: &str) -> Option<&str> {
    line.split(' ').nth(3)
}

#[test]
fn the_same_seed_gives_the_same_bytes_as_ever() {
    assert_eq!(
        [fnv(b""), fnv(b"a"), fnv(b"foobar")],
        [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]
    );
    let writes = std::env::var_os("GRIDMILL_GOLDEN").is_some_and(|value| value == "write");
    let updates = std::env::var_os("UPDATE_DOCS").is_some();
    // One of three, as kinds, sides and mixes come, if there is no time for all.
    let every = if writes || updates { 1 } else { often(3, 1) };
    let (mut found, mut chosen) = (String::from(HEAD), HashSet::new());
    for (at, (kind, side)) in shapes().enumerate() {
        for (_, mix) in Mix::ALL.into_iter().enumerate().filter(|(mix_at, _)| (at + mix_at) % every == 0) {
            chosen.insert(format!("{kind} {side} {mix}"));
            for format in REGISTRY.map(|format| format.about().id) {
                // Refused: the file has no line for it, which the comparison would show.
                let make = |seed| generate(maker(kind, side, mix, seed), format, BOARDS, 1, None);
                if let [Ok(a), Ok(b)] = SEEDS.map(make) {
                    writeln!(found, "{kind} {side} {mix} {format} {:016x} {:016x}", fnv(&a), fnv(&b)).unwrap();
                }
            }
        }
    }
    if writes {
        std::fs::write(PATH, &found).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(PATH).unwrap();
    let is_chosen = |line: &&str| every == 1 || line.starts_with('#') || chosen.contains(&boards_of(line));
    let golden: Vec<&str> = golden.lines().filter(is_chosen).collect();
    // Lines of a new format do not change those of others.
    let is_known =
        |line: &&str| line.starts_with('#') || golden.iter().any(|known| format_of(known) == format_of(line));
    let known: Vec<_> = found.lines().filter(is_known).collect();
    if updates && golden.iter().copied().eq(known) {
        std::fs::write(PATH, &found).unwrap();
        return;
    }
    for (golden, found) in golden.iter().copied().zip(found.lines()) {
        assert_eq!(found, golden, "the boards of a seed have changed; see tests/suite/make/golden.rs");
    }
    assert_eq!(found.lines().count(), golden.len());
}
