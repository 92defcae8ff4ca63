//! Which of its published layouts a Str8ts string follows: the evidence in one string, the sum of it over many, and the
//! decision (docs/FORMATS.md, "Str8ts strings have several layouts").

use super::v1::str8ts as v1;
use super::v2::str8ts as v2;
use super::v2::str8ts_layouts as v2_layouts;
use super::{Form, Id, Str8tsLayout};
use crate::error::{Code, Reject};

/// The layouts of v2, in the order of messages and reports.
const V2: [Str8tsLayout; 4] = [Str8tsLayout::Spec, Str8tsLayout::Site, Str8tsLayout::First, Str8tsLayout::Nine];
/// The layouts of v1.
const V1: [Str8tsLayout; 2] = [Str8tsLayout::Site, Str8tsLayout::Snippet];

/// A set of layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Str8tsLayouts(u8);

impl Str8tsLayouts {
    /// Adds a layout.
    pub fn insert(&mut self, layout: Str8tsLayout) {
        self.0 |= 1 << layout as u8;
    }

    /// The set with a layout more.
    #[must_use]
    fn with(mut self, layout: Str8tsLayout) -> Self {
        self.insert(layout);
        self
    }

    /// The only layout of the set, if it has but one.
    fn only(self) -> Option<Str8tsLayout> {
        self.iter().next().filter(|_| self.0.is_power_of_two())
    }

    /// Whether a layout is in the set.
    pub fn contains(self, layout: Str8tsLayout) -> bool {
        self.0 >> layout as u8 & 1 == 1
    }

    /// The names of its layouts, for messages.
    fn names(self) -> String {
        self.iter().map(Str8tsLayout::name).collect::<Vec<_>>().join(" and ")
    }

    /// The layouts of the set, in the order of [`Str8tsLayout`].
    pub fn iter(self) -> impl Iterator<Item = Str8tsLayout> {
        Str8tsLayout::ALL.into_iter().filter(move |&f| self.contains(f))
    }
}

/// What one string says of its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutVerdict {
    /// This layout has fewer faults than any other.
    Decided(Str8tsLayout),
    /// These layouts, two or more, have the fewest faults.
    Tied(Str8tsLayouts),
    /// Under each of these layouts, and no other takes the string, two clues of a row or column are equal. This is no
    /// evidence, and such a string is read only if its layout is named.
    Clashing(Str8tsLayouts),
    /// No layout takes the string; its fault is best explained under this one. This is no evidence.
    Unreadable(Str8tsLayout),
}

/// Weighs a string of a Str8ts form of v1 or v2, as long as the form says.
///
/// v2: a layout is excluded if a value is out of range under it, or if two clues of a row or column are equal. In the others
/// faults are counted: each placed digit that is in its row already, and likewise in its column; each cell whose candidates,
/// unless they are all n, hold a placed digit of its row or column. v1: faults are flags without a digit that are not black
/// alone, and one flag at one digit that is not a clue's.
pub fn weigh(form: &Form, text: &[u8]) -> LayoutVerdict {
    debug_assert!(form.shape.kind.has_black());
    match form.id {
        _ if text.len() != form.width => LayoutVerdict::Unreadable(layouts(form.id)[0]),
        Id::V1 => weigh_v1(text),
        _ => weigh_v2(form, text),
    }
}

/// The layouts of a format, first the one that it writes.
fn layouts(id: Id) -> &'static [Str8tsLayout] {
    if id == Id::V1 { &V1 } else { &V2 }
}

/// The layouts that differ for strings of a form.
fn layouts_of(form: &Form) -> &'static [Str8tsLayout] {
    match layouts(form.id) {
        [others @ .., Str8tsLayout::Nine] if !v2_layouts::has_nine(form.shape.side) => others,
        all => all,
    }
}

/// The layout with the fewest faults, or those that share them.
fn fewest(faults: &[(Str8tsLayout, u32)]) -> LayoutVerdict {
    let least = faults.iter().map(|&(_, faults)| faults).min().unwrap_or(0);
    let mut best = Str8tsLayouts::default();
    faults.iter().filter(|&&(_, faults)| faults == least).for_each(|&(layout, _)| best.insert(layout));
    best.only().map_or(LayoutVerdict::Tied(best), LayoutVerdict::Decided)
}

