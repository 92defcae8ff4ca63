"""Columns given back like what was given.

Nothing is imported here that was not met: who passes a Series of pandas has imported pandas.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from gridmill._gridmill import Column, Columns

Back = Callable[[Any], Any]


def given(strings: Any) -> tuple[Any, Back]:
    """What the compiled part takes for a column, and what makes something like the column of what it gives."""
    package = type(strings).__module__.partition(".")[0]
    if package == "polars" and isinstance(strings, sys.modules["polars"].Series):
        polars = sys.modules["polars"]
        # Without a string, a column may have a type of its own, here and below.
        read = strings.cast(polars.String) if strings.dtype == polars.Null else strings
        if isinstance(strings.dtype, polars.Object):
            read = strings.to_list()

        def back_to_polars(column: Any) -> Any:
            new = polars.Series(column).alias(strings.name)
            if isinstance(strings.dtype, polars.Enum) and new.dtype == polars.Categorical:
                # Old categories are no values of the new Series. New ones are in the order of the old.
                of_code = dict(sorted(zip(strings.to_physical().drop_nulls(), new.filter(strings.is_not_null()), strict=True)))
                return new.cast(polars.Enum(unique(of_code.values())))
            return new

        return read, back_to_polars
    if package == "pandas" and isinstance(strings, sys.modules["pandas"].Series):
        return of_pandas(strings)
    if package == "pyarrow" and str(getattr(strings, "type", None)) == "null":
        if not hasattr(strings, "chunks"):
            return strings.cast("string"), arrow
        # Cast by itself, a ChunkedArray loses empty chunks.
        chunks = [chunk.cast("string") for chunk in strings.chunks]
        return sys.modules["pyarrow"].chunked_array(chunks, "string"), arrow
    if package == "pyarrow" and isinstance(of := getattr(strings, "type", None), sys.modules["pyarrow"].BaseExtensionType):
        return of_extension(strings, of)
    return strings, arrow


def of_extension(strings: Any, of: Any) -> tuple[Any, Back]:
    """A column of an extension type of pyarrow: strings of the type that it is stored as come back as ones of the extension."""
    import pyarrow

    def wrapped(array: Any) -> Any:
        return pyarrow.ExtensionArray.from_storage(of, array)

    def back(column: Column | Columns) -> Any:
        new = arrow(column)
        # New strings are no JSON.
        if new.type != of.storage_type or of.extension_name == "arrow.json":
            return new
        return wrapped(new) if isinstance(column, Column) else pyarrow.chunked_array([wrapped(chunk) for chunk in new.chunks], of)

    if not hasattr(strings, "chunks"):
        return strings.storage, back
    return pyarrow.chunked_array([chunk.storage for chunk in strings.chunks], of.storage_type), back


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
            if nullable := _nullable(values):
                dtype = nullable if None in values else None
                return pandas.Series(values, index=series.index, name=series.name, dtype=dtype)
            dtype = series.dtype
            if isinstance(dtype, pandas.CategoricalDtype):
                # Old categories are no values of the new Series. New ones are in the order of the old.
                of_code = dict(sorted(zip(series.cat.codes, values, strict=True)))
                dtype = pandas.CategoricalDtype(unique(of_code.values()), dtype.ordered)
            return pandas.Series(values, index=series.index, name=series.name, dtype=dtype)

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
        if pyarrow.types.is_boolean(new.type) or pyarrow.types.is_integer(new.type):
            nullable = "boolean" if pyarrow.types.is_boolean(new.type) else "Int64"
            values = pandas.array(new.to_pylist(), dtype=nullable) if new.null_count else new.to_pandas().array
            return pandas.Series(values, index=series.index, name=series.name)
        if isinstance(dtype, pandas.ArrowDtype):
            # The same type, but for binary strings, which become strings.
            chunks = new if isinstance(new, pyarrow.ChunkedArray) else pyarrow.chunked_array([new])
            values = pandas.arrays.ArrowExtensionArray(chunks)
        elif isinstance(dtype, pandas.CategoricalDtype):
            values = categorical(new, dtype)
        elif hasattr(dtype, "__from_arrow__"):
            values = dtype.__from_arrow__(new)
        else:
            values = new.to_pylist()
        # Of objects the dtype has to be said: else strings become one of their own.
        said = dtype if dtype == object else None
        return pandas.Series(values, index=series.index, name=series.name, dtype=said)

    try:
        array = pyarrow.array(series, from_pandas=True)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        array = None
    if series.dtype == object and (array is None or not _is_of_strings(array.type)):
        missing = series.isna()
        for row, (value, gone) in enumerate(zip(series, missing, strict=True)):
            if not gone and not isinstance(value, str | bytes):
                raise TypeError(f"row {row} is of type {type(value).__name__}, not str or None")
    if array is None:
        # Strings beside bytes.
        array = pyarrow.array([value.encode() if isinstance(value, str) else value for value in series], pyarrow.binary(), from_pandas=True)
    is_empty = isinstance(series.dtype, pandas.CategoricalDtype) and series.cat.categories.empty
    if is_empty or array.type == pyarrow.null():
        return pyarrow.nulls(len(series), pyarrow.string()), back
    return array, back


def _nullable(values: Any) -> str | None:
    """The dtype of pandas for numbers or truths, which may be missing; None if they are strings."""
    first = next((value for value in values if value is not None), None)
    return {bool: "boolean", int: "Int64"}.get(type(first))


def _is_of_strings(of: Any) -> bool:
    """Whether a type of pyarrow is one of strings."""
    return str(of) in ("string", "large_string", "binary", "large_binary", "null")


def categorical(column: Any, dtype: Any) -> Any:
    """A column of pyarrow's as a Categorical, with the old order of categories. Refused categories are gone, and equal ones are one."""
    import numpy
    import pandas

    if not hasattr(column, "dictionary"):  # only nulls
        column = column.dictionary_encode()
    strings = column.dictionary.to_pylist()
    categories = {string: code for code, string in enumerate(unique(strings))}
    # The last one is for rows that are null, whose code is -1.
    codes = numpy.array([categories.get(string, -1) for string in [*strings, None]])
    rows = codes[column.indices.fill_null(-1).to_numpy(zero_copy_only=False)]
    names = pandas.Index(list(categories), dtype=dtype.categories.dtype)
    return pandas.Categorical.from_codes(rows, categories=names, ordered=dtype.ordered)


def unique(strings: Iterable[str | None]) -> list[str]:
    """The strings that are not null, each once, in order."""
    return list(dict.fromkeys(string for string in strings if string is not None))
