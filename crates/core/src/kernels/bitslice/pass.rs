//! The pass: what one look at all 729 candidates finds in every lane.
//!
//! One pass, box by box, is
//! 1. for each digit the rows and columns of a box in which it can be, less those that a placed one forbids;
//! 2. locked candidates, all of them: the three rows of a band take the digit from its three boxes in one of six ways, and
//!    a row of a box stays possible if one of the ways through it does; stacks likewise;
//! 3. which digits have but one place in their box;
//! 4. for each cell the candidates that remain; a hidden single (of row and column too: step 2 makes them single in the box)
//!    clears the others; cells with no candidate end the puzzle, with one are placed ones of the next pass.

#![allow(clippy::needless_range_loop)] // the index is one of several arrays

use super::houses;
use super::lanes::Lanes;
use super::singles::{at_least_one_and_two, hidden_single};
use super::state::BlockState;

/// Passes at most, for puzzles and for nodes of a search; the lanes that still find something come again.
const MOST_FRESH: u32 = 30;
const MOST: u32 = 20;

/// The lanes that end a run, of 64 that began it: so many or fewer are not at rest. Flat between 10 and 20.
const FEW: usize = 16;

/// The six ways that three lines take a digit from three boxes. `m[line][box]`; returns what is left of `alive`.
#[inline(always)]
fn locked<V: Lanes>(m: &mut [[V; 3]; 3], alive: V) -> V {
    let a = m[0][0].and3(m[1][1], m[2][2]);
    let b = m[0][1].and3(m[1][2], m[2][0]);
    let c = m[0][2].and3(m[1][0], m[2][1]);
    let d = m[0][0].and3(m[1][2], m[2][1]);
    let e = m[0][1].and3(m[1][0], m[2][2]);
    let f = m[0][2].and3(m[1][1], m[2][0]);
    *m = [[a.or(d), b.or(e), c.or(f)], [c.or(e), a.or(f), b.or(d)], [b.or(f), c.or(d), a.or(e)]];
    alive.and_or(a.or3(b, c), d.or3(e, f))
}

/// Steps 1 and 2, rows, of one band.
#[inline(always)]
fn rows<V: Lanes>(s: &mut BlockState<V>, mut alive: V, band: usize) -> V {
    for d in 0..9 {
        let mut rows = [[alive; 3]; 3];
        for k in 0..3 {
            let b = band * 3 + k;
            let x = s.candidates[b][d];
            let n: [V; 9] = nine!(i => x[i].and(s.single[b][i]));
            let can: [V; 3] = three!(r => x[3 * r].or3(x[3 * r + 1], x[3 * r + 2]));
            let has: [V; 3] = three!(r => n[3 * r].or3(n[3 * r + 1], n[3 * r + 2]));
            for r in 0..3 {
                rows[r][k] = can[r].and_nor(has[(r + 1) % 3], has[(r + 2) % 3]);
            }
            let can: [V; 3] = three!(c => x[c].or3(x[3 + c], x[6 + c]));
            let has: [V; 3] = three!(c => n[c].or3(n[3 + c], n[6 + c]));
            s.lines[b].columns[d] = three!(c => can[c].and_nor(has[(c + 1) % 3], has[(c + 2) % 3]));
        }
        alive = locked(&mut rows, alive);
        for k in 0..3 {
            let lines = &mut s.lines[band * 3 + k];
            lines.rows[d] = [rows[0][k], rows[1][k], rows[2][k]];
            lines.shared[d] = rows[0][k].majority(rows[1][k], rows[2][k]);
        }
    }
    alive
}

/// Step 2, columns, and step 3.
#[inline(always)]
fn columns<V: Lanes>(s: &mut BlockState<V>, mut alive: V) -> V {
    for stack in 0..3 {
        for d in 0..9 {
            let mut columns: [[V; 3]; 3] = three!(band => s.lines[band * 3 + stack].columns[d]);
            alive = locked(&mut columns, alive);
            for (band, columns) in columns.iter().enumerate() {
                let lines = &mut s.lines[band * 3 + stack];
                lines.columns[d] = *columns;
                lines.shared[d] = lines.shared[d].or(columns[0].majority(columns[1], columns[2]));
            }
        }
    }
    alive
}

/// What the cells of a block say.
#[derive(Clone, Copy)]
struct CellSummary<V> {
    /// Lanes without contradiction.
    alive: V,
    /// Lanes with a cell of two candidates or more.
    unsolved: V,
    /// Lanes with a cell that has become single (further houses make cells single after this was looked at, and the pass after
    /// that may find nothing else); in a watched pass, lanes that lost any candidate, too.
    news: V,
}

