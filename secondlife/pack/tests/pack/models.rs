//! Models that the tests make: what is drawn becomes a .glb file, as a modeller would write it.

mod shapes;
mod write;

use lodger_pack::{Face, Frame, Level, Material, Model, Object};

pub(crate) use shapes::{
    cloth, fan, navigation, nine_material_cube, plane, rings, skinned_tube, soup, sphere, terrain,
    torus_knot, tree_of_cards, tubes,
};

/// A file in the making: Y up, in metres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) name: &'static str,
    pub(crate) meshes: Vec<DrawnMesh>,
    pub(crate) materials: Vec<String>,
    /// The joints of all meshes whose vertices have weights: names and positions.
    pub(crate) joints: Vec<(&'static str, [f32; 3])>,
}

/// A node with a mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnMesh {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
}

/// Triangles of one material.
#[derive(Clone, Debug, Default)]
pub(crate) struct Primitive {
    pub(crate) material: Option<usize>,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tex_coords: Vec<[f32; 2]>,
    /// Two joints for each vertex, and their weights.
    pub(crate) weights: Vec<([u8; 2], [f32; 2])>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Drawing {
    /// One mesh of one material.
    pub(crate) fn of(name: &'static str, primitive: Primitive) -> Self {
        let mesh = DrawnMesh { name: name.to_owned(), primitives: vec![primitive] };
        Self { name, meshes: vec![mesh], ..Self::default() }
    }

    /// The bytes of a .glb file.
    pub(crate) fn glb(&self) -> Vec<u8> {
        write::glb(self)
    }

    /// The model that a reader should see: for drawings of at most eight small primitives a mesh, without joints.
    pub(crate) fn model(&self) -> Model {
        let materials = self.materials.iter().map(|name| Material {
            name: name.clone(),
            colour: [0.8, 0.8, 0.8, 1.0],
            ..Material::default()
        });
        let plain = Material { name: "plain".to_owned(), ..Material::default() };
        let objects = self.meshes.iter().map(|mesh| Object {
            name: mesh.name.clone(),
            materials: mesh.primitives.iter().map(|face| face.material.unwrap_or(0)).collect(),
            high: Level { faces: mesh.primitives.iter().map(Primitive::face).collect() },
            ..Object::default()
        });
        Model {
            name: self.name.to_owned(),
            objects: objects.collect(),
            materials: if self.materials.is_empty() { vec![plain] } else { materials.collect() },
            ..Model::default()
        }
    }
}

impl Primitive {
    fn face(&self) -> Face {
        let up = |[x, y, z]: [f32; 3]| [x, -z, y];
        let index = |index: u32| u16::try_from(index).expect("a small primitive");
        Face {
            positions: self.positions.iter().copied().map(up).collect(),
            normals: self.normals.iter().copied().map(up).collect(),
            tex_coords: self.tex_coords.iter().map(|&[u, v]| [u, -v]).collect(),
            influences: Vec::new(),
            triangles: self.triangles.iter().map(|triangle| triangle.map(index)).collect(),
        }
    }
}

#[test]
fn a_sphere_is_as_large_as_it_is_drawn() {
    let model = sphere(1.5, 12).model();
    let frame = Frame::of(&model.objects[0].high);
    for side in frame.sides() {
        assert!((side - 3.0).abs() < 1e-5, "{side}");
    }
    let area: f64 = model.objects[0].high.corners().map(area).sum();
    let round = 4.0 * std::f64::consts::PI * 1.5 * 1.5;
    assert!(area < round && area > 0.95 * round, "{area} of {round}");
}

#[test]
fn surfaces_look_outward() {
    for drawing in [sphere(1.0, 8), torus_knot(48, 8), nine_material_cube()] {
        let volume: f64 =
            drawing.meshes[0].primitives.iter().flat_map(Primitive::corners).map(cone).sum();
        assert!(volume > 0.0, "{} is inside out", drawing.name);
    }
}

/// The signed volume between the origin and a triangle.
fn cone([a, b, c]: [[f64; 3]; 3]) -> f64 {
    dot(a, cross(b, c)) / 6.0
}

fn area(corners: [[f32; 3]; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let edge = |to: [f64; 3]| std::array::from_fn(|axis| to[axis] - a[axis]);
    let normal = cross(edge(b), edge(c));
    dot(normal, normal).sqrt() / 2.0
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Primitive {
    fn corners(&self) -> impl Iterator<Item = [[f64; 3]; 3]> {
        let corner = |index: u32| self.positions[index as usize].map(f64::from);
        self.triangles.iter().map(move |triangle| triangle.map(corner))
    }
}
