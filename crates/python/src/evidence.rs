//! The class for evidence about layouts.

use gridmill_core::formats;
use gridmill_core::formats::Format;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The votes of strings for the layouts of their format. Evidence adds up: `a + b` is that of both columns.
#[pyclass(frozen, eq, from_py_object, module = "gridmill", name = "Evidence")]
#[derive(Clone, PartialEq)]
pub(crate) struct PyEvidence {
    pub(crate) votes: formats::Evidence,
}

#[pymethods]
impl PyEvidence {
    #[new]
    #[pyo3(signature = (numbers = None))]
    fn new(numbers: Option<Vec<u64>>) -> PyResult<Self> {
        let Some(numbers) = numbers else { return Ok(Self { votes: formats::Evidence::default() }) };
        let votes = formats::Evidence::of_numbers(&numbers);
        votes
            .map(|votes| Self { votes })
            .ok_or_else(|| PyValueError::new_err("these are not the numbers of an Evidence"))
    }

    /// The numbers that it consists of, for storage: `Evidence(numbers)` restores it.
    #[getter]
    fn numbers(&self) -> Vec<u64> {
        self.votes.to_numbers()
    }

    fn __add__(&self, other: &Self) -> Self {
        let mut votes = self.votes;
        votes.join(&other.votes);
        Self { votes }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Vec<u64>,)) {
        (py.get_type::<Self>(), (self.numbers(),))
    }

    fn __repr__(&self) -> String {
        let of = |id: Format| {
            let counts = self.votes.counts(id).map(|(layout, votes)| format!("{layout}={votes}"));
            counts.collect::<Vec<_>>().join(" ")
        };
        format!("<gridmill.Evidence v2: {}; v1: {}>", of(Format::V2), of(Format::V1))
    }
}
