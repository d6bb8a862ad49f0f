// Code shared by all shaders: uniforms of the frame (group 0), sRGB conversion and studio lighting.

// Twin of `Frame` in src/render/frame.rs.
struct Frame {
    clip_from_world: mat4x4f,
    // Perspective: position of the eye, and 1. Orthographic: direction towards the eye, and 0.
    eye: vec4f,
    // Directions towards the lights. Colours of lights are linear.
    key_direction: vec4f,
    key_colour: vec4f,
    fill_direction: vec4f,
    fill_colour: vec4f,
    rim_direction: vec4f,
    rim_colour: vec4f,
    sky: vec4f,
    ground: vec4f,
    clay: vec4f,
    // Width and height of the image in pixels, pixels per point, brightness of the light on the floor.
    image: vec4f,
    // Height of the floor, height of the model above the floor, share of light mirrored at grazing angles, brightness of
    // mirrored light.
    floor: vec4f,
    // Radius of the floor, units between the finest grid lines, visibility of these lines, strength (0 without a grid).
    grid: vec4f,
    grid_colour: vec4f,
    // Plane of the grid: its origin, and the height of the floor line (if modes.y is 1). Two directions follow, each
    // with the coordinate of the grid's centre along it.
    grid_origin: vec4f,
    grid_u: vec4f,
    grid_v: vec4f,
    // Colours of the grid's axes: v = 0, which runs along u, and u = 0.
    u_axis: vec4f,
    v_axis: vec4f,
    // Dot products with (x, y, 1) are the coordinates in the shadow texture.
    shadow_u: vec4f,
    shadow_v: vec4f,
    // Direction towards the light that casts the shadow: the key light, raised to a minimum elevation.
    caster: vec4f,
    // Maximum darkening by the shadow (0 without a shadow), wide and narrow blur step in texels, size of the texture.
    shadow: vec4f,
    backdrop_top: vec4f,
    backdrop_bottom: vec4f,
    // Centre of the backdrop's highlight in pixels, its radius, its strength.
    lift: vec4f,
    // Centre of the light on the floor in pixels, its radii.
    pool: vec4f,
    // Colour of wireframes; width of wireframes and size of vertex dots, in points; colour of vertex dots.
    wire: vec4f,
    wire_width: vec4f,
    vertices: vec4f,
    // Colour of back faces.
    inside: vec4f,
    casing: vec4f,
    selection: vec4f,
    // Transforms from world space to the depth maps: of the key light, of the camera, and of a direction of the studio.
    map_from_world: array<mat4x4f, 3>,
    // That direction.
    dome: vec4f,
    // Loss of the studio's light at an occluded point; distance of the tested point from the surface; texel size; unused.
    self_shadow: vec4f,
    // Light along outlines: brightness, width in pixels, minimum distance to surfaces behind; unused.
    edge: vec4f,
    // Factors of an image in the sum, and of the sum in the shown average; shift of noise in this image; unused.
    average: vec4f,
    // Shading (see src/render/pass/model.rs), 1 if the grid is upright and has a floor line, two unused.
    modes: vec4u,
}

// Transform of a model. Twin of `PartUniform` in src/render/frame.rs.
struct Part {
    world_from_model: mat4x4f,
    // Perspective: position of the eye in model space, and 1. Orthographic: direction towards the eye, and 0.
    eye: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var self_shadow_maps: texture_depth_2d_array;
@group(0) @binding(2) var self_shadow_sampler: sampler_comparison;

// Magnification of textures. Twin of `TextureFilter` in crates/maquette-scene/src/scene/display.rs: 0 linear, 1 sharp,
// 2 nearest.
override texture_filter: u32 = 0;
// Whether the alpha of cut-outs is the share of the pixel that they cover.
override covers_by_alpha: bool = false;
// What the depth maps are used for: nothing (0), the shadows of the key light (1), these and the light along outlines (2),
// or both and the shadows of the studio (3). Software adapters run both branches of a condition unless the compiler knows
// the number.
override shadow_detail: u32 = 3;

// Samples an image with the chosen magnification.
fn sample_image(image: texture_2d<f32>, image_sampler: sampler, uv: vec2f) -> vec4f {
    if texture_filter == 0u {
        return textureSample(image, image_sampler, uv);
    }
    let size = vec2f(textureDimensions(image));
    let across = dpdx(uv);
    let down = dpdy(uv);
    let texel = uv * size;
    // Texels per pixel.
    let step = max(abs(across), abs(down)) * size;
    var sampled = select(floor(texel) + 0.5, texel, step >= vec2f(1.0));
    if texture_filter == 1u {
        let seam = floor(texel + 0.5);
        sampled = seam + clamp((texel - seam) / clamp(step, vec2f(1e-6), vec2f(1.0)), vec2f(-0.5), vec2f(0.5));
    }
    return textureSampleGrad(image, image_sampler, sampled / size, across, down);
}

// Returns the alpha of a cut-out, raised where coarse mip levels would hide thin leaves. One half is the edge. The factor
// of a quarter for each level keeps the covered area of leaves about equal.
fn cutout_alpha(image: texture_2d<f32>, alpha: f32, uv: vec2f) -> f32 {
    let texels = uv * vec2f(textureDimensions(image));
    let across = dpdx(texels);
    let down = dpdy(texels);
    let level = 0.5 * log2(max(max(dot(across, across), dot(down, down)), 1.0));
    let raised = alpha * (1.0 + 0.25 * level);
    if covers_by_alpha {
        return clamp((raised - 0.5) / max(fwidth(raised), 1e-4) + 0.5, 0.0, 1.0);
    }
    return raised;
}

// Converts stored (sRGB) values to linear light.
fn linear_from_stored(stored: vec3f) -> vec3f {
    let low = stored / 12.92;
    let high = pow((stored + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, stored <= vec3f(0.04045));
}

// Converts linear light to stored (sRGB) values.
fn stored_from_linear(light: vec3f) -> vec3f {
    let low = light * 12.92;
    let high = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return select(high, low, light <= vec3f(0.0031308));
}

// Returns a corner of a triangle that covers the whole image, in clip space. `index` is 0 to 2.
fn covering_corner(index: u32) -> vec2f {
    return vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}

// Returns a number from 0 to 1 that differs between neighbouring pixels (J. Jimenez, interleaved gradient noise, 2014).
fn pixel_noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715))));
}

