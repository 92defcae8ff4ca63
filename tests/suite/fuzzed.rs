//! The checks of fuzzing (`fuzz/`), on its seeds, on its findings, and on some mutations of both.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fuzz::{Random, Target, mutate};

/// The checks, to which `fuzz/run` gives other bytes.
#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, dead_code, unused_imports, reason = "it is a crate, for the targets")]
mod fuzz;

/// Mutations of each seed.
const CHANGES: usize = 40;

/// One in this many mutations is checked thoroughly.
const THOROUGH: usize = 20;

fn check(target: Target, data: &[u8], thoroughly: bool) {
    let check = || {
        target.check(data);
        if thoroughly {
            target.check_thoroughly(data);
        }
    };
    if catch_unwind(AssertUnwindSafe(check)).is_err() {
        panic!("{}: {:?}", target.name(), String::from_utf8_lossy(data));
    }
}

#[test]
fn seeds_and_what_was_found() {
    for target in Target::all() {
        let folder = format!("{}/fuzz/corpus/{}", env!("CARGO_MANIFEST_DIR"), target.name());
        let found =
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.and_then(|entry| fs::read(entry.path())));
        let found: Vec<_> = found.collect::<Result<_, _>>().expect("files of the corpus");
        assert_eq!(Target::named(&target.name()), Some(target));
        let inputs = target.seeds().into_iter().chain(found);
        inputs.for_each(|data| check(target, &data, true));
    }
}

#[test]
fn changes_of_seeds() {
    for target in Target::all() {
        let mut random = Random(7);
        for seed in target.seeds() {
            for change in 0..CHANGES {
                let mut data = seed.clone();
                (0..1 + random.below(4)).for_each(|_| mutate(&mut data, &mut random));
                check(target, &data, change % THOROUGH == 0);
            }
        }
    }
}
