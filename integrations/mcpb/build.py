"""Builds the bundle in the folder that is named: the same bytes from the same sources.

``python integrations/mcpb/build.py dist``
"""

import json
import os
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = ("manifest.json", "server/bridge.mjs", "README.md", "LICENSE")


def build(folder: Path) -> Path:
    """Write the bundle, whose files have the date of `SOURCE_DATE_EPOCH`; return its path."""
    version = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))["version"]
    bundle = folder / f"keepsake-{version}.mcpb"
    # The earliest moment of the format, if none is given.
    moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")))[:6]
    with zipfile.ZipFile(bundle, "w") as archive:
        for name in FILES:
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            # Uncompressed: versions of zlib differ in their bytes.
            archive.writestr(entry, source_of(name).read_bytes(), zipfile.ZIP_STORED)
    return bundle


def source_of(name: str) -> Path:
    return HERE.parents[1] / name if name == "LICENSE" else HERE / name


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