// Returns up to half a step of an 8-bit value, positive or negative, so that gradients show no bands.
fn dither(pixel: vec2f) -> f32 {
    return (pixel_noise(pixel) - 0.5) / 255.0;
}

// Share of the light of a map that reaches a point, from 0 to 1.
fn visibility(world: vec3f, normal: vec3f, map: u32) -> f32 {
    // The studio is everywhere, so its shadows are blurred more than those of the key light, and further from the surface.
    let is_dome = map == 2u;
    let projected = frame.map_from_world[map] * vec4f(world + normal * (frame.self_shadow.y * select(1.0, 2.2, is_dome)), 1.0);
    let uv = projected.xy * vec2f(0.5, -0.5) + 0.5;
    if map == 0u && shadow_detail == 1u {
        return textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv, map, projected.z);
    }
    var arm = vec2f(select(frame.self_shadow.z, 0.007, is_dome));
    let rings = select(1u, 3u, is_dome);
    var sum = 0.0;
    for (var ring = 0u; ring < rings; ring++) {
        for (var corner = 0u; corner < 4u; corner++) {
            sum += textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv + arm, map, projected.z);
            arm = vec2f(-arm.y, arm.x);
        }
        // The next cross is turned by 30 degrees and smaller.
        arm = vec2f(arm.x * 0.866 - arm.y * 0.5, arm.x * 0.5 + arm.y * 0.866) * 0.66;
    }
    return sum / f32(4u * rings);
}

// Returns the share of the surroundings of a point on the image that is empty or far behind the point, from 0 to 1.
fn openness(world: vec3f, view: vec3f) -> f32 {
    // The same matrix as `clip_from_world`. With that one, Mesa's software renderer compiles the shader for every image.
    let behind = frame.map_from_world[1] * vec4f(world - view * frame.edge.z, 1.0);
    let projected = behind.xyz / behind.w;
    let uv = projected.xy * vec2f(0.5, -0.5) + 0.5;
    let reach = frame.edge.y / frame.image.xy;
    // The points are those of crosses whose angle and size differ between neighbouring pixels and between the images of an
    // average, so that the light fades inwards without steps. A single image has more of them, and so less noise.
    let noise = fract(pixel_noise(uv * frame.image.xy) + frame.average.z);
    let crosses = select(1u, 3u, shadow_detail == 2u);
    var sum = 0.0;
    for (var cross = 0u; cross < crosses; cross++) {
        let share = f32(cross) / f32(crosses);
        let angle = (noise + share) * 1.5707963;
        var arm = vec2f(cos(angle), sin(angle)) * sqrt(fract(noise * 5.0 + share));
        for (var point = 0u; point < 4u; point++) {
            sum += textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv + arm * reach, 1u, projected.z);
            arm = vec2f(-arm.y, arm.x);
        }
    }
    return sum / f32(4u * crosses);
}

// Light of a softbox on a diffuse surface. `cosine` is that of the angle between its direction and the normal. The curve
// is the light of a lobe exp(4 (cosine - 1)), spread by the surface (spherical harmonics of order 2).
fn softbox(cosine: f32) -> f32 {
    let share = 0.5 + 0.5 * cosine;
    return share * share;
}

// Returns the light that reaches a semi-gloss surface from `direction`: sky, ground and the three softboxes. `key` is the
// visible share of the key light.
fn studio(direction: vec3f, key: f32) -> vec3f {
    let cosines = direction * mat3x3f(frame.key_direction.xyz, frame.fill_direction.xyz, frame.rim_direction.xyz);
    // The sixteenth power, without the cost of `pow` on software adapters.
    var lobes = 0.5 + 0.5 * cosines;
    lobes *= lobes;
    lobes *= lobes;
    lobes *= lobes;
    lobes *= lobes;
    return mix(frame.ground.rgb, frame.sky.rgb, direction.z * 0.5 + 0.5)
        + lobes.x * key * frame.key_colour.rgb
        + lobes.y * frame.fill_colour.rgb
        + lobes.z * frame.rim_colour.rgb;
}

