"""Functions for SQL in DuckDB.

DuckDB passes a few thousand rows at a time, on its own threads, so each call uses one thread. A rejected string becomes NULL. A Str8ts
string that does not reveal its layout is rejected unless ``evidence=`` decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import gridmill
from gridmill._options import Converting, converting, reading

_VERDICT = "STRUCT(ok BOOLEAN, code VARCHAR, cell VARCHAR, message VARCHAR, warnings VARCHAR[], solutions UINTEGER)"


def register(connection: Any, to: str = "v2", **options: Unpack[Converting]) -> None:
    """Register ``gridmill_convert(s)``, ``gridmill_validate(s)`` and ``gridmill_solve(s)`` with a connection, in the place of earlier ones.

    :param connection: the connection.
    :param to: and the others: as for `gridmill.convert`, except ``errors="report"``, which is a ValueError; options for reading strings apply to
        all three functions.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection, "plain")
    >>> connection.sql("select gridmill_convert(repeat('.', 81)) = repeat('0', 81)").fetchall()
    [(True,)]
    """
    alone: dict[str, Any] = {"evidence": False, "threads": 1}
    read = {**alone, **reading(options)}
    functions = {
        "gridmill_convert": (_of_one(gridmill.convert, {"to": to, "errors": "null", **alone, **converting(options)}), "VARCHAR"),
        "gridmill_validate": (_of_one(gridmill.validate, read), _VERDICT),
        "gridmill_solve": (_of_one(gridmill.solve, read), "VARCHAR"),
    }
    for name, (function, returned) in functions.items():
        _put(connection, name, function, returned)


def _put(connection: Any, name: str, function: Callable[..., Any], returned: str) -> None:
    """Register a function in the place of an earlier one."""
    import duckdb

    try:
        connection.remove_function(name)
    except duckdb.InvalidInputException as error:
        if "No function by the name" not in str(error):
            raise
    try:
        # NULL is for these functions to answer: the row of a verdict is no NULL.
        connection.create_function(
            name, function, ["VARCHAR"], connection.dtype(returned), type="arrow", null_handling="special"
        )
    except duckdb.CatalogException as error:
        if "already exists" not in str(error):
            raise
        raise ValueError(
            f"{name} is registered with another connection to this database, whose function all of them use;"
            f" remove it there with remove_function('{name}')"
        ) from error


def _of_one(function: Callable[..., Any], options: dict[str, Any]) -> Callable[[Any], Any]:
    """A function of strings alone: DuckDB counts arguments."""
    return lambda strings: function(strings, **options)
