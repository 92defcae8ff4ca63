//! Imports and exports columns through the C interfaces of Arrow.

#![expect(unsafe_code)] // pointers of the C interfaces

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::ffi::FFI_ArrowArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field};
use gridmill_columns::exchange::{stream_of, take_array, take_stream};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};

use crate::call::{InternalError, value_error};

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// A column that a caller has passed.
pub(crate) struct ImportedColumn {
    /// Its chunks.
    pub(crate) chunks: Vec<ArrayRef>,
    /// Their type, with what else is said about it.
    pub(crate) field: Field,
    /// It was passed as an array, not as chunks.
    pub(crate) is_array: bool,
}

/// Imports any object that exports an array or a stream of arrays, or else a sequence of strings.
pub(crate) fn import(strings: &Bound<'_, PyAny>) -> PyResult<ImportedColumn> {
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

fn import_array(exported: &Bound<'_, PyAny>) -> PyResult<ImportedColumn> {
    let exported = exported.cast::<PyTuple>()?;
    let (schema, array) =
        (exported.get_item(0)?.cast_into::<PyCapsule>()?, exported.get_item(1)?.cast_into::<PyCapsule>()?);
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: by the Arrow PyCapsule interface, capsules of these names contain such structures, and `exported` keeps
    // them alive. The exporter is responsible for the array matching its schema.
    let (array, field) = unsafe { take_array(array.as_ptr(), schema.as_ptr()) }.map_err(read_error)?;
    Ok(ImportedColumn { field, chunks: vec![array], is_array: true })
}

fn import_stream(exported: &Bound<'_, PyAny>) -> PyResult<ImportedColumn> {
    let stream = exported.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by the Arrow PyCapsule interface, a capsule of this name contains a stream. The exporter is responsible
    // for its arrays matching its schema.
    let (chunks, field) = unsafe { take_stream(stream.as_ptr()) }.map_err(read_error)?;
    Ok(ImportedColumn { chunks, field, is_array: false })
}

/// The maximum number of bytes in a column of type `string`.
const MAX_BYTES: usize = i32::MAX as usize;

fn import_sequence(strings: &Bound<'_, PyAny>) -> PyResult<ImportedColumn> {
    let needed = || {
        let name = strings.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("expected a column of strings, or a sequence of str and None, not {name}"))
    };
    if strings.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a sequence of strings, not one str; put it in a list"));
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
        if bytes > MAX_BYTES {
            return Err(PyOverflowError::new_err(
                "a sequence of strings can have at most 2 GiB; use a column of large_string",
            ));
        }
        builder.append_value(string);
    }
    let field = Field::new("", DataType::Utf8, true);
    Ok(ImportedColumn { chunks: vec![Arc::new(builder.finish())], field, is_array: true })
}

fn read_error(error: ArrowError) -> PyErr {
    value_error(format!("the column cannot be read: {error}"))
}

fn export_error(error: ArrowError) -> PyErr {
    InternalError::new_err(error.to_string())
}

/// Exports a field as a schema.
pub(crate) fn export_schema<'py>(py: Python<'py>, of: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(of).map_err(export_error)?, SCHEMA)
}

/// Exports an array with its schema.
pub(crate) fn export_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
    of: &Field,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let schema = export_schema(py, of)?;
    Ok((schema, PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)?))
}

/// Exports chunks with this field as a stream.
pub(crate) fn export_stream<'py>(
    py: Python<'py>,
    chunks: Vec<ArrayRef>,
    of: &Field,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, stream_of(chunks, of), STREAM)
}
