"""Differences between what Blender shows and what joints can store."""

import numpy

# Smaller differences are not reported, in units of the game.
REPORTED = 0.1


def of_joints(sample, scale):
    """Returns a message for each mesh that joints do not move as Blender does."""
    found = []
    for surface in sample.surfaces:
        furthest = max((distance(surface, sample, *at) for at in surface.compared), default=0) / scale
        if furthest > REPORTED:
            name = surface.node.name
            found.append(
                f"“{name}” moves up to {furthest:.1f} units differently than in Blender, because the format stores "
                f"only joints; {reasons(surface.source)}"
            )
    return found


def distance(surface, sample, worlds, shape):
    """Returns the largest distance between a shown vertex and the one that the joints move."""
    index = sample.tree.nodes.index(surface.node)
    shown = transformed(worlds[index], shape.positions)
    rest = surface.geometry.positions
    node = surface.node
    moved = node.skin.positions(worlds, rest) if node.skin else transformed(worlds[index], rest)
    return float(numpy.linalg.norm(shown - moved, axis=1).max())


def transformed(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def reasons(one):
    """Names what may deform an object besides joints."""
    names = [f"modifier “{each.name}”" for each in one.modifiers if each.type != "ARMATURE" and each.show_viewport]
    if getattr(one.data, "shape_keys", None):
        names.insert(0, "shape keys")
    if any(each.type == "ARMATURE" and each.use_deform_preserve_volume for each in one.modifiers):
        names.append("Preserve Volume")
    return "it has " + ", ".join(names) if names else "several armatures or envelopes may deform it"


def of_frames(sample):
    """Returns a message for each mesh whose number of vertices changes."""
    return [
        f"“{surface.node.name}” changes its number of vertices; those frames have its first shape"
        for surface in sample.surfaces
        if surface.is_cut
    ]
