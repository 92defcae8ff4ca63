"""Functions on pyarrow batches and tables with all their columns, for Ray Data, Spark's ``mapInArrow`` and the like.

Such engines process many batches in parallel, so each call uses one thread. A Str8ts string that does not reveal its layout is
rejected unless ``evidence=`` decides it.
"""

from __future__ import annotations

from typing import Any, Unpack

import gridmill
from gridmill._options import Comparing, Converting, Searching, Solving, Validating, converting

_ALONE: dict[str, Any] = {"evidence": False, "threads": 1}


def convert(batch: Any, *, column: str, to: str = "v2", new: str | None = None, **options: Unpack[Converting]) -> Any:
    """Convert a column of a RecordBatch or Table.

    :param batch: the batch.
    :param column: the name of the column.
    :param to: and the others: as for `gridmill.convert`, except ``errors="report"``, which is a ValueError.
    :param new: the name of a column to append; None to replace the old one.
    :returns: the batch with the new strings. A field that is replaced keeps its metadata, and that it has no nulls, unless ``errors="null"``.

    >>> import pyarrow as pa
    >>> convert(pa.table({"board": ["." * 81]}), column="board", to="plain", new="plain").column_names
    ['board', 'plain']
    """
    strings: Any = gridmill.convert(_column(batch, column), to, **{**_ALONE, **converting(options)})
    if new not in (None, column):
        return _append(batch, new, strings)
    number = batch.schema.get_field_index(column)
    old = batch.schema.field(number)
    # The same for all batches, whether or not they have such strings: they must have one schema.
    nullable = old.nullable or options.get("errors") == "null" or strings.null_count > 0
    return batch.set_column(number, old.with_type(strings.type).with_nullable(nullable), strings)


def solve(batch: Any, *, column: str, new: str = "solution", **options: Unpack[Solving]) -> Any:
    """Append the solutions of the puzzles in a column to a RecordBatch or Table, as a column named ``new``: see `gridmill.solve`.

    >>> import pyarrow as pa
    >>> solve(pa.table({"board": ["." * 81]}), column="board")["solution"].to_pylist()
    [None]
    """
    return _append(batch, new, gridmill.solve(_column(batch, column), **{**_ALONE, **options}))


def validate(batch: Any, *, column: str, new: str = "verdict", **options: Unpack[Validating]) -> Any:
    """Append the verdicts for a column to a RecordBatch or Table, as a column named ``new``: see `gridmill.validate`.

    >>> import pyarrow as pa
    >>> validate(pa.table({"board": ["11" + "." * 79]}), column="board")["verdict"][0].as_py()["code"]
    'duplicate'
    """
    return _append(batch, new, gridmill.validate(_column(batch, column), **{**_ALONE, **options}))


def facts(batch: Any, *, column: str, new: str = "facts", **options: Unpack[Searching]) -> Any:
    """Append the facts about the puzzles in a column to a RecordBatch or Table, as a column named ``new``: see `gridmill.facts`.

    >>> import pyarrow as pa
    >>> facts(pa.table({"board": ["." * 81]}), column="board")["facts"][0].as_py()["clues"]
    0
    """
    return _append(batch, new, gridmill.facts(_column(batch, column), **{**_ALONE, **options}))


def keys(batch: Any, *, column: str, new: str = "key", **options: Unpack[Comparing]) -> Any:
    """Append the keys of the puzzles in a column to a RecordBatch or Table, as a column named ``new``: see `gridmill.keys`.

    >>> import pyarrow as pa
    >>> len(keys(pa.table({"board": ["." * 81]}), column="board")["key"][0].as_py())
    32
    """
    return _append(batch, new, gridmill.keys(_column(batch, column), **{**_ALONE, **options}))


def _column(batch: Any, column: str) -> Any:
    if not hasattr(batch, "column"):
        name = type(batch).__name__
        raise TypeError(f"expected a RecordBatch or Table of pyarrow, not {name}; of a RecordBatchReader, pass each batch")
    return batch.column(column)


def _append(batch: Any, new: str | None, values: Any) -> Any:
    if new in batch.schema.names:
        raise ValueError(f"a column named {new} already exists")
    return batch.append_column(new, values)
