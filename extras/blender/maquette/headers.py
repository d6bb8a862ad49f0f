"""Header fields of files that custom properties of an object store."""

import json
import struct

from . import program

# Fields by format: custom property, name in the list of the program, place in the file.
FLAGS = "modelFlags", "flags"
FIELDS = {
    "mdl": [(*FLAGS, 76), ("syncType", "synctype", 72)],
    "md3": [(*FLAGS, 72)],
    "iqm": [(*FLAGS, 24)],
}


def read(source, objects):
    """Stores the fields of a model that are not 0 in its first mesh."""
    fields = FIELDS.get(source.suffix[1:].lower(), ())
    first = next((one for one in objects if one.type == "MESH"), None)
    if not fields or not first:
        return
    listing, _ = program.run("info", "--json", "--", source)
    details = json.loads(listing).get("details", {})
    for name, listed, _ in fields:
        value = int(str(details.get(listed, 0)), 0)
        if value:
            first[name] = value


def write(file, objects):
    """Writes the custom properties of objects into the header of a file."""
    for name, _, place in FIELDS.get(file.suffix[1:].lower(), ()):
        found = next((one[name] for one in objects if name in one), 0)
        if found:
            with file.open("r+b") as opened:
                opened.seek(place)
                opened.write(struct.pack("<I", int(found) & 0xFFFFFFFF))
