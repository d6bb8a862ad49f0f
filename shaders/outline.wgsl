// Selection outline. The selected surfaces are drawn to a mask, and the outline follows the mask's edge, on top of
// everything.

@group(1) @binding(0) var<uniform> part: Part;

@vertex
fn vs_mask(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.clip_from_world * (part.world_from_model * vec4f(position, 1.0));
}

@fragment
fn fs_mask() -> @location(0) vec4f {
    return vec4f(1.0);
}

@group(2) @binding(0) var mask: texture_2d<f32>;
@group(2) @binding(1) var mask_sampler: sampler;

@vertex
fn vs_outline(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering_corner(index), 0.5, 1.0);
}

fn covered(pixel: vec2f) -> f32 {
    return textureSampleLevel(mask, mask_sampler, pixel / frame.image.xy, 0.0).r;
}

// Draws the outline outside the mask: where a pixel at most `reach` pixels away is covered more than this one. Wider
// outlines sample more directions.
@fragment
fn fs_outline(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let reach = frame.image.z * 1.5;
    let here = covered(position.xy);
    var most = here;
    let directions = select(16, 8, reach < 2.0);
    for (var i = 0; i < directions; i++) {
        let angle = f32(i) * 6.2831853 / f32(directions);
        most = max(most, covered(position.xy + reach * vec2f(cos(angle), sin(angle))));
    }
    return vec4f(frame.selection.rgb, frame.selection.a * (most - here));
}
