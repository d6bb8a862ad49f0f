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
