//! Boards as arrays of numbers, in memory of NumPy's, and boards out of a seed.

#![allow(unsafe_code)] // memory of Python's buffers

use std::slice;

use arrow_array::ArrayRef;
use gridmill_columns::{Boards, Cells, Error, Session, Values, What, generate, write_boards};
use gridmill_core::board::Shape;
use gridmill_core::formats::Id;
use gridmill_core::make::{Clues, Maker, Mix};
use gridmill_core::{Kind, Side};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::arrow::import;
use crate::call::{FirstRefused, Reading, first_refused, wrong};
use crate::column::Column;
use crate::strings::new_type;

/// Boards as an array that is given, or made by `numpy.empty(shape, dtype)`; and the first row that has no board.
#[pyfunction]
pub(crate) fn to_numpy<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: Reading<'py>,
    what: &str,
    out: Option<Bound<'py, PyAny>>,
    empty: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Option<FirstRefused>)> {
    let what = What::ALL.iter().find(|(name, _)| *name == what).map(|&(_, what)| what).ok_or_else(|| {
        let names: Vec<_> = What::ALL.iter().map(|(name, _)| *name).collect();
        wrong(format!("what must be one of {}, not '{what}'", names.join(", ")))
    })?;
    let conversion = reading.conversion()?;
    let column = import(strings)?;
    new_type(&column.data_type)?;
    let (rows, side) = reading.detached(py, conversion, false, |session| {
        let boards = Boards::of(&column.chunks, session)?;
        Ok((boards.len(), boards.side()))
    })?;
    let (shape, width) = ([rows, side.cells()], what.width(side));
    let is_bool = matches!(what, What::Given | What::Black);
    let dtype = if is_bool { "bool" } else { ["uint8", "uint16", "", "uint32"][width - 1] };
    let array = match out {
        Some(out) => out,
        None => empty.call1((shape, dtype))?,
    };
    let buffer = PyUntypedBuffer::get(&array)?;
    let format = buffer.format().to_bytes();
    let fits = format == (if is_bool { b"?" } else { [b"B", b"H", b" ", b"I"][width - 1] });
    if !fits || buffer.shape() != shape || !buffer.is_c_contiguous() || buffer.readonly() {
        let words =
            format!("out must be a writable array in C order, of shape ({rows}, {}) and type {dtype}", side.cells());
        return Err(wrong(words));
    }
    // SAFETY: the buffer is held until the work is done, so its memory stays where it is; it is writable, in one piece, and has so many
    // numbers of this width. Of a type `bool` they are written as 0 and 1. That nobody else uses the array meanwhile is for the
    // caller to see to, as of any array that is filled.
    let done = unsafe {
        let numbers = Memory { start: buffer.buf_ptr().cast(), len: rows * side.cells() };
        reading.detached(py, conversion, false, move |session| {
            let boards = Boards::of(&column.chunks, session)?;
            let read = boards.read(what, numbers.values(width));
            Ok(match read {
                Err(Error::Refused(refused)) => first_refused(&refused),
                other => other.map(|()| None)?,
            })
        })?
    };
    buffer.release(py);
    Ok((array, done))
}

/// Numbers of an array.
struct Memory {
    start: *mut u8,
    len: usize,
}

// SAFETY: who makes one sees to it that nobody else uses the memory.
unsafe impl Send for Memory {}

impl Memory {
    /// As numbers of a width.
    ///
    /// # Safety
    /// There are so many numbers of that width, nobody else uses them, and they are there for as long as this is.
    unsafe fn values<'a>(self, width: usize) -> Values<'a> {
        let Self { start, len } = self;
        if len == 0 {
            // An array of nothing may be nowhere.
            return match width {
                1 => Values::Small(&mut []),
                2 => Values::Medium(&mut []),
                _ => Values::Large(&mut []),
            };
        }
        // SAFETY: as the caller promises; arrays of NumPy's are aligned where their buffers can be had.
        unsafe {
            match width {
                1 => Values::Small(slice::from_raw_parts_mut(start, len)),
                2 => Values::Medium(slice::from_raw_parts_mut(start.cast(), len)),
                _ => Values::Large(slice::from_raw_parts_mut(start.cast(), len)),
            }
        }
    }
}

/// Arrays of the cells of boards, as bytes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Arrays<'py> {
    digits: Bound<'py, PyAny>,
    given: Bound<'py, PyAny>,
    masks: Option<Bound<'py, PyAny>>,
    regions: Option<Bound<'py, PyAny>>,
    kind: String,
    side: usize,
    to: String,
}

