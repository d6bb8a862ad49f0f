"""Playback of clips in the scene, which afterwards is as before."""

import re

from . import clips, gltf

POSE = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")
REST = {
    "location": (0, 0, 0),
    "rotation_quaternion": (1, 0, 0, 0),
    "rotation_euler": (0, 0, 0),
    "rotation_axis_angle": (0, 0, 1, 0),
    "scale": (1, 1, 1),
}


class Playback:
    """Assigns the actions of one clip after another."""

    def __init__(self, context, found, choice):
        self.scene = context.scene
        self.frame = self.scene.frame_current, self.scene.frame_subframe
        self.is_timeline = any(clip.actions is None for clip in found)
        self.holders = [holder for holder in dict.fromkeys(clips.holders(self.scene)) if holder.animation_data]
        played = [member for clip in found for member in clip.actions or ()]
        # An armature with clips rests outside of them. Another armature keeps its pose.
        self.moved = [
            one for one in choice.posed if self.is_timeline or any(holder == one for holder, _, _ in played)
        ]
        self.assigned = [state_of(holder.animation_data) for holder in self.holders]
        self.positions = [(one.data, one.data.pose_position) for one in choice.posed]
        self.poses = [
            (bone, name, getattr(bone, name)[:]) for one in self.moved for bone in one.pose.bones for name in POSE
        ]
        self.channels = channels(played)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for armature, position in self.positions:
            armature.pose_position = position
        if not self.is_timeline:
            for holder, state in zip(self.holders, self.assigned):
                restore(holder.animation_data, state)
            self.restore_channels()
            for bone, name, value in self.poses:
                setattr(bone, name, value)
        self.show(self.frame[0] + self.frame[1])

    def rest(self):
        """Shows the model without a clip."""
        self.release()
        for one in self.moved:
            one.data.pose_position = "REST"
        self.scene.frame_set(self.frame[0], subframe=self.frame[1])

    def start(self, clip):
        """Assigns the actions of a clip."""
        self.release()
        if clip.actions is None:
            for armature, position in self.positions:
                armature.pose_position = position
            return
        for one in self.moved:
            one.data.pose_position = "POSE" if any(holder == one for holder, _, _ in clip.actions) else "REST"
        for holder, action, slot in clip.actions:
            data = holder.animation_data or holder.animation_data_create()
            data.action = action
            if slot:
                data.action_slot = slot

    def show(self, time):
        whole = int(time // 1)
        self.scene.frame_set(whole, subframe=time - whole)

    def release(self):
        if not self.is_timeline:
            for holder in self.holders:
                data = holder.animation_data
                if data.use_tweak_mode:
                    data.use_tweak_mode = False
                data.action = None
                data.use_nla = False
            self.restore_channels()
            for one in self.moved:
                for bone in one.pose.bones:
                    for name, value in REST.items():
                        setattr(bone, name, value)

    def restore_channels(self):
        for (holder, path, index), value in self.channels.items():
            put(holder, path, index, value)


def state_of(data):
    return data.action, getattr(data, "action_slot", None), data.use_nla


def restore(data, state):
    action, slot, use_nla = state
    data.use_nla = use_nla
    data.action = action
    if action and slot:
        data.action_slot = slot


def channels(played):
    """Returns the present values of all properties that actions move."""
    found = {}
    for holder, action, slot in played:
        for curve in gltf.curves(action, slot):
            key = holder, curve.data_path, curve.array_index
            try:
                value = holder.path_resolve(curve.data_path)
                found[key] = value[curve.array_index] if hasattr(value, "__len__") else value
            except (ValueError, IndexError, TypeError):
                # The action has a curve for a bone or property that the holder lacks.
                continue
    return found


def put(holder, path, index, value):
    """Sets the property that a curve with this path moves."""
    present = holder.path_resolve(path)
    if hasattr(present, "__len__") and not isinstance(present, str):
        present[index] = value
        return
    custom = re.fullmatch(r'(.*?)\.?\["([^"]+)"\]', path)
    if custom:
        owner = holder.path_resolve(custom[1]) if custom[1] else holder
        owner[custom[2]] = value
        return
    owner, _, name = path.rpartition(".")
    try:
        setattr(holder.path_resolve(owner) if owner else holder, name, value)
    except AttributeError:
        # The property is read-only.
        pass
