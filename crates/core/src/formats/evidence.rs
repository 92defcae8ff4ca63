//! Decides which layout a string follows, if its format has several: by the faults of the string itself, or by the
//! votes of many strings (docs/FORMATS.md, "Str8ts strings have several layouts").

use std::cell::{Cell, OnceCell};
use std::fmt;

use super::{Form, Format, Layout, LayoutRules, LayoutVerdict, Layouts, REGISTRY};
use crate::error::{Code, Reject};

/// Counts the faults of a string of an undecided form in each layout. `None` if the layout is decided.
pub fn weigh(form: &Form, text: &[u8]) -> Option<LayoutVerdict> {
    let rules = form.layout_rules().filter(|_| form.is_undecided())?;
    Some(if text.len() == form.width { rules.weigh(form, text) } else { LayoutVerdict::Unreadable(rules.all()[0]) })
}

/// Returns the formats with several layouts, in the order of reports and of stored evidence.
fn with_layouts() -> impl Iterator<Item = (Format, &'static dyn LayoutRules)> {
    REGISTRY.iter().filter_map(|format| Some((format.about().id, format.layout_rules()?)))
}

/// The votes of strings for the layouts of their formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence([[u64; Layout::ALL.len()]; Format::ALL.len()]);

impl Evidence {
    /// Adds the votes of one string: one for each layout with the fewest faults, unless all layouts have equally few.
    /// Layouts that are identical to the first for this form get its vote, too.
    pub fn add(&mut self, form: &Form, verdict: LayoutVerdict) {
        let Some(rules) = form.layout_rules() else { return };
        let (all, differing) = (rules.all(), rules.differing(form));
        let mut best = match verdict {
            LayoutVerdict::Decided(layout) => Layouts::default().with(layout),
            LayoutVerdict::Tied(tied) if differing.iter().any(|&layout| !tied.contains(layout)) => tied,
            _ => return,
        };
        if best.contains(all[0]) {
            all.iter().filter(|layout| !differing.contains(layout)).for_each(|&layout| best.insert(layout));
        }
        best.iter().for_each(|layout| self.0[form.id as usize][layout as usize] += 1);
    }

    /// Adds the votes of `other`.
    pub fn join(&mut self, other: &Self) {
        let votes = self.0.iter_mut().flatten();
        votes.zip(other.0.iter().flatten()).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Returns the votes as numbers, for storing.
    pub fn to_numbers(&self) -> Vec<u64> {
        with_layouts().flat_map(|(id, _)| self.counts(id).map(|(_, votes)| votes)).collect()
    }

    /// Reads the votes that [`Evidence::to_numbers`] returned; `None` for invalid numbers. Evidence stored before
    /// `nine` existed has no votes for `nine`, which gets those of `spec`.
    pub fn of_numbers(numbers: &[u64]) -> Option<Self> {
        let with_nine;
        let numbers = match *numbers {
            [site, snippet, spec, v2_site, first] => {
                with_nine = [site, snippet, spec, v2_site, first, spec];
                &with_nine[..]
            }
            _ => numbers,
        };
        let places = || with_layouts().flat_map(|(id, rules)| rules.all().iter().map(move |&layout| (id, layout)));
        if places().count() != numbers.len() {
            return None;
        }
        let mut evidence = Self::default();
        places().zip(numbers).for_each(|((id, layout), &votes)| evidence.0[id as usize][layout as usize] = votes);
        Some(evidence)
    }

    /// Returns the votes for each layout of a format.
    pub fn counts(&self, id: Format) -> impl Iterator<Item = (Layout, u64)> {
        let layouts = id.codec().layout_rules().map_or(&[][..], LayoutRules::all);
        let votes = self.0[id as usize];
        layouts.iter().map(move |&layout| (layout, votes[layout as usize]))
    }

    /// Returns the layouts among `tied` with the most votes; several if they have equally many.
    pub fn most_voted(&self, id: Format, tied: Layouts) -> Layouts {
        let of_tied = || self.counts(id).filter(|&(layout, _)| tied.contains(layout));
        let most = of_tied().map(|(_, votes)| votes).max();
        let mut best = Layouts::default();
        of_tied().filter(|&(_, votes)| Some(votes) == most).for_each(|(layout, _)| best.insert(layout));
        best
    }
}

/// Where a converter gets the evidence for the layout of a string that does not determine it itself.
pub trait EvidenceSource {
    /// Returns the evidence, the same every time. It is asked for each such string, so that what takes time to find should
    /// be kept.
    fn evidence(&self) -> &Evidence;
}

/// What is already known.
impl EvidenceSource for Evidence {
    fn evidence(&self) -> &Evidence {
        self
    }
}

/// Evidence that is collected when a string of a call needs it. If that fails, the call goes on without evidence, and
/// [`AskedEvidence::end`] says why its results must not be used.
pub struct AskedEvidence<'e, E> {
    collect: &'e dyn Fn() -> Result<Evidence, E>,
    found: OnceCell<Evidence>,
    failed: Cell<Option<E>>,
}

