//! Shows progress on stderr if that is a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::amounts::{grouped, rate};
use crate::engine::Progress;
use crate::platform::{self, OutputStream};

/// The line that is on the screen now.
static SHOWN: Mutex<Option<String>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<String>> {
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
        let started = Instant::now();
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || {
            let goes_on =
                |millis| stopped.recv_timeout(Duration::from_millis(millis)) == Err(RecvTimeoutError::Timeout);
            // A short run shows nothing.
            if !goes_on(500) {
                return;
            }
            for drawn in 0.. {
                let (step, done, total) = seen.now();
                let elapsed = step.begun.unwrap_or(started).elapsed();
                let words = words(unit, (step.done_before, done, total), elapsed);
                let width = platform::terminal_width(io::stderr()).unwrap_or(80);
                show(&mut shown(), Some(line(drawn, (done, total), &words, width)));
                if !goes_on(100) {
                    break;
                }
            }
            show(&mut shown(), None);
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
    let mut shown = shown();
    let line = shown.clone();
    show(&mut shown, None);
    let written = write();
    show(&mut shown, line);
    written
}

/// Puts a line in the place of the one that is on the screen.
fn show(shown: &mut Option<String>, line: Option<String>) {
    if shown.is_none() && line.is_none() {
        return;
    }
    let text = format!("\r{}\x1b[K", line.as_deref().unwrap_or_default());
    *shown = line;
    // If it cannot be shown, there is nobody to tell.
    let _ = OutputStream::Stderr.write(text.as_bytes());
}

/// The words with a bar, or with a sign that turns if nobody knows how much there is, in at most `width - 1` columns: more
/// would begin another line.
fn line(drawn: usize, (done, total): (u64, u64), words: &str, width: usize) -> String {
    const CELLS: u64 = 20;
    let line = match total {
        0 => format!("{} {words}", ["|", "/", "-", "\\"][drawn % 4]),
        _ => {
            let full = (u128::from(done.min(total)) * u128::from(CELLS) / u128::from(total)) as usize;
            format!("[{}{}] {words}", "█".repeat(full), "░".repeat(CELLS as usize - full))
        }
    };
    line.chars().take(width.saturating_sub(1)).collect()
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
    fn a_line_fits_the_terminal() {
        assert_eq!(line(0, (0, 0), "words", 80), "| words");
        assert_eq!(line(6, (0, 0), "words", 80), "- words");
        let bars = [(0, 9), (3, 9), (9, 9), (10, 9), (u64::MAX, u64::MAX)].map(|done| line(0, done, "", 80));
        assert_eq!(bars.map(|bar| bar.matches('█').count()), [0, 6, 20, 20, 20]);
        assert_eq!(line(0, (1, 2), "words", 80), "[██████████░░░░░░░░░░] words");
        assert_eq!(line(0, (1, 2), "words", 26), "[██████████░░░░░░░░░░] wo");
        assert_eq!(line(0, (1, 2), "words", 0), "");
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