fn weigh_v1(text: &[u8]) -> LayoutVerdict {
    // A flag that means black in one layout and clue in the other: how often each one stands where black has to (no digit)
    // or clue has to (one digit and no other flag).
    let mut faults = V1.map(|layout| (layout, 0));
    let mut readable = true;
    for digits in text.chunks_exact(3) {
        let value = v1::value(digits);
        if value >= 2048 {
            readable = false;
            continue;
        }
        let (digits, flags) = ((value >> 2).count_ones(), value & 3);
        let (site, snippet) = match (digits, flags) {
            (0, 1) | (1, 2) => (1, 0),
            (0, 2) | (1, 1) => (0, 1),
            (0, 3) => (1, 1),
            _ => (0, 0),
        };
        faults[0].1 += site;
        faults[1].1 += snippet;
    }
    match fewest(&faults) {
        verdict if readable => verdict,
        LayoutVerdict::Decided(layout) => LayoutVerdict::Unreadable(layout),
        _ => LayoutVerdict::Unreadable(Str8tsLayout::Site),
    }
}

fn weigh_v2(form: &Form, text: &[u8]) -> LayoutVerdict {
    let side = form.shape.side;
    let mut values = [0; 625];
    let values = &mut values[..side.cells()];
    let all_digits = v2::values(form, text, values);
    let mut counted = [(Str8tsLayout::Spec, 0); V2.len()];
    let counted = &mut counted[..layouts_of(form).len()];
    for (count, &layout) in counted.iter_mut().zip(layouts_of(form)) {
        let out = |&&value: &&u32| v2_layouts::to_spec(layout, side, value).is_none();
        *count = (layout, values.iter().filter(out).count() as u32);
    }
    if !all_digits || counted.iter().all(|&(_, out_of_range)| out_of_range > 0) {
        return match fewest(counted) {
            LayoutVerdict::Tied(tied) => LayoutVerdict::Unreadable(tied.iter().next().unwrap_or_default()),
            LayoutVerdict::Decided(layout) => LayoutVerdict::Unreadable(layout),
            unreadable => unreadable,
        };
    }
    let (mut clashing, mut left) = (Str8tsLayouts::default(), 0);
    for i in 0..counted.len() {
        let (layout, out_of_range) = counted[i];
        if out_of_range > 0 {
            continue;
        }
        match v2::faults(layout, side, values) {
            None => clashing.insert(layout),
            Some(faults) => {
                counted[left] = (layout, faults);
                left += 1;
            }
        }
    }
    if left == 0 { LayoutVerdict::Clashing(clashing) } else { fewest(&counted[..left]) }
}

/// The votes of strings for layouts; v1 and v2 are counted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence {
    v1: [u64; V1.len()],
    v2: [u64; V2.len()],
}

impl Evidence {
    /// Adds the votes of one string: one for each of the layouts with the fewest faults, unless all have as few. At sides
    /// where `nine` is the same as `spec` both get the vote.
    pub fn add(&mut self, form: &Form, verdict: LayoutVerdict) {
        let mut best = match verdict {
            LayoutVerdict::Decided(layout) => Str8tsLayouts::default().with(layout),
            LayoutVerdict::Tied(tied) if layouts_of(form).iter().any(|&layout| !tied.contains(layout)) => tied,
            _ => return,
        };
        if form.id == Id::V2 && best.contains(Str8tsLayout::Spec) && !v2_layouts::has_nine(form.shape.side) {
            best.insert(Str8tsLayout::Nine);
        }
        let counts: &mut [u64] = if form.id == Id::V1 { &mut self.v1 } else { &mut self.v2 };
        for (count, &layout) in counts.iter_mut().zip(layouts(form.id)) {
            *count += u64::from(best.contains(layout));
        }
    }

    /// Adds what others counted.
    pub fn join(&mut self, other: &Self) {
        self.v1.iter_mut().zip(other.v1).for_each(|(mine, theirs)| *mine += theirs);
        self.v2.iter_mut().zip(other.v2).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// All votes as numbers, to be stored.
    pub fn to_numbers(&self) -> Vec<u64> {
        self.v1.iter().chain(&self.v2).copied().collect()
    }

    /// The reverse of [`Evidence::to_numbers`]; `None` for other numbers. In those stored before `nine` existed, it has as many
    /// votes as `spec`.
    pub fn of_numbers(numbers: &[u64]) -> Option<Self> {
        let (v1, v2) = numbers.split_at_checked(V1.len())?;
        let v2 = match *v2 {
            [spec, site, first] => [spec, site, first, spec],
            _ => v2.try_into().ok()?,
        };
        Some(Self { v1: v1.try_into().ok()?, v2 })
    }

    /// The votes for each layout of `v1` or `v2`.
    pub fn counts(&self, id: Id) -> impl Iterator<Item = (Str8tsLayout, u64)> {
        let counts: &[u64] = if id == Id::V1 { &self.v1 } else { &self.v2 };
        layouts(id).iter().copied().zip(counts.iter().copied())
    }

    /// Of these layouts of a format those with the most votes: one, or several with as many.
    pub fn most(&self, id: Id, tied: Str8tsLayouts) -> Str8tsLayouts {
        let of_tied = || self.counts(id).filter(|&(layout, _)| tied.contains(layout));
        let most = of_tied().map(|(_, votes)| votes).max();
        let mut best = Str8tsLayouts::default();
        of_tied().filter(|&(_, votes)| Some(votes) == most).for_each(|(layout, _)| best.insert(layout));
        best
    }
}

/// How the layout of a string was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum By {
    /// The string itself.
    Itself,
    /// The other strings.
    Majority,
    /// Nothing: the string reads alike in all layouts left.
    Alike,
}

