#!/usr/bin/env python3
"""Makes a zip of a folder, the same one whoever makes it and when: zip.py FOLDER FILE. Times are those of $SOURCE_DATE_EPOCH."""

import os
import pathlib
import sys
import time
import zipfile

folder, file = pathlib.Path(sys.argv[1]), sys.argv[2]
moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            entry = zipfile.ZipInfo(str(path.relative_to(folder.parent)), moment)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
            archive.writestr(entry, path.read_bytes())
