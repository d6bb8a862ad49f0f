// Finished shadow on the floor: black, with the darkness as alpha. It is drawn before the grid and the model.

@group(1) @binding(0) var layers: texture_2d<f32>;
@group(1) @binding(1) var layers_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

// Computes the texture's corners on the floor. `shadow_u` and `shadow_v` are perpendicular and have equal lengths, so
// their inverse is a division by the squared length.
@vertex
fn vs_shade(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2f(f32(index & 1u), f32(index >> 1u));
    let u = frame.shadow_u.xy;
    let v = frame.shadow_v.xy;
    let offset = uv - vec2f(frame.shadow_u.z, frame.shadow_v.z);
    let ground = (u * offset.x + v * offset.y) / dot(u, u);
    return Corner(frame.clip_from_world * vec4f(ground, frame.floor.x, 1.0), uv);
}

@fragment
fn fs_shade(corner: Corner) -> @location(0) vec4f {
    let layer = textureSampleLevel(layers, layers_sampler, corner.uv, 0.0);
    // Shadows of the upper and lower parts from the key light, shadow from above, shadow of the lowest eighth.
    let thrown = min(layer.r + layer.a, 1.0);
    let dark = 1.0 - (1.0 - 0.72 * thrown) * (1.0 - 0.3 * layer.g) * (1.0 - 0.92 * layer.b);
    return vec4f(0.0, 0.0, 0.0, dark * frame.shadow.x + dither(corner.position.xy) * min(dark * 8.0, 1.0));
}
