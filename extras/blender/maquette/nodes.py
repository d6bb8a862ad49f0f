"""Nodes of the exported file: objects, bones, and copies of objects."""

import math

import numpy
from mathutils import Matrix, Quaternion

from . import choice as choices
from . import gltf

# Blender's axes to those of glTF.
TO_GLTF = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
FROM_GLTF = TO_GLTF.inverted()
# Axes of a tag for a bone that points forward: the bone's Y becomes glTF's Z, and its Z glTF's Y.
POINTING = Matrix(((-1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
# Turns the mirrored joints of a mirrored armature into rotations, because most formats store no mirrored joint.
MIRROR = Matrix.Diagonal((-1, 1, 1, 1))
# Prefixes of bones of Rigify.
ORIGINAL, DEFORMING = "ORG-", "DEF-"
# Custom property of a bone that was turned on import: the rotation to the joint of the model.
TURNED = "importedAxes"


class Node:
    """An object, a bone or a copy of an object."""

    def __init__(self, name, one, parent=None, bone=None):
        self.name = name
        self.object = one
        self.parent = parent
        self.bone = bone
        self.turn = Matrix()
        # Identity of a copy, and its place below the object that shows it.
        self.copy = self.offset = None
        self.mesh = None
        self.skin = None
        source = one.pose.bones[bone] if bone else one
        self.extras = gltf.properties(source)
        if bone:
            self.extras = {**gltf.properties(source.bone), **self.extras}
            turned = self.extras.pop(TURNED, None)
            if turned:
                self.turn = Quaternion(turned).to_matrix().to_4x4()
            if one.matrix_world.is_negative:
                self.turn = self.turn @ MIRROR
        self.order = self.extras.get(gltf.ORDER, math.inf)

    def get(self, name):
        """Returns a custom property, or None."""
        return self.extras.get(name)

    def world(self, graph, copies):
        """Returns the matrix of the node in the axes of glTF. `copies` has the matrices of present copies."""
        shown = self.object.evaluated_get(graph)
        if self.copy:
            return TO_GLTF @ copies.get(self.copy, shown.matrix_world @ self.offset) @ FROM_GLTF
        if self.bone:
            return TO_GLTF @ shown.matrix_world @ shown.pose.bones[self.bone].matrix @ self.turn
        return TO_GLTF @ shown.matrix_world @ FROM_GLTF


class Tree:
    """All nodes of an export, parents before their children."""

    def __init__(self, choice, is_skeletal, deform_only, bones_point):
        self.nodes = []
        self.objects = {}
        self.bones = {}
        self.names = set()
        self.is_skeletal = is_skeletal
        # New names of joints by armature, because another armature has bones of these names.
        self.renamed = {}
        joints = set()
        for armature in choice.moving_armatures():
            for bone, above in exported_bones(armature, is_skeletal, deform_only).items():
                self.add_bone(armature, bone, above, bones_point, joints)
        for one in choice.objects:
            self.add(one)

    def add(self, one):
        """Adds an object with its ancestors."""
        if one not in self.objects:
            above = one.parent
            parent = self.add(above) if above else None
            if above and one.parent_type == "BONE" and above.type == "ARMATURE":
                bone = above.data.bones.get(one.parent_bone)
                while bone and (above, bone.name) not in self.bones:
                    bone = bone.parent
                parent = self.bones[above, bone.name] if bone else parent
            self.objects[one] = self.append(Node(one.name, one, parent))
        return self.objects[one]

    def add_bone(self, armature, bone, above, bones_point, joints):
        parent = self.bones[armature, above.name] if above else self.add(armature)
        node = Node(bone.name, armature, parent, bone.name)
        if bones_point and choices.is_tag(bone):
            node.turn = node.turn @ POINTING
        if bone.name in joints:
            node.name = f"{armature.name}.{bone.name}"
            self.renamed.setdefault(armature.name, []).append(node.name)
        joints.add(bone.name)
        self.bones[armature, bone.name] = self.append(node)

    def add_copy(self, key, copy, parent):
        """Adds a copy of an object, which a collection or a modifier creates, below the object that shows it."""
        one = copy.object.original
        node = Node(one.name, parent.object, parent)
        node.extras = gltf.properties(one)
        node.copy = key
        node.offset = parent.object.matrix_world.inverted_safe() @ copy.matrix_world
        return self.append(node)

    def notes(self):
        """Returns a message for each armature with renamed joints."""
        return [
            f"{len(names)} bones of “{armature}” are named like bones of another armature, and are called {names[0]}"
            + (f" to {names[-1]}" if len(names) > 1 else "")
            for armature, names in self.renamed.items()
        ]

    def append(self, node):
        self.nodes.append(node)
        return node

    def worlds(self, graph):
        """Returns the matrices of all nodes."""
        is_copied = any(node.copy for node in self.nodes)
        present = {key: copy.matrix_world.copy() for key, copy in copies(graph)} if is_copied else {}
        return numpy.array([node.world(graph, present) for node in self.nodes])


def copies(graph):
    """Yields the copies of objects that collections and modifiers create, each with an identity for all frames."""
    for copy in graph.object_instances:
        if copy.is_instance and copy.parent:
            yield (copy.parent.original, copy.object.original, *copy.persistent_id), copy


def sorted_bones(armature):
    """Returns the bones in the order of the imported model, parents first."""
    found = []
    bones = sorted(armature.data.bones, key=lambda bone: bone.get(gltf.ORDER, math.inf))

    def visit(bone):
        if bone not in seen:
            if bone.parent:
                visit(bone.parent)
            seen.add(bone)
            found.append(bone)

    seen = set()
    for bone in bones:
        visit(bone)
    return found


def exported_bones(armature, is_skeletal, deform_only):
    """Returns the exported bones with their exported parents, parents first."""
    chosen = [bone for bone in sorted_bones(armature) if is_exported(bone, is_skeletal, deform_only)]
    names = {bone.name for bone in chosen}
    found = {}

    def visit(bone, below):
        above = exported_parent(bone, names)
        above = None if above in below else above
        if above and above not in found:
            visit(above, below | {bone})
        found[bone] = above

    for bone in chosen:
        if bone not in found:
            visit(bone, {bone})
    return found


def exported_parent(bone, names):
    """Returns the closest ancestor that is exported. In Rigify, a deforming bone “DEF-x” stands for the bone “ORG-x”,
    which does not deform."""
    for above in bone.parent_recursive:
        for name in (above.name, above.name.replace(ORIGINAL, DEFORMING, 1)):
            if name in names and name != bone.name:
                return bone.id_data.bones[name]
    return None


def is_exported(bone, is_skeletal, deform_only):
    return choices.is_tag(bone) or (is_skeletal and (bone.use_deform or not deform_only))
