//! Convex decompositions with the least volume error for a cost.

use std::time::Instant;

use glam::DVec3;
use lodger_core::cost::physics::ConvexDecomposition;

use crate::error::PackError;
use crate::frame::ObjectFrame;
use crate::knapsack::solve;
use crate::lod_chain::LodCandidate;
use crate::model::{LodMesh, ModelObject};
use crate::physics::ShapeContext;
use crate::physics::coverage::{COVERAGE, Cover, VoxelGrid, samples};
use crate::physics::hull::HullPoint;
use crate::physics::hull::block::on_lattice;
use crate::physics::hull::enclose::{Enclosed, enclose};
use crate::physics::hull::levels::{HullLevel, hull_levels};
use crate::physics::hull::polytope::Polytope;
use crate::physics::{ShapeOption, budget, keep_pareto, knapsack_class};

#[derive(Clone, Debug)]
pub(crate) struct DecompositionOption {
    pub(crate) hulls: Vec<Vec<HullPoint>>,
    pub(crate) cost: f64,
    /// The volume error as a ratio to the object's box.
    pub(crate) error: f64,
    /// The greatest distance in metres of a surface sample: at most [`COVERAGE`] of the diagonal.
    pub(crate) uncovered: f64,
}

struct Decomposition {
    parts: Vec<DecomposedPart>,
    error: f64,
}

struct DecomposedPart {
    body: Polytope,
    volume: f64,
    levels: Vec<HullLevel>,
}

struct DecompositionTarget<'a> {
    object: &'a ModelObject,
    frame: &'a ObjectFrame,
    surface: &'a LodMesh,
    samples: Vec<HullPoint>,
    solid: VoxelGrid,
}

/// Voxels along the longest side: in the search for the number of hulls, and for the result.
const RESOLUTIONS: [u32; 2] = [64, 100];
/// Units of work for a voxel and halving of parts.
const PER_VOXEL: u64 = 100;
const PER_HULL: u64 = 1_000_000;
const PER_TRIANGLE: u64 = 1_000;
/// Units of work for a millisecond of a failing decomposition, which no count predicts.
const PER_MILLISECOND: u64 = 250_000;
const MAX_TRIANGLES: usize = 20_000;
const MAX_CORNERS: usize = 96;
/// The number of budgets tried for each of several objects, whose shares of the cost are open.
const BUDGETS: usize = 16;
const NEXT_BUDGET: f64 = 0.8;

/// Decompositions of the model's physics shape, or of a candidate: the cheapest first, none both
/// more expensive and worse than another; and a failure of some, if others were found.
pub(crate) fn decomposition_options(
    object: &ModelObject,
    candidates: &[LodCandidate],
    frame: &ObjectFrame,
    (max_cost, alone): (f64, bool),
    making: &ShapeContext<'_>,
) -> Result<(Vec<DecompositionOption>, Option<String>), PackError> {
    let surface = object.physics.as_ref().unwrap_or(&object.high);
    let simple = object.physics.as_ref().or_else(|| simple(candidates)).unwrap_or(surface);
    let target = DecompositionTarget {
        object,
        frame,
        surface,
        samples: samples(surface, frame),
        solid: VoxelGrid::new(surface, frame, making.quota)?,
    };
    let single = target.single();
    let single = single.ok_or_else(|| PackError::physics(object, "it has no vertices"))?;
    let mut decompositions = vec![single];
    let problem = match target.search(simple, max_cost, making, &mut decompositions) {
        Err(PackError::Physics { problem, .. }) if decompositions.len() > 1 => Some(problem),
        searched => {
            searched?;
            None
        }
    };
    let tried = if alone { 1 } else { BUDGETS };
    let budgets =
        std::iter::successors(Some(max_cost), |max_cost| Some(max_cost * NEXT_BUDGET)).take(tried);
    let mut forms: Vec<DecompositionOption> = budgets
        .flat_map(|max_cost| {
            decompositions.iter().filter_map(move |decomposition| decomposition.for_cost(max_cost))
        })
        .collect();
    forms.extend(decompositions[0].cheapest());
    for form in &mut forms {
        form.uncovered = target.uncovered(&form.hulls);
    }
    keep_pareto(&mut forms, |form| (form.cost, form.error));
    Ok((forms, problem))
}

fn simple(candidates: &[LodCandidate]) -> Option<&LodMesh> {
    let fits = |candidate: &&LodCandidate| candidate.level.triangle_count() <= MAX_TRIANGLES;
    candidates.iter().find(fits).or(candidates.last()).map(|candidate| &candidate.level)
}

