"""Builds the archive that Blender installs.

    python3 package.py [FOLDER]      writes FOLDER/maquette-blender-VERSION.zip; FOLDER is this folder by default

Blender before 4.2 needs a folder in the archive. Later versions read `blender_manifest.toml` at the top or in the only
folder. Two archives of one source have identical bytes.
"""

import os
import re
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ADDON = HERE / "maquette"
# First date that a zip archive can store, in seconds.
FIRST_DATE = 315532800


def version():
    """Returns the version in the manifest, which that in `bl_info` must equal."""
    text = (ADDON / "blender_manifest.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.*)"', text, re.MULTILINE)[1]
    listed = re.search(r'"version": \(([\d, ]+)\)', (ADDON / "__init__.py").read_text(encoding="utf-8"))[1]
    if found != listed.replace(", ", "."):
        sys.exit(f"blender_manifest.toml has version {found}, bl_info {listed}")
    return found


def build(folder):
    """Writes the archive, and returns its path."""
    target = folder / f"maquette-blender-{version()}.zip"
    seconds = max(FIRST_DATE, int(os.environ.get("SOURCE_DATE_EPOCH", FIRST_DATE)))
    files = sorted([*ADDON.glob("*.py"), ADDON / "blender_manifest.toml"])
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(f"maquette/{file.name}", time.gmtime(seconds)[:6])
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return target


if __name__ == "__main__":
    print(build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))
