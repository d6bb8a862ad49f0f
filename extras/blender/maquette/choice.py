"""Objects that an export contains."""

SHAPES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
TAG = "tag_"
# Prefix of the tags of a GLM.
BOLT = "*"
# Custom property of a tag whose name does not begin with “tag_”.
TAG_MARK = "tag"


class Choice:
    """Objects that become surfaces, tags and joints, and the objects that place them."""

    def __init__(self, context, content, collection=""):
        visible = visible_objects(context)
        chosen = visible.intersection(context.selected_objects) if content == "SELECTED" else visible
        if collection:
            chosen = {one for one in chosen if is_in(one, context.scene, collection)}
        objects = list(context.scene.objects)
        chosen = with_parents(one for one in objects if one in chosen)
        self.chosen = chosen
        self.shapes = [one for one in objects if one in chosen and one.type in SHAPES and one in visible]
        self.tags = [one for one in objects if one in chosen and one.type == "EMPTY" and is_tag(one)]
        # Objects that only place a chosen object are ancestors of its node.
        self.armatures = [one for one in objects if one in chosen and one.type == "ARMATURE"]
        self.instanced = [one for one in instanced(self.chosen) if one.type == "ARMATURE" and one not in chosen]
        is_all = content == "VISIBLE" and not collection
        left_out = [one for one in objects if one not in chosen and is_model(one)] if is_all else []
        widgets = bone_shapes(objects) if left_out else ()
        self.hidden = [one.name for one in left_out if one not in widgets]

    @property
    def posed(self):
        """Returns the armatures whose poses the model shows. Those of collection instances give it no joints."""
        return [*self.armatures, *self.instanced]

    @property
    def objects(self):
        return [*self.armatures, *self.tags, *self.shapes]

    def moving_armatures(self):
        """Returns the armatures that deform or carry an object or have tags; without any, all of them. Others, such as
        the metarig of Rigify, give the model no joints."""
        used = {armature for one in self.shapes for armature in armatures_of(one)}
        used.update(one.parent for one in self.chosen)
        used.update(armature for armature in self.armatures if any(map(is_tag, armature.data.bones)))
        return [armature for armature in self.armatures if armature in used] or self.armatures

    def armature_of(self, one):
        """Returns the exported armature that deforms an object first, or None."""
        return next((armature for armature in armatures_of(one) if armature in self.armatures), None)


class Armature(Choice):
    """An armature and the visible meshes that it deforms."""

    def __init__(self, context, armature):
        visible = visible_objects(context)
        self.shapes = [one for one in context.scene.objects if one in visible and armature in armatures_of(one)]
        self.shapes = [one for one in self.shapes if one.type in SHAPES]
        self.chosen = {armature, *self.shapes}
        self.tags, self.armatures, self.instanced, self.hidden = [], [armature], [], []


def is_model(one):
    """Returns whether an object would be a surface or a tag."""
    return one.type in SHAPES or (one.type == "EMPTY" and is_tag(one))


def is_tag(one):
    return one.name.lower().startswith((TAG, BOLT)) or bool(one.get(TAG_MARK))


def visible_objects(context):
    """Returns the objects that the 3D view shows and the render contains."""
    spaces = []
    if context.window:
        spaces = [area.spaces.active for area in context.window.screen.areas if area.type == "VIEW_3D"]
    local = [space for space in spaces if space.local_view]
    # Before Blender 5.0, only evaluated objects know it.
    graph = context.evaluated_depsgraph_get() if local else None
    unrendered = {
        one
        for collection in context.scene.collection.children_recursive
        if collection.hide_render
        for one in collection.all_objects
    }
    return {
        one
        for one in context.view_layer.objects
        if one.visible_get(view_layer=context.view_layer)
        and not one.hide_render
        and one not in unrendered
        and not is_only_copied(one)
        and all(one.evaluated_get(graph).local_view_get(space) for space in local)
    }


def instanced(objects):
    """Returns the objects of the collections that objects show, and of the collections that these show."""
    def shown(objects):
        return [one.instance_collection for one in objects if one.instance_type == "COLLECTION"]

    found, queue = {}, shown(objects)
    while queue:
        collection = queue.pop()
        added = [one for one in collection.all_objects if one not in found] if collection else []
        found.update(dict.fromkeys(added))
        queue += shown(added)
    return list(found)


def bone_shapes(objects):
    """Returns the objects that show bones."""
    return {bone.custom_shape for one in objects if one.type == "ARMATURE" for bone in one.pose.bones}


def is_only_copied(one):
    """Returns whether Blender shows copies of an object on the vertices or faces of its parent instead of the object."""
    return bool(one.parent) and one.parent.instance_type in {"VERTS", "FACES"}


def is_in(one, scene, name):
    """Returns whether an object is in a collection of the scene."""
    found = {each.name: each for each in [scene.collection, *scene.collection.children_recursive]}.get(name)
    return bool(found) and one.name in found.all_objects


def with_parents(objects):
    """Adds the empties and armatures that place or move objects, and the armatures that deform them."""
    found = set()
    queue = list(objects)
    while queue:
        one = queue.pop()
        if one not in found:
            found.add(one)
            queue += armatures_of(one)
            if one.parent and one.parent.type in {"EMPTY", "ARMATURE"}:
                queue.append(one.parent)
    return found


def armatures_of(one):
    """Returns the armatures that deform an object, in the order of their effect."""
    found = [one.parent] if one.parent and one.parent_type == "ARMATURE" else []
    found += [
        modifier.object
        for modifier in one.modifiers
        if modifier.type == "ARMATURE" and modifier.show_viewport and modifier.object
    ]
    return found
