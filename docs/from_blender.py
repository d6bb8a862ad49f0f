"""Prepares the window of Blender for an image of from-blender.md: the manikin with its bones and tags."""

import math
import sys
from pathlib import Path

import bpy
from mathutils import Euler, Vector

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "extras/blender"))
# The folder is now on the path.
import manikin  # isort: skip


def show_manikin():
    armature = bpy.data.objects["manikin"]
    armature.data.display_type = "STICK"
    layer = bpy.context.window_manager.windows[0].view_layer
    for shown in bpy.data.objects:
        is_tag = shown.name.startswith("tag_")
        shown.show_name = shown.show_in_front = is_tag
        # The names of selected objects are bright.
        shown.select_set(is_tag, view_layer=layer)
    armature.show_in_front = True
    bpy.context.scene.frame_set(0)
    for area in bpy.context.window_manager.windows[0].screen.areas:
        if area.type == "VIEW_3D":
            space = area.spaces[0]
            space.shading.color_type = "TEXTURE"
            space.overlay.show_cursor = False
            view = space.region_3d
            view.view_perspective = "ORTHO"
            view.view_rotation = Euler((math.radians(80), 0, math.radians(35))).to_quaternion()
            view.view_location, view.view_distance = Vector((0, 0, 0.08)), 1.9


if bpy.app.background:
    manikin.make_manikin()
    bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
else:
    bpy.context.preferences.view.show_splash = False
    # The window has its areas only after the start.
    bpy.app.timers.register(show_manikin, first_interval=2)
