// The floor: the model's shadow and the grid, drawn before the model and without depth, for all of the model stands on it.

@group(1) @binding(0) var shadow_map: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) ground: vec2f,
}

@vertex
fn vs_floor(@builtin(vertex_index) index: u32) -> Corner {
    let unit = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    var corner: Corner;
    corner.ground = frame.floor.zw + unit * frame.grid.x;
    corner.position = frame.clip_from_world * vec4f(corner.ground, frame.floor.x, 1.0);
    return corner;
}

// How much of a pixel lines cover that lie one unit apart in x and in y, `width` pixels wide. Where they come too close
// to be told apart they fade away instead of shimmering.
fn line_cover(at: vec2f, pixel: vec2f, width: f32) -> f32 {
    let away = abs(fract(at - 0.5) - 0.5) / pixel;
    let cover = clamp(vec2f(width * 0.5 + 0.5) - away, vec2f(0.0), vec2f(1.0));
    let apart = 1.0 - smoothstep(vec2f(0.08), vec2f(0.3), pixel);
    let both = cover * apart;
    return max(both.x, both.y);
}

fn shadow_at(ground: vec2f) -> f32 {
    let uv = vec2f(dot(frame.shadow_u.xyz, vec3f(ground, 1.0)), dot(frame.shadow_v.xyz, vec3f(ground, 1.0)));
    let layers = textureSampleLevel(shadow_map, shadow_sampler, uv, 0.0);
    // Cast by the upper parts, from straight above, by the lowest eighth, by the lower parts.
    let thrown = min(layers.r + layers.a, 1.0);
    let dark = 1.0 - (1.0 - 0.72 * thrown) * (1.0 - 0.3 * layers.g) * (1.0 - 0.75 * layers.b);
    let inside = all(uv > vec2f(0.0)) && all(uv < vec2f(1.0));
    return select(0.0, dark * frame.shadow.x, inside);
}

@fragment
fn fs_floor(corner: Corner) -> @location(0) vec4f {
    let shadow = shadow_at(corner.ground);
    let width = frame.picture.z;
    let spacing = frame.grid.y;
    let at = corner.ground / spacing;
    let pixel = max(length(vec4f(dpdx(at), dpdy(at)).xz), 1e-6);
    let pixel_y = max(length(vec4f(dpdx(at), dpdy(at)).yw), 1e-6);
    let size = vec2f(pixel, pixel_y);
    // Three sizes of squares: the finest fades in as one comes near, so that no zoom makes lines jump.
    let share = frame.grid.z;
    let fine = line_cover(at, size, width) * share;
    let middle = line_cover(at / 8.0, size / 8.0, width) * (1.0 + share);
    let coarse = line_cover(at / 64.0, size / 64.0, width) * 2.0;
    let lines = frame.grid_colour.a * max(max(fine, middle), coarse);

    let axis_cover = clamp(vec2f(width * 0.5 + 0.5) - abs(at) / size, vec2f(0.0), vec2f(1.0));
    let away = length(corner.ground - frame.floor.zw) / frame.grid.x;
    let fade = frame.grid.w * (1.0 - smoothstep(0.1, 1.0, away));

    // Painted over one another with premultiplied alpha: shadow, grid, axes.
    var colour = vec4f(0.0, 0.0, 0.0, shadow);
    colour = over(colour, frame.grid_colour.rgb, lines * fade);
    colour = over(colour, frame.y_axis.rgb, frame.y_axis.a * axis_cover.x * fade);
    colour = over(colour, frame.x_axis.rgb, frame.x_axis.a * axis_cover.y * fade);
    return colour;
}

fn over(below: vec4f, colour: vec3f, alpha: f32) -> vec4f {
    return vec4f(colour * alpha, alpha) + below * (1.0 - alpha);
}
