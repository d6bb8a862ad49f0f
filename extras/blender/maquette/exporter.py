"""File > Export: the sampled scene becomes a glTF file, and this a model of a game."""

import contextlib
import json
import tempfile
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import checks, clips, deviation, gltf, lists, materials, options, program, report, units
from .choice import Choice
from .nodes import Tree
from .options import UnitOptions
from .sample import Sample
from .writer import PARTS, Writer

FORMATS = [
    ("mdl", "MDL", "Quake: one surface, vertex animation, skins in the file"),
    ("md2", "MD2", "Quake II: one surface, vertex animation"),
    ("md3", "MD3", "Quake III Arena: surfaces, tags, vertex animation"),
    ("mdc", "MDC", "Return to Castle Wolfenstein: surfaces, tags, compressed vertex animation"),
    ("mdr", "MDR", "Elite Force: surfaces, tags, bones"),
    ("mds", "MDS", "Return to Castle Wolfenstein: surfaces, tags, joints"),
    ("mdm", "MDM", "Enemy Territory: surfaces, tags, joints in an .mdx file"),
    ("glm", "GLM", "Jedi Academy, Jedi Outcast: surfaces, tags, joints in a .gla file"),
    ("md5mesh", "MD5", "Doom 3: joints, an .md5anim file for each clip"),
    ("iqm", "IQM", "DarkPlaces, ioquake3, FTE, Cube engines: joints, all clips in one file"),
    ("ase", "ASE", "Doom 3, map compilers: surfaces of the first frame"),
    ("obj", "OBJ", "GZDoom, map compilers: surfaces of the first frame"),
]
# Boxes that the positions of a format are fractions of, and the largest error that is usual for a player, in units.
BOXES = {"mdl": "all frames", "md2": "a frame"}
COARSE = 0.25
# Formats that store joints, and their names. The others store the vertices of every frame.
SKELETAL = {"mdr", "mds", "mdm", "glm", "md5mesh", "iqm"}
NAMED = SKELETAL - {"mdr"}
PLAYERS = {"md3", "mdr"}

FORMAT_NAMES = {name for name, *_ in FORMATS}
# Formats for which the dialog has an option. The others are for all formats.
FORMATS_OF = {
    "deform_bones": SKELETAL,
    "pointing_tags": {"md3", "mdc", *SKELETAL},
    "player": PLAYERS,
    "textures": FORMAT_NAMES - {"mdl"},
}

# Number of clips that the dialog lists.
MAX_LINES = 8


def profiles(_operator, _context, text):
    """Suggests lint profiles of the program that contain the text."""
    try:
        listing, _ = program.run("check", "--list-rules")
    except program.MaquetteError:
        return []
    names = (line.split()[0] for line in listing.partition("Profiles:")[2].splitlines() if line)
    return [name for name in names if text in name]


