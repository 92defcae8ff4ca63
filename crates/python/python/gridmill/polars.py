"""Functions for ``map_batches`` of Polars.

Polars splits columns arbitrarily, so a Str8ts string that does not reveal its layout is rejected unless ``evidence=`` decides it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Unpack

import gridmill
from gridmill._options import Converting, Solving, Validating, converting

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
