"""Header fields and names of tags that custom properties store."""

import json
import struct

from . import choice, gltf, program

# Fields by format: custom property, name in the list of the program, place in the file. The files may have tags, too.
FLAGS = "modelFlags", "flags"
FIELDS = {
    "mdl": [(*FLAGS, 76), ("syncType", "synctype", 72)],
    "md3": [(*FLAGS, 72)],
    "iqm": [(*FLAGS, 24)],
    "mdc": [],
    "mdr": [],
}


def read(source, objects):
    """Stores the fields of a model that are not 0 in its first mesh, and names that do not begin with “tag_” in its
    tags."""
    extension = source.suffix[1:].lower()
    if extension not in FIELDS:
        return
    try:
        listing, _ = program.run("info", "--json", "--", source)
    except program.MaquetteError:
        # The program has imported the model with warnings.
        return
    facts = json.loads(listing)
    first = next((one for one in objects if one.type == "MESH"), None)
    for name, listed, _ in FIELDS[extension] if first else ():
        value = int(str(facts["details"].get(listed, 0)), 0)
        if value:
            first[name] = value
    names = {tag["name"] for tag in facts["tags"] if not tag["name"].lower().startswith(choice.TAG)}
    bones = [bone for one in objects if one.type == "ARMATURE" for bone in one.data.bones]
    for one in [one for one in objects if one.type == "EMPTY"] + bones:
        name = one.get(gltf.NAME, one.name)
        if name in names:
            one[choice.TAG_NAME] = name


def write(file, objects):
    """Writes the custom properties of objects into the header of a file."""
    for name, _, place in FIELDS.get(file.suffix[1:].lower(), ()):
        found = next((one[name] for one in objects if name in one), 0)
        try:
            number = int(found)
        except (OverflowError, TypeError, ValueError) as error:
            raise program.MaquetteError(f"custom property “{name}”: expected a whole number") from error
        if number:
            with file.open("r+b") as opened:
                opened.seek(place)
                opened.write(struct.pack("<I", number & 0xFFFFFFFF))
