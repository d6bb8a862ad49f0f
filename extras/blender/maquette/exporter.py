"""File > Export: Blender writes a glTF file, which becomes a model of a game."""

import contextlib
import json
import tempfile
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import gltf, program

FORMATS = [
    ("mdl", "MDL", "Quake: one surface, vertex animation, skins in the file"),
    ("md2", "MD2", "Quake II: one surface, vertex animation"),
    ("md3", "MD3", "Quake III Arena: surfaces, tags, vertex animation"),
    ("mdc", "MDC", "Return to Castle Wolfenstein: surfaces, tags, compressed vertex animation"),
    ("mdr", "MDR", "Elite Force: surfaces, tags, bones"),
    ("md5mesh", "MD5", "Doom 3: joints, an .md5anim file for each clip"),
    ("iqm", "IQM", "DarkPlaces, ioquake3, FTE, Cube engines: joints, all clips in one file"),
]


def profiles(_operator, _context, text):
    """Suggests lint profiles of the program that contain the text."""
    try:
        listing, _ = program.run("check", "--list-rules")
    except program.MaquetteError:
        return []
    names = (line.split()[0] for line in listing.partition("Profiles:")[2].splitlines() if line)
    return [name for name in names if text in name]


class EXPORT_SCENE_OT_maquette(ExportHelper, bpy.types.Operator):
    """Export a model for an id Tech game"""

    bl_idname = "export_scene.maquette"
    bl_label = "Export id Tech Model"
    bl_options = {"PRESET"}

    format: EnumProperty(name="Format", items=FORMATS, default="md3")
    filter_glob: StringProperty(default=";".join(f"*.{name}" for name, *_ in FORMATS), options={"HIDDEN"})
    selected: BoolProperty(name="Selected Objects", description="Export only selected objects, with their armatures")
    scale: FloatProperty(
        name="Scale", description="Metres per game unit", default=0.0254, min=1e-6, soft_max=1, precision=4
    )
    forward: EnumProperty(
        name="Forward",
        description="Direction that the model faces in Blender",
        # Names of the directions in glTF, whose +Z is Blender's −Y.
        items=[
            ("+z", "−Y", "Front view of Blender"),
            ("+x", "+X", "Forward in the games"),
            ("-z", "+Y", "Back view of Blender"),
            ("-x", "−X", "Backward in the games"),
        ],
        default="+z",
    )
    fps: FloatProperty(
        name="Frames per Second",
        description="Rate of all clips. 0: the custom property framesPerSecond of each action, "
        "otherwise the usual rate of the format",
        default=0,
        min=0,
        max=1000,
    )
    deform_bones: BoolProperty(name="Deform Bones Only", description="Leave out bones that do not deform a mesh")
    profile: StringProperty(
        name="Engine",
        description="Engine whose limits and rules apply. Empty: the game of the format",
        search=profiles,
    )
    player: BoolProperty(
        name="Player",
        description="Divide a character into the models of a player, in the folder of the file: lower, upper and head, "
        "with animation.cfg and skins. MD3: Quake III Arena, MDR: Elite Force",
    )
    textures: BoolProperty(
        name="Textures",
        description="Write the images of the materials as TGA to their shader paths, below the folder that contains the "
        "folder models, or else below the folder of the file",
    )
    overwrite: BoolProperty(
        name="Replace Files",
        description="Replace existing lists of clips, animation files and textures; for a player, all files",
    )

    @property
    def filename_ext(self):
        return f".{self.format}"

    def execute(self, context):
        try:
            self.save(context, Path(bpy.path.abspath(self.filepath)))
        except program.MaquetteError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def save(self, context, target):
        if target.suffix[1:].lower() not in {name for name, *_ in FORMATS}:
            target = target.with_name(target.name + self.filename_ext)
        arguments = ["--json", f"--scale={self.scale:g}", f"--forward={self.forward}"]
        if self.fps:
            arguments.append(f"--fps={self.fps:g}")
        if self.profile:
            arguments.append(f"--profile={self.profile}")
        if self.textures:
            arguments.append("--textures")
        if self.overwrite:
            arguments.append("--overwrite")
        if self.player:
            if target.suffix.lower() not in {".md3", ".mdr"}:
                raise program.MaquetteError("a player is MD3 or MDR; choose one of them as the format")
            arguments += ["--player", "--mdr"] if target.suffix.lower() == ".mdr" else ["--player"]
            target = target.parent
        with tempfile.TemporaryDirectory() as folder:
            # Formats store the name of the file.
            file = Path(folder) / f"{target.stem}.glb"
            warnings = self.write_gltf(context, file)
            document = gltf.Document(file)
            document.restore_names()
            document.sort_nodes()
            document.restore_clips(context.scene.render.fps * context.scene.render.fps_base)
            document.write(file)
            output, messages = program.run("convert", *arguments, "-o", target, "--", file)
        done = json.loads(output)
        findings = lint(target, done["engine"])
        warnings += messages + done.get("notes", done["losses"]) + [line for line in findings if not line.startswith("note")]
        notes = [line for line in findings if line.startswith("note")]
        notes += [f"written: {path}" for path in done["files"]]
        notes += [f"not replaced: {path}" for path in done.get("kept", [])]
        program.report(self, f"Exported {target}", warnings, notes)

    def write_gltf(self, context, file):
        """Writes the scene as a .glb file, and returns warnings."""
        objects = with_parents(context.selected_objects) if self.selected else set(context.scene.objects)
        meshes = [one for one in objects if one.type == "MESH"]
        has_shape_keys = any(mesh.data.shape_keys for mesh in meshes)
        # With `use_selection`, Blender 3.4 adds an animation for each object that does not move.
        with only_visible(context, objects) if self.selected else contextlib.nullcontext():
            gltf.call(
                bpy.ops.export_scene.gltf,
                filepath=str(file),
                export_format="GLB",
                use_visible=self.selected,
                use_active_scene=True,
                # Blender leaves out shape keys if it applies modifiers.
                export_apply=not has_shape_keys,
                export_extras=True,
                export_all_influences=True,
                export_def_bones=self.deform_bones,
                export_animation_mode="ACTIONS",
                export_hierarchy_full_collections=self.player and has_part_collections(),
                export_frame_range=False,
                export_optimize_animation_size=False,
            )
        is_shaped = any(modifier.type != "ARMATURE" for mesh in meshes for modifier in mesh.modifiers)
        return ["Modifiers were not applied, because a mesh has shape keys"] if has_shape_keys and is_shaped else []


