"""Opens a dialog of the Blender add-on, for the images of its README. The environment variable PICTURE names the dialog."""

import os
import sys
from pathlib import Path

import addon_utils
import bpy

FOLDER = Path(os.environ["FOLDER"])


def open_dialog():
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        picture = os.environ["PICTURE"]
        if picture == "export":
            bpy.ops.export_scene.maquette("INVOKE_DEFAULT", filepath=str(FOLDER / "manikin.md3"))
        elif picture == "import":
            bpy.ops.import_scene.maquette("INVOKE_DEFAULT")
        elif picture == "preferences":
            show_usual_path()
            area.type = "PREFERENCES"
            bpy.context.preferences.active_section = "ADDONS"
            bpy.context.window_manager.addon_search = "Maquette"
            addon_utils.modules()
            bpy.ops.preferences.addon_expand(module="maquette")
        else:
            bpy.ops.export_scene.maquette(filepath=str(FOLDER / "manikin.md2"), overwrite=True)
            area.spaces[0].show_region_ui = True


def show_usual_path():
    """Makes the preferences show the program at a usual path instead of a temporary one."""
    program = sys.modules["maquette"].program
    found = program.version(program.path())
    bpy.context.preferences.addons["maquette"].preferences.program = ""
    program.path, program.version = (lambda: "/usr/local/bin/maquette"), (lambda _path: found)


def redraw():
    for area in bpy.context.window_manager.windows[0].screen.areas:
        area.tag_redraw()
    (FOLDER / "ready").touch()


addon_utils.enable("maquette", default_set=True)
bpy.context.preferences.addons["maquette"].preferences.program = os.environ["MAQUETTE"]
bpy.context.preferences.view.show_splash = False
bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
# The window has its areas only after the start.
bpy.app.timers.register(open_dialog, first_interval=2)
bpy.app.timers.register(redraw, first_interval=5)
