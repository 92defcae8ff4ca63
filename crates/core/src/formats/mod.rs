//! Text to boards and back. Each format has both directions, an explainer for refusals, and samples in one place.
//!
//! Help, documentation, tests, fuzzing and benches walk [`REGISTRY`].

mod advice;
mod cages;
mod decode_one;
mod detect;
mod evidence;
mod flatten;
mod grid;
mod layout;
mod losses;
mod offset32;
mod one;
mod plain;
mod samples;
mod text;
mod v0;
mod v1;
mod v2;
mod wolfram;

use std::fmt;
use std::str::FromStr;

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel, Texts};

pub use advice::{carriage_returns, encoding, is_string};
pub use decode_one::One;
pub use detect::{begins_like_a_comment, detect, of_same_form};
pub use evidence::{By, Evidence, resolve_layout, resolve_weighed, weigh};
pub(crate) use flatten::Flattening;
pub use flatten::flatten;
pub use grid::{Cells, GridBlock, GridBlocks, grid_cells};
pub use layout::{FormatLayouts, Layout, LayoutRules, LayoutVerdict, Layouts};
pub use losses::{Holds, Loss, Losses, losses};
pub use one::{read_one, recognise, write_one};
pub use samples::{BadSample, Good, Samples};
pub use text::{Line, MOST_DIGITS, Text, line_at, put_number};

/// Every format whose strings are single lines, in the order of docs/FORMATS.md. These can be named, guessed and
/// written. A new format needs its file, its module line above, and a line here, in [`Id`] and in `sealed`.
pub static REGISTRY: [&dyn Format; 6] =
    [&plain::Plain, &v0::V0, &v1::V1, &offset32::Offset32, &v2::V2, &wolfram::Wolfram];

/// The format whose strings span several lines. It comes after those of [`REGISTRY`].
static GRID: &dyn Format = &grid::Grid;

/// The name of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Id {
    /// Digits and blanks.
    Plain,
    /// Decimal masks.
    V0,
    /// Base-32 masks and flags.
    V1,
    /// Base-32 offsets.
    Offset32,
    /// Header and base 36.
    V2,
    /// Base 68, with groups.
    Wolfram,
    /// Several lines.
    Grid,
}

impl Id {
    /// Every format, in the order of reports.
    pub const ALL: [Self; 7] = [Self::Plain, Self::V0, Self::V1, Self::Offset32, Self::V2, Self::Wolfram, Self::Grid];

    /// Good and bad strings of the format, with an entry for each layout. Not a method of [`Format`], so that a program
    /// that does not use samples does not contain them.
    pub fn samples(self) -> &'static [Samples] {
        match self {
            Self::Plain => plain::SAMPLES,
            Self::V0 => &[v0::SAMPLES],
            Self::V1 => v1::SAMPLES,
            Self::Offset32 => &[offset32::SAMPLES],
            Self::V2 => v2::SAMPLES,
            Self::Wolfram => wolfram::SAMPLES,
            Self::Grid => &[grid::SAMPLES],
        }
    }

    /// The implementation.
    pub fn format(self) -> &'static dyn Format {
        REGISTRY.get(self as usize).copied().unwrap_or(GRID)
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        self.format().about().name
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Id {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        REGISTRY.iter().map(|format| format.about()).find(|about| about.name == name).map(|about| about.id).ok_or_else(
            || {
                format!(
                    "no format is named '{name}'; formats: {}",
                    REGISTRY.map(|format| format.about().name).join(", ")
                )
            },
        )
    }
}

/// The description of a format for help, the table of formats and documentation.
#[derive(Debug)]
#[non_exhaustive]
pub struct About {
    /// The format.
    pub id: Id,
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line for a table.
    pub summary: &'static str,
    /// Its layouts.
    pub layouts: &'static [LayoutDoc],
}

/// The description of one layout of a format.
#[derive(Debug)]
#[non_exhaustive]
pub struct LayoutDoc {
    /// The kinds that have it, as text.
    pub kinds: &'static str,
    /// What a string looks like.
    pub body: &'static str,
    /// The length at side 9, as text.
    pub length: &'static str,
}

