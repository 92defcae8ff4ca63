//! Naked and hidden singles of houses besides rows, columns and boxes: diagonals, windows, colour groups.

use super::lanes::Lanes;
use super::singles::{at_least_one_and_two, hidden_single};
use super::state::BlockState;

/// One look at all of them; returns what is left of `alive`, and where that is watched, `news` with the lanes in which a
/// candidate was taken away. Of a lane whose cells all have one candidate only, nothing is
/// changed; it stays alive if every house has every digit.
#[inline(always)]
pub(super) fn singles<V: Lanes, const WATCHED: bool>(s: &mut BlockState<V>, mut alive: V, mut news: V) -> (V, V) {
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
                if WATCHED {
                    news = news.or_and_not(x[k], left);
                }
                candidates[at[k].0][d][at[k].1] = left;
            }
        }
        for (b, i) in at {
            let mut x: [V; 9] = nine!(d => candidates[b][d][i]);
            let hidden = hidden_single(&x, &shared);
            for d in 0..9 {
                let left = x[d].and_nand(hidden, shared[d]);
                if WATCHED {
                    news = news.or_and_not(x[d], left);
                }
                x[d] = left;
                candidates[b][d][i] = left;
            }
            // Two digits that have no other place are a contradiction, and show as a cell with a hidden single and other candidates.
            alive = alive.and_nand(hidden, at_least_one_and_two(&x).1);
        }
    }
    (alive, news)
}
