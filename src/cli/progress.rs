//! Progress on stderr, when that is a terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::Progress;

/// Shows how far a run is, from a thread of its own, until it is finished or dropped.
pub(super) struct Meter {
    progress: Arc<Progress>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Meter {
    /// Shows `unit`s; nothing if that is not wanted, if stderr is no terminal, or if stdout is one too (lines of output
    /// and a moving bar would mix).
    pub(super) fn start(unit: &'static str, quiet: bool) -> anyhow::Result<Self> {
        let progress = Arc::new(Progress::default());
        if quiet || !std::io::stderr().is_terminal() || std::io::stdout().is_terminal() {
            return Ok(Self { progress, shown: None });
        }
        let seen = progress.clone();
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || {
            // A run that is over at once shows nothing.
            if stopped.recv_timeout(Duration::from_millis(500)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(unit, seen.total.load(Ordering::Relaxed));
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(seen.taken.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        })?;
        Ok(Self { progress, shown: Some((stop, thread)) })
    }

    /// What the run is to keep up to date.
    pub(super) fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some((stop, thread)) = self.shown {
            drop(stop);
            // A bar that died leaves nothing to be done for it.
            drop(thread.join());
        }
    }
}

fn bar(unit: &str, total: u64) -> ProgressBar {
    let (count, rate) = match unit {
        "bytes" => ("{bytes}/{total_bytes}", "{bytes_per_sec}"),
        _ => ("{human_pos}/{human_len}", "{per_sec}"),
    };
    if total == 0 {
        let style =
            ProgressStyle::with_template(&format!("{{spinner}} {} {rate}", count.split('/').next().unwrap_or(count)));
        return ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    }
    let style = ProgressStyle::with_template(&format!("[{{bar:40}}] {count} {rate} eta {{eta}}"));
    ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
