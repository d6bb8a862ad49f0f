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
    // Distance at which alpha is 1, threshold of the alpha test, range of the normal's upward part in which alpha is
    // not 0.
    numbers: vec4f,
    vector_s: vec4f,
    vector_t: vec4f,
    warps: array<UvTransform, 4>,
    // Columns of the matrices for the normal map and the specular map, and the translations of both.
    bump: vec4f,
    specular: vec4f,
    shifts: vec4f,
    // Colour of the specular map, and 1 if the normal map is shown.
    shine: vec4f,
}

// A light of an interaction. Twin of `GameLightUniform` in src/render/game_lights.rs.
struct GameLight {
    // Colour of the ambient light, and 1 if normal maps bend it.
    ambient: vec4f,
    // Position and 1, or direction towards the light and 0.
    origin: vec4f,
    colour: vec4f,
    // Products with (position, 1) are s q, t q, q, and the position along the light's depth.
    planes: array<vec4f, 4>,
}

@group(1) @binding(0) var<uniform> part: Part;
@group(2) @binding(0) var image: texture_2d<f32>;
@group(2) @binding(1) var image_sampler: sampler;
@group(2) @binding(2) var<uniform> stage: Stage;
@group(2) @binding(3) var bump: texture_2d<f32>;
@group(2) @binding(4) var specular: texture_2d<f32>;
@group(3) @binding(0) var<uniform> game: GameLight;
@group(3) @binding(1) var projection: texture_2d<f32>;
@group(3) @binding(2) var falloff: texture_2d<f32>;
@group(3) @binding(3) var light_sampler: sampler;

// Twin of `LightingModel` in src/render/pass/materials.rs; 0 is none, also in interactions.
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

// Look beyond the texture's edges: 0 as the sampler says, 1 black, 2 transparent.
override outside: u32 = 0;
// Twins of `StagePipelineKey::relief`.
override has_bump: bool = false;
override has_specular: bool = false;
override has_own_coordinates: bool = false;
override lights_backs: bool = false;
// Light of the game is computed at the vertices unless a map changes it.
override by_vertex: bool = light == LIGHT_GAME && !has_bump && !has_specular;
// Whether the light has images.
override has_light_images: bool = false;

const LIGHT_GAME: u32 = 1;
const LIGHT_STUDIO: u32 = 2;

// Light of the game. Twins of the fields of `LightRule` in crates/maquette-assets/src/engines/light.rs.
override towards_x: f32 = 0.428571;
override towards_y: f32 = 0.285714;
override towards_z: f32 = 0.857143;
override ambient: f32 = 182.0;
override facing: f32 = 150.0;
override averted: f32 = 0.0;
override is_byte: bool = true;
override intensity: f32 = 1.0;
override glows: bool = false;
// Effects of Quake II: opacity of the model, and of a shell its distance from the model and its colour.
override opacity: f32 = 1.0;
override shell: f32 = 0.0;
override shell_red: f32 = 0.0;
override shell_green: f32 = 0.0;
override shell_blue: f32 = 0.0;
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
    @location(5) own_uv: vec2f,
}

