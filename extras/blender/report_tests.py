"""Tests of the report, the dialog and the panel."""

import importlib.util
import sys
import unittest.mock
from pathlib import Path

import bpy

from scenes import SceneTest, add, add_character, add_column, key, material_of, swing
from testing import clips, info


class ReportTest(SceneTest):
    def test_findings_of_the_check_name_their_object(self):
        add_column()
        self.save(self.folder / "x.md3")
        messages = bpy.context.window_manager.maquette_report.messages
        found = next(message for message in messages if "hard edge" in message.text)
        self.assertEqual((found.level, found.object), ("INFO", "column"))

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

    def test_faults_of_the_scene_are_losses(self):
        rig, column = add_character()
        for group in column.vertex_groups:
            group.remove([0, 1, 2])
        missing = bpy.data.images.new("gone", 4, 4)
        missing.source, missing.filepath = "FILE", "//gone.png"
        material = bpy.data.materials.new("painted")
        material.use_nodes = True
        material.node_tree.nodes.new("ShaderNodeTexImage").image = missing
        bare = add_column("bare")
        bare.data.uv_layers.remove(bare.data.uv_layers[0])
        bare.data.materials.append(material)
        add("hollow", bpy.data.meshes.new("hollow"))
        self.save(self.folder / "x.md3")
        messages = bpy.context.window_manager.maquette_report.messages
        found = {message.text: message.object for message in messages if message.level == "WARNING"}
        for start, name in (
            ("“column” has 3 vertices without weights for “rig”", "column"),
            ("“bare” has no UV map", "bare"),
            ("“hollow” has no faces", "hollow"),
            ("the file of the image “gone” does not exist: ", ""),
        ):
            self.assertEqual([one for text, one in found.items() if text.startswith(start)], [name], start)

    def test_messages_name_objects_options_and_loops(self):
        column = add_column("tag_column")
        key(add_column(), "location", {1: (0, 0, 0), 5: (1, 0, 0), 9: (0, 0, 0)}, "fly")
        self.save(self.folder / "x.md3")
        self.assertIn("“tag_column”: the mesh of a tag is skipped", self.log())
        self.assertIn(
            "clips that loop, because their last frame leads to the first: fly (8 frames); for a clip that plays once, "
            "write NAME::::0 into Clips",
            self.log(),
        )
        # The animation.cfg of the first export stays, so that its loop is that of another model.
        self.save(self.folder / "y.md3", ranges="fly::::0")
        self.assertNotIn("clips that loop", self.log())
        self.assertNotIn("joint", self.log())
        column.name = "other"
        self.save(self.folder / "x.ase")
        self.assertRegex(self.log(), "other frames were dropped; the animation None exports the current frame")
        for options, reason in (
            ({"profile": "quake4"}, "unknown engine “quake4”; expected any, quake,"),
            ({"collection": "none"}, "there is no collection “none”"),
        ):
            with self.assertRaisesRegex(RuntimeError, reason):
                self.save(self.folder / "x.md3", **options)

    def test_report_of_a_refused_export_names_the_reason(self):
        add_column()
        self.save(self.folder / "x.md3")
        with self.assertRaisesRegex(RuntimeError, "there is no collection"):
            self.save(self.folder / "y.iqm", collection="none")
        self.assertIn(f"Not exported: {self.folder / 'y.iqm'}\nthere is no collection “none”", self.log())
        with self.assertRaisesRegex(RuntimeError, "no such file"):
            self.load(self.folder / "missing.md3")
        self.assertRegex(self.log(), "^Not imported: .*missing.md3\n.*no such file")

    def test_player_of_another_format_is_ignored(self):
        add_column()
        for extension in "iqm", "md5mesh":
            self.save(self.folder / f"x.{extension}", player=True)
            self.assertIn("the option Player was ignored: a player is MD3 or MDR", self.log())
            self.assertTrue((self.folder / f"x.{extension}").is_file())

    def test_guessed_loops_have_the_names_of_the_scene(self):
        key(add_column(), "location", {1: (0, 0, 0), 5: (1, 0, 0), 9: (0, 0, 0)}, "fly away")
        # A word of animation.cfg has no spaces.
        self.save(self.folder / "x.md3")
        self.assertNotIn("fly away", clips(info(self.folder / "x.md3")))
        self.assertIn("first: fly away (8 frames);", self.log())

    def test_forgotten_textures_are_a_loss(self):
        image = bpy.data.images.new("skin", 4, 4)
        add_column().data.materials.append(material_of("models/x/skin", image))
        for textures in False, True:
            self.save(self.folder / "x.md3", textures=textures)
            messages = bpy.context.window_manager.maquette_report.messages
            losses = [message.text for message in messages if message.level == "WARNING"]
            self.assertEqual(["the option Textures writes" in text for text in losses], [] if textures else [True])

    def test_nodes_that_the_export_skips_are_losses(self):
        material = material_of("/models/x/skin", bpy.data.images.new("skin", 4, 4))
        add_column().data.materials.append(material)
        nodes, links = material.node_tree.nodes, material.node_tree.links
        texture = next(node for node in nodes if node.type == "TEX_IMAGE")
        self.save(self.folder / "x.md3", textures=True)
        self.assertNotIn("is skipped", self.log())
        self.assertIn("begins with a slash", self.log())
        shift = nodes.new("ShaderNodeHueSaturation")
        links.new(texture.outputs[0], shift.inputs["Color"])
        links.new(shift.outputs[0], nodes["Principled BSDF"].inputs["Base Color"])
        self.save(self.folder / "x.md3", textures=True, overwrite=True)
        self.assertRegex(self.log(), "the node “Hue.*” is skipped; bake its result into the image")

    def test_missing_numpy_is_named_in_the_preferences(self):
        import maquette

        path = Path(maquette.__file__)
        spec = importlib.util.spec_from_file_location("bare", path, submodule_search_locations=[str(path.parent)])
        module = importlib.util.module_from_spec(spec)
        with unittest.mock.patch.dict(sys.modules, {"bare": module, "numpy": None}):
            spec.loader.exec_module(module)
        self.assertIn("python3-numpy", module.MISSING)
        self.assertFalse(module.PARTS)

    def test_coarse_positions_name_their_reason(self):
        add_column(height=1.5)
        self.save(self.folder / "x.mdl", textures=True)
        self.assertNotIn("differ from Blender", self.log())
        # No number of steps meets these positions exactly.
        for number in range(3):
            add_column("far").location = 20.37 - number * 7.713, number * 3.217, 0
        self.save(self.folder / "x.mdl")
        self.assertRegex(self.log(), "differ from Blender by .* MDL divides the box of all frames into 255 steps")

    def test_dialog_and_panel_draw_frames_size_and_messages(self):
        from maquette import exporter, report

        rig, _ = add_character()
        for number in range(10):
            swing(rig, f"clip{number}", 1, 5)
        bpy.context.view_layer.update()
        layout = unittest.mock.MagicMock()
        values = {
            "format": "md3", "content": "VISIBLE", "collection": "", "animation": "ACTIONS", "ranges": "", "fps": 0.0,
            "scale": 0.0254, "layout": layout, "player": False,
        }  # fmt: skip
        dialog = type("Dialog", (), {**vars(exporter.EXPORT_SCENE_OT_maquette), **values})
        dialog.draw(dialog(), bpy.context)
        labels = [call.kwargs["text"] for call in layout.label.call_args_list]
        self.assertIn("Height in the game: 39 units", labels)
        self.assertIn("clip0: 5 frames at 24 fps", labels)
        self.assertIn("and 2 more clips", labels)
        self.assertIn("50 frames in all", labels)
        self.assertIn("clip_list", [call.args[1] for call in layout.prop.call_args_list])
        for name, value, hidden in ("player", True, "clip_list"), ("format", "mdl", "player"):
            layout.prop.reset_mock()
            setattr(dialog, name, value)
            dialog.draw(dialog(), bpy.context)
            self.assertNotIn(hidden, [call.args[1] for call in layout.prop.call_args_list])
        # A hidden option has no effect.
        self.assertIn("clip_list", [call.args[1] for call in layout.prop.call_args_list])
        self.save(self.folder / "x.mdl")
        panel = type("Panel", (), {"layout": layout})()
        context = unittest.mock.MagicMock(window_manager=bpy.context.window_manager)
        context.region.width, context.preferences.system.ui_scale = 280, 1.0
        report.MAQUETTE_PT_report.draw(panel, context)
        self.assertEqual(report.wrapped("one two three", 8), ["one two", "three"])
        self.assertEqual(report.wrapped("Exported /a/long/path", 8), ["Exported", "/a/long/", "path"])
        self.assertEqual(bpy.ops.maquette.select(name="column"), {"FINISHED"})
        self.assertEqual([one.name for one in bpy.context.selected_objects], ["column"])

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
