"""What the functions for engines pass on."""

from __future__ import annotations

from typing import Any, TypedDict

from gridmill._gridmill import Evidence


class Reading(TypedDict, total=False):
    """As what strings are read: see `gridmill.convert`."""

    from_: str | None
    kind: str | None
    alphabet: str | None
    str8ts_layout: str | None
    str8ts_flags: str | None
    evidence: Evidence | bool | None
    threads: int


class Converting(Reading, total=False):
    """What `gridmill.convert` takes besides the format."""

    notes: str
    lossy: bool
    errors: str
    level: str
    str8ts_write: str | None


class Validating(Reading, total=False):
    """What `gridmill.validate` takes."""

    level: str
    effort: int
    max_solutions: int
    givens: str


class Solving(Reading, total=False):
    """What `gridmill.solve` takes."""

    effort: int
    givens: str


class Canonical(Reading, total=False):
    """What `gridmill.canonical` takes besides the format."""

    form: str
    effort: int
    givens: str
    errors: str


class Comparing(Canonical, total=False):
    """What `gridmill.keys` takes."""

    by: str


class Searching(Reading, total=False):
    """What `gridmill.facts` takes."""

    effort: int
    max_solutions: int
    givens: str


def reading(options: Converting) -> Any:
    """Those of the options that say as what strings are read."""
    return {name: value for name, value in options.items() if name in Reading.__annotations__}


def converting(options: Converting) -> Converting:
    """The options, for functions whose result is a single column: there is no place for a report."""
    if options.get("errors") == "report":
        raise ValueError("errors must be one of raise, null, keep, not 'report'")
    return options
