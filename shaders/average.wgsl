// Adds an image to a sum, and shows the average of the images in the sum.

@group(1) @binding(0) var image: texture_2d<f32>;

@vertex
fn vs_average(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering_corner(index), 0.5, 1.0);
}

@fragment
fn fs_add(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return textureLoad(image, vec2i(position.xy), 0) * frame.average.x;
}

@fragment
fn fs_show(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return textureLoad(image, vec2i(position.xy), 0) * frame.average.y;
}
