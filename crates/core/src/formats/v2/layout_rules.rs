//! What v2 says of the layouts of its Str8ts strings.

use super::str8ts;
use super::str8ts_layouts::{has_nine, to_spec};
use crate::formats::Form;
use crate::formats::layout::{Layout, LayoutRules, LayoutVerdict, Layouts};

/// What v2 says of its layouts.
pub(super) struct V2Layouts;

const ALL: [Layout; 4] = [Layout::Spec, Layout::Site, Layout::First, Layout::Nine];

impl crate::formats::sealed::Sealed for V2Layouts {}

impl LayoutRules for V2Layouts {
    fn all(&self) -> &'static [Layout] {
        &ALL
    }

    fn differing(&self, form: &Form) -> &'static [Layout] {
        if has_nine(form.shape.side) { &ALL } else { &ALL[..3] }
    }

    fn written(&self) -> &'static [Layout] {
        &ALL[..2]
    }

    fn flag(&self) -> &'static str {
        "--str8ts-layout"
    }

    /// A layout is excluded if a value is out of range under it, or if two clues of a row or column are equal. In the others
    /// faults are counted: each placed digit that is in its row already, and likewise in its column; each cell whose candidates,
    /// unless they are all n, hold a placed digit of its row or column.
    fn weigh(&self, form: &Form, text: &[u8]) -> LayoutVerdict {
        let side = form.shape.side;
        let mut values = [0; 625];
        let values = &mut values[..side.cells()];
        let all_digits = str8ts::values(form, text, values);
        let mut counted = [(Layout::Spec, 0); ALL.len()];
        let counted = &mut counted[..self.differing(form).len()];
        for (count, &layout) in counted.iter_mut().zip(self.differing(form)) {
            let out = |&&value: &&u32| to_spec(layout, side, value).is_none();
            *count = (layout, values.iter().filter(out).count() as u32);
        }
        if !all_digits || counted.iter().all(|&(_, out_of_range)| out_of_range > 0) {
            return match LayoutVerdict::fewest(counted) {
                LayoutVerdict::Tied(tied) => LayoutVerdict::Unreadable(tied.iter().next().unwrap_or_default()),
                LayoutVerdict::Decided(layout) => LayoutVerdict::Unreadable(layout),
                unreadable => unreadable,
            };
        }
        let (mut clashing, mut left) = (Layouts::default(), 0);
        for i in 0..counted.len() {
            let (layout, out_of_range) = counted[i];
            if out_of_range > 0 {
                continue;
            }
            match str8ts::faults(layout, side, values) {
                None => clashing.insert(layout),
                Some(faults) => {
                    counted[left] = (layout, faults);
                    left += 1;
                }
            }
        }
        if left == 0 { LayoutVerdict::Clashing(clashing) } else { LayoutVerdict::fewest(&counted[..left]) }
    }

    fn reads_alike(&self, form: &Form, text: &[u8], [one, other]: [Layout; 2]) -> bool {
        let mut values = [0; 625];
        let values = &mut values[..form.shape.side.cells()];
        str8ts::values(form, text, values);
        let read = |layout, value| to_spec(layout, form.shape.side, value);
        values.iter().all(|&value| read(one, value) == read(other, value))
    }
}
