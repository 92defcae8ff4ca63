//! The libFuzzer target, which is chosen by `GRIDMILL_FUZZ`.
#![no_main]

use std::sync::LazyLock;

use gridmill_fuzz::{Random, Target, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("GRIDMILL_FUZZ").unwrap_or_default();
    Target::named(&name).unwrap_or_else(|| {
        let names: Vec<_> = Target::all().map(Target::name).collect();
        eprintln!("GRIDMILL_FUZZ names no target; targets: {}", names.join(", "));
        std::process::exit(2);
    })
});

/// Whether slow properties are checked for every input, which is done when inputs are selected.
static THOROUGHLY: LazyLock<bool> = LazyLock::new(|| std::env::var_os("GRIDMILL_FUZZ_THOROUGHLY").is_some());

fuzz_target!(|data: &[u8]| {
    TARGET.check(data);
    if *THOROUGHLY {
        TARGET.check_thoroughly(data);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random(u64::from(seed));
    if random.below(2) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut changed = data[..size].to_vec();
    for _ in 0..1 + random.below(3) {
        if !TARGET.mutate(&mut changed, &mut random) {
            mutate(&mut changed, &mut random);
        }
    }
    changed.truncate(max_size);
    data[..changed.len()].copy_from_slice(&changed);
    changed.len()
});
