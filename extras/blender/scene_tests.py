"""Tests of the export with scenes that Blender evaluates: each game frame is what Blender shows."""

import struct
import unittest
import unittest.mock

import bpy
import numpy
from mathutils import Vector

from testing import IS_SLOTTED, AddonTest, clips, in_game, info, posed_vertices, vertices_of

# Largest distances in game units: MD3 has a grid of 1/64, IQM stores numbers of 32 bits.
RESOLUTION = {"md3": 0.03, "iqm": 0.005}


def add(name, data=None, parent=None, **values):
    one = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(one)
    one.parent = parent
    for key, value in values.items():
        setattr(one, key, value)
    return one


def add_column(name="column", height=1.0, parent=None):
    """Adds a column of four rings."""
    points, faces = [], []
    for ring in range(4):
        for x, y in ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.15), (-0.1, 0.1)):
            points.append((x, y, height * ring / 3))
    for ring in range(3):
        for side in range(4):
            low, next_low = 4 * ring + side, 4 * ring + (side + 1) % 4
            faces.append((low, next_low, next_low + 4, low + 4))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], [*faces, (3, 2, 1, 0), (12, 13, 14, 15)])
    mesh.uv_layers.new()
    return add(name, mesh, parent)


def add_rig(name="rig", bones=("lower", "upper"), parent=None):
    """Adds an armature of two bones."""
    rig = add(name, bpy.data.armatures.new(name), parent)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for index, bone in enumerate(bones):
        edited = rig.data.edit_bones.new(bone)
        edited.head, edited.tail = (0, 0, index / 2), (0, 0, (index + 1) / 2)
        edited.parent, above = above, edited
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
    return rig


def bind(one, rig):
    one.parent = rig
    one.modifiers.new("Armature", "ARMATURE").object = rig
    for bone in rig.data.bones:
        group = one.vertex_groups.new(name=bone.name)
        for vertex in one.data.vertices:
            height = vertex.co.z
            upper = min(1, max(0, 3 * height - 1))
            group.add([vertex.index], upper if bone.head_local.z > 0 else 1 - upper, "REPLACE")


def add_character():
    rig = add_rig()
    column = add_column()
    bind(column, rig)
    return rig, column


def key(holder, path, values, action=None, index=-1):
    """Keys a property at frames. A new action keeps the keys of another one."""
    if action:
        holder.animation_data_create()
        holder.animation_data.action = bpy.data.actions.new(action)
        holder.animation_data.action.use_fake_user = True
    for frame, value in values.items():
        owner, _, name = path.rpartition(".")
        target = holder.path_resolve(owner) if owner else holder
        if index >= 0:
            getattr(target, name)[index] = value
        else:
            setattr(target, name, value)
        target.keyframe_insert(name, index=index, frame=frame)


def swing(rig, action, first=1, last=9, angle=1.0, bone="upper"):
    key(rig, f'pose.bones["{bone}"].rotation_euler', {first: 0.0, last: angle}, action, 0)


