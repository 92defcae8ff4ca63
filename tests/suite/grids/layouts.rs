//! Grids in random layouts: the text, and its boards.

use gridmill::board::Cell;

use super::boards::{Cells, Pool};
use super::damage::{DAMAGES, Damage, do_damage};
use crate::random::Rng;

/// A text with grids in it.
pub(super) struct Sheet {
    pub text: String,
    /// The boards that were written, including a damaged one.
    pub boards: Vec<Cells>,
    /// Which of them was damaged, and how.
    pub damage: Option<(usize, Damage)>,
    /// Whether a person would read the boards at once.
    pub at_once: bool,
    /// How their cells are written.
    pub style: Style,
}

/// How cells are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Style {
    /// `53..7....`
    Compact,
    /// `5 3 . . 7 . . . .`, with cells of any width.
    Spaced,
    /// `5 | 3 | . | . | 7 | . | . | . | .`
    Boxed,
    /// The same, with empty cells left blank.
    BoxedSpaces,
    /// `|53 | 7 |   |`
    Columns,
    /// `| 5 3   |   7   |       |`
    WideColumns,
    /// `[5, 3, 0, 0, 7, 0, 0, 0, 0],`
    List,
    /// `["5","3",".",...],`
    QuotedList,
    /// `"53..7....",`
    Strings,
    /// `5,3,0,0,7,0,0,0,0`
    Csv,
    /// `5,3,,,7,,,,`
    CsvSpaces,
    /// Tabs between cells.
    Tabs,
    /// Nine lists, or strings, in one line.
    OneLine,
    /// Candidates: `5  3  124 | 26  7  2468 | ...`
    Candidates,
    /// Three lines per row, with a place for each candidate.
    Tall,
}

impl Style {
    const ALL: [Self; 15] = [
        Self::Compact,
        Self::Spaced,
        Self::Boxed,
        Self::BoxedSpaces,
        Self::Columns,
        Self::WideColumns,
        Self::List,
        Self::QuotedList,
        Self::Strings,
        Self::Csv,
        Self::CsvSpaces,
        Self::Tabs,
        Self::OneLine,
        Self::Candidates,
        Self::Tall,
    ];

    /// Whether rows are drawn: lines may be between boxes, labels beside rows.
    fn is_drawn(self) -> bool {
        matches!(self, Self::Compact | Self::Spaced | Self::Columns | Self::WideColumns | Self::Candidates)
            || self.is_boxed()
    }

    pub(super) fn is_boxed(self) -> bool {
        matches!(self, Self::Boxed | Self::BoxedSpaces | Self::Tall)
    }

    /// Whether only spaces are between cells.
    pub(super) fn is_joined(self) -> bool {
        matches!(self, Self::Compact | Self::Spaced | Self::Strings | Self::Candidates)
    }

    pub(super) fn has_spaces(self) -> bool {
        matches!(self, Self::BoxedSpaces | Self::Columns | Self::WideColumns | Self::CsvSpaces)
    }
}

/// How a board is written.
#[derive(Clone)]
pub(super) struct GridLayout {
    pub style: Style,
    pub blank: char,
    /// Separators between boxes, between the other cells if there are any, and at the edges.
    bar: &'static str,
    thin: &'static str,
    edges: bool,
    /// Horizontal lines: the signs of a line and of a crossing, between boxes and between other rows.
    rule: Option<(&'static str, &'static str)>,
    thin_rule: Option<(&'static str, &'static str)>,
    frame: bool,
    /// Whether blank lines separate bands.
    bands: bool,
    width: usize,
    header: Option<&'static str>,
    pub labels: Option<Labels>,
    indent: &'static str,
    trailing: &'static str,
}

/// Labels of rows.
#[derive(Clone, Copy)]
pub(super) struct Labels {
    names: &'static str,
    before: &'static str,
    after: &'static str,
    right: bool,
}

const TITLES: [&str; 16] = [
    "Puzzle 7 (easy)",
    "Grid 01",
    "1. First",
    "Sudoku #123",
    "#7",
    "12",
    "12.",
    "(3)",
    "2024-05-17",
    "17.05.2024 12:30",
    "Level: 3, 24 clues, 9x9",
    "Nr. 5 – schwer",
    "# a comment 1 2 3",
    "[Puzzle]",
    "第7题",
    "Rated 9.1/1.2/1.2",
];

