"""Helpers of the tests: the program, the scene in units of the games, and a test case with an empty scene."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy

# With the bpy package, this module exists only after bpy.
import addon_utils  # isort: skip

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parents[1] / "assets/sample"
PROGRAM = Path(os.environ.get("MAQUETTE", HERE.parents[1] / "target/release/maquette")).resolve()
UNIT = 0.0254
IS_SLOTTED = bpy.app.version >= (4, 4, 0)


def maquette(*arguments, status=(0,)):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode in status, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


def info(model, *arguments):
    return json.loads(maquette("info", model, "--json", *arguments))


def clips(facts):
    """Returns the clips of a model by name. Of clips with equal names, the first is exported."""
    found = {}
    for clip in facts["animations"]:
        if clip["name"] != "all frames":
            found.setdefault(clip["name"], clip)
    return found


def reads_gltf():
    """Whether this build of the program reads glTF."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["convert", str(HERE / "manikin.glb"), "--fps", "15", "-o", f"{folder}/x.md3"]
        return subprocess.run([PROGRAM, *arguments], capture_output=True, check=False).returncode == 0


def holders():
    """Returns everything in the scene that may have actions."""
    objects = list(bpy.context.scene.objects)
    keys = [one.data.shape_keys for one in objects if one.type == "MESH" and one.data.shape_keys]
    return [one for one in objects + keys if one.animation_data]


def clip_names():
    return {track.name for one in holders() for track in one.animation_data.nla_tracks}


def show(clip, frame):
    for one in holders():
        data = one.animation_data
        strips = [track.strips[0] for track in data.nla_tracks if track.name == clip]
        data.action = strips[0].action if strips else None
        if strips and IS_SLOTTED:
            data.action_slot = strips[0].action_slot
    bpy.context.scene.frame_set(frame)


def in_game(points):
    """Converts positions from Blender's axes and metres to those of the games."""
    x, y, z = numpy.array(points, dtype=float).reshape(-1, 3).T / UNIT
    return numpy.stack([-y, x, z], axis=1)


def axes_of(matrix):
    return [in_game(column.xyz.normalized() * UNIT)[0] for column in list(matrix.col)[:3]]


def posed_vertices():
    """Returns the shown vertices of each mesh in the axes and units of the games."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = {}
    for one in bpy.context.scene.objects:
        if one.type == "MESH":
            shown = one.evaluated_get(graph)
            found[one.name] = in_game([shown.matrix_world @ vertex.co for vertex in shown.data.vertices])
    return found


def vertices_of(model, folder, *arguments):
    """Returns the vertices that the program computes, by surface."""
    maquette("export", model, "-o", folder / "pose.obj", *arguments)
    found = {}
    for line in (folder / "pose.obj").read_text().splitlines():
        if line.startswith("o "):
            found[line[2:]] = surface = []
        elif line.startswith("v "):
            surface.append([float(word) for word in line.split()[1:]])
    return {name: numpy.array(surface) for name, surface in found.items()}


class AddonTest(unittest.TestCase):
    def setUp(self):
        self.empty_scene()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def empty_scene(self):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        addon_utils.enable("maquette", default_set=True)
        self.preferences.program = str(PROGRAM)

    @property
    def preferences(self):
        return bpy.context.preferences.addons["maquette"].preferences

    def load(self, path, **options):
        self.assertEqual(bpy.ops.import_scene.maquette(filepath=str(path), **options), {"FINISHED"})

    def save(self, path, **options):
        self.assertEqual(bpy.ops.export_scene.maquette(filepath=str(path), **options), {"FINISHED"})

    def log(self):
        return bpy.data.texts["Maquette"].as_string()
