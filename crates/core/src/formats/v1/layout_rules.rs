//! The layouts of v1 Str8ts strings, which differ in the meaning of a cell's two flags, black and clue.

use super::str8ts::{code, value};
use crate::formats::Form;
use crate::formats::layout::{Layout, LayoutRules, LayoutVerdict};

/// The rules of the layouts of v1.
pub(super) struct V1Layouts;

const ALL: [Layout; 2] = [Layout::Site, Layout::Snippet];

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

    /// Faults are a flag other than black alone in a cell without a digit, and a single flag other than clue in a cell
    /// with one digit.
    fn weigh(&self, _form: &Form, text: &[u8]) -> LayoutVerdict {
        // The two flags exchange their meanings between the layouts. Counts how often each occurs where it must be
        // black (no digit) or a clue (one digit and no other flag).
        let mut faults = ALL.map(|layout| (layout, 0));
        let mut readable = true;
        for digits in text.chunks_exact(3) {
            let value = value(digits);
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
        match LayoutVerdict::fewest(&faults) {
            verdict if readable => verdict,
            LayoutVerdict::Decided(layout) => LayoutVerdict::Unreadable(layout),
            _ => LayoutVerdict::Unreadable(Layout::Site),
        }
    }

    fn reads_alike(&self, _form: &Form, text: &[u8], layouts: [Layout; 2]) -> bool {
        let [one, other] = layouts.map(|layout| {
            let cells = text.chunks_exact(3).map(move |digits| code(layout, value(digits)));
            // After the first fault the string is not decoded.
            cells.scan(false, |over, code| (!std::mem::replace(over, code.is_none())).then_some(code))
        });
        one.eq(other)
    }
}
