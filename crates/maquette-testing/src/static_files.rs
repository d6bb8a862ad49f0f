//! Generated files of the static formats: ASE, LWO and OBJ.

/// Square of two triangles with different submaterials, and a triangle without material.
pub const ASE: &str = r#"*3DSMAX_ASCIIEXPORT 200
*COMMENT "with a { brace"
*MATERIAL_LIST {
	*MATERIAL_COUNT 1
	*MATERIAL 0 {
		*MATERIAL_NAME "multi"
		*SUBMATERIAL 0 {
			*MATERIAL_NAME "models/box/side"
			*MAP_DIFFUSE {
				*BITMAP "C:\doom3\base\models\box\side.tga"
			}
		}
		*SUBMATERIAL 1 {
			*MATERIAL_NAME "02 - Default"
			*MAP_DIFFUSE {
				*BITMAP "//Server/doom/base/textures/lid.tga"
				*UVW_U_OFFSET 0.5
				*UVW_V_TILING 2
			}
		}
	}
}
*GEOMOBJECT {
	*NODE_NAME "square"
	*NODE_TM {
		*NODE_NAME "turned"
		*TM_ROW0 0 1 0
		*TM_ROW1 -1 0 0
		*TM_ROW2 0 0 1
		*TM_ROW3 5 6 7
	}
	*MESH {
		*MESH_NUMVERTEX 4
		*MESH_NUMFACES 2
		*MESH_VERTEX_LIST {
			*MESH_VERTEX 0 0 0 0
			*MESH_VERTEX 1 8 0 0
			*MESH_VERTEX 2 8 8 0
			*MESH_VERTEX 3 0 8 0
		}
		*MESH_FACE_LIST {
			*MESH_FACE 0: A: 0 B: 1 C: 2 AB: 1 BC: 1 CA: 0 *MESH_SMOOTHING 1 *MESH_MTLID 0
			*MESH_FACE 1: A:0 B:2 C:3 AB: 1 BC: 1 CA: 0 *MESH_SMOOTHING *MESH_MTLID 1
		}
		*MESH_NUMTVERTEX 3
		*MESH_TVERTLIST {
			*MESH_TVERT 0 0 0 0
			*MESH_TVERT 1 1 0.25 0
			*MESH_TVERT 2 0.5 1 0
		}
		*MESH_NUMTVFACES 2
		*MESH_TFACELIST {
			*MESH_TFACE 0 0 1 2
			*MESH_TFACE 1 0 1 2
		}
		*MESH_NORMALS {
			*MESH_FACENORMAL 0 0 0 1
			*MESH_VERTEXNORMAL 0 1 0 0
			*MESH_VERTEXNORMAL 1 0 0 1
			*MESH_VERTEXNORMAL 2 0 0 1
			*MESH_FACENORMAL 1 0 0 1
			*MESH_VERTEXNORMAL 0 0 0 1
			*MESH_VERTEXNORMAL 2 0 0 1
			*MESH_VERTEXNORMAL 3 0 0 1
		}
	}
	*MATERIAL_REF 0
}
*GROUP "others" {
	*GEOMOBJECT {
		*NODE_NAME "bare"
		*MESH {
			*MESH_VERTEX_LIST {
				*MESH_VERTEX 0 0 0 0
				*MESH_VERTEX 1 1 0 0
				*MESH_VERTEX 2 0 1 0
			}
			*MESH_FACE_LIST {
				*MESH_FACE 0: A: 0 B: 1 C: 2
			}
		}
		*MATERIAL_REF 7
	}
}
"#;

/// Quad and triangle with two materials, the first of which occurs twice.
pub const OBJ: &str = "# comment
mtllib box.mtl
v 0 0 0
v 4 0 0
v 4 6 0
v 0 6 0
vt 0 0
vt 1 0.25
vn 0 0 1
o box
usemtl models/box/side
f 1/1/1 2/2/1 3/2/1 4//1
usemtl lid
s 1
f 1 2 -1
usemtl models/box/side
f 2/1 3/1 4/1
";

fn chunk(id: &str, data: &[u8]) -> Vec<u8> {
    let size = u32::try_from(data.len()).unwrap().to_be_bytes();
    let pad: &[u8] = if data.len() % 2 == 1 { &[0] } else { &[] };
    [id.as_bytes(), &size, data, pad].concat()
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(text.len() / 2 * 2 + 2, 0);
    bytes
}

