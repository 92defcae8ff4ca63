//! Signals: temporaries are removed before SIGINT, SIGTERM, SIGHUP, SIGABRT or SIGBUS do what they do by default.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::output::{remove_temporaries, remove_temporaries_at_once};
use crate::source::install_fault_handler;

/// Installs the handlers. A signal that the parent had ignored (`nohup`) stays ignored.
pub(super) fn install() -> anyhow::Result<()> {
    install_fault_handler(remove_temporaries_at_once)?;
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let _removed = remove_temporaries();
            // Ends the process; if that fails there is nothing better to do than to go on.
            drop(emulate_default_handler(signal));
        }
    })?;
    Ok(())
}

/// The signals that are ignored, signal n in bit n-1; none where the system does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
