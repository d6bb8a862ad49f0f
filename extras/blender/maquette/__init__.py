"""Import and export of id Tech models with Maquette."""

import bpy
from bpy.props import StringProperty

from . import program

try:
    from . import exporter, importer, report
except ModuleNotFoundError as error:
    # Blender's own Python has numpy, but that of a distribution may not.
    if error.name != "numpy":
        raise
    MISSING, PARTS = "numpy is missing: install it (Debian: python3-numpy), and restart Blender", ()
else:
    MISSING, PARTS = "", (report, importer, exporter)

# Blender before 4.2 reads this; later versions read blender_manifest.toml.
bl_info = {
    "name": "id Tech Models (Maquette)",
    "description": "Import and export models of id Tech games with Maquette",
    "author": "The Maquette developers",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "category": "Import-Export",
}


class MaquettePreferences(bpy.types.AddonPreferences):
    """Preferences of the add-on."""

    bl_idname = __package__

    program: StringProperty(
        name="Program",
        description="Path of the program maquette. Empty: the program on PATH",
        subtype="FILE_PATH",
    )

    def draw(self, _context):
        self.layout.prop(self, "program")
        if MISSING:
            self.layout.label(text=MISSING, icon="ERROR")
        try:
            path = program.path()
            self.layout.label(text=f"{path}: {program.version(path)}", icon="CHECKMARK")
        except program.MaquetteError as error:
            self.layout.label(text=str(error), icon="ERROR")


def register():
    bpy.utils.register_class(MaquettePreferences)
    for part in PARTS:
        part.register()
    if MISSING:
        print(f"{bl_info['name']}: {MISSING}")


def unregister():
    for part in reversed(PARTS):
        part.unregister()
    bpy.utils.unregister_class(MaquettePreferences)
