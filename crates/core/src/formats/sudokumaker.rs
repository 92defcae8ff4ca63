//! Reads puzzles of SudokuMaker: JSON, packed by lz-string for addresses. They are not written: the site reads those of
//! f-puzzles.

use std::borrow::Cow;

use super::addresses::{Address, unescaped_base64};
use super::fpuzzles::unpack;
use super::json_values::{Arena, JsonValue, Members, is_nothing, list, parse, parse_puzzle, text_of, unknown_keys};
use super::losses::{Holds, Loss};
use super::neutral::{NeutralBoard, NeutralCage, NeutralRegions, unsupported};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject};

/// The format `sudokumaker`.
pub(super) struct Sudokumaker;

static ABOUT: About = About {
    id: Format::Sudokumaker,
    name: "sudokumaker",
    summary: "a puzzle of SudokuMaker, also as a link: JSON, packed by lz-string",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, windoku, colour-sudoku, jigsaw, killer, killer-jigsaw",
        body: "base 64 for addresses that begins with `N4IgZg`",
        length: "any",
    }],
};

/// The beginning of `{"formatVersion"`, packed.
const BEGIN: &[u8] = b"N4IgZg";

impl Notation for Sudokumaker {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        const SHORTEST: usize = 32;
        let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-/=$% ".contains(byte);
        let is_packed = |text: &[u8]| text.starts_with(BEGIN) && text.len() >= SHORTEST && text.iter().all(is_digit);
        Address::of(text).is_some_and(|address| is_ours(&address)) || is_packed(text)
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let packed = payload(text).ok_or_else(|| {
            Reject::whole(Code::Header, "a puzzle of SudokuMaker begins with N4IgZg, or the address of a link")
        })?;
        let json = unpack(&packed, |json| parse(&Arena::new(), json, |_| None).is_ok())?;
        let arena = Arena::new();
        let value = parse_puzzle(&arena, &json, "what it unpacks to is")?;
        read_puzzle(value.get("puzzle").unwrap_or(&value))?.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[])
    }
}

/// Whether an address is one with a puzzle.
fn is_ours(address: &Address<'_>) -> bool {
    address.host == "sudokumaker.app" && address.parameter("puzzle").is_some()
}

/// Finds the packed puzzle in a text.
fn payload(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let packed = match Address::of(text) {
        Some(address) if is_ours(&address) => address.parameter("puzzle")?,
        _ => text,
    };
    let packed = unescaped_base64(packed);
    packed.starts_with(b"N4").then_some(packed)
}

/// Constraints that no kind has, by their numbers.
const CONSTRAINTS: &[(u64, &str)] = &[
    (12, "antiking"),
    (13, "antiknight"),
    (15, "nonconsecutive"),
    (16, "global entropy"),
    (100, "even"),
    (101, "odd"),
    (102, "maximum"),
    (103, "minimum"),
    (200, "difference"),
    (201, "ratio"),
    (202, "xv"),
    (300, "thermometer"),
    (302, "clone"),
    (303, "quadruple"),
    (304, "look-and-say cages"),
    (306, "counting circles"),
    (400, "renban"),
    (401, "whispers"),
    (402, "palindrome"),
    (403, "between lines"),
    (404, "region sum lines"),
    (405, "sequence lines"),
    (406, "entropy lines"),
    (407, "lockout lines"),
    (408, "arrow"),
    (409, "double arrow"),
    (500, "little killers"),
    (501, "sandwich sums"),
    (502, "x-sums"),
    (503, "skyscrapers"),
    (504, "numbered rooms"),
    (600, "row indexer"),
    (601, "column indexer"),
    (1000, "custom"),
    (2000, "line (drawing)"),
    (2001, "cage (drawing)"),
    (2002, "symbol (drawing)"),
    (4000, "fog"),
    (4001, "fog"),
];

/// Keys of a puzzle that are read, or have no meaning for it.
const KNOWN: [&str; 13] = [
    "cells",
    "size",
    "width",
    "height",
    "minDigit",
    "maxDigit",
    "constraints",
    "name",
    "author",
    "comment",
    "solution",
    "id",
    "tags",
];

/// Keys of a cell that are read.
const CELL: [&str; 5] = ["value", "given", "candidates", "cornerPencilMarks", "colors"];

fn wrong(words: &str) -> Reject {
    Reject::whole(Code::Range, words.to_string())
}

