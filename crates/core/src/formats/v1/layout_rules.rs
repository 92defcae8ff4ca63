//! Decides between the layouts of v1 Str8ts strings: which of the two flags of a cell is black and which is clue.

use super::str8ts::{code, value};
use crate::formats::Form;
use crate::formats::layout::{Layout, LayoutRules, LayoutVerdict};

/// The layouts of v1.
pub(super) struct V1Layouts;

const ALL: [Layout; 2] = [Layout::Site, Layout::Snippet];

/// The number of values of three digits that can be read in some layout.
const VALUES: usize = 2048;

/// Flag: the value is a fault in the site's layout.
const SITE: u8 = 1;
/// Flag: the value is a fault in the snippet's layout.
const SNIPPET: u8 = 2;
/// Flag: the value cannot be read in any layout.
const UNREADABLE: u8 = 4;

/// The faults of each value; the last entry is for all larger values. A flag that means black in one layout means clue
/// in the other. In a cell that must be black (no digit) or a clue (one digit and no other flag), the flag is therefore
/// a fault in one of the layouts.
static FAULTS: [u8; VALUES + 1] = {
    let mut faults = [UNREADABLE; VALUES + 1];
    let mut value = 0;
    while value < VALUES {
        faults[value] = match ((value >> 2).count_ones(), value & 3) {
            (0, 1) | (1, 2) => SITE,
            (0, 2) | (1, 1) => SNIPPET,
            (0, 3) => SITE | SNIPPET,
            _ => 0,
        };
        value += 1;
    }
    faults
};

impl crate::formats::sealed::Sealed for V1Layouts {}

impl LayoutRules for V1Layouts {
    fn all(&self) -> &'static [Layout] {
        &ALL
    }

    fn differing(&self, _form: &Form) -> &'static [Layout] {
        &ALL
    }

    fn writable(&self) -> &'static [Layout] {
        &ALL
    }

    fn flag(&self) -> &'static str {
        "--str8ts-flags"
    }

    /// Counts as faults: in a cell without a digit, any flags except black alone; in a cell with one digit, a single
    /// flag other than clue.
    fn weigh(&self, _form: &Form, text: &[u8]) -> LayoutVerdict {
        let (mut site, mut snippet, mut unreadable) = (0, 0, 0);
        for digits in text.chunks_exact(3) {
            let cell_faults = FAULTS[usize::from(value(digits)).min(VALUES)];
            site += u32::from(cell_faults & SITE != 0);
            snippet += u32::from(cell_faults & SNIPPET != 0);
            unreadable |= cell_faults & UNREADABLE;
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
            // Nothing after the first fault is read.
            cells.scan(false, |over, code| (!std::mem::replace(over, code.is_none())).then_some(code))
        });
        one.eq(other)
    }
}
