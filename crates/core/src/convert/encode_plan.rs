//! Plans how boards of a shape are written.

use super::plan::Conversion;
use crate::board::{Batch, Shape};
use crate::error::Reject;
use crate::formats::{Flattening, Form, Format, FormatLayouts, Holds};

/// How boards of a shape are written, or why they cannot be.
pub(super) struct EncodePlan {
    pub(super) shape: Shape,
    pub(super) target: Result<EncodeTarget, Reject>,
}

/// Writes boards, and keeps what it found out about the last shape.
pub(super) struct BoardWriter {
    /// The end of each new string: at most two bytes.
    pub(super) line_end: &'static [u8],
    plan: Option<EncodePlan>,
    /// The losses and replacements for one shape and target, kept from the last use.
    pub(super) flattening: Option<Flattening>,
    /// What `--lossy` leaves of boards, or their images under maps.
    pub(super) flat: Batch,
}

impl Default for BoardWriter {
    fn default() -> Self {
        Self { line_end: b"", plan: None, flattening: None, flat: Batch::new() }
    }
}

impl BoardWriter {
    /// The target for boards of a shape, computed once for each shape.
    pub(super) fn target(&mut self, shape: Shape, conversion: &Conversion) -> Result<EncodeTarget, Reject> {
        let plan = self.plan.take().filter(|plan| plan.shape == shape);
        let plan = plan.unwrap_or_else(|| EncodePlan::of(shape, conversion));
        self.plan.insert(plan).target.clone()
    }

    /// The losses and replacements for boards of a shape.
    pub(super) fn take_flattening(&mut self, from: Shape, to: Shape, holds: &Holds) -> Flattening {
        let kept = self.flattening.take().filter(|kept| kept.is_for(from, to, holds));
        kept.unwrap_or_else(|| Flattening::new(from, to, holds))
    }
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
        let layouts = conversion.write_layouts.with(Format::Plain, alphabet);
        let mut plan = Self::new(shape, conversion.to, layouts);
        let layout = layouts.get(conversion.to);
        plan.target = plan.target.and_then(|target| match target.form.refuses(layout, conversion.blank) {
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
