"""Tests of the exported objects, meshes and materials."""

import math
import struct
import unittest
import unittest.mock

import bpy
import numpy

from scenes import SceneTest, add, add_character, add_column, hide_in, key, material_of, md3_vertices, swing
from testing import IS_SLOTTED, clips, in_game, info, maquette, vertices_of

COLOURS = {"models/x/red": (1, 0, 0, 1), "models/x/blue": (0, 0, 1, 1), "models/x/grey": (0.2, 0.2, 0.2, 1)}


class ContentTest(SceneTest):
    def test_only_objects_of_the_local_view_are_exported(self):
        add_column("other").select_set(False)
        one = add_column("one")
        one.select_set(True)
        bpy.context.view_layer.objects.active = one
        window = bpy.context.window_manager.windows[0]
        area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
        region = next(region for region in area.regions if region.type == "WINDOW")
        with bpy.context.temp_override(window=window, area=area, region=region):
            bpy.ops.view3d.localview(frame_selected=False)
            self.save(self.folder / "x.md3")
        self.assertEqual(self.surfaces(self.folder / "x.md3"), {"one"})

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
        bpy.context.scene.collection.children.link(bpy.data.collections.new("empty"))
        one.select_set(True)
        other.select_set(False)
        self.save(self.folder / "x.md3", content="SELECTED")
        self.assertEqual(self.surfaces(self.folder / "x.md3"), {"one"})
        self.save(self.folder / "y.md3", collection="parts")
        self.assertEqual(self.surfaces(self.folder / "y.md3"), {"other"})
        with self.assertRaisesRegex(RuntimeError, "nothing to export: .*visible in the collection “empty”"):
            self.save(self.folder / "z.md3", collection="empty")

    @unittest.skipUnless(bpy.app.version >= (4, 2, 0), "collections have no exporters")
    def test_exporter_of_a_collection_keeps_its_options(self):
        add_column("other")
        column = add_column("part")
        collection = bpy.data.collections.new("parts")
        bpy.context.scene.collection.children.link(collection)
        bpy.context.scene.collection.objects.unlink(column)
        collection.objects.link(column)
        bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children["parts"]
        bpy.ops.collection.exporter_add(name="IO_FH_maquette_export")
        options = collection.exporters[0].export_properties
        options.filepath, options.format, options.unit = str(self.folder / "parts.md3"), "iqm", "BLENDER"
        bpy.ops.collection.exporter_export(index=0)
        found = info(self.folder / "parts.iqm")
        self.assertEqual([surface["name"] for surface in found["surfaces"]], ["part"])
        self.assertAlmostEqual(found["bounds"]["max"][2], 1.0, places=5)

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

    def test_bolts_become_tags(self):
        add_column()
        add("*r_hand", location=(0, 0, 1))
        self.save(self.folder / "x.md3")
        self.assertEqual([tag["name"] for tag in info(self.folder / "x.md3")["tags"]], ["tag_r_hand"])

    def test_tags_have_any_name(self):
        for extension in "md3", "mdc", "mdr":
            self.empty_scene()
            rig, _ = add_character()
            swing(rig, "run")
            muzzle = add("Point 1", None, rig, parent_type="BONE", parent_bone="upper", location=(0.1, 0, 0.2))
            muzzle["tag"] = True
            first, again = (self.folder / f"{name}.{extension}" for name in ("first", "again"))
            self.save(first, overwrite=True)
            bpy.context.scene.frame_set(9)
            expected = in_game(muzzle.matrix_world.translation)[0]
            self.empty_scene()
            self.load(first)
            self.save(again)
            for file in first, again:
                tags = {tag["name"]: tag for tag in info(file, "--animation", "run", "--frame", 8)["tags"]}
                numpy.testing.assert_allclose(tags["Point 1"]["origin"], expected, atol=0.05)

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

    def test_motion_inside_a_collection_instance_is_exported(self):
        wheel = add_column()
        key(wheel, "location", {1: 0.0, 9: 0.8}, "turn", 1)
        copy = hide_in("car", wheel)
        for name in "car", "fleet":
            for extension in "md3", "iqm":
                path = self.folder / f"{name}.{extension}"
                self.save(path)
                # Blender's Y is backward in the game: the last frame lies 0.8 m behind the first one.
                first, last = (
                    info(path, "--animation", "turn", "--frame", frame)["bounds"]["max"][0] for frame in (0, 8)
                )
                self.assertAlmostEqual(first - last, 0.8 / 0.0254, delta=0.03, msg=path.name)
            copy = hide_in("fleet", copy)

    def test_actions_of_an_armature_in_a_collection_instance_are_clips(self):
        rig, column = add_character()
        # The armature has one action, and the others are without a user.
        for name, angle in ("idle", 0.0), ("run", 1.0), ("bow", 0.5):
            swing(rig, name, angle=angle)
        hide_in("car", rig, column)
        path = self.folder / "x.md3"
        self.save(path)
        self.assertEqual(set(clips(info(path))), {"idle", "run", "bow"})
        # The upper half turns about a point in the middle of the column, which is 1 m high.
        for name, angle in ("run", 1.0), ("bow", 0.5):
            points = md3_vertices(path, clips(info(path))[name]["first"] + 8)
            self.assertLess(abs(points[:, 0].max() - (0.5 * math.sin(angle) + 0.1 * math.cos(angle)) / 0.0254), 0.1)

    def test_vertex_with_one_custom_normal_stays_one_vertex(self):
        mesh = bpy.data.meshes.new("tie")
        # Two triangles share only the origin.
        points = [(0, 0, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)]
        mesh.from_pydata(points, [], [(0, 1, 2), (0, 3, 4)])
        mesh.polygons.foreach_set("use_smooth", [True, True])
        if bpy.app.version < (4, 1, 0):
            mesh.use_auto_smooth = True
        mesh.normals_split_custom_set_from_vertices([(0, 0, 1)] * 5)
        tie = add("tie", mesh)
        tie.shape_key_add(name="Basis")
        folded = tie.shape_key_add(name="folded").data
        folded[3].co.z = folded[4].co.z = 1
        key(mesh.shape_keys, 'key_blocks["folded"].value', {1: 0.0, 9: 1.0}, "fold")
        self.save(self.folder / "x.md3")
        self.assertEqual(info(self.folder / "x.md3")["surfaces"][0]["vertices"], 5)

    def test_copies_of_geometry_nodes_without_objects_are_exported(self):
        nodes = bpy.data.node_groups.new("nodes", "GeometryNodeTree")
        if bpy.app.version >= (4, 0, 0):
            for direction in "INPUT", "OUTPUT":
                nodes.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
        else:
            nodes.inputs.new("NodeSocketGeometry", "Geometry")
            nodes.outputs.new("NodeSocketGeometry", "Geometry")
        start, place, source, end = (
            nodes.nodes.new(name)
            for name in ("NodeGroupInput", "GeometryNodeInstanceOnPoints", "GeometryNodeObjectInfo", "NodeGroupOutput")
        )
        source.inputs[0].default_value = add_column("pin", 0.1)
        nodes.links.new(start.outputs[0], place.inputs["Points"])
        nodes.links.new(source.outputs["Geometry"], place.inputs["Instance"])
        nodes.links.new(place.outputs[0], end.inputs[0])
        add_column("host").modifiers.new("nodes", "NODES").node_group = nodes
        self.save(self.folder / "x.md3")
        # A pin on each of the 16 vertices, and the pin itself.
        triangles = [surface["triangles"] for surface in info(self.folder / "x.md3")["surfaces"]]
        self.assertEqual(sum(triangles), 17 * 28)

    def test_object_that_hides_in_some_frames_is_named(self):
        key(add_column(), "hide_viewport", {1: False, 5: True}, "blink")
        key(add_column("other"), "location", {1: 0.0, 9: 1.0}, "move", 0)
        self.save(self.folder / "x.md3", animation="TIMELINE")
        self.assertRegex(self.log(), "“column” is hidden in some frames")

    def test_copies_on_vertices_replace_the_object(self):
        host = add_column("host")
        pin = add_column("pin", 0.1, host)
        pin.location.x = 5
        host.instance_type = "VERTS"
        self.save(self.folder / "x.md3")
        facts = info(self.folder / "x.md3")
        # The host has 16 vertices, each with a copy of the pin, and Blender hides the pin itself.
        self.assertEqual(sum(surface["triangles"] for surface in facts["surfaces"]), 17 * 28)

    def test_texture_coordinates_are_those_of_the_render(self):
        column = add_column()
        layer = column.data.uv_layers.new(name="second")
        for corner in layer.data:
            corner.uv = 0.25, 0.75
        layer.active_render = True
        for material in None, bpy.data.materials.new("plain"):
            if material:
                column.data.materials.append(material)
            self.save(self.folder / "x.md3")
            maquette("export", self.folder / "x.md3", "-o", self.folder / "x.obj")
            lines = (self.folder / "x.obj").read_text().splitlines()
            self.assertEqual(
                {tuple(map(float, line.split()[1:])) for line in lines if line.startswith("vt ")}, {(0.25, 0.75)}
            )

    def test_metaballs_and_text_become_surfaces(self):
        add("ball", bpy.data.metaballs.new("ball"))
        bpy.data.metaballs["ball"].elements.new()
        add("text", bpy.data.curves.new("text", "FONT"), location=(3, 0, 0))
        bpy.data.curves["text"].body = "A"
        self.save(self.folder / "x.md3")
        self.assertEqual(self.surfaces(self.folder / "x.md3"), {"ball", "text"})

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

    def test_header_fields_are_custom_properties(self):
        for name, listed in (
            ("x.mdl", {"flags": "0x8", "synctype": "1", "eyeposition": "1 0 24"}),
            ("x.md3", {"flags": "0x8"}),
            ("x.iqm", {"flags": "0x8"}),
        ):
            self.empty_scene()
            column = add_column()
            column["modelFlags"], column["syncType"], column["eyePosition"] = 8, 1, (1.0, 0.0, 24.0)
            self.save(self.folder / name)
            self.empty_scene()
            self.load(self.folder / name)
            self.save(self.folder / f"again.{name}")
            for file in name, f"again.{name}":
                details = info(self.folder / file)["details"]
                self.assertEqual({key: details[key] for key in listed}, listed, file)

    def test_header_fields_are_finite_numbers(self):
        column = add_column()
        for name, value, reason in (
            ("modelFlags", float("inf"), "a whole number"),
            ("syncType", float("nan"), "a whole number"),
            ("eyePosition", (0.0, float("nan"), 0.0), "three finite numbers"),
            ("eyePosition", (1.0, 2.0), "three finite numbers"),
            ("eyePosition", "1 2 3", "three finite numbers"),
        ):
            column[name] = value
            for extension in "mdl", "md3", "iqm":
                with self.assertRaisesRegex(RuntimeError, f"custom property “{name}”: expected {reason}"):
                    self.save(self.folder / f"x.{extension}")
            self.save(self.folder / "x.md2")
            del column[name]

    def add_skins(self, *colours):
        """Adds a column with a material for each colour; None is an empty slot."""
        column = add_column()
        for name in colours:
            if name:
                image = bpy.data.images.new(name.split("/")[-1], 16, 16)
                image.pixels.foreach_set(COLOURS[name] * 256)
                image.pack()
            column.data.materials.append(material_of(name, image) if name else None)

    def test_skins_keep_their_numbers_after_an_import_with_another_skin(self):
        red, blue, grey = COLOURS
        self.add_skins(red, blue, grey)
        self.save(self.folder / "x.md2")
        self.assertIn(f"3 skins: {red}, {blue}, {grey}", self.log())
        for name in red, blue, grey:
            self.empty_scene()
            self.load(self.folder / "x.md2", skin=name)
            self.save(self.folder / "y.md2")
            self.assertEqual(info(self.folder / "y.md2")["skins"], [red, blue, grey], name)
        # Equal skins stay, too.
        self.empty_scene()
        self.add_skins(red, blue, red)
        self.save(self.folder / "x.mdl")
        self.empty_scene()
        self.load(self.folder / "x.mdl", skin="skin 2")
        self.save(self.folder / "y.mdl")
        for name in "x.mdl", "y.mdl":
            self.assertEqual(len(info(self.folder / name)["skins"]), 3, name)

    def test_faces_without_a_material_are_skin_0(self):
        red, blue, _ = COLOURS
        self.add_skins(None, red, blue)
        self.save(self.folder / "x.mdl")
        self.assertIn(f"3 skins: no material, {red}, {blue}", self.log())
        self.assertEqual(len(info(self.folder / "x.mdl")["skins"]), 3)

    def test_materials_of_unused_slots_are_skins(self):
        for extension in "mdl", "md2":
            self.empty_scene()
            self.add_skins(*COLOURS)
            first, again = (self.folder / f"{name}.{extension}" for name in ("first", "again"))
            self.save(first)
            self.empty_scene()
            self.load(first)
            meshes = [one for one in bpy.context.scene.objects if one.type == "MESH"]
            self.assertEqual([len(one.material_slots) for one in meshes], [3])
            self.save(again)
            for file in first, again:
                expected = ["skin 0", "skin 1", "skin 2"] if extension == "mdl" else list(COLOURS)
                self.assertEqual(info(file)["skins"], expected, file.name)
            # An MDL has a number for each texel: red, blue and grey are different colours of Quake.
            if extension == "mdl":
                data = first.read_bytes()
                (width, height) = struct.unpack_from("<2i", data, 52)
                texels = [data[84 + number * (4 + width * height) + 4] for number in range(3)]
                self.assertEqual(len({*texels}), 3)

    def test_repeated_triangles_survive_a_round_trip(self):
        mesh = bpy.data.meshes.new("twice")
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)] * 2, [], [(0, 1, 2), (3, 4, 5)])
        add("twice", mesh)
        # An MD2 stores equal vertices once, so that both triangles have one set of vertices.
        self.save(self.folder / "x.md2")
        self.empty_scene()
        self.load(self.folder / "x.md2")
        self.assertEqual(sum(len(mesh.polygons) for mesh in bpy.data.meshes), 2)
        self.save(self.folder / "y.md2")
        self.assertEqual(info(self.folder / "y.md2")["surfaces"][0]["triangles"], 2)

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

    def test_materials_may_be_named_by_their_images(self):
        column = add_column()
        column.data.materials.append(material_of("models/imp/", bpy.data.images.new("skin.png", 2, 2)))
        for choice, name in ("MATERIAL", "models/imp/"), ("BOTH", "models/imp/skin"), ("IMAGE", "skin"):
            with self.subTest(choice):
                self.save(self.folder / "x.iqm", material_names=choice)
                (surface,) = info(self.folder / "x.iqm")["surfaces"]
                self.assertEqual(surface["materials"], [name])

    def test_skin_that_must_be_a_pcx_is_a_loss(self):
        add_column().data.materials.append(material_of("models/x/skin.pcx", bpy.data.images.new("skin", 8, 8)))
        for textures in False, True:
            self.save(self.folder / "x.md2", textures=textures)
            self.assertEqual("convert the images: models/x/skin.pcx" in self.log(), textures)
        self.assertTrue((self.folder / "models/x/skin.tga").exists())

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
        found = written[0].rows(primitive["attributes"]["COLOR_0"])
        self.assertEqual({round(float(red) * 16) for red in found[:, 0]}, set(range(16)))
