"""Clips of an export: actions, or ranges of the timeline."""

import math

import bpy

from . import gltf
from .choice import SHAPES, instanced
from .program import MaquetteError

# Track names that Blender chooses itself.
DEFAULT_TRACKS = ("NlaTrack", "[Action Stash]")


class Clip:
    """Frames of the scene that become a clip, and the actions that play meanwhile."""

    def __init__(self, name, start, end, rate, extras, actions=None, is_named=True):
        self.name = name
        self.start = start
        self.end = end
        self.rate = rate
        self.extras = extras
        # (holder, action, slot) for each animated object or block of shape keys. None: the scene as it plays.
        self.actions = actions
        # Whether a user named the range, so that it is a clip even without motion.
        self.is_named = is_named
        self.order = extras.get(gltf.ORDER, math.inf)

    def resample(self, rate):
        """Divides the duration into frames of another rate."""
        self.step = self.rate / rate if rate else 1
        self.count = count(self.end - self.start, self.step)
        self.rate = rate or self.rate
        # A looping clip ends with a copy of its first frame, which does not count.
        self.samples = self.count
        stated = self.extras.get(gltf.COUNT)
        if not rate and stated in (self.count - 1, self.count):
            self.count = stated
        elif not rate and self.count == 1 and stated:
            # All frames of an imported clip are equal.
            self.count = self.samples = stated
        elif self.extras.pop("cyclic", False) and self.count > 1:
            self.count -= 1
            self.extras[gltf.LOOP] = self.count
        is_stated, is_closed = self.extras.pop("loops", False), self.extras.pop(gltf.CLOSES, False)
        if is_stated:
            self.extras[gltf.LOOP] = self.count
        # The frame after the last one is the first one, where another frame or clip follows.
        self.closes = self.samples == self.count > 1 and (is_stated or is_closed)
        self.may_end_closed = self.closes and is_stated
        self.samples += self.closes
        self.is_changed = stated != self.count
        return self

    def end_closed(self):
        """Takes the last frame, which equals the first, for the end of the loop."""
        self.samples -= 1
        self.closes = False

    def times(self):
        found = [min(self.start + index * self.step, self.end) for index in range(self.samples)]
        return found[:-1] + [self.start] if self.closes else found


def count(length, step):
    """Returns the number of frames in a length. Halves are rounded up, wherever the clip begins."""
    return math.floor(length / step + 0.5 + 1e-4) + 1


def scene_rate(scene):
    return scene.render.fps / scene.render.fps_base


def listed(scene, choice, mode, ranges="", rate=0):
    """Returns the clips of a scene."""
    found = timeline(scene, ranges) if mode == "TIMELINE" else divided(scene, actions(scene, choice))
    found = sorted(found, key=lambda clip: clip.order)
    if mode != "TIMELINE" and ranges.strip():
        found = chosen(found, ranges)
    found = [clip.resample(rate) for clip in found]
    if ranges.strip() or not all(gltf.FIRST in clip.extras and not clip.is_changed for clip in found):
        # The clips follow each other, because their frames are no longer those of the imported model.
        for clip in found:
            clip.extras.pop(gltf.FIRST, None)
    return found


def divided(scene, found):
    """Divides the actions of an import with markers into the clips that the markers begin."""
    joined = [member for clip in found for member in clip.actions if member[1].get(gltf.JOINED)]
    if not joined or not scene.timeline_markers:
        return found
    ranges = timeline(scene, "")
    for clip in ranges:
        clip.actions = joined
    return ranges + [clip for clip in found if clip.actions[0][1] not in {action for _, action, _ in joined}]


def is_imported(clip):
    return gltf.NAME in clip.extras


def timeline(scene, ranges):
    """Returns the named ranges, or the ranges between markers, or the whole timeline."""
    rate = scene_rate(scene)
    if ranges.strip():
        return [part_of(text, Clip(text.split(":")[0], None, None, rate, {})) for text in listed_texts(ranges)]
    markers = sorted((marker.frame, marker.name) for marker in scene.timeline_markers)
    markers = [(frame, name) for frame, name in markers if scene.frame_start <= frame <= scene.frame_end]
    if not markers:
        return [Clip(scene.name, scene.frame_start, scene.frame_end, rate, {}, is_named=False)]
    ends = [frame - 1 for frame, _ in markers[1:]] + [scene.frame_end]
    return [marked(scene, name, frame, end) for (frame, name), end in zip(markers, ends) if end >= frame]


def marked(scene, name, start, end):
    """Returns the clip between two markers. A marker of an imported clip has the rate and the loop of the clip."""
    extras = dict(scene.get(gltf.CLIPS, {}).get(name, {}))
    return Clip(name, start, end, gltf.rate(extras) or scene_rate(scene), extras)


def part_of(text, whole):
    """Returns the part name:start:end:rate:loop of a clip. Empty words are those of the clip."""
    words = text[len(whole.name) + 1 :].split(":")
    try:
        words += [""] * (4 - len(words))
        start, end, rate = (float(word or own) for word, own in zip(words, (whole.start, whole.end, whole.rate)))
        loops = {"": None, "0": False, "1": True}[":".join(words[3:])]
    except (KeyError, TypeError, ValueError) as error:
        raise MaquetteError(f"range “{text}”: expected name:start:end, then :rate, then :1 for a loop") from error
    if end < start or rate <= 0:
        raise MaquetteError(f"range “{text}”: the end must not be before the start, and the rate must be positive")
    extras = dict(whole.extras) if (start, end, rate) == (whole.start, whole.end, whole.rate) else {}
    if loops is not None:
        extras.update({"cyclic": False, "loops": loops, gltf.LOOP: 0})
    return Clip(whole.name, start, end, rate, extras, whole.actions)


