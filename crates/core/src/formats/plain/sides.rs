//! Reads and writes plain sudokus of sides 6, 8, 16 and 25: a sign for each cell, in one of five alphabets, or numbers
//! between separators. In each string one sign stands for empty cells.

use std::borrow::Cow;

use super::alphabets::{NO_SIGN, SIDES, has_side, lacks_side, of_blank, of_digit, table};
use crate::board::{Batch, Kind, Mask, Shape, Side, geometry};
use crate::error::{Code, Reject};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::characters;
use crate::formats::{Form, Format, Hints, Layout, Records, StringsOut, no_fault};
use crate::kernels::Decoded;

/// The digits of a string, in reading order, with 0 for an empty cell.
type Digits = Vec<u8>;

/// Returns the form of strings in an alphabet, or in what is written without one. For numbers between separators,
/// which differ in length, see [`numbers_form`].
pub(in crate::formats) fn in_alphabet(shape: Shape, alphabet: Layout) -> Form {
    let cells = shape.side.cells();
    Form {
        id: Format::Plain,
        shape,
        layout: alphabet,
        width: if alphabet == Layout::Pairs { 2 * cells } else { cells },
    }
}

/// The form of numbers between separators.
fn numbers_form(shape: Shape) -> Form {
    Form { width: 0, ..in_alphabet(shape, Layout::Pairs) }
}

/// The side of strings with this many characters, and whether two stand for a cell.
fn side_of(length: usize) -> Option<(Side, bool)> {
    let side = |cells: usize| SIDES.into_iter().find(|side| side.cells() == cells);
    side(length).map(|side| (side, false)).or_else(|| {
        let pairs = side(length / 2).filter(|side| length.is_multiple_of(2) && !side.is_small());
        pairs.map(|side| (side, true))
    })
}

/// Whether a text may be of these sides, by its length or its number of separators.
pub(in crate::formats) fn has_length(text: &[u8]) -> bool {
    side_of(text.len()).is_some() || numbers(text).is_some()
}

/// The form of a text of which nothing is known but its length. Other things of these lengths are refused: hex dumps, numbers,
/// lines, flags.
pub(in crate::formats) fn detect(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    let (form, digits) = recognise_digits(text, hints)?;
    let seen = digits.iter().fold(0 as Mask, |seen, &digit| seen | 1 << digit);
    let (is_full, placed) = (seen & 1 == 0, seen & !1);
    let may_repeat = if is_full || form.width == 0 { 0 } else { form.shape.side.get() / 4 };
    // A puzzle with one solution has at most one digit that is never given. Up to side 9, less is as likely anything else.
    let fewest = if form.shape.side.is_small() || form.width == 0 { form.shape.side.get() as u32 - 1 } else { 2 };
    if placed.count_ones() < fewest || repeats(&digits, form.shape) > may_repeat {
        let words = format!(
            "either a plain {0}x{0} sudoku with few or repeated digits or something else of this length; if it is a sudoku, use --from plain",
            form.shape.side
        );
        return Err(Reject::whole(Code::Ambiguous, words));
    }
    Ok(form)
}

/// The form of a text that is a plain string.
pub(in crate::formats) fn recognise(text: &[u8], hints: &Hints) -> Result<Form, Reject> {
    recognise_digits(text, hints).map(|(form, _)| form)
}

