//! The names that strings of other programs have beside their boards: the title of a puzzle and its author.

use super::Losses;

/// The most characters of a name. What is longer is cut, and remains a loss.
pub const MOST_OF_A_TITLE: usize = 1000;

/// The title of a puzzle and the name of its author, as far as its string says them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// The title.
    pub title: Name,
    /// The name of the author, and a source.
    pub author: Name,
}

/// What the board of a string does not hold of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remainder {
    /// What is lost, names among it.
    pub losses: Losses,
    /// The names.
    pub names: Names,
}

/// A title or the like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Name {
    /// The text, without control characters except for tabs and line ends. Several are separated by semicolons.
    pub text: String,
    /// Whether something was left out: all after [`MOST_OF_A_TITLE`] characters, or control characters.
    pub is_cut: bool,
}

impl Name {
    /// Adds a text, unless it is there already.
    pub(super) fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.text == text {
            return;
        }
        // What is no UTF-8 was replaced by these.
        self.is_cut |= text.contains(char::REPLACEMENT_CHARACTER);
        let is_kept = |sign: &char| !sign.is_control() || matches!(sign, '\t' | '\n' | '\r');
        let between = if self.text.is_empty() { "" } else { "; " };
        let room = MOST_OF_A_TITLE.saturating_sub(self.text.chars().count());
        let mut signs = between.chars().chain(text.chars());
        for sign in signs.by_ref().take(room) {
            match is_kept(&sign) {
                true => self.text.push(sign),
                false => self.is_cut = true,
            }
        }
        self.is_cut |= signs.next().is_some();
    }

    /// Adds another one.
    pub(crate) fn join(&mut self, other: &Self) {
        self.add(&other.text);
        self.is_cut |= other.is_cut;
    }

    /// Whether nothing is said.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.is_cut
    }

    /// Whether there is one, of which nothing was left out.
    pub(crate) fn is_whole(&self) -> bool {
        !self.text.is_empty() && !self.is_cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_and_cut() {
        let joined = |texts: &[&str]| {
            let mut name = Name::default();
            texts.iter().for_each(|text| name.add(text));
            (name.text, name.is_cut)
        };
        assert_eq!(joined(&[" One ", "One", "", "Two"]), ("One; Two".into(), false));
        assert_eq!(joined(&["a\tb\nc"]), ("a\tb\nc".into(), false));
        assert_eq!(joined(&["a\u{1b}[2J\0"]), ("a[2J".into(), true));
        assert_eq!(joined(&["Cr\u{fffd}me"]), ("Cr\u{fffd}me".into(), true));
        let long = "\u{e9}".repeat(MOST_OF_A_TITLE);
        assert_eq!(joined(&[&long]), (long.clone(), false));
        assert_eq!(joined(&[&format!("{long}!")]), (long.clone(), true));
        assert_eq!(joined(&[&long, "Two"]), (long, true));
    }
}
