// Studio backdrop: a vertical gradient, a highlight behind the model, and light on the floor under the model.

@vertex
fn vs_background(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering_corner(index), 1.0, 1.0);
}

// Returns a bell-shaped falloff from 1 that reaches 0 smoothly. It needs no exponential per pixel.
fn bell(away: vec2f) -> f32 {
    let share = max(1.0 - dot(away, away), 0.0);
    return share * share * share;
}

@fragment
fn fs_background(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let gradient = mix(frame.backdrop_top.rgb, frame.backdrop_bottom.rgb, position.y / frame.image.y);
    let lift = frame.lift.w * bell((position.xy - frame.lift.xy) / frame.lift.z);
    let pool = frame.image.w * bell((position.xy - frame.pool.xy) / frame.pool.zw);
    return vec4f(gradient + lift + pool + dither(position.xy), 1.0);
}
