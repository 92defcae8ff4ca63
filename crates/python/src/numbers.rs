//! Converts boards to arrays of numbers in NumPy's memory and back, and generates boards from a seed.

#![expect(unsafe_code)] // memory of Python's buffers

use std::num::NonZeroU64;
use std::slice;

use arrow_array::ArrayRef;
use gridmill_columns::{BoardCells, Boards, CallError, CellValue, Session, Values, generate, write_boards};
use gridmill_core::board::Shape;
use gridmill_core::formats::Format;
use gridmill_core::make::{Clues, Maker, Mix};
use gridmill_core::{Kind, Side};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::arrow::import;
use crate::call::{FirstRefused, ReadArguments, first_refused, value_error};
use crate::column::PyColumn;
use crate::strings::new_type;

/// Reads boards into an array, which is given or made by `numpy.empty(shape, dtype)`. Returns it, and the first row
/// that has no board.
#[pyfunction]
pub(crate) fn to_numpy<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
    what: &str,
    out: Option<Bound<'py, PyAny>>,
    empty: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Option<FirstRefused>)> {
    let what = CellValue::ALL.iter().find(|(name, _)| *name == what).map(|&(_, what)| what).ok_or_else(|| {
        let names: Vec<_> = CellValue::ALL.iter().map(|(name, _)| *name).collect();
        value_error(format!("what must be one of {}, not '{what}'", names.join(", ")))
    })?;
    let conversion = reading.conversion()?;
    let column = import(strings)?;
    new_type(column.field.data_type())?;
    let (rows, side) = reading.detached(py, conversion, false, |session| {
        let boards = Boards::of(&column.chunks, session)?;
        Ok((boards.len(), boards.side()))
    })?;
    let (shape, width) = ([rows, side.cells()], what.width(side));
    let is_bool = matches!(what, CellValue::Given | CellValue::Black);
    let dtype = if is_bool { "bool" } else { ["uint8", "uint16", "", "uint32"][width - 1] };
    let array = match out {
        Some(out) => out,
        None => empty.call1((shape, dtype))?,
    };
    let buffer = PyUntypedBuffer::get(&array)?;
    let fits = has_type(&buffer, if is_bool { b"?" } else { [b"B", b"H", b" ", b"I"][width - 1] });
    if !fits || buffer.shape() != shape || !buffer.is_c_contiguous() || buffer.readonly() {
        let words =
            format!("out must be a writable array in C order, of shape ({rows}, {}) and type {dtype}", side.cells());
        return Err(value_error(words));
    }
    // SAFETY: the buffer is held until the work is done, so its memory stays in place. It is writable and contiguous,
    // and has this many numbers of this width. In an array of type `bool` they are written as 0 and 1. The caller is
    // responsible for not using the array meanwhile, as with any array that is being filled.
    let done = unsafe {
        let numbers = NumberBuffer { start: buffer.buf_ptr().cast(), len: rows * side.cells() };
        reading.detached(py, conversion, false, move |session| {
            let boards = Boards::of(&column.chunks, session)?;
            let read = boards.read(what, numbers.values(width));
            Ok(match read {
                Err(CallError::Refused(refused)) => first_refused(&refused),
                other => other.map(|()| None)?,
            })
        })?
    };
    buffer.release(py);
    Ok((array, done))
}

/// The numbers of an array.
struct NumberBuffer {
    start: *mut u8,
    len: usize,
}

// SAFETY: whoever makes a value of this type ensures that nobody else uses the memory.
unsafe impl Send for NumberBuffer {}

impl NumberBuffer {
    /// Returns the memory as numbers of this width.
    ///
    /// # Safety
    /// There are this many numbers of this width, nobody else uses them, and they remain valid for `'a`.
    unsafe fn values<'a>(self, width: usize) -> Values<'a> {
        let Self { start, len } = self;
        if len == 0 {
            // An empty array may have no valid address.
            return match width {
                1 => Values::Small(&mut []),
                2 => Values::Medium(&mut []),
                _ => Values::Large(&mut []),
            };
        }
        // SAFETY: as the caller promises. NumPy only exports buffers of aligned arrays.
        unsafe {
            match width {
                1 => Values::Small(slice::from_raw_parts_mut(start, len)),
                2 => Values::Medium(slice::from_raw_parts_mut(start.cast(), len)),
                _ => Values::Large(slice::from_raw_parts_mut(start.cast(), len)),
            }
        }
    }
}

/// Arrays that describe the cells of boards, as bytes.
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

