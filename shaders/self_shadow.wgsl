// Depth of the scene from a light. Texels below one half are holes.

@group(1) @binding(0) var<uniform> part: Part;
@group(2) @binding(0) var image: texture_2d<f32>;
@group(2) @binding(1) var image_sampler: sampler;

// Number of the map.
override map: u32 = 0;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vs_light(@location(0) position: vec3f, @location(2) uv: vec2f) -> Corner {
    let world = part.world_from_model * vec4f(position, 1.0);
    return Corner(frame.map_from_world[map] * world, uv);
}

@fragment
fn fs_solid(corner: Corner) {}

@fragment
fn fs_holes(corner: Corner) {
    if textureSample(image, image_sampler, corner.uv).a < 0.5 {
        discard;
    }
}
