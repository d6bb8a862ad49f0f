"""Length of a game unit, and the size of the model in the game."""

import bpy
from bpy.props import EnumProperty
from mathutils import Vector

INCH = 0.0254
CUSTOM = 3
# Largest coordinate of formats with fixed limits, in units.
LIMITS = {"md3": 512}


def presets(scene):
    """Returns the Blender units of an inch, of a metre, and of a game unit that is a Blender unit."""
    metre = 1 / (scene.unit_settings.scale_length or 1)
    return [INCH * metre, 1.0, metre]


def get(self):
    found = presets(bpy.context.scene)
    return next((at for at, scale in enumerate(found) if abs(scale - self.scale) <= 1e-5 * scale), CUSTOM)


def set_preset(self, index):
    if index != CUSTOM:
        self.scale = presets(bpy.context.scene)[index]


def preset():
    """Returns a property that shows and sets `scale`."""
    return EnumProperty(
        name="Unit",
        description="Length of a game unit",
        items=[
            ("INCH", "1 Inch", "A player of Quake III is 1.4 m tall", 0),
            ("BLENDER", "1 Blender Unit", "For models made in game units, as other add-ons export them", 1),
            ("METRE", "1 Metre", "A metre in the units of the scene", 2),
            ("CUSTOM", "Custom", "The scale below", CUSTOM),
        ],
        get=get,
        set=set_preset,
    )


def lines(choice, scale, extension):
    """Returns lines, with icons, about the size of the chosen objects."""
    corners = [one.matrix_world @ Vector(corner) for one in choice.shapes for corner in one.bound_box]
    if not corners:
        return [("Nothing to export", "ERROR")]
    low = [min(corner[axis] for corner in corners) / scale for axis in range(3)]
    high = [max(corner[axis] for corner in corners) / scale for axis in range(3)]
    found = [(f"Height in the game: {high[2] - low[2]:.0f} units", "ARROW_LEFTRIGHT")]
    limit = LIMITS.get(extension)
    if limit and max(map(abs, low + high)) > limit:
        found.append((f"{extension.upper()} ends at {limit} units: choose a larger unit", "ERROR"))
    return found