impl By {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Itself, Self::Majority, Self::Alike];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Itself => "by_itself",
            Self::Majority => "by_majority",
            Self::Alike => "reads_alike",
        }
    }
}

/// The form that a string is to be decoded in. A form whose layout is decided already is returned as it is.
///
/// # Errors
/// `ambiguous` for a string that reads in two ways of which nothing says which; the message names the flag that does.
pub fn resolve_layout(form: Form, text: &[u8], evidence: &Evidence) -> Result<Form, Reject> {
    if !form.is_undecided() {
        return Ok(form);
    }
    resolve_weighed(form, text, weigh(&form, text), evidence).map(|(form, _)| form)
}

/// As [`resolve_layout`], for an undecided form that was weighed already; with what the layout was chosen by.
///
/// # Errors
/// As [`resolve_layout`].
pub fn resolve_weighed(
    form: Form,
    text: &[u8],
    verdict: LayoutVerdict,
    evidence: &Evidence,
) -> Result<(Form, By), Reject> {
    let (layout, by) = match verdict {
        LayoutVerdict::Decided(layout) | LayoutVerdict::Unreadable(layout) => (layout, By::Itself),
        LayoutVerdict::Tied(tied) => {
            let most = evidence.most(form.id, tied);
            match most.only() {
                Some(layout) => (layout, By::Majority),
                None => (alike(&form, text, most).ok_or_else(|| ambiguous(&form, most))?, By::Alike),
            }
        }
        LayoutVerdict::Clashing(clashing) => return Err(clash(&form, clashing)),
    };
    Ok((Form { layout, ..form }, by))
}

/// The first of the tied layouts if the string is the same board, or the same fault, in all of them.
fn alike(form: &Form, text: &[u8], tied: Str8tsLayouts) -> Option<Str8tsLayout> {
    let mut layouts = tied.iter();
    let first = layouts.next()?;
    let same = |other: Str8tsLayout| match form.id {
        Id::V1 => {
            let read = |layout| {
                let cells = text.chunks_exact(3).map(move |digits| v1::code(layout, v1::value(digits)));
                // From the first fault on nothing is read.
                cells.scan(false, |over, code| (!std::mem::replace(over, code.is_none())).then_some(code))
            };
            read(first).eq(read(other))
        }
        _ => {
            let mut values = [0; 625];
            let values = &mut values[..form.shape.side.cells()];
            v2::values(form, text, values);
            let read = |layout, value| v2_layouts::to_spec(layout, form.shape.side, value);
            values.iter().all(|&value| read(first, value) == read(other, value))
        }
    };
    layouts.all(same).then_some(first)
}

fn ambiguous(form: &Form, tied: Str8tsLayouts) -> Reject {
    let flag = if form.id == Id::V1 { "--str8ts-flags" } else { "--str8ts-layout" };
    let words = format!(
        "a {} string that reads differently in the layouts {}, and nothing tells which it is; say it with {flag}",
        form.shape.kind,
        tied.names()
    );
    Reject::whole(Code::Ambiguous, words)
}

fn clash(form: &Form, clashing: Str8tsLayouts) -> Reject {
    let layouts = if clashing.only().is_some() { "layout" } else { "layouts" };
    let words = format!(
        "a {} string with two equal clues in a row or column in the {layouts} {}, and no other takes it: its clues are wrong, or \
         the layout is another; if it is to be read so, say it with --str8ts-layout",
        form.shape.kind,
        clashing.names()
    );
    Reject::whole(Code::Ambiguous, words)
}

/// The form under which the fault of a string is explained: the one at hand, or where it is undecided the likeliest.
pub(super) fn explained(form: Form, text: &[u8]) -> Form {
    if !form.is_undecided() {
        return form;
    }
    let layout = match weigh(&form, text) {
        LayoutVerdict::Decided(layout) | LayoutVerdict::Unreadable(layout) => layout,
        LayoutVerdict::Tied(tied) | LayoutVerdict::Clashing(tied) => tied.iter().next().unwrap_or_default(),
    };
    Form { layout, ..form }
}