/// The same, and the digits of the string.
fn recognise_digits(text: &[u8], hints: &Hints) -> Result<(Form, Digits), Reject> {
    let kind = crate::formats::plain_kind(hints, "plain")?;
    if let Some((side, digits)) = numbers(text) {
        let shape = Shape::new(kind, side);
        return match digits.iter().position(|&digit| usize::from(digit) > side.get()) {
            None => Ok((numbers_form(shape), digits)),
            Some(cell) => Err(Reject::at(Code::Range, cell, side.get(), format!("a number above {side}"))),
        };
    }
    let Some((side, pairs)) = side_of(text.len()) else { return Err(no_fault("plain")) };
    let chosen = hints.layouts.get(Format::Plain);
    let shape = Shape::new(kind, side);
    let forms = Layout::ALPHABETS.into_iter().filter(|&alphabet| (alphabet == Layout::Pairs) == pairs);
    let forms = forms.filter(|&alphabet| chosen.is_none_or(|chosen| chosen == alphabet));
    let read = forms.filter_map(|alphabet| Some((alphabet, read(in_alphabet(shape, alphabet), text)?)));
    let mut fitting: Vec<(Layout, Digits)> = read.collect();
    if fitting.iter().any(|(_, digits)| digits.iter().any(|&digit| digit > 0)) {
        fitting.retain(|(_, digits)| digits.iter().any(|&digit| digit > 0));
    } else {
        fitting.truncate(1);
    }
    if fitting.len() > 1 && fitting.iter().any(|(_, digits)| repeats(digits, shape) == 0) {
        fitting.retain(|(_, digits)| repeats(digits, shape) == 0);
    }
    match &mut fitting[..] {
        [] => Err(explain_none(text, side, chosen)),
        [(alphabet, digits), others @ ..] if others.iter().all(|(_, other)| other == digits) => {
            Ok((in_alphabet(shape, *alphabet), std::mem::take(digits)))
        }
        [..] => {
            let names: Vec<&str> = fitting.iter().map(|(alphabet, _)| alphabet.name()).collect();
            let words =
                format!("the alphabets {} make different boards of it; choose with --alphabet", names.join(" and "));
            Err(Reject::whole(Code::Ambiguous, words))
        }
    }
}

/// The digits of a square of signs or numbers, if it can be a sudoku: it is of one of these sides, some alphabet has its signs,
/// and no house has a digit twice.
pub(in crate::formats) fn square_digits(text: &[u8], side: usize) -> Option<Digits> {
    let side = Side::new(side).filter(|side| SIDES.contains(side))?;
    let shape = Shape::new(Kind::Sudoku, side);
    let forms = Layout::ALPHABETS.into_iter().map(|alphabet| in_alphabet(shape, alphabet)).chain([numbers_form(shape)]);
    forms.filter_map(|form| read(form, text)).find(|digits| repeats(digits, shape) == 0)
}

/// Whether sudokus of a side are read as plain strings of another side than 9.
pub(in crate::formats) fn is_side(side: usize) -> bool {
    SIDES.iter().any(|one| one.get() == side)
}

/// Whether a string is of the same form as others, one of which was recognised.
pub(in crate::formats) fn is_same(form: &Form, text: &[u8], auto: bool, hints: &Hints) -> bool {
    let found = if auto { detect(text, hints) } else { recognise(text, hints) };
    found.is_ok_and(|found| found == *form)
}

/// How many houses have a digit twice.
pub(in crate::formats) fn repeats(digits: &[u8], shape: Shape) -> usize {
    let has_repeat = |house: &&[u16]| {
        let mut seen: Mask = 0;
        house.iter().any(|&cell| {
            let bit = (1 << digits[usize::from(cell)]) & !1;
            let again = seen & bit != 0;
            seen |= bit;
            again
        })
    };
    geometry(shape.side).houses(shape.kind).filter(has_repeat).count()
}

/// Reads a string of a form. `None` if it has a sign that its alphabet has not, a number above the side, or several signs for
/// empty cells.
fn read(form: Form, text: &[u8]) -> Option<Digits> {
    let side = form.shape.side;
    if form.width == 0 {
        let (found, digits) = numbers(text)?;
        let is_digit = |&digit: &u8| usize::from(digit) <= side.get();
        return Some(digits).filter(|digits| found == side && digits.iter().all(is_digit));
    }
    if text.len() != form.width {
        return None;
    }
    let mut digits = vec![0; side.cells()];
    if form.layout == Layout::Pairs {
        read_pairs(text, side, &mut digits)?;
        return Some(digits);
    }
    let table = table(form.layout, side);
    let mut blank = None;
    for (digit, &sign) in digits.iter_mut().zip(text) {
        *digit = table[usize::from(sign)];
        if *digit == 0 {
            let sign = if side.is_small() { sign } else { sign.to_ascii_uppercase() };
            if *blank.get_or_insert(sign) != sign {
                return None;
            }
        } else if *digit == NO_SIGN {
            // Most alphabets lack one of the first signs.
            return None;
        }
    }
    Some(digits)
}