class EXPORT_SCENE_OT_maquette(UnitOptions, ExportHelper, bpy.types.Operator):
    """Export a model for an id Tech game"""

    bl_idname = "export_scene.maquette"
    bl_label = "Export id Tech Model"
    bl_options = {"PRESET"}

    format: EnumProperty(name="Format", items=FORMATS, default="md3")
    filter_glob: StringProperty(default=";".join(f"*.{name}" for name, *_ in FORMATS), options={"HIDDEN"})
    content: EnumProperty(
        name="Objects",
        description="Objects that the model contains",
        items=[
            ("VISIBLE", "Visible", "Objects that the 3D view shows and that are not disabled in renders"),
            ("SELECTED", "Selected", "Selected objects, with their parents and armatures"),
        ],
    )
    collection: StringProperty(
        name="Collection",
        description="Collection that contains the objects. Empty: the whole scene",
        search=lambda _self, _context, text: collections(text),
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
    animation: EnumProperty(
        name="Animation",
        description="Source of the clips",
        items=[
            (
                "ACTIONS",
                "Actions",
                "Each action is a clip: all actions of armatures, and the active actions and NLA "
                "tracks of other objects",
            ),
            ("TIMELINE", "Timeline", "The scene as it plays. Markers divide it into clips"),
            ("NONE", "None", "The current frame only"),
        ],
    )
    ranges: StringProperty(
        name="Clips",
        description="Clips and their order, separated by commas: name or name:start:end:rate:loop, where loop is 0 or 1. "
        "Words may be empty, but a clip of the timeline needs a start and an end. Empty: all actions, or the markers",
    )
    fps: FloatProperty(
        name="Frame Rate",
        description="Rate of all clips. 0: each frame of Blender is a frame of the game, at the rate of the scene or "
        "of the custom property framesPerSecond of the action",
        default=0,
        min=0,
        max=1000,
    )
    deform_bones: BoolProperty(
        name="Deform Bones Only", description="Leave out bones that do not deform a mesh, except for tags"
    )
    pointing_tags: BoolProperty(
        name="Tag Bones Point Forward",
        description="The Y axis of a bone whose name begins with tag_ is forward, and its Z axis is up. "
        "Off: a bone that points up is a tag that is not turned",
    )
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
    material_names: EnumProperty(
        name="Materials",
        description="Shader paths of the model",
        items=[
            ("MATERIAL", "Material", "Names of the materials"),
            ("BOTH", "Material and Image", "The material models/imp/ with the image skin.png becomes models/imp/skin"),
            ("IMAGE", "Image", "Names of the images, without extension"),
        ],
    )
    textures: BoolProperty(
        name="Textures",
        description="Write the images of the materials as TGA to their shader paths, below the folder that contains "
        "the folder models, or else below the folder of the file. An MDL contains its image anyway",
    )
    clip_list: EnumProperty(name="Clip List", description="Engine for which the clips are listed", items=lists.ITEMS)
    overwrite: BoolProperty(
        name="Replace Files",
        description="Replace existing lists of clips, animation files and textures; for a player, all files",
    )

    @property
    def filename_ext(self):
        return f".{self.format}"

    def execute(self, context):
        target = Path(bpy.path.abspath(self.filepath))
        try:
            self.save(context, target)
        except program.MaquetteError as error:
            report.fail(self, f"Not exported: {target}", error)
            return {"CANCELLED"}
        return {"FINISHED"}

    def save(self, context, target):
        if target.suffix[1:].lower() not in FORMAT_NAMES:
            target = target.with_name(target.name + self.filename_ext)
        elif self.properties.is_property_set("format"):
            target = target.with_suffix(self.filename_ext)
        extension = target.suffix[1:].lower()
        is_player = self.player and extension in PLAYERS
        textures = self.textures and extension != "mdl"
        arguments = ["--json", *options.arguments(self, textures=textures, player=is_player)]
        if is_player:
            arguments += ["--mdr"] if extension == "mdr" else []
            target = target.parent
        with tempfile.TemporaryDirectory() as folder:
            # Formats store the name of the file.
            file = Path(folder) / f"{target.stem}.glb"
            with object_mode(context):
                messages, exported, tree = self.write_gltf(context, file, extension, is_player)
            try:
                output, printed = program.run("convert", *arguments, "-o", target, "--", file)
            except program.MaquetteError as error:
                raise program.MaquetteError(report.in_blender(str(error), file)) from error
        done = json.loads(output)
        printed += done.get("notes", done["losses"]) + lint(target, done["engine"])
        messages += report.of_program(printed, file, [node.name for node in tree.nodes])
        messages += measured(done)
        if self.player and not is_player:
            messages.append(("CHOICE", "the option Player was ignored: a player is MD3 or MDR"))
        listed, left = [], []
        try:
            listed, left = lists.write("NONE" if is_player else self.clip_list, target, self.overwrite)
        except program.MaquetteError as error:
            messages.append(("ERROR", f"the list of clips was not written: {error}"))
        messages += [("INFO", f"written: {path}") for path in done["files"] + listed]
        left += [Path(path) for path in done.get("kept", [])]
        messages += kept(left, [clip.name for clip in exported])
        # An animation.cfg that was not replaced lists the clips of another export.
        is_listed = any(path.name == "animation.cfg" for path in left)
        messages += loops(target, extension, exported) if not is_player and not is_listed else []
        report.show(self, f"Exported {target}", messages)

    def found_clips(self, context, choice):
        if self.animation == "NONE":
            return []
        return clips.listed(context.scene, choice, self.animation, self.ranges, self.fps)

    def write_gltf(self, context, file, extension, is_player):
        """Writes the scene as a .glb file. Returns messages, the clips, and the nodes."""
        if self.collection and self.collection not in collections(""):
            raise program.MaquetteError(f"there is no collection “{self.collection}”; choose one in the dialog")
        choice = Choice(context, self.content, self.collection)
        found = self.found_clips(context, choice)
        if extension == "md5mesh":
            # The program adds the first frame to the end of a loop, so it must not guess which clips loop.
            for clip in found:
                clip.extras.setdefault(gltf.LOOP, 0)
        sample = self.sample(context, choice, extension in SKELETAL, found)
        if not sample.surfaces and not choice.tags:
            raise program.MaquetteError(f"there is nothing to export: no mesh or tag is {self.content_name()}")
        writer = Writer(sample, is_player and has_part_collections(), extension)
        if self.material_names != "MATERIAL":
            materials.name_by_images(writer.document, self.material_names == "BOTH")
        writer.document.write(file)
        messages = [("WARNING", line) for line in deviation.of_joints(sample, self.scale) + deviation.of_frames(sample)]
        renamed = sample.tree.notes() if extension in NAMED else []
        messages += [("WARNING", line) for line in renamed + checks.of_scene(sample, choice)]
        names = [material["name"] for material in writer.document.json.get("materials", [])]
        indexed = [name for name in names if self.textures and name.lower().endswith(".pcx")]
        if indexed:
            reason = "Quake II itself loads only PCX, and Textures writes TGA; convert the images"
            messages.append(("WARNING", f"{reason}: {', '.join(indexed)}"))
        if writer.looks:
            messages.append(("INFO", f"{len(writer.looks)} skins: {', '.join(writer.looks)}"))
        if sample.dropped:
            messages.append(("INFO", f"not a clip, because nothing of the model moves: {', '.join(sample.dropped)}"))
        if choice.hidden:
            messages.append(("INFO", f"left out, because hidden: {', '.join(choice.hidden)}"))
        return messages, [frames.clip for frames in sample.clips], sample.tree

    def sample(self, context, choice, is_skeletal, found):
        sample = Sample(context, choice, Tree(choice, is_skeletal, self.deform_bones, self.pointing_tags), found)
        if found and not sample.clips:
            # Without clips, the model is exported as posed.
            posed = Sample(context, choice, Tree(choice, is_skeletal, self.deform_bones, self.pointing_tags), [])
            posed.add_findings(sample)
            return posed
        return sample

    def content_name(self):
        place = f" in the collection “{self.collection}”" if self.collection else ""
        return self.content.lower() + place

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "format")
        layout.prop(self, "content")
        # An exporter of a collection sets the property itself.
        if context.space_data and context.space_data.type == "FILE_BROWSER":
            layout.prop(self, "collection")
        choice = Choice(context, self.content, self.collection)
        layout.separator()
        layout.prop(self, "unit")
        layout.prop(self, "scale")
        layout.prop(self, "forward")
        for line, icon in units.lines(choice, self.scale, self.format):
            layout.label(text=line, icon=icon)
        layout.separator()
        layout.prop(self, "animation")
        if self.animation != "NONE":
            layout.prop(self, "ranges")
            layout.prop(self, "fps")
            for line in self.clip_lines(context, choice):
                layout.label(text=line, icon="ACTION")
        layout.separator()
        layout.prop(self, "material_names")
        layout.prop(self, "profile")
        is_player = self.player and self.format in PLAYERS
        if not is_player and any(self.format in formats for formats in lists.FORMATS.values()):
            layout.prop(self, "clip_list")
        # Next to a checkbox, there is room for its whole name.
        layout.use_property_split = False
        for name in "deform_bones", "pointing_tags", "player", "textures", "overwrite":
            if self.format in FORMATS_OF.get(name, FORMAT_NAMES):
                layout.prop(self, name)

    def clip_lines(self, context, choice):
        """Returns lines with the frames of the clips."""
        try:
            found = self.found_clips(context, choice)
        except program.MaquetteError as error:
            return [str(error)]
        lines = [f"{clip.name}: {clip.count} frames at {clip.rate:g} fps" for clip in found[:MAX_LINES]]
        lines += [f"and {len(found) - MAX_LINES} more clips"] if len(found) > MAX_LINES else []
        return lines + [f"{sum(clip.count for clip in found)} frames in all" if found else "1 frame, no clips"]


