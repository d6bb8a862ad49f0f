"""Tests of the add-on, in Blender without a window.

    python test.py [TEST…]                                       with the bpy package
    blender -b --factory-startup -P test.py [-- TEST…]

The program is $MAQUETTE, or target/release/maquette.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock
import zipfile
from pathlib import Path

import bpy
import numpy

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
# The folder is now on the path.
import manikin  # isort: skip
import maquette as addon  # isort: skip
from clip_tests import ClipTest  # isort: skip # noqa: F401
from content_tests import ContentTest  # isort: skip # noqa: F401
from report_tests import ReportTest  # isort: skip # noqa: F401
from rig_tests import RigTest  # isort: skip # noqa: F401
from scenes import add_rig  # isort: skip
from testing import (  # isort: skip
    IS_SLOTTED,
    PROGRAM,
    SAMPLE,
    AddonTest,
    axes_of,
    clip_names,
    clips,
    in_game,
    info,
    maquette,
    posed_vertices,
    reads_gltf,
    show,
    vertices_of,
)

# With the bpy package, this module exists only after bpy.
import addon_utils  # isort: skip

FORMATS = ["md2", "md3", "mdc", "mdr", "md5mesh"]


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
                self.assertEqual(set(meshes), {surface["name"] or "Mesh" for surface in surfaces})
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

    def test_idle_clip_is_shown(self):
        # The clip is the last of the file.
        for extension in "md3", "md5mesh":
            self.setUp()
            self.load(SAMPLE / f"umber.{extension}")
            name = f"umber.{extension}"
            self.save(self.folder / name, ranges="wave, run, idle")
            self.empty_scene()
            self.load(self.folder / name)
            bpy.context.scene.frame_set(3)
            expected = vertices_of(self.folder / name, self.folder, "--animation", "idle", "--frame", 3)
            expected, shown = (numpy.concatenate(list(found.values())) for found in (expected, posed_vertices()))
            self.assertLess(numpy.linalg.norm(shown[:, None] - expected, axis=2).min(axis=1).max(), 2e-3)

    def test_shown_clip_is_that_of_the_program(self):
        for names, expected in (
            (("BOTH_DEATH1", "LEGS_WALK", "LEGS_IDLE", "TORSO_STAND"), "LEGS_IDLE"),
            (("BOTH_DEATH1", "BOTH_RUN1", "BOTH_STAND1"), "BOTH_STAND1"),
            (("die", "pain 1", "walk"), "walk"),
            (("death",), "death"),
        ):
            found = {name: {"frameCount": 2, "framesPerSecond": 10} for name in names}
            self.assertEqual(addon.importer.calm(found), expected)
        self.assertIsNone(addon.importer.calm({}))

    def test_bones_are_as_long_as_the_distance_to_their_children(self):
        for options in {}, {"bones": "CHAIN"}:
            self.setUp()
            self.load(SAMPLE / "umber.md5mesh", **options)
            armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
            ratios = []
            for bone in armature.data.bones:
                distances = [(child.head_local - bone.head_local).length for child in bone.children]
                if max(distances, default=0) > 1e-3:
                    ratios.append(bone.length / max(distances))
            self.assertAlmostEqual(numpy.median(ratios), 1, delta=0.01)

    def test_bones_along_the_chain_point_at_their_children(self):
        self.load(SAMPLE / "umber.md5mesh", bones="CHAIN")
        self.check_poses(SAMPLE / "umber.md5mesh", info(SAMPLE / "umber.md5mesh"))
        armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
        gaps = [
            (bone.tail_local - bone.children[0].head_local).length / bone.length
            for bone in armature.data.bones
            if len(bone.children) == 1
        ]
        self.assertLess(max(gaps), 0.01)

    def test_frames_are_absolute_or_relative_shape_keys(self):
        model = SAMPLE / "umber.md3"
        for frames, number in (("ABSOLUTE", 1), ("RELATIVE", 8)):
            self.setUp()
            self.load(model, frames=frames, clip="run")
            keys = bpy.data.objects["head"].data.shape_keys
            self.assertEqual(keys.use_relative, frames == "RELATIVE")
            names = [block.name for block in keys.key_blocks[1:]]
            self.assertTrue(names and set(names) <= {f"run {frame}" for frame in range(1, 9)}, names)
            slot = keys.animation_data.action_slot if IS_SLOTTED else None
            found = addon.gltf.curves(keys.animation_data.action, slot)
            self.assertLessEqual(len(found), number)
            self.assertTrue(found)
            self.check_poses(
                model, {"animations": [each for each in info(model)["animations"] if each["name"] == "run"]}
            )

    def test_clips_follow_each_other_with_markers(self):
        for extension in "md3", "md5mesh":
            self.setUp()
            model = SAMPLE / f"umber.{extension}"
            self.load(model, clips="MARKERS")
            frames = {name: clip["frames"] for name, clip in clips(info(model)).items()}
            scene = bpy.context.scene
            markers = {marker.name: marker.frame for marker in scene.timeline_markers}
            self.assertEqual(set(markers), set(frames))
            self.assertEqual(scene.frame_end + 1, sum(frames.values()))
            scene.frame_set(markers["run"] + 3)
            expected = vertices_of(model, self.folder, "--animation", "run", "--frame", 3)
            for name, vertices in posed_vertices().items():
                numpy.testing.assert_allclose(vertices, expected[name], atol=2e-3)

    def test_clips_are_added_to_an_armature(self):
        model = SAMPLE / "umber.md5mesh"
        self.load(model, clip="idle")
        rig = next(one for one in bpy.data.objects if one.type == "ARMATURE")
        before = set(bpy.data.objects), set(bpy.data.meshes), set(bpy.data.armatures)
        bpy.context.view_layer.objects.active = rig
        self.load(model, clip="run", onto=True)
        self.assertEqual((set(bpy.data.objects), set(bpy.data.meshes), set(bpy.data.armatures)), before)
        self.assertEqual(clip_names(), {"idle", "run"})
        self.assertEqual((bpy.context.view_layer.objects.active, rig.animation_data.action.name), (rig, "run"))
        show("run", 5)
        expected = vertices_of(model, self.folder, "--animation", "run", "--frame", 5)
        for name, vertices in posed_vertices().items():
            numpy.testing.assert_allclose(vertices, expected[name], atol=2e-3)
        rig.data.bones[0].name = "renamed"
        bpy.context.view_layer.objects.active = rig
        with self.assertRaisesRegex(RuntimeError, "the clips do not fit .* lacks the bone"):
            self.load(model, clip="wave", onto=True)
        self.assertEqual(set(bpy.data.objects), before[0])
        add_rig()
        bpy.context.view_layer.objects.active = None
        with self.assertRaisesRegex(RuntimeError, "no active armature"):
            self.load(model, clip="wave", onto=True)

    def test_animation_file_moves_the_active_armature(self):
        source = SAMPLE / "umber.md5mesh"
        model, apart = self.folder / "model", self.folder / "apart"
        for folder, name in (model, "umber.md5mesh"), (model, "idle.md5anim"), (apart, "run.md5anim"):
            folder.mkdir(exist_ok=True)
            shutil.copy(SAMPLE / name, folder)
        self.load(model / "umber.md5mesh")
        rig = next(one for one in bpy.data.objects if one.type == "ARMATURE")
        bpy.context.view_layer.objects.active = rig
        before = len(bpy.data.objects)
        self.load(apart / "run.md5anim")
        # The armature becomes an MD5.
        self.assertIn("normals were dropped", self.log())
        self.assertEqual((clip_names(), len(bpy.data.objects)), ({"idle", "run"}, before))
        for frame in 0, 3:
            show("run", frame)
            expected = vertices_of(source, self.folder, "--animation", "run", "--frame", frame)
            shown = numpy.concatenate(list(posed_vertices().values()))
            expected = numpy.concatenate(list(expected.values()))
            distances = numpy.linalg.norm(shown[:, None] - expected, axis=2)
            self.assertLess(distances.min(axis=1).max(), 0.02)

    def test_iqm_without_meshes_moves_the_armature_of_the_active_mesh(self):
        self.load(SAMPLE / "umber.md5mesh")
        model, animation = self.folder / "umber.iqm", self.folder / "apart/jump.iqm"
        animation.parent.mkdir()
        self.save(model, ranges="run")
        # `num_meshes` in `iqm.h`.
        data = model.read_bytes()
        animation.write_bytes(data[:36] + bytes(4) + data[40:])
        self.empty_scene()
        self.load(model)
        bpy.context.view_layer.objects.active = next(one for one in bpy.data.objects if one.type == "MESH")
        self.load(animation)
        rig = bpy.context.view_layer.objects.active
        self.assertEqual((rig.type, rig.animation_data.action.name), ("ARMATURE", "jump"))
        for frame in 0, 3:
            bpy.context.scene.frame_set(frame)
            shown = numpy.concatenate(list(posed_vertices().values()))
            expected = vertices_of(model, self.folder, "--animation", "run", "--frame", frame)
            distances = numpy.linalg.norm(shown[:, None] - numpy.concatenate(list(expected.values())), axis=2)
            self.assertLess(distances.min(axis=1).max(), 0.02)

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
        with self.assertRaisesRegex(RuntimeError, "its models: models/umber/umber.md3"):
            self.load(archive)

    def test_scale_lod_and_clip_are_passed_on(self):
        self.load(SAMPLE / "umber.md3", scale=1.0, lod=1, clip="wave")
        self.assertEqual(clip_names(), {"wave"})
        triangles = sum(surface["triangles"] for surface in info(SAMPLE / "umber.md3")["surfaces"] if surface["lod"])
        self.assertEqual(sum(len(mesh.polygons) for mesh in bpy.data.meshes), triangles)
        self.assertAlmostEqual(max(one.matrix_world.to_scale().x for one in bpy.data.objects), 1.0, 5)

    def test_skins_of_the_model_are_suggested(self):
        (self.folder / "umber.md3").write_bytes((SAMPLE / "umber.md3").read_bytes())
        for name in "red", "blue":
            (self.folder / f"umber_{name}.skin").write_text(f"head,models/{name}.tga\n")
        options = unittest.mock.Mock(filepath=str(self.folder / "umber.md3"), entry="")
        self.assertLessEqual({"blue", "red"}, set(addon.importer.skins(options, "")))
        self.assertEqual(addon.importer.skins(options, "re"), ["red"])

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

    def test_offered_formats_are_those_of_the_program(self):
        with self.assertRaisesRegex(AssertionError, "unknown format") as caught:
            maquette("convert", SAMPLE / "umber.md3", "-o", self.folder / "umber.xyz")
        known = set(re.findall(r"\.(\w+)", str(caught.exception).partition("available: ")[2].partition(";")[0]))
        self.assertEqual({name for name, *_ in addon.exporter.FORMATS}, known)

    def test_program_that_does_not_finish_is_stopped(self):
        stopped = unittest.mock.patch("subprocess.run", side_effect=subprocess.TimeoutExpired("maquette", 600))
        self.load(SAMPLE / "umber.md3")
        with stopped, self.assertRaisesRegex(RuntimeError, "did not finish within 10 minutes"):
            self.save(self.folder / "umber.md2")

    def test_temporary_files_are_removed(self):
        with unittest.mock.patch("tempfile.tempdir", str(self.folder)):
            self.load(SAMPLE / "umber.md3")
        self.assertEqual(list(self.folder.iterdir()), [])


# Resolution of positions in each format, in units: MD2 1/255 of the largest box of a frame, MD3 1/64, MDC 0.05, and the
# numbers of a text file.
RESOLUTION = {"md2": 0.5, "md3": 0.03, "mdc": 0.08, "mdr": 0.03, "md5mesh": 0.003}


@unittest.skipUnless(reads_gltf(), "this build of the program does not read glTF")
class ExportTest(AddonTest):
    def differences(self, one, other):
        return json.loads(maquette("diff", one, other, "--json", status=(0, 1)))

    def test_models_of_five_formats_survive_a_round_trip(self):
        for extension in FORMATS:
            with self.subTest(extension):
                self.setUp()
                model = SAMPLE / f"umber.{extension}"
                copy = self.folder / model.name
                self.load(model)
                loss = re.search(r"vertices are off by up to ([\d.]+)", self.log())
                tolerance = RESOLUTION[extension] + (float(loss[1]) if loss else 0)
                self.save(copy)
                found = self.differences(model, copy)
                furthest = 0
                for surface in found["surfaces"]:
                    if surface["lod"]:
                        # Only the imported LOD is exported.
                        continue
                    # The vertices of an MD2 are split where texture coordinates differ.
                    allowed = {"matched"} if extension == "md2" else set()
                    changes = {"only", "renamed", "order", "materials", "matched"} - allowed
                    self.assertFalse(changes & surface.keys(), surface)
                    if surface["furthest"]:
                        furthest = max(furthest, surface["furthest"]["distance"])
                self.assertLess(furthest, tolerance)
                for tag in found["tags"]:
                    self.assertNotIn("only", tag)
                    # Tags of an MDR are bones, and Blender sorts bones by their parents.
                    self.assertTrue("order" not in tag or extension == "mdr", tag)
                    if tag["furthest"]:
                        self.assertLess(tag["furthest"]["distance"], tolerance)
                        self.assertLess(tag["furthest"]["degrees"], 0.2)
                # The bones of an MDR have neither names nor parents.
                for joint in found["joints"] if extension != "mdr" else []:
                    self.assertFalse({"only", "renamed", "parent", "order"} & joint.keys(), joint)
                # The copy has no clips from the names of frames.
                self.assertEqual(list(clips(info(copy))), list(clips(info(model))))
                for name, clip in clips(info(copy)).items():
                    original = clips(info(model))[name]
                    self.assertEqual(
                        (clip["first"], clip["frames"], clip["fps"]),
                        (original["first"], original["frames"], original["fps"]),
                    )
                print(f"{model.name}: vertices within {furthest:.5f} units, {found['frames']} frames")

    def test_glm_keeps_joints_and_clips_in_a_round_trip(self):
        model, copy = self.folder / "umber.glm", self.folder / "copy" / "umber.glm"
        copy.parent.mkdir()
        maquette("convert", SAMPLE / "umber.md5mesh", "-o", model)
        self.load(model)
        self.save(copy)
        found = self.differences(model, copy)
        for joint in found["joints"]:
            self.assertFalse({"only", "renamed", "parent"} & joint.keys(), joint)
        distances = [surface["furthest"]["distance"] for surface in found["surfaces"] if surface["furthest"]]
        # Two conversions with steps of 1/64 along three axes, and rotations.
        self.assertLess(max(distances, default=0), 0.04)
        # A loop of the original ends with a copy of its first frame, so later clips begin later. “umber” has all frames.
        counts = [{name: clip["frames"] for name, clip in clips(info(file)).items()} for file in (copy, model)]
        del counts[0]["umber"], counts[1]["umber"]
        self.assertEqual(*counts)

    def test_bones_along_the_chain_and_markers_export_back(self):
        for extension, tolerance in (("md5mesh", 0.003), ("mdr", 0.03), ("md3", 0.03)):
            model, copy = SAMPLE / f"umber.{extension}", self.folder / f"umber.{extension}"
            for options, choice in (
                ({"bones": "CHAIN"}, {}),
                ({"clips": "MARKERS"}, {"animation": "TIMELINE"}),
            ):
                self.setUp()
                self.load(model, **options)
                self.save(copy, overwrite=True, **choice)
                found = self.differences(model, copy)
                furthest = [
                    each["furthest"]["distance"] for each in found["surfaces"] if not each["lod"] and each["furthest"]
                ]
                self.assertLess(max(furthest, default=0), tolerance)
                clip_facts = [
                    {
                        name: (clip["frames"], clip["fps"], clip["loop_frames"])
                        for name, clip in clips(info(path)).items()
                    }
                    for path in (model, copy)
                ]
                self.assertEqual(clip_facts[1], clip_facts[0])
                if extension == "md5mesh":
                    self.assertFalse(
                        [joint for joint in found["joints"] if {"only", "renamed", "parent"} & joint.keys()]
                    )
                    for joint in found["joints"]:
                        turned = (joint["furthest"] or {}).get("degrees") or 0
                        self.assertLess(turned, 0.1, joint)

    def make_manikin(self):
        manikin.make_manikin()
        addon_utils.enable("maquette", default_set=True)
        self.preferences.program = str(PROGRAM)

    def test_manikin_has_surfaces_tags_and_clips(self):
        self.make_manikin()
        self.save(self.folder / "manikin.md3", fps=15)
        facts = info(self.folder / "manikin.md3")
        self.assertEqual({surface["name"] for surface in facts["surfaces"]}, {"l_legs", "u_torso", "u_arms", "h_head"})
        self.assertEqual({tag["name"] for tag in facts["tags"]}, {"tag_torso", "tag_head", "tag_weapon"})
        frames = {name: clip["frames"] for name, clip in clips(facts).items()}
        self.assertEqual(frames, {name: count for name, count, *_ in manikin.CLIPS})
        stand = info(self.folder / "manikin.md3", "--animation", "TORSO_STAND", "--frame", 0)
        for tag in stand["tags"]:
            if tag["name"] == "tag_weapon":
                numpy.testing.assert_allclose(tag["axis"], numpy.eye(3), atol=0.02)
        self.assertAlmostEqual(facts["bounds"]["min"][2], manikin.GROUND, delta=0.1)

    def test_action_with_a_rate_keeps_its_frames(self):
        self.make_manikin()
        bpy.context.scene.render.fps = 24
        bpy.data.actions["LEGS_RUN"]["framesPerSecond"] = 20
        self.save(self.folder / "manikin.md3")
        found = clips(info(self.folder / "manikin.md3"))
        self.assertEqual((found["LEGS_RUN"]["frames"], found["LEGS_RUN"]["fps"]), (11, 20))
        # Other actions keep the frames of the scene, at its rate.
        self.assertEqual((found["LEGS_WALK"]["frames"], found["LEGS_WALK"]["fps"]), (16, 24))

    def rows(self, folder):
        lines = (self.folder / folder / "animation.cfg").read_text().splitlines()
        # Without the first frames: those of clips that the manikin lacks are then its own.
        return [line.split()[1:] for line in lines if line[:1].isdigit()]

    def test_players_survive_a_round_trip(self):
        for extension in "md3", "mdr":
            self.make_manikin()
            # Ranges of animation.cfg share frames: a player that stands turns with the same steps.
            turn = bpy.data.actions["LEGS_WALK"].copy()
            turn.name, turn.use_fake_user = "LEGS_TURN", True
            one, two = f"one_{extension}", f"two_{extension}"
            for folder in one, two:
                (self.folder / folder).mkdir()
            self.save(self.folder / f"{one}/lower.{extension}", player=True, fps=15, textures=True)
            self.assertTrue((self.folder / f"{one}/head_default.skin").exists())
            self.assertTrue((self.folder / f"{one}/models/players/manikin/body.tga").exists())
            self.empty_scene()
            self.load(self.folder / f"{one}/lower.{extension}", character=True)
            self.save(self.folder / f"{two}/lower.{extension}", player=True)
            self.assertNotRegex(self.log(), "named like|Team Arena")
            self.assertEqual(self.rows(two), self.rows(one))
            for part in "lower", "upper", "head":
                # The head of a player of Elite Force is an MD3.
                name = f"{part}.{'md3' if part == 'head' else extension}"
                before, after = (info(self.folder / folder / name) for folder in (one, two))
                self.assertEqual(after["surfaces"][0]["materials"], before["surfaces"][0]["materials"])
                self.assertEqual({tag["name"] for tag in after["tags"]}, {tag["name"] for tag in before["tags"]})
                self.assertEqual(after["frames"], before["frames"])
                self.assertLessEqual(len(after["joints"]), len(before["joints"]))

    def test_collections_divide_a_player(self):
        self.make_manikin()
        scene = bpy.context.scene
        parts = {"l": "lower", "u": "upper", "h": "head"}
        collections = {name: bpy.data.collections.new(name) for name in parts.values()}
        for collection in collections.values():
            scene.collection.children.link(collection)
        for number, one in enumerate([one for one in bpy.data.objects if one.type == "MESH"]):
            collections[parts[one.name[0]]].objects.link(one)
            one.name = f"part {number}"
        self.save(self.folder / "lower.md3", player=True)
        surfaces = {part: len(info(self.folder / f"{part}.md3")["surfaces"]) for part in parts.values()}
        self.assertEqual(surfaces, {"lower": 1, "upper": 2, "head": 1})

    def test_forward_turns_the_model(self):
        self.make_manikin()
        self.save(self.folder / "front.md3", fps=15)
        self.save(self.folder / "side.md3", fps=15, forward="+x")
        front, side = (info(self.folder / name)["bounds"] for name in ("front.md3", "side.md3"))
        # The left side of the manikin, Blender's X, becomes forward.
        self.assertAlmostEqual(front["max"][1], side["max"][0], delta=0.05)

    def test_selected_objects_keep_their_tags(self):
        self.load(SAMPLE / "umber.md3")
        for one in bpy.data.objects:
            one.select_set(one.name in {"head", "tag_weapon"})
        self.save(self.folder / "part.md3", content="SELECTED")
        self.assertEqual({one.name for one in bpy.context.selected_objects}, {"head", "tag_weapon"})
        facts, original = info(self.folder / "part.md3"), info(SAMPLE / "umber.md3")
        self.assertEqual([surface["name"] for surface in facts["surfaces"]], ["head"])
        self.assertEqual([tag["name"] for tag in facts["tags"]], ["tag_weapon"])
        expected = next(tag for tag in original["tags"] if tag["name"] == "tag_weapon")
        numpy.testing.assert_allclose(facts["tags"][0]["axis"], expected["axis"], atol=2e-3)

    def test_numbers_that_blender_adds_to_names_are_removed(self):
        self.load(SAMPLE / "umber.md3")
        for one in bpy.data.objects:
            one.select_set(False)
        self.load(SAMPLE / "umber.md3")
        self.assertIn("head.001", bpy.data.objects)
        # The second model is still selected.
        self.save(self.folder / "second.md3", content="SELECTED")
        facts, original = info(self.folder / "second.md3"), info(SAMPLE / "umber.md3")
        for kind in "surfaces", "tags":
            names = [item["name"] for item in original[kind] if not item.get("lod")]
            self.assertEqual([item["name"] for item in facts[kind]], names)
        self.assertEqual(list(clips(facts)), list(clips(original)))

    def test_longer_clips_keep_all_frames(self):
        self.load(SAMPLE / "umber.md5mesh")
        action = bpy.data.actions["run"]
        armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
        armature.animation_data.action = action
        if IS_SLOTTED:
            armature.animation_data.action_slot = action.slots[0]
        bpy.context.scene.frame_set(16)
        armature.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=29)
        self.save(self.folder / "umber.md5mesh")
        found = clips(info(self.folder / "umber.md5mesh"))
        self.assertEqual((found["run"]["frames"], found["run"]["fps"]), (30, 24))
        self.assertEqual(found["idle"]["frames"], 73)

    def test_listed_clips_of_an_imported_model_change_their_order(self):
        self.load(SAMPLE / "umber.md3")
        self.save(self.folder / "umber.md3", ranges="run, idle")
        found = clips(info(self.folder / "umber.md3"))
        self.assertEqual(
            {name: (clip["first"], clip["frames"]) for name, clip in found.items()}, {"run": (0, 8), "idle": (8, 24)}
        )
        for frame in 0, 7:
            vertices = vertices_of(self.folder / "umber.md3", self.folder, "--frame", frame)
            expected = vertices_of(SAMPLE / "umber.md3", self.folder, "--animation", "run", "--frame", frame)
            for name, points in expected.items():
                numpy.testing.assert_allclose(vertices[name], points, atol=0.02)

    def test_renamed_materials_are_exported(self):
        self.load(SAMPLE / "umber.md3")
        bpy.data.materials[0].name = "models/players/other/skin"
        self.save(self.folder / "umber.md3")
        names = {name for surface in info(self.folder / "umber.md3")["surfaces"] for name in surface["materials"]}
        self.assertEqual(names, {"models/players/other/skin"})

    def test_animation_files_are_replaced_on_request(self):
        self.load(SAMPLE / "umber.md5mesh")
        copy = self.folder / "umber.md5mesh"
        self.save(copy)
        animation = self.folder / "run.md5anim"
        animation.write_text("earlier")
        self.save(copy)
        self.assertRegex(
            self.log(), "idle.md5anim, run.md5anim, wave.md5anim exist and were not replaced; .*Replace Files"
        )
        self.assertEqual(animation.read_text(), "earlier")
        self.save(copy, overwrite=True)
        self.assertNotEqual(animation.read_text(), "earlier")

    def test_losses_and_findings_are_reported(self):
        self.load(SAMPLE / "umber.md3")
        self.save(self.folder / "umber.md2")
        self.assertRegex(self.log(), "tags?")
        self.save(self.folder / "umber.md3", profile="quake3")
        self.assertRegex(self.log(), "(?m)^(note|warning|error): ")

    def test_temporary_files_are_removed(self):
        self.load(SAMPLE / "umber.md3")
        with unittest.mock.patch("tempfile.tempdir", str(self.folder)):
            self.save(self.folder / "out.mdc")
            with self.assertRaises(RuntimeError):
                self.save(self.folder / "missing/out.mdc")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"out.mdc", "animation.cfg"})


def main():
    # Blender itself passes its own arguments before “--”; the bpy package has no program.
    own = sys.argv.index("--") + 1 if "--" in sys.argv else len(sys.argv) if bpy.app.binary_path else 1
    print("Blender", bpy.app.version_string, flush=True)
    result = unittest.main(argv=["test.py", *sys.argv[own:]], verbosity=2, exit=False).result
    sys.stdout.flush()
    # The bpy package 4.2 may crash at the end of a program that used glTF.
    os._exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