/// Reads two decimal digits for each cell, with `00` or `..` for empty ones.
fn read_pairs(text: &[u8], side: Side, digits: &mut [u8]) -> Option<()> {
    let (mut zeros, mut dots) = (false, false);
    for (digit, pair) in digits.iter_mut().zip(text.as_chunks::<2>().0) {
        *digit = match pair {
            b".." => 0,
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => 10 * (tens - b'0') + ones - b'0',
            _ => return None,
        };
        zeros |= pair == b"00";
        dots |= pair == b"..";
        if usize::from(*digit) > side.get() {
            return None;
        }
    }
    (!(zeros && dots)).then_some(())
}

/// Numbers of one or two digits between commas, semicolons, spaces or tabs, as many as a board of one of these sides has
/// cells. 0 and blanks are empty cells.
fn numbers(text: &[u8]) -> Option<(Side, Digits)> {
    // Nearly every other text ends here.
    let separator = *text.get(..3)?.iter().find(|byte| matches!(byte, b',' | b';' | b' ' | b'\t'))?;
    let words = text.split(|&byte| byte == separator).map(<[u8]>::trim_ascii);
    let words = words.filter(|word| separator == b',' || separator == b';' || !word.is_empty());
    let read = |word: &[u8]| match word {
        [b'.' | b'_' | b'-' | b'x'] => Some(0),
        [one @ b'0'..=b'9'] => Some(one - b'0'),
        [ten @ b'0'..=b'9', one @ b'0'..=b'9'] => Some(10 * (ten - b'0') + one - b'0'),
        _ => None,
    };
    let most = SIDES.map(Side::cells).into_iter().max().unwrap_or(0);
    let digits: Digits = words.take(most + 1).map(read).collect::<Option<_>>()?;
    SIDES.into_iter().find(|side| side.cells() == digits.len()).map(|side| (side, digits))
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch) -> Decoded {
    batch.reset(form.shape, records.len());
    put_boards(batch, |board| read(form, records.get(board)))
}

/// Decodes grids of these sides into a batch of their shape: `plain` returns the plain string of each.
pub(in crate::formats) fn decode_grids<'t>(
    form: Form,
    batch: &mut Batch,
    plain: impl Fn(usize) -> Option<Cow<'t, [u8]>>,
) -> Decoded {
    let of_signs = in_alphabet(form.shape, form.layout);
    put_boards(batch, |board| {
        let text = plain(board)?;
        read(if text.len() == of_signs.width { of_signs } else { numbers_form(form.shape) }, &text)
    })
}

/// Sets the boards of a batch to digits.
fn put_boards(batch: &mut Batch, digits: impl Fn(usize) -> Option<Digits>) -> Decoded {
    let (side, stride, mut good) = (batch.shape().side, batch.stride(), 0);
    for board in 0..batch.len() {
        let Some(digits) = digits(board) else { continue };
        let first = board * stride;
        if side.is_small() {
            let codes = &mut batch.codes16_mut()[first..];
            codes.iter_mut().zip(digits).for_each(|(code, digit)| *code = digit.into());
        } else {
            let codes = &mut batch.codes32_mut()[first..];
            codes.iter_mut().zip(digits).for_each(|(code, digit)| *code = digit.into());
        }
        good |= 1 << board;
    }
    Decoded { good, ..Decoded::default() }
}

pub(super) fn explain(form: Form, text: &[u8]) -> Reject {
    let layouts = Hints::default().layouts.with(Format::Plain, form.layout);
    let found = recognise(text, &Hints { kind: Some(form.shape.kind), layouts, ..Hints::default() });
    found.err().unwrap_or_else(|| no_fault("plain"))
}

