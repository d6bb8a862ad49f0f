"""Materials, which Blender's glTF export writes."""

import tempfile
from pathlib import Path

import bpy

from . import gltf

UV_LAYER = "UVMap"


def document(geometries):
    """Returns a glTF document with the materials of meshes, and the index of each. Their texture coordinates are
    numbers of UV layers."""
    users = {}
    for geometry in geometries:
        for material in geometry.materials:
            if material:
                users.setdefault(material, geometry)
    if not users:
        return gltf.Document(), {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "materials.glb"
        write_samples(file, users)
        found = gltf.Document(file)
    return found, read_samples(found, list(users))


def write_samples(file, users):
    """Writes a triangle for each material. The texture coordinate U of a layer is the layer's number."""
    scene = bpy.data.scenes.new("Maquette")
    meshes = []
    try:
        for index, (material, geometry) in enumerate(users.items()):
            mesh = bpy.data.meshes.new(f"material {index}")
            meshes.append(mesh)
            mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
            for number, name in enumerate(geometry.uv_layers or [UV_LAYER]):
                layer = mesh.uv_layers.new(name=name, do_init=False)
                for corner in layer.data:
                    corner.uv = number, 0
            mesh.uv_layers[0].active_render = True
            mesh.uv_layers.active_index = 0
            mesh.materials.append(material)
            scene.collection.objects.link(bpy.data.objects.new(f"material {index}", mesh))
        with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
            gltf.call(
                bpy.ops.export_scene.gltf,
                filepath=str(file),
                export_format="GLB",
                use_active_scene=True,
                export_extras=True,
                export_animations=False,
                export_skins=False,
                export_morph=False,
            )
    finally:
        for mesh in meshes:
            for one in [one for one in scene.collection.objects if one.data == mesh]:
                bpy.data.objects.remove(one)
            bpy.data.meshes.remove(mesh)
        bpy.data.scenes.remove(scene)


def read_samples(found, materials):
    """Removes the triangles, and returns the index of each material."""
    places = {}
    written = found.json.get("materials", [])
    for node in found.json.get("nodes", []):
        primitive = found.json["meshes"][node["mesh"]]["primitives"][0]
        if "material" not in primitive:
            continue
        material = written[primitive["material"]]
        layers = {}
        for texture in textures(material):
            accessor = primitive["attributes"].get(f"TEXCOORD_{texture.get('texCoord', 0)}")
            layers[id(texture)] = round(float(found.rows(accessor)[0, 0])) if accessor is not None else 0
        for texture in textures(material):
            texture["texCoord"] = layers[id(texture)]
        show_emission(material)
        places[materials[int(node["name"].split()[1])]] = primitive["material"]
    for name in "nodes", "meshes", "scenes", "scene":
        found.json.pop(name, None)
    return places


def show_emission(material):
    """Makes the image of a material that only emits light its colour, because games have one image for a surface."""
    base = material.setdefault("pbrMetallicRoughness", {})
    is_black = not any(base.get("baseColorFactor", (1, 1, 1))[:3])
    if is_black and "emissiveTexture" in material and "baseColorTexture" not in base:
        base["baseColorTexture"] = material.pop("emissiveTexture")
        base["baseColorFactor"] = [1, 1, 1, base["baseColorFactor"][3]]
        material.pop("emissiveFactor", None)


def name_by_images(found, keeps_names):
    """Names materials by their images, without extension. `keeps_names` puts the names of the materials first, which
    are then the folders of the images."""
    for material in found.json.get("materials", []):
        texture = material.get("pbrMetallicRoughness", {}).get("baseColorTexture")
        if texture:
            image = found.json["images"][found.json["textures"][texture["index"]]["source"]]
            material["name"] = (material["name"] if keeps_names else "") + image.get("name", "")


def textures(item):
    """Returns all references to textures in a material."""
    if isinstance(item, dict):
        nested = [texture for each in item.values() for texture in textures(each)]
        return ([item] if "index" in item else []) + nested
    return []
