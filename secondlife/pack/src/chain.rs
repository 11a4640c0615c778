//! Simpler and simpler forms of an object, each measured against what it was made from.

mod bvh;
mod edges;
mod merged_mesh;
mod sloppy;
mod surface;
#[cfg(test)]
mod tests;
mod thin;

use std::sync::atomic::{AtomicUsize, Ordering};

use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_quota::{Quota, QuotaExceeded};
use rayon::prelude::*;

use crate::encode::{has_area, level_block, with_areas};
use crate::error::Error;
use crate::frame::Frame;
use crate::model::{Face, Level, Object};
use edges::{Manner, targets};
use merged_mesh::{MergedMesh, Pose};
use surface::Surface;

/// So many points of triangles are looked at for each surface, at least.
const LEAST_POINTS: usize = 1 << 9;

/// Units of work to write, to sort and to draw a triangle of a form, and a vertex of it.
const PER_TRIANGLE: u64 = 300;
/// Units of work for a box or a triangle that a search for the nearest one looks at.
const PER_STEP: u64 = 6;

/// A level that might be shown.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its geometry: all faces, some of which may be empty, and at least one triangle.
    pub level: Level,
    /// The bytes of its block, compressed.
    pub bytes: u32,
    /// The greatest distance to the source, from both sides, in metres, as sampled. 0 for the source alone: half a
    /// quantum of the asset, 1/131 070 of the greatest side, is the least that others have. Of a rigged object it is the
    /// greater of that at rest and that with each joint turned by 1.2 radians about an axis of its own.
    pub error: f64,
    /// How it was made.
    pub origin: Origin,
}

/// What of a level is written.
struct Written {
    level: Level,
    /// The bytes of its block, compressed.
    bytes: u32,
    /// Whether no triangle has an area.
    is_flat: bool,
}

/// How a candidate was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// It is the source itself.
    Source,
    /// The model brought it.
    Given,
    /// Simplified with its attributes weighed.
    Attributes,
    /// Simplified by its positions alone.
    Positions,
    /// Simplified by its positions, small parts left out.
    Pruned,
    /// Simplified without regard to its topology.
    Sloppy,
}

/// The candidates of an object: errors rise and bytes fall, so that no candidate is worse and heavier than another.
/// Those that the model brings come behind the others, and stand for their own level of detail only.
#[derive(Clone, Debug)]
pub struct Chain {
    candidates: Vec<Candidate>,
    /// How many of them are made, the source included.
    made: usize,
    given: Lods<Option<usize>>,
    /// Levels that the model brings and that are none of the candidates, and why, in words.
    left_out: Vec<(MeshLod, String)>,
    /// Whether no triangle of the source has an area.
    is_flat: bool,
}

