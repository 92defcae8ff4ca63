"""Functions for DuckDB's SQL.

DuckDB passes some thousand rows at a time, on threads of its own: each call uses one, a string that is refused is NULL, and a Str8ts
string that does not say its layout is refused, unless ``evidence=`` says it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import gridmill
from gridmill._options import Converting, reading

_VERDICT = "STRUCT(ok BOOLEAN, code VARCHAR, cell VARCHAR, message VARCHAR, warnings VARCHAR[], solutions UINTEGER)"


def register(connection: Any, to: str = "v2", **options: Unpack[Converting]) -> None:
    """Make ``gridmill_convert(s)``, ``gridmill_validate(s)`` and ``gridmill_solve(s)`` known to a connection.

    :param connection: the connection.
    :param to: and the others: what `gridmill.convert` takes; what says as what strings are read is for all three.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection, "plain")
    >>> connection.sql("select gridmill_convert(repeat('.', 81)) = repeat('0', 81)").fetchall()
    [(True,)]
    """
    alone: dict[str, Any] = {"evidence": False, "threads": 1}
    read = {**alone, **reading(options)}
    functions = {
        "gridmill_convert": (_of_one(gridmill.convert, {"to": to, "errors": "null", **alone, **options}), "VARCHAR"),
        "gridmill_validate": (_of_one(gridmill.validate, read), _VERDICT),
        "gridmill_solve": (_of_one(gridmill.solve, read), "VARCHAR"),
    }
    for name, (function, returned) in functions.items():
        # NULL is for these functions to answer: the row of a verdict is no NULL.
        connection.create_function(
            name, function, ["VARCHAR"], connection.dtype(returned), type="arrow", null_handling="special"
        )


def _of_one(function: Callable[..., Any], options: dict[str, Any]) -> Callable[[Any], Any]:
    """A function of strings alone: DuckDB counts arguments."""
    return lambda strings: function(strings, **options)
