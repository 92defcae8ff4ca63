//! Signals: temporary files are removed before SIGINT, SIGTERM, SIGHUP, SIGABRT or SIGBUS take their default action.
//! Runs that can end in good order are asked to do so first.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use anyhow::anyhow;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;
use signal_hook::low_level::emulate_default_handler;

use crate::output::{remove_temporaries, remove_temporaries_at_once};
use crate::source::install_fault_handler;

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
        drop(emulate_default_handler(signal));
    }
}

/// Installs the handlers. A signal that the parent ignored (`nohup`) stays ignored.
pub(super) fn install() -> anyhow::Result<()> {
    install_fault_handler(remove_temporaries_at_once)?;
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let (read, write) = UnixStream::pair().map_err(refused)?;
    let mut signals = SignalDelivery::with_pipe(read, write, SignalOnly, wanted).map_err(refused)?;
    let watch = move || {
        loop {
            wait(signals.get_read());
            signals.pending().for_each(take);
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

/// How long to wait if the system does not tell when a signal arrives.
const PAUSE: Duration = Duration::from_millis(100);

/// Waits until a signal may have arrived. Whether one has is known without the stream, so nothing is lost if the system
/// does not let us wait: the thread then looks ten times a second.
fn wait(stream: &UnixStream) {
    match poll(&mut [PollFd::new(stream, PollFlags::IN)], None) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(_) => std::thread::sleep(PAUSE),
    }
}

/// Does what a signal asks for.
fn take(signal: i32) {
    if RUNNING.load(Ordering::SeqCst) && !STOP_REQUESTED.load(Ordering::SeqCst) {
        SIGNAL.store(signal, Ordering::SeqCst);
        STOP_REQUESTED.store(true, Ordering::SeqCst);
        return;
    }
    let _removed = remove_temporaries();
    // This ends the process. If it fails, all that can be done is to continue.
    drop(emulate_default_handler(signal));
}

/// Returns the ignored signals, signal n as bit n-1; none if the system does not tell.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