/// A text with random grids, some of which are damaged.
pub(super) fn sheet(rng: &mut Rng, pool: &Pool) -> Sheet {
    let style = *rng.pick(&Style::ALL);
    let layout = layout(rng, style);
    let count = if rng.once_in(4) { 2 + rng.below(2) } else { 1 };
    let boards: Vec<Cells> = (0..count).map(|_| pool.board(rng, style)).collect();
    let damage = rng.once_in(3).then(|| (rng.below(count), *rng.pick(&DAMAGES)));
    let has_titles = rng.once_in(2);
    let is_one_line = style == Style::OneLine;
    // Without anything between grids only their rows can be counted.
    let between = if has_titles || is_one_line { *rng.pick(&["", "\n"]) } else { *rng.pick(&["", "\n", "\n\n"]) };
    let between = if layout.bands { "\n\n" } else { between };
    let fence = *rng.pick(&[("", ""), ("", ""), ("```\n", "```\n"), ("```text\n", "```\n"), ("[code]\n", "[/code]\n")]);
    let fence = if is_one_line { fence } else { *rng.pick(&[fence, ("<pre>\n", "</pre>\n"), ("[code]", "[/code]\n")]) };
    let is_quoted = rng.once_in(12) && fence.0.is_empty();
    let mut text = String::new();
    for (n, board) in boards.iter().enumerate() {
        if has_titles {
            text += &format!("{}\n{}", rng.pick(&TITLES), if rng.once_in(3) { "\n" } else { "" });
        }
        let mut lines = lines(&layout, board);
        if let Some((_, damage)) = damage.filter(|(which, _)| *which == n) {
            do_damage(rng, &layout, &mut lines, damage);
        }
        let rows: String = lines.into_iter().map(|(_, line)| line + "\n").collect();
        text += &format!("{}{rows}{}", fence.0, fence.1);
        text += if n + 1 < count { between } else { "" };
    }
    if is_quoted {
        text = text.lines().map(|line| format!("> {line}\n")).collect();
    }
    let end = *rng.pick(&["\n", "\n", "\r\n"]);
    let text = text.replace('\n', &format!("{}{end}", layout.trailing));
    Sheet { text, boards, damage, at_once: is_read_at_once(&layout), style }
}

/// Whether a person sees at once what is a row and what is a border.
fn is_read_at_once(layout: &GridLayout) -> bool {
    let blank = layout.blank.to_string();
    [layout.rule, layout.thin_rule].into_iter().flatten().all(|(level, _)| level != blank)
}

fn layout(rng: &mut Rng, style: Style) -> GridLayout {
    let bars: &[(&str, &str)] = match style {
        Style::Compact | Style::Spaced => {
            &[("", ""), (" ", ""), ("|", ""), ("|", ""), ("!", ""), ("│", ""), ("┃", ""), ("║", ""), ("||", "")]
        }
        Style::Columns | Style::WideColumns | Style::Candidates => &[("|", ""), ("│", ""), ("║", "")],
        _ if style.is_boxed() => &[("|", "|"), ("│", "│"), ("┃", "│"), ("║", "│"), ("║", "║")],
        _ => &[("", "")],
    };
    let (bar, thin) = *rng.pick(bars);
    let has_rules = style.is_drawn() && bar.trim() == bar && !bar.is_empty() && rng.once_in(2);
    let rules: &[(&str, &str)] = match bar {
        "|" | "||" | "!" => &[("-", "+"), ("-", "-"), ("=", "+"), ("-", "|"), ("=", "="), ("*", "*"), ("_", "_")],
        _ => &[("─", "┼"), ("━", "╋"), ("═", "╬"), ("-", "+")],
    };
    let rule = has_rules.then(|| *rng.pick(rules));
    let all_apart = style == Style::Tall || style.is_boxed() && rule.is_some() && rng.once_in(2);
    let rule = rule.or((style == Style::Tall).then_some(("-", "+")));
    let has_columns = matches!(style, Style::Columns | Style::WideColumns) || style.is_boxed();
    let is_listed = matches!(style, Style::List | Style::QuotedList | Style::Strings | Style::OneLine);
    let blank = match style {
        _ if style.has_spaces() => ' ',
        Style::List | Style::Csv => *rng.pick(&['0', '0', '_', '.']),
        _ => *rng.pick(&['.', '.', '.', '0', '0', '_', '-', '*', 'x', 'X', '?', '·']),
    };
    GridLayout {
        style,
        blank,
        bar,
        thin,
        edges: !bar.is_empty() && (rng.once_in(2) || style == Style::Tall),
        rule,
        thin_rule: rule.filter(|_| all_apart),
        frame: rule.is_some() && rng.once_in(2),
        bands: style.is_drawn() && rule.is_none() && rng.once_in(6),
        width: if style == Style::Compact { 1 } else { 1 + rng.below(3) },
        header: (style.is_drawn() && style != Style::Tall && rng.once_in(4))
            .then(|| *rng.pick(&["123456789", "123456789", "ABCDEFGHI", "012345678", "abcdefghi"])),
        labels: (style.is_drawn() && style != Style::Tall && rng.once_in(4) || style == Style::Csv && rng.once_in(4))
            .then(|| labels(rng, style)),
        indent: if has_columns || is_listed {
            rng.pick::<&str>(&["", "    "])
        } else {
            rng.pick::<&str>(&["", "", "  ", "\t"])
        },
        // In columns of spaces, trailing spaces are cells.
        trailing: if style == Style::Tabs { "" } else { rng.pick::<&str>(&["", "", "", " ", "  "]) },
    }
}

