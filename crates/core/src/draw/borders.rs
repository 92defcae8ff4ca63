//! The lines between cells: the weight of each edge, and the characters for edges and junctions.
//!
//! Heavy lines are the borders of boxes and regions (of cages where there are neither). Where cages stand inside boxes or
//! regions, solid lines are the borders of cages and broken lines run inside a cage, so all four combinations can be told
//! apart: a heavy broken line is the border of a box with one cage on both sides.

use super::view::BoardView;

/// An edge between two cells, or between a cell and the outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub heavy: bool,
    pub broken: bool,
}

/// The edges of a board.
pub(super) struct Borders<'a> {
    view: &'a BoardView,
}

impl<'a> Borders<'a> {
    pub(super) fn new(view: &'a BoardView) -> Self {
        Self { view }
    }

    /// The edge above cell (row, column); row n is the lower border.
    pub(super) fn above(&self, row: usize, column: usize) -> Edge {
        let side = self.view.side();
        if row == 0 || row == side {
            return Edge { heavy: true, broken: false };
        }
        self.between((row - 1) * side + column, row * side + column)
    }

    /// The edge left of cell (row, column); column n is the right border.
    pub(super) fn left(&self, row: usize, column: usize) -> Edge {
        let side = self.view.side();
        if column == 0 || column == side {
            return Edge { heavy: true, broken: false };
        }
        self.between(row * side + column - 1, row * side + column)
    }

    /// The edges that meet at the upper left corner of cell (row, column): up, right, down, left.
    pub(super) fn meeting(&self, row: usize, column: usize) -> [Option<Edge>; 4] {
        let side = self.view.side();
        [
            (row > 0).then(|| self.left(row - 1, column)),
            (column < side).then(|| self.above(row, column)),
            (row < side).then(|| self.left(row, column)),
            (column > 0).then(|| self.above(row, column - 1)),
        ]
    }

    fn between(&self, a: usize, b: usize) -> Edge {
        let differ = |labels: &Option<Vec<u16>>| labels.as_ref().is_some_and(|labels| labels[a] != labels[b]);
        if self.view.cages_are_areas() {
            return Edge { heavy: differ(&self.view.cage_of), broken: false };
        }
        let broken = self.view.cage_of.is_some() && !differ(&self.view.cage_of);
        Edge { heavy: differ(&self.view.areas), broken }
    }
}

/// The character at `step` of a horizontal edge.
pub(super) fn horizontal(edge: Edge, step: usize, ascii: bool) -> char {
    match (ascii, edge.heavy, edge.broken) {
        (false, false, false) => '─',
        (false, false, true) => '┈',
        (false, true, false) => '━',
        (false, true, true) => '┅',
        (true, _, true) if step % 2 == 1 => ' ',
        (true, false, false) => '-',
        (true, false, true) => '.',
        (true, true, _) => '=',
    }
}

/// The character of a vertical edge.
pub(super) fn vertical(edge: Edge, ascii: bool) -> char {
    match (ascii, edge.heavy, edge.broken) {
        (false, false, false) => '│',
        (false, false, true) => '┊',
        (false, true, false) => '┃',
        (false, true, true) => '┇',
        (true, false, false) => '|',
        (true, false, true) => ':',
        (true, true, false) => '#',
        (true, true, true) => '"',
    }
}

/// The character for a junction of edges: up, right, down, left.
pub(super) fn junction(arms: [Option<Edge>; 4], ascii: bool) -> char {
    if ascii {
        return if arms.iter().flatten().any(|edge| edge.heavy) { '#' } else { '+' };
    }
    let weight = |arm: Option<Edge>| arm.map_or(0, |edge| 1 + usize::from(edge.heavy));
    let at = arms.into_iter().fold(0, |at, arm| 3 * at + weight(arm));
    JUNCTIONS[at]
}

/// Junctions by the weights of up, right, down and left, each 0 none, 1 light or 2 heavy, as digits of a number in base 3.
#[rustfmt::skip]
static JUNCTIONS: [char; 81] = [
    ' ', '╴', '╸',  '╷', '┐', '┑',  '╻', '┒', '┓', // up none, right none
    '╶', '─', '╾',  '┌', '┬', '┭',  '┎', '┰', '┱', // right light
    '╺', '╼', '━',  '┍', '┮', '┯',  '┏', '┲', '┳', // right heavy
    '╵', '┘', '┙',  '│', '┤', '┥',  '╽', '┧', '┪', // up light, right none
    '└', '┴', '┵',  '├', '┼', '┽',  '┟', '╁', '╅',
    '┕', '┶', '┷',  '┝', '┾', '┿',  '┢', '╆', '╈',
    '╹', '┚', '┛',  '╿', '┦', '┩',  '┃', '┨', '┫', // up heavy, right none
    '┖', '┸', '┹',  '┞', '╀', '╃',  '┠', '╂', '╉',
    '┗', '┺', '┻',  '┡', '╄', '╇',  '┣', '╊', '╋',
];
