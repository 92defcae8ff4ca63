//! Plans how boards of a shape are written.

use super::plan::Conversion;
use crate::board::Shape;
use crate::error::Reject;
use crate::formats::{Form, Format, FormatLayouts, Holds};

/// How boards of a shape are written, or why they cannot be.
pub(super) struct EncodePlan {
    pub(super) shape: Shape,
    pub(super) target: Result<EncodeTarget, Reject>,
}

/// A form to write boards in.
#[derive(Clone, Copy)]
pub(super) struct EncodeTarget {
    pub(super) form: Form,
    pub(super) holds: Holds,
    /// Whether boards of the shape lose nothing apart from cells and groups.
    pub(super) holds_shape: bool,
}

impl EncodePlan {
    /// For boards of `shape`, as a conversion writes them.
    pub(super) fn of(shape: Shape, conversion: &Conversion) -> Self {
        // The alphabet that was asked for is that of strings read and written.
        let alphabet = conversion.hints.layouts.get(Format::Plain);
        let mut plan = Self::new(shape, conversion.to, conversion.write_layouts.with(Format::Plain, alphabet));
        plan.target = plan.target.and_then(|target| match target.form.refuses(alphabet, conversion.blank) {
            Some(reject) => Err(reject),
            None => Ok(target),
        });
        plan
    }

    /// For boards of `shape` in format `to`, in the layout that `write_layouts` has for it.
    pub(super) fn new(shape: Shape, to: Format, write_layouts: FormatLayouts) -> Self {
        let format = to.codec();
        let target = format.writes(shape).map(|form| {
            let form = form.write_as(write_layouts.get(to).unwrap_or(form.layout));
            let holds = format.holds(form);
            EncodeTarget { form, holds, holds_shape: holds.whole_shape(shape) }
        });
        Self { shape, target }
    }
}
