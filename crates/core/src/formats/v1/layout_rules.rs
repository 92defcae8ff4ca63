//! The layouts of v1 Str8ts strings: which of the two flags of a cell is black and which is clue.

use super::str8ts::{code, value};
use crate::formats::Form;
use crate::formats::layout::{Layout, LayoutRules, LayoutVerdict};

/// What v1 says of its layouts.
pub(super) struct V1Layouts;

const ALL: [Layout; 2] = [Layout::Site, Layout::Snippet];

/// The values of three digits that are read in some layout.
const VALUES: usize = 2048;

/// What the value of a cell says: it is a fault in a layout, or read in none.
const SITE: u8 = 1;
const SNIPPET: u8 = 2;
const UNREADABLE: u8 = 4;

/// What each value says, and all others. A flag means black in one layout and clue in the other: it is a fault where black has to
/// stand (no digit) or clue has to (one digit and no other flag).
static SAYS: [u8; VALUES + 1] = {
    let mut says = [UNREADABLE; VALUES + 1];
    let mut value = 0;
    while value < VALUES {
        says[value] = match ((value >> 2).count_ones(), value & 3) {
            (0, 1) | (1, 2) => SITE,
            (0, 2) | (1, 1) => SNIPPET,
            (0, 3) => SITE | SNIPPET,
            _ => 0,
        };
        value += 1;
    }
    says
};

impl crate::formats::sealed::Sealed for V1Layouts {}

impl LayoutRules for V1Layouts {
    fn all(&self) -> &'static [Layout] {
        &ALL
    }

    fn differing(&self, _form: &Form) -> &'static [Layout] {
        &ALL
    }

    fn written(&self) -> &'static [Layout] {
        &ALL
    }

    fn flag(&self) -> &'static str {
        "--str8ts-flags"
    }

    /// Faults are flags without a digit that are not black alone, and one flag at one digit that is not a clue's.
    fn weigh(&self, _form: &Form, text: &[u8]) -> LayoutVerdict {
        let (mut site, mut snippet, mut unreadable) = (0, 0, 0);
        for digits in text.chunks_exact(3) {
            let says = SAYS[usize::from(value(digits)).min(VALUES)];
            site += u32::from(says & SITE != 0);
            snippet += u32::from(says & SNIPPET != 0);
            unreadable |= says & UNREADABLE;
        }
        let (faults, readable) = ([(Layout::Site, site), (Layout::Snippet, snippet)], unreadable == 0);
        match LayoutVerdict::fewest(&faults) {
            verdict if readable => verdict,
            LayoutVerdict::Decided(layout) => LayoutVerdict::Unreadable(layout),
            _ => LayoutVerdict::Unreadable(Layout::Site),
        }
    }

    fn reads_alike(&self, _form: &Form, text: &[u8], layouts: [Layout; 2]) -> bool {
        let [one, other] = layouts.map(|layout| {
            let cells = text.chunks_exact(3).map(move |digits| code(layout, value(digits)));
            // From the first fault on nothing is read.
            cells.scan(false, |over, code| (!std::mem::replace(over, code.is_none())).then_some(code))
        });
        one.eq(other)
    }
}
