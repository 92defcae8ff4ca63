#!/usr/bin/env python3
"""Puts the page together in a folder that has gridmill.wasm: build.py FOLDER. One file without any request, which works from a folder
too, where browsers load neither modules nor WebAssembly from other files; and the module for others to use."""

import base64
import gzip
import pathlib
import re
import shutil
import sys

PAGE = pathlib.Path(__file__).parent
IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";\n', re.MULTILINE)


def bundle(path: pathlib.Path, seen: list[pathlib.Path]) -> str:
    """A module with those that it imports before it, each once, in one scope: names are those of all of them."""
    if path in seen:
        return ""
    seen.append(path)
    text = path.read_text()
    before = "".join(bundle((path.parent / found).resolve(), seen) for found in IMPORT.findall(text))
    return before + re.sub(r"^export (?=async|function|class|const|let)", "", IMPORT.sub("", text), flags=re.MULTILINE)


def script(name: str) -> str:
    """A script that can stand in HTML."""
    return bundle((PAGE / name).resolve(), []).replace("</script", "<\\/script")


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    packed = base64.b64encode(gzip.compress((folder / "gridmill.wasm").read_bytes(), 9, mtime=0)).decode()
    page = (PAGE / "index.html").read_text()
    for mark, content in [
        ("/* style.css */", (PAGE / "style.css").read_text()),
        ('id="wasm">', 'id="wasm">' + packed),
        ('id="worker">', 'id="worker">' + script("worker.mjs")),
        ("/* main */", script("main.mjs")),
    ]:
        if page.count(mark) != 1:
            sys.exit(f"index.html has {page.count(mark)} of {mark}")
        page = page.replace(mark, content)
    (folder / "index.html").write_text(page)
    for name in ["gridmill.mjs", "gridmill.d.mts"]:
        shutil.copy(PAGE.parent / name, folder)


main()
