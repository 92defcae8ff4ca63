//! `gridmill gen`.

use super::flags::Generate as Flags;
use super::outputs::{Outputs, Reads};
use super::{GOOD, progress};
use crate::board::{Kind, Side};
use crate::engine::Generate;
use crate::make::{Clues, Maker};

pub(super) fn run(flags: &Flags) -> anyhow::Result<u8> {
    let usual = if matches!(flags.kind, Kind::KenKen | Kind::KenDoku) { Side::new(6) } else { None };
    let side = flags.side.or(usual).unwrap_or(Side::NINE);
    let maker = Maker::new(flags.kind, side, flags.mix, flags.seed)?;
    let mut outputs = Outputs::new(&Reads::Nothing, flags.output.force, !flags.output.no_sync)?;
    let (output, level) = outputs.output(&flags.output)?;
    let meter = progress::Meter::start("boards", flags.output.quiet)?;
    let generate = Generate {
        maker,
        count: flags.count,
        format: flags.format,
        lossy: flags.lossy,
        unique: match (flags.unique, flags.clues, flags.minimal) {
            (_, Some(clues), _) => Some(Clues::Exactly(clues.into())),
            (_, _, true) => Some(Clues::Minimal),
            (true, ..) => Some(Clues::Drawn),
            _ => None,
        },
        threads: flags.output.threads.into(),
        level,
        sync: !flags.output.no_sync,
    };
    let progress = meter.progress();
    let done = generate.run(output.into_target(), Some(&progress));
    meter.finish();
    done?;
    Ok(GOOD)
}
