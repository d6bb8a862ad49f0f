// Studio backdrop: a vertical gradient with a highlight behind the model.

@vertex
fn vs_background(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering_corner(index), 1.0, 1.0);
}

@fragment
fn fs_background(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let gradient = mix(frame.backdrop_top.rgb, frame.backdrop_bottom.rgb, position.y / frame.picture.y);
    let away = (position.xy - frame.lift.xy) / frame.lift.z;
    // A bell-shaped falloff that reaches 0 smoothly. It needs no exponential per pixel.
    let bell = max(1.0 - dot(away, away), 0.0);
    let lifted = gradient + frame.lift.w * bell * bell * bell;
    return vec4f(lifted + dither(position.xy), 1.0);
}
