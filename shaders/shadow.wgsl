// The model projected onto the floor, in four channels. Red and alpha: upper and lower parts, along the key light.
// Blue: lowest eighth. Green: from straight above. blur.wgsl blurs the channels.

@group(1) @binding(0) var<uniform> part: Part;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) height: f32,
}

fn flattened(position: vec3f, steepness: f32) -> Corner {
    let world = (part.world_from_model * vec4f(position, 1.0)).xyz;
    let above = max(world.z - frame.floor.x, 0.0);
    let light = frame.caster.xyz;
    let ground = vec3f(world.xy - light.xy / light.z * above * steepness, 1.0);
    let uv = vec2f(dot(frame.shadow_u.xyz, ground), dot(frame.shadow_v.xyz, ground));
    var corner: Corner;
    corner.height = above / max(frame.floor.y, 1e-4);
    corner.position = vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.5, 1.0);
    return corner;
}

@vertex
fn vs_cast(@location(0) position: vec3f) -> Corner {
    return flattened(position, 1.0);
}

@vertex
fn vs_above(@location(0) position: vec3f) -> Corner {
    return flattened(position, 0.0);
}

@fragment
fn fs_cast(corner: Corner) -> @location(0) vec4f {
    let high = smoothstep(0.0, 0.5, corner.height);
    return vec4f(high, 0.0, 1.0 - min(corner.height * corner.height * 64.0, 1.0), 1.0 - high);
}

@fragment
fn fs_above(corner: Corner) -> @location(0) vec4f {
    // Parts far above the floor block less light.
    return vec4f(0.0, 1.0 - 0.7 * min(corner.height, 1.0), 0.0, 0.0);
}