/// Boards of arrays as strings; and the first that is refused.
#[pyfunction]
pub(crate) fn from_numpy<'py>(
    py: Python<'py>,
    reading: Reading<'py>,
    arrays: Arrays<'py>,
) -> PyResult<(Option<Column>, Option<FirstRefused>)> {
    let shape = shape(&arrays.kind, arrays.side)?;
    let to = arrays.to.parse::<Id>().map_err(wrong)?;
    let (digits, given) = (Held::of(&arrays.digits, b"B")?, Held::of(&arrays.given, b"?")?);
    let masks = arrays.masks.as_ref().map(|masks| Held::of(masks, b"I")).transpose()?;
    let regions = arrays.regions.as_ref().map(|regions| Held::of(regions, b"B")).transpose()?;
    let conversion = reading.conversion()?;
    // SAFETY: the buffers are held until the work is done, are in one piece, and have numbers of these types. That nobody changes the
    // arrays meanwhile is for the caller to see to, as of any array that is read. NumPy's `bool` is 0 or 1.
    let cells = unsafe {
        Cells {
            digits: digits.numbers::<u8>(),
            given: given.numbers::<bool>(),
            masks: masks.as_ref().map_or(&[], |masks| masks.numbers::<u32>()),
            regions: regions.as_ref().map_or(&[], |regions| regions.numbers::<u8>()),
        }
    };
    let done = reading.detached(py, conversion, false, |session| match write_boards(cells, shape, to, session) {
        Err(Error::Refused(refused)) => Ok((Vec::new(), first_refused(&refused))),
        done => done.map(|chunks| (chunks, None)),
    });
    let (chunks, refused) = done?;
    match refused {
        Some(refused) => Ok((None, Some(refused))),
        None => Ok((Some(only(chunks)?), None)),
    }
}

/// The buffer of an array in one piece.
struct Held(PyUntypedBuffer);

impl Held {
    fn of(array: &Bound<'_, PyAny>, format: &[u8]) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(array)?;
        if !buffer.is_c_contiguous() || buffer.format().to_bytes() != format {
            return Err(PyTypeError::new_err("expected an array in C order, of the requested type"));
        }
        Ok(Self(buffer))
    }

    /// What is in it.
    ///
    /// # Safety
    /// The array has numbers of this type, and nobody changes them meanwhile.
    unsafe fn numbers<T>(&self) -> &[T] {
        match self.0.item_count() {
            // An array of nothing may be nowhere.
            0 => &[],
            // SAFETY: as the caller promises; the buffer is in one piece.
            count => unsafe { slice::from_raw_parts(self.0.buf_ptr().cast(), count) },
        }
    }
}

/// The shape of boards of a kind and a side.
fn shape(kind: &str, side: usize) -> PyResult<Shape> {
    let kind = kind.parse::<Kind>().map_err(wrong)?;
    let side = Side::new(side).ok_or_else(|| {
        let sides: Vec<_> = Side::all().map(|side| side.to_string()).collect();
        wrong(format!("sides are {}, not {side}", sides.join(", ")))
    })?;
    Ok(Shape::new(kind, side))
}

/// A column of one array.
fn only(mut chunks: Vec<ArrayRef>) -> PyResult<Column> {
    match (chunks.pop(), chunks.is_empty()) {
        (Some(chunk), true) => Ok(Column::new(chunk)),
        _ => Err(PyOverflowError::new_err(
            "the strings have more than the 2 GiB of an array of type string; make them in parts",
        )),
    }
}

/// What boards are made.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Making {
    count: u64,
    kind: String,
    side: usize,
    format: String,
    seed: u64,
    start: u64,
    unique: bool,
    minimal: bool,
    mix: String,
}

/// Boards out of a seed.
#[pyfunction]
pub(crate) fn r#gen(py: Python<'_>, reading: Reading<'_>, making: Making) -> PyResult<Column> {
    let shape = shape(&making.kind, making.side)?;
    let mix = making.mix.parse::<Mix>().map_err(wrong)?;
    let to = making.format.parse::<Id>().map_err(wrong)?;
    let clues = match (making.unique, making.minimal) {
        (true, true) => Some(Clues::Minimal),
        (true, false) => Some(Clues::Drawn),
        (false, false) => None,
        (false, true) => return Err(wrong("minimal=True needs unique=True")),
    };
    let end = making.start.checked_add(making.count).ok_or_else(|| wrong("there are not that many boards"))?;
    let conversion = reading.conversion()?;
    let chunks = reading.detached(py, conversion, false, |session: &Session<'_>| {
        let maker = Maker::new(shape.kind, shape.side, mix, making.seed)?;
        generate(&maker, clues, making.start..end, to, session)
    })?;
    only(chunks)
}
