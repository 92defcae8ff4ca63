//! The layouts of a format that was published in several, and what such a format says of them.

use std::fmt;

use super::{Form, Id};

/// Which of several published layouts a string follows, where its format has several ([`super::Format::layout_rules`]): those are v1
/// and v2 for Str8ts (docs/FORMATS.md, "Str8ts strings have several layouts").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Layout {
    /// v2 as specified; also of every string that has but one layout.
    #[default]
    Spec,
    /// What the site writes: v2 with solved and candidates one higher; v1 with black as bit 1 and clue as bit 0.
    Site,
    /// v2: the first draft, whose black n and black empty are one code.
    First,
    /// v2 at sides 6 and 8 with the codes of side 9, as a solver writes it; at other sides the same as [`Layout::Spec`].
    Nine,
    /// v1: the two flags the other way round, as the page's JavaScript has them.
    Snippet,
    /// Not known before the string was weighed: [`super::resolve_layout`] says. Nothing is decoded under it.
    Undecided,
}

impl Layout {
    /// Every layout there is, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Spec, Self::Site, Self::First, Self::Nine, Self::Snippet];

    /// The name in the command line and reports; `auto` where nothing is decided.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Site => "site",
            Self::First => "first",
            Self::Nine => "nine",
            Self::Snippet => "snippet",
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
pub struct Layouts(u8);

impl Layouts {
    /// Adds a layout.
    pub fn insert(&mut self, layout: Layout) {
        self.0 |= 1 << layout as u8;
    }

    /// The set with a layout more.
    #[must_use]
    pub(super) fn with(mut self, layout: Layout) -> Self {
        self.insert(layout);
        self
    }

    /// The only layout of the set, if it has but one.
    pub(super) fn only(self) -> Option<Layout> {
        self.iter().next().filter(|_| self.0.is_power_of_two())
    }

    /// Whether a layout is in the set.
    pub fn contains(self, layout: Layout) -> bool {
        self.0 >> layout as u8 & 1 == 1
    }

    /// The names of its layouts, for messages.
    pub(super) fn names(self) -> String {
        self.iter().map(Layout::name).collect::<Vec<_>>().join(" and ")
    }

    /// The layouts of the set, in the order of [`Layout`].
    pub fn iter(self) -> impl Iterator<Item = Layout> {
        Layout::ALL.into_iter().filter(move |&f| self.contains(f))
    }
}

/// What one string says of its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutVerdict {
    /// This layout has fewer faults than any other.
    Decided(Layout),
    /// These layouts, two or more, have the fewest faults.
    Tied(Layouts),
    /// Under each of these layouts, and no other takes the string, two clues of a row or column are equal. This is no
    /// evidence, and such a string is read only if its layout is named.
    Clashing(Layouts),
    /// No layout takes the string; its fault is best explained under this one. This is no evidence.
    Unreadable(Layout),
}

impl LayoutVerdict {
    /// The layout with the fewest faults, or those that share them.
    pub(super) fn fewest(faults: &[(Layout, u32)]) -> Self {
        let least = faults.iter().map(|&(_, faults)| faults).min().unwrap_or(0);
        let mut best = Layouts::default();
        faults.iter().filter(|&&(_, faults)| faults == least).for_each(|&(layout, _)| best.insert(layout));
        best.only().map_or(Self::Tied(best), Self::Decided)
    }
}

/// What a format that was published in several layouts says of them. Its strings do not name theirs: each is weighed, and where
/// that decides nothing, the others are asked ([`super::resolve_layout`]). Only this crate implements it.
pub trait LayoutRules: super::sealed::Sealed + Sync {
    /// Every layout, in the order of messages, reports and stored evidence; first the one that the format writes.
    fn all(&self) -> &'static [Layout];

    /// The layouts that differ for strings of a form. The others are the same as the first of [`LayoutRules::all`].
    fn differing(&self, form: &Form) -> &'static [Layout];

    /// The layouts that strings can be written in.
    fn written(&self) -> &'static [Layout];

    /// The flag that says in which layout strings are to be read.
    fn flag(&self) -> &'static str;

    /// Weighs a string of a form that has layouts, as long as the form says.
    fn weigh(&self, form: &Form, text: &[u8]) -> LayoutVerdict;

    /// Whether a string of such a form is the same board, or the same fault, in both layouts.
    fn reads_alike(&self, form: &Form, text: &[u8], layouts: [Layout; 2]) -> bool;
}

/// A layout for each format that has several, or none where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FormatLayouts([Option<Layout>; Id::ALL.len()]);

impl FormatLayouts {
    /// What is said of a format.
    pub fn get(&self, id: Id) -> Option<Layout> {
        self.0[id as usize]
    }

    /// The same with `layout` for a format; `None` takes back what was said.
    #[must_use]
    pub fn with(mut self, id: Id, layout: impl Into<Option<Layout>>) -> Self {
        self.0[id as usize] = layout.into();
        self
    }
}
