// Triangles seen from behind, in one flat colour: a hole, or a triangle wound the wrong way, is seen at once. A step of
// its own, so that the other steps need not ask which side they draw.

@group(1) @binding(0) var<uniform> part: Part;

@vertex
fn vs_inside(@location(0) position: vec3f) -> @builtin(position) vec4f {
    let world = (part.world_from_model * vec4f(position, 1.0)).xyz;
    // Fronts seen at a grazing angle step far back; no back may come before them along the model's own edge.
    let view = normalize(frame.eye.xyz - world * frame.eye.w);
    return frame.clip_from_world * vec4f(world - view * (frame.floor.y * 0.015), 1.0);
}

@fragment
fn fs_inside() -> @location(0) vec4f {
    return frame.inside;
}
