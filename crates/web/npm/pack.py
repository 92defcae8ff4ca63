#!/usr/bin/env python3
"""Makes the package for npm, gridmill-VERSION.tgz: pack.py WEB OUT, of what scripts/serve.sh builds in WEB, in the folder OUT. It needs npm."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# What Node and compilers see: the module, and one that is loaded.
LOADED = "\n/** gridmill, loaded. */\nexport const gridmill: Gridmill;\n"


def common_js(module: str) -> str:
    """The module for `require`."""
    names = re.findall(r"^export (?:async function|function|class) (\w+)", module, re.MULTILINE)
    return re.sub(r"^export ", "", module, flags=re.MULTILINE) + f"\nmodule.exports = {{ {', '.join(names)} }};\n"


def main() -> None:
    web, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    package = json.loads((HERE / "package.json").read_text())
    # Only the workspace says what the version is.
    package["version"] = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    module, types = (web / "gridmill.mjs").read_text(), (web / "gridmill.d.mts").read_text()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for name in ["README.md", "node.cjs", "node.mjs", "browser.mjs"]:
            shutil.copyfile(HERE / name, place / name)
        for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
            shutil.copyfile(ROOT / name, place / name)
        for name in ["gridmill.wasm", "gridmill.mjs", "gridmill.d.mts"]:
            shutil.copyfile(web / name, place / name)
        (place / "package.json").write_text(json.dumps(package, indent=2) + "\n")
        (place / "gridmill.cjs").write_text(common_js(module))
        (place / "index.d.mts").write_text(types + LOADED)
        (place / "index.d.cts").write_text(types + LOADED)
        subprocess.run(["npm", "pack", "--silent", "--pack-destination", out.resolve()], cwd=place, check=True)


main()
