//! A convex decomposition that costs what is asked, with the least volume error.

use std::time::Instant;

use lodger_core::cost::physics::{Hull, Hulls};

use crate::chain::Candidate;
use crate::frame::Frame;
use crate::model::{Level, Object};
use crate::physics::Making;
use crate::physics::coverage::{COVERAGE, Cover, VoxelGrid, samples};
use crate::physics::hull::block::on_lattice;
use crate::physics::hull::enclose::{Enclosed, enclose};
use crate::physics::hull::lattice::{Point, length};
use crate::physics::hull::levels::{HullLevel, hull_levels};
use crate::physics::hull::polytope::Polytope;
use crate::physics::options::{Failure, ShapeOption, budget, buyer};
use crate::spend::spend;

/// A decomposition that can be had.
#[derive(Clone, Debug)]
pub(crate) struct DecompositionOption {
    pub(crate) hulls: Vec<Vec<Point>>,
    pub(crate) cost: f64,
    /// The volume by which it differs, in parts of the object's box.
    pub(crate) error: f64,
    /// How far the farthest sample of the surface is from it, in metres: at most [`COVERAGE`] of the diagonal.
    pub(crate) uncovered: f64,
}

/// A decomposition before it is made simpler.
struct Decomposition {
    parts: Vec<Part>,
    error: f64,
}

struct Part {
    body: Polytope,
    volume: f64,
    levels: Vec<HullLevel>,
}

/// What a decomposition is made for.
struct DecompositionTarget<'a> {
    frame: &'a Frame,
    surface: &'a Level,
    samples: Vec<Point>,
    solid: VoxelGrid,
}

/// Voxels along the longest side in the search for how many hulls are good, and then once more.
const RESOLUTIONS: [u32; 2] = [64, 100];
/// Units of work for a voxel, each time that the parts are halved.
const PER_VOXEL: u64 = 100;
/// Units of work for a hull that is made simpler, and for a triangle that is taken apart.
const PER_HULL: u64 = 1_000_000;
const PER_TRIANGLE: u64 = 1_000;
/// Units of work for a millisecond of a decomposition that fails: it may have run until its time was up, which no
/// count foretells.
const PER_MILLISECOND: u64 = 250_000;
/// The most triangles that are taken apart.
const MOST_TRIANGLES: usize = 20_000;
/// The most corners of a part before it is made simpler.
const MOST_CORNERS: usize = 96;
/// Where it is open what each of many objects may cost, so many budgets are tried for each, by that factor apart.
const BUDGETS: usize = 16;
const NEXT_BUDGET: f64 = 0.8;

/// Decompositions of what the model brings as physics shape, or else of a simpler form of it: the cheapest first, none
/// of them dearer and worse than another. Also what went wrong with some, if others were found.
pub(crate) fn parts_forms(
    object: &Object,
    candidates: &[Candidate],
    frame: &Frame,
    (most, alone): (f64, bool),
    making: &Making<'_>,
) -> Result<(Vec<DecompositionOption>, Option<String>), Failure> {
    let surface = object.physics.as_ref().unwrap_or(&object.high);
    let simple = object.physics.as_ref().or_else(|| simple(candidates)).unwrap_or(surface);
    let target = DecompositionTarget {
        frame,
        surface,
        samples: samples(surface, frame),
        solid: VoxelGrid::new(surface, frame, making.quota)?,
    };
    let mut wholes = vec![target.single().ok_or("it has no vertices")?];
    let tried = || (making.tried)(&object.name);
    let problem = match target.search(simple, most, (making, &tried), &mut wholes) {
        Err(Failure::Problem(problem)) if wholes.len() > 1 => Some(problem),
        searched => {
            searched?;
            None
        }
    };
    let tried = if alone { 1 } else { BUDGETS };
    let budgets = std::iter::successors(Some(most), |most| Some(most * NEXT_BUDGET)).take(tried);
    let mut forms: Vec<DecompositionOption> = budgets
        .flat_map(|most| wholes.iter().filter_map(move |whole| whole.for_cost(most)))
        .collect();
    forms.extend(wholes[0].cheapest());
    for form in &mut forms {
        form.uncovered = target.uncovered(&form.hulls);
    }
    Ok((pareto(forms), problem))
}

/// The best candidate that is not too large to be taken apart.
fn simple(candidates: &[Candidate]) -> Option<&Level> {
    let fits = |candidate: &&Candidate| candidate.level.triangle_count() <= MOST_TRIANGLES;
    candidates.iter().find(fits).or(candidates.last()).map(|candidate| &candidate.level)
}

