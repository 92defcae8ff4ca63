//! Signals: temporaries are removed before SIGINT, SIGTERM, SIGHUP, SIGABRT or SIGBUS do what they do by default. What comes to an
//! end in good order is asked to first.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::output::{remove_temporaries, remove_temporaries_at_once};
use crate::source::install_fault_handler;

/// The run at hand is to come to its own end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// A run goes on that looks at it.
static GENTLY: AtomicBool = AtomicBool::new(false);
/// The signal that asked.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Does what comes to its own end when a signal asks for that: it looks at [`asked_to_stop`]. A second signal ends the program at
/// once.
pub(super) fn gently<T>(work: impl FnOnce() -> T) -> T {
    GENTLY.store(true, Ordering::SeqCst);
    let done = work();
    GENTLY.store(false, Ordering::SeqCst);
    done
}

/// Whether a signal asked for the end.
pub(super) fn asked_to_stop() -> &'static AtomicBool {
    &ASKED
}

/// Ends the program as the signal does that asked for it, if one did.
pub(super) fn end() {
    let signal = SIGNAL.load(Ordering::SeqCst);
    if signal != 0 {
        let _removed = remove_temporaries();
        drop(emulate_default_handler(signal));
    }
}

/// Installs the handlers. A signal that the parent had ignored (`nohup`) stays ignored.
pub(super) fn install() -> anyhow::Result<()> {
    install_fault_handler(remove_temporaries_at_once)?;
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            if GENTLY.load(Ordering::SeqCst) && !ASKED.load(Ordering::SeqCst) {
                SIGNAL.store(signal, Ordering::SeqCst);
                ASKED.store(true, Ordering::SeqCst);
                continue;
            }
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
