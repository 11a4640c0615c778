use lodger_core::cost::land_impact::{ObjectWeight, land_impact};
use lodger_core::cost::physics::{ConvexHull, SMALLEST_MESH_SIDE, ShapeType};
use lodger_quota::Quota;
use rayon::prelude::*;

use crate::error::PackError;
use crate::frame::ObjectFrame;
use crate::knapsack::solve;
use crate::model::Note;

use super::mesh::{MeshOption, mesh_options, notes as mesh_notes};
use super::{CollisionKind, CollisionShape, ShapeContext, ShapeInput};
use crate::physics::coverage::VoxelGrid;
use crate::physics::decomposition::{DecompositionOption, decomposition_options};
use crate::physics::hull::HullPoint;
use crate::physics::hull::block::{QuantizedPoints, in_metres, on_lattice};
use crate::physics::hull::enclose::{Enclosed, MAX_CORNERS, enclose};
use crate::physics::hull::levels::{HullLevel, boxed, hull_levels};
use crate::physics::hull::polytope::Polytope;
use crate::physics::{ShapeOption, budget, cost, knapsack_class};

/// Units of work for an enclosed vertex or a priced triangle.
const PER_VERTEX: u64 = 300;
/// Units of work for a corner of a hull that is simplified.
const PER_CORNER: u64 = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapeKind {
    Hull,
    Parts,
    Mesh,
}

const KINDS: [ShapeKind; 3] = [ShapeKind::Hull, ShapeKind::Parts, ShapeKind::Mesh];

struct ShapeOptions<'a> {
    shaping: &'a ShapeInput<'a>,
    /// The volume between the unsimplified hull and the object, as a ratio to the box.
    concavity: f64,
    volume: f64,
    hulls: Vec<HullLevel>,
    parts: Vec<DecompositionOption>,
    meshes: Vec<MeshOption>,
    picks: [usize; 3],
}

