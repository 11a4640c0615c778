//! A truck as a .glb file: six nodes of three meshes, 4 200 triangles, without a texture.

use std::fmt::Write as _;

use lodger_testkit::build::gltf::glb;

const GRID: u16 = 10;
const AROUND: u16 = 24;
const OF_TYRE: u16 = 12;
/// Cosine and sine of 15°; their powers have the same bits on every machine.
const STEP: [f64; 2] = [0.965_925_826_289_068_3, 0.258_819_045_102_520_74];
const FLOAT: u32 = 5126;
const SHORT: u32 = 5123;
const VERTICES: u32 = 34_962;
const INDICES: u32 = 34_963;

#[derive(Default)]
struct Surface {
    points: Vec<[f64; 3]>,
    normals: Vec<[f64; 3]>,
    indices: Vec<u16>,
}

impl Surface {
    fn net(&mut self, along: u16, across: u16, point: impl Fn(u16, u16) -> [[f64; 3]; 2]) {
        let first = u16::try_from(self.points.len()).expect("few points");
        for (i, j) in (0..=along).flat_map(|i| (0..=across).map(move |j| (i, j))) {
            let [place, normal] = point(i, j);
            self.points.push(place);
            self.normals.push(normal);
        }
        for (i, j) in (0..along).flat_map(|i| (0..across).map(move |j| (i, j))) {
            let corner = first + i * (across + 1) + j;
            let next = corner + across + 1;
            self.indices.extend([corner, next, next + 1, corner, next + 1, corner + 1]);
        }
    }
}

/// A box of these half sides with rounded edges.
fn body(half: [f64; 3], radius: f64) -> Surface {
    let mut surface = Surface::default();
    for (axis, side) in (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
        surface.net(GRID, GRID, |i, j| {
            let along = [i, j].map(|step| 2.0 * f64::from(step) / f64::from(GRID) - 1.0);
            let mut place = [0.0; 3];
            place[axis] = side * half[axis];
            // Triangles are counter-clockwise from outside.
            place[(axis + 1) % 3] = side * along[0] * half[(axis + 1) % 3];
            place[(axis + 2) % 3] = along[1] * half[(axis + 2) % 3];
            let inner = [0, 1, 2].map(|k| place[k].clamp(radius - half[k], half[k] - radius));
            let out = [0, 1, 2].map(|k| place[k] - inner[k]);
            let length = out.iter().map(|part| part * part).sum::<f64>().sqrt();
            let normal = out.map(|part| part / length);
            [[0, 1, 2].map(|k| inner[k] + radius * normal[k]), normal]
        });
    }
    surface
}

fn wheel(radius: f64, tyre: f64) -> Surface {
    let mut circle = vec![[1.0, 0.0]];
    for step in 0..usize::from(AROUND) {
        let [x, y]: [f64; 2] = circle[step];
        circle.push([x * STEP[0] - y * STEP[1], x * STEP[1] + y * STEP[0]]);
    }
    let turn = |step: u16, steps: u16| circle[usize::from(step % steps * (AROUND / steps))];
    let mut surface = Surface::default();
    surface.net(AROUND, OF_TYRE, |i, j| {
        let ([y, z], [out, side]) = (turn(i, AROUND), turn(j, OF_TYRE));
        let from_axis = radius + tyre * out;
        [[tyre * side, y * from_axis, z * from_axis], [side, y * out, z * out]]
    });
    surface
}

#[derive(Default)]
struct Writer {
    bin: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    meshes: Vec<String>,
}

impl Writer {
    fn accessor(&mut self, bytes: &[u8], target: u32, accessor: &str) -> usize {
        let (offset, length) = (self.bin.len(), bytes.len());
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = self.views.len();
        self.views.push(format!(
            "{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length},\"target\":{target}}}"
        ));
        self.accessors.push(format!("{{\"bufferView\":{view},{accessor}}}"));
        view
    }

