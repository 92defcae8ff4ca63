//! Converts text to boards and back. Each format has its two directions, an explainer for rejected strings, and samples
//! in one place.
//!
//! Help, documentation, tests, fuzzing and benchmarks iterate over [`REGISTRY`].

mod about;
mod addresses;
mod advice;
mod arrow_killer;
mod cages;
mod companions;
mod decode_one;
mod detect;
mod evidence;
mod files;
mod flatten;
mod foreign;
mod fpuzzles;
mod gnome_sudoku;
mod grid;
mod hodoku;
mod inflate;
mod jigsaw_pair;
mod json_values;
mod kenken_clues;
mod kenken_text;
mod killer_text;
mod ksudoku;
mod layout;
mod link;
mod losses;
mod lz;
mod names;
mod needs;
mod neutral;
mod notation;
mod offset32;
mod one;
mod opensudoku_cells;
mod pencilmarks;
mod penpa;
mod plain;
mod ps_killer;
mod puzzlink;
mod records;
mod samples;
mod sgt;
mod sgt_keen;
mod sgt_solo;
mod sudokucoach;
mod sudokumaker;
mod sudokupad;
mod sumocue;
mod text;
mod v0;
mod v1;
mod v2;
mod wolfram;
mod written_as;
mod xml;

use std::fmt;
use std::str::FromStr;

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::Reject;
use crate::kernels::{Decoded, Kernel};
use needs::{kind_for, need_side_nine, need_sums, needs, no_fault, plain_kind};

pub use about::{About, LayoutDoc};
pub use addresses::format_of_link;
pub use advice::{argument, carriage_returns, encoding, is_consistent, is_string, string_within};
pub use decode_one::DecodedString;
pub use detect::{detect, of_same_form};
pub use evidence::{AskedEvidence, DecidedBy, Evidence, EvidenceSource, resolve_layout, resolve_weighed, weigh};
pub use files::{FilePuzzle, file_puzzles, is_file};
pub(crate) use flatten::Flattening;
pub use flatten::flatten;
pub use foreign::{ForeignText, begins_like_a_comment, foreign};
pub use grid::{EachGrid, GridBlock, GridBlocks, GridCells, find_grid_cut, find_puzzle_cut, is_too_long_for_grid};
pub use layout::{FormatLayouts, Layout, LayoutRules, LayoutVerdict, Layouts};
pub use link::{HOSTS_OF_BOARDS, kind_of_page, kind_of_type};
pub use losses::{HeldCandidates, Holds, Loss, Losses, losses};
pub use names::{MOST_OF_A_TITLE, Name, Names, Remainder};
pub use one::{explain, read_one, recognise, write_in, write_one};
pub use records::{Records, StringsOut};
pub use samples::{BadSample, Good, Samples};
pub use text::{Line, MOST_DIGITS, Text, line_at, put_number};
pub use written_as::WrittenAs;
pub(crate) use xml::{XmlElement, elements, is_xml_name, next_tag, unescaped};

