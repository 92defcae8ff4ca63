//! `gridmill validate`.

use super::convert::{Run, outputs};
use super::flags::{Validate as Flags, ValidateLevel};
use crate::engine::{Checks, Conversion, Convert, RejectsTo, Written};
use crate::formats::Id;
use crate::output::Target;

pub(super) fn run(flags: &Flags) -> anyhow::Result<u8> {
    if flags.solutions && flags.level != ValidateLevel::Unique {
        anyhow::bail!("--solutions is for --level unique, which looks for them");
    }
    if flags.output.output.is_none() && flags.output.zstd.is_some() {
        anyhow::bail!("--zstd compresses the good records that are passed on; say with -o where they go");
    }
    let mut outputs = outputs(&flags.input, &flags.output)?;
    let (output, level) = match flags.output.output {
        Some(_) => outputs.output(&flags.output).map(|(claim, level)| (claim.into_target(), level))?,
        None => (Target::Writer { name: "nothing".into(), writer: Box::new(std::io::sink()) }, None),
    };
    let rejects = match outputs.named("--rejects", flags.rejects.as_deref())? {
        Some(claim) => claim,
        None => outputs.stdout("the rows of bad records (without --rejects)")?,
    };
    // On stdout they are what the run is for.
    let rejects = match rejects.is_stdout() {
        true => RejectsTo::Output(rejects.into_target()),
        false => RejectsTo::Lazy(rejects.into_target()),
    };
    let report = outputs.named("--report", flags.report.as_deref())?;
    let run = Run::new(&flags.input, &flags.output, outputs.lazily(report)?)?;
    let mut convert = Convert::new(output).conversion(conversion(flags)).rejects(rejects);
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    run.run(convert, Id::V2)
}

fn conversion(flags: &Flags) -> Conversion {
    Conversion {
        checks: Checks {
            level: flags.level.into(),
            all: flags.all,
            max_solutions: flags.max_solutions,
            effort: flags.effort,
            clue_counts: flags.report.is_some(),
        },
        written: match (&flags.output.output, flags.solutions) {
            (None, _) => Written::Nothing,
            (Some(_), true) => Written::Solved,
            (Some(_), false) => Written::AsTheyAre,
        },
        ..flags.input.conversion()
    }
}
