"""Evaluated frames of the scene: matrices of all nodes and shapes of all meshes."""

import numpy

from . import choice as choices
from . import clips as clip_lists
from . import meshes, skins
from .nodes import copies
from .playback import Playback

# Matrices that differ by less are equal, relative to the largest one. Blender computes them in single precision.
SAME = 1e-6
# Number of frames of each clip at which joints are compared with the shown mesh.
COMPARED = 4


def reach(worlds):
    """Returns the largest coordinate of the positions of matrices."""
    return numpy.abs(worlds[..., :3, 3]).max()


def differ(worlds, others, distance):
    """Returns whether matrices differ by more than rounding, for positions up to a distance from the origin."""
    gaps = numpy.abs(worlds - others)
    axes = numpy.abs(worlds[..., :3, :3]).max()
    return gaps[..., :3, :3].max() > SAME * axes or gaps[..., :3, 3].max() > SAME * distance


class Surface:
    """A mesh of the export, with the shapes that it takes."""

    def __init__(self, node, source, geometry):
        self.node = node
        # The object whose mesh is shown. A copy has the node of the object that shows it.
        self.source = source
        self.geometry = geometry
        self.shapes = []
        self.known = {shape_key(geometry): -1}
        self.is_cut = False
        # (matrices of all nodes, shape) at the compared frames.
        self.compared = []

    @property
    def can_change(self):
        return meshes.may_change(self.source)

    def shape_of(self, shown, graph):
        """Returns the present shape, or None if its vertices are not those of the first one."""
        with meshes.evaluated(shown, graph) as mesh:
            shape = meshes.Shape(mesh) if mesh else None
        if shape and shape.fits(self.geometry):
            return shape
        self.is_cut = True
        return None

    def number(self, shape):
        """Returns the index of a shape, or −1 for the first one."""
        if not shape:
            return -1
        key = shape_key(shape)
        if key not in self.known:
            self.known[key] = len(self.shapes)
            self.shapes.append(shape)
        return self.known[key]


def shapes_at(surfaces, graph):
    """Returns the present shapes of surfaces, without those of copies that do not exist now."""
    found = {surface: surface.shape_of(surface.source, graph) for surface in surfaces if not surface.node.copy}
    copied = {surface.node.copy: surface for surface in surfaces if surface.node.copy}
    for key, copy in copies(graph) if copied else ():
        if key in copied:
            found[copied[key]] = copied[key].shape_of(copy.object, graph)
    return found


def shape_key(shape):
    return numpy.round(shape.positions, 6).tobytes() + numpy.round(shape.normals, 3).tobytes()


class Frames:
    """The frames of a clip."""

    def __init__(self, clip):
        self.clip = clip
        self.worlds = []
        self.shapes = {}

    def ends_closed(self):
        """Returns whether the last frame before the copy of the first one equals the copy."""
        is_shaped = any(numbers[-2] != numbers[-1] for numbers in self.shapes.values())
        return not is_shaped and not differ(self.worlds[-2], self.worlds[-1], reach(self.worlds))


