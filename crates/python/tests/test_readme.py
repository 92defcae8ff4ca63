"""The recipes of README and docs/PYTHON.md, as they stand there."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gridmill

ROOT = Path(__file__).parents[3]


def recipes(engine: str = "") -> list[str]:
    """The recipes for `spark` or `ray`, which the tests of that engine run; without an engine, all others."""
    places = [("README.md", "In Python"), ("docs/PYTHON.md", "Recipes")]
    sections = [(ROOT / page).read_text().split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0] for page, name in places]
    all_recipes = re.findall(r"```python\n(.*?)```", "".join(sections), re.DOTALL)
    engines = [next((name for name in ("spark", "ray") if re.search(rf"\b{name}\b", recipe)), "") for recipe in all_recipes]
    found = [recipe for recipe, of in zip(all_recipes, engines, strict=True) if of == engine]
    assert found
    return found


def test_recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boards = gridmill.gen(3000, seed=1, mix="clues", unique=True, format="plain")
    pq.write_table(pa.table({"id": range(len(boards)), "board": boards}), "boards.parquet")
    names: dict[str, object] = {}
    for recipe in recipes():
        exec(recipe, names)
    v2 = gridmill.convert(boards).to_pylist()
    for name in ("table", "frame", "df"):
        assert list(names[name]["v2"]) == v2 or names[name]["v2"].to_pylist() == v2  # type: ignore[index]
    assert [new for _, new in sorted(names["rows"])] == v2  # type: ignore[call-overload]
    assert names["digits"].shape == (3000, 81)  # type: ignore[attr-defined]
