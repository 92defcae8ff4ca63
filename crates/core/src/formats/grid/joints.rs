//! Rows whose cells have the same signs between them: `A & A & B`, `A::A::B`, `A→A→B`.

/// The fewest cells of such a row.
const FEWEST: usize = 4;

/// The cells of a row, without what is between them and before the first.
pub(super) fn parts(text: &str) -> Option<Vec<&str>> {
    between_words(text).or_else(|| between_signs(text))
}

/// The same of cells that are letters or numbers.
fn between_words(text: &str) -> Option<Vec<&str>> {
    let is_joint = |c: char| !c.is_alphanumeric();
    let mut words = text.split(is_joint).filter(|word| !word.is_empty());
    let mut parts = vec![words.next()?];
    let mut joint = None;
    let end = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize + word.len();
    for word in words {
        let between = text[end(parts[parts.len() - 1])..end(word) - word.len()].trim();
        match joint {
            // What is before the first cell may be the name of the row.
            Some(known) if known != between && parts.len() == 2 => parts = vec![parts[1]],
            Some(known) if known != between => return None,
            _ => {}
        }
        joint = Some(between).filter(|joint| !joint.is_empty());
        joint?;
        parts.push(word);
    }
    (parts.len() >= FEWEST).then_some(parts)
}

/// The same of cells of one sign each.
fn between_signs(text: &str) -> Option<Vec<&str>> {
    let signs = || text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let joint = signs().nth(1)?.1;
    let is_joined = !joint.is_alphanumeric() && signs().skip(1).step_by(2).all(|(_, c)| c == joint);
    let cells: Vec<&str> = signs().step_by(2).map(|(at, c)| &text[at..at + c.len_utf8()]).collect();
    (is_joined && cells.len() >= FEWEST).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::parts;
    use crate::formats::{GridBlock, GridBlocks};

    #[test]
    fn cells_with_signs_between_them_are_found() {
        for joint in ["&", "::", "\u{2192}", "@", "=>", "->", " ~ ", " / ", "\u{b7}"] {
            let row = |cells: &str| cells.split(' ').collect::<Vec<_>>().join(joint);
            for cells in ["A A B C C", "1 1 22 3 3", "red red blue blue"] {
                assert_eq!(parts(&row(cells)), Some(cells.split(' ').collect()), "{joint}");
                assert_eq!(parts(&format!("Row 1# {}", row(cells))), None);
                assert_eq!(parts(&format!("r1; {}", row(cells))), Some(cells.split(' ').collect()), "{joint}");
            }
            let text: Vec<&str> = "\u{1f34e} \u{1f34e} \u{1f34c} \u{1f34c}".split(' ').collect();
            if joint.trim().chars().count() == 1 {
                assert_eq!(parts(&text.join(joint)), Some(text), "{joint}");
            }
        }
        for text in ["", "A", "A B C D", "2022-11-22", "guesses: 0, backtracks: 0, nodes: 81"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }

    #[test]
    fn maps_with_signs_between_their_cells_refuse_the_grids_beside_them() {
        let clues =
            "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";
        let map = [
            "AAABBBCCC",
            "AAABBBCCC",
            "AAABBCCFC",
            "DDDBEEFFF",
            "DDDEEEFFF",
            "DDDEEEFFF",
            "GGGHHHIII",
            "GGGHHHIII",
            "GGGHHHIII",
        ];
        for joint in [
            " & ",
            "&",
            "::",
            " :: ",
            "\u{2192}",
            " \u{2192} ",
            "@",
            " @ ",
            "=>",
            " ~ ",
            " / ",
            "++",
            "<>",
            "\u{b7}",
            " %",
        ] {
            let row = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(joint) + "\n";
            let map: String = map.iter().map(row).collect();
            for text in [format!("{clues}\n{map}"), format!("{map}\n{clues}")] {
                let mut strings = GridBlocks::new(text.as_bytes()).map(GridBlock::string);
                assert!(!strings.any(|string| string.is_ok()), "{text}");
            }
        }
    }
}