/// How a string is read or written: everything that is known before the first cell is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Form {
    /// The format.
    pub id: Id,
    /// Kind and side.
    pub shape: Shape,
    /// The layout, if the format has several for the kind.
    pub layout: Layout,
    /// Bytes of a string, or 0 if the strings of one form differ in length.
    pub width: usize,
}

impl Form {
    /// Whether the layout is not decided yet; see [`resolve_layout`].
    pub fn is_undecided(&self) -> bool {
        self.layout == Layout::Undecided
    }

    /// The rules of the format's layouts, if strings of this form have several.
    pub fn layout_rules(&self) -> Option<&'static dyn LayoutRules> {
        // The kind is checked first, since this runs for every string and other kinds have only one layout.
        if self.shape.kind.has_black() { self.id.format().layout_rules() } else { None }
    }

    /// Whether strings of this form may follow several layouts.
    pub fn has_layouts(&self) -> bool {
        self.layout_rules().is_some()
    }

    /// This form in another layout to write. Forms without that layout, or whose format cannot write it, stay as they
    /// are.
    #[must_use]
    pub fn write_as(mut self, layout: Layout) -> Self {
        if self.layout_rules().is_some_and(|rules| rules.written().contains(&layout)) {
            self.layout = layout;
        }
        self
    }
}

/// What the user says about strings that do not say it themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    /// `--kind`.
    pub kind: Option<Kind>,
    /// The layouts to read formats in that have several. Strings of other such formats are weighed.
    pub layouts: FormatLayouts,
}

/// Ranges of a text: record i is `bytes[starts[i]..ends[i]]`. Records may have any length, position and order. Formats
/// take at most 64 at once.
#[derive(Clone, Copy)]
pub struct Records<'a> {
    /// The text with the records.
    pub bytes: &'a [u8],
    /// The start of each record.
    pub starts: &'a [u32],
    /// One past the end of each record.
    pub ends: &'a [u32],
}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("len", &self.starts.len()).finish_non_exhaustive()
    }
}

impl<'a> Records<'a> {
    /// Record `i`.
    pub fn get(&self, i: usize) -> &'a [u8] {
        &self.bytes[self.starts[i] as usize..self.ends[i] as usize]
    }

    /// A part of the records.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        Self { bytes: self.bytes, starts: &self.starts[range.clone()], ends: &self.ends[range] }
    }

    /// The records, which must be of one width, in the form that kernels take.
    #[doc(hidden)]
    pub fn texts(&self) -> Texts<'a> {
        Texts { bytes: self.bytes, starts: self.starts }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::plain::Plain {}
    impl Sealed for super::v0::V0 {}
    impl Sealed for super::v1::V1 {}
    impl Sealed for super::offset32::Offset32 {}
    impl Sealed for super::v2::V2 {}
    impl Sealed for super::wolfram::Wolfram {}
    impl Sealed for super::grid::Grid {}
}

/// A format. Decoders and encoders work on batches. Explainers take one string and need not be fast.
///
/// Only this crate implements it: [`REGISTRY`] has every format, and later versions may add methods.
pub trait Format: sealed::Sealed + Sync {
    /// Names and descriptions.
    fn about(&self) -> &'static About;

    /// The form of a string by its length and header alone (wolfram: and by its groups, which determine its kind). If
    /// several layouts are possible and the hints choose none, the layout is [`Layout::Undecided`]: call
    /// [`resolve_layout`] before decoding.
    ///
    /// # Errors
    /// `length`, `header` or `unsupported`. Whether a string of the right shape is valid is decided by
    /// [`Format::decode`].
    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject>;

    /// Fills `batch`, which is reset to the form's shape, with records of this form.
    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded;

    /// Why [`Format::decode`] refused a string that [`Format::recognise`] found to be of `form`: the first fault in the
    /// order of docs/FORMATS.md.
    fn explain(&self, form: Form, text: &[u8]) -> Reject;

    /// The losses of reading a string that [`Format::decode`] accepted but marked as doubtful ([`Decoded::doubtful`]).
    fn read_losses(&self, _form: Form, _text: &[u8]) -> Losses {
        Losses::default()
    }

