//! Boards in every form that can hold them.

use gridmill_core::board::{BATCH, Batch, Shape};
use gridmill_core::formats::{Form, FormatLayouts, Hints, Layout, REGISTRY, StringsOut, Text};
use gridmill_core::kernels::Kernel;

/// The forms for boards of a shape: one for each format that can hold them, in each layout that it is written in.
pub(crate) fn forms(shape: Shape) -> Vec<Form> {
    let forms = REGISTRY.iter().filter_map(|format| format.writes(shape).ok());
    let mut forms: Vec<Form> = forms.flat_map(|form| Layout::ALL.map(|layout| form.write_as(layout))).collect();
    forms.sort_by_key(|form| (form.id, form.layout));
    forms.dedup();
    forms
}

/// The hints for reading strings in a form's layout.
pub(crate) fn hints(form: Form) -> Hints {
    Hints { layouts: FormatLayouts::default().with(form.id, form.layout), ..Hints::default() }
}

/// The strings of a batch as one text, one per line, with the bits that the encoder returned.
pub(crate) fn written(form: Form, batch: &Batch, kernel: &Kernel) -> (Text, Vec<usize>, u64) {
    let (mut text, mut ends) = (Text::new(), [0; BATCH]);
    text.push(b"# before\n");
    let held = form.id.codec().encode(form, batch, kernel, StringsOut { text: &mut text, gap: 1, ends: &mut ends });
    ends[..batch.len()].iter().for_each(|&end| text.as_mut_slice()[end] = b'\n');
    (text, ends[..batch.len()].to_vec(), held)
}

/// Whether two boards of two batches are the same. Groups that the kind implies may be listed or not.
pub(crate) fn same_board(a: &Batch, i: usize, b: &Batch, j: usize) -> bool {
    let (shape, cells) = (a.shape(), a.shape().side.cells());
    let (at_a, at_b) = (i * a.stride(), j * b.stride());
    let own = |batch: &Batch, board: usize| {
        batch.groups(board).filter(|groups| !groups.implied_by(shape.kind)).cloned().unwrap_or_default()
    };
    shape == b.shape()
        && (0..cells).all(|cell| a.code(i, cell) == b.code(j, cell))
        && (!shape.kind.has_regions() || a.regions()[at_a..at_a + cells] == b.regions()[at_b..at_b + cells])
        && (!shape.kind.has_cages() || a.colours()[at_a..at_a + cells] == b.colours()[at_b..at_b + cells])
        && (!shape.kind.has_cages() || a.contents()[at_a..at_a + cells] == b.contents()[at_b..at_b + cells])
        && own(a, i) == own(b, j)
}
