"""Functions on pyarrow batches and tables with all their columns, for Ray Data, Spark's ``mapInArrow`` and the like.

Such engines process many batches in parallel, so each call uses one thread. A Str8ts string that does not reveal its layout is
rejected unless ``evidence=`` decides it.
"""

from __future__ import annotations

from typing import Any, Unpack

import gridmill
from gridmill._options import Converting, Solving, Validating, converting

_ALONE: dict[str, Any] = {"evidence": False, "threads": 1}


def convert(batch: Any, *, column: str, to: str = "v2", new: str | None = None, **options: Unpack[Converting]) -> Any:
    """Convert a column of a RecordBatch or Table.

    :param batch: the batch.
    :param column: the name of the column.
    :param to: and the others: as for `gridmill.convert`, except ``errors="report"``, which is a ValueError.
    :param new: the name of a column to append; None to replace the old one.
    :returns: the batch with the new strings.

    >>> import pyarrow as pa
    >>> convert(pa.table({"board": ["." * 81]}), column="board", to="plain", new="plain").column_names
    ['board', 'plain']
    """
    strings: Any = gridmill.convert(batch.column(column), to, **{**_ALONE, **converting(options)})
    return _put(batch, column, new, strings)


def solve(batch: Any, *, column: str, new: str = "solution", **options: Unpack[Solving]) -> Any:
    """Append the solutions of the puzzles in a column to a RecordBatch or Table, as a column named ``new``: see `gridmill.solve`.

    >>> import pyarrow as pa
    >>> solve(pa.table({"board": ["." * 81]}), column="board")["solution"].to_pylist()
    [None]
    """
    return _put(batch, column, new, gridmill.solve(batch.column(column), **{**_ALONE, **options}))


def validate(batch: Any, *, column: str, new: str = "verdict", **options: Unpack[Validating]) -> Any:
    """Append the verdicts for a column to a RecordBatch or Table, as a column named ``new``: see `gridmill.validate`.

    >>> import pyarrow as pa
    >>> validate(pa.table({"board": ["11" + "." * 79]}), column="board")["verdict"][0].as_py()["code"]
    'duplicate'
    """
    return _put(batch, column, new, gridmill.validate(batch.column(column), **{**_ALONE, **options}))


def _put(batch: Any, column: str, new: str | None, values: Any) -> Any:
    if new is None or new == column:
        return batch.set_column(batch.schema.get_field_index(column), column, values)
    if new in batch.schema.names:
        raise ValueError(f"a column named {new} already exists")
    return batch.append_column(new, values)
