"""Makes manikin.glb, a wooden manikin with the surfaces, tags and clips of a Quake III player.

    python manikin.py [OUT.glb]                                       with the bpy package
    blender -b --factory-startup -P manikin.py [-- OUT.glb]

The manikin faces −Y, the front view of Blender. Its origin is 24 units above the ground, as in Quake III. A unit is
0.0254 m, and a frame lasts 1/15 s.
"""

import math
import os
import sys
from pathlib import Path

import bpy
import numpy
from mathutils import Euler, Matrix, Quaternion, Vector

UNIT = 0.0254
GROUND = -24
FPS = 15
SIDES = 8
MATERIAL = "models/players/manikin/body"
TEXTURE_SIZE = 128

# fmt: off
# Bones: name, parent, head and tail in units. Bones of the left side have a copy on the right side.
BONES = [
    ("hips", None, (0, 0, 0), (0, 0, 4)),
    ("spine", "hips", (0, 0, 4), (0, 0, 10)),
    ("chest", "spine", (0, 0, 10), (0, 0, 19)),
    ("head", "chest", (0, 0, 21), (0, 0, 31)),
    ("upper_arm.L", "chest", (6, 0, 17.5), (11.5, 0.5, 10)),
    ("forearm.L", "upper_arm.L", (11.5, 0.5, 10), (15, -1, 3)),
    ("hand.L", "forearm.L", (15, -1, 3), (16.5, -2, 0)),
    ("thigh.L", "hips", (3, 0, -0.5), (3.6, -0.4, -11)),
    ("shin.L", "thigh.L", (3.6, -0.4, -11), (4, 0.8, -21.5)),
    ("foot.L", "shin.L", (4, 0.8, -21.5), (4, -4.5, -23)),
]

# Parts: surface, bone, colour, and rings of position, half width, half depth. Those of the left side have a copy.
PARTS = [
    ("l_legs", "hips", "dark",
     [((0, 0, -3), 2, 1.6), ((0, 0, -1.5), 4.2, 2.8), ((0, 0, 2), 4, 2.8), ((0, 0, 4), 2.6, 2)]),
    ("l_legs", "thigh.L", "wood",
     [((3, 0, 0.5), 1.2, 1.2), ((3, 0, -2), 2.3, 2.5), ((3.4, -0.2, -6.5), 2, 2.2), ((3.6, -0.4, -10), 1.3, 1.4)]),
    ("l_legs", "shin.L", "wood",
     [((3.6, -0.5, -10), 1.2, 1.3), ((3.7, -0.3, -12), 1.6, 1.7), ((3.8, 0.4, -14.5), 1.6, 2),
      ((4, 0.8, -20.8), 0.9, 1)]),
    ("l_legs", "foot.L", "dark",
     [((4, 2.4, -23.2), 1.2, 0.8), ((4, 0.8, -22.3), 1.5, 1.6), ((4, -2.5, -23), 1.9, 1), ((4, -5, -23.4), 1.3, 0.5)]),
    ("u_torso", "spine", "dark",
     [((0, 0, 3), 2.6, 2), ((0, 0, 5), 3.4, 2.5), ((0, 0, 8.5), 3.6, 2.5), ((0, 0, 11), 3, 2)]),
    ("u_torso", "chest", "wood",
     [((0, 0, 9.5), 3.2, 2.2), ((0, -0.2, 12), 4.9, 3.2), ((0, -0.2, 16), 5.6, 3.4), ((0, 0, 18.8), 3.5, 2.2),
      ((0, 0, 20), 1.4, 1.4), ((0, 0, 22), 1.3, 1.3)]),
    ("u_torso", "chest", "cloth",
     [((4.2, 0, 18.6), 0.6, 2.6), ((2.4, -0.1, 16.4), 0.9, 3.7), ((-1.4, -0.1, 12.8), 1, 3.8),
      ((-4.3, 0, 10.2), 0.6, 2.4)]),
    ("u_arms", "upper_arm.L", "wood",
     [((5.4, 0, 18.4), 1.1, 1.1), ((6.4, 0, 17), 1.9, 1.9), ((9, 0.2, 13.4), 1.5, 1.6), ((11.2, 0.5, 10.5), 1.1, 1.1)]),
    ("u_arms", "forearm.L", "wood",
     [((11.3, 0.5, 10.4), 1, 1), ((12.2, 0.2, 8.6), 1.4, 1.5), ((13.4, -0.4, 6.2), 1.2, 1.3),
      ((14.8, -0.9, 3.4), 0.8, 0.8)]),
    ("u_arms", "hand.L", "dark",
     [((14.8, -0.9, 3.4), 0.7, 0.8), ((15.4, -1.3, 2), 1, 1.5), ((16.1, -1.8, 0.6), 0.9, 1.4),
      ((16.7, -2.1, -0.6), 0.4, 0.7)]),
    ("h_head", "head", "face",
     [((0, -0.3, 21.6), 1.4, 1.5), ((0, -0.6, 23.4), 2.5, 2.8), ((0, -0.4, 26.4), 3.1, 3.5),
      ((0, 0, 29.4), 2.6, 3), ((0, 0.3, 31), 1.2, 1.4)]),
    ("h_head", "head", "cloth", [((0, -0.4, 27.4), 3.3, 3.7), ((0, -0.2, 28.8), 3.1, 3.5)]),
]

