//! Damage that invalidates a grid.

use super::layouts::{GridLayout, Line, Style};
use crate::random::Rng;

/// The damage to one board of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Damage {
    RowLost,
    RowTwice,
    CellLost,
    CellTwice,
    /// The last cell of every row.
    ColumnLost,
    LetterInRow,
    OtherSign,
    LeftoverBelow,
    NumberInside,
    WordsInside,
    RowInTwo,
    RowsJoined,
    EndLost,
}

/// All of it.
pub(super) const DAMAGES: [Damage; 13] = [
    Damage::RowLost,
    Damage::RowTwice,
    Damage::CellLost,
    Damage::CellTwice,
    Damage::ColumnLost,
    Damage::LetterInRow,
    Damage::OtherSign,
    Damage::LeftoverBelow,
    Damage::NumberInside,
    Damage::WordsInside,
    Damage::RowInTwo,
    Damage::RowsJoined,
    Damage::EndLost,
];

/// Damages the lines of a board.
pub(super) fn do_damage(rng: &mut Rng, layout: &GridLayout, lines: &mut Vec<(Line, String)>, damage: Damage) {
    let rows: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].0 == Line::Row).collect();
    let nth = rng.below(rows.len());
    let at = rows[nth];
    let is_full = !lines.iter().any(|(kind, line)| *kind == Line::Row && line.contains(layout.blank));
    // A row is lost; of a grid in one line, half of it.
    let lose = |lines: &mut Vec<(Line, String)>| {
        let half = |line: &str| line.chars().take(line.len() / 3).collect();
        if rows.len() > 1 { _ = lines.remove(at) } else { lines[at].1 = half(&lines[at].1) }
    };
    if rows.len() == 1 && matches!(damage, Damage::RowTwice | Damage::RowsJoined | Damage::EndLost) {
        return lose(lines);
    }
    // The positions of digits that are not part of a label.
    let digit = |rng: &mut Rng, line: &str| {
        let from = line.find(|c: char| c.is_ascii_digit()).unwrap_or(0) + if layout.labels.is_some() { 1 } else { 0 };
        let digits: Vec<usize> =
            line.char_indices().filter(|(i, c)| *i >= from && c.is_ascii_digit()).map(|(i, _)| i).collect();
        (!digits.is_empty()).then(|| digits[rng.below(digits.len())])
    };
    match damage {
        Damage::RowLost => lose(lines),
        Damage::RowTwice => {
            let line = lines[at].clone();
            lines.insert(at, line);
        }
        Damage::CellLost | Damage::CellTwice | Damage::LetterInRow => {
            let Some(place) = digit(rng, &lines[at].1) else {
                return lose(lines);
            };
            let line = &mut lines[at].1;
            let found = line.as_bytes()[place] as char;
            match damage {
                // An empty cell may be written as nothing if the layout does so, or if no cell has a sign for it.
                Damage::CellLost if layout.style.has_spaces() || layout.style == Style::Tall => lose(lines),
                Damage::CellLost if is_full && !layout.style.is_joined() => lose(lines),
                // Losing one of several candidates gives another board.
                Damage::CellLost if layout.style == Style::Candidates => {
                    let is_digit = |c: char| c.is_ascii_digit();
                    let start = line[..place].trim_end_matches(is_digit).len();
                    let end = line.len() - line[place..].trim_start_matches(is_digit).len();
                    line.replace_range(start..end, "");
                }
                Damage::CellLost => _ = line.remove(place),
                Damage::CellTwice if layout.style == Style::Candidates => line.insert(place, found),
                Damage::CellTwice if layout.style == Style::Spaced => line.insert_str(place, &format!("{found} ")),
                Damage::CellTwice => line.insert(place, found),
                _ => line.replace_range(place..=place, ["O", "l", "a", "S", "<"][rng.below(5)]),
            }
        }
        Damage::ColumnLost if layout.style.has_spaces() || layout.style == Style::Tall => lose(lines),
        Damage::ColumnLost if is_full && layout.style.is_boxed() => lose(lines),
        Damage::ColumnLost => rows.iter().for_each(|&at| lose_last_cell(layout, &mut lines[at].1)),
        Damage::OtherSign => {
            let line = &mut lines[at].1;
            let other = if layout.blank == '.' { "0" } else { "." };
            match line.rfind(layout.blank).filter(|_| layout.blank != ' ') {
                Some(place) => line.replace_range(place..place + layout.blank.len_utf8(), other),
                None => lose(lines),
            }
        }
        Damage::LeftoverBelow => {
            lines.push((Line::Other, (*rng.pick(&["53", "1 2 3", "9", "7....", "12 | 4"])).into()))
        }
        Damage::NumberInside => lines.insert(rows[nth.max(1).min(rows.len() - 1)], (Line::Other, "12".into())),
        Damage::WordsInside => lines.insert(rows[nth.max(1).min(rows.len() - 1)], (Line::Other, "and so on".into())),
        Damage::RowInTwo => cut_in_two(lines, at),
        Damage::RowsJoined => {
            let (at, next) = if nth == 0 { (at, rows[1]) } else { (rows[nth - 1], at) };
            let joined = format!("{}{}", lines[at].1, lines[next].1);
            lines[at].1 = joined;
            lines.remove(next);
        }
        Damage::EndLost => lines.truncate(rows[nth.max(rows.len() / 2)]),
    }
}

fn lose_last_cell(layout: &GridLayout, line: &mut String) {
    let text = line.trim_end().to_string();
    let end = text.trim_end_matches(|c: char| "|!│┃║],\"'".contains(c) || c == ' ').len();
    let mut kept = text[..end].char_indices().next_back().map_or(0, |(last, _)| last);
    if layout.style == Style::Candidates {
        kept = text[..kept].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    }
    *line = format!("{}{}", text[..kept].trim_end_matches([',', '\t']), &text[end..]);
}

fn cut_in_two(lines: &mut Vec<(Line, String)>, at: usize) {
    let line = lines[at].1.clone();
    let middle = line.char_indices().nth(line.chars().count() / 2).map_or(0, |(middle, _)| middle);
    lines[at].1 = line[..middle].into();
    lines.insert(at + 1, (Line::Other, line[middle..].into()));
}
