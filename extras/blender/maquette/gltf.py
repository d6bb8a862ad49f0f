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
# Seconds at which the frames of a clip begin, and at which it ends, if they last differently (MDL).
TIMES = "frameTimes"
# Custom property of a scene: the extras of the clips that markers begin, by name.
CLIPS = "importedClips"
# Custom property of an action that plays all clips of a model, one after another.
JOINED = "importedTimeline"
# Whether an imported clip ends with a copy of its first frame, which is not on the timeline.
CLOSES = "closes"
# Extras that are true or false. Blender before 4.0 stores them as numbers.
SWITCHES = ("unlisted", "reversed", "frameGroup", "tag")
# Extension for the skins of a model.
VARIANTS = "KHR_materials_variants"
# Custom property of a material: the numbers of the skins of an imported model that show it.
SKINS = "importedSkins"
# Custom properties of an object or action: its name and index in the file, because Blender makes names unique and sorts
# by name.
NAME, ORDER = "importedName", "importedOrder"

# Component types of accessors, and the numbers in a value of each type.
UNSIGNED_SHORT, UNSIGNED_INT, FLOAT = 5123, 5125, 5126
COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", UNSIGNED_SHORT: "<u2", UNSIGNED_INT: "<u4", FLOAT: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

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

    def show_variants(self):
        """Adds a mesh that shows the materials of further skins, because Blender imports no others. Returns the index
        of its node, and by the indices of nodes the numbers of its materials; None without such materials."""
        nodes, meshes = self.json["nodes"], self.json.get("meshes", [])
        shown, further, numbers = {}, {}, {}
        for index, node in enumerate(nodes):
            for primitive in meshes[node["mesh"]]["primitives"] if "mesh" in node else ():
                mappings = primitive.get("extensions", {}).get(VARIANTS, {}).get("mappings", [])
                for mapping in mappings:
                    numbers.setdefault(mapping["material"], set()).update(mapping["variants"])
                others = dict.fromkeys(mapping["material"] for mapping in mappings)
                others.pop(primitive.get("material"), None)
                for material in others:
                    data = {"attributes": primitive["attributes"], "indices": primitive["indices"]}
                    shown.setdefault(material, {**data, "material": material})
                further.setdefault(index, []).extend(list(shown).index(material) for material in others)
        if not shown:
            return None
        for material, own in numbers.items():
            self.json["materials"][material].setdefault("extras", {})[SKINS] = sorted(own)
        meshes.append({"primitives": list(shown.values())})
        nodes.append({"mesh": len(meshes) - 1, "extras": {ORDER: len(nodes)}})
        self.json["scenes"][self.json.get("scene", 0)]["nodes"].append(len(nodes) - 1)
        return len(nodes) - 1, further

    def store_uneven_times(self):
        """Stores the times of the frames of animations in their extras, if the frames last differently."""
        for animation in self.animations:
            extras = animation["extras"]
            keys = [self.rows(sampler["input"])[:, 0] for sampler in animation["samplers"]]
            times = max(keys, key=len, default=())
            count, even = extras[COUNT], numpy.arange(len(times)) / rate(extras)
            if len(times) in (count, count + 1) and not numpy.allclose(times, even, atol=1e-4):
                last = [times[-1] + 1 / rate(extras)] if len(times) == count else []
                extras[TIMES] = [*map(float, times), *last]

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

    def rows(self, accessor):
        """Returns the values of an accessor, each a row of numbers."""
        found = self.json["accessors"][accessor]
        view = self.json["bufferViews"][found["bufferView"]]
        offset = view.get("byteOffset", 0) + found.get("byteOffset", 0)
        kind, width = numpy.dtype(COMPONENTS[found["componentType"]]), WIDTHS[found["type"]]
        strides = view.get("byteStride", kind.itemsize * width), kind.itemsize
        return numpy.ndarray((found["count"], width), kind, bytes(self.binary), offset, strides)

    def separate_repeated(self):
        """Gives own vertices to triangles whose vertices another triangle has, or that have a vertex twice. Blender
        would remove them, and they may be the back of a surface."""
        for mesh in self.json.get("meshes", []):
            for primitive in mesh["primitives"]:
                triangles = self.rows(primitive["indices"]).reshape(-1, 3).astype(numpy.uint32)
                repeated = repeated_rows(numpy.sort(triangles, axis=1))
                if not repeated.any():
                    continue
                vertices = triangles[repeated].reshape(-1)
                known = self.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
                triangles[repeated] = known + numpy.arange(len(vertices), dtype=numpy.uint32).reshape(-1, 3)
                primitive["indices"] = self.append(triangles.reshape(-1, 1), "SCALAR", UNSIGNED_INT)
                for attributes in [primitive["attributes"], *primitive.get("targets", [])]:
                    for name, accessor in attributes.items():
                        attributes[name] = self.with_copies(accessor, vertices)

    def with_copies(self, accessor, chosen):
        """Adds an accessor with the values of another one and copies of chosen ones, and returns its index."""
        found, rows = self.json["accessors"][accessor], self.rows(accessor)
        added = self.append(numpy.concatenate([rows, rows[chosen]]), found["type"], found["componentType"])
        if found.get("normalized"):
            self.json["accessors"][added]["normalized"] = True
        return added

    def add(self, values, kind):
        """Adds an accessor for rows of numbers, and returns its index. Numbers that are not integers become floats."""
        component = {"uint16": UNSIGNED_SHORT, "uint32": UNSIGNED_INT}.get(values.dtype.name, FLOAT)
        return self.append(values.astype("<f4") if component == FLOAT else values, kind, component)

    def append(self, values, kind, component):
        """Adds an accessor for rows of numbers of a component type, and returns its index."""
        self.binary += bytes(-len(self.binary) % 4)
        # Vertex attributes are aligned to four bytes.
        width = values.dtype.itemsize * WIDTHS[kind]
        padding = -width % 4 if kind != "SCALAR" else 0
        data = values.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        if padding:
            rows = numpy.frombuffer(data, numpy.uint8).reshape(len(values), -1)
            data = numpy.pad(rows, ((0, 0), (0, padding))).tobytes()
            view.update(byteLength=len(data), byteStride=width + padding)
        self.json.setdefault("buffers", [{}])
        self.json.setdefault("bufferViews", []).append(view)
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


def repeated_rows(rows):
    """Returns whether each sorted row of three numbers equals an earlier one, or has a number twice."""
    first = numpy.unique(rows, axis=0, return_index=True)[1]
    repeated = numpy.ones(len(rows), bool)
    repeated[first] = False
    return repeated | (rows[:, 0] == rows[:, 1]) | (rows[:, 1] == rows[:, 2])


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