# Tags and the bones that move them. In the first frame of TORSO_STAND, all tags have the axes of the model.
TAGS = [("tag_torso", "hips", (0, 0, 4)), ("tag_head", "head", (0, 0, 21)), ("tag_weapon", "hand.R", None)]

COLOURS = {
    "wood": (0.80, 0.60, 0.36),
    "dark": (0.36, 0.22, 0.13),
    "cloth": (0.16, 0.32, 0.55),
    "face": (0.84, 0.65, 0.41),
}

# fmt: on


def mirrored(name):
    return name.removesuffix(".L") + ".R"


def both_sides(rows, mirror):
    """Adds copies of the rows of the left side for the right side."""
    found = []
    for row in rows:
        found.append(row)
        copy = mirror(row)
        if copy:
            found.append(copy)
    return found


def flip(point):
    return (-point[0], *point[1:])


def mirrored_bone(row):
    name, parent, head, tail = row
    side = mirrored(parent) if parent and parent.endswith(".L") else parent
    return (mirrored(name), side, flip(head), flip(tail)) if name.endswith(".L") else None


def mirrored_part(row):
    surface, bone, colour, rings = row
    copies = [(flip(point), width, depth) for point, width, depth in rings]
    return (surface, mirrored(bone), colour, copies) if bone.endswith(".L") else None


