//! Draws the figures as a bar chart.

use std::fmt::Write;

use super::Measurement;
use crate::amounts::rate;

const HEIGHT: usize = 20;
const LEFT: usize = 400;
const WIDTH: f64 = 400.0;
/// The vertical position of the first bar.
const TOP: usize = 84;

/// The colours of bars for one thread and for several.
const FILLS: [&str; 2] = ["#2f6db3", "#8a5bb5"];

/// Draws a bar for each row. The length of a bar is its share of memcpy or, for puzzles, their number per second on a
/// logarithmic scale.
pub(super) fn svg(rows: &[Measurement], processor: &str, puzzles: bool) -> String {
    let scale = if puzzles { Scale::of_puzzles(rows) } else { Scale::of_memcpy(rows) };
    let title = if puzzles { "validated puzzles a second" } else { "text in memory, against memcpy" };
    let bottom = TOP + rows.len() * HEIGHT;
    let (width, height) = (LEFT + WIDTH as usize + 220, bottom + 32);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"bold\">gridmill: {title}</text>\n\
         <text x=\"12\" y=\"40\" fill=\"#555\">{}</text>\n",
        text(processor)
    );
    legend(&mut out, rows, scale.words());
    scale.draw(&mut out, bottom);
    for (i, row) in rows.iter().enumerate() {
        bar(&mut out, row, TOP + i * HEIGHT, &scale);
    }
    out.push_str("</svg>\n");
    out
}

/// The scale of the bars.
enum Scale {
    /// A logarithmic scale between two powers of ten per second.
    Powers { from: i32, to: i32 },
    /// Multiples of memcpy, up to this one.
    Memcpy(f64),
}

impl Scale {
    fn of_puzzles(rows: &[Measurement]) -> Self {
        let powers = || rows.iter().map(|row| row.figure.lines_per_second().max(1.0).log10());
        let (least, most) = (powers().fold(f64::MAX, f64::min), powers().fold(0.0, f64::max));
        // Every bar has some length.
        let from = (least - 0.1).floor() as i32;
        Self::Powers { from, to: (most.ceil() as i32).max(from + 1) }
    }

    fn of_memcpy(rows: &[Measurement]) -> Self {
        Self::Memcpy(rows.iter().map(|row| row.figure.share()).fold(1.0, f64::max))
    }

    fn words(&self) -> &'static str {
        match self {
            Self::Powers { .. } => "logarithmic scale: each line is ten times the one before",
            Self::Memcpy(_) => "text a second as a share of memcpy by one thread",
        }
    }

    fn length(&self, row: &Measurement) -> f64 {
        let share = match *self {
            Self::Powers { from, to } => {
                (row.figure.lines_per_second().max(1.0).log10() - f64::from(from)) / f64::from(to - from)
            }
            Self::Memcpy(most) => row.figure.share() / most,
        };
        (share * WIDTH).max(1.0)
    }

    /// Draws lines across the bars, with their values.
    fn draw(&self, out: &mut String, bottom: usize) {
        let mut line = |x: f64, words: &str, colour: &str, dashes: &str| {
            let _ = writeln!(
                out,
                "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{colour}\"{dashes}/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{words}</text>",
                TOP - 4,
                bottom + 16,
            );
        };
        match *self {
            Self::Powers { from, to } => {
                for power in from..=to {
                    let x = LEFT as f64 + WIDTH * f64::from(power - from) / f64::from(to - from);
                    let words = rate(10_f64.powi(power), "/s").replace(".00", "").replace(".0", "");
                    line(x, &words, "#ccc", "");
                }
            }
            Self::Memcpy(most) => {
                let x = LEFT as f64 + WIDTH / most;
                line(x, "memcpy, one thread", "#b0413e", " stroke-dasharray=\"4 3\"");
            }
        }
    }
}

/// Draws the explanation of the colours and the scale.
fn legend(out: &mut String, rows: &[Measurement], scale: &str) {
    let several = rows.iter().map(|row| row.threads).max().filter(|&most| most > 1);
    let mut x = LEFT;
    for (number, fill) in [Some(1), several].into_iter().flatten().zip(FILLS) {
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"52\" width=\"12\" height=\"12\" fill=\"{fill}\"/><text x=\"{}\" y=\"62\">{}</text>",
            x + 18,
            threads(number)
        );
        x += 100;
    }
    let _ = writeln!(out, "<text x=\"{x}\" y=\"62\" fill=\"#555\">{scale}</text>");
}

fn bar(out: &mut String, row: &Measurement, y: usize, scale: &Scale) {
    let fill = FILLS[usize::from(row.threads > 1)];
    let length = scale.length(row);
    let lines = row.figure.lines_per_second();
    let (label, words) = match scale {
        Scale::Powers { .. } => (format!("{}: {}", row.data, row.kernel), rate(lines, "/s")),
        Scale::Memcpy(_) => (
            format!("{}: {}, {}", row.data, row.task, row.kernel),
            format!("{}, {}", rate(row.figure.bytes_per_second(), "B/s"), rate(lines, "lines/s")),
        ),
    };
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
         <rect x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" fill=\"{fill}\"/>\
         <text x=\"{:.1}\" y=\"{}\">{words}</text>",
        LEFT - 8,
        y + 14,
        text(&label),
        y + 3,
        HEIGHT - 6,
        LEFT as f64 + length + 6.0,
        y + 14,
    );
}

fn threads(threads: usize) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// Escapes text for XML.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