/// Reads a puzzle. What no kind has is noted on the board.
fn read_puzzle(puzzle: &JsonValue) -> Result<NeutralBoard, Reject> {
    let no_cells = || Reject::whole(Code::Length, "what it unpacks to has no cells");
    let puzzle = puzzle.as_object().ok_or_else(no_cells)?;
    let cells = puzzle.get("cells").and_then(JsonValue::as_array).ok_or_else(no_cells)?;
    let number = |key: &str, default: u64| match puzzle.get(key) {
        None | Some(JsonValue::Null) => Ok(default),
        Some(value) => value.as_u64().ok_or_else(|| wrong("its size or its range of digits is no number")),
    };
    let width = number("width", number("size", 9)?)?;
    let height = number("height", width)?;
    if width != height {
        return Err(unsupported(format!("a grid of {height} x {width}")));
    }
    if Some(cells.len() as u64) != width.checked_mul(width) {
        return Err(Reject::whole(Code::Length, format!("it has {} cells, not {width} x {width}", cells.len())));
    }
    let mut board = NeutralBoard::new(usize::try_from(width).unwrap_or(usize::MAX))?;
    board.regions = NeutralRegions::None;
    let least = number("minDigit", 1)?;
    let digits = (least, number("maxDigit", least.saturating_add(width).saturating_sub(1))?);
    if digits != (1, width) {
        return Err(unsupported(format!("digits {} to {}", digits.0, digits.1)));
    }
    for (at, cell) in cells.iter().enumerate() {
        read_cell(cell, at, &mut board)?;
    }
    for block in list(puzzle, "constraints")? {
        read_block(block, &mut board)?;
    }
    for (key, _) in puzzle.iter().filter(|(key, value)| !is_nothing(value) && !KNOWN.contains(key)) {
        board.refuse(format!("unknown: {key}"));
    }
    board.take_title(&text_of(puzzle.get("name")));
    board.take_author(&text_of(puzzle.get("author")));
    board.take_rules(&text_of(puzzle.get("comment")));
    Ok(board)
}

/// The digits of a mask, in which bit d is digit d.
fn mask(value: Option<&JsonValue>, side: usize) -> Option<u32> {
    let value = value.filter(|value| !value.is_null());
    let mask = value.map_or(Some(0), JsonValue::as_u64)?;
    (mask & 1 == 0 && mask >> 1 >> side == 0).then_some((mask >> 1) as u32)
}

fn read_cell(cell: &JsonValue, at: usize, board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side;
    let fault = |code: Code, words: &str| Reject::at(code, at, side, words);
    let Some(cell) = cell.as_object() else { return Err(fault(Code::Digit, "a cell is not an object")) };
    let value = cell.get("value").filter(|value| !value.is_null());
    let digit = value.map_or(Some(0), |value| value.as_u64().and_then(|digit| u8::try_from(digit).ok()));
    let digit = digit.ok_or_else(|| fault(Code::Digit, "its value is no digit"))?;
    match cell.get("given").is_some_and(|given| !is_nothing(given)) {
        true => board.cells[at].given = digit,
        false => board.cells[at].solved = digit,
    }
    let no_mask = || fault(Code::Range, "its candidates are no digits of the board");
    board.cells[at].centre = mask(cell.get("candidates"), side).ok_or_else(no_mask)?;
    board.cells[at].has_corner_notes = cell.get("cornerPencilMarks").is_some_and(|notes| !is_nothing(notes));
    if cell.get("colors").is_some_and(|colours| !is_nothing(colours)) {
        board.lose(Loss::Marks);
    }
    unknown_keys(cell, &CELL).for_each(|key| board.refuse(format!("unknown: {key}")));
    Ok(())
}

/// Whether a block says anything. Real puzzles have empty ones.
fn is_live(block: &Members, number: u64) -> bool {
    // The name of a constraint of somebody's own may be all that says what it is.
    let is_content = |key: &str| !["type", "style", "disabled"].contains(&key) && (key != "name" || number == 1000);
    matches!(number, 10..=16) || block.iter().any(|(key, value)| is_content(key) && !is_nothing(value))
}

/// Reads one block of constraints.
fn read_block(block: &JsonValue, board: &mut NeutralBoard) -> Result<(), Reject> {
    let block = block.as_object().ok_or_else(|| wrong("a constraint is not an object"))?;
    let number = block.get("type").and_then(JsonValue::as_u64).ok_or_else(|| wrong("a constraint has no number"))?;
    if block.get("disabled") == Some(&JsonValue::Bool(true)) || !is_live(block, number) {
        return Ok(());
    }
    match number {
        // The clues, and the text of the rules, which stand elsewhere.
        0 | 2003 => {}
        1 => read_regions(block, board)?,
        10 => board.further.falling = true,
        11 => board.further.rising = true,
        14 => board.further.disjoint = true,
        301 => list(block, "cages")?.iter().try_for_each(|cage| read_cage(cage, board))?,
        305 => match read_cells(list(block, "cells")?)? {
            cells if cells.len() == board.side => board.further.groups.push(cells),
            _ => board.refuse("different values"),
        },
        number => match CONSTRAINTS.iter().find(|constraint| constraint.0 == number) {
            Some((_, name)) => board.refuse(*name),
            None => board.refuse(format!("constraint {number}")),
        },
    }
    Ok(())
}

