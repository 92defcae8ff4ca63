//! Applies naked and hidden singles in houses besides rows, columns and boxes: diagonals, windows, colour groups.

use super::lanes::Lanes;
use super::singles::{at_least_one_and_two, hidden_single};
use super::state::BlockState;

/// Evaluates all of these houses once. Returns what is left of `alive`, and `changed`, to which a tracked pass adds the
/// lanes that lost a candidate. A lane whose cells all have a single candidate does not change; it stays alive if every
/// house has every digit.
#[inline(always)]
pub(super) fn singles<V: Lanes, const TRACKED: bool>(s: &mut BlockState<V>, mut alive: V, mut changed: V) -> (V, V) {
    let BlockState { candidates, single, houses, .. } = s;
    for house in houses {
        let at = house.map(|(b, i)| (b as usize % 9, i as usize % 9));
        let mut shared = [alive; 9];
        let single: [V; 9] = nine!(k => single[at[k].0][at[k].1]);
        for d in 0..9 {
            let x: [V; 9] = nine!(k => candidates[at[k].0][d][at[k].1]);
            let placed: [V; 9] = nine!(k => x[k].and(single[k]));
            let (one, two) = at_least_one_and_two(&x);
            let (has, twice) = at_least_one_and_two(&placed);
            alive = alive.and(one).and_not(twice);
            shared[d] = two;
            for k in 0..9 {
                let left = placed[k].or_and_not(x[k], has);
                if TRACKED {
                    changed = changed.or_and_not(x[k], left);
                }
                candidates[at[k].0][d][at[k].1] = left;
            }
        }
        for (b, i) in at {
            let mut x: [V; 9] = nine!(d => candidates[b][d][i]);
            let hidden = hidden_single(&x, &shared);
            for d in 0..9 {
                let left = x[d].and_nand(hidden, shared[d]);
                if TRACKED {
                    changed = changed.or_and_not(x[d], left);
                }
                x[d] = left;
                candidates[b][d][i] = left;
            }
            // If two digits have no other place, this is a contradiction: a cell with a hidden single and other
            // candidates.
            alive = alive.and_nand(hidden, at_least_one_and_two(&x).1);
        }
    }
    (alive, changed)
}
