// Studio backdrop: a wall with a highlight behind the model, and a floor with light under the model. Both meet in a
// soft horizon.

struct Corner {
    @builtin(position) position: vec4f,
    // Start and direction of the line of sight.
    @location(0) start: vec3f,
    @location(1) sight: vec3f,
}

@vertex
fn vs_background(@builtin(vertex_index) index: u32) -> Corner {
    let corner = covering_corner(index);
    let near = frame.world_from_clip * vec4f(corner, 0.0, 1.0);
    let far = frame.world_from_clip * vec4f(corner, 1.0, 1.0);
    let start = near.xyz / near.w;
    return Corner(vec4f(corner, 1.0, 1.0), start, far.xyz / far.w - start);
}

// Returns a bell-shaped falloff from 1 that reaches 0 smoothly. It needs no exponential per pixel.
fn bell(away: vec2f) -> f32 {
    let share = max(1.0 - dot(away, away), 0.0);
    return share * share * share;
}

@fragment
fn fs_background(corner: Corner) -> @location(0) vec4f {
    let position = corner.position.xy;
    let lift = frame.lift.w * bell((position - frame.lift.xy) / frame.lift.z);
    var colour = mix(frame.backdrop_top.rgb, frame.backdrop_bottom.rgb, position.y / frame.image.y) + lift;
    // Positive where the line of sight leads from the eye to the floor. The near plane may lie below the floor.
    let above = frame.eye.z - frame.floor.x * frame.eye.w;
    let below = -frame.floor.w * above * corner.sight.z;
    if below > 0.0 {
        let place = corner.start.xy + corner.sight.xy * ((frame.floor.x - corner.start.z) / corner.sight.z);
        let light = frame.ground_colour.a * bell((place - frame.pool.xy) / frame.pool.z);
        // The floor curves up into the wall.
        let slope = -corner.sight.z * inverseSqrt(dot(corner.sight, corner.sight));
        colour = mix(colour, frame.ground_colour.rgb + light, smoothstep(0.0, 0.2, slope));
    }
    return vec4f(colour + dither(position), 1.0);
}