impl DecompositionTarget<'_> {
    /// One hull around everything.
    fn single(&self) -> Option<Decomposition> {
        let points = self.surface.positions().map(|point| on_lattice(point, self.frame));
        let enclosed = enclose(points.collect(), MOST_CORNERS)?;
        Some(self.whole(vec![Part::new(enclosed)]))
    }

    /// Takes the mesh apart into more and more hulls, while that makes it better and they can be paid.
    fn search(
        &self,
        simple: &Level,
        most: f64,
        making: (&Making<'_>, &dyn Fn()),
        wholes: &mut Vec<Decomposition>,
    ) -> Result<(), Failure> {
        let cheapest: f64 = Hulls::new([4]).map_or(0.0, Hulls::cost);
        let counts = std::iter::successors(Some(2_u16), |count| count.checked_mul(2));
        let paid = |count: &u16| *count <= Hulls::MOST && f64::from(*count) * cheapest <= most;
        let mut best = (f64::INFINITY, 2);
        let mut idle = 0;
        for count in counts.take_while(paid) {
            let whole = self.decomposed(simple, count, RESOLUTIONS[0], making)?;
            let error = whole.for_cost(most).map_or(f64::INFINITY, |form| form.error);
            wholes.push(whole);
            idle = if error < best.0 { 0 } else { idle + 1 };
            if error < best.0 {
                best = (error, count);
            }
            if idle == 2 {
                break;
            }
        }
        if best.0.is_finite() {
            wholes.push(self.decomposed(simple, best.1, RESOLUTIONS[1], making)?);
        }
        Ok(())
    }

    fn decomposed(
        &self,
        simple: &Level,
        count: u16,
        resolution: u32,
        (making, tried): (&Making<'_>, &dyn Fn()),
    ) -> Result<Decomposition, Failure> {
        tried();
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
                return Err(problem.into());
            }
        };
        if hulls.is_empty() || hulls.len() > usize::from(Hulls::MOST) {
            return Err(format!("taking it apart came to {} hulls", hulls.len()).into());
        }
        let placed = |hull: Vec<[f32; 3]>| {
            hull.into_iter().map(|point| on_lattice(point, self.frame)).collect::<Vec<Point>>()
        };
        Ok(self.whole(self.covering(hulls.into_iter().map(placed).collect())))
    }

    /// The hulls of points, each with the samples nearest to it that are too far from all.
    fn covering(&self, hulls: Vec<Vec<Point>>) -> Vec<Part> {
        let bodies: Vec<_> =
            hulls.into_iter().filter_map(|hull| enclose(hull, MOST_CORNERS)).collect();
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
        let grown = |(enclosed, mut added): (Enclosed, Vec<Point>)| {
            if added.is_empty() {
                return Some(Part::new(enclosed));
            }
            added.extend(enclosed.body.corners());
            enclose(added, MOST_CORNERS).map(Part::new)
        };
        bodies.into_iter().zip(added).filter_map(grown).collect()
    }

    fn tolerance(&self) -> f64 {
        COVERAGE * length(self.frame.sides())
    }

    fn whole(&self, parts: Vec<Part>) -> Decomposition {
        let error = self.solid.difference(parts.iter().map(|part| &part.body));
        Decomposition { parts, error }
    }

    fn uncovered(&self, hulls: &[Vec<Point>]) -> f64 {
        let hulls: Vec<_> = hulls.iter().filter_map(|hull| Polytope::hull(hull)).collect();
        Cover::new(hulls.iter(), self.frame).farthest(&self.samples)
    }
}

/// All faces as one mesh.
fn joined(level: &Level) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for face in &level.faces {
        let first = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let moved = |index: u16| first.saturating_add(index.into());
        triangles.extend(face.triangles.iter().map(|triangle| triangle.map(moved)));
        points.extend_from_slice(&face.positions);
    }
    (points, triangles)
}

impl Part {
    fn new(enclosed: Enclosed) -> Self {
        let Enclosed { body, volume } = enclosed;
        Self { levels: hull_levels(&body), body, volume }
    }

    fn offers(&self) -> impl Iterator<Item = ShapeOption> + Clone {
        self.levels.iter().map(|level| ShapeOption {
            cost: hulls_cost([level].into_iter()),
            error: level.volume - self.volume,
        })
    }
}

/// What a decomposition into these costs; nothing that can be paid if it may not be.
fn hulls_cost<'a>(levels: impl Iterator<Item = &'a HullLevel>) -> f64 {
    let vertices =
        |level: &HullLevel| u16::try_from(level.corners.len()).unwrap_or(Hull::MOST_VERTICES + 1);
    Hulls::new(levels.map(vertices)).map_or(f64::INFINITY, Hulls::cost)
}

impl Decomposition {
    /// Its parts made as simple as the cost allows.
    fn for_cost(&self, most: f64) -> Option<DecompositionOption> {
        let buyers: Vec<_> = self.parts.iter().map(|part| buyer(part.offers())).collect();
        let bought = spend(&buyers, budget(most));
        (bought.overcommit == 0 && !buyers.is_empty()).then(|| self.form(&bought.forms))
    }

    /// Its parts made as simple as can be.
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

fn pareto(mut forms: Vec<DecompositionOption>) -> Vec<DecompositionOption> {
    forms.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.error.total_cmp(&b.error)));
    let mut best = f64::INFINITY;
    forms.retain(|form| {
        let better = form.error < best;
        best = best.min(form.error);
        better
    });
    forms
}
