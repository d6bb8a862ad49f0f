"""File > Import: a model becomes a glTF file, which Blender imports."""

import itertools
import json
import re
import shutil
import statistics
import tempfile
from pathlib import Path

import bpy
import numpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import bones, choice, gltf, keys, options, program, report, rigs
from .choice import is_tag
from .nodes import Tree
from .options import UnitOptions
from .sample import Sample
from .writer import Writer

EXTENSIONS = (
    *("mdl", "md2", "md3", "mdc", "mdr", "mds", "mdm", "md5mesh", "glm", "iqm"),
    *("dpm", "zym", "psk", "ase", "lwo", "fm", "dkm"),
)
# Files with an animation of a skeleton, and the formats that play them.
ANIMATIONS = {"md5anim": "md5mesh", "iqm": "iqm"}
# Byte of the number of meshes in the header of an IQM. Files without meshes are animations.
IQM_MESHES = 36
ARCHIVES = ("pk3", "pk4", "pak", "dpk", "zip")
# Number of models of an archive that a message names.
MAX_LISTED = 20
# Length of the drawn axes of a tag, in game units.
TAG_SIZE = 4


def skins(operator, text):
    """Suggests skins of the chosen model that contain the text."""
    source = Path(bpy.path.abspath(operator.filepath)) / operator.entry.lstrip("/")
    try:
        listing, _ = program.run("info", "--json", "--", source)
    except program.MaquetteError:
        return []
    return [skin["name"] for skin in json.loads(listing).get("available_skins") or [] if text in skin["name"]]


class ImportOptions(UnitOptions):
    """Options of an import, and the import itself."""

    entry: StringProperty(name="Entry", description="Path of the model in the archive")
    character: BoolProperty(
        name="Whole Character", description="Import all parts of the character that the model belongs to"
    )
    lod: IntProperty(name="Level of Detail", description="0 is the finest", min=0)
    skin: StringProperty(
        name="Skin",
        description="Name of a skin, or a .skin file. Empty: the default skin",
        search=lambda self, _context, text: skins(self, text),
    )
    clip: StringProperty(name="Clip", description="Import only this clip. Empty: all clips")
    bones: EnumProperty(
        name="Bones",
        description="Axes of bones",
        items=[
            ("GAME", "As in the Game", "Bones have the axes of the joints"),
            ("CHAIN", "Along the Chain", "Bones point at their children. The export restores the axes of the joints"),
        ],
    )
    frames: EnumProperty(
        name="Frames",
        description="Shape keys of formats that store the vertices of each frame",
        items=[
            ("ABSOLUTE", "Absolute Shape Keys", "The evaluation time chooses the frame, with one curve for each clip"),
            ("RELATIVE", "Relative Shape Keys", "Each frame has a value and a curve, so that frames can be mixed"),
        ],
    )
    clips: EnumProperty(
        name="Clips",
        description="Actions of the clips",
        items=[
            ("ACTIONS", "Actions", "Each clip is an action, on an NLA track of its name"),
            ("MARKERS", "Markers", "The clips follow each other on the timeline. A marker begins each of them"),
        ],
    )
    onto: BoolProperty(
        name="Clips Only",
        description="Add the clips to the active armature, which has the bones of the model. Automatic for animations",
    )
    search_folder: StringProperty(
        name="Search Folder", description="Folder or archive that is searched for textures first", subtype="DIR_PATH"
    )
    set_timing: BoolProperty(
        name="Set Frame Rate",
        description="Set the scene's frame rate to the usual rate of the clips, and its range to the longest clip",
        default=True,
    )

    def load(self, context):
        """Imports the model, and returns the result of the operator."""
        source = Path(bpy.path.abspath(self.filepath))
        try:
            self.load_file(context, source / self.entry.lstrip("/"))
        except program.MaquetteError as error:
            report.fail(self, f"Not imported: {source}", f"{error}{'' if self.entry else named_models(source)}")
            return {"CANCELLED"}
        return {"FINISHED"}

    def load_file(self, context, source):
        is_animation = is_animation_file(source)
        active = rigs.target(context) if self.onto or is_animation else None
        arguments = options.arguments(self, search_folder=bpy.path.abspath(self.search_folder))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.glb"
            model, messages = source, []
            if is_animation:
                model, messages = self.animated(context, active, source, Path(folder))
            _, losses = program.run("export", *arguments, "-o", file, "--", model)
            document = gltf.Document(file)
            document.label()
            document.separate_repeated()
            document.store_uneven_times()
            skins = document.show_variants()
            document.write(file)
            clips = {animation["name"]: animation["extras"] for animation in document.animations}
            if active and not clips:
                reasons = [message for _, message in report.of_program(losses, file)]
                raise program.MaquetteError("; ".join(["no clip was found", *reasons]))
            if self.set_timing and clips and not active:
                set_timing(context.scene, list(clips.values()))
            before = {*bpy.data.objects}
            # The heuristic “Blender” keeps the axes of joints, and “Fortune” points bones at their children.
            heuristic = "FORTUNE" if self.bones == "CHAIN" else "BLENDER"
            gltf.call(bpy.ops.import_scene.gltf, filepath=str(file), bone_heuristic=heuristic, disable_bone_shape=True)
        objects = [added for added in bpy.data.objects if added not in before]
        add_skins(objects, skins)
        rigs.complete_poses(added for added in objects if added.type == "ARMATURE")
        label_actions(context.scene, objects, clips)
        show_clip(objects, calm(clips))
        if active:
            rigs.move_clips(context, active, objects)
            if self.set_timing and clips:
                longest = max(extras[gltf.COUNT] for extras in clips.values())
                context.scene.frame_end = max(context.scene.frame_end, longest - 1)
        else:
            self.finish(context, objects, document, clips)
        others = clips if source.suffix.lower() == ".iqm" and not active else ()
        near = [name for name in others if name != source.stem and (source.parent / f"{name}.iqm").is_file()]
        if near:
            messages.append(("INFO", f"clips of animation files next to the model: {', '.join(near)}"))
        # Clips have no normals.
        losses = [line for line in losses if not (active and "normals" in line)]
        report.show(self, f"Imported {source}", messages + report.of_program(losses, file))

    def animated(self, context, armature, source, folder):
        """Writes an armature as the model of an animation file. Returns its path, and messages."""
        scene = folder / "scene.glb"
        chosen = choice.Armature(context, armature)
        if not chosen.shapes:
            raise program.MaquetteError(f"“{armature.name}” deforms no visible mesh, which the animation file needs")
        shown, armature.data.pose_position = armature.data.pose_position, "REST"
        tree = Tree(chosen, True, False, False)
        try:
            Writer(Sample(context, chosen, tree, []), False).document.write(scene)
        finally:
            armature.data.pose_position = shown
        model = folder / f"{source.stem}.{ANIMATIONS[source.suffix[1:].lower()]}"
        # An IQM plays all animations near it that fit.
        model = model.with_stem(f"{model.stem}_model") if model.name == source.name else model
        _, losses = program.run("convert", f"--scale={self.scale:g}", "-o", model, "--", scene)
        try:
            shutil.copy(source, folder)
        except OSError as error:
            raise program.MaquetteError(f"{source}: {error.strerror}") from error
        return model, report.of_program(losses, scene, [node.name for node in tree.nodes])

    def finish(self, context, objects, document, clips):
        """Adapts what Blender imported: bones, shape keys, clips and tags."""
        armatures = [added for added in objects if added.type == "ARMATURE"]
        bones.finish(context, armatures, document, self.bones == "CHAIN")
        shaped = (added.data.shape_keys for added in objects if added.type == "MESH")
        keys.finish([*dict.fromkeys(filter(None, shaped))], self.frames == "ABSOLUTE")
        if self.clips == "MARKERS" and clips:
            keys.join_clips(context.scene, objects, clips)
        for tag in objects:
            # Parts of a character are attached to tags, and other empties are roots of models.
            if tag.type == "EMPTY" and (is_tag(tag) or not tag.children):
                tag.empty_display_type = "ARROWS"
                tag.empty_display_size = TAG_SIZE


