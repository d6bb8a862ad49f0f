// One material stage of a surface, blended with the image so far.

// Twin of `UvTransform` in crates/maquette-assets/src/material/coordinates.rs: a matrix, then a periodic displacement.
struct UvTransform {
    // Columns of the matrix.
    matrix: vec4f,
    // Translation, then amplitude and phase of the displacement.
    shift_and_swing: vec4f,
}

// Twin of `StageUniform` in src/render/stages.rs.
struct Stage {
    // Colour and alpha, before lighting and texture.
    shade: vec4f,
    // Distance at which alpha is 1, threshold of the alpha test, range of the normal's upward part in which alpha is not 0.
    numbers: vec4f,
    vector_s: vec4f,
    vector_t: vec4f,
    warps: array<UvTransform, 4>,
}

@group(1) @binding(0) var<uniform> part: Part;
@group(2) @binding(0) var image: texture_2d<f32>;
@group(2) @binding(1) var image_sampler: sampler;
@group(2) @binding(2) var<uniform> stage: Stage;
@group(2) @binding(3) var bump: texture_2d<f32>;
@group(2) @binding(4) var specular: texture_2d<f32>;

// Twin of `LightingModel` in src/render/pass/materials.rs: 0 none, 1 game lighting per vertex, 2 game lighting per
// texel, 3 studio, 4 studio with normal and specular map.
override light: u32 = 0;
// Twin of `StagePipelineKey::test`: 0 all texels pass, 1 alpha above 0, 2 below one half, 3 at least one half, 4 above
// a threshold.
override alpha_test: u32 = 0;
// Twin of `StagePipelineKey::coordinates`: 0 the model's own coordinates, 1 environment mapping, 2 projection along two
// vectors. These properties are pipeline constants, because software devices execute every branch of a shader.
override coordinates: u32 = 0;
// Twin of `StagePipelineKey::alpha`: 0 alpha of the stage, 1 specular light, 2 distance from the eye, 3 upward part of
// the normal.
override alpha_source: u32 = 0;
// Number of `warps` in use, and whether any of them has a displacement.
override warp_count: u32 = 0;
override swings: bool = false;
// Whether the stage is drawn opaque, without blending.
override opaque: bool = true;

// Additive blending: 0 none, 1 unweighted, 2 weighted by alpha. On a transparent background, the alpha of a glow is its
// brightness.
override glow: u32 = 0;

const LIGHT_NONE: u32 = 0;
const LIGHT_VERTEX: u32 = 1;
const LIGHT_TEXEL: u32 = 2;
const LIGHT_STUDIO: u32 = 3;
const LIGHT_STUDIO_RELIEF: u32 = 4;

// Light that Quake III's engine assumes outside of maps: ambient and directed strength, 0 to 255, and the direction of
// the light (ioquake3, tr_light.c and tr_bsp.c).
const AMBIENT: f32 = 182.0;
const DIRECTED: f32 = 150.0;
const TOWARDS_LIGHT = vec3f(0.428571, 0.285714, 0.857143);
// Position of the light for `alphaGen lightingSpecular`, in model space (tr_shade_calc.c).
const SPECULAR_ORIGIN = vec3f(-960.0, 1980.0, 96.0);

const TURN: f32 = 6.283185307;

struct Corner {
    @builtin(position) @invariant position: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) shade: vec4f,
    // Linear colour of the vertex, for studio light.
    @location(4) tint: vec4f,
}

fn game_light(n_l: f32) -> f32 {
    return min(floor(AMBIENT + DIRECTED * max(n_l, 0.0)), 255.0) / 255.0;
}

fn warped(uv: vec2f, position: vec3f) -> vec2f {
    var result = uv;
    for (var index = 0u; index < warp_count; index++) {
        let warp = stage.warps[index];
        result = mat2x2f(warp.matrix.xy, warp.matrix.zw) * result + warp.shift_and_swing.xy;
        if swings {
            let swing = warp.shift_and_swing.zw;
            let phase = vec2f(position.x + position.z, position.y) / 1024.0 + swing.y;
            result += swing.x * sin(fract(phase) * TURN);
        }
    }
    return result;
}

