//! Lists the formats and kernels.

use gridmill_core::formats::REGISTRY;
use gridmill_core::kernels as core_kernels;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::call::kernel;

/// Returns the formats, as a list of dicts.
#[pyfunction]
pub(crate) fn formats(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    for about in REGISTRY.map(|format| format.about()) {
        let layouts = PyList::empty(py);
        for layout in about.layouts {
            let one = PyDict::new(py);
            one.set_item("kinds", layout.kinds)?;
            one.set_item("body", layout.body)?;
            one.set_item("length", layout.length)?;
            layouts.append(one)?;
        }
        let format = PyDict::new(py);
        format.set_item("name", about.name)?;
        format.set_item("summary", about.description())?;
        format.set_item("layouts", layouts)?;
        all.append(format)?;
    }
    Ok(all)
}

/// Returns the names of the kernels: those compiled in, those that this machine can run, and the one in use.
#[pyfunction]
pub(crate) fn kernels(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("compiled", core_kernels::compiled().to_vec())?;
    dict.set_item("usable", core_kernels::available().iter().map(|kernel| kernel.name).collect::<Vec<_>>())?;
    dict.set_item("used", kernel()?.name)?;
    Ok(dict)
}
