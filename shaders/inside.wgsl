// Triangles seen from behind, in one flat colour: a hole, or a triangle wound the wrong way, is seen at once. A step of
// its own, so that the other steps need not ask which side they draw.

@group(1) @binding(0) var<uniform> part: Part;

@vertex
fn vs_inside(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.clip_from_world * (part.world_from_model * vec4f(position, 1.0));
}

@fragment
fn fs_inside() -> @location(0) vec4f {
    return frame.inside;
}
