//! The layouts of formats that were published in several layouts, and the trait of such formats.

use std::fmt;

use super::{Form, Format};
use crate::error::escape;

/// The published layout that a string follows, if its format has several: v1 and v2 for Str8ts
/// ([`super::Codec::layout_rules`]; docs/FORMATS.md, "Str8ts strings have several layouts"), the alphabets of plain sudokus
/// of other sides than 9, and the pages that links lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Layout {
    /// v2 as specified; also for all strings with only one layout.
    #[default]
    Spec,
    /// As the site writes it: v2 with solved cells and candidates one higher; v1 with black as bit 1 and clue as bit 0.
    Site,
    /// v2: the first draft, in which black n and black empty share a code.
    First,
    /// v2 at sides 6 and 8 with the codes of side 9, as one solver writes it; at other sides identical to
    /// [`Layout::Spec`].
    Nine,
    /// v1: the two flags exchanged, as in the JavaScript of the site's page.
    Snippet,
    /// Plain sudokus of other sides than 9: digits 1 to 9, then A for 10, B for 11 and so on; `0` is a blank.
    Digits,
    /// Plain sudokus of other sides than 9: A for 1, B for 2 and so on.
    Letters,
    /// Plain sudokus of sides 16 and 25: as [`Layout::Digits`], but `0` is the largest digit.
    Zero,
    /// Plain sudokus of sides 16 and 25: the characters that follow `0` in ASCII: `:` for 10, `;` for 11 and so on.
    Ascii,
    /// Plain sudokus of sides 16 and 25: two decimal digits for each cell.
    Pairs,
    /// Links to pages of sudokuwiki.org.
    SudokuWikiPage,
    /// Links to the page of str8ts.com.
    Str8tsPage,
    /// Links to pages of sudokupad.app.
    SudokuPadPage,
    /// Links to the page of f-puzzles.com.
    FPuzzlesPage,
    /// Unknown until [`super::resolve_layout`] has examined the string. Strings cannot be decoded in this layout.
    Undecided,
}

impl Layout {
    /// All layouts, in the order of reports.
    pub const ALL: [Self; 14] = [
        Self::Spec,
        Self::Site,
        Self::First,
        Self::Nine,
        Self::Snippet,
        Self::Digits,
        Self::Letters,
        Self::Zero,
        Self::Ascii,
        Self::Pairs,
        Self::SudokuWikiPage,
        Self::Str8tsPage,
        Self::SudokuPadPage,
        Self::FPuzzlesPage,
    ];

    /// The pages that links lead to, in the order in which they are tried.
    pub const PAGES: [Self; 4] = [Self::SudokuWikiPage, Self::Str8tsPage, Self::SudokuPadPage, Self::FPuzzlesPage];

    /// The page with a name.
    ///
    /// # Errors
    /// No page has this name. The message lists those that there are.
    pub fn page(name: &str) -> Result<Self, String> {
        let found = Self::PAGES.into_iter().find(|page| page.name() == name);
        found.ok_or_else(|| {
            format!("no page is named '{}'; pages: {}", escape(name.as_bytes()), Self::PAGES.map(Self::name).join(", "))
        })
    }

    /// The alphabets of plain sudokus of other sides than 9, in the order in which they are tried and named.
    pub const ALPHABETS: [Self; 5] = [Self::Digits, Self::Letters, Self::Zero, Self::Ascii, Self::Pairs];

    /// The alphabet with a name.
    ///
    /// # Errors
    /// No alphabet has this name. The message lists those that there are.
    pub fn alphabet(name: &str) -> Result<Self, String> {
        let found = Self::ALPHABETS.into_iter().find(|alphabet| alphabet.name() == name);
        found.ok_or_else(|| {
            format!("one of auto, {}, not '{}'", Self::ALPHABETS.map(Self::name).join(", "), escape(name.as_bytes()))
        })
    }

