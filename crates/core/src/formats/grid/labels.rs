//! The lines that name what is below them: `Regions:`, `[State]`, `Sums`.

/// What a line says about the block below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// A map of regions or cages, or a mask of black cells.
    Map,
    /// Sums or clues of cages.
    Clues,
    /// The clues of a puzzle.
    Puzzle,
    /// Digits that were placed later.
    State,
    /// Candidates.
    Candidates,
    /// Colours that a player has given to cells.
    Marks,
}

/// The words of labels. Those of the same line must be of the same label.
const WORDS: [(Label, &[&str]); 6] = [
    (
        Label::Map,
        &["region", "regions", "cage", "cages", "map", "layout", "shape", "shapes", "black", "cells", "mask", "jigsaw"],
    ),
    (Label::Clues, &["sum", "sums", "clue", "clues"]),
    (Label::Puzzle, &["puzzle", "original", "givens", "given"]),
    (Label::State, &["state", "progress", "current"]),
    (Label::Candidates, &["pencil", "marks", "pencilmarks", "candidates", "notes"]),
    (Label::Marks, &["color", "colors", "colour", "colours", "highlights"]),
];

/// Reads a line that consists of words of one label, perhaps with brackets around them or a colon after them.
pub(super) fn label(line: &[u8]) -> Option<Label> {
    let line = line.trim_ascii();
    let inner = line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]")).unwrap_or(line);
    let inner = inner.strip_suffix(b":").unwrap_or(inner).trim_ascii();
    let mut labels = inner.split(|&byte| byte == b' ').map(|word| {
        let is_word = |known: &&str| word.eq_ignore_ascii_case(known.as_bytes());
        WORDS.iter().find(|(_, words)| words.iter().any(is_word)).map(|(label, _)| *label)
    });
    let first = labels.next()??;
    labels.all(|label| label == Some(first)).then_some(first)
}

/// The label of a section of a file: a line in brackets.
pub(super) fn section(line: &[u8]) -> Option<Label> {
    label(line).filter(|_| line.starts_with(b"["))
}
