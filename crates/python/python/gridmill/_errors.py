"""The exception raised for rejected rows."""

from __future__ import annotations


class RejectError(ValueError):
    """A row whose string is rejected.

    The first one is described by ``row`` (from 0 in the column), ``code``, ``cell`` (``r4c7``, or None) and ``message``. ``count``
    is the number of rejected rows, and ``codes`` the number for each code.
    """

    __module__ = "gridmill"

    def __init__(
        self,
        words: str,
        row: int = -1,
        code: str = "",
        cell: str | None = None,
        message: str = "",
        count: int = 1,
        codes: dict[str, int] | None = None,
    ) -> None:
        # Engines make the error anew out of its words alone.
        super().__init__(words, row, code, cell, message, count, codes)
        self.row = row
        self.code = code
        self.cell = cell
        self.message = message
        self.count = count
        self.codes = codes or {}

    def __str__(self) -> str:
        return str(self.args[0])


def refusal(row: int, code: str, cell: str | None, message: str, count: int, codes: dict[str, int]) -> RejectError:
    """The error for the first rejected row."""
    place = f" at {cell}" if cell else ""
    more = "" if count == 1 else f" ({count} rows are rejected)"
    return RejectError(f"row {row}: {code}{place}: {message}{more}", row, code, cell, message, count, codes)