/// Reads a region number for each cell, or -1.
fn read_regions(block: &Members, board: &mut NeutralBoard) -> Result<(), Reject> {
    let numbers = list(block, "regions")?;
    if numbers.len() != board.cells.len() {
        return Err(wrong("it has not a region for each cell"));
    }
    let region = |value: &JsonValue| match value.as_i64() {
        Some(-1) => Some(None),
        number => number.and_then(|number| u16::try_from(number).ok()).map(Some),
    };
    let regions = numbers.iter().map(region).collect::<Option<Vec<_>>>();
    board.regions = NeutralRegions::Numbers(regions.ok_or_else(|| wrong("the region of a cell is no number"))?);
    Ok(())
}

/// Reads numbers of cells, from 0.
fn read_cells(cells: &[JsonValue]) -> Result<Vec<u16>, Reject> {
    let cell = |cell: &JsonValue| cell.as_u64().and_then(|cell| u16::try_from(cell).ok());
    cells.iter().map(cell).collect::<Option<_>>().ok_or_else(|| wrong("a cell of a constraint is no number"))
}

fn read_cage(cage: &JsonValue, board: &mut NeutralBoard) -> Result<(), Reject> {
    let cage = cage.as_object().ok_or_else(|| wrong("a cage is not an object"))?;
    unknown_keys(cage, &["cells", "value"]).for_each(|key| board.refuse(format!("unknown: {key}")));
    let cells = read_cells(list(cage, "cells")?)?;
    let value = cage.get("value").filter(|value| !is_nothing(value));
    let clue = value.and_then(JsonValue::as_u64).and_then(|sum| u32::try_from(sum).ok());
    if value.is_some() && clue.is_none() {
        board.refuse("killer cage with text");
    }
    board.cages.push(NeutralCage { cells, clue, operator: 0 });
    Ok(())
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good {
            kind: Kind::Sudoku,
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjTESpBAMzzFygms3atwSyHGTpAdiNKVZlJfcXPOuwQBsTk1V1Ny9rWz18IgCXYLDdaQBOaNNY7Rt4glkQBWcU8ytQr3Sff\
                  CTs4xj84oiADmSg-I8C5urpf3LchpCW8Ok6jsDXJqbWv3qhwp6M-EMByu7R-AAWcdTmuJL+nMG1jYjZ7fnhtN6CKLm8hdP8\
                  Rwuu46mSgCZVxsnF9sPLkevPiu-Jj9pi87hNvLVXt0HntpCtQWtFucvvcTtMysiwUCSlkMbtAajNpCHotbriqtd0f97gBdO\
                  jcXDoNRwTA4BCCfAiEAIACe9GklGsPL5ZzoUBQCgZwkoNGl0qi8poLyVMpVcpoCuVL1lKoVUU1NEMhpoKxNNFk5oNlsMppW\
                  FtkRutxqddpo-jdNEcnpodR9rr9-i9jl9dXdAY94eD1I0UY0QA",
            canonical: None,
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://sudokumaker.app/?puzzle=N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxi\
                  m2+gIBtUADc4bRp3xk6Ac0yiUefAihSAvjR5wcAE0x7EKQfiIAWLWIlSCAZiuPtT4C7fOPrz+6++f%2D70C%2DIIDgsNCIk\
                  Kjw6MiY+IiAXTpuXHQ1OEwcBFMREAQAT3ppSit8oukiOigUBTThShpGxqrWmgAmDq7mppo2qs7B3p7+rqG7GgmJ8xoZmdkF\
                  yaXp2dXF2SmlubWaRYA2GgODgHYaU9OADhorq6PDs4fL6+e7k8fnm8SNZJAcOBhpCAAIIAAgQJgQtBAcEYCAAFtACMCSCCA\
                  MooBDgqBQ1IwAHZJEAOWg8DYIPQjD0EAA1owQeoOOgQXB6PQ2AUSCANBogA",
            canonical: None,
        },
        Good {
            kind: Kind::SudokuX,
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKXViE6SI6KBQFYOFKGnz8jOKa\
                  ACYyisKCmhKM8vrqqtqKhoBmGnb2gBYaHp7ZAY6h7t7RwdlOob6xmkGANhoFhYB2GlXVgA4aLa2lxbWDze3jvZXD452-FPj\
                  EgiJk7VTb-CIia7SCVsp8kDZwlCiQiujxu6XKIAAJph0HAAEYcCEENSaK4aIA",
            canonical: None,
        },
        Good {
            kind: Kind::Windoku,
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKXViE6SI6KBQFYOFKGnz8jOKa\
                  ACYyisKCmhKM8vrqqtqKhoBmGnb2gBYaHp7ZAY6h7t7RwdlOob6xmkGANhoFhYB2GlXVgA4aLa2lxbWDze3jvZXD452-FPj\
                  EglbKWRBefiihIiLi8qIATjL80rqW1Kv3uV20qVu+Huj2eAmERB6RFkRAWpXapR6pQm5VanS6YNAN2k0MCfDh0S6Cy6qy6W\
                  zIAwWZFWcx6c1kczmBIhxIepJewjI+TIGTI5TIvzm+TmGTmu1+y0oVyuGiAA",
            canonical: None,
        },
        Good {
            kind: Kind::ColourSudoku,
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKXViE6SI6KBQFYOFKGnz8jOKa\
                  ACYyisKCmhKM8vrqqtqKhoBmGnb2gBYaHp7ZAY6h7t7RwdlOob6xmkGANhoFhYB2GlXVgA4aLa2lxbWDze3jvZXD452-FPj\
                  EgiIujSuNIA",
            canonical: None,
        },
        Good {
            kind: Kind::Jigsaw,
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemkiOigUBWDhShos5NyaZIAmGiKi\
                  rLLs-MqS4oryvMKaooBmGhaWgBYaTs7ZXtb+jq6hvtk2-u7hmj6ANhpZ2YB2GiWlgA4adfX5ueXdtY2D7cW9g82-DXONIA",
            canonical: None,
        },
        Good {
            kind: Kind::Killer,
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtYAF8aYieMkzpcqQtmL5S1SvXL\
                  NarRu17dBnUf3HDJ82fUBdOt1zoEUOJhwJB+ESAQBPep3yU0l6+-kR0UCgA5tg47kKUNAkJYSk0AEzpmUmJNKlhGQU52XmZ\
                  hQDMNBUVACw0tbVkNI2NVZV17Q1NXa01HV3NNABsQyMA7DTj4wAcNDMzwwsTS9Ozq4vDk0tzs1ZBPn4EZZRhINxwkShxPHw\
                  CwsnpNiAAbnBsjKFkQbz8cb1kjy83h8vjc4hsdnRAe8CERPhJTqDhABOXLJIgA17Q-CwkE-YREDJECpEaoYoEwuHXPEeWG5\
                  YZEUZkrE4+HfW40mZEFFpShM4GsxEeNL5AplPkU3HsoRpWppRppQbi7GUhHU6XjNIzNJIpUsqlSo6VMJlNK6lVs35VWplf6\
                  QzH8-W-YZlcZlKZmyW-FHVBLVdF28nKz3CaoZao1UkB5nmwVCaqNarDaqMqMO1VS6ozaoosi81MSgVqshhMgZMhi-NBwtSs\
                  gNZqKyt69NxMjjMgzMg6xsxtWDBKDMKDU3d4MeQYVQa1Qa2572guO4SDBbjQbukfVsEo0YJUb+2eBpsW4SjDKjCqjSP76Oj\
                  oSjRqjDYpq9po8eUYzUYoqZ558S3a7UQgA",
            canonical: None,
        },
    ],
    bad: &[
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjTESpBAMzzFygms3atwSyHGTpAdiNKVZlJfcXPOuwQBsTk1V1Ny9rWz18IgCXYLDdaQBOaNNY7Rt4glkQBWcU8ytQr3Sff\
                  CTs4xj84oi",
            code: Code::Digit,
            cell: None,
        },
        BadSample { text: "plain", code: Code::Header, cell: None },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKXViE6SI6KBQFYOFKGnz8jOKa\
                  ACYyisKCmhKM8vrqqtqKhoBmGnb2gBYaHp7ZAY6h7t7RwdlOob6xmkGANhoFhYB2GlXVgA4aLa2lxbWDze3jvZXD452-FPj\
                  EglbKfJA2cJQooSEisr8r7VTb-GWqxAAA8CERrmkwckrhogA",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKXViE6SI6KBQFYOFKGnz8jOKa\
                  ACYyisKCmhKM8vrqqtqKhoBmGnb2gBYaHp7ZAY6h7t7RwdlOob6xmkGANhoFhYB2GlXVgA4aLa2lxbWDze3jvZXD452-DQC\
                  QGHCAEUwFBAJ827gAD0fngg2NDSAA",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKDT8NDSA",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvX4yHGS0kSU8orKBGqaALp03LjoanCYOAiC+CIgCACe9NKUupk5QXRQ\
                  KArxwiFVNEQ1dQBMNI2N1SG17U2dLTTVHbXNnQDMNMPDACw0ExOyMyNz45OLs7Kjc1NLNLMAbDQ7OwDsNIeHABw0Z2d7u0c\
                  3p+f3Vwe39xdRGm8aQA",
            code: Code::Range,
            cell: Some((9, 9)),
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtHnBwATTOMQpB+IgF8awJSuWqN\
                  6rWp2bd2vYYPH9po2ZPmrlmxbvX7th86cGAunW650CKHEw4CHIiIAgAnvSc+JSqoRFRRHRQKADm2DjBlDRZWYl5NABMhcU5\
                  2TT5iUVVZaUVxdUAzDRNTQAsNO3tZDTd3S3NHYNdPSP9bUMjvTQAbDNzAOw0i4sAHDRra7NbSzur6-vbs8s7G+tuCucKQA",
            code: Code::Range,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtYAF8aYieMkzpcqQtmL5S1SvXL\
                  NarRu17dBnUf3HDJ82bkBdOt1zoEUOJhwJB+ESAQBPep3yU0l6+-kR0UCgA5tg47kKUNAkJYSk0AEzpmUmJNKlhGQU52XmZ\
                  hQDMNBUVACw0tbVkNI2NVZV17Q1NXa01HV3NNABsQyMA7DTj4wAcNDMzwwsTS9Ozq4vDk0tzs1aiu6JAA",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtYAF8aYieMkzpcqQtmL5S1SvXL\
                  NarRu17dBncoC6dbrnQIocTDgSD8IkAgCe9TvkrTnbj0TpQKADm2DgOQpQ0kZH+sTQATAlJ0VE0cf6Jmakp6UlZAMw0hYUA\
                  LDRlZWQ0VVXFReUNldXNdaWNzTU0AGzdvQDsNAMDABw0o6M9k4PTI2NzUz1D0+NjxqKmIADumAAmCAAWBACcdPsomEH7CAR\
                  doqJAA",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtYAF8aYieMkzpcqQtmL5S1SvXL\
                  NarRu17dBnUf3HDJ82fUBdOt1zoEUOJhwJB+ESAQBPep3yU0l6+-kR0UCgA5tg47kKUNAkJYSk0AEzpmUmJNKlhGQU52XmZ\
                  hQDMNBUVACw0tbVkNI2NVZV17Q1NXa01HV3NNABsQyMA7DTj4wAcNDMzwwsTS9Ozq4vDk0tzs1ZBPn4EZZRhINxwkShxPHw\
                  CwglTRDYgAG5wbIz+ZKK7u6JAA",
            code: Code::Range,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtYAF8aYieMkzpcqQtmL5S1SvXL\
                  NarRu17dBnUf3HDJ82fUBdOt1zoEUOJhwJB+ESAQBPep3yU0l6+-kR0UCgA5tg47kKUNAkJYSk0AEzpmUmJNKlhGQU52XmZ\
                  hQDMNBUVACw0tbVkNI2NVZV17Q1NXa01HV3NNABsQyMA7DTj4wAcNDMzwwsTS9Ozq4vDk0tzs1ZBvPxxRLu7okA",
            code: Code::Range,
            cell: None,
        },
        BadSample {
            text: "N4IgZg9gTgtghgFwGoFMoGcCWEB2IBcIAjAHQCsJADCADQgAOArgF7MA2KBoAxim2+gIBtUADc4bRp3xk6Ac0yiUefAihSA\
                  vjWBad23Qf1G9Jw6eNnLF6+dtW7N+08cuHb5+9cfvXiwF06blx0NThMHARBfBEQBABPemlKXViE6SI6KBQFYOFKGnz8jOKa\
                  ACYyisKCmhKM8vrqqtqKhoBmGnb2gBYaHp7ZAY6h7t7RwdlOob6xmkGANhoFhYB2GlXVgA4aLa2lxbWDze3jvZXD452-DQD\
                  waARGHGkQAA8QDQ0gA",
            code: Code::Unsupported,
            cell: None,
        },
    ],
}];