/// Why no alphabet fits, or not the one that was chosen.
fn explain_none(text: &[u8], side: Side, chosen: Option<Layout>) -> Reject {
    let alphabets = || {
        Layout::ALPHABETS.into_iter().filter(|&one| chosen.is_none_or(|chosen| chosen == one) && one != Layout::Pairs)
    };
    let has = |sign: u8, alphabet: Layout| table(alphabet, side)[usize::from(sign)] != NO_SIGN;
    let names: Vec<&str> = alphabets().map(Layout::name).collect();
    if names.is_empty() {
        let words = format!(
            "not two decimal digits for each of {} cells, 01 to {side}, with 00 or .. for empty ones",
            side.cells()
        );
        return Reject::whole(Code::Digit, words);
    }
    if let Some(alphabet) = chosen.filter(|&alphabet| !has_side(alphabet, side)) {
        return lacks_side(alphabet, side);
    }
    let names = names.join(", ");
    let unknown = characters(text).iter().enumerate().find_map(|(cell, character)| {
        let known = character.ascii().is_some_and(|sign| alphabets().any(|alphabet| has(sign, alphabet)));
        (!known).then(|| (cell, character.quoted()))
    });
    if let Some((cell, sign)) = unknown {
        let words = format!("{sign} is neither a digit of side {side} nor a sign for empty cells (alphabets: {names})");
        return Reject::at(Code::Digit, cell, side.get(), words);
    }
    let words = format!("no alphabet of side {side} ({names}) has all of its signs, with one sign for all empty cells");
    Reject::whole(Code::Digit, words)
}

pub(super) fn encode(form: Form, batch: &Batch, out: StringsOut<'_>) -> u64 {
    let (side, stride) = (form.shape.side, batch.stride());
    out.fixed(form.width, batch.len(), |out, pitch| {
        let mut lossless = 0;
        for board in 0..batch.len() {
            let (room, first) = (&mut out[board * pitch..][..form.width], board * stride);
            let all = if side.is_small() {
                put(form, batch.codes16()[first..].iter().map(|&code| code.into()), room)
            } else {
                put(form, batch.codes32()[first..].iter().copied(), room)
            };
            lossless |= u64::from(all) << board;
        }
        lossless
    })
}

