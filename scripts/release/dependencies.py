#!/usr/bin/env python3
"""What is linked into the release, on stdout, from `cargo metadata` on stdin:

dependencies.py licences        the texts of the licences of what is linked into the program
dependencies.py sbom CARGO_LOCK a bill of materials (CycloneDX 1.5) of all packages of the workspace, with the checksums of Cargo.lock
"""

import datetime
import json
import os
import re
import sys
import tomllib


def linked(data: dict, roots: list[str]) -> list[dict]:
    """The packages from elsewhere that these need at run time."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    found, todo = set(), list(roots)
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += needed(nodes[one])
    packages = [package for package in data["packages"] if package["id"] in found and package["source"]]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def needed(node: dict) -> list[str]:
    """What a package needs at run time, not only to be built or tested."""
    return [one["pkg"] for one in node["deps"] if any(kind["kind"] is None for kind in one["dep_kinds"])]


def licences(data: dict) -> None:
    for package in linked(data, [data["resolve"]["root"]]):
        print("=" * 100, f"{package['name']} {package['version']}, {package['license']}", package["repository"] or "", "", sep="\n")
        folder = os.path.dirname(package["manifest_path"])
        for file in sorted(os.listdir(folder)):
            path = os.path.join(folder, file)
            if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", file) and os.path.isfile(path):
                with open(path, encoding="utf-8", errors="replace") as text:
                    print(text.read().strip(), "", sep="\n")


def sbom(data: dict, lock: str) -> None:
    with open(lock, "rb") as text:
        checksums = {(one["name"], one["version"]): one.get("checksum") for one in tomllib.load(text)["package"]}
    members = [package for package in data["packages"] if package["id"] in data["workspace_members"]]
    packages = members + linked(data, data["workspace_members"])
    names = {package["id"]: f"pkg:cargo/{package['name']}@{package['version']}" for package in packages}

    def component(package: dict) -> dict:
        checksum = checksums[package["name"], package["version"]]
        return {
            "type": "library",
            "bom-ref": names[package["id"]],
            "name": package["name"],
            "version": package["version"],
            # Some crates still write `MIT/Apache-2.0`.
            "licenses": [{"expression": package["license"].replace("/", " OR ")}] if package["license"] else [],
            "purl": names[package["id"]],
            **({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {}),
        }

    program = next(package for package in members if package["name"] == "gridmill")
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": {**component(program), "type": "application"}},
        "components": [component(package) for package in packages if package is not program],
        "dependencies": [
            {"ref": names[node["id"]], "dependsOn": sorted(names[one] for one in needed(node) if one in names)}
            for node in sorted(data["resolve"]["nodes"], key=lambda node: node["id"])
            if node["id"] in names
        ],
    }
    print(json.dumps(bill, indent=1))


metadata = json.load(sys.stdin)
if sys.argv[1] == "licences":
    licences(metadata)
else:
    sbom(metadata, sys.argv[2])