def add_skins(objects, skins):
    """Adds the materials of further skins to slots of the meshes, and removes the mesh that shows them."""
    shown = next((one for one in objects if skins and one.get(gltf.ORDER) == skins[0]), None)
    if not shown:
        return
    for one in objects:
        for place in skins[1].get(one.get(gltf.ORDER), ()):
            one.data.materials.append(shown.data.materials[place])
    objects.remove(shown)
    bpy.data.meshes.remove(shown.data)


def is_animation_file(path):
    """Returns whether a file contains only an animation."""
    extension = path.suffix[1:].lower()
    if extension != "iqm" or not path.is_file():
        return extension in ANIMATIONS and extension != "iqm"
    try:
        with path.open("rb") as file:
            head = file.read(IQM_MESHES + 4)
    except OSError:
        return False
    return head.startswith(b"INTERQUAKEMODEL\0") and head.endswith(bytes(4)) and len(head) == IQM_MESHES + 4


def set_timing(scene, clips):
    """Sets the frame rate and range of a scene from the extras of clips."""
    scene.render.fps = max(1, round(statistics.mode(gltf.rate(extras) for extras in clips)))
    scene.render.fps_base = 1
    scene.frame_start = 0
    scene.frame_end = max(1, *(extras[gltf.COUNT] - 1 for extras in clips))


def label_actions(scene, objects, clips):
    """Copies the extras of each clip to its actions, and moves their keys to whole frames. If a clip has one action,
    both have the same name."""
    actions = {}
    for holder in [*objects, *(added.data.shape_keys for added in objects if added.type == "MESH")]:
        if holder and holder.animation_data:
            for track in holder.animation_data.nla_tracks:
                actions.setdefault(track.name, set()).update(strip.action for strip in track.strips)
    for name, extras in clips.items():
        own = actions.get(name, ())
        for action in own:
            for key, value in extras.items():
                action[key] = value
            for curve in gltf.curves(action):
                keys = numpy.empty((len(curve.keyframe_points), 2), numpy.float32)
                curve.keyframe_points.foreach_get("co", keys.ravel())
                keys[:, 0] = whole_frames(keys[:, 0] / scene.render.fps, extras)
                curve.keyframe_points.foreach_set("co", keys.ravel())
                curve.update()
            if len(own) == 1:
                action.name = name


