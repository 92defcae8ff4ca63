//! The kinds of puzzle and the sides of their boards, with the table of the rules of each kind.

use std::fmt;
use std::str::FromStr;

/// A kind of puzzle (docs/FORMATS.md, "Kinds").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    /// Rows, columns and boxes.
    Sudoku,
    /// Sudoku in which both diagonals are houses, too.
    SudokuX,
    /// Sudoku with four windows as further houses.
    Windoku,
    /// Sudoku in which the cells at the same position of all boxes are a house, too.
    ColourSudoku,
    /// Rows, columns and irregular regions.
    Jigsaw,
    /// Sudoku with cages and their sums.
    Killer,
    /// Jigsaw with cages and their sums.
    KillerJigsaw,
    /// Rows, columns, and cages with a clue and an operator.
    KenKen,
    /// KenKen with boxes.
    KenDoku,
    /// Rows and columns without repeats; white runs are straights.
    Str8ts,
    /// Str8ts in which the diagonals follow the rules of rows.
    Str8tsX,
    /// Str8ts with boxes.
    Str8tsB,
    /// Str8ts with boxes and diagonals.
    Str8tsBX,
}

/// What the cages of a kind contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cages {
    /// No cages.
    None,
    /// A sum in each cage's first cell in reading order. Digits do not repeat in a cage.
    Sums,
    /// A clue in the first cell and an operator beside or below it. Digits may repeat in a cage.
    Arithmetic,
}

/// The rules of one kind and its v2 header (docs/FORMATS.md, "v2" and "Rules of the kinds").
#[derive(Debug)]
#[non_exhaustive]
pub struct Rules {
    /// The kind that this entry is about.
    pub kind: Kind,
    /// The name on the command line, in JSON and in reports.
    pub name: &'static str,
    /// Another name that the command line accepts.
    pub alias: Option<&'static str>,
    /// The type letter of a v2 header.
    pub letter: u8,
    /// The version letter of a v2 header.
    pub version: u8,
    /// Which houses there are beside rows and columns.
    pub houses: KindHouses,
    /// What cages contain, if there are any.
    pub cages: Cages,
    /// Whether cells may be black, and white runs are straights.
    pub straights: bool,
    /// The sides with a v2 header.
    pub sides: &'static [u8],
}

/// The houses of a kind beside rows and columns.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct KindHouses {
    /// Whether boxes are houses.
    pub boxes: bool,
    /// Whether boards have region numbers. Regions are houses.
    pub regions: bool,
    /// Whether the diagonals follow the rules of rows.
    pub diagonals: bool,
    /// Whether the four windows are houses.
    pub windows: bool,
    /// Whether the nine groups of cells at the same position in their boxes are houses.
    pub colours: bool,
}

const ONLY_BOXES: KindHouses =
    KindHouses { boxes: true, regions: false, diagonals: false, windows: false, colours: false };

const ONLY_REGIONS: KindHouses = KindHouses { boxes: false, regions: true, ..ONLY_BOXES };

const NO_HOUSES: KindHouses = KindHouses { boxes: false, ..ONLY_BOXES };

const BOXED: &[u8] = &[6, 8, 9, 16, 25];
const ALL_SIDES: &[u8] = &[3, 4, 5, 6, 7, 8, 9, 16, 25];

const PLAIN: Rules = Rules {
    kind: Kind::Sudoku,
    name: "sudoku",
    alias: None,
    letter: b'S',
    version: b'B',
    houses: ONLY_BOXES,
    cages: Cages::None,
    straights: false,
    sides: BOXED,
};

const STR8TS: Rules =
    Rules { kind: Kind::Str8ts, name: "str8ts", letter: b'T', houses: NO_HOUSES, straights: true, ..PLAIN };