/// Writes a board. Returns whether it has nothing but clues.
fn put(form: Form, codes: impl Iterator<Item = u32>, room: &mut [u8]) -> bool {
    let side = form.shape.side.get() as u32;
    let mut all = true;
    let mut digits = codes.map(|code| {
        all &= code <= side;
        match code {
            0 => 0,
            code if code <= 2 * side => ((code - 1) % side + 1) as u8,
            _ => 0,
        }
    });
    if form.layout == Layout::Pairs {
        let pairs = room.as_chunks_mut::<2>().0;
        pairs.iter_mut().zip(&mut digits).for_each(|(pair, digit)| *pair = [b'0' + digit / 10, b'0' + digit % 10]);
    } else {
        let blank = of_blank(form.layout);
        room.iter_mut().zip(&mut digits).for_each(|(sign, digit)| {
            *sign = if digit == 0 { blank } else { of_digit(form.layout, form.shape.side, digit) };
        });
    }
    all
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good {
            kind: Kind::Sudoku,
            text: "....12.3...................4..56....",
            canonical: Some("000012030000000000000000000400560000"),
        },
        Good {
            kind: Kind::Sudoku,
            text: "ABCDEF__________________________DE__",
            canonical: Some("123456000000000000000000000000004500"),
        },
    ],
    bad: &[
        BadSample { text: "....12.3........7..........4..56....", code: Code::Digit, cell: Some((3, 5)) },
        BadSample { text: "....12.3........0..........4..56....", code: Code::Digit, cell: None },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Evidence, read_one, write_one};

    fn hints(alphabet: Layout) -> Hints {
        Hints { layouts: Hints::default().layouts.with(Format::Plain, alphabet), ..Hints::default() }
    }

    fn digits(text: &str, from: Option<Format>, hints: &Hints) -> Result<Vec<u32>, Reject> {
        let one = read_one(text.as_bytes(), from, hints, &Evidence::default())?;
        Ok((0..one.form.shape.side.cells()).map(|cell| one.batch.code(0, cell)).collect())
    }

    /// A solved board of a side, by moving its rows.
    fn solved(side: Side) -> Vec<u8> {
        let (n, (rows, columns)) = (side.get(), side.box_shape().unwrap());
        let digit = |at: usize| ((at / n) % rows * columns + at / n / rows + at % n) % n;
        (0..side.cells()).map(|at| digit(at) as u8 + 1).collect()
    }

    #[test]
    fn every_alphabet_of_every_side_is_read_and_written() {
        for side in SIDES {
            for alphabet in Layout::ALPHABETS.into_iter().filter(|&one| has_side(one, side)) {
                let shape = Shape::new(Kind::Sudoku, side);
                let mut board = solved(side);
                board.iter_mut().step_by(3).for_each(|digit| *digit = 0);
                let mut batch = Batch::new();
                batch.reset(shape, 1);
                board.iter().enumerate().for_each(|(cell, &digit)| batch.set_code(0, cell, digit.into()));
                let mut text = crate::formats::Text::new();
                let form = in_alphabet(shape, alphabet);
                let out = StringsOut { text: &mut text, gap: 0, ends: &mut [0; 64] };
                assert_eq!(encode(form, &batch, out), 1);
                let text = String::from_utf8(text.as_slice().to_vec()).unwrap();
                let want: Vec<u32> = board.iter().map(|&digit| digit.into()).collect();
                for from in [None, Some(Format::Plain)] {
                    assert_eq!(digits(&text, from, &hints(alphabet)).unwrap(), want, "{alphabet} {side}: {text}");
                    // The alphabet is found, too: no other has its signs, or a digit stands twice in a house.
                    let found = digits(&text, from, &Hints::default());
                    assert_eq!(found.unwrap(), want, "{alphabet} {side}: {text}");
                }
                for end in 0..text.len() {
                    let _ = digits(&text[..end], Some(Format::Plain), &Hints::default());
                }
            }
        }
    }

    #[test]
    fn what_two_alphabets_read_differently_is_refused_until_one_is_chosen() {
        // A to C are 10 to 12 as digits, 1 to 3 as letters.
        let text = format!("ABC{}", ".".repeat(253));
        let error = digits(&text, None, &Hints::default()).unwrap_err();
        assert_eq!(error.code, Code::Ambiguous, "{}", error.message);
        assert!(error.message.contains("digits and letters"), "{}", error.message);
        assert_eq!(digits(&text, None, &hints(Layout::Letters)).unwrap()[..4], [1, 2, 3, 0]);
        assert_eq!(digits(&text, None, &hints(Layout::Digits)).unwrap()[..4], [10, 11, 12, 0]);
        assert_eq!(digits(&text, None, &hints(Layout::Ascii)).unwrap_err().code, Code::Digit);
        // With a 0 among blanks of another sign, 0 is a digit.
        let text = format!("0AB{}", ".".repeat(253));
        assert_eq!(digits(&text, None, &Hints::default()).unwrap()[..4], [16, 10, 11, 0]);
    }

    #[test]
    fn what_is_no_board_is_not_read() {
        let many = [
            "0123456789abcdef".repeat(4),
            "0123456789abcdef".repeat(16),
            "01".repeat(32),
            "-".repeat(36),
            ".".repeat(64),
            format!("1{}", "0".repeat(35)),
            "12345678".repeat(8),
            "ACGT".repeat(64),
            "550e8400-e29b-41d4-a716-446655440000".into(),
            "1 2 3 4 5 6 ".repeat(6).trim_end().into(),
        ];
        for text in many {
            assert!(read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default()).is_err(), "{text}");
        }
        let error =
            read_one(b"1000003002000004", Some(Format::Plain), &Hints::default(), &Evidence::default()).unwrap_err();
        assert_eq!((error.code, error.message.contains("side 4")), (Code::Unsupported, true), "{}", error.message);
    }

    #[test]
    fn numbers_between_separators_are_read() {
        let side = Side::new(16).unwrap();
        let mut board = solved(side);
        board[7] = 0;
        for separator in [",", ", ", " ", "\t", ";"] {
            let text = board.iter().map(u8::to_string).collect::<Vec<_>>().join(separator);
            let want: Vec<u32> = board.iter().map(|&digit| digit.into()).collect();
            assert_eq!(digits(&text, None, &Hints::default()).unwrap(), want);
            let one = read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default()).unwrap();
            let written = write_one(&one.batch, 0, Format::Plain).unwrap();
            assert_eq!(digits(&written, None, &Hints::default()).unwrap(), want);
        }
        let mut numbers = vec!["0"; 256];
        numbers[3] = "17";
        let error = digits(&numbers.join(","), Some(Format::Plain), &Hints::default()).unwrap_err();
        assert_eq!((error.code, error.cell.map(|cell| (cell.row, cell.column))), (Code::Range, Some((1, 4))));
    }
}