def make_armature():
    armature = bpy.data.objects.new("manikin", bpy.data.armatures.new("manikin"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in both_sides(BONES, mirrored_bone):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = Vector(head) * UNIT, Vector(tail) * UNIT
        bone.parent = armature.data.edit_bones.get(parent) if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return armature


def ring(points, index, width, depth):
    """Returns the corners of an ellipse across the path through the points."""
    before, after = Vector(points[max(index - 1, 0)]), Vector(points[min(index + 1, len(points) - 1)])
    along = (after - before).normalized()
    # Width is along X, unless the path itself is.
    side = Vector((1, 0, 0)) if abs(along.x) < 0.9 else Vector((0, 0, 1))
    side = (side - along * side.dot(along)).normalized()
    front = along.cross(side)
    turns = [(step + 0.5) / SIDES * math.tau for step in range(SIDES)]
    return [Vector(points[index]) + side * width * math.sin(turn) - front * depth * math.cos(turn) for turn in turns]


class Surface:
    """Vertices, faces, texture coordinates and bones of one surface."""

    def __init__(self):
        self.vertices, self.bones, self.faces, self.uvs = [], [], [], []

    def add(self, bone, colour, rings):
        first = len(self.vertices)
        points = [point for point, _, _ in rings]
        corners = [ring(points, index, width, depth) for index, (_, width, depth) in enumerate(rings)]
        self.vertices += [corner * UNIT for row in corners for corner in row]
        self.bones += [bone] * (len(rings) * SIDES)
        cell = list(COLOURS).index(colour)
        low, high = Vector((cell % 2, cell // 2)) / 2 + Vector((0.02, 0.02)), 0.46
        # The height of a ring in the texture is its share of the length of the part.
        lengths = [0.0]
        for one, other in zip(points, points[1:]):
            lengths.append(lengths[-1] + (Vector(other) - Vector(one)).length)
        heights = [length / lengths[-1] for length in lengths]
        for row in range(len(rings) - 1):
            for step in range(SIDES):
                quad = [(row, step), (row, step + 1), (row + 1, step + 1), (row + 1, step)]
                self.faces.append([first + level * SIDES + turn % SIDES for level, turn in quad])
                self.uvs.append([low + Vector((turn / SIDES, heights[level])) * high for level, turn in quad])
        for row, steps in ((0, range(SIDES)[::-1]), (len(rings) - 1, range(SIDES))):
            self.faces.append([first + row * SIDES + step for step in steps])
            self.uvs.append([low + Vector((step / SIDES, heights[row])) * high for step in steps])

    def mesh_object(self, name, material, armature):
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(self.vertices, [], self.faces)
        layer = mesh.uv_layers.new(name="UVMap")
        for loop, uv in zip(layer.data, (uv for face in self.uvs for uv in face)):
            loop.uv = uv
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        mesh.materials.append(material)
        mesh.validate()
        made = bpy.data.objects.new(name, mesh)
        bpy.context.collection.objects.link(made)
        made.parent = armature
        made.modifiers.new("Armature", "ARMATURE").object = armature
        for bone in dict.fromkeys(self.bones):
            group = made.vertex_groups.new(name=bone)
            group.add([vertex for vertex, own in enumerate(self.bones) if own == bone], 1, "REPLACE")
        return made


def make_texture():
    """Returns an image of four cells with wood grain, and a face."""
    size, half = TEXTURE_SIZE, TEXTURE_SIZE // 2
    pixels = numpy.ones((size, size, 4))
    row, column = numpy.mgrid[0:half, 0:half]
    for cell, (name, colour) in enumerate(COLOURS.items()):
        shade = 0.9 + 0.1 * row / half
        if name != "cloth":
            shade = shade + 0.05 * numpy.sin(column * 1.3 + 2.5 * numpy.sin(row * 0.21))
        pixels_of_cell = numpy.array(colour) * shade[..., None]
        if name == "face":
            # The front is at the seam of the texture and half a turn from the back.
            for eye in (0.09, 0.91):
                pixels_of_cell[numpy.hypot(column / half - eye, (row / half - 0.45) * 0.6) < 0.03] = 0.06
        y, x = cell // 2 * half, cell % 2 * half
        pixels[y : y + half, x : x + half, :3] = numpy.clip(pixels_of_cell, 0, 1)
    image = bpy.data.images.new("body", size, size)
    image.pixels.foreach_set(pixels.astype(numpy.float32).ravel())
    image.pack()
    return image


def make_material():
    material = bpy.data.materials.new(MATERIAL)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.7
    texture = material.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = make_texture()
    material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


# fmt: off
# Poses: for each bone, angles in degrees about the axes of the model. Turning about X moves the lower end of a
# limb backwards, turning about Y and Z moves it sideways.
ARMED = {
    "upper_arm.R": (-12, -22, 0), "forearm.R": (-72, 0, 14), "hand.R": (-8, 0, 0),
    "upper_arm.L": (-38, 18, 0), "forearm.L": (-62, 0, -48), "hand.L": (0, 0, 0),
    "chest": (4, 0, 6), "head": (-4, 0, -6),
}
BUCKLED = {
    **ARMED, "hips": (-18, 0, 0), "chest": (25, 0, 0), "head": (20, 0, 0),
    "thigh.L": (-35, 0, 0), "thigh.R": (-25, 0, 0), "shin.L": (70, 0, 0), "shin.R": (60, 0, 0),
}
FALLEN = {
    "hips": (-92, 0, 0), "spine": (4, 0, 0), "chest": (6, 0, 8), "head": (10, 0, 30),
    "upper_arm.L": (10, -55, 0), "upper_arm.R": (15, 65, 0), "forearm.L": (-20, 0, 0), "forearm.R": (-15, 0, 0),
    "thigh.L": (-22, -10, 0), "thigh.R": (-4, 14, 0), "shin.L": (38, 0, 0), "shin.R": (10, 0, 0),
    "foot.L": (-10, 0, 0), "foot.R": (20, 0, 0),
}
# fmt: on


def wave(time, phase=0.0):
    return math.sin((time + phase) * math.tau)


def idle(time):
    breath = 0.5 - 0.5 * math.cos(time * math.tau)
    bend = 7 + 3 * breath
    legs = {
        f"{bone}.{side}": (angle, 0, 0)
        for side in "LR"
        for bone, angle in (("thigh", -bend), ("shin", 2 * bend), ("foot", -bend))
    }
    return {**legs, "thigh.L": (-bend, -4, 6), "thigh.R": (-bend, 4, -6)}


def stride(time, swing, lift, lean):
    """Returns a pose of a step cycle."""
    pose = {"hips": (lean, 0, 6 * wave(time))}
    for side, phase in (("L", 0.0), ("R", 0.5)):
        thigh = -swing * wave(time, phase) - lift * 0.2
        # The knee bends while the leg swings forward.
        knee = 8 + lift * max(0.0, math.cos((time + phase) * math.tau)) ** 1.5
        pose[f"thigh.{side}"] = (thigh - lean, 0, 0)
        pose[f"shin.{side}"] = (knee, 0, 0)
        pose[f"foot.{side}"] = (-(thigh + knee) * 0.6, 0, 0)
    return pose


def stand(time):
    return {**ARMED, "chest": (4 - 2 * wave(time), 0, 6), "upper_arm.L": (-38 + 1.5 * wave(time), 18, 0)}


def attack(time):
    kick = math.exp(-6 * time) * min(1.0, time * 12)
    pose = dict(ARMED)
    for bone, axis, angle in (("upper_arm.R", 0, 22), ("forearm.R", 0, -26), ("chest", 0, -9), ("head", 0, 8)):
        pose[bone] = tuple(old + (angle * kick if index == axis else 0) for index, old in enumerate(pose[bone]))
    return pose


def blended(one, other, share):
    bones = one.keys() | other.keys()
    zero = (0, 0, 0)
    return {
        bone: tuple(a + (b - a) * share for a, b in zip(one.get(bone, zero), other.get(bone, zero))) for bone in bones
    }


def death(time):
    if time < 0.35:
        return blended({**idle(0), **ARMED}, BUCKLED, time / 0.35)
    fall = min(1.0, (time - 0.35) / 0.4)
    bounce = 4 * math.sin(max(0.0, time - 0.75) * 4 * math.pi) * math.exp(-8 * max(0.0, time - 0.75))
    pose = blended(BUCKLED, FALLEN, fall * fall)
    pose["hips"] = (pose["hips"][0] + bounce, 0, 0)
    return pose


# Clips: name, frames, pose at a time from 0 to 1, whether the first frame follows the last.
CLIPS = [
    ("BOTH_DEATH1", 24, death, False),
    ("TORSO_STAND", 20, stand, True),
    ("TORSO_ATTACK", 8, attack, False),
    ("LEGS_WALK", 16, lambda time: stride(time, 26, 42, 3), True),
    ("LEGS_RUN", 11, lambda time: stride(time, 42, 85, 9), True),
    ("LEGS_IDLE", 20, idle, True),
]


def set_pose(armature, surfaces, angles, on_ground):
    """Poses the armature, and moves the hips so that the lowest vertex is on the ground."""
    for bone in armature.pose.bones:
        rest = bone.bone.matrix_local.to_quaternion()
        turn = Euler([math.radians(angle) for angle in angles.get(bone.name, (0, 0, 0))]).to_quaternion()
        bone.rotation_quaternion = rest.inverted() @ turn @ rest
        bone.location = (0, 0, 0)
    if on_ground:
        graph = bpy.context.evaluated_depsgraph_get()
        lowest = min(vertex.co.z for surface in surfaces for vertex in surface.evaluated_get(graph).data.vertices)
        hips = armature.pose.bones["hips"]
        offset = Vector((0, 0, GROUND * UNIT - lowest))
        hips.location = hips.bone.matrix_local.to_quaternion().inverted() @ offset
    bpy.context.view_layer.update()


def make_clips(armature, surfaces):
    armature.animation_data_create()
    for name, frames, pose, loops in CLIPS:
        action = bpy.data.actions.new(name)
        action.use_fake_user = True
        armature.animation_data.action = action
        before = {}
        for frame in range(frames):
            angles = pose(frame / (frames if loops else frames - 1))
            set_pose(armature, surfaces, angles, not name.startswith("TORSO"))
            for bone in armature.pose.bones:
                # A rotation has two quaternions. Interpolation takes the shorter way to the one near the last key.
                if bone.name in before and before[bone.name].dot(bone.rotation_quaternion) < 0:
                    bone.rotation_quaternion = -bone.rotation_quaternion
                before[bone.name] = Quaternion(bone.rotation_quaternion)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            armature.pose.bones["hips"].keyframe_insert("location", frame=frame)
    armature.animation_data.action = bpy.data.actions["TORSO_STAND"]


def make_tags(armature, surfaces):
    """Adds the tags in the first pose of TORSO_STAND."""
    armature.animation_data_clear()
    set_pose(armature, surfaces, ARMED, False)
    for name, bone, point in TAGS:
        tag = bpy.data.objects.new(name, None)
        tag.empty_display_type, tag.empty_display_size = "ARROWS", 4 * UNIT
        bpy.context.collection.objects.link(tag)
        tag.parent, tag.parent_type, tag.parent_bone = armature, "BONE", bone
        bpy.context.view_layer.update()
        place = armature.pose.bones[bone].center if point is None else Vector(point) * UNIT
        tag.matrix_world = Matrix.Translation(place)
    bpy.context.view_layer.update()


def make_manikin():
    """Makes the manikin in an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    armature = make_armature()
    surfaces = {}
    for surface, bone, colour, rings in both_sides(PARTS, mirrored_part):
        surfaces.setdefault(surface, Surface()).add(bone, colour, rings)
    material = make_material()
    meshes = [surface.mesh_object(name, material, armature) for name, surface in surfaces.items()]
    make_tags(armature, meshes)
    make_clips(armature, meshes)
    return armature


def main():
    # Blender itself passes its own arguments before “--”; the bpy package has no program.
    own = sys.argv.index("--") + 1 if "--" in sys.argv else len(sys.argv) if bpy.app.binary_path else 1
    arguments = sys.argv[own:]
    output = Path(arguments[0] if arguments else Path(__file__).with_name("manikin.glb")).resolve()
    make_manikin()
    bpy.ops.export_scene.gltf(filepath=str(output), export_format="GLB", export_frame_range=False)
    print(output, output.stat().st_size, "bytes")
    sys.stdout.flush()
    # The bpy package 4.2 may crash at the end of a program that used glTF.
    os._exit(0)


if __name__ == "__main__":
    main()
