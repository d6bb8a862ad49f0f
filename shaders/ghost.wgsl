// Onion skin: the model at other frames in one flat colour, a little stronger at its edges. Each ghost is drawn to the
// depth buffer first, so that no pixel of it is blended twice.

// Twin of `GhostUniform` in src/render/pass/ghosts.rs.
struct Ghost {
    world_from_model: mat4x4f,
    // Stored colour and opacity.
    colour: vec4f,
}

@group(1) @binding(0) var<uniform> ghost: Ghost;

struct Corner {
    @builtin(position) @invariant position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) colour: vec4f,
}

@vertex
fn vs_ghost(@location(0) position: vec3f, @location(1) normal: vec3f) -> Corner {
    var corner: Corner;
    corner.world = (ghost.world_from_model * vec4f(position, 1.0)).xyz;
    corner.normal = (ghost.world_from_model * vec4f(normal, 0.0)).xyz;
    corner.colour = ghost.colour;
    corner.position = frame.clip_from_world * vec4f(corner.world, 1.0);
    return corner;
}

@fragment
fn fs_ghost(corner: Corner) -> @location(0) vec4f {
    let view = normalize(frame.eye.xyz - corner.world * frame.eye.w);
    let facing = abs(dot(normalize(corner.normal), view));
    let edge = 1.0 - min(facing, 1.0);
    return vec4f(corner.colour.rgb, corner.colour.a * mix(0.55, 1.0, edge * edge));
}

// Resets the depth to the far plane, so that everything drawn later is in front of the ghosts.
@vertex
fn vs_far(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering_corner(index), 1.0, 1.0);
}

@fragment
fn fs_far() -> @location(0) vec4f {
    return vec4f(0.0);
}
