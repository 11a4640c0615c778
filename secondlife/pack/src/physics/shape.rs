//! Physics shapes of all objects of a linkset, bought together.

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::physics::{Hull, SMALLEST_MESH_SIDE, ShapeType};
use lodger_quota::Quota;
use rayon::prelude::*;

use crate::error::{Error, TooDear};
use crate::frame::Frame;
use crate::note::Note;
use crate::spend::spend;

use super::mesh::{MeshOption, mesh_forms, notes as mesh_notes};
use super::{Making, Physics, PhysicsChoice, Shaping};
use crate::physics::coverage::VoxelGrid;
use crate::physics::decomposition::{DecompositionOption, parts_forms};
use crate::physics::hull::block::{Written, in_metres, on_lattice};
use crate::physics::hull::enclose::{Enclosed, MOST_CORNERS, enclose};
use crate::physics::hull::lattice::Point;
use crate::physics::hull::levels::{HullLevel, boxed, hull_levels};
use crate::physics::hull::polytope::Polytope;
use crate::physics::options::{Failure, ShapeOption, budget, buyer, cost};

/// Units of work for a vertex that is enclosed, or a triangle that is priced.
const PER_VERTEX: u64 = 300;
/// Units of work for a corner of a hull that is made simpler.
const PER_CORNER: u64 = 100_000;

/// What can collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Hull,
    Parts,
    Mesh,
}

const KINDS: [Kind; 3] = [Kind::Hull, Kind::Parts, Kind::Mesh];

/// All forms that the physics shapes of an object can have, and those that were picked.
struct ShapeOptions<'a> {
    shaping: &'a Shaping<'a>,
    /// What the hull around everything has too much already without being simplified, in parts of the box.
    concavity: f64,
    volume: f64,
    hulls: Vec<HullLevel>,
    parts: Vec<DecompositionOption>,
    meshes: Vec<MeshOption>,
    /// By the kind's place in [`KINDS`].
    picks: [usize; 3],
}