class SceneTest(AddonTest):
    def setUp(self):
        super().setUp()
        bpy.context.scene.render.fps = 24

    def check_frame(self, path, clip=None, frame=0):
        """Compares a game frame with what Blender shows now."""
        choice = ["--animation", clip, "--frame", frame] if clip else []
        if path.suffix == ".md3":
            model = md3_vertices(path, frame + (clips(info(path))[clip]["first"] if clip else 0))
        else:
            model = numpy.concatenate(list(vertices_of(path, self.folder, *choice).values()))
        shown = posed_vertices()
        shown = numpy.concatenate(
            [vertices for name, vertices in shown.items() if bpy.data.objects[name].visible_get()]
        )
        gaps = numpy.linalg.norm(model[:, None] - shown[None], axis=2)
        self.assertLess(max(gaps.min(axis=0).max(), gaps.min(axis=1).max()), RESOLUTION[path.suffix[1:]])

    def check_clip(self, path, clip, action, holder, start=1, frames=9):
        """Compares some frames of a clip with what Blender shows while the action plays."""
        found = clips(info(path))[clip]
        self.assertEqual((found["frames"], found["fps"]), (frames, 24))
        holder.animation_data.action = action
        if IS_SLOTTED:
            holder.animation_data.action_slot = action.slots[0]
        for frame in 0, frames // 2, frames - 1:
            bpy.context.scene.frame_set(start + frame)
            self.check_frame(path, clip, frame)

    def surfaces(self, path):
        return {surface["name"] for surface in info(path)["surfaces"]}

    def test_hidden_objects_are_left_out_and_named(self):
        shown, eye, viewport, render, excluded, hidden = (
            add_column(name) for name in ("shown", "eye", "viewport", "render", "excluded", "hidden")
        )
        scene = bpy.context.scene
        for one, name in ((excluded, "out"), (hidden, "off")):
            collection = bpy.data.collections.new(name)
            scene.collection.children.link(collection)
            collection.objects.link(one)
            scene.collection.objects.unlink(one)
        eye.hide_set(True)
        viewport.hide_viewport = render.hide_render = True
        layers = bpy.context.view_layer.layer_collection.children
        layers["out"].exclude = True
        layers["off"].hide_viewport = True
        add("tag_eye").hide_set(True)
        self.save(self.folder / "x.md3")
        self.assertEqual(self.surfaces(self.folder / "x.md3"), {shown.name})
        self.assertFalse(info(self.folder / "x.md3")["tags"])
        for name in "eye", "viewport", "render", "excluded", "hidden", "tag_eye":
            self.assertRegex(self.log(), f"hidden: .*{name}")

    def test_content_is_selected_or_a_collection(self):
        one, other = add_column("one"), add_column("other")
        collection = bpy.data.collections.new("parts")
        bpy.context.scene.collection.children.link(collection)
        collection.objects.link(other)
        one.select_set(True)
        other.select_set(False)
        self.save(self.folder / "x.md3", content="SELECTED")
        self.assertEqual(self.surfaces(self.folder / "x.md3"), {"one"})
        self.save(self.folder / "y.md3", content="COLLECTION", collection="parts")
        self.assertEqual(self.surfaces(self.folder / "y.md3"), {"other"})
        with self.assertRaisesRegex(RuntimeError, "nothing to export: .*visible in the collection “empty”"):
            self.save(self.folder / "z.md3", content="COLLECTION", collection="empty")

    def test_hidden_armature_still_deforms(self):
        rig, _ = add_character()
        swing(rig, "run")
        rig.hide_set(True)
        self.save(self.folder / "x.iqm")
        self.check_clip(self.folder / "x.iqm", "run", bpy.data.actions["run"], rig)

    def test_modifiers_are_applied_with_shape_keys(self):
        column, half = add_column("column"), add_column("half")
        column.shape_key_add(name="Basis")
        column.shape_key_add(name="wide").data[0].co.x = -0.5
        column.data.shape_keys.key_blocks["wide"].value = 0.5
        column.modifiers.new("Array", "ARRAY").count = 2
        half.location.y = 1
        half.modifiers.new("Mirror", "MIRROR").use_axis = (False, True, False)
        self.save(self.folder / "x.md3")
        self.check_frame(self.folder / "x.md3")
        triangles = {surface["name"]: surface["triangles"] for surface in info(self.folder / "x.md3")["surfaces"]}
        self.assertEqual(triangles, {"column": 56, "half": 56})

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

    def test_clips_that_move_nothing_are_left_out(self):
        rig, _ = add_character()
        swing(rig, "run")
        key(add("tool"), "location", {1: (0, 0, 0), 10: (1, 0, 0)}, "tool action")
        key(add_column("static"), "location", {1: (0, 0, 0)}, "static action")
        self.save(self.folder / "x.md3")
        self.assertEqual(set(clips(info(self.folder / "x.md3"))), {"run"})
        self.assertRegex(self.log(), "not a clip.*tool action, static action")
        # A still pose of an armature is a clip.
        swing(rig, "still", last=1)
        self.save(self.folder / "x.md3", overwrite=True)
        self.assertEqual(set(clips(info(self.folder / "x.md3"))), {"run", "still"})

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

    def test_cyclic_actions_loop_without_their_last_frame(self):
        rig, _ = add_character()
        key(rig, 'pose.bones["upper"].rotation_euler', {1: 0.0, 5: 1.0, 9: 0.0}, "run", 0)
        action = bpy.data.actions["run"]
        action.use_frame_range = action.use_cyclic = True
        action.frame_start, action.frame_end = 1, 9
        self.save(self.folder / "x.md3")
        found = clips(info(self.folder / "x.md3"))["run"]
        self.assertEqual((found["frames"], found["loop_frames"]), (8, 8))

    def test_units_and_height_are_shown(self):
        from maquette import choice, units

        add_column(height=56.0)
        bpy.context.view_layer.update()
        chosen = choice.Choice(bpy.context, "VISIBLE")
        self.assertIn(("Height in the game: 2205 units", "ARROW_LEFTRIGHT"), units.lines(chosen, units.INCH, "md3"))
        self.assertIn("MD3 ends at 512 units", str(units.lines(chosen, units.INCH, "md3")))
        self.assertEqual(units.lines(chosen, 1, "md3"), [("Height in the game: 56 units", "ARROW_LEFTRIGHT")])
        with self.assertRaisesRegex(RuntimeError, "choose a larger unit"):
            self.save(self.folder / "x.md3")
        self.save(self.folder / "x.md3", unit="BLENDER")
        self.assertAlmostEqual(info(self.folder / "x.md3")["bounds"]["max"][2], 56, delta=0.03)
        bpy.context.scene.unit_settings.scale_length = 0.01
        self.save(self.folder / "y.md3", unit="INCH")
        # The column is 56 cm tall.
        self.assertAlmostEqual(info(self.folder / "y.md3")["bounds"]["max"][2], 56 / 2.54, delta=0.03)

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

    def test_mesh_of_an_armature_outside_of_the_scene_is_exported(self):
        rig, column = add_character()
        column.parent = None
        bpy.context.scene.collection.objects.unlink(rig)
        for extension in "md3", "iqm":
            self.save(self.folder / f"x.{extension}")
            self.assertEqual(self.surfaces(self.folder / f"x.{extension}"), {"column"})

    def test_changes_in_edit_mode_are_exported(self):
        column = add_column()
        bpy.context.view_layer.objects.active = column
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.transform.resize(value=(1, 1, 2))
        self.save(self.folder / "x.md3")
        self.assertEqual(column.mode, "EDIT")
        bounds = info(self.folder / "x.md3")["bounds"]
        self.assertAlmostEqual(bounds["max"][2] - bounds["min"][2], 2 / 0.0254, delta=0.03)

    def test_findings_of_the_check_name_their_object(self):
        add_column()
        self.save(self.folder / "x.md3")
        messages = bpy.context.window_manager.maquette_report.messages
        found = next(message for message in messages if "hard edge" in message.text)
        self.assertEqual((found.level, found.object), ("INFO", "column"))

    def test_deviation_of_an_unevenly_scaled_armature_is_reported(self):
        rig, _ = add_character()
        swing(rig, "run")
        rig.scale = 1, 2, 0.7
        self.save(self.folder / "x.md5mesh")
        messages = bpy.context.window_manager.maquette_report.messages
        message = next(each for each in messages if each.text.startswith("positions of the model differ from Blender"))
        self.assertRegex(message.text, r"by up to [\d.]+ units in frame \d+ of “column”")
        self.assertEqual((message.level, message.object), ("WARNING", "column"))

    def test_bolts_become_tags(self):
        add_column()
        add("*r_hand", location=(0, 0, 1))
        self.save(self.folder / "x.md3")
        self.assertEqual([tag["name"] for tag in info(self.folder / "x.md3")["tags"]], ["tag_r_hand"])

    def test_second_list_of_clips_in_a_folder_is_a_loss(self):
        rig, _ = add_character()
        swing(rig, "run")
        self.save(self.folder / "x.md3")
        self.save(self.folder / "y.md3")
        messages = bpy.context.window_manager.maquette_report.messages
        text = next(
            message.text for message in messages if message.level == "WARNING" and "animation.cfg" in message.text
        )
        self.assertRegex(text, "was not replaced; clips of this model that no file lists: run; turn on Replace Files")

    def test_dialog_and_panel_draw_frames_size_and_messages(self):
        from maquette import exporter, report

        rig, _ = add_character()
        for number in range(10):
            swing(rig, f"clip{number}", 1, 5)
        bpy.context.view_layer.update()
        layout = unittest.mock.MagicMock()
        values = {
            "format": "md3", "content": "VISIBLE", "collection": "", "animation": "ACTIONS", "ranges": "", "fps": 0.0,
            "scale": 0.0254, "layout": layout,
        }  # fmt: skip
        dialog = type("Dialog", (), {**vars(exporter.EXPORT_SCENE_OT_maquette), **values})
        dialog.draw(dialog(), bpy.context)
        labels = [call.kwargs["text"] for call in layout.label.call_args_list]
        self.assertIn("Height in the game: 39 units", labels)
        self.assertIn("clip0: 5 frames at 24 fps", labels)
        self.assertIn("and 2 more clips", labels)
        self.assertIn("50 frames in all", labels)
        self.save(self.folder / "x.mdl")
        panel = type("Panel", (), {"layout": layout})()
        context = unittest.mock.MagicMock(window_manager=bpy.context.window_manager)
        context.region.width, context.preferences.system.ui_scale = 280, 1.0
        report.MAQUETTE_PT_report.draw(panel, context)
        self.assertEqual(report.wrapped("one two three", 8), ["one two", "three"])
        self.assertEqual(bpy.ops.maquette.select(name="column"), {"FINISHED"})
        self.assertEqual([one.name for one in bpy.context.selected_objects], ["column"])

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

    def test_instances_of_collections_are_exported(self):
        collection = bpy.data.collections.new("parts")
        column = add_column()
        collection.objects.link(column)
        bpy.context.scene.collection.objects.unlink(column)
        for x in 1, 2:
            add(f"copy{x}", location=(x, 0, 0), instance_type="COLLECTION", instance_collection=collection)
        self.save(self.folder / "x.md3")
        bounds = info(self.folder / "x.md3")["bounds"]
        # X is left in the game.
        self.assertAlmostEqual(bounds["min"][1], 0.9 / 0.0254, delta=0.03)
        self.assertAlmostEqual(bounds["max"][1], 2.1 / 0.0254, delta=0.03)

    def test_metaballs_and_text_become_surfaces(self):
        add("ball", bpy.data.metaballs.new("ball"))
        bpy.data.metaballs["ball"].elements.new()
        add("text", bpy.data.curves.new("text", "FONT"), location=(3, 0, 0))
        bpy.data.curves["text"].body = "A"
        self.save(self.folder / "x.md3")
        self.assertEqual(self.surfaces(self.folder / "x.md3"), {"ball", "text"})

    def test_unweighted_vertices_stay_with_the_armature(self):
        rig, column = add_character()
        for group in column.vertex_groups:
            group.remove([0])
        swing(rig, "run")
        self.save(self.folder / "x.iqm")
        self.check_clip(self.folder / "x.iqm", "run", bpy.data.actions["run"], rig)

    def test_scene_is_unchanged_after_an_export(self):
        rig, column = add_character()
        swing(rig, "idle")
        swing(rig, "run")
        rig.pose.bones["lower"].rotation_euler.y = 0.3
        scene = bpy.context.scene
        scene.frame_set(5)
        before = self.state(rig)
        for options in ({}, {"animation": "TIMELINE"}, {"animation": "NONE"}):
            self.save(self.folder / "x.iqm", overwrite=True, **options)
            self.save(self.folder / "x.md3", overwrite=True, **options)
            self.assertEqual(self.state(rig), before)
        with unittest.mock.patch("maquette.sample.Sample.play", side_effect=ZeroDivisionError):
            with self.assertRaises(RuntimeError):
                self.save(self.folder / "y.iqm")
        self.assertEqual(self.state(rig), before)
        self.assertTrue(column.modifiers[0].show_viewport)

    def state(self, rig):
        names = {name: sorted(getattr(bpy.data, name).keys()) for name in ("objects", "meshes", "scenes", "materials")}
        poses = [[round(number, 6) for row in bone.matrix for number in row] for bone in rig.pose.bones]
        data = rig.animation_data
        slot = data.action_slot.identifier if IS_SLOTTED else None
        frame = bpy.context.scene.frame_current
        return names, poses, data.action.name, slot, data.use_nla, rig.data.pose_position, frame

    def test_uv_layer_of_the_material_is_used(self):
        column = add_column()
        second = column.data.uv_layers.new(name="second")
        for corner in second.data:
            corner.uv = 0.25, 0.75
        material = bpy.data.materials.new("skin")
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        texture, layer = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeUVMap")
        texture.image = bpy.data.images.new("skin", 4, 4)
        layer.uv_map = "second"
        links.new(layer.outputs[0], texture.inputs[0])
        links.new(texture.outputs[0], nodes["Principled BSDF"].inputs[0])
        column.data.materials.append(material)
        self.save(self.folder / "x.iqm", textures=True)
        self.assertEqual(info(self.folder / "x.iqm")["surfaces"][0]["materials"], ["skin"])
        self.assertTrue((self.folder / "skin.tga").exists())
        vertices_of(self.folder / "x.iqm", self.folder)
        lines = (self.folder / "pose.obj").read_text().splitlines()
        uvs = {tuple(float(word) for word in line.split()[1:]) for line in lines if line.startswith("vt ")}
        self.assertEqual({(round(u, 4), round(v, 4)) for u, v in uvs}, {(0.25, 0.75)})

    def test_image_of_an_emission_material_is_its_texture(self):
        column = add_column()
        material = bpy.data.materials.new("light")
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        nodes.clear()
        texture, emission = nodes.new("ShaderNodeTexImage"), nodes.new("ShaderNodeEmission")
        texture.image = bpy.data.images.new("light", 2, 2)
        texture.image.generated_color = 1, 0, 0, 1
        links.new(texture.outputs[0], emission.inputs[0])
        links.new(emission.outputs[0], nodes.new("ShaderNodeOutputMaterial").inputs[0])
        column.data.materials.append(material)
        self.save(self.folder / "x.md3", textures=True)
        # Blue, green and red of the first texel follow the header of 18 bytes.
        self.assertEqual((self.folder / "light.tga").read_bytes()[18:21], bytes([0, 0, 255]))

    def test_vertex_colours_are_passed_on(self):
        from maquette import gltf

        column = add_column()
        colours = column.data.color_attributes.new("Col", "FLOAT_COLOR", "POINT")
        for index, each in enumerate(colours.data):
            each.color = index / 16, 0.5, 1, 1
        column.data.color_attributes.active_color = colours
        written = []
        with unittest.mock.patch.object(gltf.Document, "write", lambda document, path: written.append(document)):
            with self.assertRaises(RuntimeError):
                self.save(self.folder / "x.iqm")
        primitive = written[0].json["meshes"][0]["primitives"][0]
        found = written[0].numbers(primitive["attributes"]["COLOR_0"]).reshape(-1, 4)
        self.assertEqual({round(float(red) * 16) for red in found[:, 0]}, set(range(16)))

    def test_report_names_no_temporary_path_and_no_option_of_the_command_line(self):
        rig, _ = add_character()
        swing(rig, "run")
        self.save(self.folder / "x.mdl", fps=10)
        self.assertNotRegex(self.log(), r"--|\.glb|sampled at")
        report = bpy.context.window_manager.maquette_report
        levels = [message.level for message in report.messages]
        order = ["ERROR", "WARNING", "INFO"]
        self.assertEqual(levels, sorted(levels, key=order.index))
        self.assertIn("INFO", levels)


