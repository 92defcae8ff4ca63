//! The compiled part of the Python package `gridmill`. Columns are exchanged through Arrow's C data interface, arrays
//! through Python's buffers, and the work is done without the interpreter's lock. What users see is in
//! `python/gridmill/`.

mod about;
mod arrow;
mod call;
mod column;
mod evidence;
mod numbers;
mod puzzles;
mod strings;

use pyo3::prelude::*;

#[pymodule]
mod _gridmill {
    #[pymodule_export]
    use crate::about::{formats, kernels};
    #[pymodule_export]
    use crate::call::InternalError;
    #[pymodule_export]
    use crate::column::{PyColumn, PyColumns};
    #[pymodule_export]
    use crate::evidence::PyEvidence;
    #[pymodule_export]
    use crate::numbers::{from_numpy, r#gen, to_numpy};
    #[pymodule_export]
    use crate::puzzles::{canonical, duplicates};
    #[pymodule_export]
    use crate::strings::{convert, detect, evidence, facts, solve, validate};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
