//! Shows progress on stderr if that is a terminal.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use crate::engine::Progress;

/// The bar that is on the screen now.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the progress of a run, on a separate thread, until it is finished or dropped.
pub(super) struct Meter {
    progress: Arc<Progress>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Meter {
    /// Starts to show progress in `unit`s. Shows nothing if `quiet` is set or stderr is not a terminal.
    pub(super) fn start(unit: &'static str, quiet: bool) -> anyhow::Result<Self> {
        let progress = Arc::new(Progress::default());
        if quiet || !io::stderr().is_terminal() {
            return Ok(Self { progress, shown: None });
        }
        let seen = progress.clone();
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || {
            // A short run shows nothing.
            if stopped.recv_timeout(Duration::from_millis(500)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let mut total = seen.total.load(Ordering::Relaxed);
            *shown() = Some(bar(unit, total));
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                let now = seen.total.load(Ordering::Relaxed);
                if now != total {
                    // Another step begins, whose total is known.
                    total = now;
                    if let Some(last) = shown().replace(bar(unit, total)) {
                        last.finish_and_clear();
                    }
                }
                if let Some(bar) = &*shown() {
                    bar.set_position(seen.taken.load(Ordering::Relaxed));
                }
            }
            if let Some(bar) = shown().take() {
                bar.finish_and_clear();
            }
        })?;
        Ok(Self { progress, shown: Some((stop, thread)) })
    }

    /// Returns the counters that the run keeps up to date.
    pub(super) fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        if let Some((stop, thread)) = self.shown {
            drop(stop);
            // If the thread of the bar has panicked, there is nothing left to do.
            drop(thread.join());
        }
    }
}

/// Calls `write`, which writes to the terminal, while the bar is hidden.
pub(super) fn with_bar_hidden<T>(write: impl FnOnce() -> T) -> T {
    match &*shown() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn bar(unit: &str, total: u64) -> ProgressBar {
    let (count, all, rate) = match unit {
        "bytes" => ("{decimal_bytes}", "{decimal_total_bytes}", "{decimal_bytes_per_sec}"),
        _ => ("{human_pos}", "{human_len}", "{whole_per_sec}"),
    };
    let style = |template: &str| {
        let style = ProgressStyle::with_template(template).ok()?;
        Some(style.with_key("whole_per_sec", |state: &ProgressState, text: &mut dyn Write| {
            let rate = state.per_sec();
            _ = if rate < 10.0 { write!(text, "{rate:.1}/s") } else { write!(text, "{}/s", HumanCount(rate as u64)) };
        }))
    };
    let unit = if unit == "bytes" { String::new() } else { format!(" {unit}") };
    if total == 0 {
        let style = style(&format!("{{spinner}} {count}{unit}, {rate}"));
        return ProgressBar::new_spinner().with_style(style.unwrap_or_else(ProgressStyle::default_spinner));
    }
    let style = style(&format!("[{{bar:40}}] {count} of {all}{unit}, {rate}, eta {{eta}}"));
    ProgressBar::new(total).with_style(style.unwrap_or_else(ProgressStyle::default_bar))
}