def listed_texts(ranges):
    return [text.strip() for text in ranges.split(",") if text.strip()]


def chosen(found, ranges):
    """Returns the listed clips, or parts of them, in the order of the list."""
    clips = []
    for text in listed_texts(ranges):
        fitting = [clip for clip in found if f"{text}:".startswith(f"{clip.name}:")]
        if not fitting:
            names = ", ".join(clip.name for clip in found)
            raise MaquetteError(f"there is no clip “{text.split(':')[0]}”; available: {names}")
        clips.append(part_of(text, max(fitting, key=lambda clip: len(clip.name))))
    return clips


def actions(scene, choice):
    """Returns a clip for each action, or for all actions on tracks of one name. Clips of tracks come first, in the order
    of the tracks, and the others follow by name, whichever action is active."""
    members = {}
    for holder, action, slot, name in on_tracks(scene):
        members.setdefault(name, []).append((holder, action, slot))
    known = [member for group in members.values() for member in group]
    loose = [each for each in active(scene) if each not in known]
    loose += unassigned(choice.posed, {(action, slot) for _, action, slot in known + loose})
    for holder, action, slot in sorted(loose, key=lambda each: each[1].name.lower()):
        members.setdefault(action.name, []).append((holder, action, slot))
    return [action_clip(scene, name, group) for name, group in members.items()]


def action_clip(scene, name, group):
    extras = {}
    for _, action, _ in group:
        extras.update(gltf.properties(action))
    start = min(frame_range(action)[0] for _, action, _ in group)
    end = max(frame_range(action)[1] for _, action, _ in group)
    ranged = [action for _, action, _ in group if action.use_frame_range]
    if any(action.use_cyclic for action in ranged):
        extras["cyclic"] = True
    elif ranged:
        extras.setdefault(gltf.LOOP, 0)
    # A frame of an action is a frame of its own rate.
    return Clip(name, start, end, gltf.rate(extras) or scene_rate(scene), extras, group)


def frame_range(action):
    """Returns the first and last frame of an action. Blender states a length of 1 even if all keys are at one time."""
    start, end = action.frame_range
    if not action.use_frame_range:
        keys = [curve.keyframe_points for curve in gltf.curves(action)]
        if all(len(points) == 1 for points in keys) and len({points[0].co[0] for points in keys}) == 1:
            return start, start
    return start, end


def holders(scene):
    """Returns everything that an action may move: objects, also of collection instances, their data and shape keys."""
    for one in [*scene.objects, *instanced(scene.objects)]:
        yield one
        if one.type in SHAPES:
            yield one.data
        keys = getattr(one.data, "shape_keys", None)
        if keys:
            yield keys


def animated(scene):
    """Yields the animation data of each holder."""
    for holder in dict.fromkeys(holders(scene)):
        if holder.animation_data:
            yield holder, holder.animation_data


def on_tracks(scene):
    """Yields the actions on NLA tracks: holder, action, slot, name of the clip."""
    for holder, data in animated(scene):
        found = {}
        # The tracks are drawn from the bottom, and imported clips stand in the order of the file from the top.
        for track in reversed(data.nla_tracks):
            for strip in track.strips:
                if strip.action:
                    is_default = track.name.startswith(DEFAULT_TRACKS) or len(track.strips) > 1
                    name = strip.action.name if is_default else track.name
                    found[strip.action, getattr(strip, "action_slot", None)] = name
        for (action, slot), name in found.items():
            yield holder, action, slot, name


def active(scene):
    """Yields the active action of each holder."""
    for holder, data in animated(scene):
        if data.action:
            yield holder, data.action, getattr(data, "action_slot", None)


def unassigned(armatures, known):
    """Yields the other actions of armatures: those with curves for their bones, or with a slot for the armature."""
    taken = {action for action, _ in known}
    for action in bpy.data.actions:
        for slot in slots(action):
            if (action in taken and slot is None) or (action, slot) in known:
                continue
            bones = bones_moved(action, slot)
            matches = {one: len(bones.intersection(one.data.bones.keys())) for one in armatures}
            best = max(matches.values(), default=0)
            fitting = [one for one, number in matches.items() if number and number == best]
            named = [one for one in fitting or armatures if slot and slot.name_display == one.name]
            for armature in named or fitting:
                yield armature, action, slot


def slots(action):
    """Returns the slots of an action that move objects. Before Blender 4.4, actions have none."""
    if not hasattr(action, "slots"):
        return [None] if action.id_root == "OBJECT" else []
    return [slot for slot in action.slots if slot.target_id_type in {"OBJECT", "UNSPECIFIED"}]


def bones_moved(action, slot):
    paths = [curve.data_path for curve in gltf.curves(action, slot)]
    return {path.split('"')[1] for path in paths if path.startswith('pose.bones["') and path.count('"') > 1}
