//! Signals that ask the program to end.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;
use signal_hook::low_level::emulate_default_handler;

use super::process::is_ignored;
use super::wait_for_bytes;

/// How long to wait if the system does not tell when a signal arrives.
const PAUSE: Duration = Duration::from_millis(100);

/// SIGINT, SIGTERM and SIGHUP, caught, except those that the parent ignored (`nohup`).
#[derive(Debug)]
pub(crate) struct EndSignals(SignalDelivery<UnixStream, SignalOnly>);

impl EndSignals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// The system refused a handler or a socket.
    pub(crate) fn catch() -> io::Result<Self> {
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        let (read, write) = UnixStream::pair()?;
        Ok(Self(SignalDelivery::with_pipe(read, write, SignalOnly, wanted)?))
    }

    /// Waits until signals may have arrived, and calls `take` for each.
    pub(crate) fn wait(&mut self, take: impl FnMut(i32)) {
        // Whether one has arrived is known without the stream, so nothing is lost if the system does not let us wait: the
        // thread then looks ten times a second.
        if wait_for_bytes(self.0.get_read(), None).is_err() {
            std::thread::sleep(PAUSE);
        }
        self.0.pending().for_each(take);
    }
}

/// Ends the program as this signal does without a handler. If that fails, all that can be done is to continue.
pub(crate) fn end_by_signal(signal: i32) {
    drop(emulate_default_handler(signal));
}