/// Defines [`Format`], [`REGISTRY`] and what else has an entry for each format, from one list.
macro_rules! formats {
    (lines { $($(#[$doc:meta])* $id:ident in $module:ident,)+ }
     blocks { $(#[$block_doc:meta])* $block:ident in $block_module:ident, }) => {
        /// The name of a format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])* $id,)+
            $(#[$block_doc])* $block,
        }

        impl Format {
            /// Every format, in the order of reports.
            pub const ALL: [Self; [$(Self::$id,)+ Self::$block].len()] = [$(Self::$id,)+ Self::$block];

            /// Returns good and bad strings of the format, with one entry for each layout. This is not a method of
            /// [`Codec`], so that programs that do not use samples do not contain them.
            pub fn samples(self) -> &'static [Samples] {
                match self {
                    $(Self::$id => $module::SAMPLES,)+
                    Self::$block => $block_module::SAMPLES,
                }
            }

            /// Returns the implementation of the format.
            pub fn codec(self) -> &'static dyn Codec {
                static BLOCKS: &dyn Codec = &$block_module::$block;
                REGISTRY.get(self as usize).copied().unwrap_or(BLOCKS)
            }
        }

        /// Every format whose strings are single lines, in the order of docs/FORMATS.md. The user can name these
        /// formats; [`Format::is_written`] says which of them are not only read.
        pub static REGISTRY: [&dyn Codec; [$(Format::$id),+].len()] = [$(&$module::$id),+];

        mod sealed {
            pub trait Sealed {}

            $(impl Sealed for super::$module::$id {})+
            impl Sealed for super::$block_module::$block {}
        }
    };
}

// Each format, and the module with the type of the same name, which implements `Codec` or, without a kernel, `Notation`, and with
// its `SAMPLES`. The last one is that of strings over several lines. A new format needs its file, its `mod`, and a line here.
formats! {
    lines {
        /// Digits and blanks.
        Plain in plain,
        /// Decimal masks, separated by commas.
        V0 in v0,
        /// Masks and flags in base 32.
        V1 in v1,
        /// Offsets in base 32.
        Offset32 in offset32,
        /// A header, and base 36.
        V2 in v2,
        /// Base 68, with groups.
        Wolfram in wolfram,
        /// Lines of HoDoKu's libraries.
        Hodoku in hodoku,
        /// Nine characters for each cell.
        Pencilmarks in pencilmarks,
        /// Puzzles of f-puzzles.
        Fpuzzles in fpuzzles,
        /// Killers in PS code.
        PsKiller in ps_killer,
        /// Puzzles of SumoCue.
        Sumocue in sumocue,
        /// Killers of sums and arrows.
        ArrowKiller in arrow_killer,
        /// Game ids of Solo.
        SgtSolo in sgt_solo,
        /// Game ids of Keen.
        SgtKeen in sgt_keen,
        /// Sudokus of puzz.link.
        Puzzlink in puzzlink,
        /// Ids of SudokuPad.
        Sudokupad in sudokupad,
        /// Puzzles of SudokuMaker.
        Sudokumaker in sudokumaker,
        /// Clues and a map of regions.
        JigsawPair in jigsaw_pair,
        /// States of sudoku.coach.
        Sudokucoach in sudokucoach,
        /// KenKens of named cages.
        KenkenText in kenken_text,
        /// Cells of OpenSudoku.
        OpensudokuCells in opensudoku_cells,
        /// Puzzles of KSudoku.
        Ksudoku in ksudoku,
        /// Saved games of GNOME Sudoku.
        GnomeSudoku in gnome_sudoku,
        /// Links to pages on which boards can be played.
        Link in link,
        /// Puzzles of penpa-edit.
        Penpa in penpa,
    }
    blocks {
        /// Grids that span several lines.
        Grid in grid,
    }
}

impl Format {
    /// Returns the name on the command line and in reports.
    pub fn name(self) -> &'static str {
        self.codec().about().name
    }

    /// Whether boards of some kind and side are written in this format. Strings of the others are only read.
    pub fn is_written(self) -> bool {
        Kind::all().any(|kind| {
            let mut sides = kind.rules().sides.iter().filter_map(|&side| Side::new(side.into()));
            sides.any(|side| self.codec().writes(Shape::new(kind, side)).is_ok())
        })
    }

    /// Returns the format of a name, to write strings in it.
    ///
    /// # Errors
    /// There is no such format, or it is only read.
    pub fn to_write(name: &str) -> Result<Self, String> {
        let format: Self = name.parse()?;
        if format.is_written() {
            return Ok(format);
        }
        let written = REGISTRY.iter().map(|format| format.about().id).filter(|id| id.is_written());
        let names: Vec<_> = written.map(Self::name).collect();
        Err(format!("{name} strings can be read but not written; formats that are written: {}", names.join(", ")))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Another name of plain, as strings of other sides than 9 are called elsewhere.
pub const PLAIN_OF_OTHER_SIDES: &str = "plain-n";

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let is_named = |about: &&About| about.name == name || about.id == Self::Plain && name == PLAIN_OF_OTHER_SIDES;
        REGISTRY.iter().map(|format| format.about()).find(is_named).map(|about| about.id).ok_or_else(|| {
            format!("no format is named '{name}'; formats: {}", REGISTRY.map(|format| format.about().name).join(", "))
        })
    }
}

/// How a string is read or written: everything that is known before its first cell is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Form {
    /// The format.
    pub id: Format,
    /// The kind and the side of the board.
    pub shape: Shape,
    /// The layout, if the format has several layouts for the kind.
    pub layout: Layout,
    /// The length of a string in bytes, or 0 if strings of this form differ in length.
    pub width: usize,
}

impl Form {
    /// Whether the layout is not decided yet; see [`resolve_layout`].
    pub fn is_undecided(&self) -> bool {
        self.layout == Layout::Undecided
    }

    /// Returns the rules of the format's layouts, if strings of this form have several.
    pub fn layout_rules(&self) -> Option<&'static dyn LayoutRules> {
        // The kind is checked first, because this runs for every string, and other kinds have only one layout.
        if self.shape.kind.has_black() { self.id.codec().layout_rules() } else { None }
    }

    /// Returns the sign for empty cells that boards are written with, if another can take its place.
    pub(crate) fn written_blank(&self) -> Option<u8> {
        (self.id == Format::Plain && self.shape.kind.is_plain()).then(|| plain::written_blank(self))
    }

    /// Says why strings of this form cannot be written in the layout, if one was asked for that they may not have, and with the
    /// sign for empty cells that was asked for.
    pub(crate) fn refuses(&self, layout: Option<Layout>, blank: Option<u8>) -> Option<Reject> {
        match self.id {
            Format::Link => link::refuses(self, layout),
            _ if Layout::ALPHABETS.contains(&self.layout) => plain::refuses(self, layout, blank),
            _ => None,
        }
    }

    /// Whether strings of this form may follow several layouts.
    pub fn has_layouts(&self) -> bool {
        self.layout_rules().is_some()
    }

    /// Returns the form for writing in another layout. Forms without that layout, and forms whose format cannot write
    /// it, are returned unchanged.
    #[must_use]
    pub fn write_as(mut self, layout: Layout) -> Self {
        if Layout::ALPHABETS.contains(&self.layout) && plain::has_side(layout, self.shape.side) {
            return plain::in_alphabet(self.shape, layout);
        }
        if self.id == Format::Link && link::takes(layout, self.shape) {
            return Self { layout, ..self };
        }
        if self.layout_rules().is_some_and(|rules| rules.writable().contains(&layout)) {
            self.layout = layout;
        }
        self
    }
}

