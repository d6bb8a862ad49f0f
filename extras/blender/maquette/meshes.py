"""Evaluated meshes as arrays, and the vertices of a model made of them."""

import contextlib

import bpy
import numpy

# Blender's X, Y, Z are X, −Z, Y of glTF.
AXES = numpy.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], dtype=float)
# Axes of normals that differ by less are equal. Blender stores custom normals in steps of up to a quarter of a degree.
NEAR = 0.005
# Steps in which other normals are compared.
NORMAL_STEPS = 1000
NORMAL_STEP = 1 / NORMAL_STEPS
# Bits that store −1000 to 1000, and three of them with a further one.
AXIS_BITS, NORMAL_BITS = 11, 34


class Shape:
    """Positions and normals of a mesh at one time, in glTF's axes."""

    def __init__(self, mesh):
        self.positions = column(mesh.vertices, "co", 3) @ AXES.T
        self.normals = corner_normals(mesh) @ AXES.T

    def fits(self, other):
        return len(self.positions) == len(other.positions) and len(self.normals) == len(other.normals)


class Geometry(Shape):
    """A mesh with all that does not change: triangles, materials, texture coordinates and weights."""

    def __init__(self, one, mesh):
        mesh.calc_loop_triangles()
        super().__init__(mesh)
        self.vertices = column(mesh.loops, "vertex_index", 1, numpy.int32)
        self.triangles = column(mesh.loop_triangles, "loops", 3, numpy.int32)
        self.slots = column(mesh.loop_triangles, "material_index", 1, numpy.int32)
        # The material of a slot may belong to the object.
        own = list(mesh.materials)
        shown = [slot.material for slot in one.material_slots]
        self.materials = shown if len(shown) >= len(own) else own
        # Materials that name no layer use the first one.
        layers = sorted(mesh.uv_layers, key=lambda layer: not layer.active_render)
        self.uv_layers = [layer.name for layer in layers]
        self.uvs = [column(layer.data, "uv", 2) for layer in layers]
        self.colors = corner_colors(mesh, self.vertices)
        self.is_welded = undivided(one, mesh)
        self.weights = [[(each.group, each.weight) for each in vertex.groups] for vertex in mesh.vertices]

    def transform(self, matrix):
        """Moves all vertices. A mirroring matrix turns the triangles over."""
        linear = matrix[:3, :3]
        self.positions = self.positions @ linear.T + matrix[:3, 3]
        normals = self.normals @ numpy.linalg.inv(linear)
        self.normals = normals / numpy.maximum(numpy.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        if numpy.linalg.det(linear) < 0:
            self.triangles = self.triangles[:, ::-1]

    def corners_by_vertex(self, frames):
        """Numbers the vertices of the model. Corners share one if vertex and texture coordinates agree, and unless the
        vertex is welded, normals in all frames. Returns the number of each corner, and a corner for each number."""
        keys = [self.vertices[:, None], *(numpy.round(uv, 6) for uv in self.uvs)]
        keys += [] if self.colors is None else [numpy.round(self.colors, 4)]
        numbers = unique_rows(numpy.concatenate(keys, axis=1))
        for shape in (self, *frames):
            numbers = divided(numbers, numpy.where(self.is_welded[self.vertices, None], 0, shape.normals))
        # The order of the vertices follows that of the mesh.
        first = numpy.unique(numbers, return_index=True)[1]
        order = numpy.lexsort((first, self.vertices[first]))
        place = numpy.empty_like(order)
        place[order] = numpy.arange(len(order))
        return place[numbers], first[order]


def undivided(one, mesh):
    """Returns whether each vertex has one custom normal, as after an import. In other shapes, Blender turns it
    differently in faces that share only the vertex, but a game has one normal."""
    found, own = numpy.zeros(len(mesh.vertices), bool), one.data
    if one.type != "MESH" or not own.shape_keys or not own.has_custom_normals or len(own.vertices) != len(found):
        return found
    vertices = column(own.loops, "vertex_index", 1, numpy.int32)
    found[vertices] = True
    found[vertices[~near_first(unique_rows(vertices[:, None]), corner_normals(own))]] = False
    sharp = column(own.edges, "use_edge_sharp", 1, bool)
    found[column(own.edges, "vertices", 2, numpy.int32)[sharp]] = False
    return found


def near_first(numbers, normals):
    """Returns whether the normal of each corner is that of the first corner with its number."""
    first = numpy.unique(numbers, return_index=True)[1]
    return numpy.abs(normals - normals[first[numbers]]).max(axis=1) < NEAR


def divided(numbers, normals):
    """Divides groups of corners by their normals. Those near the normal of the first corner stay together."""
    keys = numpy.where(near_first(numbers, normals), 0, packed(normals) + 1)
    return numpy.unique(numbers << NORMAL_BITS | keys, return_inverse=True)[1].reshape(-1)


def packed(normals):
    """Returns a number for each normal. Equal normals have equal numbers."""
    steps = numpy.round(numpy.clip(normals, -1, 1) / NORMAL_STEP).astype(numpy.int64) + NORMAL_STEPS
    return (steps[:, 0] << 2 * AXIS_BITS) | (steps[:, 1] << AXIS_BITS) | steps[:, 2]


def mean_normals(normals, place, count):
    """Returns the mean normal of the corners of each vertex."""
    sums = numpy.stack([numpy.bincount(place, axis, count) for axis in normals.T], axis=1)
    lengths = numpy.linalg.norm(sums, axis=1, keepdims=True)
    return sums / numpy.maximum(lengths, 1e-12)


def unique_rows(rows):
    """Numbers rows, so that equal rows have equal numbers."""
    return numpy.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def column(items, name, width, kind=numpy.float32):
    found = numpy.empty(len(items) * width, kind)
    items.foreach_get(name, found)
    found = found.astype(float) if kind is numpy.float32 else found
    return found.reshape(-1, width) if width > 1 else found


def corner_normals(mesh):
    if bpy.app.version >= (4, 1, 0):
        return column(mesh.corner_normals, "vector", 3)
    mesh.calc_normals_split()
    return column(mesh.loops, "normal", 3)


def corner_colors(mesh, vertices):
    """Returns the active colours of all corners, or None."""
    active = mesh.color_attributes.active_color
    if not active:
        return None
    found = column(active.data, "color", 4)
    return found[vertices] if active.domain == "POINT" else found


@contextlib.contextmanager
def evaluated(one, graph):
    """Provides the mesh of an object as Blender shows it, or None for an object without faces."""
    shown = one.evaluated_get(graph) if one.original == one else one
    try:
        options = {"preserve_all_data_layers": True, "depsgraph": graph} if one.type == "MESH" else {}
        mesh = shown.to_mesh(**options)
        if options and one.original != one and not (mesh and mesh.polygons):
            # A copy whose geometry a modifier made has its faces only without further layers.
            shown.to_mesh_clear()
            mesh = shown.to_mesh()
    except RuntimeError:
        mesh = None
    try:
        yield mesh if mesh and mesh.polygons else None
    finally:
        shown.to_mesh_clear()


@contextlib.contextmanager
def without_armatures(shapes):
    """Turns off the deformation by armatures, which joints replace."""
    modifiers = [each for one in shapes for each in one.modifiers if each.type == "ARMATURE" and each.show_viewport]
    parented = [one for one in shapes if one.parent_type == "ARMATURE"]
    try:
        for modifier in modifiers:
            modifier.show_viewport = False
        for one in parented:
            one.parent_type = "OBJECT"
        yield
    finally:
        for modifier in modifiers:
            modifier.show_viewport = True
        for one in parented:
            one.parent_type = "ARMATURE"


def may_change(one):
    """Returns whether the mesh of an object may differ from frame to frame."""
    is_mesh = one.type == "MESH"
    return not is_mesh or bool(one.modifiers or one.data.shape_keys) or one.parent_type in {"ARMATURE", "LATTICE"}
