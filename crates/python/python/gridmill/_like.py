"""Columns given back like what was given.

Nothing is imported here that was not met: who passes a Series of pandas has imported pandas.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from gridmill._gridmill import Column, Columns

Back = Callable[[Any], Any]


def given(strings: Any) -> tuple[Any, Back]:
    """What the compiled part takes for a column, and what makes something like the column of what it gives."""
    package = type(strings).__module__.partition(".")[0]
    if package == "polars" and isinstance(strings, sys.modules["polars"].Series):
        series = sys.modules["polars"].Series
        return strings, lambda column: series(column).alias(strings.name)
    if package == "pandas" and isinstance(strings, sys.modules["pandas"].Series):
        return of_pandas(strings)
    return strings, arrow


def arrow(column: Any) -> Any:
    """A column as pyarrow's, if that can be imported."""
    try:
        import pyarrow
    except ImportError:
        return column
    return (pyarrow.array if isinstance(column, Column) else pyarrow.chunked_array)(column)


def table(column: Column) -> Any:
    """A column of structs as a table of pyarrow's, if that can be imported."""
    try:
        import pyarrow
    except ImportError:
        return column
    return pyarrow.table(column)


def of_pandas(series: Any) -> tuple[Any, Back]:
    """A Series of pandas: strings come back as one of the same dtype and index, structs as a DataFrame of that index."""
    pandas = sys.modules["pandas"]
    try:
        import pyarrow
    except ImportError:
        missing = series.isna()
        strings = [None if gone else string for string, gone in zip(series, missing, strict=True)]

        def back_from_python(column: Any) -> Any:
            values = list(column)
            if values and isinstance(values[0], dict):
                return pandas.DataFrame(values, index=series.index)
            return pandas.Series(values, index=series.index, name=series.name, dtype=series.dtype)

        return strings, back_from_python

    def back(column: Column | Columns) -> Any:
        new = arrow(column)
        if pyarrow.types.is_struct(new.type):
            names = new.type.names
            parts = new.flatten()
            return pandas.DataFrame(
                {name: part.to_pandas().array for name, part in zip(names, parts, strict=True)}, index=series.index
            )
        dtype = series.dtype
        if isinstance(dtype, pandas.ArrowDtype):
            # The same type, but for binary strings, which become strings.
            chunks = new if isinstance(new, pyarrow.ChunkedArray) else pyarrow.chunked_array([new])
            values = pandas.arrays.ArrowExtensionArray(chunks)
        elif hasattr(dtype, "__from_arrow__"):
            values = dtype.__from_arrow__(new)
        elif pyarrow.types.is_dictionary(new.type):
            values = new.to_pandas().array
        else:
            values = new.to_pylist()
        # Of objects the dtype has to be said: else strings become one of their own.
        said = dtype if dtype == object else None
        return pandas.Series(values, index=series.index, name=series.name, dtype=said)

    return pyarrow.array(series, from_pandas=True), back
