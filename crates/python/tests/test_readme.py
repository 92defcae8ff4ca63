"""The recipes of README, as they stand there."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gridmill

README = Path(__file__).parents[3] / "README.md"


def test_recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = README.read_text().split("\n## In Python", 1)[1].split("\n## ", 1)[0]
    recipes = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert recipes
    monkeypatch.chdir(tmp_path)
    boards = gridmill.gen(3000, seed=1, mix="clues", unique=True, format="plain")
    pq.write_table(pa.table({"id": range(len(boards)), "board": boards}), "boards.parquet")
    names: dict[str, object] = {}
    for recipe in recipes:
        exec(recipe, names)
    v2 = gridmill.convert(boards).to_pylist()
    for name in ("table", "frame", "df"):
        assert list(names[name]["v2"]) == v2 or names[name]["v2"].to_pylist() == v2  # type: ignore[index]
    assert [new for _, new in sorted(names["rows"])] == v2  # type: ignore[call-overload]
    assert names["digits"].shape == (3000, 81)  # type: ignore[attr-defined]