def has_part_collections():
    """Returns whether collections divide the scene into the parts of a player."""
    return any(collection.name.lower() in {"lower", "upper", "head"} for collection in bpy.data.collections)


def with_parents(objects):
    """Adds the parents that place or move objects, and the armatures that deform them."""
    found = set()
    queue = list(objects)
    while queue:
        one = queue.pop()
        if one not in found:
            found.add(one)
            queue += [modifier.object for modifier in one.modifiers if modifier.type == "ARMATURE" and modifier.object]
            if one.parent and one.parent.type in {"EMPTY", "ARMATURE"}:
                queue.append(one.parent)
    return found


@contextlib.contextmanager
def only_visible(context, objects):
    """Hides all other objects for a while."""
    before = {one: one.hide_get(view_layer=context.view_layer) for one in context.view_layer.objects}
    try:
        for one in before:
            one.hide_set(one not in objects, view_layer=context.view_layer)
        yield
    finally:
        for one, is_hidden in before.items():
            one.hide_set(is_hidden, view_layer=context.view_layer)


def lint(file, engine):
    """Checks the file against the rules of an engine, and returns a line for each finding."""
    output, _ = program.run("check", "--profile", engine, "--json", "--", file, may_find=True)
    return [
        f"{finding['severity']}: {finding['message']}"
        for line in output.splitlines()
        for finding in json.loads(line)["findings"]
    ]


def menu(self, _context):
    self.layout.operator(EXPORT_SCENE_OT_maquette.bl_idname, text="id Tech Model (.md3, .md5mesh, …)")


def register():
    bpy.utils.register_class(EXPORT_SCENE_OT_maquette)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    bpy.utils.unregister_class(EXPORT_SCENE_OT_maquette)