fn u16s(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

/// Returns two triangles that meet at a right angle, with the surfaces `side` (smooth up to 100 degrees) and `lid` (flat).
/// `kind` is `LWO2` or `LWOB`, which has no texture coordinates.
pub fn lwo(kind: &str) -> Vec<u8> {
    let points = chunk("PNTS", &f32s(&[0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0]));
    let angle = [b"SMAN".as_slice(), &u16s(&[4]), &f32s(&[1.7453293])].concat();
    let chunks = if kind == "LWOB" {
        [
            points,
            chunk("SRFS", &[text("side"), text("lid")].concat()),
            chunk("POLS", &u16s(&[3, 0, 1, 2, 1, 3, 0, 3, 1, 2])),
            chunk("SURF", &[text("side"), angle].concat()),
        ]
    } else {
        let map = [b"TXUV".as_slice(), &u16s(&[2]), &text("map"), &u16s(&[1]), &f32s(&[0.25, 0.75])].concat();
        let corner = [b"TXUV".as_slice(), &u16s(&[2]), &text("map"), &u16s(&[1, 1]), &f32s(&[1.0, 0.5])].concat();
        [
            [chunk("TAGS", &[text("side"), text("lid")].concat()), points].concat(),
            [
                chunk("VMAP", &map),
                chunk("POLS", &[b"FACE".as_slice(), &u16s(&[3, 0, 1, 2, 3, 0, 3, 1])].concat()),
                chunk("PTAG", &[b"SURF".as_slice(), &u16s(&[0, 0, 1, 1])].concat()),
            ]
            .concat(),
            chunk("VMAD", &corner),
            chunk("SURF", &[text("side"), text(""), angle].concat()),
        ]
    };
    let body = [kind.as_bytes().to_vec(), chunks.concat()].concat();
    [b"FORM".as_slice(), &u32::try_from(body.len()).unwrap().to_be_bytes(), &body].concat()
}

/// Returns the lines of a DXF: groups of a code and a value.
macro_rules! groups {
    ($($code:literal $value:literal)*) => { concat!($($code, "\n", $value, "\n"),*) };
}

/// Square of the layer `side` in red, a tetrahedron without base and a grid of a block that is inserted twice, the second
/// time as its mirror image, and a triangle of a `MESH`.
pub const DXF: &str = groups!(
    0 "SECTION" 2 "TABLES" 0 "TABLE" 2 "LAYER"
    0 "LAYER" 2 "side" 70 0 62 1
    0 "LAYER" 2 "lid" 70 0 62 3
    0 "ENDTAB" 0 "ENDSEC"
    0 "SECTION" 2 "BLOCKS"
    0 "BLOCK" 8 "0" 2 "part" 70 0 10 1.0 20 0.0 30 0.0
    0 "POLYLINE" 8 "lid" 66 1 70 64 71 4 72 3
    0 "VERTEX" 8 "lid" 10 0.0 20 0.0 30 0.0 70 192
    0 "VERTEX" 8 "lid" 10 4.0 20 0.0 30 0.0 70 192
    0 "VERTEX" 8 "lid" 10 0.0 20 4.0 30 0.0 70 192
    0 "VERTEX" 8 "lid" 10 0.0 20 0.0 30 4.0 70 192
    0 "VERTEX" 8 "lid" 10 0 20 0 30 0 70 128 71 1 72 -2 73 4
    0 "VERTEX" 8 "lid" 10 0 20 0 30 0 70 128 71 1 72 4 73 3
    0 "VERTEX" 8 "lid" 10 0 20 0 30 0 70 128 71 2 72 3 73 4
    0 "SEQEND"
    0 "POLYLINE" 8 "lid" 62 12 66 1 70 16 71 2 72 3
    0 "VERTEX" 8 "lid" 10 0.0 20 0.0 30 9.0 70 64
    0 "VERTEX" 8 "lid" 10 0.0 20 1.0 30 9.0 70 64
    0 "VERTEX" 8 "lid" 10 0.0 20 2.0 30 9.0 70 64
    0 "VERTEX" 8 "lid" 10 1.0 20 0.0 30 9.0 70 64
    0 "VERTEX" 8 "lid" 10 1.0 20 1.0 30 9.0 70 64
    0 "VERTEX" 8 "lid" 10 1.0 20 2.0 30 9.0 70 64
    0 "SEQEND"
    0 "ENDBLK"
    0 "ENDSEC"
    0 "SECTION" 2 "ENTITIES"
    0 "3DFACE" 8 "side"
    10 0.0 20 0.0 30 0.0 11 8.0 21 0.0 31 0.0 12 8.0 22 8.0 32 0.0 13 0.0 23 8.0 33 0.0
    0 "3DFACE" 8 "side"
    10 0.0 20 0.0 30 5.0 11 8.0 21 0.0 31 5.0 12 8.0 22 8.0 32 5.0 13 8.0 23 8.0 33 5.0
    0 "INSERT" 8 "0" 2 "part" 10 21.0 20 0.0 30 0.0
    0 "INSERT" 8 "0" 2 "part" 10 0.0 20 0.0 30 0.0 41 -1.0 42 2.0 50 90.0
    0 "MESH" 8 "side" 62 5 71 2 91 0 92 3
    10 0.0 20 0.0 30 0.0 10 1.0 20 0.0 30 0.0 10 0.0 20 1.0 30 0.0
    93 4 90 3 90 0 90 1 90 2 94 0 95 0
    0 "LINE" 8 "side" 10 0.0 20 0.0 30 0.0 11 1.0 21 0.0 31 0.0
    0 "ENDSEC"
    0 "EOF"
);

/// Returns a chunk of a 3DS.
pub fn three_ds_chunk(id: u16, parts: &[&[u8]]) -> Vec<u8> {
    let data = parts.concat();
    let size = u32::try_from(data.len() + 6).unwrap();
    [&id.to_le_bytes()[..], &size.to_le_bytes(), &data].concat()
}

/// Returns the square of two triangles that is folded at its diagonal: the faces have one smoothing group, and the materials
/// `side` with a texture and `glass` with a transparent colour. The two points at the start of the diagonal have different
/// texture coordinates. Another object has a triangle without a material, and is animated and copied.
pub fn three_ds() -> Vec<u8> {
    let chunk = three_ds_chunk;
    let u16s = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let f32s = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let side = chunk(
        0xafff,
        &[
            &chunk(0xa000, &[b"side\0"]),
            &chunk(0xa020, &[&chunk(0x0011, &[&[255, 0, 0]])]),
            &chunk(0xa200, &[&chunk(0x0030, &[&u16s(&[100])]), &chunk(0xa300, &[b"C:\\MAPS\\SIDE.TGA\0"])]),
        ],
    );
    let glass = chunk(
        0xafff,
        &[
            &chunk(0xa000, &[b"glass\0"]),
            &chunk(0xa020, &[&chunk(0x0011, &[&[0, 255, 0]]), &chunk(0x0012, &[&[0, 0, 0]])]),
            &chunk(0xa050, &[&chunk(0x0030, &[&u16s(&[75])])]),
            &chunk(0xa081, &[]),
        ],
    );
    let points = [0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 8.0, 8.0, 8.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0];
    let faces = [
        u16s(&[2, 0, 1, 2, 7, 4, 2, 3, 6]),
        chunk(0x4130, &[b"side\0", &u16s(&[1, 0])]),
        chunk(0x4130, &[b"glass\0", &u16s(&[1, 1])]),
        chunk(0x4150, &[&1_u32.to_le_bytes(), &3_u32.to_le_bytes()]),
    ];
    let folded = chunk(
        0x4100,
        &[
            &chunk(0x4110, &[&u16s(&[5]), &f32s(&points)]),
            &chunk(0x4140, &[&u16s(&[5]), &f32s(&[0.0, 0.0, 1.0, 0.25, 1.0, 1.0, 0.0, 1.0, 0.5, 0.5])]),
            // A matrix that mirrors X.
            &chunk(0x4160, &[&f32s(&[-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])]),
            &chunk(0x4120, &[&faces.concat()]),
        ],
    );
    let bare = chunk(
        0x4100,
        &[
            &chunk(0x4110, &[&u16s(&[3]), &f32s(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])]),
            &chunk(0x4120, &[&u16s(&[1, 0, 1, 2, 7])]),
        ],
    );
    let editor = chunk(
        0x3d3d,
        &[
            &chunk(0x3d3e, &[&3_u32.to_le_bytes()]),
            &side,
            &glass,
            &chunk(0x4000, &[b"folded\0", &folded]),
            &chunk(0x4000, &[b"bare\0", &bare]),
            &chunk(0x4000, &[b"Lamp\0", &chunk(0x4600, &[&f32s(&[0.0, 0.0, 9.0])])]),
        ],
    );
    let name = chunk(0xb010, &[b"bare\0", &u16s(&[0, 0, 0xffff])]);
    let key = |frame: u32, x: f32| [&frame.to_le_bytes()[..], &u16s(&[0]), &f32s(&[x, 0.0, 0.0])].concat();
    let track = chunk(0xb020, &[&[0; 10], &2_u32.to_le_bytes(), &key(0, 0.0), &key(9, 5.0)]);
    let keyframer = chunk(0xb000, &[&chunk(0xb002, &[&name, &track]), &chunk(0xb002, &[&name])]);
    chunk(0x4d4d, &[&chunk(0x0002, &[&3_u32.to_le_bytes()]), &editor, &keyframer])
}
