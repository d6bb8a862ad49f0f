"""Files next to a model that name its clips and images for engines that read no other list."""

import json
import re
from pathlib import PurePosixPath

from . import program

ITEMS = [
    ("NONE", "None", "Only the files that the format needs, such as animation.cfg"),
    ("FRAMEGROUPS", "DarkPlaces, FTE", "MODEL.framegroups numbers the clips of an MDL, MD2, MD3 or IQM"),
    ("MODELDEF", "GZDoom", "MODELDEF connects an MD2, MD3, IQM or OBJ to an actor and the frames of a sprite"),
]
FORMATS = {"FRAMEGROUPS": {"mdl", "md2", "md3", "iqm"}, "MODELDEF": {"md2", "md3", "iqm", "obj"}}
# GZDoom numbers the frames of a sprite with these characters. It knows “[”, “\” and “]”, too, but “\” escapes a quote.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Last characters of the names of sprites.
SERIES = "0123456789" + LETTERS
# GZDoom stretches the world vertically.
STRETCH = 1.2


def write(kind, model, overwrite):
    """Writes the list of a model. Returns the written files and the files that were not replaced."""
    if model.suffix[1:].lower() not in FORMATS.get(kind, ()):
        return [], []
    listing, _ = program.run("info", "--json", "--", model)
    facts = json.loads(listing)
    file, text = (frame_groups if kind == "FRAMEGROUPS" else model_definition)(model, facts)
    try:
        if file.exists() and not overwrite:
            return [], [file]
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise program.MaquetteError(f"{file}: {error.strerror}") from error
    return [file], []


def clips(facts):
    """Returns the clips of a model. Names of frames may give clips that a list next to the model describes better."""
    found = {}
    for clip in facts["animations"]:
        if clip["name"] != "all frames":
            found.setdefault(clip["name"], clip)
    return list(found.values())


def frame_groups(model, facts):
    lines = ["// first count fps loop"]
    for clip in clips(facts):
        lines.append(f"{clip['first']} {clip['frames']} {clip['fps']:g} {int(clip['loops'])} // {clip['name']}")
    return model.with_name(f"{model.name}.framegroups"), "\n".join(lines) + "\n"


def model_definition(model, facts):
    """Returns the file in the folder that contains the folder “models”, or else next to the model."""
    parts = model.parent.parts
    at = next((index for index in range(len(parts) - 1, 0, -1) if parts[index].lower() == "models"), len(parts))
    root, folder = model.parents[len(parts) - at], "/".join(parts[at:])
    limit = len(SERIES) * len(LETTERS)
    if facts["frames"] > limit:
        raise program.MaquetteError(f"MODELDEF names up to {limit} frames; the model has {facts['frames']}")
    name = re.sub(r"\W", "_", model.stem)
    lines = [f"Model {name}", "{", *path_line(folder), f'    Model 0 "{model.name}"']
    lines += skins(model.suffix[1:].lower(), facts, folder)
    lines.append(f"    Scale 1.0 1.0 {STRETCH}")
    starts = {clip["first"]: clip["name"] for clip in clips(facts)}
    sprite = (re.sub(r"[^A-Z]", "", model.stem.upper()) + "XXX")[:3]
    for frame in range(facts["frames"]):
        lines += [f"    // {starts[frame]}"] if frame in starts else []
        series, letter = divmod(frame, len(LETTERS))
        lines.append(f'    FrameIndex "{sprite}{SERIES[series]}" "{LETTERS[letter]}" 0 {frame}')
    return root / f"modeldef.{model.stem}.txt", "\n".join([*lines, "}"]) + "\n"


def skins(extension, facts, folder):
    """Returns the lines of the images, at the paths of the materials."""
    if extension == "md2":
        used = [(None, name) for name in facts["skins"][:1]]
    else:
        materials = [(index, surface["materials"]) for index, surface in enumerate(facts["surfaces"])]
        used = [(index, names[0]) for index, names in materials if names]
    lines, now = [], folder
    for index, name in used:
        path = PurePosixPath(name.replace("\\", "/"))
        own = "" if str(path.parent) == "." else str(path.parent)
        lines += path_line(own) if own != now else []
        now = own
        image = path.name if path.suffix else f"{path.name}.tga"
        lines.append(f'    Skin 0 "{image}"' if index is None else f'    SurfaceSkin 0 {index} "{image}"')
    return lines


def path_line(folder):
    return [f'    Path "{folder}"']
