//! Checks mutations of known inputs as fast as possible, block by block: `many TARGET BLOCKS [FIRST BLOCK]`.
//!
//! A block is 64 mutations of one input, which depend on its number only. libFuzzer is guided by coverage, but that
//! costs as much time as most checks; here nothing but mutations and checks is done. The known inputs are the seeds,
//! the files of `corpus` and what libFuzzer has found (`work/found`). All of them are checked thoroughly first.

use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io, process};

use gridmill_fuzz::{Random, Target, mutate, substitute};

/// Inputs of a block.
const BLOCK: usize = 64;

/// One block in so many changes any of the known inputs; the others change a usual one ([`Target::is_usual`]).
const SELDOM: usize = 32;

/// The longest input, in bytes.
const LONGEST: usize = 4096;

/// The interval between two lines of progress.
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
            change(target, from, &mut inputs[at], &mut random);
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

/// The processor time of this thread in seconds, since the machine may be shared.
fn processor_time() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

/// Seeds, corpus and found inputs. Those that are chosen most of the time come first; also returns their number.
fn known(target: Target) -> io::Result<(Vec<Vec<u8>>, usize)> {
    let is_seldom = |data: &[u8]| !target.is_usual(data);
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

/// Makes a mutation of a known input.
fn change(target: Target, from: &[u8], to: &mut Vec<u8>, random: &mut Random) {
    to.clear();
    to.extend_from_slice(from);
    // Inputs with the wrong length are refused before anything else is checked, so most mutations keep it.
    let changes = 1 + random.below(3);
    let anything = random.below(4) == 0;
    for _ in 0..changes {
        match target.mutate(to, random) {
            true => {}
            false if anything => mutate(to, random),
            false => substitute(to, random),
        }
    }
    to.truncate(LONGEST);
}

/// Checks inputs. If a property does not hold, writes them to `work/failed` and ends the program.
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