def calm(clips):
    """Returns the name of an idle clip, or else of a moving clip other than death or pain, as in the program."""
    moving = [name for name, extras in clips.items() if extras[gltf.COUNT] > 1 and not extras.get("unlisted")]
    idle = (name for name in moving if re.match("(both_)?stand|.*idle", name, re.IGNORECASE))
    others = (name for name in moving if not re.search("dea|die|pain", name, re.IGNORECASE))
    return next(itertools.chain(idle, others, moving, clips), None)


def show_clip(objects, name):
    """Makes a clip the active action of all objects."""
    for holder in [*objects, *(added.data.shape_keys for added in objects if added.type == "MESH")]:
        data = holder.animation_data if holder else None
        if data:
            strips = [strip for track in data.nla_tracks if track.name == name for strip in track.strips]
            data.action = strips[0].action if strips else None
            if strips and getattr(strips[0], "action_slot", None):
                data.action_slot = strips[0].action_slot


def whole_frames(seconds, extras):
    """Returns the frame of a clip that each time is closest to."""
    times = extras.get(gltf.TIMES)
    if not times:
        return numpy.round(seconds * gltf.rate(extras))
    return numpy.abs(numpy.subtract.outer(seconds, times)).argmin(axis=1)


class IMPORT_SCENE_OT_maquette(ImportOptions, ImportHelper, bpy.types.Operator):
    """Import a model of an id Tech game"""

    bl_idname = "import_scene.maquette"
    bl_label = "Import id Tech Model"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filter_glob: StringProperty(
        default=";".join(f"*.{extension}" for extension in (*EXTENSIONS, "md5anim", *ARCHIVES)), options={"HIDDEN"}
    )

    def invoke(self, context, event):
        # A dropped file has a path already, so only its options are missing.
        if hasattr(self, "invoke_popup"):
            return self.invoke_popup(context)
        return ImportHelper.invoke(self, context, event)

    def execute(self, context):
        if not self.entry and not bpy.app.background and is_archive(Path(bpy.path.abspath(self.filepath))):
            chosen = self.as_keywords(ignore=("filter_glob", "entry"))
            return bpy.ops.import_scene.maquette_entry("INVOKE_DEFAULT", **chosen)
        return self.load(context)


class IMPORT_SCENE_OT_maquette_entry(ImportOptions, bpy.types.Operator):
    """Import a model from an archive"""

    bl_idname = "import_scene.maquette_entry"
    bl_label = "Import from Archive"
    bl_options = {"INTERNAL", "UNDO"}
    bl_property = "model"

    # Blender requires that Python keeps the items of a dynamic list.
    models = []

    filepath: StringProperty(subtype="FILE_PATH")
    model: EnumProperty(name="Model", items=lambda _operator, _context: IMPORT_SCENE_OT_maquette_entry.models)

    def invoke(self, context, _event):
        try:
            paths = models_in(Path(bpy.path.abspath(self.filepath)))
        except program.MaquetteError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        type(self).models = [(path, path, "") for path in paths]
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        self.entry = self.model
        return self.load(context)


def models_in(archive):
    """Returns the paths of the models in an archive."""
    listing, _ = program.run("info", "--json", "--", archive)
    return [model["path"] for model in json.loads(listing)["models"]]


def named_models(path):
    """Returns the end of a message that names the models of an archive."""
    try:
        models = models_in(path) if is_archive(path) else []
    except program.MaquetteError:
        models = []
    names = ", ".join(models[:MAX_LISTED]) + (", …" if len(models) > MAX_LISTED else "")
    return f"; its models: {names}" if models else ""


def is_archive(path):
    return path.suffix[1:].lower() in ARCHIVES and path.is_file()


def menu(self, _context):
    self.layout.operator(IMPORT_SCENE_OT_maquette.bl_idname, text="id Tech Model (.md3, .md5mesh, …)")


CLASSES = [IMPORT_SCENE_OT_maquette, IMPORT_SCENE_OT_maquette_entry]

if hasattr(bpy.types, "FileHandler"):

    class IO_FH_maquette(bpy.types.FileHandler):
        """Import of files that are dropped on the 3D view."""

        bl_idname = "IO_FH_maquette"
        bl_label = "id Tech Model"
        bl_import_operator = IMPORT_SCENE_OT_maquette.bl_idname
        bl_file_extensions = ";".join(f".{extension}" for extension in (*EXTENSIONS, "md5anim"))

        @classmethod
        def poll_drop(cls, context):
            return context.area and context.area.type == "VIEW_3D"

    CLASSES.append(IO_FH_maquette)


def register():
    for added in CLASSES:
        bpy.utils.register_class(added)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    for removed in reversed(CLASSES):
        bpy.utils.unregister_class(removed)
