// Back faces in one flat colour, which reveals holes and triangles wound the wrong way. They have their own pass, so
// that other passes need not test the side.

@group(1) @binding(0) var<uniform> part: Part;

@vertex
fn vs_inside(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.clip_from_world * (part.world_from_model * vec4f(position, 1.0));
}

@fragment
fn fs_inside() -> @location(0) vec4f {
    return frame.inside;
}
