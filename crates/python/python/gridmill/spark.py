"""Functions for Spark, which needs gridmill and pyarrow on every executor.

Spark splits columns into batches and processes many in parallel, so each call uses one thread. A Str8ts string that does not reveal its
layout is rejected unless ``evidence=`` decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Unpack

import gridmill
import gridmill.batches
from gridmill._options import Canonical, Comparing, Converting, Searching, Solving, Validating, converting, reading

# Spark has no unsigned numbers.
_VERDICT = "ok boolean, code string, cell string, message string, warnings array<string>, solutions bigint"
_FACTS = "clues bigint, `symmetric` boolean, solutions bigint, nodes bigint, grade smallint, grade_name string"


def register(session: Any, to: str = "v2", **options: Unpack[Converting]) -> None:
    """Register functions with the SQL of a session.

    They are ``gridmill_convert(s)``, ``gridmill_validate(s)``, ``gridmill_solve(s)``, ``gridmill_facts(s)``, ``gridmill_canonical(s)`` and
    ``gridmill_key(s)``.

    A rejected string becomes NULL unless ``errors=`` says otherwise.

    :param session: the session.
    :param to: and the others: as for `gridmill.convert`, except ``errors="report"``, which is a ValueError; options for reading strings apply to
        all functions.
    """
    read = reading(options)
    session.udf.register("gridmill_convert", convert(to, **options))
    session.udf.register("gridmill_validate", validate(**read))
    session.udf.register("gridmill_solve", solve(**read))
    session.udf.register("gridmill_facts", facts(**read))
    session.udf.register("gridmill_canonical", canonical(**read))
    session.udf.register("gridmill_key", keys(**read))


def convert(to: str = "v2", **options: Unpack[Converting]) -> Any:
    """A function of columns that converts: ``frame.withColumn("v2", convert()("board"))``.

    The arguments are those of `gridmill.convert`; a rejected string becomes NULL unless ``errors=`` says otherwise, which cannot be
    ``"report"``.
    """
    return _function(gridmill.convert, "string", {"to": to, "errors": "null", **converting(options)})


def validate(**options: Unpack[Validating]) -> Any:
    """A function of columns that validates, and returns structs. The arguments are those of `gridmill.validate`."""
    return _function(gridmill.validate, _VERDICT, options)


def solve(**options: Unpack[Solving]) -> Any:
    """A function of columns that solves. The arguments are those of `gridmill.solve`."""
    return _function(gridmill.solve, "string", options)


def facts(**options: Unpack[Searching]) -> Any:
    """A function of columns that finds facts, and returns structs. The arguments are those of `gridmill.facts`."""
    return _function(gridmill.facts, _FACTS, options)


def canonical(to: str = "v2", **options: Unpack[Canonical]) -> Any:
    """A function of columns that returns canonical forms.

    The arguments are those of `gridmill.canonical`; a rejected string becomes NULL unless ``errors=`` says otherwise.
    """
    return _function(gridmill.canonical, "string", {"to": to, "errors": "null", **options})


def keys(**options: Unpack[Comparing]) -> Any:
    """A function of columns that returns keys.

    The arguments are those of `gridmill.keys`; a rejected string becomes NULL unless ``errors=`` says otherwise.
    """
    return _function(gridmill.keys, "string", {"errors": "null", **options})


def mapper(
    column: str, to: str = "v2", *, new: str | None = None, **options: Unpack[Converting]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A function for ``mapInArrow(mapper("board"), frame.schema)``, which passes whole batches.

    The arguments are those of `gridmill.batches.convert`: a rejected string ends the query unless ``errors=`` says otherwise.
    """
    passed = converting(options)

    def converted(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield gridmill.batches.convert(batch, column=column, to=to, new=new, **passed)

    return converted


def _function(function: Callable[..., Any], returned: str, options: Any) -> Any:
    from pyspark.sql.functions import arrow_udf  # type: ignore[import-not-found, unused-ignore] # may not be there

    passed = {"evidence": False, "threads": 1, **options}
    # Without annotations, which Spark would look at: it is a function of one array.
    return arrow_udf(lambda strings: function(strings, **passed), returned)