/// See [`super::shapes`].
pub(super) fn shapes(
    objects: &[Shaping<'_>],
    choice: &PhysicsChoice,
    (shape, most): (ShapeType, f64),
    making: &Making<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Physics>, Error> {
    let made = objects.par_iter().map(|shaping| {
        (making.tried)(&shaping.object.name);
        ShapeOptions::new(shaping, choice, making.quota)
            .map_err(|failure| failure.of(shaping.object))
    });
    // All before the first that fails: the same one on any number of threads.
    let made: Vec<_> = made.collect();
    let mut all = Vec::new();
    for (shaping, forms) in objects.iter().zip(made) {
        let mut forms = forms?;
        if *choice == PhysicsChoice::Parts {
            let alone = objects.len() == 1;
            let taken = forms.take_apart((most, alone), making, notes);
            taken.map_err(|failure| failure.of(shaping.object))?;
        }
        all.push(forms);
    }
    buy(&mut all, shape, most)?;
    let physics = all.iter().map(|forms| {
        let told = |problem| Error::Physics { object: forms.shaping.object.name.clone(), problem };
        forms.physics(shape, notes).map_err(told)
    });
    physics.collect()
}

/// Picks forms of all objects: those that count for the budget, and all others as if they did.
fn buy(all: &mut [ShapeOptions<'_>], shape: ShapeType, most: f64) -> Result<(), Error> {
    let everyone = || (0..all.len()).flat_map(|object| KINDS.map(|kind| (object, kind)));
    let counts = |&(object, kind): &(usize, Kind)| all[object].counting(shape) == Some(kind);
    let counting: Vec<_> = everyone().filter(counts).collect();
    let mut questions = vec![(counting, true)];
    for kind in KINDS {
        let others = everyone().filter(|other| other.1 == kind && !counts(other));
        questions.push((others.collect(), false));
    }
    for (question, must) in questions {
        let offered = |&&(object, kind): &&(usize, Kind)| !all[object].offers(kind).is_empty();
        let question: Vec<_> = question.iter().filter(offered).copied().collect();
        let buyers =
            question.iter().map(|&(object, kind)| buyer(all[object].offers(kind).into_iter()));
        let buyers: Vec<_> = buyers.collect();
        let bought = spend(&buyers, budget(most));
        if must && bought.overcommit > 0 {
            let least = cost(budget(most) + bought.overcommit);
            return Err(Error::TooDear(Box::new(too_dear(most, least))));
        }
        for ((object, kind), form) in question.into_iter().zip(bought.forms) {
            all[object].picks[kind as usize] = form;
        }
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is meant")]
fn too_dear(most: f64, least: f64) -> TooDear {
    let land_impact = |cost: f64| cost.round().max(1.0) as u32;
    TooDear {
        asked: land_impact(most),
        physics_cost: None,
        least: land_impact(least),
        limiting: ObjectWeight::Physics,
        weight: least,
    }
}

impl<'a> ShapeOptions<'a> {
    fn new(
        shaping: &'a Shaping<'a>,
        choice: &PhysicsChoice,
        quota: &Quota,
    ) -> Result<Self, Failure> {
        let (object, frame) = (shaping.object, shaping.frame);
        quota.charge_work(PER_VERTEX.saturating_mul(object.high.vertex_count() as u64))?;
        let points = object.high.positions().map(|point| on_lattice(point, frame)).collect();
        let Enclosed { body, volume } =
            enclose(points, MOST_CORNERS).ok_or("it has no vertices")?;
        let solid = VoxelGrid::new(&object.high, frame, quota)?;
        quota.charge_work(PER_CORNER * body.corner_count() as u64)?;
        let hulls = match choice {
            PhysicsChoice::None | PhysicsChoice::Box => {
                boxed(&body.corners()).iter().map(HullLevel::of).collect()
            }
            PhysicsChoice::Hull | PhysicsChoice::Parts | PhysicsChoice::Mesh => hull_levels(&body),
        };
        let meshes = match choice {
            PhysicsChoice::Mesh => {
                let all = shaping.candidates.iter().map(|one| one.level.triangle_count() as u64);
                quota.charge_work(PER_VERTEX.saturating_mul(all.sum()))?;
                mesh_forms(object, shaping.candidates, frame)?
            }
            _ => Vec::new(),
        };
        let concavity = solid.difference([&body].into_iter());
        Ok(Self { shaping, concavity, volume, hulls, parts: Vec::new(), meshes, picks: [0; 3] })
    }

    fn take_apart(
        &mut self,
        most: (f64, bool),
        making: &Making<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<(), Failure> {
        let Shaping { object, frame, candidates } = *self.shaping;
        let (parts, problem) = parts_forms(object, candidates, frame, most, making)?;
        self.parts = parts;
        notes.extend(problem.map(|problem| Note {
            code: "physics-parts-failed",
            about: object.name.clone(),
            text: format!("not all decompositions were tried: {problem}"),
        }));
        Ok(())
    }

    /// The kind that a shape type uses.
    fn counting(&self, shape: ShapeType) -> Option<Kind> {
        let small = self.frame().sides().iter().any(|&side| side < SMALLEST_MESH_SIDE);
        match shape {
            ShapeType::None => None,
            ShapeType::Prim if !self.parts.is_empty() => Some(Kind::Parts),
            ShapeType::Prim if !self.meshes.is_empty() && !small => Some(Kind::Mesh),
            ShapeType::ConvexHull | ShapeType::Prim => Some(Kind::Hull),
        }
    }

    const fn frame(&self) -> &Frame {
        self.shaping.frame
    }

    /// The cubic metres of the box.
    fn room(&self) -> f64 {
        self.frame().sides().iter().product()
    }

    /// The forms of a kind, the cheapest first, with errors in cubic metres.
    fn offers(&self, kind: Kind) -> Vec<ShapeOption> {
        let room = self.room();
        let hull = |level: &HullLevel| ShapeOption {
            cost: hull_cost(level),
            error: self.hull_error(level) * room,
        };
        match kind {
            Kind::Hull => self.hulls.iter().map(hull).collect(),
            Kind::Parts => self
                .parts
                .iter()
                .map(|form| ShapeOption { cost: form.cost, error: form.error * room })
                .collect(),
            Kind::Mesh => self
                .meshes
                .iter()
                .map(|form| ShapeOption { cost: form.cost, error: form.error })
                .collect(),
        }
    }

    fn hull_error(&self, level: &HullLevel) -> f64 {
        self.concavity + level.volume - self.volume
    }

    /// The picked forms as they are written.
    fn physics(&self, shape: ShapeType, notes: &mut Vec<Note>) -> Result<Physics, String> {
        let Shaping { object, frame, .. } = *self.shaping;
        let hull = self.hulls.get(self.picks[Kind::Hull as usize]).ok_or("it has no hull")?;
        let parts = self.parts.get(self.picks[Kind::Parts as usize]);
        let mesh = self.meshes.get(self.picks[Kind::Mesh as usize]);
        let mut hulls = vec![hull.corners.as_slice()];
        hulls.extend(parts.iter().flat_map(|form| form.hulls.iter().map(Vec::as_slice)));
        let mut hulls = apart(&hulls, frame)?.into_iter();
        let bounding = hulls.next().unwrap_or_default();
        let mut physics = Physics {
            bounding,
            parts: hulls.collect(),
            mesh: mesh.map(|form| form.level.clone()),
            volume_error: match (parts, mesh, self.counting(shape)) {
                (_, _, Some(Kind::Hull)) | (None, None, _) => self.hull_error(hull),
                (Some(form), ..) => form.error,
                (None, Some(form), _) => form.error / self.room(),
            },
            uncovered: parts.map_or(0.0, |form| form.uncovered),
            ..Physics::default()
        };
        physics.outside = outside(&physics, object.high.positions(), frame)?;
        physics.cost = physics.cost_as(shape, frame).map_err(|error| error.to_string())?.cost;
        if let Some(form) = mesh {
            notes.extend(mesh_notes(object, form, frame)?);
        }
        Ok(physics)
    }
}

fn hull_cost(level: &HullLevel) -> f64 {
    let vertices = u16::try_from(level.corners.len()).unwrap_or(u16::MAX);
    Hull::new(vertices).map_or(f64::INFINITY, Hull::cost)
}

/// Hulls in metres, without points that are no corners any more once they are written.
fn apart(hulls: &[&[Point]], frame: &Frame) -> Result<Vec<Vec<[f32; 3]>>, String> {
    let metres: Vec<_> =
        hulls.iter().copied().flatten().map(|&point| in_metres(point, frame)).collect();
    let unit: Vec<_> = metres.iter().map(|&point| frame.to_unit(point)).collect();
    let written = Written::new(&unit).map_err(|problem| problem.to_string())?;
    let mut points = metres.into_iter().zip(written.steps);
    let mut all = Vec::new();
    for hull in hulls {
        let points: Vec<_> = points.by_ref().take(hull.len()).collect();
        let steps: Vec<Point> = points.iter().map(|(_, step)| *step).collect();
        let hull = Polytope::hull(&steps).ok_or("a hull is flat once it is written")?;
        let mut corners = hull.corners();
        let mut is_corner = |step: &Point| {
            let found = corners.iter().position(|corner| corner == step);
            found.map(|at| corners.swap_remove(at)).is_some()
        };
        let kept = points.iter().filter(|(_, step)| is_corner(step));
        all.push(kept.map(|(point, _)| *point).collect());
    }
    Ok(all)
}

/// How far the farthest vertex is outside of the hull as it is written.
fn outside(
    physics: &Physics,
    vertices: impl Iterator<Item = [f32; 3]>,
    frame: &Frame,
) -> Result<f64, String> {
    let hulls = std::iter::once(&physics.bounding).chain(&physics.parts);
    let unit: Vec<_> = hulls.flatten().map(|&point| frame.to_unit(point)).collect();
    let written = Written::new(&unit).map_err(|problem| problem.to_string())?;
    let hull = physics.bounding.len();
    let (far, most) =
        written.outside(hull, vertices, frame).ok_or("its hull is flat once written")?;
    if far > most {
        return Err(format!(
            "a vertex is {far:.6} m outside of its hull once written, more than {most:.6} m"
        ));
    }
    Ok(far)
}

#[cfg(test)]
mod tests;