fn labels(rng: &mut Rng, style: Style) -> Labels {
    let names = *rng.pick(&["123456789", "ABCDEFGHI", "ABCDEFGHJ", "abcdefghi"]);
    if style == Style::Csv {
        return Labels { names, before: "", after: ",", right: false };
    }
    let (before, after) = match names {
        "123456789" => *rng.pick(&[("", " "), ("r", " "), ("R", ": "), ("Row ", ": "), ("", ") "), ("", " | ")]),
        _ => *rng.pick(&[("", " "), ("", ": "), ("", " | "), ("(", ") ")]),
    };
    // A bar between the label and the first box is the one at the edge.
    Labels { names, before, after, right: rng.once_in(8) && !after.contains('|') }
}

/// The role of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// A row, or a third of one.
    Row,
    /// A border, or the names of columns.
    Other,
}

/// The lines of a board.
fn lines(layout: &GridLayout, board: &Cells) -> Vec<(Line, String)> {
    if layout.style == Style::Tall {
        return tall_lines(layout, board);
    }
    let signs: Vec<String> = board.iter().map(|cell| sign(layout, cell)).collect();
    if layout.style == Style::OneLine {
        let is_list = layout.width.is_multiple_of(2);
        let row =
            |row: &[String]| if is_list { format!("[{}]", row.join(",")) } else { format!("\"{}\"", row.concat()) };
        return vec![(Line::Row, format!("[{}]", signs.chunks(9).map(row).collect::<Vec<_>>().join(", ")))];
    }
    let widest = signs.iter().map(|sign| sign.chars().count()).max().unwrap_or(1);
    let labelled = |row: usize, text: String| {
        let Some(Labels { names, before, after, right }) = layout.labels else { return text };
        let name = &names[row..=row];
        if right { format!("{text}  {name}") } else { format!("{before}{name}{after}{text}") }
    };
    let rows: Vec<String> =
        (0..9).map(|row| labelled(row, cells(layout, &signs[9 * row..9 * row + 9], widest))).collect();
    let indent = layout.labels.filter(|labels| !labels.right && layout.style != Style::Csv);
    let indent = " ".repeat(indent.map_or(0, |labels| labels.before.len() + 1 + labels.after.len()));
    let length = rows[0].chars().count() - indent.len();
    let rule = |signs: (&str, &str)| {
        let bare: String = cells(layout, &vec!["0".to_string(); 9], widest);
        let is_bar = |c: char| "|!│┃║".contains(c);
        let line: String = bare.chars().map(|c| if is_bar(c) { signs.1 } else { signs.0 }).collect();
        format!("{indent}{line}")
    };
    let mut out = Vec::new();
    if let Some(names) = layout.header {
        let names: Vec<String> = names.chars().map(String::from).collect();
        let plain =
            GridLayout { edges: false, bar: if layout.bar.is_empty() { "" } else { " " }, thin: "", ..layout.clone() };
        let style =
            if matches!(layout.style, Style::Columns | Style::Compact) { Style::Compact } else { Style::Spaced };
        out.push((Line::Other, format!("{indent}{}", cells(&GridLayout { style, ..plain }, &names, widest))));
    }
    debug_assert!(length > 0);
    let frame = layout.rule.filter(|_| layout.frame);
    out.extend(frame.map(|signs| (Line::Other, rule(signs))));
    let is_list = matches!(layout.style, Style::List | Style::QuotedList | Style::Strings);
    if is_list {
        out.insert(0, (Line::Other, "board = [".into()));
    }
    for (n, row) in rows.into_iter().enumerate() {
        out.push((Line::Row, row));
        let between = match n {
            8 => frame,
            2 | 5 => layout.rule,
            _ => layout.thin_rule,
        };
        out.extend(between.map(|signs| (Line::Other, rule(signs))));
        if layout.bands && (n == 2 || n == 5) {
            out.push((Line::Other, String::new()));
        }
    }
    if is_list {
        out.push((Line::Other, "]".into()));
    }
    let indented =
        |(kind, line): (Line, String)| (kind, if line.is_empty() { line } else { format!("{}{line}", layout.indent) });
    out.into_iter().map(indented).collect()
}