/// Step 4 of one band.
#[inline(always)]
fn cells<V: Lanes, const WATCHED: bool>(
    s: &mut BlockState<V>,
    mut said: CellSummary<V>,
    band: usize,
) -> CellSummary<V> {
    for b in band * 3..band * 3 + 3 {
        let (lines, candidates) = (&s.lines[b], &mut s.candidates[b]);
        let shared = lines.shared;
        for r in 0..3 {
            for c in 0..3 {
                let i = r * 3 + c;
                let mut x: [V; 9] = nine!(d => candidates[d][i].and3(lines.rows[d][r], lines.columns[d][c]));
                let hidden = hidden_single(&x, &shared);
                for d in 0..9 {
                    x[d] = x[d].and_nand(hidden, shared[d]);
                    if WATCHED {
                        said.news = said.news.or_and_not(candidates[d][i], x[d]);
                    }
                    candidates[d][i] = x[d];
                }
                let (one, two) = at_least_one_and_two(&x);
                let single = one.and_not(two);
                said.alive = said.alive.and(one).and_nand(hidden, two);
                said.unsolved = said.unsolved.or(two);
                said.news = said.news.or_and_not(single, s.single[b][i]);
                s.single[b][i] = single;
            }
        }
    }
    said
}

/// The single cells of what was loaded.
#[inline(always)]
fn first_singles<V: Lanes>(s: &mut BlockState<V>, mut alive: V) -> V {
    for b in 0..9 {
        for i in 0..9 {
            let x: [V; 9] = nine!(d => s.candidates[b][d][i]);
            let (one, two) = at_least_one_and_two(&x);
            s.single[b][i] = one.and_not(two);
            alive = alive.and(one);
        }
    }
    alive
}

/// Step 4 of all bands, and steps 1 and 2 for their rows.
#[inline(always)]
fn pass<V: Lanes, const WATCHED: bool>(s: &mut BlockState<V>, mut said: CellSummary<V>) -> CellSummary<V> {
    if s.houses.is_empty() {
        // Band by band, what is at hand in the first-level cache is used twice.
        for band in 0..3 {
            said = cells::<V, WATCHED>(s, said, band);
            said.alive = rows(s, said.alive, band);
        }
        return said;
    }
    for band in 0..3 {
        said = cells::<V, WATCHED>(s, said, band);
    }
    (said.alive, said.news) = houses::singles::<V, WATCHED>(s, said.alive, said.news);
    for band in 0..3 {
        said.alive = rows(s, said.alive, band);
    }
    said
}

/// [`super::Block::run`]: lanes that are solved, open, and open and not at rest.
///
/// Candidates only ever go away, and what takes one away does so as well when there are fewer of them. So a lane at rest, in
/// which a whole pass found nothing, holds what it would have come to in any company and however often it was interrupted.
/// Only such lanes are split, so a puzzle's search does not depend on its neighbours. To see every change costs time: a
/// pass is watched only when few lanes still find singles, as no other pass ends a run.
#[inline(always)]
pub(crate) fn run<V: Lanes>(s: &mut BlockState<V>, alive: V, fresh: bool) -> (V, V, V) {
    let most = if fresh { MOST_FRESH } else { MOST };
    let most_restless = alive.count() as usize * FEW / 64;
    let zero = alive.zero();
    let mut said = CellSummary { alive: first_singles(s, alive), unsolved: zero, news: zero };
    if !s.houses.is_empty() {
        said.alive = houses::singles::<V, false>(s, said.alive, zero).0;
    }
    for band in 0..3 {
        said.alive = rows(s, said.alive, band);
    }
    let (mut passes, mut watched) = (0, false);
    loop {
        said.alive = columns(s, said.alive);
        if passes > 0 {
            // Only now a lane without an undecided cell is known to have every digit in every house.
            let open = said.alive.and(said.unsolved);
            let progressing = open.and(said.news);
            let few = progressing.count() as usize <= most_restless;
            if !open.any() || watched && (few || passes >= most) {
                return (said.alive.and_not(said.unsolved), open, progressing);
            }
            watched = few || passes + 1 >= most;
        }
        (said.unsolved, said.news) = (zero, zero);
        said = if watched { pass::<V, true>(s, said) } else { pass::<V, false>(s, said) };
        passes += 1;
    }
}