    /// The form for writing boards of a shape.
    ///
    /// # Errors
    /// `unsupported` if the format needs something such boards lack: cages, black cells, regions, side 9.
    fn writes(&self, shape: Shape) -> Result<Form, Reject>;

    /// What a form can hold.
    fn holds(&self, form: Form) -> Holds;

    /// Appends the strings of all boards of a batch, each followed by `gap` bytes for the caller to fill in. String i
    /// ends at `ends[i]` in `out`. The batch has the form's shape, or one that differs only by a loss of the form.
    /// Returns a bit for each board whose cells were all written without loss. (Losses of the shape, like regions, are
    /// for [`losses`].)
    fn encode(&self, form: Form, batch: &Batch, kernel: &Kernel, out: &mut Text, gap: usize, ends: &mut [usize])
    -> u64;

    /// Converts strings directly to those of another form, without codes, if a kernel can. The result is that of
    /// [`Format::decode`] followed by [`Format::encode`], for boards of which the other form keeps everything. Returns
    /// `None`, and appends nothing, if it cannot or if any string must be refused.
    fn rewrite(
        &self,
        _forms: [Form; 2],
        _records: Records,
        _kernel: &Kernel,
        _out: &mut Text,
        _gap: usize,
        _ends: &mut [usize],
    ) -> Option<Decoded> {
        None
    }

    /// Why a board cannot be written even if its losses are accepted: `unsupported`, with `--lossy` or without. For
    /// boards whose bit [`Format::encode`] left out.
    fn unwritable(&self, _form: Form, _batch: &Batch, _board: usize) -> Option<Reject> {
        None
    }

    /// The rules of the format's layouts, if it was published in several. These are layouts of kinds with black cells.
    fn layout_rules(&self) -> Option<&'static dyn LayoutRules> {
        None
    }
}

/// Makes room for strings of one width, calls `fill` to write them at their distance, and sets their ends.
fn encode_fixed(
    width: usize,
    boards: usize,
    out: &mut Text,
    gap: usize,
    ends: &mut [usize],
    fill: impl FnOnce(&mut [u8], usize) -> u64,
) -> u64 {
    let pitch = width + gap;
    let start = out.len();
    let held = fill(out.room(boards * pitch), pitch);
    out.advance(boards * pitch);
    for (i, end) in ends[..boards].iter_mut().enumerate() {
        *end = start + i * pitch + width;
    }
    held
}

/// The kind of a sudoku-shaped string that does not name it: the hint, or else sudoku.
fn plain_kind(hints: &Hints, format: &str) -> Result<Kind, Reject> {
    kind_for(hints, format, Kind::Sudoku, Kind::is_plain)
}

/// The kind of a string that looks like one of kind `usual`: the hint if that kind `fits`, or else `usual`.
fn kind_for(hints: &Hints, format: &str, usual: Kind, fits: fn(Kind) -> bool) -> Result<Kind, Reject> {
    let Some(kind) = hints.kind else { return Ok(usual) };
    if fits(kind) {
        return Ok(kind);
    }
    let words = if usual.is_plain() {
        format!("a {format} string of this length has no {}, which --kind {kind} needs", needs(kind))
    } else {
        format!("a {format} string of this length is a {usual}, not a {kind}; leave out --kind, or check --from")
    };
    Err(Reject::whole(Code::Unsupported, words))
}

/// What boards of a kind have in addition to a sudoku's cells.
fn needs(kind: Kind) -> &'static str {
    if kind.has_black() {
        "black cells"
    } else if kind.has_cages() {
        "cages"
    } else {
        "regions"
    }
}

/// The refusal of boards that are not 9 by 9.
fn need_side_nine(shape: Shape, format: &str) -> Result<(), Reject> {
    if shape.side == Side::NINE {
        return Ok(());
    }
    let words = format!("{format} holds only 9x9 boards, and this one is {0}x{0}; v2 can hold it", shape.side);
    Err(Reject::whole(Code::Unsupported, words))
}

/// The reject of an explainer that finds nothing wrong with a refused string. That is a bug, which must not be hidden.
fn no_fault(format: &str) -> Reject {
    Reject::whole(
        Code::Unsupported,
        format!("internal error: this {format} string was refused, but no fault was found"),
    )
}
