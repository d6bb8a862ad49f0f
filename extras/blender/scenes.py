"""Scenes for tests of the export, and the comparison of a game frame with what Blender shows."""

import struct

import bpy
import numpy

from testing import IS_SLOTTED, AddonTest, clips, info, posed_vertices, vertices_of

# Largest distances in game units: MD3 has a grid of 1/64, IQM stores numbers of 32 bits.
RESOLUTION = {"md3": 0.03, "iqm": 0.005}


def add(name, data=None, parent=None, **values):
    one = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(one)
    one.parent = parent
    for key, value in values.items():
        setattr(one, key, value)
    return one


def hide_in(name, *objects):
    """Moves objects into a collection that the scene shows only as an instance. Returns the instance."""
    collection = bpy.data.collections.new(name)
    for one in objects:
        collection.objects.link(one)
        bpy.context.scene.collection.objects.unlink(one)
    return add(f"copy of {name}", instance_type="COLLECTION", instance_collection=collection)


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


def material_of(name, image):
    """Creates a material with an image."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    tree.links.new(texture.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    return material


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
