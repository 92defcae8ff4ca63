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

_FACTS = 'STRUCT(clues UINTEGER, "symmetric" BOOLEAN, solutions UINTEGER, nodes UINTEGER, grade UTINYINT, grade_name VARCHAR)' # a word of SQL


def register(connection: Any, to: str = "v2", **options: Unpack[Converting]) -> None:
    """Register functions with a connection, in the place of earlier ones.

    ``gridmill_convert(s)``, ``gridmill_validate(s)``, ``gridmill_solve(s)``, ``gridmill_facts(s)``, ``gridmill_canonical(s)`` and
    ``gridmill_key(s)`` do what `gridmill.convert`, `gridmill.validate`, `gridmill.solve`, `gridmill.facts`, `gridmill.canonical` and
    `gridmill.keys` do; ``gridmill_validate_level(s, level)`` validates at a level: syntax, rules or unique;
    ``gridmill_validate_given(s, solution)`` checks that a puzzle has one solution, which is the given one.

    :param connection: the connection.
    :param to: and the others: as for `gridmill.convert`, except ``errors="report"``, which is a ValueError; options for reading strings apply to
        all functions.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection, "plain")
    >>> connection.sql("select gridmill_convert(repeat('.', 81)) = repeat('0', 81)").fetchall()
    [(True,)]
    >>> connection.sql("select gridmill_validate_level(repeat('.', 81), 'unique').solutions").fetchall()
    [(2,)]
    """
    alone: dict[str, Any] = {"evidence": False, "threads": 1}
    read = {**alone, **reading(options)}
    functions = {
        "gridmill_convert": (_of_one(gridmill.convert, {"to": to, "errors": "null", **alone, **converting(options)}), "VARCHAR"),
        "gridmill_validate": (_of_one(gridmill.validate, read), _VERDICT),
        "gridmill_solve": (_of_one(gridmill.solve, read), "VARCHAR"),
        "gridmill_facts": (_of_one(gridmill.facts, read), _FACTS),
        "gridmill_canonical": (_of_one(gridmill.canonical, {"errors": "null", **read}), "VARCHAR"),
        "gridmill_key": (_of_one(gridmill.keys, {"errors": "null", **read}), "VARCHAR"),
    }
    for name, (function, returned) in functions.items():
        _put(connection, name, function, ["VARCHAR"], returned)
    _put(connection, "gridmill_validate_level", _at_levels(read), ["VARCHAR", "VARCHAR"], _VERDICT)
    _put(connection, "gridmill_validate_given", _with_solutions(read), ["VARCHAR", "VARCHAR"], _VERDICT)


def _put(connection: Any, name: str, function: Callable[..., Any], taken: list[str], returned: str) -> None:
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
            name, function, taken, connection.dtype(returned), type="arrow", null_handling="special"
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


def _at_levels(options: dict[str, Any]) -> Callable[[Any, Any], Any]:
    """A function of strings and levels: the strings of each level are validated together."""

    def validate(strings: Any, levels: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        of_row = levels.to_pylist()
        if None in of_row:
            raise ValueError("level must be one of syntax, rules, unique, not NULL")
        verdicts, rows = [], []
        for level in dict.fromkeys(of_row):
            at = [row for row, of in enumerate(of_row) if of == level]
            verdicts += _chunks(gridmill.validate(strings.take(pa.array(at, pa.int64())), level=level, **options))
            rows += at
        if not verdicts:
            return gridmill.validate(strings, **options)
        return pa.concat_arrays(verdicts).take(pc.sort_indices(pa.array(rows, pa.int64())))

    return validate


def _with_solutions(options: dict[str, Any]) -> Callable[[Any, Any], Any]:
    return lambda strings, solutions: gridmill.validate(strings, solutions=solutions, level="unique", **options)


def _chunks(column: Any) -> list[Any]:
    return list(getattr(column, "chunks", [column]))
