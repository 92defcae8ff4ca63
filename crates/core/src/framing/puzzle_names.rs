//! Names of columns and fields that say that puzzles are in them.

/// Words that say so, in the singular.
const PUZZLES: [&str; 14] = [
    "puzzle", "quiz", "quizze", "question", "board", "clue", "given", "unsolved", "problem", "task", "sudoku", "grid",
    "prompt", "unfilled",
];

/// Words that may stand beside these. With others, such as `id` or `date`, a name says something about a puzzle.
const BESIDE: [&str; 16] = [
    "string", "str", "text", "raw", "the", "data", "state", "start", "initial", "input", "original", "in", "givens",
    "content", "empty", "my",
];

/// Whether a name says that puzzles are in its column: `quizzes`, `sudoku_puzzle`, `initialBoard`.
pub(super) fn names_puzzles(name: &str) -> bool {
    let mut spaced = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if was_lower && c.is_uppercase() {
            spaced.push(' ');
        }
        was_lower = c.is_lowercase();
        spaced.extend(c.to_lowercase());
    }
    let mut words = spaced.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut is_one = false;
    words.all(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        let says_so = PUZZLES.contains(&singular);
        is_one |= says_so;
        says_so || BESIDE.contains(&word)
    }) && is_one
}

#[cfg(test)]
mod tests {
    use super::names_puzzles;

    #[test]
    fn names() {
        for name in [
            "puzzle",
            "Puzzles",
            "quizzes",
            "quiz",
            "sudoku_puzzle",
            "initialBoard",
            "Puzzle String",
            "the question",
            "givens",
            "in.grid",
        ] {
            assert!(names_puzzles(name), "{name}");
        }
        for name in [
            "",
            "id",
            "puzzle_id",
            "puzzle id",
            "solution",
            "board solution",
            "date",
            "questionId",
            "puzzle_url",
            "start",
            "n clues",
            "text",
        ] {
            assert!(!names_puzzles(name), "{name}");
        }
    }
}
