//! Models for the tests: drawings and glTF documents as .glb files.

mod gltf;
mod shapes;

pub(crate) use gltf::{GltfBuilder, TRIANGLE};
pub(crate) use shapes::{
    cloth, fan, navigation, nine_material_cube, rings, skinned_tube, soup, sphere, terrain,
    torus_knot, tree_of_cards, tubes,
};

/// A model to be written: Y up, in metres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) name: &'static str,
    pub(crate) meshes: Vec<DrawnMesh>,
    pub(crate) materials: Vec<String>,
    pub(crate) joints: Vec<(String, [f32; 3])>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnMesh {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Primitive {
    pub(crate) material: Option<usize>,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tex_coords: Vec<[f32; 2]>,
    pub(crate) weights: Vec<([u8; 2], [f32; 2])>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Drawing {
    pub(crate) fn new(name: &'static str, primitive: Primitive) -> Self {
        let mesh = DrawnMesh { name: name.to_owned(), primitives: vec![primitive] };
        Self { name, meshes: vec![mesh], ..Self::default() }
    }

    pub(crate) fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.meshes[0].name);
        self
    }
}
