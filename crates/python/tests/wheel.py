"""Checks the files of a wheel, and its size: `wheel.py FILE`."""

import re
import sys
import zipfile
from pathlib import Path

MOST = 3 << 20
CONTENTS = (
    r"gridmill/(_gridmill\.abi3\.so|\w+\.py|\w+\.pyi|py\.typed)"
    r"|gridmill-[^/]+\.dist-info/(METADATA|RECORD|WHEEL|licenses/LICENSE-\w+)"
)

DESCRIPTION = Path(__file__).parents[1] / "DESCRIPTION.md"

wheel = Path(sys.argv[1])
archive = zipfile.ZipFile(wheel)
names = archive.namelist()
metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
others = [name for name in names if not re.fullmatch(CONTENTS, name)]
size = wheel.stat().st_size
assert not others, f"{wheel.name} holds {others}"
assert {"gridmill/py.typed", "gridmill/_gridmill.abi3.so", "gridmill/__init__.pyi"} <= set(names), names
assert metadata.rstrip().endswith(DESCRIPTION.read_text().rstrip()), "the description is not that of the package"
assert sum("licenses/" in name for name in names) == 2, names
assert size <= MOST, f"{wheel.name} has {size} bytes, more than {MOST}"
print(f"{wheel.name}: {size} bytes, {len(names)} files")