/// Makes collision shapes of all objects of a linkset with a total cost of at most `max_cost` as
/// shape type `shape`, and the least volume error. Shapes that this type does not use are held to
/// the same cost where possible.
///
/// # Errors
///
/// [`PackError::Physics`]; [`PackError::QuotaExceeded`]; [`PackError::TargetInfeasible`] with the
/// minimum cost.
pub(crate) fn shapes(
    objects: &[ShapeInput<'_>],
    choice: &CollisionKind,
    (shape, max_cost): (ShapeType, f64),
    making: &ShapeContext<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<CollisionShape>, PackError> {
    let made = objects.par_iter().map(|shaping| {
        (making.tried)(&shaping.object.name);
        ShapeOptions::new(shaping, choice, making.quota)
    });
    // Collects all, so that the first failure does not depend on the number of threads.
    let made: Vec<_> = made.collect();
    let mut all = Vec::new();
    for forms in made {
        let mut forms = forms?;
        if *choice == CollisionKind::Parts {
            forms.take_apart((max_cost, objects.len() == 1), making, notes)?;
        }
        all.push(forms);
    }
    buy(&mut all, shape, max_cost)?;
    let physics = all.iter().map(|forms| {
        let failed = |problem| PackError::physics(forms.shaping.object, problem);
        forms.physics(shape, notes).map_err(failed)
    });
    physics.collect()
}

/// Selects options of all objects: first the kinds that count for the budget, then the others
/// within the same limit.
fn buy(all: &mut [ShapeOptions<'_>], shape: ShapeType, max_cost: f64) -> Result<(), PackError> {
    let all_kinds = || (0..all.len()).flat_map(|object| KINDS.map(|kind| (object, kind)));
    let counts = |&(object, kind): &(usize, ShapeKind)| all[object].counting(shape) == Some(kind);
    let counting: Vec<_> = all_kinds().filter(counts).collect();
    let mut problems = vec![(counting, true)];
    for kind in KINDS {
        let others = all_kinds().filter(|other| other.1 == kind && !counts(other));
        problems.push((others.collect(), false));
    }
    for (problem, must) in problems {
        let has_options =
            |&&(object, kind): &&(usize, ShapeKind)| !all[object].options(kind).is_empty();
        let problem: Vec<_> = problem.iter().filter(has_options).copied().collect();
        let classes = problem
            .iter()
            .map(|&(object, kind)| knapsack_class(all[object].options(kind).into_iter()));
        let classes: Vec<_> = classes.collect();
        let solution = solve(&classes, budget(max_cost));
        if must && solution.overcommit > 0 {
            let min = cost(budget(max_cost) + solution.overcommit);
            let requested = land_impact(max_cost, 0.0, 0.0).value;
            return Err(PackError::infeasible(requested, ObjectWeight::Physics, min));
        }
        for ((object, kind), form) in problem.into_iter().zip(solution.options) {
            all[object].picks[kind as usize] = form;
        }
    }
    Ok(())
}

impl<'a> ShapeOptions<'a> {
    fn new(
        shaping: &'a ShapeInput<'a>,
        choice: &CollisionKind,
        quota: &Quota,
    ) -> Result<Self, PackError> {
        let (object, frame) = (shaping.object, shaping.frame);
        let failed = |problem: String| PackError::physics(object, problem);
        quota.charge_work(PER_VERTEX.saturating_mul(object.high.vertex_count() as u64))?;
        let points = object.high.positions().map(|point| on_lattice(point, frame)).collect();
        let Enclosed { body, volume } =
            enclose(points, MAX_CORNERS).ok_or_else(|| failed("it has no vertices".into()))?;
        let solid = VoxelGrid::new(&object.high, frame, quota)?;
        quota.charge_work(PER_CORNER * body.corner_count() as u64)?;
        let hulls = match choice {
            CollisionKind::None | CollisionKind::Box => {
                boxed(&body.corners()).iter().map(HullLevel::from_polytope).collect()
            }
            CollisionKind::Hull | CollisionKind::Parts | CollisionKind::Mesh => hull_levels(&body),
        };
        let meshes = match choice {
            CollisionKind::Mesh => {
                let all = shaping.candidates.iter().map(|one| one.level.triangle_count() as u64);
                quota.charge_work(PER_VERTEX.saturating_mul(all.sum()))?;
                mesh_options(object, shaping.candidates, frame).map_err(failed)?
            }
            _ => Vec::new(),
        };
        let concavity = solid.difference([&body].into_iter());
        Ok(Self { shaping, concavity, volume, hulls, parts: Vec::new(), meshes, picks: [0; 3] })
    }

    fn take_apart(
        &mut self,
        max_cost: (f64, bool),
        making: &ShapeContext<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<(), PackError> {
        let ShapeInput { object, frame, candidates } = *self.shaping;
        let (parts, problem) = decomposition_options(object, candidates, frame, max_cost, making)?;
        self.parts = parts;
        notes.extend(problem.map(|problem| Note {
            code: "physics-parts-failed",
            about: object.name.clone(),
            text: format!("not all decompositions were tried: {problem}"),
        }));
        Ok(())
    }

    fn counting(&self, shape: ShapeType) -> Option<ShapeKind> {
        let small = self.frame().sides().iter().any(|&side| side < SMALLEST_MESH_SIDE);
        match shape {
            ShapeType::None => None,
            ShapeType::Prim if !self.parts.is_empty() => Some(ShapeKind::Parts),
            ShapeType::Prim if !self.meshes.is_empty() && !small => Some(ShapeKind::Mesh),
            ShapeType::ConvexHull | ShapeType::Prim => Some(ShapeKind::Hull),
        }
    }

    const fn frame(&self) -> &ObjectFrame {
        self.shaping.frame
    }

    /// The volume of the box in cubic metres.
    fn box_volume(&self) -> f64 {
        self.frame().sides().iter().product()
    }

    /// The options of a kind, the cheapest first, with errors in cubic metres.
    fn options(&self, kind: ShapeKind) -> Vec<ShapeOption> {
        let box_volume = self.box_volume();
        let hull = |level: &HullLevel| ShapeOption {
            cost: hull_cost(level),
            error: self.hull_error(level) * box_volume,
        };
        match kind {
            ShapeKind::Hull => self.hulls.iter().map(hull).collect(),
            ShapeKind::Parts => self
                .parts
                .iter()
                .map(|form| ShapeOption { cost: form.cost, error: form.error * box_volume })
                .collect(),
            ShapeKind::Mesh => self
                .meshes
                .iter()
                .map(|form| ShapeOption { cost: form.cost, error: form.error })
                .collect(),
        }
    }

    fn hull_error(&self, level: &HullLevel) -> f64 {
        self.concavity + level.volume - self.volume
    }

    fn physics(&self, shape: ShapeType, notes: &mut Vec<Note>) -> Result<CollisionShape, String> {
        let ShapeInput { object, frame, .. } = *self.shaping;
        let hull = self.hulls.get(self.picks[ShapeKind::Hull as usize]).ok_or("it has no hull")?;
        let parts = self.parts.get(self.picks[ShapeKind::Parts as usize]);
        let mesh = self.meshes.get(self.picks[ShapeKind::Mesh as usize]);
        let mut hulls = vec![hull.corners.as_slice()];
        hulls.extend(parts.iter().flat_map(|form| form.hulls.iter().map(Vec::as_slice)));
        let mut hulls = apart(&hulls, frame)?.into_iter();
        let bounding = hulls.next().unwrap_or_default();
        let mut physics = CollisionShape {
            bounding,
            parts: hulls.collect(),
            mesh: mesh.map(|form| form.level.clone()),
            volume_error: match (parts, mesh, self.counting(shape)) {
                (_, _, Some(ShapeKind::Hull)) | (None, None, _) => self.hull_error(hull),
                (Some(form), ..) => form.error,
                (None, Some(form), _) => form.error / self.box_volume(),
            },
            uncovered: parts.map_or(0.0, |form| form.uncovered),
            ..CollisionShape::default()
        };
        physics.outside = max_outside(&physics, object.high.positions(), frame)?;
        physics.cost = physics.cost_as(shape, frame).map_err(|error| error.to_string())?.cost;
        if let Some(form) = mesh {
            notes.extend(mesh_notes(object, form, frame)?);
        }
        Ok(physics)
    }
}

fn hull_cost(level: &HullLevel) -> f64 {
    ConvexHull::new(level.vertices()).map_or(f64::INFINITY, ConvexHull::cost)
}

/// Hulls in metres, without points that are no corners once written.
fn apart(hulls: &[&[HullPoint]], frame: &ObjectFrame) -> Result<Vec<Vec<[f32; 3]>>, String> {
    let metres: Vec<_> =
        hulls.iter().copied().flatten().map(|&point| in_metres(point, frame)).collect();
    let unit: Vec<_> = metres.iter().map(|&point| frame.to_unit(point)).collect();
    let written = QuantizedPoints::new(&unit).map_err(|problem| problem.to_string())?;
    let mut points = metres.into_iter().zip(written.steps);
    let mut all = Vec::new();
    for hull in hulls {
        let points: Vec<_> = points.by_ref().take(hull.len()).collect();
        let steps: Vec<HullPoint> = points.iter().map(|(_, step)| *step).collect();
        let hull = Polytope::hull(&steps).ok_or("a hull is flat once it is written")?;
        let mut corners = hull.corners();
        let mut is_corner = |step: &HullPoint| {
            let found = corners.iter().position(|corner| corner == step);
            found.map(|at| corners.swap_remove(at)).is_some()
        };
        let kept = points.iter().filter(|(_, step)| is_corner(step));
        all.push(kept.map(|(point, _)| *point).collect());
    }
    Ok(all)
}

fn max_outside(
    physics: &CollisionShape,
    vertices: impl Iterator<Item = [f32; 3]>,
    frame: &ObjectFrame,
) -> Result<f64, String> {
    let hulls = std::iter::once(&physics.bounding).chain(&physics.parts);
    let unit: Vec<_> = hulls.flatten().map(|&point| frame.to_unit(point)).collect();
    let written = QuantizedPoints::new(&unit).map_err(|problem| problem.to_string())?;
    let hull = physics.bounding.len();
    let (far, limit) =
        written.max_outside(hull, vertices, frame).ok_or("its hull is flat once written")?;
    if far > limit {
        return Err(format!(
            "a vertex is {far:.6} m outside of its hull once written, more than {limit:.6} m"
        ));
    }
    Ok(far)
}

#[cfg(test)]
mod tests;
