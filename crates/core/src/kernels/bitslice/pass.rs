//! Runs passes: one pass evaluates all 729 candidates in every lane.
//!
//! One pass, box by box, is
//! 1. for each digit, find the rows and columns of a box that can have it, without those that a placed digit excludes;
//! 2. apply locked candidates, all of them: the three rows of a band get the digit from its three boxes in one of six
//!    ways, and a row of a box stays possible if one of the ways through it does; the same for stacks;
//! 3. find the digits that have only one place in their box;
//! 4. for each cell, find the candidates that remain. A hidden single (also of a row or column: step 2 makes it single
//!    in the box) removes the other candidates. A cell without candidates ends the puzzle; a cell with one candidate is
//!    a placed digit of the next pass.

#![expect(clippy::needless_range_loop)] // the index is one of several arrays

use super::houses;
use super::lanes::Lanes;
use super::singles::{at_least_one_and_two, hidden_single};
use super::state::BlockState;

/// The maximum number of passes, for puzzles and for nodes of a search. Lanes that still change are run again later.
const MAX_PASSES_FRESH: u32 = 30;
const MAX_PASSES: u32 = 20;

/// A run ends when no more than this many of 64 starting lanes are still progressing. The speed is about the same for
/// values between 10 and 20.
const MAX_PROGRESSING: usize = 16;

/// Evaluates the six ways in which three lines can get a digit from three boxes (`m[line][box]`). Returns what is left
/// of `alive`.
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

/// Runs step 1, and step 2 for rows, in one band.
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

/// Runs step 2 for columns, and step 3.
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

/// The state of the lanes after the cells of a block were evaluated.
#[derive(Clone, Copy)]
struct CellSummary<V> {
    /// Lanes without a contradiction.
    alive: V,
    /// Lanes with a cell of two or more candidates.
    unsolved: V,
    /// Lanes with a cell that has become single (extra houses make cells single after this was evaluated, and the pass
    /// after that may find nothing else). In a tracked pass, also the lanes that lost any candidate.
    changed: V,
}

/// Runs step 4 in one band.
#[inline(always)]
fn cells<V: Lanes, const TRACKED: bool>(
    s: &mut BlockState<V>,
    mut summary: CellSummary<V>,
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
                    if TRACKED {
                        summary.changed = summary.changed.or_and_not(candidates[d][i], x[d]);
                    }
                    candidates[d][i] = x[d];
                }
                let (one, two) = at_least_one_and_two(&x);
                let single = one.and_not(two);
                summary.alive = summary.alive.and(one).and_nand(hidden, two);
                summary.unsolved = summary.unsolved.or(two);
                summary.changed = summary.changed.or_and_not(single, s.single[b][i]);
                s.single[b][i] = single;
            }
        }
    }
    summary
}

/// Finds the single cells of the loaded puzzles.
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

/// Runs step 4 in all bands, then step 1, and step 2 for rows.
#[inline(always)]
fn pass<V: Lanes, const TRACKED: bool>(s: &mut BlockState<V>, mut summary: CellSummary<V>) -> CellSummary<V> {
    if s.houses.is_empty() {
        // Band by band, the data in the first-level cache is used twice.
        for band in 0..3 {
            summary = cells::<V, TRACKED>(s, summary, band);
            summary.alive = rows(s, summary.alive, band);
        }
        return summary;
    }
    for band in 0..3 {
        summary = cells::<V, TRACKED>(s, summary, band);
    }
    (summary.alive, summary.changed) = houses::singles::<V, TRACKED>(s, summary.alive, summary.changed);
    for band in 0..3 {
        summary.alive = rows(s, summary.alive, band);
    }
    summary
}

/// Implements [`super::Block::run`]: returns the lanes that are solved, open, and progressing (open and not stable).
///
/// Candidates are only ever removed, and a step that removes a candidate also removes it when there are fewer
/// candidates. So a stable lane, in which a full pass found nothing, has the same contents whatever the other lanes of
/// the block are, and however often it was interrupted. Only such lanes are split, so a puzzle's search does not depend
/// on its neighbours. Tracking every change costs time: a pass is tracked only when few lanes still find singles,
/// because no other pass ends a run.
#[inline(always)]
pub(crate) fn run<V: Lanes>(s: &mut BlockState<V>, alive: V, fresh: bool) -> (V, V, V) {
    let max_passes = if fresh { MAX_PASSES_FRESH } else { MAX_PASSES };
    let max_progressing = alive.count() as usize * MAX_PROGRESSING / 64;
    let zero = alive.zero();
    let mut summary = CellSummary { alive: first_singles(s, alive), unsolved: zero, changed: zero };
    if !s.houses.is_empty() {
        summary.alive = houses::singles::<V, false>(s, summary.alive, zero).0;
    }
    for band in 0..3 {
        summary.alive = rows(s, summary.alive, band);
    }
    let (mut passes, mut tracked) = (0, false);
    loop {
        summary.alive = columns(s, summary.alive);
        if passes > 0 {
            // Only now is it known that a lane without an open cell has every digit in every house.
            let open = summary.alive.and(summary.unsolved);
            let progressing = open.and(summary.changed);
            let few = progressing.count() as usize <= max_progressing;
            if !open.any() || tracked && (few || passes >= max_passes) {
                return (summary.alive.and_not(summary.unsolved), open, progressing);
            }
            tracked = few || passes + 1 >= max_passes;
        }
        (summary.unsolved, summary.changed) = (zero, zero);
        summary = if tracked { pass::<V, true>(s, summary) } else { pass::<V, false>(s, summary) };
        passes += 1;
    }
}
