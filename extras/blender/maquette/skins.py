"""Joints and weights of skinned meshes."""

import numpy

from .nodes import FROM_GLTF


class Skin:
    """Joints of a mesh, the matrices from the model to each joint at rest, and the weights of its vertices."""

    def __init__(self, surface, armature, tree, rest):
        one = surface.node.object
        places = {node: index for index, node in enumerate(tree.nodes)}
        bones = [(node.bone, node) for node in tree.nodes if node.bone and node.object == armature]
        numbers = {bone: index for index, (bone, _) in enumerate(bones)}
        groups = [numbers.get(group.name) if deforms(armature, group.name) else None for group in one.vertex_groups]
        self.nodes = [places[node] for _, node in bones]
        self.weights = []
        for own in surface.geometry.weights:
            kept = [(groups[group], weight) for group, weight in own if group < len(groups) and weight > 0]
            kept = [(joint, weight) for joint, weight in kept if joint is not None]
            # Blender leaves vertices without weights where the mesh object is.
            kept = kept or [(len(bones), 1)]
            total = sum(weight for _, weight in kept)
            self.weights.append([(joint, weight / total) for joint, weight in kept])
        if any(joint == len(bones) for own in self.weights for joint, _ in own):
            self.nodes.append(places[tree.objects[armature]])
        # The vertices are where the mesh is at rest, because the node of a skinned mesh does not place them.
        surface.geometry.transform(rest[places[surface.node]])
        above = numpy.linalg.inv(rest[places[tree.objects[armature]]])
        self.inverse = numpy.array([inverse_bind(tree.nodes[index], armature) for index in self.nodes]) @ above

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


def inverse_bind(node, armature):
    """Returns the matrix from an armature to its joint at rest. The armature is in glTF's axes."""
    if node.bone:
        bone = armature.data.bones[node.bone].matrix_local
        return numpy.array((bone @ node.turn).inverted() @ FROM_GLTF)
    return numpy.eye(4)


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
