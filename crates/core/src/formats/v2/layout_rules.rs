//! Decides between the layouts of v2 Str8ts strings.

use super::layout_faults::LayoutFaults;
use super::str8ts;
use super::str8ts_layouts::{ALL, has_nine, to_spec};
use crate::formats::Form;
use crate::formats::layout::{Layout, LayoutRules, LayoutVerdict, Layouts};

/// The layouts of v2.
pub(super) struct V2Layouts;

impl crate::formats::sealed::Sealed for V2Layouts {}

impl LayoutRules for V2Layouts {
    fn all(&self) -> &'static [Layout] {
        &ALL
    }

    fn differing(&self, form: &Form) -> &'static [Layout] {
        if has_nine(form.shape.side) { &ALL } else { &ALL[..3] }
    }

    fn writable(&self) -> &'static [Layout] {
        &ALL[..2]
    }

    fn flag(&self) -> &'static str {
        "--str8ts-layout"
    }

    /// Excludes a layout if a value is out of range in it, or if two clues in a row or column are equal. In the other
    /// layouts it counts conflicts: placed digits that repeat in their row, placed digits that repeat in their column,
    /// and cells whose candidates (unless they are all n) include a placed digit of their row or column.
    fn weigh(&self, form: &Form, text: &[u8]) -> LayoutVerdict {
        let side = form.shape.side;
        let mut values = [0; 625];
        let values = &mut values[..side.cells()];
        let all_digits = str8ts::values(form, text, values);
        let faults = LayoutFaults::count(side, values);
        let mut counted = [(Layout::Spec, 0); ALL.len()];
        let counted = &mut counted[..self.differing(form).len()];
        for (i, (count, &layout)) in counted.iter_mut().zip(&ALL).enumerate() {
            *count = (layout, faults.out_of_range[i]);
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
            if faults.has_equal_clues[i] {
                clashing.insert(layout);
            } else {
                counted[left] = (layout, faults.conflicts[i]);
                left += 1;
            }
        }
        if left == 0 { LayoutVerdict::Clashing(clashing) } else { LayoutVerdict::fewest(&counted[..left]) }
    }

    fn reads_alike(&self, form: &Form, text: &[u8], [one, other]: [Layout; 2]) -> bool {
        let mut values = [0; 625];
        let values = &mut values[..form.shape.side.cells()];
        str8ts::values(form, text, values);
        let is_alike = |value| {
            let read = |layout| to_spec(layout, form.shape.side, value);
            read(one) == read(other)
        };
        // The same small values occur in many cells, so each is compared only once.
        let mut small = 0;
        for &value in &*values {
            small |= 1_u64.checked_shl(value).unwrap_or(0);
        }
        let mut is_small_alike = true;
        while small != 0 {
            is_small_alike &= is_alike(small.trailing_zeros());
            small &= small - 1;
        }
        is_small_alike && values.iter().all(|&value| value < u64::BITS || is_alike(value))
    }
}