impl Chain {
    /// Makes and measures the candidates of an object. The first is the source. None of them has triangles without an
    /// area, as far as 16 bits hold it.
    ///
    /// Edges become points with attributes weighed, then, from a quarter of the triangles on or from where that ends,
    /// also by positions alone, with small parts left out, and on grids; and with some of many parts left out. A given
    /// level is none of the candidates if no triangle of it has an area, or if it is heavier than the source or a given
    /// one above. `progress` is told how many forms are measured, of how many that are made so far.
    ///
    /// Edges stay where that would take too long, as very many triangles meet in few places.
    ///
    /// The same on any number of threads, of which it uses those of rayon's current pool.
    ///
    /// # Errors
    /// [`Error::Asset`] of a level that cannot be written; [`Error::QuotaExceeded`].
    pub fn build(
        object: &Object,
        frame: &Frame,
        quota: &Quota,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, Error> {
        let written = |level: Level| {
            let level = with_areas(level, frame)?;
            let bytes = level_block(&level, frame)?.len();
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            // Where one triangle is left, it may be one without.
            let is_flat = level.triangle_count() == 1 && !has_area(&level, frame)?;
            Ok(Written { level, bytes, is_flat })
        };
        let write = |level| written(level).map_err(|error| Error::asset(&object.name, error));
        Self::measured(object, frame, &write, (quota, progress))
    }

    /// With what is written of levels by a function.
    fn measured<E: Send + From<QuotaExceeded>>(
        object: &Object,
        frame: &Frame,
        write: &(dyn Fn(Level) -> Result<Written, E> + Sync),
        (quota, progress): (&Quota, &(dyn Fn(usize, usize) + Sync)),
    ) -> Result<Self, E> {
        let pay_for = |level: &Level| {
            let all = level.triangle_count() + level.vertex_count();
            quota.charge_work(PER_TRIANGLE.saturating_mul(all as u64))
        };
        pay_for(&object.high)?;
        let points = object.high.triangle_count().max(LEAST_POINTS);
        let surface = Surface::new(&object.high, points);
        let bent = Pose::bent(object).map(|pose| {
            let surface = Surface::new(&pose.of(&object.high), points);
            (pose, surface)
        });
        let least = frame.sides().into_iter().fold(0.0, f64::max) / 131_070.0;
        let measure = |level: Level, origin| -> Result<(Candidate, bool), E> {
            pay_for(&level)?;
            let Written { level, bytes, is_flat } = write(level)?;
            let error = if origin == Origin::Source || level == object.high {
                0.0
            } else {
                let paid = |surface: &Surface, level: &Level| {
                    let gap = surface.distance(&Surface::new(level, points), least);
                    quota.charge_work(PER_STEP * gap.steps).map(|()| gap.distance)
                };
                let moved = bent.as_ref().map(|(pose, surface)| paid(surface, &pose.of(&level)));
                paid(&surface, &level)?.max(moved.transpose()?.unwrap_or(0.0)).max(least)
            };
            Ok((Candidate { level, bytes, error, origin }, is_flat))
        };
        let (source, is_flat) = measure(object.high.clone(), Origin::Source)?;
        let joined = MergedMesh::new(&source.level, object.rig.as_ref());
        let made = AtomicUsize::new(0);
        let made_one = || progress(0, made.fetch_add(1, Ordering::Relaxed) + 1);
        let forms = forms(&joined, quota, &made_one)?;
        let (done, all) = (AtomicUsize::new(0), forms.len());
        progress(0, all);
        let made = forms.into_par_iter().map(|(origin, indices)| {
            let measured = measure(joined.level_of(&indices), origin);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            measured
        });
        let made: Vec<(Candidate, bool)> = made.collect::<Result<_, E>>()?;
        let made = made.into_iter().filter(|(_, is_flat)| !is_flat);
        let mut this =
            Self { is_flat, ..Self::of(source, made.map(|(candidate, _)| candidate).collect()) };
        for lod in [MeshLod::Medium, MeshLod::Low, MeshLod::Lowest] {
            let Some(level) = given_level(object, lod) else { continue };
            match measure(level, Origin::Given)? {
                (_, true) => this.left_out.push((lod, "none of its triangles has an area".into())),
                (candidate, false) => this.give(lod, candidate),
            }
        }
        Ok(this)
    }

    /// The source and those of the others that are lighter than all that are better: in bytes, and not heavier in
    /// triangles.
    pub(crate) fn of(source: Candidate, mut made: Vec<Candidate>) -> Self {
        // A stable sort: what is equal in all this stays in the order in which it was made.
        made.sort_by(|a, b| {
            let weight = |one: &Candidate| (one.bytes, one.level.triangle_count(), one.origin);
            a.error.total_cmp(&b.error).then_with(|| weight(a).cmp(&weight(b)))
        });
        let mut candidates = vec![source];
        let mut triangles = candidates[0].level.triangle_count();
        for candidate in made {
            let last = &candidates[candidates.len() - 1];
            let count = candidate.level.triangle_count();
            let lighter = candidate.bytes < last.bytes && count <= triangles;
            if count > 0 && lighter && candidate.error > last.error {
                triangles = count;
                candidates.push(candidate);
            }
        }
        let (made, given) = (candidates.len(), Lods::default());
        Self { candidates, made, given, left_out: Vec::new(), is_flat: false }
    }

    /// Adds a level that the model brings, unless it is heavier than one above, which is remembered.
    pub(crate) fn give(&mut self, lod: MeshLod, candidate: Candidate) {
        let given = [(MeshLod::Medium, self.given.medium), (MeshLod::Low, self.given.low)];
        let given = given.into_iter().filter_map(|(above, index)| Some((above, index?)));
        let weight = |one: &Candidate| (one.bytes, one.level.triangle_count());
        let (bytes, triangles) = weight(&candidate);
        let heavier = given.chain([(MeshLod::High, 0)]).find_map(|(above, index)| {
            let most = weight(&self.candidates[index]);
            (bytes > most.0 || triangles > most.1).then_some((above, most))
        });
        if let Some((above, most)) = heavier {
            let why = format!(
                "with {triangles} triangles in {bytes} bytes it is heavier than the {above} level with {} in {}",
                most.1, most.0
            );
            self.left_out.push((lod, why));
        } else {
            self.given = self.given.with(lod, Some(self.candidates.len()));
            self.candidates.push(candidate);
        }
    }

    /// All candidates: those that were made, the source first, then those that were given.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The source and what was made of it, by rising error.
    #[must_use]
    pub fn made(&self) -> &[Candidate] {
        &self.candidates[..self.made]
    }

    /// Which candidate the model brings for a level; that for the high one is the source, and not named here.
    #[must_use]
    pub fn given(&self, lod: MeshLod) -> Option<usize> {
        self.given.of(lod)
    }

    /// Whether no triangle of the source has an area once it is written: only one is.
    pub(crate) const fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// Levels that the model brings and that are none of the candidates, and why, in words.
    pub(crate) fn left_out(&self) -> &[(MeshLod, String)] {
        &self.left_out
    }
}

/// A form that is tried: how it is made, and three vertices for each triangle.
type Form = (Origin, Vec<u32>);

/// All forms that are tried. `made_one` hears of each that took some time.
fn forms(
    joined: &MergedMesh<'_>,
    quota: &Quota,
    made_one: &(dyn Fn() + Sync),
) -> Result<Vec<Form>, QuotaExceeded> {
    let source = &joined.indices;
    let triangles = source.len() / 3;
    let targets = targets(triangles);
    let named = |origin, forms: Vec<Vec<u32>>| forms.into_iter().map(move |form| (origin, form));
    let grids = |most| sloppy::grids(joined, most, quota, made_one);
    let least = || sloppy::least(joined).map(|form| (Origin::Sloppy, form));
    // With nothing left out but what is there twice, and in an order that compresses better.
    let mut all = vec![(Origin::Attributes, source.clone())];
    if joined.is_crowded() {
        // Only what does not look for what lies around vertices.
        all.extend(named(Origin::Pruned, thin::thinned(joined, &targets, quota)?));
        all.extend(named(Origin::Sloppy, grids(triangles)?));
        all.extend(least());
        return Ok(all);
    }
    let descend = |from: &[u32], targets: &[usize], manner| {
        edges::descend(joined, from, targets, manner, &|from| {
            made_one();
            quota.charge_work(edges::PER_TRIANGLE.saturating_mul(from as u64))
        })
    };
    let mut weighed = descend(source, &targets, Manner::ATTRIBUTES)?;
    let last = weighed.last().map_or(source.as_slice(), Vec::as_slice);
    let through_seams = descend(last, &targets, Manner::SEAMS)?;
    weighed.extend(through_seams);
    let reached = weighed.last().map_or(triangles, |last| last.len() / 3);
    let most = reached.max(triangles / 4);
    let coarse = &targets[targets.partition_point(|&target| target > most)..];
    let unweighed = |manner| descend(source, coarse, manner);
    let ((positions, pruned), grids) =
        rayon::join(|| (unweighed(Manner::POSITIONS), unweighed(Manner::PRUNED)), || grids(most));
    all.extend(named(Origin::Attributes, weighed));
    all.extend(named(Origin::Positions, positions?));
    all.extend(named(Origin::Pruned, pruned?));
    all.extend(named(Origin::Pruned, thin::thinned(joined, &targets, quota)?));
    all.extend(named(Origin::Sloppy, grids?));
    all.extend(least());
    Ok(all)
}

/// The level that a model brings, with all faces and at least a triangle.
fn given_level(object: &Object, lod: MeshLod) -> Option<Level> {
    let given = match lod {
        MeshLod::Lowest => &object.given.lowest,
        MeshLod::Low => &object.given.low,
        MeshLod::Medium => &object.given.medium,
        MeshLod::High => &None,
    };
    let mut level = given.clone().filter(|level| level.triangle_count() > 0)?;
    level.faces.resize_with(object.high.faces.len(), Face::default);
    Some(level)
}
