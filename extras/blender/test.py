"""Tests of the add-on, in Blender without a window.

    python test.py [TEST…]                                       with the bpy package
    blender -b --factory-startup -P test.py [-- TEST…]

The program is $MAQUETTE, or target/release/maquette.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import bpy
import numpy

# With the bpy package, this module exists only after bpy.
import addon_utils  # isort: skip

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parents[1] / "assets/sample"
PROGRAM = Path(os.environ.get("MAQUETTE", HERE.parents[1] / "target/release/maquette")).resolve()
FORMATS = ["md2", "md3", "mdc", "mdr", "md5mesh"]
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
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        addon_utils.enable("maquette", default_set=True)
        self.preferences.program = str(PROGRAM)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    @property
    def preferences(self):
        return bpy.context.preferences.addons["maquette"].preferences

    def load(self, path, **options):
        self.assertEqual(bpy.ops.import_scene.maquette(filepath=str(path), **options), {"FINISHED"})

    def save(self, path, **options):
        self.assertEqual(bpy.ops.export_scene.maquette(filepath=str(path), **options), {"FINISHED"})

    def log(self):
        return bpy.data.texts["Maquette"].as_string()


class ImportTest(AddonTest):
    def test_models_of_five_formats_arrive_complete(self):
        for extension in FORMATS:
            with self.subTest(extension):
                self.setUp()
                model = SAMPLE / f"umber.{extension}"
                self.load(model)
                facts = info(model)
                surfaces = [surface for surface in facts["surfaces"] if surface["lod"] == 0]
                meshes = {one.name: one for one in bpy.data.objects if one.type == "MESH"}
                self.assertEqual(set(meshes), {surface["name"] or "surface 0" for surface in surfaces})
                self.assertEqual(
                    sum(len(mesh.data.polygons) for mesh in meshes.values()),
                    sum(surface["triangles"] for surface in surfaces),
                )
                self.assertEqual(clip_names(), set(clips(facts)))
                for mesh in meshes.values():
                    nodes = mesh.active_material.node_tree.nodes
                    images = [node.image for node in nodes if node.type == "TEX_IMAGE"]
                    self.assertTrue(images and images[0].size[0] > 0)
                self.check_poses(model, facts)

    def check_poses(self, model, facts):
        # glTF cannot store the bones of an MDR exactly; the import reports the largest distance.
        loss = re.search(r"vertices are off by up to ([\d.]+)", self.log())
        tolerance = float(loss[1]) if loss else 2e-3
        for name, clip in clips(facts).items():
            frame = clip["frames"] // 2
            choice = ["--animation", name, "--frame", frame]
            show(name, frame)
            expected, found = vertices_of(model, self.folder, *choice), posed_vertices()
            self.assertEqual(len(found), len(expected))
            distances = [
                numpy.linalg.norm(found.get(surface, next(iter(found.values()))) - vertices, axis=1).max()
                for surface, vertices in expected.items()
            ]
            self.assertLess(max(distances), tolerance, f"{model.name} {name}")
            tags = info(model, *choice)["tags"]
            for tag in tags:
                self.check_tag(tag)
            print(f"{model.name} {name} frame {frame}: {len(tags)} tags, vertices within {max(distances):.5f} units")

    def check_tag(self, tag):
        empty = bpy.data.objects.get(tag["name"])
        if empty:
            matrix = empty.matrix_world
            # glTF's Y is Blender's Z.
            forward, down, left = axes_of(matrix)
            axes = [forward, left, -down]
        else:
            armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
            matrix = armature.matrix_world @ armature.pose.bones[tag["name"]].matrix
            axes = axes_of(matrix)
        numpy.testing.assert_allclose(in_game(matrix.translation)[0], tag["origin"], atol=2e-3)
        numpy.testing.assert_allclose(axes, tag["axis"], atol=1e-3)

    def test_actions_of_joints_are_named_after_clips(self):
        self.load(SAMPLE / "umber.md5mesh")
        self.assertEqual({action.name for action in bpy.data.actions}, {"idle", "run", "wave"})
        self.assertEqual(bpy.data.actions["run"]["framesPerSecond"], 24)
        self.assertEqual(bpy.data.actions["run"]["frameCount"], 17)

    def test_tags_are_empties_with_axes(self):
        self.load(SAMPLE / "umber.md3")
        tags = {one.name for one in bpy.data.objects if one.empty_display_type == "ARROWS"}
        self.assertEqual(tags, {tag["name"] for tag in info(SAMPLE / "umber.md3")["tags"]})

    def test_frame_rate_and_range_fit_the_clips(self):
        self.load(SAMPLE / "umber.md3", clip="run")
        scene = bpy.context.scene
        # Eight frames and the first again.
        self.assertEqual((scene.render.fps, scene.frame_start, scene.frame_end), (12, 0, 7))

    def test_keys_of_every_rate_are_on_whole_frames(self):
        self.load(SAMPLE / "umber.md3")
        for action in bpy.data.actions:
            self.assertEqual(action.frame_range[0], 0)
            self.assertEqual(action.frame_range[1], action["frameCount"])

    def test_entries_of_an_archive_are_imported(self):
        archive = self.folder / "pak0.pk3"
        with zipfile.ZipFile(archive, "w") as pak:
            pak.write(SAMPLE / "umber.md3", "models/umber/umber.md3")
            pak.write(SAMPLE / "umber.png", "models/umber/umber.png")
        for options in [
            {"path": archive, "entry": "models/umber/umber.md3"},
            {"path": archive / "models/umber/umber.md3"},
        ]:
            self.setUp()
            self.load(**options)
            self.assertIn("tag_weapon", bpy.data.objects)

    def test_scale_lod_and_clip_are_passed_on(self):
        self.load(SAMPLE / "umber.md3", scale=1.0, lod=1, clip="wave")
        self.assertEqual(clip_names(), {"wave"})
        triangles = sum(surface["triangles"] for surface in info(SAMPLE / "umber.md3")["surfaces"] if surface["lod"])
        self.assertEqual(sum(len(mesh.polygons) for mesh in bpy.data.meshes), triangles)
        self.assertAlmostEqual(max(one.matrix_world.to_scale().x for one in bpy.data.objects), 1.0, 5)

    def test_errors_of_the_program_are_reported(self):
        with self.assertRaisesRegex(RuntimeError, "no such file"):
            self.load(self.folder / "missing.md3")
        self.assertFalse(bpy.data.objects)

    def test_missing_and_old_programs_are_reported(self):
        self.preferences.program = str(self.folder / "absent")
        with self.assertRaisesRegex(RuntimeError, "program not found: .*preferences"):
            self.load(SAMPLE / "umber.md3")
        old = self.folder / "old"
        old.write_text("#!/bin/sh\necho \"error: unexpected argument '--scale' found\" >&2\nexit 2\n")
        old.chmod(0o755)
        self.preferences.program = str(old)
        with self.assertRaisesRegex(RuntimeError, "too old"):
            self.load(SAMPLE / "umber.md3")

    def test_temporary_files_are_removed(self):
        before = set(Path(tempfile.gettempdir()).iterdir())
        self.load(SAMPLE / "umber.md3")
        self.assertEqual(set(Path(tempfile.gettempdir()).iterdir()), before)


@unittest.skipUnless(reads_gltf(), "this build of the program does not read glTF")
class ExportTest(AddonTest):
    def round_trip(self, model, **options):
        """Imports and exports a model, and returns its differences from the original."""
        self.load(model)
        copy = self.folder / model.name
        self.save(copy, **options)
        return json.loads(maquette("diff", model, copy, "--json", status=(0, 1)))

    def test_models_of_five_formats_survive_a_round_trip(self):
        for extension in FORMATS:
            with self.subTest(extension):
                self.setUp()
                difference = self.round_trip(SAMPLE / f"umber.{extension}")
                print(json.dumps(difference)[:2000])


def main():
    # Blender itself passes its own arguments before “--”; the bpy package has no program.
    own = sys.argv.index("--") + 1 if "--" in sys.argv else len(sys.argv) if bpy.app.binary_path else 1
    sys.path.insert(0, str(HERE))
    sys.dont_write_bytecode = True
    print("Blender", bpy.app.version_string, flush=True)
    result = unittest.main(argv=["test.py", *sys.argv[own:]], verbosity=2, exit=False).result
    sys.stdout.flush()
    # The bpy package 4.2 may crash at the end of a program that used glTF.
    os._exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
