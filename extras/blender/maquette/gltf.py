"""Blender's glTF import and export, and the .glb files between Blender and the program."""

import itertools
import json
import struct
from pathlib import Path

import bpy
import numpy
from mathutils import Matrix, Quaternion, Vector

from .program import MaquetteError

# Custom properties of an action, which are the `extras` of a glTF animation.
RATE, COUNT, FIRST = "framesPerSecond", "frameCount", "firstFrame"
LOOP = "loopFrames"
# Custom property of a scene: the extras of the clips that markers begin, by name.
CLIPS = "importedClips"
# Whether an imported clip ends with a copy of its first frame, which is not on the timeline.
CLOSES = "closes"
# Extras that are true or false. Blender before 4.0 stores them as numbers.
SWITCHES = ("unlisted", "reversed")
# Custom properties of an object or action: its name and index in the file, because Blender makes names unique and sorts
# by name.
NAME, ORDER = "importedName", "importedOrder"

# Component types of accessors.
UNSIGNED_SHORT, UNSIGNED_INT, FLOAT = 5123, 5125, 5126

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


class Document:
    """Content of a .glb file: the JSON object and its buffer."""

    def __init__(self, path=None):
        self.json = {"asset": {"version": "2.0"}}
        self.binary = bytearray()
        if path:
            self.read(path)

    def read(self, path):
        data = Path(path).read_bytes()
        (length,) = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20 : 20 + length])
        self.binary = bytearray(data[28 + length :])

    def write(self, path):
        if self.binary:
            self.json["buffers"][0]["byteLength"] = len(self.binary)
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if self.binary:
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

    def worlds(self):
        """Returns the matrix of each node, by its index."""
        nodes = self.json["nodes"]
        found = {}
        queue = [(index, Matrix()) for index in self.json["scenes"][self.json.get("scene", 0)]["nodes"]]
        while queue:
            index, above = queue.pop()
            found[index] = above @ local_matrix(nodes[index])
            queue += [(child, found[index]) for child in nodes[index].get("children", [])]
        return found

    def numbers(self, accessor):
        """Returns the 32-bit numbers of an accessor in one list."""
        found = self.json["accessors"][accessor]
        view = self.json["bufferViews"][found["bufferView"]]
        offset = view.get("byteOffset", 0) + found.get("byteOffset", 0)
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[found["type"]]
        return numpy.frombuffer(bytes(self.binary), "<f4", found["count"] * width, offset)

    def add(self, values, kind):
        """Adds an accessor for rows of numbers, and returns its index. Numbers that are not integers become floats."""
        component = {"uint16": UNSIGNED_SHORT, "uint32": UNSIGNED_INT}.get(values.dtype.name, FLOAT)
        values = values.astype("<f4") if component == FLOAT else values
        self.binary += bytes(-len(self.binary) % 4)
        data = values.tobytes()
        self.json.setdefault("buffers", [{}])
        self.json.setdefault("bufferViews", []).append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        )
        self.binary += data
        accessor = {
            "bufferView": len(self.json["bufferViews"]) - 1,
            "componentType": component,
            "count": len(values),
            "type": kind,
        }
        if component == FLOAT:
            rows = values.reshape(len(values), -1)
            accessor.update(min=rows.min(axis=0).tolist(), max=rows.max(axis=0).tolist())
        self.json.setdefault("accessors", []).append(accessor)
        return len(self.json["accessors"]) - 1


def local_matrix(node):
    """Returns the matrix of a node relative to its parent."""
    if "matrix" in node:
        return Matrix([node["matrix"][row::4] for row in range(4)])
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    return Matrix.LocRotScale(
        Vector(node.get("translation", (0, 0, 0))), Quaternion((w, x, y, z)), Vector(node.get("scale", (1, 1, 1)))
    )


def properties(item):
    """Returns the custom properties that JSON can store."""
    found = {}
    for name, value in item.items():
        value = value.to_list() if hasattr(value, "to_list") else value
        value = bool(value) if name in SWITCHES else value
        if isinstance(value, (bool, int, float, str, list)):
            found[name] = value
    return found


def curves(action, slot=None):
    """Returns the F-curves of an action: those of a slot, or of all slots."""
    if bpy.app.version < (4, 4, 0):
        return list(action.fcurves)
    bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
    return [curve for bag in bags if slot is None or bag.slot_handle == slot.handle for curve in bag.fcurves]


def curve_list(action, slot=None):
    """Returns the list to which the F-curves of a slot belong."""
    if bpy.app.version < (4, 4, 0):
        return action.fcurves
    return action.layers[0].strips[0].channelbag(slot, ensure=True).fcurves