fn corner_at(position: vec3f, normal: vec3f, own_uv: vec2f, tint: vec4f) -> Corner {
    let world = (part.world_from_model * vec4f(position, 1.0)).xyz;
    let turned = (part.world_from_model * vec4f(normal, 0.0)).xyz;
    let to_eye = part.eye.xyz - position * part.eye.w;
    var uv = own_uv;
    if coordinates == 1u {
        let view = normalize(to_eye);
        let mirrored = 2.0 * dot(normal, view) * normal - view;
        uv = vec2f(0.5 + 0.5 * mirrored.y, 0.5 - 0.5 * mirrored.z);
    } else if coordinates == 2u {
        uv = vec2f(dot(position, stage.vector_s.xyz), dot(position, stage.vector_t.xyz));
    }
    var shade = stage.shade;
    // Keep the length of the normal, because games do not normalise every normal.
    if light == LIGHT_VERTEX {
        shade = vec4f(shade.rgb * game_light(dot(normalize(turned) * length(normal), TOWARDS_LIGHT)), shade.a);
    }
    if alpha_source == 1u {
        let towards = normalize(SPECULAR_ORIGIN - position);
        let mirrored = 2.0 * dot(normal, towards) * normal - towards;
        let shine = max(dot(mirrored, normalize(to_eye)), 0.0);
        shade.a = floor(min(shine * shine * shine * shine, 1.0) * 255.0) / 255.0;
    } else if alpha_source == 2u {
        shade.a = floor(clamp(length(to_eye) / stage.numbers.x, 0.0, 1.0) * 255.0) / 255.0;
    } else if alpha_source == 3u {
        // ET: Legacy tr_shade.c, AGEN_NORMALZFADE.
        let half_range = max(0.5 * (stage.numbers.w - stage.numbers.z), 0.0001);
        let off = abs(normalize(turned).z - stage.numbers.z - half_range) / half_range;
        shade.a = floor(shade.a * max(1.0 - off, 0.0) * 255.0) / 255.0;
    }
    var corner: Corner;
    corner.world = world;
    corner.normal = turned;
    corner.uv = warped(uv, position);
    corner.shade = shade;
    corner.tint = tint;
    corner.position = frame.clip_from_world * vec4f(world, 1.0);
    return corner;
}

@vertex
fn vs_material(@location(0) position: vec3f, @location(1) normal: vec3f, @location(2) uv: vec2f) -> Corner {
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

// Returns the normal bent by the normal map. The tangents follow from the change of position and coordinates on the
// image.
fn bent(normal: vec3f, world: vec3f, uv: vec2f) -> vec3f {
    let map = textureSample(bump, image_sampler, uv).xyz * 2.0 - 1.0;
    let across = dpdx(world);
    let down = dpdy(world);
    let uv_across = dpdx(uv);
    let uv_down = dpdy(uv);
    let area = uv_across.x * uv_down.y - uv_down.x * uv_across.y;
    let side = select(-1.0, 1.0, area >= 0.0);
    let along_s = (across * uv_down.y - down * uv_across.y) * side;
    let along_t = (down * uv_across.x - across * uv_down.x) * side;
    // Without area there are no tangents, so return the normal unchanged.
    let s = along_s - normal * dot(normal, along_s);
    let t = along_t - normal * dot(normal, along_t);
    let lengths = vec2f(dot(s, s), dot(t, t));
    if area == 0.0 || lengths.x < 1e-20 || lengths.y < 1e-20 {
        return normal;
    }
    return normalize(s * inverseSqrt(lengths.x) * map.x + t * inverseSqrt(lengths.y) * map.y + normal * map.z);
}

@fragment
fn fs_material(corner: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let texel = sample_image(image, image_sampler, corner.uv);
    var normal = normalize(corner.normal);
    if light >= LIGHT_STUDIO && !front {
        normal = -normal;
    }
    var shine = vec3f(0.0);
    if light == LIGHT_TEXEL || light == LIGHT_STUDIO_RELIEF {
        normal = bent(normal, corner.world, corner.uv);
        shine = textureSample(specular, image_sampler, corner.uv).rgb;
    }
    let shade = clamp(corner.shade, vec4f(0.0), vec4f(1.0));
    var alpha = texel.a * shade.a * corner.tint.a;
    if alpha_test == 1u && alpha <= 0.0 {
        discard;
    }
    if alpha_test == 2u && alpha >= 0.5 {
        discard;
    }
    if alpha_test == 3u {
        if light >= LIGHT_STUDIO {
            alpha = cutout_alpha(image, alpha, corner.uv);
        }
        if alpha < select(0.5, 0.004, covers_by_alpha) {
            discard;
        }
    }
    if alpha_test == 4u && alpha <= stage.numbers.y {
        discard;
    }
    var colour = texel.rgb * shade.rgb;
    if light == LIGHT_TEXEL {
        let view = normalize(frame.eye.xyz - corner.world * frame.eye.w);
        let n_l = dot(normal, TOWARDS_LIGHT);
        let n_h = max(dot(normal, normalize(view + TOWARDS_LIGHT)), 0.0);
        // Doom 3's specular term rises steeply close to the reflected direction.
        let near = clamp(4.0 * n_h - 3.0, 0.0, 1.0);
        colour = colour * game_light(n_l) + shine * (near * near * step(0.0, n_l));
    } else if light >= LIGHT_STUDIO {
        let gloss = dot(shine, vec3f(0.3, 0.59, 0.11)) * 0.6;
        let is_cutout = alpha_test != 0u;
        let mirrors = select(0.0, 1.0, opaque && !is_cutout);
        let albedo = linear_from_stored(colour) * corner.tint.rgb;
        colour = stored_from_linear(lit(albedo, normal, corner.world, gloss, 0.0, is_cutout, mirrors));
        if opaque {
            colour += dither(corner.position.xy);
        }
    }
    colour = clamp(colour, vec3f(0.0), vec3f(1.0));
    if glow != 0u {
        let added = colour * select(1.0, alpha, glow == 2u);
        return vec4f(added, max(max(added.r, added.g), added.b));
    }
    return vec4f(colour, select(alpha, 1.0, opaque && !covers_by_alpha));
}