def measured(done):
    """Returns a message if the written model deviates more than usual from the scene."""
    positions = (done.get("measured") or {}).get("positions") or {}
    distance = positions.get("distance") or 0
    extension = done.get("target", {}).get("format")
    if distance <= (COARSE if extension in BOXES else deviation.REPORTED):
        return []
    where = f" in frame {positions['frame']}" + (f" of “{positions['surface']}”" if positions["surface"] else "")
    reason = f"; {extension.upper()} divides the box of {BOXES[extension]} into 255 steps" if extension in BOXES else ""
    return [("WARNING", f"positions of the model differ from Blender by up to {distance:.2f} units{where}{reason}")]


def loops(file, extension, exported):
    """Returns a message that names the clips that loop only because of their motion, in a format that stores loops."""
    guessed = [clip for clip in exported if gltf.LOOP not in clip.extras]
    if not guessed or extension not in {"md3", "mdc", "mdr", "mds", "glm", "iqm"}:
        return []
    facts, _ = program.run("info", "--json", "--", file)
    written = lists.clips(json.loads(facts))
    # The program may rename clips, but keeps their order.
    by_name = {clip["name"]: clip for clip in written}
    by_name.update(zip((clip.name for clip in exported), written) if len(written) == len(exported) else ())
    found = [(clip.name, by_name[clip.name]) for clip in guessed if clip.name in by_name]
    found = [(name, clip["frames"]) for name, clip in found if clip["loops"] and clip["frames"] > 1]
    names = ", ".join(f"{name} ({frames} frames)" for name, frames in found)
    text = f"clips that loop, because their last frame leads to the first: {names}; for a clip that plays once, write "
    return [("CHOICE", f"{text}NAME::::0 into Clips")] if names else []