impl<'e, E> AskedEvidence<'e, E> {
    /// The evidence that `collect` will return.
    pub fn new(collect: &'e dyn Fn() -> Result<Evidence, E>) -> Self {
        Self { collect, found: OnceCell::new(), failed: Cell::new(None) }
    }

    /// Returns the evidence if it was needed. To be called after each call of the converter.
    ///
    /// # Errors
    /// It was needed and could not be collected.
    pub fn end(self) -> Result<Option<Evidence>, E> {
        self.failed.into_inner().map_or(Ok(self.found.into_inner()), Err)
    }
}

impl<E> EvidenceSource for AskedEvidence<'_, E> {
    fn evidence(&self) -> &Evidence {
        self.found.get_or_init(|| {
            (self.collect)().unwrap_or_else(|error| {
                self.failed.set(Some(error));
                Evidence::default()
            })
        })
    }
}

impl<E> fmt::Debug for AskedEvidence<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskedEvidence").field("found", &self.found).finish_non_exhaustive()
    }
}

/// What decided the layout of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum DecidedBy {
    /// The contents of the string.
    Itself,
    /// The majority of the other strings.
    Majority,
    /// Nothing, because the string is the same in all remaining layouts.
    Alike,
}

impl DecidedBy {
    /// All values, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Itself, Self::Majority, Self::Alike];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Itself => "by_itself",
            Self::Majority => "by_majority",
            Self::Alike => "reads_alike",
        }
    }
}

/// Returns the form in which to decode a string. A form whose layout is already decided is returned unchanged.
///
/// # Errors
/// `ambiguous` if the string reads differently in several layouts and nothing decides between them. The message names
/// the flag that sets the layout.
pub fn resolve_layout(form: Form, text: &[u8], evidence: &Evidence) -> Result<Form, Reject> {
    match weigh(&form, text) {
        Some(verdict) => resolve_weighed(form, text, verdict, evidence).map(|(form, _)| form),
        None => Ok(form),
    }
}

/// Like [`resolve_layout`], for an undecided form that [`weigh`] has examined. Also returns what decided.
///
/// # Errors
/// As for [`resolve_layout`].
pub fn resolve_weighed(
    form: Form,
    text: &[u8],
    verdict: LayoutVerdict,
    evidence: &Evidence,
) -> Result<(Form, DecidedBy), Reject> {
    let (layout, by) = match verdict {
        LayoutVerdict::Decided(layout) | LayoutVerdict::Unreadable(layout) => (layout, DecidedBy::Itself),
        LayoutVerdict::Tied(tied) => {
            let most = evidence.most_voted(form.id, tied);
            match most.only() {
                Some(layout) => (layout, DecidedBy::Majority),
                None => (same_in_all(&form, text, most).ok_or_else(|| ambiguous(&form, most))?, DecidedBy::Alike),
            }
        }
        LayoutVerdict::Clashing(clashing) => return Err(clash(&form, clashing)),
    };
    Ok((Form { layout, ..form }, by))
}

/// Returns the first of the tied layouts, if the string is the same board, or has the same fault, in all of them.
fn same_in_all(form: &Form, text: &[u8], tied: Layouts) -> Option<Layout> {
    let (rules, mut layouts) = (form.layout_rules()?, tied.iter());
    let first = layouts.next()?;
    layouts.all(|other| rules.reads_alike(form, text, [first, other])).then_some(first)
}

/// Returns the flag that sets the layout for strings of a form.
fn flag(form: &Form) -> &'static str {
    form.layout_rules().map_or("", LayoutRules::flag)
}

fn ambiguous(form: &Form, tied: Layouts) -> Reject {
    let words = format!(
        "a {} string that reads differently in the layouts {}, and nothing shows which one it is; use {}",
        form.shape.kind,
        tied.names(),
        flag(form)
    );
    Reject::whole(Code::Ambiguous, words)
}

fn clash(form: &Form, clashing: Layouts) -> Reject {
    let layouts = if clashing.only().is_some() { "layout" } else { "layouts" };
    let words = format!(
        "a {} string with two equal clues in a row or column in the {layouts} {}, and no other layout fits it: its clues are wrong, \
         or its layout is unknown; to read it anyway, name the layout with {}",
        form.shape.kind,
        clashing.names(),
        flag(form)
    );
    Reject::whole(Code::Ambiguous, words)
}

/// Returns the form in which to explain the fault of a string: the given form, or the most likely one if its layout is
/// undecided.
pub(super) fn likely_form(form: Form, text: &[u8]) -> Form {
    let layout = match weigh(&form, text) {
        None => return form,
        Some(LayoutVerdict::Decided(layout) | LayoutVerdict::Unreadable(layout)) => layout,
        Some(LayoutVerdict::Tied(tied) | LayoutVerdict::Clashing(tied)) => tied.iter().next().unwrap_or_default(),
    };
    Form { layout, ..form }
}
