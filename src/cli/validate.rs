//! `gridmill validate`.

use super::convert::Run;
use super::flags::{Validate as Flags, ValidateLevel};
use super::outputs::target;
use super::startup;
use crate::engine::{Checks, Conversion, Convert, RejectsTo, Written};
use crate::formats::Id;
use crate::output::Target;

pub(super) fn run(flags: &Flags) -> anyhow::Result<u8> {
    let given = [
        ("--output", flags.output.output.as_deref()),
        ("--rejects", flags.rejects.as_deref()),
        ("--report", flags.report.as_deref()),
    ];
    if flags.solutions && flags.level != ValidateLevel::Unique {
        anyhow::bail!("--solutions is for --level unique, which looks for them");
    }
    if flags.output.output.is_none() && flags.output.zstd.is_some() {
        anyhow::bail!("--zstd compresses the good records that are passed on; say with -o where they go");
    }
    if flags.rejects.is_none() && startup::was_closed(1) {
        anyhow::bail!("stdout is closed; open it, or name a file with --rejects");
    }
    let run = Run::new(&flags.input, &flags.output, &given, flags.report.as_deref())?;
    let (output, level) = match flags.output.output {
        Some(_) => target(&flags.output)?,
        None => (Target::Writer { name: "nothing".into(), writer: Box::new(std::io::sink()) }, None),
    };
    let mut convert = Convert::new(output).conversion(conversion(flags)).rejects(match flags.rejects.clone() {
        Some(path) => RejectsTo::File { path, force: flags.output.force },
        None => RejectsTo::Output(Target::Stdout),
    });
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
