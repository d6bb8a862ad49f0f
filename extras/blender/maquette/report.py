"""Report of the last import or export: messages by importance, in a panel of the 3D view and in a text block."""

import re

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty

LOG = "Maquette"
LEVELS = [
    ("ERROR", "Errors", "The game does not load the model, or shows it wrongly"),
    ("WARNING", "Losses", "Differences between Blender and the model"),
    ("CHOICE", "Guesses", "Decisions of the export that an option changes"),
    ("INFO", "Notes", "Messages about every export, and written files"),
]
ICONS = {"ERROR": "CANCEL", "WARNING": "ERROR", "CHOICE": "QUESTION", "INFO": "INFO"}
# Width of the frames around a message and of a character, in pixels.
MARGIN, CHARACTER = 80, 7
# Messages that come with nearly every export.
USUAL = re.compile(
    "show these materials from one side only|only one level of detail|were not written: |normals were dropped|"
    "surfaces were merged into one|the name of the surface was dropped|surfaces attached to tags are left out"
)
# Level of a message of the program, which the panel shows by headings.
PREFIX = re.compile("^(error|warning|note): ")
# Advice for the command line, and the option of the add-on.
ADVICE = [
    (r"; maquette convert --textures writes them", "; the option Textures writes them"),
    (r"--textures", "the option Textures"),
    (r"; choose a single frame \(--frame F\)", ""),
    (r" \(--frame F chooses\)", "; the animation None exports the current frame"),
    (r" \(Blender: tick .*?\)", ""),
    (
        r"(?s)error: invalid value '(.*?)' for '--profile.*possible values: (.*?)\].*",
        r"unknown engine “\1”; expected \2",
    ),
    (r"; pass --overwrite to replace (it|them)", "; turn on Replace Files"),
    (r"--overwrite", "the option Replace Files"),
    (r"--player", "the option Player"),
    (r"--scale", "the option Unit"),
]
# Messages that the dialog of the export makes superfluous, or about joints that only move objects.
DROPPED = re.compile("animations were sampled at|the format has no joints")
# Where a message of a limit comes from, and what a user of Blender can do.
HINTS = [
    (r"stores positions up to", "; choose a larger unit, for example 1 game unit = 1 Blender unit"),
    (r"no image for", "; the option Textures writes the images of Blender"),
]


def in_blender(message, temporary="", nodes=()):
    """Replaces advice for the command line and numbers of nodes, and removes the path of a temporary file."""
    message = re.sub(r"^node (\d+)(?=: )", lambda found: node_name(nodes, found), message)
    message = re.sub(r"^node \d+ (?=“)", "", message)
    if temporary:
        message = message.replace(f"{temporary}: ", "").replace(str(temporary), "the scene")
    for pattern, text in ADVICE:
        message = re.sub(pattern, text, message)
    for pattern, hint in HINTS:
        if re.search(pattern, message) and hint not in message:
            message += hint
    return message


def node_name(nodes, found):
    return f"“{nodes[int(found[1])]}”" if int(found[1]) < len(nodes) else found[0]


def of_program(lines, temporary, nodes=()):
    """Returns the messages of the program with their levels."""
    return [(level_of(line), in_blender(line, temporary, nodes)) for line in lines if not DROPPED.search(line)]


def level_of(message):
    if message.startswith("error"):
        return "ERROR"
    return "INFO" if message.startswith("note") or USUAL.search(message) else "WARNING"


class MaquetteMessage(bpy.types.PropertyGroup):
    """A message of the report."""

    level: EnumProperty(items=LEVELS)
    text: StringProperty()
    # An object that the message names.
    object: StringProperty()


class MaquetteReport(bpy.types.PropertyGroup):
    """The report of the last import or export."""

    title: StringProperty()
    messages: CollectionProperty(type=MaquetteMessage)
    show_notes: BoolProperty(name="Notes", description="Show messages about every export, and the written files")


