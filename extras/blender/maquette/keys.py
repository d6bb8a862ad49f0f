"""Keys of imported clips: absolute shape keys, and one timeline for all clips."""

import itertools
import re

import bpy
import numpy

from . import clips as clip_lists
from . import gltf, playback

SHAPE_VALUE = re.compile(r'key_blocks\["(.*)"\]\.value')


def finish(all_keys, is_absolute):
    """Names shape keys after the frames of the clips that show them first. Makes them absolute on request."""
    names, curves = [], []
    for keys in all_keys:
        data = keys.animation_data
        tracks = reversed(data.nla_tracks) if data else ()
        clips = [
            (track.name, strip.action, getattr(strip, "action_slot", None))
            for track in tracks
            for strip in track.strips
        ]
        shown = [(name, action, slot, frames_shown(keys, action, slot)) for name, action, slot in clips]
        if is_absolute:
            make_absolute(keys, shown)
        curves += [each for _, action, slot in clips for each in value_curves(keys, action, slot)]
        blocks = {block.frame: block for block in keys.key_blocks[1:]}
        for name, _, _, times in shown:
            for frame, time in enumerate(times, 1):
                if time in blocks:
                    names.append((blocks.pop(time), f"{name} {frame}"))
    for block, name in names:
        block.name = name
    # Blender 4.5 also changes the name in curves of other meshes.
    for curve, block in curves:
        curve.data_path = f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value'


def make_absolute(keys, clips):
    """Replaces the values of shape keys by the evaluation time, because each frame shows one of them."""
    keys.use_relative = False
    for block in keys.key_blocks:
        block.interpolation = "KEY_LINEAR"
    for _, action, slot, shown in clips:
        curves = gltf.curve_list(action, slot)
        for curve in [curve for curve in curves if SHAPE_VALUE.fullmatch(curve.data_path)]:
            curves.remove(curve)
        # A key for each frame is exact; between two keys that are further apart, Blender rounds.
        set_keys(curves.new("eval_time"), numpy.column_stack([numpy.arange(len(shown)), shown]).astype(numpy.float32))


def frames_shown(keys, action, slot):
    """Returns the evaluation time for each frame of an action."""
    length = round(action.frame_range[1]) + 1
    times = numpy.full(length, keys.key_blocks[0].frame)
    strongest = numpy.full(length, 0.5)
    for curve, block in value_curves(keys, action, slot):
        values = numpy.array([curve.evaluate(frame) for frame in range(length)])
        times[values > strongest] = block.frame
        strongest = numpy.maximum(values, strongest)
    return times


def value_curves(keys, action, slot):
    """Returns the curves that move the values of shape keys, each with its key."""
    found = ((curve, SHAPE_VALUE.fullmatch(curve.data_path)) for curve in gltf.curves(action, slot))
    return [(curve, keys.key_blocks[path[1]]) for curve, path in found if path and path[1] in keys.key_blocks]


def join_clips(scene, objects, clips):
    """Puts the clips one after another on the timeline, with a marker for each."""
    earlier = [data.action for _, data in clip_lists.animated(scene) if data.action and data.action.get(gltf.JOINED)]
    known = dict(scene.get(gltf.CLIPS, {}))
    if not earlier:
        # The model of these clips is no longer in the scene.
        for marker in [marker for marker in scene.timeline_markers if marker.name in known]:
            scene.timeline_markers.remove(marker)
        known = {}
    holders = [one for one in objects if one.animation_data]
    holders += [one.data.shape_keys for one in objects if one.type == "MESH" and one.data.shape_keys]
    starts, start = {}, max((round(action.frame_range[1]) + 1 for action in earlier), default=0)
    names, taken = {}, set(known)
    for name, extras in clips.items():
        # Blender numbers equal names like this.
        numbered = (f"{name}.{number:03}" for number in itertools.count(1))
        names[name] = next(each for each in itertools.chain([name], numbered) if each not in taken)
        taken.add(names[name])
        starts[name] = start
        scene.timeline_markers.new(names[name], frame=start)
        start += max(1, extras[gltf.COUNT])
    holders = [holder for holder in holders if holder.animation_data]
    strips = [
        (track.name, strip) for one in holders for track in one.animation_data.nla_tracks for strip in track.strips
    ]
    for name, strip in strips:
        if name in clips and strip.action.frame_range[1] > clips[name][gltf.COUNT] - 0.5:
            clips[name][gltf.CLOSES] = True
    for holder in holders:
        join_tracks(holder, starts, clips)
    scene.frame_start, scene.frame_end = 0, start - 1
    scene[gltf.CLIPS] = {**known, **{names[name]: extras for name, extras in clips.items()}}


def join_tracks(holder, starts, clips):
    """Replaces the tracks of an object by one action."""
    data = holder.animation_data
    strips = {track.name: track.strips[0] for track in data.nla_tracks if track.name in starts}
    found = {name: curves_by_path(strip) for name, strip in strips.items()}
    paths = dict.fromkeys(path for curves in found.values() for path in curves)
    points = {path: [] for path in paths}
    for name, start in starts.items():
        for path in paths:
            curve = found.get(name, {}).get(path)
            still = resting(holder, *path)
            frames = range(max(1, clips[name][gltf.COUNT]))
            points[path] += [(start + frame, curve.evaluate(frame) if curve else still) for frame in frames]
    if not points:
        return
    used = {strip.action for strip in strips.values()}
    while data.nla_tracks:
        data.nla_tracks.remove(data.nla_tracks[0])
    data.action = None
    for action in used:
        if not action.users:
            bpy.data.actions.remove(action)
    action = bpy.data.actions.new(holder.name)
    action[gltf.JOINED] = True
    slot = None
    for (path, index), own in points.items():
        curve, slot = new_curve(holder, action, path, index)
        set_keys(curve, numpy.array(own, numpy.float32))
    assign(holder, action, slot)


def curves_by_path(strip):
    curves = gltf.curves(strip.action, getattr(strip, "action_slot", None))
    return {(curve.data_path, curve.array_index): curve for curve in curves}


def resting(holder, path, index):
    """Returns the value of a property in a clip that does not move it."""
    name = path.rpartition(".")[2]
    if path.startswith("pose.bones") and name in playback.REST:
        return playback.REST[name][index]
    value = holder.path_resolve(path)
    return value[index] if hasattr(value, "__len__") else value


def assign(holder, action, slot):
    holder.animation_data.action = action
    if slot:
        holder.animation_data.action_slot = slot


def new_curve(holder, action, path, index):
    """Adds an F-curve for an object to an action. Returns the curve and the slot of the object."""
    if bpy.app.version < (4, 4, 0):
        return action.fcurves.new(path, index=index), None
    slot = action.slots[0] if action.slots else action.slots.new(holder.id_type, holder.name)
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves.new(path, index=index), slot


def set_keys(curve, points):
    curve.keyframe_points.add(len(points))
    curve.keyframe_points.foreach_set("co", points.ravel())
    for point in curve.keyframe_points:
        point.interpolation = "LINEAR"
    curve.update()