// Returns the light along outlines. Only dark surfaces get it, in their own hue as far as they have one.
fn edge_light(albedo: vec3f, reflected: vec3f) -> vec3f {
    let strongest = max(albedo.r, max(albedo.g, albedo.b));
    let hue = mix(vec3f(1.0), albedo / max(strongest, 1e-3), 0.8 * smoothstep(0.0, 0.05, strongest));
    let luminance = dot(reflected, vec3f(0.2126, 0.7152, 0.0722));
    return hue * (frame.edge.x * max(1.0 - luminance * 9.0, 0.0));
}

// Returns the studio light that a surface reflects, as linear light. `reflectance` is the share of light that a surface
// mirrors from the front. `shelter` is the share of ambient light that downward faces lose, such as those under arms and
// belts. Cut-outs are flat cards, such as leaves: light shines through them, and they do not mirror light at grazing
// angles, because a whole card would turn grey.
fn lit(albedo: vec3f, normal: vec3f, world: vec3f, reflectance: f32, shelter: f32, is_cutout: bool) -> vec3f {
    let view = normalize(frame.eye.xyz - world * frame.eye.w);
    // Normals of coarse models point away from the eye on faces that do not, and would shine like an edge there.
    let face = normalize(cross(dpdx(world), dpdy(world)));
    let n_v = clamp(max(dot(normal, view), abs(dot(face, view))), 0.08, 1.0);
    // Some exporters write one normal for all vertices. Shadows follow the faces then.
    let outwards = select(-face, face, dot(face, view) > 0.0);
    let off = select(outwards, normal, dot(normal, outwards) > 0.2 || is_cutout);
    var seen_key = 1.0;
    if shadow_detail > 0u {
        seen_key = visibility(world, off, 0u);
    }
    var unoccluded = 1.0;
    if shadow_detail == 3u {
        // Directions that a surface sees from the side count less. The curve of brightness below has a pole at negative
        // light, so the share must not be negative.
        let weight = frame.self_shadow.x * max(dot(off, frame.dome.xyz), 0.0);
        unoccluded = max(1.0 - weight * (1.0 - visibility(world, off, 2u)), 0.0);
    }
    // Downward faces have no rim light, because it would be a fringe along the bottom.
    let upwards = smoothstep(-0.1, 0.3, normal.z);
    let open = 1.0 - shelter * (1.0 - smoothstep(-0.8, 0.5, normal.z));
    let ambient = mix(frame.ground.rgb, frame.sky.rgb, normal.z * 0.5 + 0.5) * open
        + 0.4 * softbox(dot(normal, frame.fill_direction.xyz)) * frame.fill_colour.rgb
        + 0.4 * softbox(dot(normal, frame.rim_direction.xyz)) * upwards * frame.rim_colour.rgb;
    // The key light wraps around the form a little, so that the shaded side begins softly.
    let key_cosine = dot(normal, frame.key_direction.xyz);
    let through = select(0.0, -0.6 * key_cosine, is_cutout);
    let key = max(max((key_cosine + 0.18) / 1.18, through), 0.0) * seen_key;
    let diffuse = albedo * (ambient * unoccluded + 0.4 * key * frame.key_colour.rgb);
    // At grazing angles, even black surfaces mirror the studio, so that outlines differ from the background.
    let away = (1.0 - n_v) * (1.0 - n_v);
    let grazing = select(frame.floor.z * away * away * (1.0 - n_v), 0.0, is_cutout);
    let mirrored = studio(reflect(-view, normal), seen_key) * mix(reflectance, 1.0, grazing) * (unoccluded * frame.floor.w);
    var reflected = diffuse + mirrored;
    // Every leaf has outlines, so a whole crown would turn pale.
    let edge = edge_light(albedo, reflected) * select(1.0, 0.6, is_cutout);
    if shadow_detail > 1u && max(edge.r, max(edge.g, edge.b)) > 0.0 {
        reflected += edge * openness(world, view);
    }
    let height = clamp((world.z - frame.floor.x) / max(frame.floor.y * 0.6, 1e-4), 0.0, 1.0);
    let grounded = 1.0 - 0.3 * (1.0 - height) * (1.0 - height);
    let light = reflected * grounded * 1.12;
    return shoulder(light * (1.0 + light / 6.0) / (1.0 + 0.35 * light));
}

// Compresses light above 0.5, so that bright textures keep their detail. Most of their hue remains, too: skin does not
// turn white.
fn shoulder(light: vec3f) -> vec3f {
    let strongest = max(light.r, max(light.g, light.b));
    let channels = compressed(vec4f(light, strongest));
    return mix(channels.rgb, light * (channels.a / max(strongest, 1e-6)), 0.75);
}

fn compressed(light: vec4f) -> vec4f {
    let over = max(light - 0.5, vec4f(0.0));
    // About (1 - exp(-2 * over)) / 2.
    return min(light, vec4f(0.5)) + over * (1.0 + over) / (1.0 + 2.0 * over * (1.0 + over));
}