class MAQUETTE_OT_select(bpy.types.Operator):
    """Select the object that the message names"""

    bl_idname = "maquette.select"
    bl_label = "Select Object"
    bl_options = {"INTERNAL", "UNDO"}

    name: StringProperty()

    def execute(self, context):
        one = context.view_layer.objects.get(self.name)
        if not one:
            self.report({"WARNING"}, f"there is no object “{self.name}” in this view layer")
            return {"CANCELLED"}
        for each in context.selected_objects:
            each.select_set(False)
        one.hide_set(False)
        one.select_set(True)
        context.view_layer.objects.active = one
        return {"FINISHED"}


class MAQUETTE_PT_report(bpy.types.Panel):
    """Messages of the last import or export"""

    bl_label = "Maquette Report"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Maquette"

    def draw(self, context):
        found = context.window_manager.maquette_report
        layout = self.layout
        scale = context.preferences.system.ui_scale
        width = max(20, int((context.region.width / scale - MARGIN) / CHARACTER))
        draw_text(layout, found.title or "No import or export yet", width)
        for level, name, _ in LEVELS:
            messages = [message for message in found.messages if message.level == level]
            if not messages:
                continue
            if level == "INFO":
                icon = "TRIA_DOWN" if found.show_notes else "TRIA_RIGHT"
                layout.prop(found, "show_notes", text=f"{name} ({len(messages)})", icon=icon, emboss=False)
                messages = messages if found.show_notes else []
            else:
                layout.label(text=f"{name} ({len(messages)})", icon=ICONS[level])
            for message in messages:
                draw_message(layout.box(), message, width)


def draw_message(box, message, width):
    draw_text(box, message.text, width)
    if message.object:
        box.operator(MAQUETTE_OT_select.bl_idname, text=message.object, icon="OBJECT_DATA").name = message.object


def draw_text(layout, text, width):
    column = layout.column(align=True)
    for line in wrapped(text, width):
        column.label(text=line)


def wrapped(text, width):
    """Divides a text and its paths into lines, because labels do not."""
    lines = [""]
    for word in re.findall(rf"\S{{1,{width}}}(?!\S)|\S{{0,{width - 1}}}[/\\]|\S{{1,{width}}}", text):
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def fail(operator, title, error):
    """Shows why an import or export wrote nothing."""
    fill(title, [("ERROR", str(error))])
    operator.report({"ERROR"}, str(error))


def fill(title, messages):
    """Shows messages, pairs of a level and a text, in the panel and in the text block."""
    found = bpy.context.window_manager.maquette_report
    found.title = title
    found.messages.clear()
    names = {*bpy.data.objects.keys()}
    order = [level for level, *_ in LEVELS]
    messages = sorted(dict.fromkeys(messages), key=lambda message: order.index(message[0]))
    for level, text in messages:
        added = found.messages.add()
        added.level, added.text = level, PREFIX.sub("", text)
        added.object = named_object(names, text)
    text = bpy.data.texts.get(LOG) or bpy.data.texts.new(LOG)
    text.clear()
    text.write("\n".join([title, *(line for _, line in messages)]) + "\n")


def show(operator, title, messages):
    """Shows messages. The operator reports the number of errors and losses."""
    fill(title, messages)
    errors, losses = (sum(level == each for level, _ in messages) for each in ("ERROR", "WARNING"))
    words = (errors, "error", "errors"), (losses, "loss", "losses")
    counts = [f"{number} {one if number == 1 else more}" for number, one, more in words if number]
    if counts:
        where = "see the tab Maquette in the sidebar of the 3D view"
        operator.report({"WARNING"}, f"{title}: {', '.join(counts)}; {where}")
    else:
        operator.report({"INFO"}, title)


def named_object(names, text):
    """Returns the first object that a message names in quotation marks. The second material of an object is a surface
    “name-2”."""
    for quoted in re.findall("“(.*?)”", text):
        for name in (quoted, re.sub(r"-\d+$", "", quoted)):
            if name in names:
                return name
    return ""


CLASSES = [MaquetteMessage, MaquetteReport, MAQUETTE_OT_select, MAQUETTE_PT_report]


def register():
    for added in CLASSES:
        bpy.utils.register_class(added)
    bpy.types.WindowManager.maquette_report = bpy.props.PointerProperty(type=MaquetteReport)


def unregister():
    del bpy.types.WindowManager.maquette_report
    for removed in reversed(CLASSES):
        bpy.utils.unregister_class(removed)
