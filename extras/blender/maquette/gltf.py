"""Blender's glTF import and export, and the .glb files between Blender and the program."""

import collections
import itertools
import json
import math
import re
import struct
from pathlib import Path

import numpy

from .program import MaquetteError

# Custom properties of an action, which are the `extras` of a glTF animation.
RATE, COUNT, FIRST = "framesPerSecond", "frameCount", "firstFrame"
# Custom properties of an object or action: its name and index in the file, because Blender makes names unique and sorts
# by name.
NAME, ORDER = "importedName", "importedOrder"

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


def rate(extras):
    """Returns the frames per second that the extras of an animation or an action define, or None."""
    value = extras.get(RATE)
    return value if isinstance(value, (int, float)) and value > 0 else None


def order(item):
    """Returns the index of an imported node or animation, or infinity for a new one."""
    return item.get("extras", {}).get(ORDER, math.inf)


class Document:
    """Content of a .glb file: the JSON object and its buffer."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        (length,) = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20 : 20 + length])
        self.binary = bytearray(data[28 + length :])

    def write(self, path):
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if self.binary:
            self.json["buffers"][0]["byteLength"] = len(self.binary)
            chunks += struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary
        Path(path).write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)

    @property
    def animations(self):
        return self.json.get("animations", [])

    def label(self):
        """Stores names and order of nodes and animations in their extras. Makes names of animations unique."""
        for items in self.json["nodes"], self.animations:
            for index, item in enumerate(items):
                item.setdefault("extras", {}).update({NAME: item.get("name", ""), ORDER: index})
        names = set()
        for animation in self.animations:
            own = animation["name"]
            # Blender numbers equal names like this.
            numbered = (f"{own}.{number:03}" for number in itertools.count(1))
            animation["name"] = next(name for name in itertools.chain([own], numbered) if name not in names)
            names.add(animation["name"])

    def restore_names(self):
        """Removes numbers that Blender added to names. A copy of an imported object keeps its number."""
        for items in self.json.get("nodes", []), self.animations:
            counts = collections.Counter(map(order, items))
            for item in items:
                own = item.get("extras", {}).get(NAME)
                is_numbered = own and re.fullmatch(re.escape(own) + r"\.\d{3}", item["name"])
                if is_numbered and counts[order(item)] == 1:
                    item["name"] = own

    def sort_nodes(self):
        """Restores the order of imported nodes. Other nodes follow."""
        nodes = self.json.get("nodes", [])
        for parent in nodes + self.json["scenes"]:
            for key in {"children", "nodes"} & parent.keys():
                parent[key].sort(key=lambda child: order(nodes[child]))

    def restore_clips(self, fps):
        """Restores the rates and the order of clips. In Blender, their frames are at the rate of the scene."""
        in_place = all(FIRST in animation.get("extras", {}) for animation in self.animations)
        for animation in self.animations:
            extras = animation.get("extras", {})
            own = rate(extras)
            if own:
                count = round(self.move_times(animation, fps / own) * own) + 1
                # A looping clip ends with a copy of its first frame, which is not counted. A clip without motion has
                # one key, but may have more frames.
                if COUNT not in extras or (count > 1 and extras[COUNT] not in (count, count - 1)):
                    extras[COUNT] = count
                    in_place = False
        self.animations.sort(key=order)
        if not in_place:
            # The clips follow each other, because their frames are no longer those of the imported model.
            for animation in self.animations:
                animation.get("extras", {}).pop(FIRST, None)

    def move_times(self, animation, factor):
        """Moves the first key of an animation to 0, multiplies the times, and returns the last time in seconds."""
        originals = {sampler["input"]: self.times(sampler["input"]) for sampler in animation["samplers"]}
        start = min(times[0] for times in originals.values())
        # Animations may share their times, so the originals stay unchanged.
        moved = {accessor: self.add_times((times - start) * factor) for accessor, times in originals.items()}
        for sampler in animation["samplers"]:
            sampler["input"] = moved[sampler["input"]]
        return float(max(times[-1] for times in originals.values()) - start) * factor

    def times(self, accessor):
        found = self.json["accessors"][accessor]
        view = self.json["bufferViews"][found["bufferView"]]
        offset = view.get("byteOffset", 0) + found.get("byteOffset", 0)
        return numpy.frombuffer(self.binary, "<f4", found["count"], offset).copy()

    def add_times(self, times):
        data = times.astype("<f4").tobytes()
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        self.json["accessors"].append(
            {
                "bufferView": len(self.json["bufferViews"]) - 1,
                "componentType": 5126,
                "count": len(times),
                "type": "SCALAR",
                "min": [float(times[0])],
                "max": [float(times[-1])],
            }
        )
        return len(self.json["accessors"]) - 1
