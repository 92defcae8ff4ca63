//! The figures as bars.

use std::fmt::Write;

use super::Measurement;

const HEIGHT: usize = 20;
const LEFT: usize = 400;
const WIDTH: f64 = 400.0;

/// A bar for each row, as long as its share of memcpy; or, for puzzles, as many as there are in a second.
pub(super) fn svg(rows: &[Measurement], processor: &str, puzzles: bool) -> String {
    let of =
        |row: &Measurement| if puzzles { row.figure.lines_per_second() / 1e6 } else { row.figure.share_of_memcpy() };
    let least = if puzzles { 0.001 } else { 1.0 };
    let longest = rows.iter().map(of).fold(least, f64::max);
    let title = if puzzles { "validated puzzles a second" } else { "text in memory, against memcpy" };
    let scale = WIDTH / longest;
    let (width, height) = (LEFT + WIDTH as usize + 220, HEIGHT * rows.len() + 76);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"bold\">gridmill: {title}</text>\n\
         <text x=\"12\" y=\"40\" fill=\"#555\">{}</text>\n",
        text(processor)
    );
    let memcpy = LEFT as f64 + scale;
    for (i, row) in rows.iter().enumerate() {
        let y = 52 + i * HEIGHT;
        let share = of(row);
        let fill = if row.threads > 1 { "#8a5bb5" } else { "#2f6db3" };
        let label = match puzzles {
            true => format!("{}: {}, {}", row.data, row.kernel, threads(row.threads)),
            false => format!("{}: {}, {}, {}", row.data, row.task, row.kernel, threads(row.threads)),
        };
        let lines = row.figure.lines_per_second() / 1e6;
        let words = match puzzles {
            true => format!("{lines:.3} M/s"),
            false => format!("{:.2} GB/s, {lines:.1} M lines/s", row.figure.bytes_per_second() / 1e9),
        };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"{fill}\"/>\
             <text x=\"{:.1}\" y=\"{}\">{words}</text>",
            LEFT - 8,
            y + 14,
            text(&label),
            y + 3,
            (share * scale).max(1.0),
            HEIGHT - 6,
            LEFT as f64 + share * scale + 6.0,
            y + 14,
        );
    }
    if puzzles {
        out.push_str("</svg>\n");
        return out;
    }
    let bottom = 52 + rows.len() * HEIGHT;
    let _ = writeln!(
        out,
        "<line x1=\"{memcpy:.1}\" y1=\"48\" x2=\"{memcpy:.1}\" y2=\"{bottom}\" stroke=\"#b0413e\" stroke-dasharray=\"4 3\"/>\
         <text x=\"{memcpy:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#b0413e\">memcpy, one thread</text>\n</svg>",
        bottom + 16
    );
    out
}

fn threads(threads: usize) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// Text that is safe in XML.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