def md3_vertices(path, frame):
    """Reads the vertices of a frame (`md3Header_t`, `md3Surface_t` and `md3XyzNormal_t` in `qfiles.h`)."""
    data = path.read_bytes()
    surfaces, offset = struct.unpack_from("<i", data, 84)[0], struct.unpack_from("<i", data, 100)[0]
    found = []
    for _ in range(surfaces):
        vertices = struct.unpack_from("<i", data, offset + 80)[0]
        positions, end = struct.unpack_from("<2i", data, offset + 100)
        raw = numpy.frombuffer(data, "<i2", vertices * 4, offset + positions + frame * vertices * 8)
        found.append(raw.reshape(-1, 4)[:, :3] / 64)
        offset += end
    return numpy.concatenate(found)


def volume(path, folder):
    """Returns six times the signed volume of a model, positive if the faces of the exported OBJ look outward."""
    vertices_of(path, folder)
    points, total = [], 0
    for line in (folder / "pose.obj").read_text().splitlines():
        words = line.split()
        if words and words[0] == "v":
            points.append(numpy.array([float(word) for word in words[1:4]]))
        elif words and words[0] == "f":
            one, two, three = (points[int(word.split("/")[0]) - 1] for word in words[1:4])
            total += numpy.dot(one, numpy.cross(two, three))
    return total
