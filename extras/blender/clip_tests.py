"""Tests of the exported clips: actions, the timeline, rates and loops."""

import re
import struct
import unittest

import bpy

from scenes import SceneTest, add, add_character, add_column, add_rig, bind, key, swing
from testing import IS_SLOTTED, clips, info


class ClipTest(SceneTest):
    def test_all_actions_of_every_armature_are_clips(self):
        for number in range(2):
            rig = add_rig(f"rig{number}")
            column = add_column(f"column{number}")
            bind(column, rig)
            rig.location.y = number
            swing(rig, f"run{number}")
            if IS_SLOTTED:
                slot = rig.animation_data.action_slot
                self.assertEqual(slot.name_display, rig.name)
            swing(rig, f"idle{number}", angle=-0.5)
        self.save(self.folder / "x.iqm")
        self.assertEqual(set(clips(info(self.folder / "x.iqm"))), {"run0", "idle0", "run1", "idle1"})
        names = [joint["name"] for joint in info(self.folder / "x.iqm")["joints"]]
        self.assertEqual(names, ["lower", "upper", "rig1.lower", "rig1.upper"])
        self.assertIn("2 bones of “rig1” are named like bones of another armature", self.log())

    @unittest.skipUnless(IS_SLOTTED, "actions have no slots")
    def test_action_with_a_slot_for_an_armature_is_a_clip_without_curves_for_bones(self):
        rig, _ = add_character()
        key(rig, "location", {1: 0.0, 9: 1.0}, "slide", 0)
        swing(rig, "run")
        self.save(self.folder / "x.iqm")
        self.assertEqual(set(clips(info(self.folder / "x.iqm"))), {"slide", "run"})

    def test_actions_of_the_data_of_an_object_are_clips(self):
        path = bpy.data.curves.new("path", "CURVE")
        path.splines.new("POLY").points.add(1)
        path.splines[0].points[1].co = (0, 2, 0, 1)
        path.use_path = True
        column = add_column()
        column.constraints.new("FOLLOW_PATH").target = add("path", path)
        key(path, "eval_time", {1: 0.0, 9: 100.0}, "drive")
        self.save(self.folder / "x.md3")
        self.check_clip(self.folder / "x.md3", "drive", bpy.data.actions["drive"], path)

    @unittest.skipUnless(IS_SLOTTED, "actions have no slots")
    def test_slots_of_one_action_are_one_clip(self):
        rigs = []
        action = bpy.data.actions.new("both")
        for number in range(2):
            rig = add_rig(f"rig{number}", (f"low{number}", f"high{number}"))
            bind(add_column(f"column{number}"), rig)
            rig.location.y = number
            rig.animation_data_create().action = action
            key(rig, f'pose.bones["high{number}"].rotation_euler', {1: 0.0, 9: 1.0 + number}, index=0)
            rigs.append(rig)
        self.assertEqual(len(action.slots), 2)
        self.save(self.folder / "x.iqm")
        self.assertEqual(set(clips(info(self.folder / "x.iqm"))), {"both"})
        for frame in 0, 8:
            bpy.context.scene.frame_set(1 + frame)
            self.check_frame(self.folder / "x.iqm", "both", frame)

    def test_clips_are_listed_for_engines(self):
        rig, _ = add_character()
        for name in "idle", "run":
            swing(rig, name)
        # DarkPlaces, Mod_FrameGroupify_ParseGroups: first frame, number of frames, frames per second, loop.
        self.save(self.folder / "x.iqm", clip_list="FRAMEGROUPS")
        lines = (self.folder / "x.iqm.framegroups").read_text().splitlines()
        self.assertEqual([line.rsplit(" ", 3)[0] for line in lines[1:]], ["0 9 24", "9 9 24"])
        self.assertEqual([line.rsplit(" ", 1)[1] for line in lines[1:]], ["idle", "run"])
        model = self.folder / "models/x/x.md3"
        model.parent.mkdir(parents=True)
        self.save(model, clip_list="MODELDEF")
        text = (self.folder / "modeldef.x.txt").read_text()
        frames = 'FrameIndex "XXX0" "A" 0 0', 'FrameIndex "XXX0" "R" 0 17'
        for line in 'Path "models/x"', 'Model 0 "x.md3"', "// run", *frames:
            self.assertIn(f"    {line}\n", text)
        (self.folder / "modeldef.x.txt").write_text("mine")
        self.save(model, clip_list="MODELDEF")
        self.assertEqual((self.folder / "modeldef.x.txt").read_text(), "mine")
        self.assertIn("modeldef.x.txt exists and was not replaced", self.log())

    def test_sprite_frames_have_letters_up_to_z(self):
        from maquette import lists

        model, text = self.folder / "x.md3", self.folder / "modeldef.x.txt"
        key(add_column(), "location", {1: (0, 0, 0), 30: (1, 0, 0)}, "fly")
        self.save(model, clip_list="MODELDEF")
        found = re.findall(r'FrameIndex "(.*)" "(.*)" 0 (\d+)', text.read_text())
        self.assertEqual(found[25:28], [("XXX0", "Z", "25"), ("XXX1", "A", "26"), ("XXX1", "B", "27")])
        self.assertEqual((len(found), len({frame[:2] for frame in found})), (30, 30))
        text.unlink()
        text.mkdir()
        self.save(model, clip_list="MODELDEF", overwrite=True)
        self.assertRegex(self.log(), "the list of clips was not written: .*modeldef.x.txt: ")
        with self.assertRaisesRegex(lists.program.MaquetteError, "up to 936 frames; the model has 937"):
            lists.model_definition(model, {"animations": [], "frames": 937, "surfaces": []})

    def test_timeline_has_evaluated_meshes_and_clips_from_markers(self):
        column = add_column()
        bend = column.modifiers.new("Bend", "SIMPLE_DEFORM")
        bend.deform_method = "BEND"
        key(column, 'modifiers["Bend"].angle', {1: 0.0, 20: 1.5})
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, 20
        scene.timeline_markers.new("bend", frame=1)
        scene.timeline_markers.new("back", frame=13)
        self.save(self.folder / "x.md3", animation="TIMELINE")
        found = {name: (clip["first"], clip["frames"]) for name, clip in clips(info(self.folder / "x.md3")).items()}
        self.assertEqual(found, {"bend": (0, 12), "back": (12, 8)})
        for clip, start, frame in (("bend", 1, 0), ("bend", 1, 11), ("back", 13, 4)):
            scene.frame_set(start + frame)
            self.check_frame(self.folder / "x.md3", clip, frame)
        self.save(self.folder / "y.iqm", animation="TIMELINE")
        self.assertRegex(self.log(), "“column” moves up to .* modifier “Bend”")

    def test_timeline_is_divided_by_named_ranges(self):
        column = add_column()
        key(column, "location", {1: (0, 0, 0), 20: (1, 0, 0)})
        self.save(self.folder / "x.iqm", animation="TIMELINE", ranges="in:1:10, out:11:20:12")
        found = {name: (clip["frames"], clip["fps"]) for name, clip in clips(info(self.folder / "x.iqm")).items()}
        self.assertEqual(found, {"in": (10, 24), "out": (10, 12)})
        for ranges, reason in (("in:5", "expected name:start:end"), ("in:9:1", "end must not be before")):
            with self.assertRaisesRegex(RuntimeError, reason):
                self.save(self.folder / "x.iqm", animation="TIMELINE", ranges=ranges)

    def test_order_of_clips_does_not_depend_on_the_active_action(self):
        rig, _ = add_character()
        for name in "walk", "attack", "idle", "death":
            swing(rig, name)
        for name in "death", "walk":
            track = rig.animation_data.nla_tracks.new()
            track.strips.new(name, 1, bpy.data.actions[name])
            track.name, track.mute = name, True
        for active in "attack", "idle", "walk":
            rig.animation_data.action = bpy.data.actions[active]
            self.save(self.folder / "x.iqm")
            # The upper track comes first.
            self.assertEqual(list(clips(info(self.folder / "x.iqm"))), ["walk", "death", "attack", "idle"], active)

    def test_listed_actions_are_exported_in_their_order(self):
        rig, _ = add_character()
        for name in "walk", "idle", "mixamo:run", "death":
            swing(rig, name)
        self.save(self.folder / "x.iqm", ranges="mixamo:run, walk, idle:3:6, death:1:2:12")
        found = {name: (clip["frames"], clip["fps"]) for name, clip in clips(info(self.folder / "x.iqm")).items()}
        expected = {"mixamo:run": (9, 24), "walk": (9, 24), "idle": (4, 24), "death": (2, 12)}
        self.assertEqual(list(found.items()), list(expected.items()))
        self.save(self.folder / "y.iqm", ranges="walk::::1, death:1:4::0, idle:::10")
        found = {
            name: (clip["frames"], clip["fps"], clip["loops"])
            for name, clip in clips(info(self.folder / "y.iqm")).items()
        }
        self.assertEqual(found, {"walk": (9, 24, True), "death": (4, 24, False), "idle": (9, 10, False)})
        rig.animation_data.action = bpy.data.actions["idle"]
        if IS_SLOTTED:
            rig.animation_data.action_slot = bpy.data.actions["idle"].slots[0]
        bpy.context.scene.frame_set(6)
        self.check_frame(self.folder / "x.iqm", "idle", 3)
        with self.assertRaisesRegex(RuntimeError, "there is no clip “jump”; available: death, idle, mixamo:run, walk"):
            self.save(self.folder / "x.iqm", ranges="jump:1:2")
        with self.assertRaisesRegex(RuntimeError, "range “idle:1:2:24:2”: expected name:start:end"):
            self.save(self.folder / "x.iqm", ranges="idle:1:2:24:2")

    def test_clips_that_move_nothing_are_left_out(self):
        rig, _ = add_character()
        swing(rig, "run")
        key(add("tool"), "location", {1: (0, 0, 0), 10: (1, 0, 0)}, "tool action")
        key(add_column("static"), "location", {1: (0, 0, 0)}, "static action")
        self.save(self.folder / "x.md3")
        self.assertEqual(set(clips(info(self.folder / "x.md3"))), {"run"})
        self.assertRegex(self.log(), "not a clip.*static action, tool action")
        # A still pose of an armature is a clip.
        swing(rig, "still", last=1)
        self.save(self.folder / "x.md3", overwrite=True)
        self.assertEqual(set(clips(info(self.folder / "x.md3"))), {"run", "still"})

    def test_clip_without_motion_keeps_its_frames_and_loop(self):
        rig, _ = add_character()
        swing(rig, "run")
        swing(rig, "still", 1, 3, 0.0)
        bpy.data.actions["still"]["loopFrames"] = 3
        self.save(self.folder / "x.md3")
        self.empty_scene()
        self.load(self.folder / "x.md3")
        self.save(self.folder / "y.md3")
        for name in "x.md3", "y.md3":
            found = clips(info(self.folder / name))["still"]
            self.assertEqual((found["frames"], found["loop_frames"]), (3, 3), name)

    def test_frames_of_the_scene_are_frames_of_the_game(self):
        bpy.context.scene.render.fps = 30
        rig, _ = add_character()
        swing(rig, "run", 4, 20)
        for extension, rate in (("mdl", 10), ("md2", 10), ("md3", 30), ("iqm", 30)):
            self.save(self.folder / f"x.{extension}")
            found = clips(info(self.folder / f"x.{extension}"))["run"]
            self.assertEqual((found["frames"], found["fps"]), (17, rate), extension)

    def test_resampling_does_not_depend_on_the_start(self):
        rig, _ = add_character()
        for start in 0, 1, 2, 3, 10, 17, 100:
            # 20 frames at 24 are 12.5 steps at 15; a half is rounded up.
            swing(rig, f"at{start}", start, start + 20)
        self.save(self.folder / "x.iqm", fps=15)
        found = {(clip["frames"], clip["fps"]) for clip in clips(info(self.folder / "x.iqm")).values()}
        self.assertEqual(found, {(14, 15)})

    def test_actions_become_frame_groups(self):
        rig, _ = add_character()
        swing(rig, "burn")
        bpy.data.actions["burn"]["frameGroup"] = 1
        self.save(self.folder / "x.mdl")
        data = (self.folder / "x.mdl").read_bytes()
        # In `model.h`, the header counts a group as one frame.
        self.assertEqual(struct.unpack_from("<i", data, 68)[0], 1)
        self.assertEqual(clips(info(self.folder / "x.mdl"))["burn"]["frames"], 9)

    def test_cyclic_actions_loop_without_their_last_frame(self):
        rig, _ = add_character()
        key(rig, 'pose.bones["upper"].rotation_euler', {1: 0.0, 5: 1.0, 9: 0.0}, "run", 0)
        action = bpy.data.actions["run"]
        action.use_frame_range = action.use_cyclic = True
        action.frame_start, action.frame_end = 1, 9
        self.save(self.folder / "x.md3")
        found = clips(info(self.folder / "x.md3"))["run"]
        self.assertEqual((found["frames"], found["loop_frames"]), (8, 8))
        action.use_cyclic = False
        self.save(self.folder / "x.md3", overwrite=True)
        found = clips(info(self.folder / "x.md3"))["run"]
        self.assertEqual((found["frames"], found["loop_frames"]), (9, 0))

    def test_loop_that_clips_state_ends_before_the_copy_of_its_first_frame(self):
        rig, _ = add_character()
        key(rig, 'pose.bones["upper"].rotation_euler', {1: 0.0, 5: 1.0, 9: 0.0}, "run", 0)
        for number, (ranges, expected) in enumerate((("run::::1", (8, 8)), ("run::::0", (9, 0)))):
            path = self.folder / f"{number}/x.md3"
            path.parent.mkdir()
            self.save(path, ranges=ranges)
            found = clips(info(path))["run"]
            self.assertEqual((found["frames"], found["loop_frames"]), expected)
            self.assertEqual(info(path)["frames"], 9)
            self.assertNotIn("clips that loop", self.log())
        # Doom 3 takes the last frame of a loop for a copy of the first.
        self.save(self.folder / "x.md5mesh", ranges="run::::1")
        self.assertEqual(clips(info(self.folder / "x.md5mesh"))["run"]["frames"], 9)

    def test_clips_between_markers_are_clips_of_their_action(self):
        rig, _ = add_character()
        swing(rig, "run")
        swing(rig, "walk", 1, 5, 0.5)
        self.save(self.folder / "x.md3")
        expected = {name: clip["frames"] for name, clip in clips(info(self.folder / "x.md3")).items()}
        self.empty_scene()
        for _ in range(2):
            for one in list(bpy.data.objects):
                bpy.data.objects.remove(one)
            self.load(self.folder / "x.md3", clips="MARKERS")
        self.assertEqual([marker.name for marker in bpy.context.scene.timeline_markers], list(expected))
        self.save(self.folder / "y.md3", overwrite=True)
        found = {name: clip["frames"] for name, clip in clips(info(self.folder / "y.md3")).items()}
        self.assertEqual(found, expected)
        # The clips of another model follow.
        self.load(self.folder / "x.md3", clips="MARKERS")
        markers = [(marker.name, marker.frame) for marker in bpy.context.scene.timeline_markers]
        self.assertEqual(markers, [("run", 0), ("walk", 9), ("run.001", 14), ("walk.001", 23)])
        bpy.context.scene["importedClips"]["run"]["framesPerSecond"] = 12.0
        (self.folder / "both").mkdir()
        self.save(self.folder / "both/x.md3")
        found = {name: (clip["frames"], clip["fps"]) for name, clip in clips(info(self.folder / "both/x.md3")).items()}
        self.assertEqual(found, {"run": (9, 12), "walk": (5, 24), "run.001": (9, 24), "walk.001": (5, 24)})

    def test_frames_of_an_md5_are_those_of_the_scene(self):
        rig, _ = add_character()
        # The step from the last frame to the first is like the others, as in a loop.
        key(rig, 'pose.bones["upper"].rotation_euler', {frame: frame * 1.5708 for frame in range(4)}, "turn", 0)
        self.save(self.folder / "x.md5mesh")
        self.assertEqual(clips(info(self.folder / "x.md5mesh"))["turn"]["frames"], 4)
        self.save(self.folder / "x.md5mesh", ranges="turn::::1", overwrite=True)
        self.assertEqual(clips(info(self.folder / "x.md5mesh"))["turn"]["frames"], 5)
        action = bpy.data.actions["turn"]
        action.use_frame_range = action.use_cyclic = True
        action.frame_start, action.frame_end = 0, 3
        self.save(self.folder / "x.md5mesh", overwrite=True)
        self.assertEqual(clips(info(self.folder / "x.md5mesh"))["turn"]["frames"], 4)
