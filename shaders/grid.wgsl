// Floor grid: squares of three sizes and the lines y = 0 and x = 0. It is drawn before the model and without depth,
// because the model stands on it. In orthographic views along the floor, it is upright behind the model and has a line
// for the floor.

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) ground: vec2f,
}

@vertex
fn vs_grid(@builtin(vertex_index) index: u32) -> Corner {
    let unit = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    var corner: Corner;
    corner.ground = vec2f(frame.grid_u.w, frame.grid_v.w) + unit * frame.grid.x;
    let world = frame.grid_origin.xyz + frame.grid_u.xyz * corner.ground.x + frame.grid_v.xyz * corner.ground.y;
    corner.position = frame.clip_from_world * vec4f(world, 1.0);
    return corner;
}

// Returns the share of a pixel that grid lines cover. The lines are one unit apart in x and y and extend `reach` pixels
// to each side. `pixel` is the size of a pixel in units. Lines that are too close together fade out instead of
// shimmering.
fn line_cover(at: vec2f, pixel: vec2f, reach: f32) -> f32 {
    let away = abs(fract(at - 0.5) - 0.5) / pixel;
    let cover = saturate(reach - away) * saturate(1.3 - 4.5 * pixel);
    return max(cover.x, cover.y);
}

@fragment
fn fs_grid(corner: Corner) -> @location(0) vec4f {
    let reach = frame.image.z * 0.5 + 0.5;
    let at = corner.ground / frame.grid.y;
    let pixel = max(fwidth(at), vec2f(1e-6));
    // The finest squares fade in while zooming in, so that lines do not appear suddenly.
    let share = frame.grid.z;
    let fine = line_cover(at, pixel, reach) * share;
    let middle = line_cover(at / 8.0, pixel / 8.0, reach) * (1.0 + share);
    let coarse = line_cover(at / 64.0, pixel / 64.0, reach) * 2.0;
    let lines = frame.grid_colour.a * max(max(fine, middle), coarse);
    let axes = saturate(reach - abs(at) / pixel);

    let away = saturate(length(corner.ground - vec2f(frame.grid_u.w, frame.grid_v.w)) / frame.grid.x * 1.1 - 0.1);
    let fade = frame.grid.w * (1.0 - away * away * (3.0 - 2.0 * away));
    // Blend the lines over each other, with premultiplied alpha.
    var colour = vec4f(frame.grid_colour.rgb, 1.0) * (lines * fade);
    colour = over(colour, frame.v_axis.rgb, frame.v_axis.a * axes.x * fade);
    colour = over(colour, frame.u_axis.rgb, frame.u_axis.a * axes.y * fade);
    if frame.modes.y == 1u {
        let above = abs(corner.ground.y - frame.grid_origin.w) / frame.grid.y / pixel.y;
        colour = over(colour, frame.grid_colour.rgb, min(frame.grid_colour.a * 6.0, 1.0) * saturate(reach + 0.5 - above) * fade);
    }
    return colour;
}

fn over(below: vec4f, colour: vec3f, alpha: f32) -> vec4f {
    return vec4f(colour * alpha, alpha) + below * (1.0 - alpha);
}
