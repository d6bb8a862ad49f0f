"""Import and export of id Tech models with Maquette."""

import bpy
from bpy.props import StringProperty

from . import exporter, importer, program, report

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
        try:
            path = program.path()
            self.layout.label(text=f"{path}: {program.version(path)}", icon="CHECKMARK")
        except program.MaquetteError as error:
            self.layout.label(text=str(error), icon="ERROR")


def register():
    bpy.utils.register_class(MaquettePreferences)
    report.register()
    importer.register()
    exporter.register()


def unregister():
    exporter.unregister()
    importer.unregister()
    report.unregister()
    bpy.utils.unregister_class(MaquettePreferences)
