# mypy: disable-error-code="overload-cannot-match, overload-overlap"
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, overload

import numpy
import pandas
import polars
import pyarrow

from gridmill._errors import RejectError as RejectError
from gridmill._gridmill import Column as Column
from gridmill._gridmill import Columns as Columns
from gridmill._gridmill import Evidence as Evidence
from gridmill._gridmill import InternalError as InternalError
from gridmill._gridmill import __version__ as __version__

__all__ = [
    "Column",
    "Columns",
    "Evidence",
    "InternalError",
    "RejectError",
    "__version__",
    "canonical",
    "convert",
    "dedupe",
    "detect",
    "evidence",
    "facts",
    "formats",
    "from_numpy",
    "gen",
    "groups",
    "kernels",
    "keys",
    "solve",
    "to_numpy",
    "validate",
]

class _ExportedArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

class _ExportedStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

_Exported = _ExportedArray | _ExportedStream
_Strings = _Exported | Sequence[str | None]

@overload
def convert(
    strings: pyarrow.Array[Any],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["raise", "null", "keep"] = "raise",
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def convert(
    strings: pyarrow.Array[Any],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["report"],
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> tuple[pyarrow.Array[Any], pyarrow.Table]: ...
@overload
def convert(
    strings: pyarrow.ChunkedArray[Any],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["raise", "null", "keep"] = "raise",
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def convert(
    strings: pyarrow.ChunkedArray[Any],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["report"],
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> tuple[pyarrow.ChunkedArray[Any], pyarrow.Table]: ...
@overload
def convert(
    strings: polars.Series,
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["raise", "null", "keep"] = "raise",
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def convert(
    strings: polars.Series,
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["report"],
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> tuple[polars.Series, pyarrow.Table]: ...
@overload
def convert(
    strings: pandas.Series[Any],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["raise", "null", "keep"] = "raise",
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.Series[Any]: ...
@overload
def convert(
    strings: pandas.Series[Any],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["report"],
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> tuple[pandas.Series[Any], pyarrow.Table]: ...
@overload
def convert(
    strings: _Exported | Sequence[str | None],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["raise", "null", "keep"] = "raise",
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def convert(
    strings: _Exported | Sequence[str | None],
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: Literal["report"],
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> tuple[Any, Any]: ...
@overload
def detect(
    strings: pyarrow.Array[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
) -> pyarrow.Array[Any]: ...
@overload
def detect(
    strings: pyarrow.ChunkedArray[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def detect(
    strings: polars.Series,
    *,
    from_: str | None = None,
    kind: str | None = None,
) -> polars.Series: ...
@overload
def detect(
    strings: pandas.Series[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
) -> pandas.DataFrame: ...
@overload
def detect(
    strings: _Exported | Sequence[str | None],
    *,
    from_: str | None = None,
    kind: str | None = None,
) -> Any: ...
@overload
def validate(
    strings: pyarrow.Array[Any],
    *,
    level: str = "rules",
    solutions: _Strings | None = None,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def validate(
    strings: pyarrow.ChunkedArray[Any],
    *,
    level: str = "rules",
    solutions: _Strings | None = None,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def validate(
    strings: polars.Series,
    *,
    level: str = "rules",
    solutions: _Strings | None = None,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def validate(
    strings: pandas.Series[Any],
    *,
    level: str = "rules",
    solutions: _Strings | None = None,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.DataFrame: ...
@overload
def validate(
    strings: _Exported | Sequence[str | None],
    *,
    level: str = "rules",
    solutions: _Strings | None = None,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def solve(
    strings: pyarrow.Array[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def solve(
    strings: pyarrow.ChunkedArray[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def solve(
    strings: polars.Series,
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def solve(
    strings: pandas.Series[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.Series[Any]: ...
@overload
def solve(
    strings: _Exported | Sequence[str | None],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def facts(
    strings: pyarrow.Array[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def facts(
    strings: pyarrow.ChunkedArray[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def facts(
    strings: polars.Series,
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def facts(
    strings: pandas.Series[Any],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.DataFrame: ...
@overload
def facts(
    strings: _Exported | Sequence[str | None],
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def canonical(
    strings: pyarrow.Array[Any],
    to: str = "v2",
    *,
    form: str = "solution",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def canonical(
    strings: pyarrow.ChunkedArray[Any],
    to: str = "v2",
    *,
    form: str = "solution",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def canonical(
    strings: polars.Series,
    to: str = "v2",
    *,
    form: str = "solution",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def canonical(
    strings: pandas.Series[Any],
    to: str = "v2",
    *,
    form: str = "solution",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.Series[Any]: ...
@overload
def canonical(
    strings: _Exported | Sequence[str | None],
    to: str = "v2",
    *,
    form: str = "solution",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def keys(
    strings: pyarrow.Array[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def keys(
    strings: pyarrow.ChunkedArray[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def keys(
    strings: polars.Series,
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def keys(
    strings: pandas.Series[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.Series[Any]: ...
@overload
def keys(
    strings: _Exported | Sequence[str | None],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null", "keep"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def dedupe(
    strings: pyarrow.Array[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def dedupe(
    strings: pyarrow.ChunkedArray[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def dedupe(
    strings: polars.Series,
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def dedupe(
    strings: pandas.Series[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.Series[Any]: ...
@overload
def dedupe(
    strings: _Exported | Sequence[str | None],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
@overload
def groups(
    strings: pyarrow.Array[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.Array[Any]: ...
@overload
def groups(
    strings: pyarrow.ChunkedArray[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pyarrow.ChunkedArray[Any]: ...
@overload
def groups(
    strings: polars.Series,
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> polars.Series: ...
@overload
def groups(
    strings: pandas.Series[Any],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> pandas.Series[Any]: ...
@overload
def groups(
    strings: _Exported | Sequence[str | None],
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: Literal["raise", "null"] = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any: ...
def to_numpy(
    strings: _Strings,
    what: str = "digits",
    *,
    out: numpy.ndarray[Any, Any] | None = None,
    from_: str | None = None,
    kind: str | None = None,
    threads: int = 0,
) -> numpy.ndarray[Any, Any]: ...
def from_numpy(
    digits: numpy.ndarray[Any, Any],
    *,
    given: bool | numpy.ndarray[Any, Any] = True,
    masks: numpy.ndarray[Any, Any] | None = None,
    kind: str = "sudoku",
    regions: numpy.ndarray[Any, Any] | None = None,
    to: str = "v2",
    threads: int = 0,
) -> Any: ...
def gen(
    count: int,
    *,
    kind: str = "sudoku",
    side: int | None = None,
    format: str = "v2",
    seed: int,
    start: int = 0,
    unique: bool = False,
    minimal: bool = False,
    mix: str = "progress",
    grids: int | None = None,
    open: int = 0,
    threads: int = 0,
) -> Any: ...
def evidence(strings: _Strings, *, from_: str | None = None) -> Evidence: ...
def formats() -> list[dict[str, Any]]: ...
def kernels() -> Mapping[str, Any]: ...
