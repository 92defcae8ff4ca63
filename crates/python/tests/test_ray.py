"""Ray Data, which starts processes of its own. It is listed in requirements-spark.txt."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_readme import recipes

import gridmill

ray = pytest.importorskip("ray")


def test_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boards = gridmill.gen(3000, seed=1, mix="clues", format="plain")
    pq.write_table(pa.table({"id": range(len(boards)), "board": boards}), "boards.parquet", row_group_size=500)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    try:
        names: dict[str, object] = {}
        for recipe in recipes("ray"):
            exec(recipe, names)
        new = pa.concat_tables(ray.get(names["new"].to_arrow_refs())).sort_by("id")  # type: ignore[attr-defined]
    finally:
        ray.shutdown()
    assert new["id"].to_pylist() == list(range(len(boards)))
    assert new["board"].to_pylist() == gridmill.convert(boards).to_pylist()
