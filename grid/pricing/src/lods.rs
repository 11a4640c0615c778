//! What each LOD contributes to the streaming cost.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::Counts;

use crate::mesh::Mesh;
use crate::rules::Pricing;

/// What each LOD contributes to the streaming cost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LodDetail {
    /// Bytes in the file; 0 if it is missing.
    pub bytes: Lods<i32>,
    /// The triangles and vertices that it really has; `None` for one that is missing, cannot be decoded
    /// or was not counted.
    pub geometry: Lods<Option<Counts>>,
    /// Whether that was counted of any.
    pub is_counted: bool,
    /// Triangles that it is charged for.
    pub triangles: Lods<f64>,
    /// The part of the cost that it is responsible for, 0 to 1.
    pub share: Lods<f64>,
    /// Metres from which on it is shown.
    pub begins: Lods<f64>,
    /// The part of the region in which it is shown, 0 to 1.
    pub area: Lods<f64>,
}

impl Pricing {
    /// What each LOD of a mesh contributes at a scale.
    #[must_use]
    pub fn lods(&self, mesh: &Mesh, scale: ObjectScale<f64>) -> LodDetail {
        let (streaming, radius, bytes) = (self.meshes(), scale.radius(), mesh.sizes);
        LodDetail {
            bytes,
            geometry: mesh.geometry.as_ref().map(|geometry| geometry.counts).unwrap_or_default(),
            is_counted: mesh.geometry.is_some(),
            triangles: streaming.triangles(bytes),
            share: streaming.cost_shares(radius, bytes),
            begins: streaming.transition_distances(radius),
            area: streaming.area_shares(radius),
        }
    }
}
