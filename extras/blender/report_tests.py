"""Tests of the report, the dialog and the panel."""

import unittest.mock

import bpy

from scenes import SceneTest, add_character, add_column, swing


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
