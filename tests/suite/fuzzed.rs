//! The checks of fuzzing (`fuzz/`), on its seeds, its corpora, and mutations of the seeds.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use fuzz::{Random, Target, mutate};

use crate::random::often;

/// The checks, to which `fuzz/run` gives other bytes.
#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, dead_code, unused_imports, reason = "it is a crate, for the targets")]
mod fuzz;

/// Mutations of each seed, in the gate and otherwise.
const CHANGES: usize = 40;
const USUAL_CHANGES: usize = 8;

/// Mutations of each file with columns, which takes a hundred times as long.
const FEW_CHANGES: usize = 3;

/// One in this many mutations is checked thoroughly.
const THOROUGH: usize = 20;

/// The most bytes of a corpus: `fuzz/run` selects 40 files of at most 1,000 bytes, and findings with names are added.
const CORPUS: usize = 50_000;

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

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort_unstable();
    paths
}

#[test]
fn seeds() {
    for target in Target::all() {
        assert_eq!(Target::named(&target.name()), Some(target));
        target.seeds().iter().for_each(|data| check(target, data, true));
    }
}

/// Makes the folder of a new target, with some of its seeds. `fuzz/run grow` finds better inputs.
fn plant(target: Target, folder: &Path) {
    if folder.exists() {
        return;
    }
    fs::create_dir(folder).expect("a folder");
    for (at, seed) in target.seeds().iter().filter(|seed| seed.len() <= 1000).take(8).enumerate() {
        fs::write(folder.join(format!("seed-{at}")), seed).expect("a seed");
    }
}

/// Every file of `fuzz/corpus` is checked. Every target has a folder there, and every folder is of a target.
#[test]
fn corpora() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        Target::all().for_each(|target| plant(target, &corpus.join(target.name())));
    }
    let mut folders: Vec<_> = Target::all().map(|target| corpus.join(target.name())).collect();
    if cfg!(not(feature = "parquet")) {
        folders.push(corpus.join("columns"));
    }
    folders.sort_unstable();
    assert_eq!(
        entries(&corpus),
        folders,
        "UPDATE_DOCS=1 makes the folder of a new target, which `fuzz/run grow TARGET` improves"
    );
    for target in Target::all() {
        let files = entries(&corpus.join(target.name()));
        assert!(!files.is_empty(), "{} has no corpus", target.name());
        let mut bytes = 0;
        for path in files {
            println!("{}", path.display()); // seen only if a check panics
            let data = fs::read(&path).expect("a file of the corpus");
            bytes += data.len();
            check(target, &data, true);
        }
        assert!(bytes <= CORPUS, "the corpus of {} has {bytes} bytes", target.name());
    }
}

#[test]
fn changes_of_seeds() {
    for target in Target::all() {
        let mut random = Random(7);
        let changes = if target.name() == "columns" { FEW_CHANGES } else { often(USUAL_CHANGES, CHANGES) };
        for seed in target.seeds() {
            for change in 0..changes {
                let mut data = seed.clone();
                for _ in 0..1 + random.below(4) {
                    if !target.mutate(&mut data, &mut random) {
                        mutate(&mut data, &mut random);
                    }
                }
                check(target, &data, change % THOROUGH == 0);
            }
        }
    }
}

/// No size is believed: whichever of many numbers of an Arrow file is huge, nothing happens but an error.
#[cfg(feature = "parquet")]
#[test]
fn huge_numbers_in_arrow_files() {
    let seeds = Target::Columns.seeds();
    let is_arrow = |data: &&Vec<u8>| !data.starts_with(b"PAR1");
    // A file and a stream, compressed differently.
    for seed in seeds.iter().filter(is_arrow).skip(3).take(2) {
        for at in (0..seed.len() - 8).step_by(24) {
            let mut data = seed.clone();
            data[at..at + 8].copy_from_slice(&(1_i64 << 50).to_le_bytes());
            check(Target::Columns, &data, false);
        }
    }
}
