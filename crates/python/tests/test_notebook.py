"""The notebook in examples: it runs, and prints what is stored in it. `GRIDMILL_UPDATE_NOTEBOOK=1` stores what it prints."""

import copy
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "collection.ipynb"


def test_the_notebook_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    stored = nbformat.read(NOTEBOOK, as_version=4)
    book = copy.deepcopy(stored)
    # However busy the machine is.
    NotebookClient(book, timeout=None, startup_timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell in book.cells:
        # Times of the run.
        cell.metadata.pop("execution", None)
    book.metadata = stored.metadata
    if os.environ.get("GRIDMILL_UPDATE_NOTEBOOK"):
        nbformat.write(book, NOTEBOOK)
    shown = [[output.get("text", output.get("data")) for output in cell.get("outputs", [])] for cell in stored.cells]
    assert [[output.get("text", output.get("data")) for output in cell.get("outputs", [])] for cell in book.cells] == shown