static RULES: [Rules; 13] = [
    PLAIN,
    Rules {
        kind: Kind::SudokuX,
        name: "sudoku-x",
        alias: Some("x"),
        letter: b'X',
        houses: KindHouses { diagonals: true, ..ONLY_BOXES },
        ..PLAIN
    },
    Rules {
        kind: Kind::Windoku,
        name: "windoku",
        letter: b'W',
        houses: KindHouses { windows: true, ..ONLY_BOXES },
        ..PLAIN
    },
    Rules {
        kind: Kind::ColourSudoku,
        name: "colour-sudoku",
        alias: Some("colour"),
        letter: b'C',
        houses: KindHouses { colours: true, ..ONLY_BOXES },
        ..PLAIN
    },
    Rules { kind: Kind::Jigsaw, name: "jigsaw", letter: b'J', houses: ONLY_REGIONS, ..PLAIN },
    Rules { kind: Kind::Killer, name: "killer", letter: b'L', cages: Cages::Sums, ..PLAIN },
    Rules {
        kind: Kind::KillerJigsaw,
        name: "killer-jigsaw",
        letter: b'M',
        houses: ONLY_REGIONS,
        cages: Cages::Sums,
        ..PLAIN
    },
    Rules {
        kind: Kind::KenKen,
        name: "kenken",
        letter: b'K',
        version: b'C',
        houses: NO_HOUSES,
        cages: Cages::Arithmetic,
        sides: ALL_SIDES,
        ..PLAIN
    },
    Rules { kind: Kind::KenDoku, name: "kendoku", letter: b'D', version: b'C', cages: Cages::Arithmetic, ..PLAIN },
    STR8TS,
    Rules {
        kind: Kind::Str8tsX,
        name: "str8ts-x",
        letter: b'U',
        houses: KindHouses { diagonals: true, ..NO_HOUSES },
        ..STR8TS
    },
    Rules { kind: Kind::Str8tsB, name: "str8ts-b", letter: b'B', houses: ONLY_BOXES, ..STR8TS },
    Rules {
        kind: Kind::Str8tsBX,
        name: "str8ts-bx",
        letter: b'V',
        houses: KindHouses { diagonals: true, ..ONLY_BOXES },
        ..STR8TS
    },
];

impl Kind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = RULES.len();

    /// Every kind, in the order of docs/FORMATS.md.
    pub fn all() -> impl Iterator<Item = Self> {
        RULES.iter().map(|rules| rules.kind)
    }

    /// The rules of this kind.
    pub fn rules(self) -> &'static Rules {
        &RULES[self as usize]
    }

    /// The name on the command line, in JSON and in reports.
    pub fn name(self) -> &'static str {
        self.rules().name
    }

    /// The kind with this v2 type letter, in either case.
    pub fn from_letter(letter: u8) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        RULES.iter().find(|rules| rules.letter == letter).map(|rules| rules.kind)
    }

    /// Whether each cell has a region number.
    pub fn has_regions(self) -> bool {
        self.rules().houses.regions
    }

    /// Whether each cell has a cage colour and a cage content.
    pub fn has_cages(self) -> bool {
        self.rules().cages != Cages::None
    }

    /// Whether cages have operators.
    pub fn has_operators(self) -> bool {
        self.rules().cages == Cages::Arithmetic
    }

    /// Whether cells can be black (the four Str8ts kinds).
    pub fn has_black(self) -> bool {
        self.rules().straights
    }

    /// Whether boards of this kind consist of cells only, like a sudoku's: S, X, W, C.
    pub fn is_plain(self) -> bool {
        !self.has_regions() && !self.has_cages() && !self.has_black()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        RULES.iter().find(|rules| rules.name == name || rules.alias == Some(name)).map(|rules| rules.kind).ok_or_else(
            || format!("no kind is named '{name}'; kinds: {}", RULES.each_ref().map(|rules| rules.name).join(", ")),
        )
    }
}

/// The side of a board: 3 to 9, 16 or 25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

impl Side {
    /// The side of an ordinary sudoku.
    pub const NINE: Self = Self(9);

    /// A side, if there are boards of it.
    pub const fn new(side: usize) -> Option<Self> {
        let mut at = 0;
        while at < ALL_SIDES.len() {
            if ALL_SIDES[at] as usize == side {
                return Some(Self(ALL_SIDES[at]));
            }
            at += 1;
        }
        None
    }

    /// Every side, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL_SIDES.iter().map(|&side| Self(side))
    }

    /// The number of cells in a row, which is also the largest digit.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// The number of cells of a board: 9 to 625.
    pub const fn cells(self) -> usize {
        self.get() * self.get()
    }

    /// Rows and columns of a box, for sides with boxes: 6 has 2x3, 8 has 2x4, 9 has 3x3, 16 has 4x4, 25 has 5x5.
    pub const fn box_shape(self) -> Option<(usize, usize)> {
        match self.0 {
            6 => Some((2, 3)),
            8 => Some((2, 4)),
            9 => Some((3, 3)),
            16 => Some((4, 4)),
            25 => Some((5, 5)),
            _ => None,
        }
    }

    /// The base-36 digit of a v2 header, upper case: `3` to `9`, `G`, `P`.
    pub const fn letter(self) -> u8 {
        if self.0 < 10 { b'0' + self.0 } else { b'A' + self.0 - 10 }
    }

    /// The side with this letter in a v2 header, in either case.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::all().find(|side| side.letter() == letter.to_ascii_uppercase())
    }

    /// Whether cell codes of this side fit 16 bits (sides up to 9).
    pub const fn is_small(self) -> bool {
        self.0 <= 9
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
