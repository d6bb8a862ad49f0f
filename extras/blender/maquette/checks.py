"""Faults of a scene that are easy to miss: no weights, texture coordinates, faces or image files."""

from pathlib import Path

import bpy

from . import skins


def of_scene(sample, choice):
    """Returns a message for each fault."""
    shown = {surface.node.object for surface in sample.surfaces}
    found = [
        f"“{one.name}” has no faces and was left out"
        for one in choice.shapes
        if one.type == "MESH" and one not in shown and not one.is_instancer
    ]
    for surface in sample.surfaces:
        found += of_weights(surface, choice)
        if not surface.geometry.uvs and any(images(surface.geometry.materials)):
            found.append(f"“{surface.node.name}” has no UV map, so its texture does not show")
    materials = dict.fromkeys(each for surface in sample.surfaces for each in surface.geometry.materials)
    for material in filter(None, materials):
        found += of_material(material)
    missing = {image.name: path for image in images(materials) if (path := file_of(image)) and not path.is_file()}
    found += [f"“{name}” is hidden in some frames, but games show it in all" for name in sorted(sample.blinking)]
    return found + [f"the file of the image “{name}” does not exist: {path}" for name, path in missing.items()]


def of_weights(surface, choice):
    """Returns a message if an armature does not move some vertices of its mesh."""
    one = surface.node.object
    armature = choice.armature_of(one) if not surface.node.copy else None
    if not armature or any(each.type == "ARMATURE" and each.use_bone_envelopes for each in one.modifiers):
        return []
    groups = {group.index for group in one.vertex_groups if skins.deforms(armature, group.name)}
    weights = surface.geometry.weights
    number = sum(not any(group in groups and weight > 0 for group, weight in own) for own in weights)
    if not number:
        return []
    return [f"“{one.name}” has {number} vertices without weights for “{armature.name}”, which does not move them"]


def of_material(material):
    """Returns messages about nodes that the glTF export of Blender skips, and about a path that shader scripts lack."""
    found = []
    for node in material.node_tree.nodes if material.node_tree else ():
        color = node.inputs["Base Color"] if node.type == "BSDF_PRINCIPLED" else None
        before = source_of(color)
        if before and before.type != "TEX_IMAGE" and not is_factor(before) and any(map(has_image, before.inputs)):
            name = before.label or before.name
            found.append(f"material “{material.name}”: the node “{name}” is skipped; bake its result into the image")
    if material.name.startswith(("/", "\\")):
        found.append(f"material “{material.name}”: the path begins with a slash, so that no shader script applies")
    return found


def source_of(socket):
    """Returns the node that is connected to a socket, or None."""
    node = socket.links[0].from_node if socket and socket.links else None
    return source_of(node.inputs[0]) if node and node.type == "REROUTE" else node


def is_factor(node):
    """Returns whether a node multiplies an image by a colour or by vertex colours, which a glTF contains."""
    if node.type not in {"MIX", "MIX_RGB"} or node.blend_type != "MULTIPLY":
        return False
    others = sorted(each.type for each in map(source_of, node.inputs) if each)
    return others in (["TEX_IMAGE"], ["ATTRIBUTE", "TEX_IMAGE"], ["TEX_IMAGE", "VERTEX_COLOR"])


def has_image(socket):
    """Returns whether an image leads to a socket."""
    seen, queue = set(), [socket]
    while queue:
        node = source_of(queue.pop())
        if node and node not in seen:
            if node.type == "TEX_IMAGE":
                return True
            seen.add(node)
            queue += node.inputs
    return False


def images(materials):
    """Yields the images that materials name."""
    for material in materials:
        for node in material.node_tree.nodes if material and material.node_tree else ():
            if node.type == "TEX_IMAGE" and node.image:
                yield node.image


def file_of(image):
    """Returns the path of an image that is not in the Blender file, or None."""
    if image.source != "FILE" or image.packed_file:
        return None
    return Path(bpy.path.abspath(image.filepath, library=image.library))
