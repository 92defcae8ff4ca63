//! Changes of what is known, by the block, as many as can be had: `many TARGET BLOCKS [FIRST BLOCK]`.
//!
//! A block is 64 changes of one input, which its number alone decides. Libfuzzer finds its way by what code is reached, but takes as long for
//! that as most checks do; here is nothing but changes and checks. The inputs that are changed are the seeds, the files of `corpus`
//! and what libFuzzer has found (`work/found`); all of them are checked thoroughly first.

use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io, process};

use gridmill_fuzz::{Random, Target, mutate, substitute};

/// Inputs of a block.
const BLOCK: usize = 64;

/// Inputs up to this many bytes, if they are not refused, are changed most of the time, others once in so many times.
const SHORT: usize = 500;
const SELDOM: usize = 32;

/// The longest input, in bytes.
const LONGEST: usize = 4096;

/// Between two lines of progress.
const STEP: Duration = Duration::from_secs(30);

fn main() -> io::Result<()> {
    let args: Vec<_> = env::args().skip(1).collect();
    let number = |at: usize| args.get(at).map_or(Some(0), |text| text.replace('_', "").parse::<u64>().ok());
    let target = args.first().and_then(|name| Target::named(name));
    let (Some(target), Some(blocks @ 1..), Some(first)) = (target, number(1), number(2)) else {
        let names: Vec<_> = Target::all().map(Target::name).collect();
        eprintln!("usage: many TARGET BLOCKS [FIRST BLOCK]; targets: {}", names.join(", "));
        process::exit(2);
    };
    let (known, usual) = known(target)?;
    known.iter().for_each(|data| check(target, "what is known", &[data]));
    let (start, mut said) = (processor_time(), Instant::now());
    let mut inputs = vec![Vec::with_capacity(LONGEST); BLOCK];
    for done in 0..blocks {
        let mut random = Random(first + done);
        random = Random(random.next());
        let most = if usual > 0 && random.below(SELDOM) > 0 { usual } else { known.len() };
        let from = &known[random.below(most)];
        for at in 0..BLOCK {
            change(from, &mut inputs[at], &mut random);
            if at > 0 && target.has_hints() {
                let (before, rest) = inputs.split_at_mut(at);
                if let (Some(hint), Some(its)) = (before[0].first(), rest[0].first_mut()) {
                    *its = *hint;
                }
            }
        }
        let block: [&[u8]; BLOCK] = std::array::from_fn(|at| &*inputs[at]);
        check(target, &format!("block {}", first + done), &block);
        if said.elapsed() > STEP || done + 1 == blocks {
            said = Instant::now();
            let (executions, seconds) = ((done + 1) * BLOCK as u64, processor_time() - start);
            let (name, rate, next) = (target.name(), executions as f64 / seconds, first + done + 1);
            println!(
                "{name}: {executions} executions in {seconds:.2} s of a processor, {rate:.0} a second; next block: {next}"
            );
            io::stdout().flush()?;
        }
    }
    Ok(())
}

/// Seconds that this thread has had of a processor, as the machine is rarely ours alone.
fn processor_time() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

/// Seeds, corpus and what was found; first those that are changed most of the time, and how many these are.
fn known(target: Target) -> io::Result<(Vec<Vec<u8>>, usize)> {
    let is_seldom = |data: &[u8]| data.len() > SHORT || !target.takes(data);
    let mut known: BTreeSet<_> =
        target.seeds().into_iter().chain(target.more_seeds()).map(|data| (is_seldom(&data), data)).collect();
    for folder in ["corpus", "work/found"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target.name());
        for entry in folder.read_dir().into_iter().flatten() {
            let data = fs::read(entry?.path())?;
            known.insert((is_seldom(&data), data));
        }
    }
    let usual = known.iter().take_while(|(seldom, _)| !seldom).count();
    Ok((known.into_iter().map(|(_, data)| data).collect(), usual))
}

/// Makes an input of one that is known.
fn change(from: &[u8], to: &mut Vec<u8>, random: &mut Random) {
    to.clear();
    to.extend_from_slice(from);
    // What has the wrong length is refused before anything else is looked at.
    let changes = 1 + random.below(3);
    match random.below(4) {
        0 => (0..changes).for_each(|_| mutate(to, random)),
        _ => (0..changes).for_each(|_| substitute(to, random)),
    }
    to.truncate(LONGEST);
}

/// Checks inputs; those for which something does not hold are written to `work/failed`, and the program ends.
fn check(target: Target, which: &str, inputs: &[&[u8]]) {
    let holds = |inputs: &[&[u8]]| {
        let check = || match inputs {
            [data] => {
                target.check(data);
                target.check_thoroughly(data);
            }
            _ => target.check_all(inputs),
        };
        catch_unwind(AssertUnwindSafe(check)).is_ok()
    };
    let all = if inputs.len() > 1 { holds(inputs) } else { inputs.iter().all(|data| holds(&[data])) };
    if all {
        return;
    }
    eprintln!("{}, {which}: something does not hold", target.name());
    for data in inputs.iter().filter(|data| !holds(&[data])) {
        eprintln!("{:?}", String::from_utf8_lossy(data));
        let file = format!("{}/work/failed/{}-{which}", env!("CARGO_MANIFEST_DIR"), target.name());
        if let Err(error) = fs::write(&file, data) {
            eprintln!("{file}: {error}");
        }
    }
    process::exit(1);
}