    fn vectors(&mut self, vectors: &[[f64; 3]], has_bounds: bool) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "a file has 32 bits")]
        let narrow: Vec<_> =
            vectors.iter().map(|vector| vector.map(|along| along as f32)).collect();
        let bytes: Vec<_> = narrow.iter().flatten().flat_map(|along| along.to_le_bytes()).collect();
        let bound = |of: fn(f32, f32) -> f32, from: f32| {
            [0, 1, 2].map(|axis| narrow.iter().map(|vector| vector[axis]).fold(from, of))
        };
        let count = vectors.len();
        let mut accessor = format!("\"componentType\":{FLOAT},\"type\":\"VEC3\",\"count\":{count}");
        if has_bounds {
            let [min, max] = [bound(f32::min, f32::MAX), bound(f32::max, f32::MIN)];
            write!(accessor, ",\"min\":{min:?},\"max\":{max:?}").unwrap();
        }
        self.accessor(&bytes, VERTICES, &accessor)
    }

    fn mesh(&mut self, name: &str, material: usize, surface: &Surface) {
        let place = self.vectors(&surface.points, true);
        let normal = self.vectors(&surface.normals, false);
        let bytes: Vec<_> = surface.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let count = surface.indices.len();
        let accessor = format!("\"componentType\":{SHORT},\"type\":\"SCALAR\",\"count\":{count}");
        let indices = self.accessor(&bytes, INDICES, &accessor);
        self.meshes.push(format!(
            "{{\"name\":\"{name}\",\"primitives\":[{{\"attributes\":{{\"POSITION\":{place},\
             \"NORMAL\":{normal}}},\"indices\":{indices},\"material\":{material}}}]}}"
        ));
    }

    fn glb(self, nodes: &[String], materials: &[String]) -> Vec<u8> {
        let Self { bin, views, accessors, meshes } = self;
        let roots: Vec<_> = (0..nodes.len()).map(|index| index.to_string()).collect();
        let length = bin.len();
        let json = format!(
            "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"cargo xtask files\"}},\"scene\":0,\
             \"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":[{}],\"meshes\":[{}],\"materials\":[{}],\
             \"accessors\":[{}],\"bufferViews\":[{}],\"buffers\":[{{\"byteLength\":{length}}}]}}",
            roots.join(","),
            nodes.join(","),
            meshes.join(","),
            materials.join(","),
            accessors.join(","),
            views.join(","),
        );
        glb(json, &bin)
    }
}

/// A truck of 2 × 2.3 × 5 m on the ground, which looks along −z.
pub(crate) fn truck() -> Vec<u8> {
    let mut writer = Writer::default();
    writer.mesh("cab", 0, &body([1.0, 0.85, 0.8], 0.25));
    writer.mesh("bed", 0, &body([1.0, 0.5, 1.6], 0.1));
    writer.mesh("wheel", 1, &wheel(0.3, 0.15));
    let node = |name: &str, mesh: usize, place: [f64; 3]| {
        format!("{{\"name\":\"{name}\",\"mesh\":{mesh},\"translation\":{place:?}}}")
    };
    let nodes = [
        node("cab", 0, [0.0, 1.45, -1.7]),
        node("bed", 1, [0.0, 1.1, 0.9]),
        node("front left", 2, [-0.9, 0.45, -1.6]),
        node("front right", 2, [0.9, 0.45, -1.6]),
        node("rear left", 2, [-0.9, 0.45, 1.5]),
        node("rear right", 2, [0.9, 0.45, 1.5]),
    ];
    let material = |name: &str, colour: [f64; 4]| {
        format!(
            "{{\"name\":\"{name}\",\"pbrMetallicRoughness\":{{\"baseColorFactor\":{colour:?},\
             \"metallicFactor\":0}}}}"
        )
    };
    let materials =
        [material("paint", [0.8, 0.2, 0.1, 1.0]), material("rubber", [0.05, 0.05, 0.05, 1.0])];
    writer.glb(&nodes, &materials)
}