/// Writes the boards of arrays as strings. Returns them, or the first board that is refused.
#[pyfunction]
pub(crate) fn from_numpy<'py>(
    py: Python<'py>,
    reading: ReadArguments<'py>,
    arrays: Arrays<'py>,
) -> PyResult<(Option<PyColumn>, Option<FirstRefused>)> {
    let shape = shape(&arrays.kind, arrays.side)?;
    let to = Format::to_write(&arrays.to).map_err(value_error)?;
    let (digits, given) = (ArrayBuffer::of(&arrays.digits, b"B")?, ArrayBuffer::of(&arrays.given, b"?")?);
    let masks = arrays.masks.as_ref().map(|masks| ArrayBuffer::of(masks, b"I")).transpose()?;
    let regions = arrays.regions.as_ref().map(|regions| ArrayBuffer::of(regions, b"B")).transpose()?;
    let conversion = reading.conversion()?;
    // SAFETY: the buffers are held until the work is done, are contiguous, and have numbers of these types. The caller
    // is responsible for not changing the arrays meanwhile, as with any array that is being read. NumPy's `bool` is 0
    // or 1.
    let cells = unsafe {
        BoardCells {
            digits: digits.numbers::<u8>(),
            given: given.numbers::<bool>(),
            masks: masks.as_ref().map_or(&[], |masks| masks.numbers::<u32>()),
            regions: regions.as_ref().map_or(&[], |regions| regions.numbers::<u8>()),
        }
    };
    let done = reading.detached(py, conversion, false, |session| match write_boards(cells, shape, to, session) {
        Err(CallError::Refused(refused)) => Ok((Vec::new(), first_refused(&refused))),
        done => done.map(|chunks| (chunks, None)),
    });
    let (chunks, refused) = done?;
    match refused {
        Some(refused) => Ok((None, Some(refused))),
        None => Ok((Some(single_column(chunks)?), None)),
    }
}

/// Whether the numbers of a buffer have a type, by its code in C. NumPy's `uint32` is `I`, or `L` where `unsigned long` has
/// four bytes, as on Windows.
fn has_type(buffer: &PyUntypedBuffer, code: &[u8]) -> bool {
    let format = buffer.format().to_bytes();
    format == code || code == b"I" && format == b"L" && buffer.item_size() == size_of::<u32>()
}

/// The buffer of a contiguous array.
struct ArrayBuffer(PyUntypedBuffer);

impl ArrayBuffer {
    fn of(array: &Bound<'_, PyAny>, format: &[u8]) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(array)?;
        if !buffer.is_c_contiguous() || !has_type(&buffer, format) {
            return Err(PyTypeError::new_err("expected an array in C order, of the requested type"));
        }
        Ok(Self(buffer))
    }

    /// Returns its contents.
    ///
    /// # Safety
    /// The array has numbers of this type, and nobody changes them meanwhile.
    unsafe fn numbers<T>(&self) -> &[T] {
        match self.0.item_count() {
            // An empty array may have no valid address.
            0 => &[],
            // SAFETY: as the caller promises; the buffer is contiguous.
            count => unsafe { slice::from_raw_parts(self.0.buf_ptr().cast(), count) },
        }
    }
}

/// Returns the shape of boards of this kind and side.
fn shape(kind: &str, side: usize) -> PyResult<Shape> {
    let kind = kind.parse::<Kind>().map_err(value_error)?;
    let side = Side::new(side).ok_or_else(|| {
        let sides: Vec<_> = Side::all().map(|side| side.to_string()).collect();
        value_error(format!("sides are {}, not {side}", sides.join(", ")))
    })?;
    Ok(Shape::new(kind, side))
}

/// Returns a column of a single array.
fn single_column(mut chunks: Vec<ArrayRef>) -> PyResult<PyColumn> {
    match (chunks.pop(), chunks.is_empty()) {
        (Some(chunk), true) => Ok(PyColumn::new(chunk)),
        _ => Err(PyOverflowError::new_err(
            "the strings have more than the 2 GiB of an array of type string; make them in parts",
        )),
    }
}

/// The arguments of `gen`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Making {
    count: u64,
    /// The kind and the side.
    shape: (String, usize),
    format: String,
    seed: u64,
    start: u64,
    unique: bool,
    minimal: bool,
    mix: String,
    grids: Option<u64>,
    open: u16,
}

/// Generates boards from a seed.
#[pyfunction]
pub(crate) fn r#gen(py: Python<'_>, reading: ReadArguments<'_>, making: Making) -> PyResult<PyColumn> {
    let shape = shape(&making.shape.0, making.shape.1)?;
    let mix = making.mix.parse::<Mix>().map_err(value_error)?;
    let to = Format::to_write(&making.format).map_err(value_error)?;
    let clues = match (making.unique, making.minimal) {
        (true, true) => Some(Clues::Minimal),
        (true, false) => Some(Clues::Drawn),
        (false, false) => None,
        (false, true) => return Err(value_error("minimal=True needs unique=True")),
    };
    let grids = match making.grids.map(NonZeroU64::new) {
        Some(None) => return Err(value_error("grids must be at least 1")),
        grids => grids.flatten(),
    };
    let end = making.start.checked_add(making.count).ok_or_else(|| value_error("there are not that many boards"))?;
    let conversion = reading.conversion()?;
    let chunks = reading.detached(py, conversion, false, |session: &Session<'_>| {
        let maker = Maker::new(shape.kind, shape.side, mix, making.seed)?.open(making.open)?;
        let maker = match grids {
            Some(grids) => maker.grids(grids),
            None => maker,
        };
        generate(&maker, clues, making.start..end, to, session)
    })?;
    single_column(chunks)
}
