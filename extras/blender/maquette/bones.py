"""Bones of imported models: their lengths and axes."""

import statistics

import bpy
import numpy
from mathutils import Matrix

from . import gltf, nodes

# Length of a bone without parent and children, in units of its armature.
ALONE = 4
# Bones that end closer to their start, in units of the armature, have another bone's length.
SHORTEST = 1e-3


def finish(context, armatures, document, is_along_chain):
    """Gives bones the length to their children. Stores the rotation from each bone to its joint if they differ."""
    active, mode = context.view_layer.objects.active, context.mode
    for armature in armatures:
        if armature.name not in context.view_layer.objects:
            continue
        context.view_layer.objects.active = armature
        is_longer = bpy.app.version >= (4, 2, 0) and not is_along_chain
        factor = max(armature.scale) if is_longer else 1
        before = {bone.name: bone.length * factor for bone in armature.data.bones}
        bpy.ops.object.mode_set(mode="EDIT")
        set_lengths(armature.data.edit_bones)
        bpy.ops.object.mode_set(mode="OBJECT")
        keep_children(armature, before)
    if is_along_chain:
        worlds = document.worlds()
        for armature in armatures:
            for bone in armature.data.bones:
                turn(armature, bone, worlds)
    if mode == "OBJECT" or not active:
        context.view_layer.objects.active = active


def keep_children(armature, before):
    """Keeps objects in place whose parents are bones, because they are relative to the tail. Blender's importer moves
    them by the length of the bone, but from 4.2 on makes the bone longer by the scale of the armature."""
    for child in armature.children:
        bone = armature.data.bones.get(child.parent_bone) if child.parent_type == "BONE" else None
        if bone:
            moved = Matrix.Translation((0, before[bone.name] - bone.length, 0))
            child.matrix_parent_inverse = moved @ child.matrix_parent_inverse


def set_lengths(bones):
    """Sets the length of each bone to the distance of its children. A bone without children is half as long as its
    parent. The axes stay."""
    for bone in bones:
        bone.use_connect = False
    lengths = {}
    for bone in bones:
        distances = [(child.head - bone.head).length for child in bone.children]
        distances = [distance for distance in distances if distance > SHORTEST]
        if distances:
            lengths[bone.name] = statistics.median(distances)
    # Parents come first.
    for bone in sorted(bones, key=lambda bone: len(bone.parent_recursive)):
        if bone.name not in lengths:
            lengths[bone.name] = lengths[bone.parent.name] / 2 if bone.parent else ALONE
    for bone in bones:
        bone.length = lengths[bone.name]


def turn(armature, bone, worlds):
    """Stores the rotation from a bone to the joint of the model, with which the export restores the joint."""
    world = worlds.get(bone.get(gltf.ORDER))
    if world is None:
        return
    shown = nodes.TO_GLTF @ armature.matrix_world @ bone.matrix_local
    rotation = shown.to_quaternion().inverted() @ Matrix(world).to_quaternion()
    if numpy.abs(numpy.array(rotation.to_matrix()) - numpy.eye(3)).max() > 1e-5:
        bone[nodes.TURNED] = list(rotation)