@contextlib.contextmanager
def object_mode(context):
    """Leaves the edit mode for a while, because its changes are not evaluated otherwise."""
    active = context.view_layer.objects.active
    mode = active.mode if active else "OBJECT"
    if mode == "OBJECT":
        yield
        return
    bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        bpy.ops.object.mode_set(mode=mode)


def kept(paths, names):
    """Returns a message about the files of each kind that were not replaced."""
    found = []
    for suffix in dict.fromkeys(path.suffix for path in paths):
        files = [path.name for path in paths if path.suffix == suffix]
        verbs = "exists and was" if len(files) == 1 else "exist and were"
        lost = f"clips of this model that no file lists: {', '.join(names)}; " if "animation.cfg" in files else ""
        lost = "their clips are the earlier ones; " if suffix == ".md5anim" else lost
        advice = "turn on Replace Files, or export to another folder"
        found.append(("WARNING", f"{', '.join(files)} {verbs} not replaced; {lost}{advice}"))
    return found


def collections(text):
    root = bpy.context.scene.collection
    return [each.name for each in [root, *root.children_recursive] if text.lower() in each.name.lower()]


def has_part_collections():
    """Returns whether collections divide the scene into the parts of a player."""
    return any(collection.name.lower() in PARTS for collection in bpy.data.collections)


def lint(file, engine):
    """Checks the file against the rules of an engine, and returns a line for each finding."""
    output, _ = program.run("check", "--profile", engine, "--json", "--", file, may_find=True)
    return [
        f"{finding['severity']}: {finding['message']}{place(finding)}"
        for line in output.splitlines()
        for finding in json.loads(line)["findings"]
    ]


def place(finding):
    """Names the surface of a finding."""
    found = finding.get("place")
    surface = found.get("surface") if isinstance(found, dict) else None
    name = surface.get("name") if isinstance(surface, dict) else None
    if not name or f"“{name}”" in finding["message"]:
        return ""
    # Some messages contain the number of places.
    others = 0 if f" {finding['count']} " in finding["message"] else finding["count"] - 1
    return f" (“{name}” and {others} more)" if others else f" (“{name}”)"


def menu(self, _context):
    self.layout.operator(EXPORT_SCENE_OT_maquette.bl_idname, text="id Tech Model (.md3, .md5mesh, …)")


CLASSES = [EXPORT_SCENE_OT_maquette]

if hasattr(bpy.types, "FileHandler"):

    class IO_FH_maquette_export(bpy.types.FileHandler):
        """Exporter of a collection."""

        bl_idname = "IO_FH_maquette_export"
        bl_label = "id Tech Model"
        bl_export_operator = EXPORT_SCENE_OT_maquette.bl_idname
        # Blender names new files with the first extension, which is that of the default format.
        bl_file_extensions = ";".join(sorted((f".{name}" for name, *_ in FORMATS), key=lambda name: name != ".md3"))

    CLASSES.append(IO_FH_maquette_export)


def register():
    for added in CLASSES:
        bpy.utils.register_class(added)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    for removed in reversed(CLASSES):
        bpy.utils.unregister_class(removed)
