"""Blender's glTF import and export, and the timing of clips in a .glb file."""

import json
import struct
from pathlib import Path

import numpy

from .program import MaquetteError

# Custom properties of an action, which are the `extras` of a glTF animation.
RATE, COUNT, FIRST = "framesPerSecond", "frameCount", "firstFrame"


# The glTF add-on of Blender 3.4 uses this name, which numpy 1.24 (Debian 12) no longer has.
if "bool" not in vars(numpy):
    numpy.bool = bool


def call(operator, **options):
    """Calls a glTF operator with those options that this version of Blender has."""
    try:
        known = operator.get_rna_type().properties
    except KeyError as error:
        raise MaquetteError("turn on the add-on “glTF 2.0 format” in Blender's preferences") from error
    try:
        operator(**{name: value for name, value in options.items() if name in known})
    except RuntimeError as error:
        raise MaquetteError(f"Blender's glTF add-on failed: {error}") from error


def read(path):
    """Returns the JSON document of a .glb file, and the bytes after it."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), data[20 + length :]


def write(path, document, rest):
    """Writes a .glb file."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    header = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    Path(path).write_bytes(header + text + rest)


def rate(extras):
    """Returns the frames per second that the extras of an animation or an action define, or None."""
    value = extras.get(RATE)
    return value if isinstance(value, (int, float)) and value > 0 else None


def update_timing(path):
    """Corrects the number of frames of clips that have a rate of their own and changed their length in Blender."""
    document, rest = read(path)
    animations = document.get("animations", [])
    in_place = True
    for animation in animations:
        extras = animation.get("extras", {})
        if rate(extras):
            times = [document["accessors"][sampler["input"]] for sampler in animation["samplers"]]
            seconds = max(time["max"][0] for time in times) - min(time["min"][0] for time in times)
            count = round(seconds * rate(extras)) + 1
            # A looping clip ends with a copy of its first frame, which is not counted.
            if extras.get(COUNT) not in (count, count - 1):
                extras[COUNT] = count
                in_place = False
        else:
            in_place = False
    if not in_place:
        # The clips follow each other, because their frames are no longer those of the imported model.
        for animation in animations:
            animation.get("extras", {}).pop(FIRST, None)
    write(path, document, rest)
