//! Events of the console that ask the program to end: Ctrl-C, Ctrl-Break, its window that is closed. Where the parent has Ctrl-C ignored, the system does not send it.
#![expect(unsafe_code)] // a handler of the system

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::STATUS_CONTROL_C_EXIT;
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

/// The events that have arrived and were not taken, each plus one.
static ARRIVED: Mutex<Vec<i32>> = Mutex::new(Vec::new());
static ARRIVAL: Condvar = Condvar::new();

fn arrived() -> MutexGuard<'static, Vec<i32>> {
    ARRIVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The events of the console, caught.
#[derive(Debug)]
pub(crate) struct EndSignals(());

impl EndSignals {
    /// Installs the handler.
    ///
    /// # Errors
    /// The system refused it.
    pub(crate) fn catch() -> io::Result<Self> {
        // SAFETY: `handle` lives as long as the program and has the signature of a handler.
        match unsafe { SetConsoleCtrlHandler(Some(handle), 1) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(Self(())),
        }
    }

    /// Waits until events have arrived, and calls `take` for each.
    #[expect(clippy::unused_self)] // the handler must have been installed
    pub(crate) fn wait(&mut self, take: impl FnMut(i32)) {
        let mut events = arrived();
        while events.is_empty() {
            events = ARRIVAL.wait(events).unwrap_or_else(PoisonError::into_inner);
        }
        let taken = std::mem::take(&mut *events);
        // What arrives meanwhile must not wait.
        drop(events);
        taken.into_iter().for_each(take);
    }
}

/// The handler, which the system calls in a thread of its own.
extern "system" fn handle(event: u32) -> BOOL {
    arrived().push(event.cast_signed() + 1);
    ARRIVAL.notify_one();
    if ![CTRL_C_EVENT, CTRL_BREAK_EVENT].contains(&event) {
        // The system ends the program when this returns, or after some seconds: until then it may end in good order.
        loop {
            std::thread::park();
        }
    }
    1
}

/// Ends the program as these events do without a handler.
pub(crate) fn end_by_signal(_: i32) {
    std::process::exit(STATUS_CONTROL_C_EXIT)
}
