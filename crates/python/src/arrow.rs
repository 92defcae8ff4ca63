//! Columns in and out, by the C interfaces of Arrow.

#![allow(unsafe_code)] // pointers of the C interfaces

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use arrow_array::builder::StringBuilder;
use arrow_array::ffi::{FFI_ArrowArray, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, make_array};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};
use std::sync::Arc;

use crate::call::{InternalError, wrong};

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// A column of somebody.
pub(crate) struct Imported {
    /// Its chunks.
    pub(crate) chunks: Vec<ArrayRef>,
    /// Their type.
    pub(crate) data_type: DataType,
    /// It is an array, and not chunks.
    pub(crate) is_array: bool,
}

/// Imports anything that exports an array or a stream of arrays; else a sequence of strings.
pub(crate) fn import(strings: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let py = strings.py();
    let of_array = pyo3::intern!(py, "__arrow_c_array__");
    if strings.hasattr(of_array)? {
        return import_array(&strings.call_method0(of_array)?);
    }
    let of_stream = pyo3::intern!(py, "__arrow_c_stream__");
    if strings.hasattr(of_stream)? {
        return import_stream(&strings.call_method0(of_stream)?);
    }
    import_sequence(strings)
}

fn import_array(exported: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let exported = exported.cast::<PyTuple>()?;
    let (schema, array) =
        (exported.get_item(0)?.cast_into::<PyCapsule>()?, exported.get_item(1)?.cast_into::<PyCapsule>()?);
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold such structures, by the Arrow PyCapsule interface, and `exported` keeps them. The array is
    // moved out of its capsule, which is left released; the schema stays there, and is only read. That the array is as its
    // schema says is for who exported it to see to.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    let array = make_array(data.map_err(unreadable)?);
    Ok(Imported { data_type: array.data_type().clone(), chunks: vec![array], is_array: true })
}

fn import_stream(exported: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let stream = exported.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream, by the Arrow PyCapsule interface, and is left released. That its arrays are as its
    // schema says is for who exported it to see to.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) }.map_err(unreadable)?;
    let data_type = reader.field().data_type().clone();
    let chunks = reader.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    Ok(Imported { chunks, data_type, is_array: false })
}

/// Bytes of a column of `string`, at most.
const MOST: usize = i32::MAX as usize;

fn import_sequence(strings: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let needed = || {
        let name = strings.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("a column of strings, or a sequence of str and None is needed, not {name}"))
    };
    if strings.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("a sequence of strings is needed, not one str; put it in a list"));
    }
    let (mut builder, mut bytes) = (StringBuilder::new(), 0);
    for (row, string) in strings.try_iter().map_err(|_| needed())?.enumerate() {
        let string = string?;
        if string.is_none() {
            builder.append_null();
            continue;
        }
        let Ok(string) = string.cast::<PyString>() else {
            let name = string.get_type().name()?;
            return Err(PyTypeError::new_err(format!("row {row} is of type {name}, not str or None")));
        };
        let string = string.to_str()?;
        bytes += string.len();
        if bytes > MOST {
            return Err(PyOverflowError::new_err("a sequence of strings may have 2 GiB; use a column of large_string"));
        }
        builder.append_value(string);
    }
    Ok(Imported { chunks: vec![Arc::new(builder.finish())], data_type: DataType::Utf8, is_array: true })
}

fn unreadable(error: ArrowError) -> PyErr {
    wrong(format!("the column cannot be read: {error}"))
}

fn unwritable(error: ArrowError) -> PyErr {
    InternalError::new_err(error.to_string())
}

/// Exports the schema of a type.
pub(crate) fn export_schema<'py>(py: Python<'py>, of: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(of).map_err(unwritable)?, SCHEMA)
}

/// Exports an array with its schema.
pub(crate) fn export_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(unwritable)?;
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// Exports chunks of a type as a stream.
pub(crate) fn export_stream<'py>(
    py: Python<'py>,
    chunks: Vec<ArrayRef>,
    of: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    let chunks = Box::new(ExportedChunks { chunks: chunks.into_iter(), data_type: of.clone() });
    let (schema, next): (GetSchema, GetNext) = (get_schema, get_next);
    // SAFETY: the functions are those below, which take a stream whose private data are such a box; `release` frees it once. Chunks may
    // be sent to other threads, as the capsule may.
    let stream = unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(schema),
            Some(next),
            Some(get_last_error),
            Some(release),
            Box::into_raw(chunks).cast(),
        )
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

type GetSchema = unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut FFI_ArrowSchema) -> c_int;
type GetNext = unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut FFI_ArrowArray) -> c_int;

/// What a stream has yet to give.
struct ExportedChunks {
    chunks: std::vec::IntoIter<ArrayRef>,
    data_type: DataType,
}

/// EINVAL: what the interface has for what cannot be exported.
const INVALID: c_int = 22;

/// # Safety
/// `stream` is one of [`export_stream`] that is not released, `to` may be written.
unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, to: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the private data of such a stream are this, and nobody else has them meanwhile.
    let chunks = unsafe { &mut *(*stream).private_data().cast::<ExportedChunks>() };
    let Ok(schema) = FFI_ArrowSchema::try_from(&chunks.data_type) else { return INVALID };
    // SAFETY: as above; what is there is not to be dropped.
    unsafe { ptr::write(to, schema) };
    0
}

/// # Safety
/// As [`get_schema`].
unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, to: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    let chunks = unsafe { &mut *(*stream).private_data().cast::<ExportedChunks>() };
    // After the last one, one that is released.
    let array = chunks.chunks.next().map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data()));
    // SAFETY: as in `get_schema`.
    unsafe { ptr::write(to, array) };
    0
}

/// # Safety
/// Always safe.
unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

/// # Safety
/// `stream` is one of [`export_stream`]; after this it is released.
unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: a stream is released once, and its private data are a box that nobody else has.
    unsafe {
        drop(Box::from_raw((*stream).set_private_data(ptr::null_mut::<c_void>()).cast::<ExportedChunks>()));
        (*stream).set_release(None);
    }
}
