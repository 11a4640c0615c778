//! Collision shapes within a cost.

mod coverage;
mod decomposer;
mod decomposition;
mod hull;
mod mesh;
mod shape;

use lodger_quota::Quota;

use crate::frame::ObjectFrame;
use crate::knapsack::KnapsackClass;
use crate::lod_chain::LodCandidate;
use crate::model::{LodMesh, ModelObject};
pub use crate::physics::coverage::COVERAGE;
pub use crate::physics::decomposer::{ChildDecomposer, DECOMPOSE_ARG, run_decomposer};
pub use crate::physics::hull::block::TOLERANCE;
pub(crate) use crate::physics::hull::block::facets;
pub(crate) use crate::physics::shape::shapes;

/// The kind of collision shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CollisionKind {
    /// Only the bounding hull that every asset needs: a box.
    None,
    /// A box.
    Box,
    /// The hull of the object, with as many vertices as the cost allows.
    #[default]
    Hull,
    /// A convex decomposition, and the hull. V-HACD halves parts repeatedly up to a requested
    /// number, so that exactly two or three parts are rare.
    Parts,
    /// Triangles, and the hull.
    Mesh,
}

/// The collision shape of an object, in metres, in the space of the model.
#[derive(Clone, Debug, Default)]
pub struct CollisionShape {
    /// The bounding hull, 4 to 256 vertices.
    pub bounding: Vec<[f32; 3]>,
    /// The hulls of a decomposition, 4 to 256 vertices each; empty without one.
    pub parts: Vec<Vec<[f32; 3]>>,
    /// Triangles; `None` with a decomposition.
    pub mesh: Option<LodMesh>,
    /// The greatest distance in metres of a vertex outside of the written hull: at most
    /// [`TOLERANCE`] of the diagonal of the box of all hulls.
    pub outside: f64,
    /// The greatest distance in metres of a surface sample from the decomposition: at most
    /// [`COVERAGE`] of the diagonal of the object's box.
    pub uncovered: f64,
    /// The volume of the difference between the shape that counts and the model, as a ratio to the
    /// volume of its box: from a grid of 64³ cells, without cells at the surface, plus the exact
    /// volume that simplification of hulls added. For a mesh, the greatest distance to the model
    /// times the model's surface.
    pub volume_error: f64,
    /// The cost with the shape type.
    pub cost: f64,
}

/// Decomposes a mesh into convex hulls.
pub trait Decompose: Sync {
    /// Returns at most `hulls` convex hulls whose union approximates the mesh, from a grid of
    /// `resolution` voxels along the longest side.
    ///
    /// # Errors
    ///
    /// A time or memory limit, or a failure.
    fn decompose(
        &self,
        points: &[[f32; 3]],
        triangles: &[[u32; 3]],
        hulls: u32,
        resolution: u32,
    ) -> Result<Vec<Vec<[f32; 3]>>, String>;
}

impl<F> Decompose for F
where
    F: Fn(&[[f32; 3]], &[[u32; 3]], u32, u32) -> Result<Vec<Vec<[f32; 3]>>, String> + Sync,
{
    fn decompose(
        &self,
        points: &[[f32; 3]],
        triangles: &[[u32; 3]],
        hulls: u32,
        resolution: u32,
    ) -> Result<Vec<Vec<[f32; 3]>>, String> {
        self(points, triangles, hulls, resolution)
    }
}

#[derive(Debug)]
pub(crate) struct ShapeInput<'a> {
    pub(crate) object: &'a ModelObject,
    pub(crate) frame: &'a ObjectFrame,
    pub(crate) candidates: &'a [LodCandidate],
}

#[derive(Clone, Copy)]
pub(crate) struct ShapeContext<'a> {
    pub(crate) decompose: &'a dyn Decompose,
    pub(crate) quota: &'a Quota,
    pub(crate) tried: &'a (dyn Fn(&str) + Sync),
}

/// Units in a cost of 1; a vertex costs 400.
const UNITS: f64 = 10_000.0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeOption {
    pub(crate) cost: f64,
    pub(crate) error: f64,
}

/// Converts a cost to units, rounded up, up to rounding errors.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is meant")]
pub(crate) fn units(cost: f64) -> u32 {
    const ROUNDING: f64 = 1e-9;
    let units = cost * UNITS;
    (units - ROUNDING * units.max(1.0)).ceil() as u32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is meant")]
pub(crate) fn budget(max_cost: f64) -> u64 {
    const ROUNDING: f64 = 1e-9;
    let units = max_cost * UNITS;
    (units + ROUNDING * units.max(1.0)).floor() as u64
}

#[expect(clippy::cast_precision_loss, reason = "far below 2⁵³")]
pub(crate) fn cost(units: u64) -> f64 {
    units as f64 / UNITS
}

/// The knapsack class of options, the cheapest and worst first.
pub(crate) fn knapsack_class(options: impl Iterator<Item = ShapeOption> + Clone) -> KnapsackClass {
    KnapsackClass::from_losses(options.map(|option| (units(option.cost), option.error)))
}

/// Sorts options by cost, then error, and keeps those with less error than all before. `key`
/// returns cost and error.
pub(crate) fn keep_pareto<T>(options: &mut Vec<T>, key: impl Fn(&T) -> (f64, f64)) {
    options.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut min = f64::INFINITY;
    options.retain(|option| {
        let (_, error) = key(option);
        let is_better = error < min;
        min = min.min(error);
        is_better
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_have_whole_costs() {
        for vertices in 4..=256_u32 {
            let cost = f64::from(vertices + 1) * 0.04;
            assert_eq!(units(cost), 400 * (vertices + 1));
            assert_eq!(budget(cost), 400 * u64::from(vertices + 1));
        }
        assert_eq!((units(0.500_01), budget(0.500_09)), (5_001, 5_000));
        assert_eq!((units(0.0), budget(0.0), budget(-1.0)), (0, 0, 0));
    }
}
