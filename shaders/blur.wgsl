// Blur of the shadow texture in one direction.

@group(1) @binding(0) var layers: texture_2d<f32>;
@group(1) @binding(1) var layers_sampler: sampler;

override vertical: bool = false;

// Gaussian weights. A step is 0.6 standard deviations.
const BELL = array<f32, 5>(1.0, 0.8353, 0.4868, 0.1979, 0.0561);

@vertex
fn vs_blur(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering_corner(index), 0.5, 1.0);
}

@fragment
fn fs_blur(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = 1.0 / frame.shadow.w;
    let uv = position.xy * texel;
    var direction = vec2f(texel, 0.0);
    if vertical {
        direction = vec2f(0.0, texel);
    }
    var sum = textureSampleLevel(layers, layers_sampler, uv, 0.0);
    var weight = vec4f(1.0);
    for (var i = 1; i <= 4; i++) {
        let bell = BELL[i];
        let wide = direction * f32(i) * frame.shadow.y;
        let narrow = direction * f32(i) * frame.shadow.z;
        sum += bell * vec4f(
            textureSampleLevel(layers, layers_sampler, uv + wide, 0.0).rg
                + textureSampleLevel(layers, layers_sampler, uv - wide, 0.0).rg,
            textureSampleLevel(layers, layers_sampler, uv + narrow, 0.0).ba
                + textureSampleLevel(layers, layers_sampler, uv - narrow, 0.0).ba,
        );
        weight += 2.0 * bell;
    }
    return sum / weight;
}
