//! The sphere around what a node draws.

use glam::DAffine3;
use lodger_gltf::raw::Node;
use lodger_gltf::{Index, PlacedNode};

use super::instances;
use super::mesh::Meshes;
use super::skin::Skins;
use super::space::{Bounds, Sphere};
use crate::gltf_error::{NodeError, SkinError};

/// Where what the nodes of a file draw is looked up.
pub(super) struct Shapes<'a> {
    pub(super) meshes: &'a Meshes<'a>,
    pub(super) skins: Skins<'a>,
}

/// The spheres of a node, and why a skin does not count if it does not.
pub(super) struct Shape {
    pub(super) spheres: Spheres,
    pub(super) unskinned: Option<SkinError>,
}

/// One sphere, or one for each instance.
pub(super) enum Spheres {
    One(Sphere),
    Instances(Vec<Sphere>),
}

impl Shapes<'_> {
    /// The spheres around a mesh where its node draws it. A skin counts unless the mesh is drawn many
    /// times. Morph targets do not count: what a node draws at rest is in the sphere.
    pub(super) fn of(
        &self,
        placed: &PlacedNode,
        node: &Node<'_>,
        mesh: Index,
    ) -> Result<Shape, NodeError> {
        if let Some(attributes) = node.instancing() {
            let bounds = self.meshes.bounds(mesh)?;
            let count = instances::count(self.meshes.data, attributes)?;
            let places = instances::transforms(self.meshes.data, attributes)?;
            self.meshes
                .data
                .purse
                .scratch::<Sphere>(usize::try_from(count).unwrap_or(usize::MAX))?;
            let spheres = places.map(|place| under(bounds, &(placed.world * place))).collect();
            let unskinned = node.skin.map(|_| SkinError::Instances);
            return Ok(Shape { spheres: Spheres::Instances(spheres), unskinned });
        }
        let (skinned, unskinned) = match node.skin.map(|skin| self.skins.sphere(mesh, skin)) {
            Some(Ok(sphere)) => (Some(sphere), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        let sphere = match skinned {
            Some(sphere) => sphere,
            None => under(self.meshes.bounds(mesh)?, &placed.world),
        };
        Ok(Shape { spheres: Spheres::One(sphere), unskinned })
    }
}

/// A mesh of which nothing is drawn is a point.
fn under(bounds: Option<Bounds>, world: &DAffine3) -> Sphere {
    match bounds {
        Some(bounds) => bounds.sphere_under(world),
        None => Sphere { centre: world.translation, radius: 0.0 },
    }
}
