//! What is known of a mesh asset.

use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::Limits;

/// What is known of a mesh asset: all that its costs depend on, and what an operator looks for.
///
/// What could not be read is `None` or 0, and [`error`](Self::error) says why.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshRow {
    /// Bytes of each LOD, as the streaming cost counts them; 0 for one that is missing.
    pub sizes: Lods<i32>,
    /// The triangles that each LOD really has.
    pub triangles: Lods<Option<i32>>,
    /// The vertices that each LOD really has.
    pub vertices: Lods<Option<i32>>,
    /// The vertices of the hull around everything: 1 to 256.
    pub hull_vertices: Option<i32>,
    /// Whether the file has no hull, so that `hull_vertices` is the most that could come out.
    pub hull_estimated: Option<bool>,
    /// The hulls of the decomposition; `None` without one.
    pub hulls: Option<i32>,
    /// Their vertices together.
    pub hulls_vertices: Option<i32>,
    /// What a simulator wrote into the asset as the cost of the hull.
    pub hull_cost: Option<f64>,
    /// What a simulator wrote into the asset as the cost of the decomposition.
    pub decomposition_cost: Option<f64>,
    /// The triangles of the physics mesh; `None` without one.
    pub physics_triangles: Option<i32>,
    /// The block of the physics mesh as the file has it, compressed: what its cost at a scale is measured from.
    pub physics_mesh: Option<Vec<u8>>,
    /// The joints of the skin; 0 without one.
    pub joints: i32,
    /// Triangles without an area, in all LODs.
    pub degenerate: i32,
    /// Triangles of the physics mesh thinner than an upload warns of, at a scale of 1 m.
    pub thin: i32,
    /// LODs whose geometry is that of the next finer one.
    pub copied: i32,
    /// The bytes of those LODs.
    pub copied_bytes: i64,
    /// Why something of it could not be read.
    pub error: Option<String>,
}

impl MeshRow {
    /// Reads the file of an asset within limits. Never fails: what is wrong is in [`error`](Self::error).
    #[must_use]
    pub fn of(_file: &[u8], _limits: Limits) -> Self {
        todo!()
    }
}
