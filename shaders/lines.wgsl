// Overlay lines and wireframes. Each segment becomes a rectangle on the image with round ends and smooth edges. A dot
// is a segment of zero length. Each end has a width in points.

// Twin of `LineInstance` in src/render/pass/lines.rs.
struct Line {
    @location(0) start: vec3f,
    // Width at the start, in points.
    @location(1) width: f32,
    @location(2) end: vec3f,
    @location(3) end_width: f32,
    @location(4) colour: vec4f,
}

@group(1) @binding(0) var<uniform> part: Part;

// For wireframes: three coordinates for each vertex of the part, and pairs of vertices that form edges.
@group(2) @binding(0) var<storage, read> vertices: array<f32>;
@group(2) @binding(1) var<storage, read> edges: array<vec2u>;

// Factor on a line's opacity: less than 1 behind surfaces, more than 1 for casings that must contrast with any texture.
override strength: f32 = 1.0;
// Whether the casing is drawn instead of the line. A casing is a point wider on each side.
override casing: bool = false;

struct Corner {
    @builtin(position) position: vec4f,
    // Position relative to the segment in pixels: along the segment from its start, and across.
    @location(0) local: vec2f,
    // Length of the segment, and half its width at the start and at the end, in pixels.
    @location(1) @interpolate(flat, either) size: vec3f,
    @location(2) @interpolate(flat, either) colour: vec4f,
}

// Returns corner `corner` (0 to 3) of a segment's rectangle. The segment is clipped at the near plane and divided by w
// here, so that the coordinates across the rectangle are interpolated linearly on the image.
fn expanded(start: vec3f, end: vec3f, widths: vec2f, colour: vec4f, corner: u32) -> Corner {
    var a = frame.clip_from_world * vec4f(start, 1.0);
    var b = frame.clip_from_world * vec4f(end, 1.0);
    var result: Corner;
    if a.z < 0.0 && b.z < 0.0 {
        result.position = vec4f(0.0, 0.0, -1.0, 1.0);
        return result;
    }
    if a.z < 0.0 {
        a = mix(a, b, a.z / (a.z - b.z));
    } else if b.z < 0.0 {
        b = mix(b, a, b.z / (b.z - a.z));
    }
    let half_size = frame.image.xy * 0.5;
    let near_end = a.xyz / a.w;
    let far_end = b.xyz / b.w;
    let across_image = (far_end.xy - near_end.xy) * half_size;
    let span = length(across_image);
    var along = vec2f(1.0, 0.0);
    if span > 1e-4 {
        along = across_image / span;
    }
    let across = vec2f(-along.y, along.x);
    var half_widths = widths * 0.5 * frame.image.z;
    if casing {
        half_widths += frame.image.z;
    }
    // Draw lines thinner than a pixel one pixel wide, but with less opacity.
    let paler = min(max(half_widths.x, half_widths.y) * 2.0, 1.0);
    half_widths = max(half_widths, vec2f(0.5));
    let reach = max(half_widths.x, half_widths.y) + 0.5;
    let at_end = (corner & 1u) == 1u;
    let side = f32(corner >> 1u) * 2.0 - 1.0;
    let base = select(near_end, far_end, at_end);
    let local = vec2f(select(-reach, span + reach, at_end), side * reach);
    let pixel = base.xy * half_size + along * select(-reach, reach, at_end) + across * side * reach;
    result.position = vec4f(pixel / half_size, base.z, 1.0);
    result.local = local;
    result.size = vec3f(span, half_widths);
    result.colour = vec4f(colour.rgb, min(colour.a * strength, 1.0) * paler);
    return result;
}

@vertex
fn vs_lines(line: Line, @builtin(vertex_index) corner: u32) -> Corner {
    var colour = line.colour;
    if casing {
        colour = vec4f(frame.casing.rgb, frame.casing.a * colour.a);
    }
    return expanded(line.start, line.end, vec2f(line.width, line.end_width), colour, corner);
}

fn vertex_position(vertex: u32) -> vec3f {
    let at = vertex * 3u;
    let position = vec3f(vertices[at], vertices[at + 1u], vertices[at + 2u]);
    return (part.world_from_model * vec4f(position, 1.0)).xyz;
}

@vertex
fn vs_wire(@builtin(instance_index) index: u32, @builtin(vertex_index) corner: u32) -> Corner {
    let edge = edges[index];
    return expanded(vertex_position(edge.x), vertex_position(edge.y), frame.wire_width.xx, frame.wire, corner);
}

@vertex
fn vs_vertices(@location(0) position: vec3f, @builtin(vertex_index) corner: u32) -> Corner {
    var colour = frame.vertices;
    if casing {
        colour = frame.casing;
    }
    let world = (part.world_from_model * vec4f(position, 1.0)).xyz;
    return expanded(world, world, frame.wire_width.yy, colour, corner);
}

// Edges one pixel wide, for devices whose vertex shaders cannot read storage buffers.
@vertex
fn vs_hairline(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return frame.clip_from_world * part.world_from_model * vec4f(position, 1.0);
}

@fragment
fn fs_hairline() -> @location(0) vec4f {
    return frame.wire;
}

@fragment
fn fs_lines(corner: Corner) -> @location(0) vec4f {
    let beyond = max(max(-corner.local.x, corner.local.x - corner.size.x), 0.0);
    let away = length(vec2f(beyond, corner.local.y));
    let half_width = mix(corner.size.y, corner.size.z, saturate(corner.local.x / max(corner.size.x, 1e-4)));
    let cover = clamp(half_width + 0.5 - away, 0.0, 1.0);
    return vec4f(corner.colour.rgb, corner.colour.a * cover);
}
