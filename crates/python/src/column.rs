//! The classes of columns that functions return when they cannot return a column of the caller's library. The others
//! are converted from them.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt8Type, UInt32Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::arrow::{export_array, export_schema, export_stream};
use crate::call::InternalError;

/// A column: an array that exports itself through the Arrow PyCapsule interface, and is a sequence of its values.
#[pyclass(frozen, module = "gridmill", name = "Column")]
pub(crate) struct PyColumn {
    array: ArrayRef,
    field: Field,
}

/// The chunks of a column: a stream of arrays that exports itself through the Arrow PyCapsule interface.
#[pyclass(frozen, module = "gridmill", name = "Columns")]
pub(crate) struct PyColumns {
    chunks: Vec<ArrayRef>,
    field: Field,
}

impl PyColumn {
    pub(crate) fn new(array: ArrayRef) -> Self {
        let field = Field::new("", array.data_type().clone(), true);
        Self { array, field }
    }

    /// An array with this field.
    pub(crate) fn with_field(array: ArrayRef, field: Field) -> Self {
        Self { array, field }
    }
}

impl PyColumns {
    pub(crate) fn new(chunks: Vec<ArrayRef>, field: Field) -> Self {
        Self { chunks, field }
    }
}

#[pymethods]
impl PyColumn {
    /// The array and its type, as capsules of Arrow's C data interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The protocol permits ignoring this; the caller sees the actual type.
        let _ = requested_schema;
        export_array(py, &self.array, &self.field)
    }

    /// The type, as a capsule of Arrow's C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &self.field)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let row = if index < 0 { index + self.array.len() as isize } else { index };
        match usize::try_from(row) {
            Ok(row) if row < self.array.len() => value(py, &self.array, row),
            _ => Err(PyIndexError::new_err(format!("row {index} of {}", self.array.len()))),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<gridmill.Column of {}: {} rows, {} null>",
            self.array.data_type(),
            self.array.len(),
            self.array.null_count()
        )
    }
}

#[pymethods]
impl PyColumns {
    /// The chunks, as a capsule of Arrow's C stream interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol permits ignoring this; the caller sees the actual type.
        let _ = requested_schema;
        export_stream(py, self.chunks.clone(), &self.field)
    }

    /// The type, as a capsule of Arrow's C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &self.field)
    }

    /// The chunks.
    #[getter]
    fn chunks(&self) -> Vec<PyColumn> {
        self.chunks.iter().map(|chunk| PyColumn::with_field(chunk.clone(), self.field.clone())).collect()
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        let rows: usize = self.__len__();
        format!("<gridmill.Columns of {}: {} chunks, {rows} rows>", self.field.data_type(), self.chunks.len())
    }
}

/// Returns a value of an array. It supports the types of the columns in this crate.
fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Utf8View => array.as_string_view().value(row).into_pyobject(py)?.into_any(),
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            return value(py, dictionary.values(), dictionary.normalized_keys()[row]);
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let values = (0..items.len()).map(|item| value(py, &items, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_any()
        }
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), value(py, column, row)?)?;
            }
            dict.into_any()
        }
        other => return Err(InternalError::new_err(format!("a column of {other}"))),
    })
}
