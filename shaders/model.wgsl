// Surfaces with one texture or none under studio light, and all shadings that do not show materials.

// Twin of `SurfaceUniform` in src/render/frame.rs.
struct Surface {
    // 1 if there is a texture. Otherwise the placeholder is drawn.
    has_image: u32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
}

@group(1) @binding(0) var<uniform> part: Part;
@group(2) @binding(0) var image: texture_2d<f32>;
@group(2) @binding(1) var image_sampler: sampler;
@group(2) @binding(2) var<uniform> surface: Surface;

// Twin of `AlphaPass` in src/render/pass/model.rs: 0 opaque, 1 discards alpha below one half, 2 opaque texels of a
// blended surface, 3 the other texels of a blended surface.
override alpha_pass: u32 = 0;
// Whether colours of the vertices multiply the texture.
override tinted: bool = false;

const TEXTURED: u32 = 0;
const UNLIT: u32 = 1;
const CLAY: u32 = 2;
const NORMALS: u32 = 3;
const CHECKER: u32 = 4;
const VERTEX_COLOURS: u32 = 5;

struct Corner {
    @builtin(position) @invariant position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    // Linear colour of the vertex.
    @location(3) tint: vec4f,
}

fn corner_at(position: vec3f, normal: vec3f, uv: vec2f, tint: vec4f) -> Corner {
    var corner: Corner;
    corner.tint = tint;
    corner.world = (part.world_from_model * vec4f(position, 1.0)).xyz;
    corner.normal = (part.world_from_model * vec4f(normal, 0.0)).xyz;
    corner.uv = uv;
    corner.position = frame.clip_from_world * vec4f(corner.world, 1.0);
    return corner;
}

@vertex
fn vs_model(@location(0) position: vec3f, @location(1) normal: vec3f, @location(2) uv: vec2f) -> Corner {
    return corner_at(position, normal, uv, vec4f(1.0));
}

@vertex
fn vs_coloured(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) colour: vec4f,
) -> Corner {
    return corner_at(position, normal, uv, vec4f(linear_from_stored(colour.rgb), colour.a));
}

// Returns an antiderivative of a square wave of period 2. Its difference over a pixel gives the mean of the checker
// there.
fn square_wave_integral(x: vec2f) -> vec2f {
    return abs(fract(x * 0.5) - 0.5) * 2.0;
}

// Returns the colour of the placeholder for a missing texture: a checker of 16 squares per texture side, averaged over
// a pixel so that it does not shimmer.
fn placeholder(uv: vec2f) -> vec3f {
    let squares = uv * 16.0;
    let size = clamp(fwidth(squares), vec2f(1e-4), vec2f(8.0));
    let wave = (square_wave_integral(squares - size * 0.5) - square_wave_integral(squares + size * 0.5)) / size;
    let share = 0.5 - 0.5 * wave.x * wave.y;
    return mix(vec3f(0.784, 0.765, 0.800), vec3f(0.639, 0.361, 0.753), share);
}

@fragment
fn fs_model(corner: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let texel = sample_image(image, image_sampler, corner.uv);
    let missing = placeholder(corner.uv);
    let has_image = surface.has_image != 0u;
    let shading = frame.modes.x;

    var alpha = 1.0;
    if has_image && (shading == TEXTURED || shading == UNLIT) {
        alpha = texel.a;
    }
    if shading == TEXTURED || shading == UNLIT {
        alpha *= corner.tint.a;
    }
    if alpha_pass == 1u {
        alpha = cutout_alpha(image, alpha, corner.uv);
        if alpha < select(0.5, 0.004, covers_by_alpha) {
            discard;
        }
    }
    if alpha_pass == 2u && alpha < 0.996 {
        discard;
    }
    if alpha_pass != 3u && !(alpha_pass == 1u && covers_by_alpha) {
        alpha = 1.0;
    }

    var normal = normalize(corner.normal);
    if !front {
        // Back faces reach this shader only if both sides are drawn.
        normal = -normal;
    }
    var stored = missing;
    if has_image {
        stored = texel.rgb;
    }
    if shading == NORMALS {
        return vec4f(normal * 0.5 + 0.5, alpha);
    }
    if shading == VERTEX_COLOURS {
        return vec4f(stored_from_linear(corner.tint.rgb), alpha);
    }
    if tinted {
        stored = stored_from_linear(linear_from_stored(stored) * corner.tint.rgb);
    }
    if shading == UNLIT {
        return vec4f(stored, alpha);
    }
    var albedo = frame.clay.rgb;
    // Clay shines more than textures, which have painted highlights.
    var reflectance = 0.06;
    // Clay shows its form by light alone, so downward faces are darker.
    var shelter = 0.5;
    let is_cutout = alpha_pass == 1u;
    var shine = select(1.0, 0.0, is_cutout);
    if shading != CLAY {
        albedo = linear_from_stored(stored);
        reflectance = 0.0;
        shelter = 0.0;
        if has_image && !is_cutout {
            shine = mirroring(image, texel.rgb, corner.uv);
        }
    }
    let light = lit(albedo, normal, corner.world, reflectance, shelter, is_cutout, shine);
    return vec4f(stored_from_linear(light) + dither(corner.position.xy), alpha);
}
