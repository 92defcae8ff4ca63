//! The layouts of v2 Str8ts cells, and their conversion to the cell code in memory, which is that of `spec`.
//!
//! For side n:
//! - `site` writes solved as 2n+2+d and candidates as 3n+2+mask, so 2n+2 is unused.
//! - `first` writes black empty as 2n, a black clue as n+d, solved as 2n+d and candidates as 3n+mask, so 2n has two
//!   meanings.
//! - `nine` at sides 6 and 8 writes black empty as 10, a black clue as 10+d, solved as 19+d and candidates as 28+mask,
//!   as all layouts do at side 9.

use crate::board::{Codes, Side};
use crate::formats::Layout;

/// All layouts. At most sides the last is identical to `spec`.
pub(super) const ALL: [Layout; 4] = [Layout::Spec, Layout::Site, Layout::First, Layout::Nine];

/// Whether `nine` differs from `spec` at a side.
pub(super) fn has_nine(side: Side) -> bool {
    matches!(side.get(), 6 | 8)
}

/// Returns the cell code of a value in a layout, or `None` if the value is out of range. In `first`, 2n is read as
/// black empty.
pub(super) fn to_spec(layout: Layout, side: Side, value: u32) -> Option<u32> {
    let n = side.get() as u32;
    if value > max(layout, side) {
        return None;
    }
    match layout {
        Layout::Site if value == 2 * n + 2 => None,
        Layout::Site if value > 2 * n + 2 => Some(value - 1),
        Layout::First if value == 2 * n => Some(n + 1),
        Layout::First if value > n => Some(value + 1),
        Layout::Nine if has_nine(side) => match value {
            10 => Some(n + 1),
            _ if value <= n => Some(value),
            11..20 if value <= 10 + n => Some(value - 9 + n),
            20..29 if value <= 19 + n => Some(value - 18 + 2 * n),
            29.. => Some(value - 27 + 3 * n),
            _ => None,
        },
        _ => Some(value),
    }
}

/// Returns the value of a cell code in the layout `spec` or `site`.
pub(super) fn from_spec(layout: Layout, side: Side, code: u32) -> u32 {
    let solved = 2 * side.get() as u32 + 1;
    if layout == Layout::Site && code > solved { code + 1 } else { code }
}

/// Returns the largest value of a cell in a layout.
pub(super) fn max(layout: Layout, side: Side) -> u32 {
    let max = Codes::new(side, true).max();
    match layout {
        Layout::Site => max + 1,
        Layout::First => max - 1,
        Layout::Nine if has_nine(side) => 28 + Codes::new(side, true).full_mask(),
        _ => max,
    }
}
