//! `gridmill convert`.

use std::path::PathBuf;

use anyhow::Context;

use super::flags::{Convert as Flags, Framing, From, WriteLayout};
use super::outputs::{distinct, identities, target};
use super::{GOOD, SOME_BAD, complain, progress, startup};
use crate::engine::{Conversion, Convert, RejectsTo, Report};
use crate::error::Error;
use crate::formats::Flavour;
use crate::output::{LazyFile, Target};
use crate::source::{self, Input, Reading};

pub(super) fn run(flags: &Flags) -> anyhow::Result<u8> {
    if flags.framing != Framing::Lines {
        anyhow::bail!("--framing {:?} is not done yet; only lines is", flags.framing);
    }
    source::install_fault_handler().context("cannot watch for files that shrink")?;
    let rejects = rejects_file(flags);
    distinct(&[
        ("--output", flags.output.output.as_deref()),
        ("--rejects", rejects.as_deref()),
        ("--list-solved", flags.list_solved.as_deref()),
        ("--report", flags.report.as_deref()),
    ])?;
    let sync = !flags.output.no_sync;
    let known = identities(&flags.inputs);
    let report =
        flags.report.as_deref().map(|path| LazyFile::new(path, flags.output.force, &known, sync)).transpose()?;
    let (output, level) = target(&flags.output)?;
    let meter = progress::Meter::start("bytes", flags.output.quiet)?;
    let mut convert = Convert::new(output)
        .conversion(conversion(flags))
        .reading(reading(flags))
        .threads(flags.output.threads.into())
        .sync(sync)
        .rejects(match rejects {
            Some(path) => RejectsTo::File { path, force: flags.output.force },
            None => RejectsTo::Writer(Box::new(std::io::stderr())),
        })
        .progress(meter.progress());
    for input in inputs(&flags.inputs)? {
        convert = convert.input(input);
    }
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    if let Some(path) = flags.list_solved.clone() {
        convert = convert.list_solved(Target::File { path, force: flags.output.force });
    }
    let done = convert.run();
    meter.finish();
    let done = done?;
    write_report(report, &done)?;
    if !flags.output.quiet {
        complain(&done.summary());
    }
    Ok(if done.counts.rejected > 0 { SOME_BAD } else { GOOD })
}

fn conversion(flags: &Flags) -> Conversion {
    let From(from) = flags.from;
    Conversion {
        from,
        to: flags.to,
        hints: flags.str8ts.hints(flags.kind),
        str8ts_write: (flags.str8ts_write == WriteLayout::Site).then_some(Flavour::Site),
        notes: flags.notes,
        lossy: flags.lossy,
        bad: flags.bad,
        list_solved: false,
    }
}

fn reading(flags: &Flags) -> Reading {
    match (flags.mmap, flags.no_mmap) {
        (true, _) => Reading::Mapped,
        (_, true) => Reading::Read,
        _ => Reading::Auto,
    }
}

/// The inputs named, or stdin.
pub(super) fn inputs(paths: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    let stdin = PathBuf::from("-");
    let paths = if paths.is_empty() { std::slice::from_ref(&stdin) } else { paths };
    if paths.contains(&stdin) && startup::was_closed(0) {
        anyhow::bail!("stdin is closed; name a file, or open it");
    }
    Ok(paths.iter().map(|path| if *path == stdin { Input::Stdin } else { Input::File(path.clone()) }).collect())
}

/// `--rejects`, or `OUT.rejects.tsv` beside a file output.
fn rejects_file(flags: &Flags) -> Option<PathBuf> {
    flags.rejects.clone().or_else(|| {
        let path = flags.output.output.as_ref()?;
        // Something that is there and no regular file (a device, a FIFO) has nothing beside it.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return None;
        }
        let mut name = path.clone().into_os_string();
        name.push(".rejects.tsv");
        Some(name.into())
    })
}

fn write_report(file: Option<LazyFile>, report: &Report) -> anyhow::Result<()> {
    let Some(mut file) = file else { return Ok(()) };
    let text = format!("{:#}\n", report.to_json());
    match file.write(text.as_bytes()).and_then(|()| file.finish()) {
        // Nobody reads it any more; the exit code is still that of the conversion.
        Err(Error::Closed) => Ok(()),
        done => Ok(done?),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;

    #[test]
    fn rejects_go_beside_the_output() {
        let parse = |args: &[&str]| {
            let cli = super::super::flags::Cli::try_parse_from([&["gridmill", "convert"], args].concat()).unwrap();
            let super::super::flags::Command::Convert(flags) = cli.command else { panic!("another command") };
            rejects_file(&flags)
        };
        assert_eq!(parse(&[]), None);
        assert_eq!(parse(&["-o", "x.txt"]), Some(PathBuf::from("x.txt.rejects.tsv")));
        assert_eq!(parse(&["-o", "/dev/null"]), None);
        assert_eq!(parse(&["-o", "x", "--rejects", "y"]).as_deref(), Some(Path::new("y")));
    }
}