impl DecompositionTarget<'_> {
    fn single(&self) -> Option<Decomposition> {
        let points = self.surface.positions().map(|point| on_lattice(point, self.frame));
        let enclosed = enclose(points.collect(), MAX_CORNERS)?;
        Some(self.decomposition(vec![DecomposedPart::new(enclosed)]))
    }

    fn search(
        &self,
        simple: &LodMesh,
        max_cost: f64,
        making: &ShapeContext<'_>,
        decompositions: &mut Vec<Decomposition>,
    ) -> Result<(), PackError> {
        let cheapest: f64 = ConvexDecomposition::new([4]).map_or(0.0, ConvexDecomposition::cost);
        let counts = std::iter::successors(Some(2_u16), |count| count.checked_mul(2));
        let paid = |count: &u16| {
            *count <= ConvexDecomposition::MOST && f64::from(*count) * cheapest <= max_cost
        };
        let mut best = (f64::INFINITY, 2);
        let mut idle = 0;
        for count in counts.take_while(paid) {
            let decomposition = self.decomposed(simple, count, RESOLUTIONS[0], making)?;
            let error = decomposition.for_cost(max_cost).map_or(f64::INFINITY, |form| form.error);
            decompositions.push(decomposition);
            idle = if error < best.0 { 0 } else { idle + 1 };
            if error < best.0 {
                best = (error, count);
            }
            if idle == 2 {
                break;
            }
        }
        if best.0.is_finite() {
            decompositions.push(self.decomposed(simple, best.1, RESOLUTIONS[1], making)?);
        }
        Ok(())
    }

    fn decomposed(
        &self,
        simple: &LodMesh,
        count: u16,
        resolution: u32,
        making: &ShapeContext<'_>,
    ) -> Result<Decomposition, PackError> {
        (making.tried)(&self.object.name);
        let (points, triangles) = joined(simple);
        let cuts = u64::from(count.ilog2()) * PER_VOXEL * u64::from(resolution).pow(3);
        let covered = u64::from(count) * PER_HULL + PER_TRIANGLE * triangles.len() as u64;
        making.quota.charge_work(cuts + covered)?;
        let decompose = making.decompose;
        let begun = Instant::now();
        let hulls = match decompose.decompose(&points, &triangles, count.into(), resolution) {
            Ok(hulls) => hulls,
            Err(problem) => {
                let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                making.quota.charge_work(milliseconds.saturating_mul(PER_MILLISECOND))?;
                return Err(PackError::physics(self.object, problem));
            }
        };
        if hulls.is_empty() || hulls.len() > usize::from(ConvexDecomposition::MOST) {
            let problem = format!("taking it apart came to {} hulls", hulls.len());
            return Err(PackError::physics(self.object, problem));
        }
        let placed = |hull: Vec<[f32; 3]>| {
            hull.into_iter().map(|point| on_lattice(point, self.frame)).collect::<Vec<HullPoint>>()
        };
        Ok(self.decomposition(self.covering(hulls.into_iter().map(placed).collect())))
    }

    /// Encloses point sets; far samples are added to the nearest hull.
    fn covering(&self, hulls: Vec<Vec<HullPoint>>) -> Vec<DecomposedPart> {
        let bodies: Vec<_> =
            hulls.into_iter().filter_map(|hull| enclose(hull, MAX_CORNERS)).collect();
        let cover = Cover::new(bodies.iter().map(|enclosed| &enclosed.body), self.frame);
        let mut added = vec![Vec::new(); bodies.len()];
        for &sample in &self.samples {
            let (nearest, far) = cover.nearest(sample);
            if far > self.tolerance()
                && let Some(added) = added.get_mut(nearest)
            {
                added.push(sample);
            }
        }
        let grown = |(enclosed, mut added): (Enclosed, Vec<HullPoint>)| {
            if added.is_empty() {
                return Some(DecomposedPart::new(enclosed));
            }
            added.extend(enclosed.body.corners());
            enclose(added, MAX_CORNERS).map(DecomposedPart::new)
        };
        bodies.into_iter().zip(added).filter_map(grown).collect()
    }

    fn tolerance(&self) -> f64 {
        COVERAGE * DVec3::from(self.frame.sides()).length()
    }

    fn decomposition(&self, parts: Vec<DecomposedPart>) -> Decomposition {
        let error = self.solid.difference(parts.iter().map(|part| &part.body));
        Decomposition { parts, error }
    }

    fn uncovered(&self, hulls: &[Vec<HullPoint>]) -> f64 {
        let hulls: Vec<_> = hulls.iter().filter_map(|hull| Polytope::hull(hull)).collect();
        Cover::new(hulls.iter(), self.frame).farthest(&self.samples)
    }
}

fn joined(level: &LodMesh) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for face in &level.submeshes {
        let first = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let moved = |index: u16| first.saturating_add(index.into());
        triangles.extend(face.triangles.iter().map(|triangle| triangle.map(moved)));
        points.extend_from_slice(&face.positions);
    }
    (points, triangles)
}

impl DecomposedPart {
    fn new(enclosed: Enclosed) -> Self {
        let Enclosed { body, volume } = enclosed;
        Self { levels: hull_levels(&body), body, volume }
    }

    fn options(&self) -> impl Iterator<Item = ShapeOption> + Clone {
        self.levels.iter().map(|level| ShapeOption {
            cost: hulls_cost([level].into_iter()),
            error: level.volume - self.volume,
        })
    }
}

/// The cost of a decomposition; infinite if it is invalid.
fn hulls_cost<'a>(levels: impl Iterator<Item = &'a HullLevel>) -> f64 {
    ConvexDecomposition::new(levels.map(HullLevel::vertices))
        .map_or(f64::INFINITY, ConvexDecomposition::cost)
}

impl Decomposition {
    fn for_cost(&self, max_cost: f64) -> Option<DecompositionOption> {
        let classes: Vec<_> =
            self.parts.iter().map(|part| knapsack_class(part.options())).collect();
        let solution = solve(&classes, budget(max_cost));
        (solution.overcommit == 0 && !classes.is_empty()).then(|| self.form(&solution.options))
    }

    fn cheapest(&self) -> Option<DecompositionOption> {
        (!self.parts.is_empty()).then(|| self.form(&vec![0; self.parts.len()]))
    }

    fn form(&self, picks: &[usize]) -> DecompositionOption {
        let parts = self.parts.iter().zip(picks);
        let levels: Vec<_> = parts.map(|(part, &pick)| (part, &part.levels[pick])).collect();
        let excess: f64 = levels.iter().map(|(part, level)| level.volume - part.volume).sum();
        DecompositionOption {
            hulls: levels.iter().map(|(_, level)| level.corners.clone()).collect(),
            cost: hulls_cost(levels.iter().map(|(_, level)| *level)),
            error: self.error + excess,
            uncovered: 0.0,
        }
    }
}
