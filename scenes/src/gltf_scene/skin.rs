//! Skinned meshes: their vertices are where their joints put them, wherever their node is.

use std::cell::RefCell;
use std::collections::HashMap;

use glam::{DAffine3, DMat4, DVec3};
use lodger_gltf::raw::{Document, Primitive, Skin};
use lodger_gltf::wanted::{JOINTS, MATRICES, POSITION, WEIGHTS};
use lodger_gltf::{Data, DataError, Elements, Index, PlacedNode};

use super::mesh::Meshes;
use super::space::{Bounds, Sphere};
use crate::gltf_error::SkinError;

/// The bytes of where a skin puts a mesh, in a table that grows to twice its length.
const FOUND: u64 = 512;

/// The skins of a file. Where one puts a mesh is found out once.
pub(super) struct Skins<'a> {
    document: &'a Document<'a>,
    meshes: &'a Meshes<'a>,
    nodes: &'a [PlacedNode],
    found: RefCell<HashMap<(Index, Index), Result<Sphere, SkinError>>>,
}

impl<'a> Skins<'a> {
    /// Skins of which none is read yet; the nodes are those of the scene, by rising index.
    pub(super) fn new(
        document: &'a Document<'a>,
        meshes: &'a Meshes<'a>,
        nodes: &'a [PlacedNode],
    ) -> Self {
        Self { document, meshes, nodes, found: RefCell::default() }
    }

    /// The sphere through the corners of the box around a mesh where a skin puts it.
    pub(super) fn sphere(&self, mesh: Index, skin: Index) -> Result<Sphere, SkinError> {
        let mut found = self.found.borrow_mut();
        let find = || {
            let paid = self.meshes.data.purse.keep(FOUND);
            paid.map_err(|spent| SkinError::Data { what: "joints", error: spent.into() })?;
            self.find(mesh, skin)
        };
        found.entry((mesh, skin)).or_insert_with(find).clone()
    }

    fn find(&self, mesh: Index, skin: Index) -> Result<Sphere, SkinError> {
        let missing = SkinError::NoSuchSkin(skin.get());
        let joints = self.joints(self.document.skins.get(skin.get()).ok_or(missing)?)?;
        let mut bounds: Option<Bounds> = None;
        for (number, part, positions) in self.meshes.drawn(mesh) {
            let found = put(self.meshes.data, (number, part, positions), &joints)?;
            bounds = bounds.into_iter().chain(found).reduce(Bounds::union);
        }
        let sphere = bounds.map(Bounds::sphere).filter(Sphere::is_finite);
        sphere.ok_or(SkinError::NoPlace)
    }

    /// From the space of the mesh to the world, for each joint of a skin.
    fn joints(&self, skin: &Skin) -> Result<Vec<DAffine3>, SkinError> {
        let inverse = skin.inverse_bind_matrices.map(|index| {
            let matrices = self.meshes.data.elements::<16>(index, MATRICES);
            matrices.map_err(|error| SkinError::Data { what: "inverseBindMatrices", error })
        });
        let mut inverse = inverse.transpose()?;
        let too_many = |error| SkinError::Data { what: "joints", error };
        self.meshes.data.charge(skin.joints.len() as u64).map_err(too_many)?;
        let scratch = self.meshes.data.purse.scratch::<DAffine3>(skin.joints.len());
        scratch.map_err(|spent| too_many(spent.into()))?;
        let mut joints = Vec::with_capacity(skin.joints.len());
        for joint in &skin.joints {
            let at = self.nodes.binary_search_by_key(&joint.0, |node| node.index.0);
            let node = at.map_err(|_| SkinError::NotInScene { node: joint.get() })?;
            let bound = match &mut inverse {
                Some(matrices) => matrices.next().ok_or(SkinError::TooFewMatrices)?,
                None => DMat4::IDENTITY.to_cols_array(),
            };
            let bound = DAffine3::from_mat4(DMat4::from_cols_array(&bound));
            joints.push(self.nodes[node].world * bound);
        }
        Ok(joints)
    }
}

/// Four joints of each vertex, and how much each of them counts.
struct Binding<'d> {
    joints: Elements<'d, 4>,
    weights: Elements<'d, 4>,
}

/// The box around the vertices of a primitive, each at Σ wᵢ·Jᵢ·v. A vertex without weights is nowhere.
fn put(
    data: &Data<'_>,
    (primitive, part, positions): (usize, &Primitive, Index),
    joints: &[DAffine3],
) -> Result<Option<Bounds>, SkinError> {
    let read = |what| move |error: DataError| SkinError::Data { what, error };
    let vertices = data.elements::<3>(positions, POSITION).map_err(read("POSITION"))?;
    let mut bindings = bindings(data, primitive, part)?;
    let is_short = |binding: &Binding<'_>| {
        binding.joints.len() != vertices.len() || binding.weights.len() != vertices.len()
    };
    if bindings.iter().any(is_short) {
        return Err(SkinError::Counts { primitive });
    }
    let mut bounds: Option<Bounds> = None;
    for vertex in vertices.map(DVec3::from_array) {
        let (mut sum, mut is_bound) = (DVec3::ZERO, false);
        for binding in &mut bindings {
            let ids = binding.joints.next().unwrap_or_default();
            let weights = binding.weights.next().unwrap_or_default();
            for (id, weight) in ids.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0) {
                sum += weight * joint(joints, id)?.transform_point3(vertex);
                is_bound = true;
            }
        }
        let point = is_bound.then_some(Bounds { min: sum, max: sum });
        bounds = bounds.into_iter().chain(point).reduce(Bounds::union);
    }
    Ok(bounds)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it was read from a whole number of at most 16 bits"
)]
fn joint(joints: &[DAffine3], id: f64) -> Result<&DAffine3, SkinError> {
    let missing = SkinError::NoSuchJoint { joint: id as u32, joints: joints.len() };
    joints.get(id as usize).ok_or(missing)
}

/// All sets of joints of a primitive, each with its weights.
fn bindings<'d>(
    data: &'d Data<'_>,
    primitive: usize,
    part: &Primitive,
) -> Result<Vec<Binding<'d>>, SkinError> {
    let unbound = |attribute| SkinError::NotBound { primitive, attribute };
    let attributes = &part.attributes;
    if attributes.joints.is_empty() {
        return Err(unbound("JOINTS_0"));
    }
    let bind = |(set, &joints): (&u8, &Index)| {
        let weights = attributes.weights.get(set).ok_or(unbound("WEIGHTS_n for its JOINTS_n"))?;
        let read = |what| move |error: DataError| SkinError::Data { what, error };
        Ok(Binding {
            joints: data.elements(joints, JOINTS).map_err(read("JOINTS_n"))?,
            weights: data.elements(*weights, WEIGHTS).map_err(read("WEIGHTS_n"))?,
        })
    };
    attributes.joints.iter().map(bind).collect()
}
