"""Functions for ``map_batches`` of Polars.

Polars splits columns arbitrarily, so a Str8ts string that does not reveal its layout is rejected unless ``evidence=`` decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Unpack

import gridmill
from gridmill._options import Canonical, Comparing, Converting, Searching, Solving, Validating, converting

# Polars passes `return_dtype`, and tries again without it where a TypeError says that there is no such argument: none of these may take
# whatever comes.


def convert(to: str = "v2", **options: Unpack[Converting]) -> Callable[[Any], Any]:
    """A function that converts a Series, for ``map_batches(..., return_dtype=pl.String, is_elementwise=True)``.

    The arguments are those of `gridmill.convert`, except ``errors="report"``, which is a ValueError.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"board": ["." * 81]})
    >>> frame.select(pl.col("board").map_batches(convert("v1"), return_dtype=pl.String, is_elementwise=True)).item() == "0" * 162
    True
    """
    return partial(gridmill.convert, to=to, **{"evidence": False, **converting(options)})


def solve(**options: Unpack[Solving]) -> Callable[[Any], Any]:
    """A function that solves a Series, for ``map_batches(..., return_dtype=pl.String, is_elementwise=True)``.

    The arguments are those of `gridmill.solve`. A puzzle without exactly one solution becomes null.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"board": ["." * 81]})
    >>> frame.select(pl.col("board").map_batches(solve(), return_dtype=pl.String, is_elementwise=True)).item() is None
    True
    """
    return partial(gridmill.solve, **{"evidence": False, **options})


def validate(**options: Unpack[Validating]) -> Callable[[Any], Any]:
    """A function that validates a Series, for ``map_batches(..., is_elementwise=True)``, and returns a Series of structs.

    The arguments are those of `gridmill.validate`.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"board": ["." * 81, "11" + "." * 79]})
    >>> frame.select(pl.col("board").map_batches(validate(), is_elementwise=True).struct.field("ok"))["ok"].to_list()
    [True, False]
    """
    return partial(gridmill.validate, **{"evidence": False, **options})


def facts(**options: Unpack[Searching]) -> Callable[[Any], Any]:
    """A function that finds facts, for ``map_batches(..., is_elementwise=True)``, and returns a Series of structs.

    The arguments are those of `gridmill.facts`.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"board": ["." * 81]})
    >>> frame.select(pl.col("board").map_batches(facts(), is_elementwise=True).struct.field("clues")).item()
    0
    """
    return partial(gridmill.facts, **{"evidence": False, **options})


def canonical(to: str = "v2", **options: Unpack[Canonical]) -> Callable[[Any], Any]:
    """A function that returns canonical forms, for ``map_batches(..., return_dtype=pl.String, is_elementwise=True)``.

    The arguments are those of `gridmill.canonical`.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"board": ["." * 80 + "7"]})
    >>> column = pl.col("board").map_batches(canonical("plain", form="puzzle"), return_dtype=pl.String, is_elementwise=True)
    >>> frame.select(column).item() == "0" * 80 + "1"
    True
    """
    return partial(gridmill.canonical, to=to, **{"evidence": False, **options})


def keys(**options: Unpack[Comparing]) -> Callable[[Any], Any]:
    """A function that returns keys, for ``map_batches(..., return_dtype=pl.String, is_elementwise=True)``: equal ones mean the same puzzle.

    The arguments are those of `gridmill.keys`.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"board": ["1" + "." * 80, "." * 80 + "2", None]})
    >>> key = pl.col("board").map_batches(keys(), return_dtype=pl.String, is_elementwise=True)
    >>> frame.with_columns(key=key).unique("key", maintain_order=True).height
    2
    """
    return partial(gridmill.keys, **{"evidence": False, **options})
