//! Groups the changes of columns by row.

use crate::migrate::{Change, NotWritten};

/// The changes of a row, of some or all columns.
pub(in crate::migrate) type RowChanges<'c, 'r> = &'c [Change<'r>];

/// Groups changes by row. The changes of a row are in the order of its columns.
pub(in crate::migrate) fn by_row<'c, 'r>(changes: &'c [Change<'r>]) -> Vec<RowChanges<'c, 'r>> {
    changes.chunk_by(|one, next| one.row.column < next.row.column && one.row.key == next.row.key).collect()
}

/// Expands results for rows, in order, to each of their changes.
pub(in crate::migrate) fn of_changes(
    rows: &[RowChanges],
    missed: Vec<(usize, NotWritten)>,
) -> Vec<(usize, NotWritten)> {
    let mut missed = missed.into_iter().peekable();
    let (mut each, mut start) = (Vec::new(), 0);
    for (n, row) in rows.iter().enumerate() {
        if let Some((_, why)) = missed.next_if(|(of, _)| *of == n) {
            each.extend((start..start + row.len()).map(|at| (at, why.clone())));
        }
        start += row.len();
    }
    each
}
