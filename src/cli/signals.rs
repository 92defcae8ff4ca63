//! Signals: temporary files are removed before SIGINT, SIGTERM, SIGHUP, SIGABRT or SIGBUS take their default action.
//! Runs that can end in good order are asked to do so first.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::anyhow;

use crate::output::{remove_temporaries, remove_temporaries_at_once};
use crate::platform::{EndSignals, end_by_signal, install_fault_handler};

/// A signal has asked the current run to end.
static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);
/// A run is in progress that checks [`STOP_REQUESTED`].
static RUNNING: AtomicBool = AtomicBool::new(false);
/// The signal that asked.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Runs `work`, which ends in good order when a signal asks for that: it has to check [`stop_requested`]. A second
/// signal ends the program at once.
pub(super) fn stoppable<T>(work: impl FnOnce() -> T) -> T {
    RUNNING.store(true, Ordering::SeqCst);
    let done = work();
    RUNNING.store(false, Ordering::SeqCst);
    done
}

/// Returns the flag that is set when a signal has asked to stop.
pub(super) fn stop_requested() -> &'static AtomicBool {
    &STOP_REQUESTED
}

/// Ends the program with the default action of the signal that asked for it, if there was one.
pub(super) fn end() {
    let signal = SIGNAL.load(Ordering::SeqCst);
    if signal != 0 {
        let _removed = remove_temporaries();
        end_by_signal(signal);
    }
}

/// Installs the handlers. A signal that the parent ignored (`nohup`) stays ignored.
pub(super) fn install() -> anyhow::Result<()> {
    install_fault_handler(remove_temporaries_at_once)?;
    let mut signals = EndSignals::catch().map_err(refused)?;
    let watch = move || {
        loop {
            signals.wait(take);
        }
    };
    let thread = std::thread::Builder::new().name("signals".into()).spawn(watch);
    thread.map(drop).map_err(|error| {
        anyhow!(
            "the system starts no thread for that ({error}): it has no memory for its stack, or there are too many \
             (ulimit -v, ulimit -u); nothing was done; run again with more of either"
        )
    })
}

/// The error if the system refuses a handler or a socket.
fn refused(error: io::Error) -> anyhow::Error {
    anyhow!(
        "the system refused a handler or a socket for them ({error}), and nothing was done; run again, and if that does not \
         help, without limits on descriptors or system calls"
    )
}

/// Does what a signal asks for.
fn take(signal: i32) {
    if RUNNING.load(Ordering::SeqCst) && !STOP_REQUESTED.load(Ordering::SeqCst) {
        SIGNAL.store(signal, Ordering::SeqCst);
        STOP_REQUESTED.store(true, Ordering::SeqCst);
        return;
    }
    let _removed = remove_temporaries();
    end_by_signal(signal);
}
