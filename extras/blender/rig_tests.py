"""Tests of the exported skeletons: constraints, poses, mirrored and scaled armatures, and tags."""

import math

import bpy
import numpy
from mathutils import Matrix, Vector

from scenes import SceneTest, add, add_character, add_column, add_rig, bind, key, swing, volume
from testing import in_game, info, vertices_of


class RigTest(SceneTest):
    def test_hidden_armature_still_deforms(self):
        rig, _ = add_character()
        swing(rig, "run")
        rig.hide_set(True)
        self.save(self.folder / "x.iqm")
        self.check_clip(self.folder / "x.iqm", "run", bpy.data.actions["run"], rig)

    def test_keyed_shape_key_of_a_skinned_mesh_is_a_loss_for_joints(self):
        rig, column = add_character()
        swing(rig, "run")
        column.shape_key_add(name="Basis")
        column.shape_key_add(name="wide").data[0].co.x = -0.6
        key(column.data.shape_keys, 'key_blocks["wide"].value', {1: 0.0, 9: 1.0}, "run_keys")
        for holder, action in ((rig, "run"), (column.data.shape_keys, "run_keys")):
            track = holder.animation_data.nla_tracks.new()
            track.name = "run"
            track.strips.new("run", 1, bpy.data.actions[action])
        self.save(self.folder / "x.md3")
        self.check_clip(self.folder / "x.md3", "run", bpy.data.actions["run"], rig)
        self.save(self.folder / "x.iqm")
        self.assertEqual(info(self.folder / "x.iqm")["joints"][0]["name"], "lower")
        # 0.5 m are 19.7 units.
        self.assertRegex(self.log(), "“column” moves up to 19.7 units differently than in Blender.*shape keys")
        message = next(each for each in bpy.context.window_manager.maquette_report.messages if "19.7" in each.text)
        self.assertEqual((message.level, message.object), ("WARNING", "column"))

    def test_posed_armature_without_action_is_exported_as_posed(self):
        rig, _ = add_character()
        rig.pose.bones["upper"].rotation_euler.x = 1
        bpy.context.view_layer.update()
        for extension in "md3", "iqm":
            self.save(self.folder / f"x.{extension}")
            self.check_frame(self.folder / f"x.{extension}")

    def test_armature_moved_by_an_empty_moves(self):
        rig, _ = add_character()
        target = add("target", location=(0, 0.3, 1.0))
        constraint = rig.pose.bones["upper"].constraints.new("IK")
        constraint.target, constraint.chain_count = target, 2
        key(target, "location", {1: (0, 0.3, 1.0), 9: (0.6, 0.3, 0.4)}, "kick")
        for extension in "md3", "iqm":
            self.save(self.folder / f"x.{extension}")
            self.check_clip(self.folder / f"x.{extension}", "kick", bpy.data.actions["kick"], target)

    def test_deforming_bones_of_rigify_are_one_skeleton(self):
        rig = add_rig("rig", ("ORG-hips", "ORG-chest"))
        bpy.ops.object.mode_set(mode="EDIT")
        for name in "chest", "hips":
            bone = rig.data.edit_bones.new(f"DEF-{name}")
            bone.parent = rig.data.edit_bones[f"ORG-{name}"]
            bone.head, bone.tail = bone.parent.head, bone.parent.tail
        bpy.ops.object.mode_set(mode="OBJECT")
        column = add_column()
        bind(column, rig)
        for name in "hips", "chest":
            rig.data.bones[f"ORG-{name}"].use_deform = False
        swing(rig, "run", bone="ORG-chest")
        widget = add_column("widget")
        rig.pose.bones["ORG-hips"].custom_shape = widget
        widget.hide_set(True)
        self.save(self.folder / "x.iqm", deform_bones=True)
        joints = info(self.folder / "x.iqm")["joints"]
        self.assertEqual([(joint["name"], joint["parent"]) for joint in joints], [("DEF-hips", -1), ("DEF-chest", 0)])
        self.assertNotIn("widget", self.log())
        self.check_clip(self.folder / "x.iqm", "run", bpy.data.actions["run"], rig)

    def test_constraints_and_drivers_are_evaluated(self):
        rig, column = add_character()
        swing(rig, "run")
        pointer = add_column("pointer")
        pointer.constraints.new("COPY_ROTATION").target = rig
        pointer.constraints[0].subtarget = "upper"
        driver = pointer.driver_add("location", 0).driver
        driver.type = "SCRIPTED"
        variable = driver.variables.new()
        variable.name, variable.type = "turn", "TRANSFORMS"
        variable.targets[0].id, variable.targets[0].bone_target = rig, "upper"
        variable.targets[0].transform_type = "ROT_X"
        driver.expression = "turn + 1"
        for extension in "md3", "iqm":
            self.save(self.folder / f"x.{extension}")
            self.check_clip(self.folder / f"x.{extension}", "run", bpy.data.actions["run"], rig)
        self.assertEqual(column.name, "column")

    def test_tag_bones_point_up_or_forward(self):
        rig = add_rig(bones=("tag_up", "other"))
        bind(add_column(), rig)
        self.save(self.folder / "x.md3")
        numpy.testing.assert_allclose(info(self.folder / "x.md3")["tags"][0]["axis"], numpy.eye(3), atol=1e-3)
        self.save(self.folder / "y.md3", pointing_tags=True)
        axes = info(self.folder / "y.md3")["tags"][0]["axis"]
        bone = rig.data.bones["tag_up"].matrix_local
        numpy.testing.assert_allclose(axes[0], in_game(Vector(bone.col[1].xyz) * 0.0254)[0], atol=1e-3)
        numpy.testing.assert_allclose(axes[2], in_game(Vector(bone.col[2].xyz) * 0.0254)[0], atol=1e-3)

    def test_tag_rides_on_its_bone(self):
        rig, _ = add_character()
        swing(rig, "run")
        tag = add("tag_hand", None, rig, parent_type="BONE", parent_bone="upper")
        for extension in "md3", "iqm":
            path = self.folder / f"x.{extension}"
            self.save(path)
            rig.animation_data.action = bpy.data.actions["run"]
            for frame in 0, 8:
                bpy.context.scene.frame_set(1 + frame)
                facts = info(path, "--animation", "run", "--frame", frame)
                origin = facts["tags"][0]["origin"] if extension == "md3" else None
                if origin:
                    numpy.testing.assert_allclose(origin, in_game(tag.matrix_world.translation)[0], atol=0.02)

    def test_tag_of_a_rig_in_centimetres_is_one_joint(self):
        rig, column = add_character()
        for data in rig.data, column.data:
            data.transform(Matrix.Scale(100, 4) @ Matrix.Rotation(-math.pi / 2, 4, "X"))
        rig.scale, rig.rotation_euler.x = (0.01, 0.01, 0.01), math.pi / 2
        bpy.context.view_layer.update()
        tag = add("tag_hand", None, rig, parent_type="BONE", parent_bone="upper")
        bpy.context.view_layer.update()
        tag.matrix_world = Matrix.Translation((0.123, 0.456, 0.789))
        swing(rig, "run")
        for extension in "iqm", "md5mesh":
            self.save(self.folder / f"x.{extension}")
            facts = info(self.folder / f"x.{extension}", "--animation", "run", "--frame", 0)
            self.assertEqual([one["name"] for one in facts["joints"]], ["lower", "upper", "tag_hand"])
            rotation = facts["joints"][2]["rotation"]
            numpy.testing.assert_allclose(numpy.abs(rotation), (0, 0, 0, 1), atol=1e-3)

    def test_armature_that_deforms_nothing_gives_no_joints(self):
        rig, _ = add_character()
        add_rig("metarig")
        swing(rig, "run")
        self.save(self.folder / "x.iqm")
        self.assertEqual([joint["name"] for joint in info(self.folder / "x.iqm")["joints"]], ["lower", "upper"])
        self.assertNotIn("named like", self.log())

    def test_deviation_of_an_unevenly_scaled_armature_is_reported(self):
        rig, _ = add_character()
        swing(rig, "run")
        rig.scale = 1, 2, 0.7
        self.save(self.folder / "x.md5mesh")
        messages = bpy.context.window_manager.maquette_report.messages
        message = next(each for each in messages if each.text.startswith("positions of the model differ from Blender"))
        self.assertRegex(message.text, r"by up to [\d.]+ units in frame \d+ of “column”")
        self.assertEqual((message.level, message.object), ("WARNING", "column"))

    def test_unevenly_scaled_armature_is_exact_in_a_format_with_scales(self):
        rig, _ = add_character()
        swing(rig, "run")
        rig.scale = 1, 2, 0.7
        rig.rotation_euler = 0.3, 0.2, 0.1
        self.save(self.folder / "x.iqm")
        self.check_clip(self.folder / "x.iqm", "run", bpy.data.actions["run"], rig)
        self.assertNotRegex(self.log(), "shear|differ from Blender")

    def test_bones_that_an_imported_clip_does_not_move_keep_their_pose(self):
        rig, _ = add_character()
        swing(rig, "run", bone="lower")
        key(rig, 'pose.bones["upper"].rotation_euler', {1: 0.5, 9: 0.5}, None, 0)
        self.save(self.folder / "x.iqm")
        self.empty_scene()
        self.load(self.folder / "x.iqm")
        self.save(self.folder / "y.iqm")
        for frame in 0, 4, 8:
            one, other = (
                vertices_of(self.folder / name, self.folder, "--animation", "run", "--frame", frame)["column"]
                for name in ("x.iqm", "y.iqm")
            )
            numpy.testing.assert_allclose(other, one, atol=0.005)

    def test_objects_below_imported_bones_stay_in_place(self):
        from maquette import bones

        rig = add_rig()
        tag = add("tag_hand", None, rig, parent_type="BONE", parent_bone="upper", location=(0.1, 0.2, 0.3))
        bpy.context.view_layer.update()
        before, length = tag.matrix_world.translation.copy(), rig.data.bones["upper"].length
        bones.finish(bpy.context, [rig], None, is_along_chain=False)
        bpy.context.view_layer.update()
        self.assertNotAlmostEqual(rig.data.bones["upper"].length, length)
        numpy.testing.assert_allclose(tag.matrix_world.translation, before, atol=1e-6)

    def test_mirrored_armature_keeps_its_outside(self):
        rig, column = add_character()
        swing(rig, "run")
        rig.scale.x = -1
        bpy.context.view_layer.update()
        for extension in "md3", "iqm":
            path = self.folder / f"x.{extension}"
            self.save(path)
            self.check_clip(path, "run", bpy.data.actions["run"], rig)
            bpy.context.scene.frame_set(1)
            self.assertNotRegex(self.log(), "inside")
            self.assertGreater(volume(path, self.folder), 0)
        # MD5 stores neither scale nor mirroring, so the joints are rotations.
        self.save(self.folder / "x.md5mesh")
        self.assertNotRegex(self.log(), "differ|scale|mirror")
        self.assertGreater(volume(self.folder / "x.md5mesh", self.folder), 0)
        self.assertEqual(column.parent, rig)

    def test_unweighted_vertices_stay_with_the_armature(self):
        rig, column = add_character()
        for group in column.vertex_groups:
            group.remove([0])
        swing(rig, "run")
        self.save(self.folder / "x.iqm")
        self.check_clip(self.folder / "x.iqm", "run", bpy.data.actions["run"], rig)