fn sign(layout: &GridLayout, cell: &Cell) -> String {
    match cell {
        Cell::Clue(digit) | Cell::Solved(digit) => digit.to_string(),
        Cell::Candidates(set) => (1..=9).filter(|d| set >> (d - 1) & 1 == 1).map(|d| d.to_string()).collect(),
        _ => layout.blank.to_string(),
    }
}

/// A row of nine signs.
fn cells(layout: &GridLayout, signs: &[String], widest: usize) -> String {
    let GridLayout { style, bar, thin, edges, width, .. } = *layout;
    let joined =
        |between: &str, bar: &str| signs.chunks(3).map(|three| three.join(between)).collect::<Vec<_>>().join(bar);
    let edge = |text: String, bar: &str| if edges { format!("{bar}{text}{bar}") } else { text };
    match style {
        Style::Compact | Style::Columns => edge(joined("", bar), bar),
        Style::Spaced | Style::Candidates => {
            let padded: Vec<String> = signs.iter().map(|sign| format!("{sign:<0$}", widest + width - 1)).collect();
            let bar = if bar.trim().is_empty() { bar.to_string() } else { format!(" {bar} ") };
            let text = padded.chunks(3).map(|three| three.join(" ")).collect::<Vec<_>>();
            let text = text.join(if bar.is_empty() { " " } else { &bar });
            if edges { format!("{}{text}{}", bar.trim_start(), bar.trim_end()) } else { text }
        }
        Style::WideColumns => {
            edge(signs.chunks(3).map(|three| format!(" {} ", three.join(" "))).collect::<Vec<_>>().join(bar), bar)
        }
        Style::Boxed | Style::BoxedSpaces => {
            let padded: Vec<String> = signs.iter().map(|sign| format!("{sign:^0$}", 2 * width - 1)).collect();
            let text = padded.chunks(3).map(|three| three.join(thin)).collect::<Vec<_>>().join(bar);
            edge(text, bar)
        }
        Style::List => format!("[{}],", signs.join(if width == 1 { "," } else { ", " })),
        Style::QuotedList => {
            let quote = if width == 1 { "'" } else { "\"" };
            let quoted: Vec<String> = signs.iter().map(|sign| format!("{quote}{sign}{quote}")).collect();
            format!("[{}],", quoted.join(","))
        }
        Style::Strings => format!("\"{}\",", signs.concat()),
        Style::Csv => signs.join(if width == 3 { ";" } else { "," }),
        Style::CsvSpaces => signs.iter().map(|sign| sign.trim()).collect::<Vec<_>>().join(","),
        Style::Tabs => signs.join("\t"),
        Style::OneLine | Style::Tall => String::new(),
    }
}

/// Three lines per row, as `show` draws them.
fn tall_lines(layout: &GridLayout, board: &Cells) -> Vec<(Line, String)> {
    let dot = if layout.blank == '.' { "." } else { "·" };
    let part = |cell: &Cell, line: usize| match cell {
        Cell::Candidates(set) => {
            let sign = |d: usize| if set >> d & 1 == 1 { (d + 1).to_string() } else { dot.to_string() };
            (3 * line..3 * line + 3).map(sign).collect::<Vec<_>>().join(" ")
        }
        Cell::Clue(digit) if line == 1 => format!("  {digit}  "),
        Cell::Solved(digit) if line == 1 => format!("  {digit}' "),
        _ => "     ".into(),
    };
    let text = |row: usize, line: usize| {
        let parts: Vec<String> =
            board[9 * row..9 * row + 9].iter().map(|cell| format!(" {} ", part(cell, line))).collect();
        let boxes: Vec<String> = parts.chunks(3).map(|three| three.join(layout.thin)).collect();
        format!("{0}{1}{0}", layout.bar, boxes.join(layout.bar))
    };
    let rule = |(level, cross): (&str, &str)| {
        let is_bar = |c: char| "|!│┃║".contains(c);
        text(0, 0).chars().map(|c| if is_bar(c) { cross } else { level }).collect::<String>()
    };
    let mut out = vec![(Line::Other, rule(layout.rule.unwrap_or(("-", "+"))))];
    for row in 0..9 {
        out.extend((0..3).map(|line| (Line::Row, text(row, line))));
        let signs = if row % 3 == 2 { layout.rule } else { layout.thin_rule };
        out.push((Line::Other, rule(signs.unwrap_or(("-", "+")))));
    }
    out
}
