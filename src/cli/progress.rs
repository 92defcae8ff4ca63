//! Shows progress on stderr: as a bar if that is a terminal, as lines if those are asked for.

use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::print_stderr;
use crate::amounts::{grouped, rate};
use crate::engine::Progress;

/// Where progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgressShown {
    Nowhere,
    /// As a bar, if stderr is a terminal.
    OnTerminal,
    /// As lines, if stderr is no terminal.
    Everywhere,
}

impl ProgressShown {
    /// Progress on a terminal, unless the user wants no messages.
    pub(super) fn unless_quiet(quiet: bool) -> Self {
        if quiet { Self::Nowhere } else { Self::OnTerminal }
    }
}

/// The most seconds between two lines. They come after 1, 2, 4, ... seconds, so that a short run has some and a long one few.
const MOST_SECONDS: u64 = 64;

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
    /// Starts to show progress in `unit`s.
    pub(super) fn start(unit: &'static str, shown: ProgressShown) -> anyhow::Result<Self> {
        let progress = Arc::new(Progress::default());
        let show = match (shown, io::stderr().is_terminal()) {
            (ProgressShown::Nowhere, _) | (ProgressShown::OnTerminal, false) => {
                return Ok(Self { progress, shown: None });
            }
            (_, true) => show_bar,
            (ProgressShown::Everywhere, false) => show_lines,
        };
        let (stop, stopped) = channel();
        let seen = SeenProgress { unit, started: Instant::now(), progress: progress.clone(), stopped };
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || show(&seen))?;
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

/// What the thread that shows progress has.
struct SeenProgress {
    unit: &'static str,
    started: Instant,
    progress: Arc<Progress>,
    stopped: Receiver<()>,
}

impl SeenProgress {
    /// Waits. Whether the run goes on.
    fn goes_on(&self, time: Duration) -> bool {
        self.stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
    }

    fn words(&self) -> String {
        let (step, done, total) = self.progress.now();
        let mut text = words(self.unit, (step.done_before, done, total), step.begun.unwrap_or(self.started).elapsed());
        let [tried, tries] = [&self.progress.tried, &self.progress.tries].map(|count| count.load(Ordering::Relaxed));
        if tries > 0 {
            text.push_str(&format!(", {} of at most {} tries", grouped(tried), grouped(tries)));
        }
        text
    }
}

fn show_bar(seen: &SeenProgress) {
    // A short run shows nothing.
    if !seen.goes_on(Duration::from_millis(500)) {
        return;
    }
    let mut of = None;
    loop {
        let (step, done, total) = seen.progress.now();
        if of.replace((step, total)) != Some((step, total))
            && let Some(last) = shown().replace(bar(total))
        {
            last.finish_and_clear();
        }
        if let Some(bar) = &*shown() {
            bar.set_position(done);
            bar.set_message(seen.words());
        }
        if !seen.goes_on(Duration::from_millis(100)) {
            break;
        }
    }
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

fn show_lines(seen: &SeenProgress) {
    let mut waited = 0;
    let mut wait = 1;
    while seen.goes_on(Duration::from_secs(wait)) {
        print_stderr(&seen.words());
        waited += wait;
        wait = waited.min(MOST_SECONDS);
    }
}

/// Calls `write`, which writes to the terminal, while the bar is hidden.
pub(super) fn with_bar_hidden<T>(write: impl FnOnce() -> T) -> T {
    match &*shown() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn bar(total: u64) -> ProgressBar {
    let style = |template: &str| ProgressStyle::with_template(template).ok();
    match total {
        0 => ProgressBar::new_spinner()
            .with_style(style("{spinner} {msg}").unwrap_or_else(ProgressStyle::default_spinner)),
        _ => ProgressBar::new(total).with_style(style("[{bar:20}] {msg}").unwrap_or_else(ProgressStyle::default_bar)),
    }
}

/// Says how much is done of what, how fast it goes, and how long it will take: as fast as since the start. `before` was
/// done before that; `total` is 0 if unknown.
fn words(unit: &str, (before, done, total): (u64, u64, u64), elapsed: Duration) -> String {
    let a_second = done.saturating_sub(before) as f64 / elapsed.as_secs_f64().max(1e-3);
    let is_bytes = unit == "bytes";
    let amount = |number: u64| if is_bytes { rate(number as f64, "B") } else { grouped(number) };
    let of = if total == 0 { String::new() } else { format!(" of {}", amount(total)) };
    let (name, per_second) = if is_bytes { ("", "B/s".to_string()) } else { (unit, format!("{unit}/s")) };
    let gap = if is_bytes { "" } else { " " };
    let mut text = format!("{}{of}{gap}{name}, {}", amount(done), rate(a_second, &per_second));
    if a_second > 0.0 && done < total {
        text.push_str(&format!(", eta {}", rounded_up((total - done) as f64 / a_second)));
    }
    text
}

/// A duration in seconds, in whole seconds or minutes.
fn rounded_up(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    let minutes = seconds.div_ceil(60);
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{minutes} min"),
        _ => format!("{} h {} min", grouped(minutes / 60), minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates are those since the start of the step, whenever the display begins.
    #[test]
    fn rates_are_those_since_the_start() {
        let after = |millis, unit, done| words(unit, done, Duration::from_millis(millis));
        assert_eq!(after(500, "boards", (0, 2_500, 100_000)), "2,500 of 100,000 boards, 5.00 k boards/s, eta 20 s");
        assert_eq!(after(2000, "bytes", (0, 147_868_000, 0)), "148 MB, 73.9 MB/s");
        assert_eq!(after(2000, "bytes", (0, 1_468, 5_000_000_000)), "1.47 kB of 5.00 GB, 734 B/s, eta 1,892 h 14 min");
        assert_eq!(after(600, "bytes", (0, 0, 5_000)), "0.00 B of 5.00 kB, 0.00 B/s");
        assert_eq!(after(1000, "rows", (0, 400, 400)), "400 of 400 rows, 400 rows/s");
        assert_eq!(after(0, "rows", (0, 0, 0)), "0 rows, 0.00 rows/s");
        // What an interrupted run had done is not the work of this one.
        assert_eq!(after(4000, "rows", (300_000, 420_000, 600_000)), "420,000 of 600,000 rows, 30.0 k rows/s, eta 6 s");
    }

    #[test]
    fn tries_are_told_with_their_limit() {
        let (_stop, stopped) = channel();
        let seen = SeenProgress { unit: "boards", started: Instant::now(), progress: Arc::default(), stopped };
        assert!(!seen.words().contains("tries"));
        seen.progress.tried.store(5_000, Ordering::Relaxed);
        seen.progress.tries.store(10_000, Ordering::Relaxed);
        assert!(seen.words().ends_with(", 5,000 of at most 10,000 tries"), "{}", seen.words());
    }

    #[test]
    fn times_are_rounded_up() {
        let found = [0.0, 0.2, 99.0, 99.1, 121.0, 5_999.0, 6_001.0].map(rounded_up);
        assert_eq!(found, ["0 s", "1 s", "99 s", "2 min", "3 min", "100 min", "1 h 41 min"]);
    }

    #[test]
    fn a_step_counts_from_its_first_report() {
        let progress = Progress::default();
        assert_eq!(progress.now().0.begun, None);
        progress.report(7);
        progress.begin_step(20);
        assert_eq!((progress.now().1, progress.now().2), (0, 20));
        progress.report(5);
        progress.report(8);
        let (step, done, total) = progress.now();
        assert_eq!((step.begun.is_some(), step.done_before, done, total), (true, 5, 8, 20));
    }
}
