"""Options that import and export share, and the arguments of the program that options become."""

from bpy.props import FloatProperty

from . import units

# Option of an operator, and argument of the program. A switch has no value; an empty text or 0 is not passed on.
ARGUMENTS = (
    ("scale", "--scale"),
    ("forward", "--forward"),
    ("lod", "--lod"),
    ("skin", "--skin"),
    ("clip", "--animation"),
    ("search_folder", "--root"),
    ("fps", "--fps"),
    ("profile", "--profile"),
    ("character", "--character"),
    ("textures", "--textures"),
    ("overwrite", "--overwrite"),
    ("player", "--player"),
)


class UnitOptions:
    """Length of a game unit."""

    unit: units.preset()
    scale: FloatProperty(
        name="Scale", description="Blender units per game unit", default=units.INCH, min=1e-6, soft_max=1, precision=4
    )


def arguments(operator, **changed):
    """Returns the arguments of the program for the options of an operator, some of which may be changed."""
    found = []
    for name, argument in ARGUMENTS:
        value = changed.get(name, getattr(operator, name, None))
        if value is True:
            found.append(argument)
        elif value:
            found.append(f"{argument}={value:g}" if isinstance(value, float) else f"{argument}={value}")
    return found
