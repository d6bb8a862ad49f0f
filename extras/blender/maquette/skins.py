"""Joints and weights of skinned meshes."""

import numpy

from .nodes import FROM_GLTF

# Scales of axes that differ by less, relative to the largest, are equal.
EVEN = 1e-4


class Skin:
    """Joints of a mesh, the matrices from the model to each joint at rest, and the weights of its vertices."""

    def __init__(self, surface, armature, tree, rest):
        one = surface.node.object
        places = {node: index for index, node in enumerate(tree.nodes)}
        root = tree.objects[armature]
        joints = [node for node in tree.nodes if node.bone and node.object == armature]
        if is_uneven(rest[places[root]]):
            # As joints, the objects keep an uneven scale apart from the rotations of the bones.
            joints = [*placing(root), *joints]
        numbers = {node.bone: index for index, node in enumerate(joints) if node.object == armature}
        free = numbers.get(None, len(joints))
        groups = [numbers.get(group.name) if deforms(armature, group.name) else None for group in one.vertex_groups]
        self.weights = []
        for own in surface.geometry.weights:
            kept = [(groups[group], weight) for group, weight in own if group < len(groups) and weight > 0]
            kept = [(joint, weight) for joint, weight in kept if joint is not None]
            # Blender leaves vertices without weights where the mesh object is.
            kept = kept or [(free, 1)]
            total = sum(weight for _, weight in kept)
            self.weights.append([(joint, weight / total) for joint, weight in kept])
        if any(joint == len(joints) for own in self.weights for joint, _ in own):
            joints.append(root)
        self.nodes = [places[node] for node in joints]
        # The vertices are where the mesh is at rest, because the node of a skinned mesh does not place them.
        surface.geometry.transform(rest[places[surface.node]])
        from_model = numpy.linalg.inv(rest[places[root]])
        self.inverse = numpy.linalg.inv(rest[self.nodes])
        for index, node in enumerate(joints):
            if node.bone and node.object == armature:
                self.inverse[index] = inverse_bind(node) @ from_model

    def positions(self, worlds, points):
        """Returns the positions of points of the mesh for matrices of all nodes."""
        matrices = worlds[self.nodes] @ self.inverse
        points = numpy.concatenate([points, numpy.ones((len(points), 1))], axis=1)
        moved = numpy.zeros((len(points), 3))
        for joints, weights in all_sets(self.weights, len(points)):
            for column in range(joints.shape[1]):
                own = numpy.einsum("vij,vj->vi", matrices[joints[:, column]], points)
                moved += weights[:, column, None] * own[:, :3]
        return moved


def deforms(armature, name):
    bone = armature.data.bones.get(name)
    return bool(bone and bone.use_deform)


def placing(node):
    """Returns the objects that place an armature, and last the armature."""
    return [*placing(node.parent), node] if node.parent else [node]


def is_uneven(matrix):
    lengths = numpy.linalg.norm(matrix[:3, :3], axis=0)
    is_sheared = numpy.abs(numpy.triu(matrix[:3, :3].T @ matrix[:3, :3], 1)).max() > EVEN * lengths.max() ** 2
    return is_sheared or numpy.ptp(lengths) > EVEN * lengths.max()


def inverse_bind(node):
    """Returns the matrix from an armature, in the axes of glTF, to the joint of a bone at rest."""
    bone = node.object.data.bones[node.bone].matrix_local
    return numpy.array((bone @ node.turn).inverted() @ FROM_GLTF)


def all_sets(weights, count):
    """Returns joints and weights in sets of four for each vertex."""
    width = max(4, -(-max(map(len, weights)) // 4) * 4)
    joints = numpy.zeros((count, width), numpy.uint16)
    values = numpy.zeros((count, width), numpy.float32)
    for vertex, own in enumerate(weights):
        for place, (joint, weight) in enumerate(own):
            joints[vertex, place] = joint
            values[vertex, place] = weight
    return [(joints[:, at : at + 4], values[:, at : at + 4]) for at in range(0, width, 4)]