fn game_light(normal: vec3f) -> f32 {
    let n_l = dot(normal, vec3f(towards_x, towards_y, towards_z));
    let light = (ambient + select(averted, facing, n_l >= 0.0) * n_l) * select(1.0, frame.image.w, glows);
    return select(light, min(floor(light), 255.0), is_byte) / 255.0;
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

fn corner_at(own_position: vec3f, normal: vec3f, own_uv: vec2f, tint: vec4f) -> Corner {
    let position = own_position + normal * shell;
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
    if by_vertex {
        shade = vec4f(shade.rgb * game_light(normalize(turned) * length(normal)), shade.a);
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
    corner.own_uv = own_uv;
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

struct InteractionCorner {
    @builtin(position) @invariant position: vec4f,
    @location(0) world: vec3f,
    @location(1) uv: vec2f,
    @location(2) own_uv: vec2f,
    @location(3) shade: vec4f,
    // Direction towards the light, and halfway to the eye, in the space of the tangents and the normal.
    @location(4) towards_light: vec3f,
    @location(5) halfway: vec3f,
}

// dhewm3 draw_arb2.cpp, RB_ARB2_DrawInteraction: the directions are interpolated between the vertices.
@vertex
fn vs_interaction(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) own_uv: vec2f,
    @location(3) tangent: vec3f,
    @location(4) bitangent: vec3f,
) -> InteractionCorner {
    let base = corner_at(position, normal, own_uv, vec4f(1.0));
    let axes = mat3x3f(
        (part.world_from_model * vec4f(tangent, 0.0)).xyz,
        (part.world_from_model * vec4f(bitangent, 0.0)).xyz,
        base.normal,
    );
    let towards = game.origin.xyz - base.world * game.origin.w;
    let view = normalize(frame.eye.xyz - base.world * frame.eye.w);
    var corner: InteractionCorner;
    corner.position = base.position;
    corner.world = base.world;
    corner.uv = base.uv;
    corner.own_uv = base.own_uv;
    corner.shade = base.shade;
    corner.towards_light = towards * axes;
    corner.halfway = (towards / max(length(towards), 1e-20) + view) * axes;
    return corner;
}

// Returns the texel of the stage. Beyond the edges, and on them, it may be black or transparent (dhewm3 Image_load.cpp,
// SetImageFilterAndRepeat: TR_CLAMP_TO_ZERO).
fn stage_texel(uv: vec2f) -> vec4f {
    var texel = sample_image(image, image_sampler, uv);
    if outside != 0u {
        let size = vec2f(textureDimensions(image));
        let inner = clamp(uv * size - 0.5, vec2f(0.0), vec2f(1.0)) * clamp((1.0 - uv) * size - 0.5, vec2f(0.0), vec2f(1.0));
        let share = inner.x * inner.y;
        texel = select(vec4f(texel.rgb, texel.a * share), vec4f(texel.rgb * share, texel.a), outside == 1u);
    }
    return texel;
}

fn bump_texel(stage_uv: vec2f, own_uv: vec2f) -> vec3f {
    var uv = stage_uv;
    if has_own_coordinates {
        uv = mat2x2f(stage.bump.xy, stage.bump.zw) * own_uv + stage.shifts.xy;
    }
    return mix(vec3f(0.0, 0.0, 1.0), textureSample(bump, image_sampler, uv).xyz * 2.0 - 1.0, stage.shine.w);
}

fn specular_texel(stage_uv: vec2f, own_uv: vec2f) -> vec3f {
    var uv = stage_uv;
    if has_own_coordinates {
        uv = mat2x2f(stage.specular.xy, stage.specular.zw) * own_uv + stage.shifts.zw;
    }
    return textureSample(specular, image_sampler, uv).rgb * stage.shine.rgb;
}

// Returns the direction of `map`, a vector of a normal map, with its length. The tangents follow from the change of
// position and coordinates on the image.
fn bent(map: vec3f, normal: vec3f, world: vec3f, uv: vec2f) -> vec3f {
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
    return s * inverseSqrt(lengths.x) * map.x + t * inverseSqrt(lengths.y) * map.y + normal * map.z;
}

// Returns whether the alpha test of a game discards an alpha.
fn is_hole(alpha: f32) -> bool {
    return alpha_test == 1u && alpha <= 0.0
        || alpha_test == 2u && alpha >= 0.5
        || alpha_test == 3u && alpha < select(0.5, 0.004, covers_by_alpha)
        || alpha_test == 4u && alpha <= stage.numbers.y;
}

// Light of a game's ambient light in tangent space: the bytes of dhewm3 Image_init.cpp, R_AmbientNormalImage, as
// glprogs/interaction.vfp reads them.
const AMBIENT_DIRECTION = vec3f(1.0, -0.7725, 0.7804);

// Interaction of a surface and a light. The formula is that of Doom 3's glprogs/interaction.vfp with the parameters of
// dhewm3 draw_arb2.cpp, RB_ARB2_DrawInteraction: neither the normal map's vectors nor the light are cut before the sum.
@fragment
fn fs_interaction(corner: InteractionCorner) -> @location(0) vec4f {
    let texel = stage_texel(corner.uv);
    let shade = clamp(corner.shade, vec4f(0.0), vec4f(1.0));
    // The bytes of dhewm3 Image_init.cpp, R_FlatNormalImage: 128, 128, 255.
    var map = vec3f(1.0 / 255.0, 1.0 / 255.0, 1.0);
    if has_bump {
        map = bump_texel(corner.uv, corner.own_uv);
    }
    var shine = vec3f(0.0);
    if has_specular {
        shine = specular_texel(corner.uv, corner.own_uv);
    }
    var light = game.colour.rgb;
    if has_light_images {
        // The derivatives of the coordinates jump where q is 0, so sample the first level only.
        let at = vec4f(corner.world, 1.0);
        let q = dot(game.planes[2], at);
        let uv = vec3f(vec2f(dot(game.planes[0], at), dot(game.planes[1], at)) / q, dot(game.planes[3], at));
        let is_inside = q > 0.0 && all(uv >= vec3f(0.0)) && all(uv <= vec3f(1.0));
        let images = textureSampleLevel(projection, light_sampler, uv.xy, 0.0)
            * textureSampleLevel(falloff, light_sampler, vec2f(uv.z, 0.5), 0.0);
        light *= select(vec3f(0.0), images.rgb, is_inside);
    }
    if !lights_backs {
        // dhewm3 Interaction.cpp, R_CreateLightTris. The camera sees front faces only.
        let across = cross(dpdx(corner.world), dpdy(corner.world));
        let to_eye = frame.eye.xyz - corner.world * frame.eye.w;
        let to_light = game.origin.xyz - corner.world * game.origin.w;
        light *= select(0.0, 1.0, dot(across, to_eye) * dot(across, to_light) >= 0.0);
    }
    if is_hole(texel.a * shade.a) {
        discard;
    }
    let diffuse = texel.rgb * shade.rgb;
    // The cube map of dhewm3 Image_init.cpp, getCubeVector, has 127 steps of 127.5.
    let towards = corner.towards_light * (127.0 / 127.5) / max(length(corner.towards_light), 1e-20);
    var reflected = diffuse;
    if has_specular {
        // dhewm3 Image_init.cpp, R_SpecularTableImage.
        let near = max(4.0 * clamp(dot(map, normalize(corner.halfway)), 0.0, 1.0) - 3.0, 0.0);
        reflected += 2.0 * shine * (floor(255.0 * near * near) / 255.0);
    }
    let ambient = clamp(diffuse * game.ambient.rgb * mix(1.0, dot(map, AMBIENT_DIRECTION), game.ambient.w), vec3f(0.0), vec3f(1.0));
    let directed = clamp(light * dot(map, towards) * reflected, vec3f(0.0), vec3f(1.0));
    let colour = min(ambient + directed, vec3f(1.0));
    return vec4f(colour, select(max(max(colour.r, colour.g), colour.b), 1.0, opaque));
}

@fragment
fn fs_material(corner: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    if shell > 0.0 {
        return vec4f(shell_red, shell_green, shell_blue, opacity);
    }
    var texel = stage_texel(corner.uv);
    texel = vec4f(min(texel.rgb * intensity, vec3f(1.0)), texel.a);
    var normal = normalize(corner.normal);
    if light == LIGHT_STUDIO && !front {
        normal = -normal;
    }
    var shine = vec3f(0.0);
    if light != 0u && (has_bump || has_specular) {
        normal = normalize(bent(bump_texel(corner.uv, corner.own_uv), normal, corner.world, corner.own_uv));
        shine = specular_texel(corner.uv, corner.own_uv);
    }
    let brightest = select(1.0, 2.0, by_vertex && !is_byte);
    let shade = clamp(corner.shade, vec4f(0.0), vec4f(vec3f(brightest), 1.0));
    var alpha = texel.a * shade.a * corner.tint.a * opacity;
    if light == LIGHT_STUDIO && alpha_test == 3u {
        alpha = cutout_alpha(image, alpha, corner.uv);
    }
    if is_hole(alpha) {
        discard;
    }
    var colour = texel.rgb * shade.rgb;
    if light == LIGHT_GAME && !by_vertex {
        let view = normalize(frame.eye.xyz - corner.world * frame.eye.w);
        let to_light = vec3f(towards_x, towards_y, towards_z);
        let n_h = max(dot(normal, normalize(view + normalize(to_light))), 0.0);
        let near = clamp(4.0 * n_h - 3.0, 0.0, 1.0);
        colour = colour * game_light(normal) + shine * (near * near * step(0.0, dot(normal, to_light)));
    } else if light == LIGHT_STUDIO {
        let gloss = dot(shine, BRIGHTNESS) * 0.6;
        let is_cutout = alpha_test != 0u;
        let albedo = linear_from_stored(colour) * corner.tint.rgb;
        let mirrors = select(0.0, mirroring(image, texel.rgb, corner.uv), opaque && !is_cutout);
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
