"""Clips of an imported model on an armature that is in the scene already."""

import bpy
import numpy

from . import choice, gltf, playback
from .program import MaquetteError

# Elements of rest matrices that differ by less are equal, relative to the largest one.
SAME = 1e-3
# Values of a pose that differ by less from the pose at rest are rounding errors.
POSED = 1e-5


def target(context):
    """Returns the active armature, that of the active mesh, or the only one of the scene."""
    active = context.view_layer.objects.active
    found = [active] if active and active.type == "ARMATURE" else choice.armatures_of(active) if active else []
    if not found:
        found = [one for one in context.view_layer.objects if one.type == "ARMATURE"]
    if len(found) != 1:
        raise MaquetteError("there is no active armature; select the armature that the clips move")
    return found[0]


def complete_poses(armatures):
    """Adds keys to clips for bones that the clips do not move, but whose pose differs from the pose at rest. An action
    without keys for a bone leaves the pose of another action there."""
    for armature in armatures:
        posed = [
            (f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].{name}', getattr(bone, name)[:])
            for bone in armature.pose.bones
            for name in ("location", "rotation_quaternion", "scale")
            if max(abs(own - rest) for own, rest in zip(getattr(bone, name), playback.REST[name])) > POSED
        ]
        data = armature.animation_data
        for strip in [strip for track in data.nla_tracks for strip in track.strips] if data and posed else ():
            curves = gltf.curve_list(strip.action, getattr(strip, "action_slot", None))
            known = {curve.data_path for curve in curves}
            for path, value in posed:
                if path not in known:
                    for index, number in enumerate(value):
                        curves.new(path, index=index).keyframe_points.insert(0, number)


def move_clips(context, armature, objects):
    """Moves the clips of an imported armature to another one, which shows the first of them, and removes the imported
    objects."""
    source = next((one for one in objects if one.type == "ARMATURE"), None)
    try:
        reason = difference(armature, source)
        if reason:
            raise MaquetteError(f"the clips do not fit “{armature.name}”: {reason}")
        data = armature.animation_data or armature.animation_data_create()
        tracks = source.animation_data.nla_tracks if source.animation_data else ()
        added = [add_strip(data, track.name, strip) for track in tracks for strip in track.strips]
        if added:
            # The first clip is on the topmost track.
            data.action = added[-1].action
            if getattr(added[-1], "action_slot", None):
                data.action_slot = added[-1].action_slot
    finally:
        remove(objects)
        armature.select_set(True)
        context.view_layer.objects.active = armature


def add_strip(data, name, strip):
    track = data.nla_tracks.new()
    track.name = name
    track.mute = True
    added = track.strips.new(strip.name, round(strip.frame_start), strip.action)
    if getattr(strip, "action_slot", None):
        added.action_slot = strip.action_slot
    return added


def difference(armature, source):
    """Returns why the bones of two armatures differ, or None."""
    if not source:
        return "the model has no joints"
    own, other = armature.data.bones, source.data.bones
    missing = [bone.name for bone in other if bone.name not in own]
    if missing:
        return f"it lacks the bone “{missing[0]}”"
    for bone in other:
        matrices = [numpy.array(each[bone.name].matrix_local) for each in (own, other)]
        if numpy.abs(matrices[0] - matrices[1]).max() > SAME * max(1, numpy.abs(matrices[1]).max()):
            return f"the bone “{bone.name}” rests differently; import both with one setting of Bones"
    return None


def remove(objects):
    """Removes objects with their meshes and armatures."""
    for data in {one.data for one in objects if one.data}:
        users = [one for one in objects if one.data == data]
        for one in users:
            objects.remove(one)
            bpy.data.objects.remove(one)
        if not data.users:
            {"Mesh": bpy.data.meshes, "Armature": bpy.data.armatures}[type(data).__name__].remove(data)
    for one in objects:
        bpy.data.objects.remove(one)