/// What the user says about strings, where the strings themselves do not say it. This
/// may get more fields: create it with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    /// The value of `--kind`.
    pub kind: Option<Kind>,
    /// The layouts in which to read formats that have several. Formats without an entry are read in the layout that
    /// fits best.
    pub layouts: FormatLayouts,
    /// Where the strings are. It changes nothing but the advice in messages.
    pub within: Within,
}

/// Where a string is, which decides what advice about it can be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Within {
    /// The string is given by itself: as an argument, a value of a column, or a field of a form.
    #[default]
    Nothing,
    /// It is a line of an input, which another framing may read.
    Line,
    /// It is a part of a row, such as a field of a table.
    Field,
    /// It is a field between tabs, where quotes are ordinary characters.
    TsvField,
}

/// A format. Decoders and encoders process batches. Explainers take one string and need not be fast.
///
/// Only this crate implements this trait: [`REGISTRY`] contains all formats, and later versions may add methods.
pub trait Codec: sealed::Sealed + Sync {
    /// Returns the name and the descriptions.
    fn about(&self) -> &'static About;

    /// Whether a text that is of no format by its length or its header may be of this one, by its first characters. Only formats
    /// without kernels are asked.
    fn resembles(&self, _text: &[u8]) -> bool {
        false
    }

    /// Determines the form of a string from its length and header alone (for wolfram, also from its groups, which
    /// determine its kind; formats without kernels read all of it). If several layouts are possible and the hints choose none, the layout is
    /// [`Layout::Undecided`]: call [`resolve_layout`] before decoding.
    ///
    /// # Errors
    /// `length`, `header` or `unsupported`. Whether a string of the right shape is valid is decided by
    /// [`Codec::decode`].
    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject>;

    /// Decodes records of this form into `batch`, which is reset to the shape of the form.
    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded;

    /// Explains why [`Codec::decode`] rejected a string for which [`Codec::recognise`] returned `form`. Returns the
    /// first fault in the order of docs/FORMATS.md.
    fn explain(&self, form: Form, text: &[u8]) -> Reject;

    /// Returns what the board does not hold of a string that [`Codec::decode`] accepted but marked as doubtful
    /// ([`Decoded::doubtful`]).
    fn remainder(&self, _form: Form, _text: &[u8]) -> Remainder {
        Remainder::default()
    }

    /// Returns the form for writing boards of a shape.
    ///
    /// # Errors
    /// `unsupported` if the format needs something that such boards lack: cages, black cells, regions or side 9.
    fn writes(&self, shape: Shape) -> Result<Form, Reject>;

    /// Returns what a form can represent.
    fn holds(&self, form: Form) -> Holds;

    /// Appends the strings of all boards of a batch. It has the form's shape, or a shape that differs only by losses of
    /// the form.
    /// Returns a bit for each board whose cells were all written without loss. ([`losses()`] finds losses that depend on
    /// the shape, such as regions.)
    fn encode(&self, form: Form, batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64;

    /// Converts strings directly to strings of another form, without decoding them to a batch, if a kernel can do this.
    /// The result is that of [`Codec::decode`] followed by [`Codec::encode`], for boards that the other form
    /// represents without loss. Returns `None`, and appends nothing, if there is no such kernel or if any string must
    /// be rejected.
    fn rewrite(&self, _forms: [Form; 2], _records: Records, _kernel: &Kernel, _out: StringsOut<'_>) -> Option<Decoded> {
        None
    }

    /// Explains why a board cannot be written even if its losses are accepted: `unsupported`, with or without
    /// `--lossy`. It is called for boards whose bit [`Codec::encode`] did not set.
    fn unwritable(&self, _form: Form, _batch: &Batch, _board: usize) -> Option<Reject> {
        None
    }

    /// Returns the rules of the format's layouts, if it was published in several. Only kinds with black cells have
    /// several layouts.
    fn layout_rules(&self) -> Option<&'static dyn LayoutRules> {
        None
    }
}