    /// The name on the command line and in reports; `auto` for an undecided layout.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Site => "site",
            Self::First => "first",
            Self::Nine => "nine",
            Self::Snippet => "snippet",
            Self::Digits => "digits",
            Self::Letters => "letters",
            Self::Zero => "zero",
            Self::Ascii => "ascii",
            Self::Pairs => "pairs",
            Self::SudokuWikiPage => "sudokuwiki",
            Self::Str8tsPage => "str8ts",
            Self::SudokuPadPage => "sudokupad",
            Self::FPuzzlesPage => "fpuzzles",
            Self::Undecided => "auto",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layouts(u16);

impl Layouts {
    /// Adds a layout.
    pub fn insert(&mut self, layout: Layout) {
        self.0 |= 1 << layout as u8;
    }

    /// Returns the set with another layout.
    #[must_use]
    pub(super) fn with(mut self, layout: Layout) -> Self {
        self.insert(layout);
        self
    }

    /// Returns the layout of a set that has exactly one.
    pub(super) fn only(self) -> Option<Layout> {
        self.iter().next().filter(|_| self.0.is_power_of_two())
    }

    /// Whether a layout is in the set.
    pub fn contains(self, layout: Layout) -> bool {
        self.0 >> layout as u8 & 1 == 1
    }

    /// Returns the names of its layouts, for messages.
    pub(super) fn names(self) -> String {
        let names: Vec<_> = self.iter().map(Layout::name).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }

    /// Returns the layouts of the set, in the order of [`Layout`].
    pub fn iter(self) -> impl Iterator<Item = Layout> {
        Layout::ALL.into_iter().filter(move |&f| self.contains(f))
    }
}

/// What the contents of one string say about its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutVerdict {
    /// This layout has fewer faults than any other.
    Decided(Layout),
    /// These layouts, two or more, have the fewest faults.
    Tied(Layouts),
    /// In each of these layouts two clues in a row or column are equal, and the string is invalid in all others. This
    /// does not count as evidence, and the string is read only if the user names the layout.
    Clashing(Layouts),
    /// The string is invalid in all layouts, and this layout explains its fault best. This does not count as evidence.
    Unreadable(Layout),
}

impl LayoutVerdict {
    /// The layout with the fewest faults, or the layouts that share the minimum.
    pub(super) fn fewest(faults: &[(Layout, u32)]) -> Self {
        let least = faults.iter().map(|&(_, faults)| faults).min().unwrap_or(0);
        let mut best = Layouts::default();
        faults.iter().filter(|&&(_, faults)| faults == least).for_each(|&(layout, _)| best.insert(layout));
        best.only().map_or(Self::Tied(best), Self::Decided)
    }
}

/// The rules of a format that was published in several layouts. A string does not name its layout: its contents are
/// examined, and if they do not decide, the other strings do ([`super::resolve_layout`]). Only this crate implements
/// the trait.
pub trait LayoutRules: super::sealed::Sealed + Sync {
    /// Returns all layouts, in the order of messages, reports and stored evidence. The format writes the first layout
    /// by default.
    fn all(&self) -> &'static [Layout];

    /// Returns the layouts that differ for strings of a form. The others are identical to the first of
    /// [`LayoutRules::all`].
    fn differing(&self, form: &Form) -> &'static [Layout];

    /// Returns the layouts that strings can be written in.
    fn writable(&self) -> &'static [Layout];

    /// Returns the flag that sets the layout for reading.
    fn flag(&self) -> &'static str;

    /// Examines a string of a form that has layouts. Its length is that of the form.
    fn weigh(&self, form: &Form, text: &[u8]) -> LayoutVerdict;

    /// Whether a string of such a form is the same board, or has the same fault, in two layouts.
    fn reads_alike(&self, form: &Form, text: &[u8], layouts: [Layout; 2]) -> bool;
}

/// The user's choice of a layout for each format that has several layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FormatLayouts([Option<Layout>; Format::ALL.len()]);

impl FormatLayouts {
    /// Returns the layout chosen for a format, if any.
    pub fn get(&self, id: Format) -> Option<Layout> {
        self.0[id as usize]
    }

    /// Returns the choices with `layout` for a format, or without a layout for it.
    #[must_use]
    pub fn with(mut self, id: Format, layout: impl Into<Option<Layout>>) -> Self {
        self.0[id as usize] = layout.into();
        self
    }
}