class Sample:
    """The scene at rest and in all frames of its clips."""

    def __init__(self, context, choice, tree, found):
        self.tree = tree
        self.surfaces = []
        self.dropped = []
        # Objects that are hidden in some frames.
        self.blinking = set()
        with Playback(context, found, choice) as playback:
            playback.rest()
            self.read_meshes(context, choice)
            self.rest = tree.worlds(context.evaluated_depsgraph_get())
            for surface in self.surfaces:
                one = surface.node.object
                armature = choice.armature_of(one) if tree.is_skeletal and not surface.node.copy else None
                if armature:
                    surface.node.skin = skins.Skin(surface, armature, tree, self.rest)
            self.clips = [self.play(context, playback, clip) for clip in found]
            if not found and tree.is_skeletal:
                self.compare(context.evaluated_depsgraph_get(), self.rest)
        self.drop_clips(choice)

    def add_findings(self, other):
        """Adds what another sample of the scene found."""
        self.dropped += other.dropped
        self.blinking |= other.blinking
        for surface, found in zip(self.surfaces, other.surfaces):
            surface.compared += found.compared
            surface.is_cut |= found.is_cut

    def read_meshes(self, context, choice):
        skinned = [one for one in choice.shapes if choice.armature_of(one)] if self.tree.is_skeletal else []
        with meshes.without_armatures(skinned):
            context.view_layer.update()
            graph = context.evaluated_depsgraph_get()
            for one in choice.shapes:
                if not one.is_instancer or one.show_instancer_for_viewport:
                    self.add(self.tree.objects[one], one, one, graph)
        context.view_layer.update()
        graph = context.evaluated_depsgraph_get()
        for key, copy in copies(graph):
            if copy.parent.original in choice.chosen:
                self.add_copy(key, copy, graph)

    def add_copy(self, key, copy, graph):
        """Adds an object of a collection instance, or one that a modifier creates."""
        one, original = copy.object, copy.object.original
        is_shape = original.type in choices.SHAPES
        # Curves and texts list their own mesh as a copy.
        if (original == copy.parent.original and original.type != "MESH") or not (
            is_shape or choices.is_model(original)
        ):
            return
        node = self.tree.add_copy(key, copy, self.tree.add(copy.parent.original))
        if is_shape:
            self.add(node, one, original, graph)

    def add(self, node, shown, original, graph):
        with meshes.evaluated(shown, graph) as mesh:
            if mesh:
                surface = Surface(node, original, meshes.Geometry(original, mesh))
                node.mesh = surface
                self.surfaces.append(surface)

    def play(self, context, playback, clip):
        frames = Frames(clip)
        playback.start(clip)
        changing = [surface for surface in self.surfaces if surface.can_change]
        frames.shapes = {surface: [] for surface in changing if not self.tree.is_skeletal}
        times = clip.times()
        compared = {*numpy.linspace(0, len(times) - 1, COMPARED).astype(int)}
        for index, time in enumerate(times):
            playback.show(time)
            graph = context.evaluated_depsgraph_get()
            worlds = self.tree.worlds(graph)
            frames.worlds.append(worlds)
            present = shapes_at(frames.shapes, graph)
            for surface, numbers in frames.shapes.items():
                numbers.append(surface.number(present.get(surface)))
            shown = [surface.source for surface in self.surfaces if not surface.node.copy]
            self.blinking |= {one.name for one in shown if one.hide_render or not one.visible_get()}
            if self.tree.is_skeletal and index in compared:
                self.compare(graph, worlds)
        frames.worlds = numpy.array(frames.worlds)
        if clip.may_end_closed and frames.ends_closed():
            clip.end_closed()
            frames.worlds = frames.worlds[:-1]
            frames.shapes = {surface: numbers[:-1] for surface, numbers in frames.shapes.items()}
        return frames

    def compare(self, graph, worlds):
        changing = [surface for surface in self.surfaces if surface.can_change]
        for surface, shape in shapes_at(changing, graph).items():
            if shape:
                surface.compared.append((worlds, shape))

    def drop_clips(self, choice):
        """Drops clips that move nothing of the model. A clip of an armature or of an imported model stays."""
        shown = [index for index, node in enumerate(self.tree.nodes) if node.mesh or node.bone or choices.is_tag(node)]
        has_bones = any(node.bone for node in self.tree.nodes)
        kept = []
        for frames in self.clips:
            # The first frame of a timeline may differ from the pose at rest without any motion.
            first = self.rest if frames.clip.actions else frames.worlds[0]
            is_moving = len(shown) and differ(frames.worlds[:, shown], first[shown], reach(self.rest))
            is_moving = is_moving or any(is_shaped(numbers, frames.clip) for numbers in frames.shapes.values())
            # Without joints, a format with joints stores nothing of such a clip.
            if is_moving or ((has_bones or not self.tree.is_skeletal) and is_meant(frames.clip, choice)):
                kept.append(frames)
            else:
                self.dropped.append(frames.clip.name)
        self.clips = kept


def is_shaped(numbers, clip):
    return max(numbers) >= 0 if clip.actions else len({*numbers}) > 1


def is_meant(clip, choice):
    """Returns whether a clip without motion is a clip: a pose of an armature, an imported clip, or a named range."""
    if clip.actions is None:
        return clip.is_named
    return clip_lists.is_imported(clip) or any(holder in choice.posed for holder, _, _ in clip.actions)
