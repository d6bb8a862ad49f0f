"""Writing of sampled frames as a glTF document."""

import collections
import itertools
import math
import re

import numpy
from mathutils import Matrix

from . import choice as choices
from . import gltf, materials, meshes, skins
from .program import MaquetteError
from .sample import SAME, differ, reach

# Parts of a player, which are collections of the scene.
PARTS = ("lower", "upper", "head")
# Formats with several skins for the whole model.
SKINNED = {"mdl", "md2"}
# Fields of the header, and the formats that have some of them.
HEADER_NUMBERS, FLAGS_FORMAT, EYES = ("modelFlags", "syncType"), "modelFormat", "eyePosition"
HEADERS = {"mdl", "md3", "iqm"}


class Writer:
    """Builds the document of a sample."""

    def __init__(self, sample, has_parts, extension=""):
        self.sample = sample
        self.tree = sample.tree
        self.nodes = sample.tree.nodes
        self.index = {node: index for index, node in enumerate(self.nodes)}
        self.document, self.materials = materials.document([surface.geometry for surface in sample.surfaces])
        self.json = self.document.json
        self.skins = {}
        self.extension = extension
        # A name for each skin of the whole model.
        self.looks = []
        self.above = [self.index[node.parent] if node.parent else None for node in self.nodes]
        self.parts = self.collect_parts() if has_parts else {}
        for surface in sample.surfaces:
            self.add_mesh(surface)
        self.add_nodes()
        for frames in sample.clips:
            self.add_clip(frames)

    def collect_parts(self):
        """Returns the part of each surface and tag that is in a collection of a part's name."""
        found = {}
        for index, node in enumerate(self.nodes):
            names = {each.name.lower() for each in node.object.users_collection}
            part = next((part for part in PARTS if part in names), None)
            if part and not node.bone and (node.mesh or choices.is_tag(node)):
                found[index] = part
                self.above[index] = None
        return found

    def add_mesh(self, surface):
        node, geometry = surface.node, surface.geometry
        place, corners = geometry.corners_by_vertex(surface.shapes)
        vertices = geometry.vertices[corners]
        add = self.document.add
        first, *normals = (
            meshes.mean_normals(shape.normals, place, len(corners)) for shape in (geometry, *surface.shapes)
        )
        attributes = {
            "POSITION": add(geometry.positions[vertices], "VEC3"),
            "NORMAL": add(first, "VEC3"),
        }
        for number, uv in enumerate(geometry.uvs):
            attributes[f"TEXCOORD_{number}"] = add(uv[corners] * (1, -1) + (0, 1), "VEC2")
        if geometry.colors is not None:
            attributes["COLOR_0"] = add(geometry.colors[corners], "VEC4")
        if node.skin:
            weights = [node.skin.weights[vertex] for vertex in vertices]
            for number, (joints, values) in enumerate(skins.all_sets(weights, len(vertices))):
                attributes[f"JOINTS_{number}"] = add(joints, "VEC4")
                attributes[f"WEIGHTS_{number}"] = add(values, "VEC4")
        targets = [
            {
                "POSITION": add((shape.positions - geometry.positions)[vertices], "VEC3"),
                "NORMAL": add(own - first, "VEC3"),
            }
            for shape, own in zip(surface.shapes, normals)
        ]
        primitives = []
        used = numpy.unique(geometry.slots)
        further = [own for slot, own in enumerate(geometry.materials) if slot not in used]
        for slot in used:
            indices = place[geometry.triangles[geometry.slots == slot]].reshape(-1).astype(numpy.uint32)
            primitive = {"attributes": attributes, "indices": add(indices, "SCALAR")}
            material = geometry.materials[slot] if slot < len(geometry.materials) else None
            if material in self.materials:
                primitive["material"] = self.materials[material]
            if targets:
                primitive["targets"] = targets
            if self.extension in SKINNED and any(own in self.materials for own in further):
                self.add_variants(primitive, numbered([material, *further]))
            primitives.append(primitive)
        self.json.setdefault("meshes", []).append({"name": node.name, "primitives": primitives})
        surface.index = len(self.json["meshes"]) - 1

    def add_variants(self, primitive, looks):
        """Adds skins to a primitive: a material for each. Without a material, the skin shows that of the primitive."""
        mappings = [
            {"material": self.materials[look], "variants": [number]}
            for number, look in enumerate(looks)
            if look in self.materials
        ]
        primitive["extensions"] = {gltf.VARIANTS: {"mappings": mappings}}
        self.looks += [look.name if look else "no material" for look in looks[len(self.looks) :]]
        names = [{"name": f"skin {number}"} for number in range(len(self.looks))]
        self.json.setdefault("extensions", {})[gltf.VARIANTS] = {"variants": names}

    def add_nodes(self):
        self.rest = self.locals(self.sample.rest)
        written = []
        for node, matrix, name in zip(self.nodes, self.rest, restored_names(self.nodes)):
            place, rotation, scale = Matrix(matrix).decompose()
            item = {"name": name, "translation": place[:], "rotation": quaternion(rotation), "scale": scale[:]}
            if node.mesh:
                item["mesh"] = node.mesh.index
            if node.skin:
                item["skin"] = self.skin(node.skin)
            extras = stored(node, self.extension in HEADERS)
            if extras:
                item["extras"] = extras
            written.append(item)
        roots = []
        for index in sorted(range(len(written)), key=lambda index: self.nodes[index].order):
            above = self.above[index]
            part = self.parts.get(index)
            if above is not None:
                written[above].setdefault("children", []).append(index)
            elif part:
                collection = next((item for item in written[len(self.nodes) :] if item["name"] == part), None)
                if not collection:
                    collection = {"name": part, "children": []}
                    roots.append(len(written))
                    written.append(collection)
                collection["children"].append(index)
            else:
                roots.append(index)
        self.json.update(nodes=written, scenes=[{"nodes": roots}], scene=0)

    def skin(self, skin):
        key = tuple(skin.nodes), numpy.round(skin.inverse, 6).tobytes()
        if key not in self.skins:
            inverse = self.document.add(skin.inverse.transpose(0, 2, 1).reshape(-1, 16), "MAT4")
            self.json.setdefault("skins", []).append({"joints": skin.nodes, "inverseBindMatrices": inverse})
            self.skins[key] = len(self.json["skins"]) - 1
        return self.skins[key]

    def locals(self, worlds):
        """Returns matrices relative to the parents."""
        found = worlds.copy()
        for index, above in enumerate(self.above):
            if above is not None:
                found[..., index, :, :] = numpy.linalg.solve(worlds[..., above, :, :], worlds[..., index, :, :])
        for index, node in enumerate(self.nodes):
            if node.skin:
                # Joints place the mesh. Programs that look at its node find that it is not mirrored.
                mirrored = (
                    self.above[index] is not None and numpy.linalg.det(self.sample.rest[self.above[index], :3, :3]) < 0
                )
                found[..., index, :, :] = numpy.diag([-1.0 if mirrored else 1.0, 1, 1, 1])
        return found

    def moving(self, worlds):
        """Returns the nodes that move relative to their parents."""
        found, distance = [], reach(worlds)
        for index, above in enumerate(self.above):
            still = self.rest[index] if above is None else worlds[:, above] @ self.rest[index]
            if self.nodes[index].skin is None and differ(worlds[:, index], still, distance):
                found.append(index)
        return found

    def add_clip(self, frames):
        clip = frames.clip
        # A clip without motion has one key, so that a loop does not seem to end with a copy of its first frame.
        keys = 1 if is_still(frames) else clip.samples
        times = self.document.add(key_times(clip)[:keys], "SCALAR")
        samplers, channels = [], []

        def add(node, path, values, kind):
            samplers.append({"input": times, "output": self.document.add(values, kind), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

        moved = self.locals(frames.worlds[:keys])
        for index in self.moving(frames.worlds[:keys]):
            rest = decomposed(self.rest[index])
            tracks = zip(*(decomposed(matrix) for matrix in moved[:, index]))
            for path, own, track in zip(("translation", "rotation", "scale"), rest, tracks):
                track = continuous(track, own) if path == "rotation" else numpy.array(track)
                if numpy.abs(track - own).max() > SAME * numpy.abs(own).max():
                    add(index, path, track, "VEC4" if path == "rotation" else "VEC3")
        for surface, numbers in frames.shapes.items():
            if max(numbers) >= 0:
                weights = (numpy.array(numbers[:keys])[:, None] == numpy.arange(len(surface.shapes))).astype(float)
                add(self.index[surface.node], "weights", weights.reshape(-1), "SCALAR")
        if not channels:
            # A clip has at least one channel.
            index = next((index for index, node in enumerate(self.nodes) if node.mesh or node.bone), 0)
            add(index, "translation", numpy.tile(decomposed(self.rest[index])[0], (keys, 1)), "VEC3")
        extras = {gltf.RATE: clip.rate, gltf.COUNT: clip.count, **without_labels(clip.extras)}
        extras.update({gltf.RATE: clip.rate, gltf.COUNT: clip.count})
        self.json.setdefault("animations", []).append(
            {"name": clip.name, "samplers": samplers, "channels": channels, "extras": extras}
        )


def numbered(materials):
    """Returns the material of each skin, from the materials of the faces and of slots that no face uses. Imported
    materials have numbers, and others take the lowest free ones."""
    found, others = {}, []
    for material in materials:
        own = gltf.properties(material).get(gltf.SKINS) if material else None
        own = own if isinstance(own, list) else []
        own = [number for number in own if isinstance(number, int) and number not in found]
        found.update(dict.fromkeys(own, material))
        others += [] if own else [material]
    free = (number for number in itertools.count() if number not in found)
    found.update([(number, other) for number, other in zip(free, others)])
    return [found[number] for number in sorted(found)]


def stored(node, has_header):
    """Returns the custom properties of a node that the program reads: fields of the header, and the mark of a tag."""
    found = {choices.TAG_MARK: True} if node.get(choices.TAG_MARK) and not node.mesh else {}
    if not has_header:
        return found
    for name in HEADER_NUMBERS:
        value = node.get(name)
        if is_finite(value) and value == int(value):
            found[name] = int(value) & 0xFFFFFFFF
        elif value is not None:
            raise MaquetteError(f"custom property “{name}”: expected a whole number")
    if HEADER_NUMBERS[0] in found and isinstance(node.get(FLAGS_FORMAT), str):
        found[FLAGS_FORMAT] = node.get(FLAGS_FORMAT)
    eyes = node.get(EYES)
    if isinstance(eyes, list) and len(eyes) == 3 and all(map(is_finite, eyes)):
        found[EYES] = eyes
    elif eyes is not None:
        raise MaquetteError(f"custom property “{EYES}”: expected three finite numbers")
    return found


def is_finite(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


def key_times(clip):
    """Returns the time of each sample in seconds. Frames of an imported clip may last differently."""
    stored = clip.extras.pop(gltf.TIMES, ())
    is_imported = not clip.is_changed and len(stored) == clip.count + 1
    return numpy.array(stored[: clip.samples]) if is_imported else numpy.arange(clip.samples) / clip.rate


def is_still(frames):
    """Returns whether all frames of a clip are equal."""
    is_shaped = any(len({*numbers}) > 1 for numbers in frames.shapes.values())
    return not is_shaped and not differ(frames.worlds, frames.worlds[0], reach(frames.worlds))


def without_labels(extras):
    return {name: value for name, value in extras.items() if name not in (gltf.NAME, gltf.ORDER)}


def decomposed(matrix):
    place, rotation, scale = Matrix(matrix).decompose()
    return numpy.array(place), numpy.array(quaternion(rotation)), numpy.array(scale)


def quaternion(rotation):
    return rotation.x, rotation.y, rotation.z, rotation.w


def continuous(track, first):
    """Chooses the sign of each quaternion that is closer to the one before."""
    found = []
    for value in track:
        before = found[-1] if found else first
        found.append(-value if numpy.dot(value, before) < 0 else value)
    return numpy.array(found)


def restored_names(items):
    """Removes numbers that Blender added to names. A copy of an imported object keeps its number. Bolts become tags."""
    counts = collections.Counter(item.order for item in items)
    found = []
    for item in items:
        own = item.extras.get(gltf.NAME)
        is_numbered = own and re.fullmatch(re.escape(own) + r"\.\d{3}", item.name) and counts[item.order] == 1
        name = own if is_numbered else item.name
        if name.startswith(choices.BOLT) and not item.mesh:
            name = choices.TAG + name[1:]
        found.append(name)
    return found
