//! LOD chains: candidates of an object, simpler and simpler, measured against the source.

mod bvh;
mod merged_mesh;
mod simplify;
mod surface;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};

use lodger_core::cost::streaming::{MeshLod, PerLod};
use lodger_quota::{Quota, QuotaExceeded};
use rayon::prelude::*;

use crate::encode::{has_area, level_block, with_areas};
use crate::error::PackError;
use crate::frame::ObjectFrame;
use crate::lod_chain::merged_mesh::{MergedMesh, Pose};
use crate::lod_chain::simplify::{
    Manner, PER_COLLAPSED_TRIANGLE, descend_edges, largest_triangle, targets, thin,
};
use crate::lod_chain::surface::CutSurface;
use crate::model::{LodMesh, ModelObject, Submesh};

const MIN_POINTS: usize = 1 << 9;

/// Units of work to write, sort and draw a triangle or a vertex.
const PER_TRIANGLE: u64 = 300;
/// Units of work for a box or triangle that a nearest-triangle search visits.
const PER_STEP: u64 = 6;

/// A mesh that may become a level.
#[derive(Clone, Debug)]
pub struct LodCandidate {
    /// The geometry: all submeshes, some of which may be empty, and at least one triangle.
    pub level: LodMesh,
    /// The bytes of the compressed block.
    pub bytes: u32,
    /// The greatest distance to the source, from samples on both, in metres: 0 for the source, else
    /// at least half a quantum of the asset, 1/131 070 of the greatest side. For a rigged object,
    /// the greater of the errors at rest and with each joint turned by 1.2 radians.
    pub error: f64,
    /// The method that made the candidate.
    pub origin: LodOrigin,
}

struct WrittenLevel {
    level: LodMesh,
    bytes: u32,
    is_flat: bool,
}

/// The method that made a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LodOrigin {
    /// The source itself.
    Source,
    /// An authored level of the model.
    Authored,
    /// Simplified by positions and attributes.
    Attributes,
    /// Simplified by positions alone.
    Positions,
    /// Simplified by positions, without small components.
    Pruned,
    /// Simplified on a grid, ignoring topology.
    Sloppy,
}

/// The candidates of an object. Errors rise and bytes fall. Levels of the model follow, each a
/// candidate for its own level of detail only.
#[derive(Clone, Debug)]
pub struct LodChain {
    candidates: Vec<LodCandidate>,
    made: usize,
    authored: PerLod<Option<usize>>,
    /// Levels of the model that are not among the candidates, and the reasons.
    left_out: Vec<(MeshLod, String)>,
    is_flat: bool,
}

impl LodChain {
    /// Makes and measures the candidates of an object, the source first. All triangles have an area
    /// at 16 bits.
    ///
    /// - Edges are collapsed by positions and attributes; from a quarter of the triangles on, or
    ///   where that ends, also by positions alone, without small components, and on grids. Edges are
    ///   not collapsed if many triangles meet in few places, which would take too long.
    /// - Objects of many components also get candidates with fewer of them.
    /// - A level of the model is left out if no triangle has an area, or if it is heavier than the
    ///   source or a level above.
    ///
    /// `progress` gets the numbers of meshes measured and made. The work uses rayon's current pool;
    /// the result does not depend on it.
    ///
    /// # Errors
    ///
    /// [`PackError::Asset`] if a level cannot be written; [`PackError::QuotaExceeded`].
    pub fn build(
        object: &ModelObject,
        frame: &ObjectFrame,
        quota: &Quota,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, PackError> {
        let written = |level: LodMesh| {
            let level = with_areas(level, frame)?;
            let bytes = level_block(&level, frame)?.len();
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            // A last triangle may have no area.
            let is_flat = level.triangle_count() == 1 && !has_area(&level, frame)?;
            Ok(WrittenLevel { level, bytes, is_flat })
        };
        let write = |level| written(level).map_err(|error| PackError::asset(&object.name, error));
        Self::measured(object, frame, &write, (quota, progress))
    }

    fn measured<E: Send + From<QuotaExceeded>>(
        object: &ModelObject,
        frame: &ObjectFrame,
        write: &(dyn Fn(LodMesh) -> Result<WrittenLevel, E> + Sync),
        (quota, progress): (&Quota, &(dyn Fn(usize, usize) + Sync)),
    ) -> Result<Self, E> {
        let pay_for = |level: &LodMesh| {
            let all = level.triangle_count() + level.vertex_count();
            quota.charge_work(PER_TRIANGLE.saturating_mul(all as u64))
        };
        pay_for(&object.high)?;
        let points = object.high.triangle_count().max(MIN_POINTS);
        let surface = CutSurface::new(&object.high, points);
        let bent = Pose::bent(object).map(|pose| {
            let surface = CutSurface::new(&pose.apply(&object.high), points);
            (pose, surface)
        });
        let min = frame.sides().into_iter().fold(0.0, f64::max) / 131_070.0;
        let measure = |level: LodMesh, origin| -> Result<(LodCandidate, bool), E> {
            pay_for(&level)?;
            let WrittenLevel { level, bytes, is_flat } = write(level)?;
            let error = if origin == LodOrigin::Source || level == object.high {
                0.0
            } else {
                let paid = |surface: &CutSurface, level: &LodMesh| {
                    let gap = surface.distance(&CutSurface::new(level, points), min);
                    quota.charge_work(PER_STEP * gap.steps).map(|()| gap.distance)
                };
                let moved = bent.as_ref().map(|(pose, surface)| paid(surface, &pose.apply(&level)));
                paid(&surface, &level)?.max(moved.transpose()?.unwrap_or(0.0)).max(min)
            };
            Ok((LodCandidate { level, bytes, error, origin }, is_flat))
        };
        let (source, is_flat) = measure(object.high.clone(), LodOrigin::Source)?;
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
        let made: Vec<(LodCandidate, bool)> = made.collect::<Result<_, E>>()?;
        let made = made.into_iter().filter(|(_, is_flat)| !is_flat);
        let mut this = Self {
            is_flat,
            ..Self::from_candidates(source, made.map(|(candidate, _)| candidate).collect())
        };
        for lod in [MeshLod::Medium, MeshLod::Low, MeshLod::Lowest] {
            let Some(level) = authored_level(object, lod) else { continue };
            match measure(level, LodOrigin::Authored)? {
                (_, true) => this.left_out.push((lod, "none of its triangles has an area".into())),
                (candidate, false) => this.give(lod, candidate),
            }
        }
        Ok(this)
    }

    /// Creates a chain of the source and each candidate with fewer bytes, and no more triangles,
    /// than all better ones.
    pub(crate) fn from_candidates(source: LodCandidate, mut made: Vec<LodCandidate>) -> Self {
        // The sort is stable: equal candidates keep their order.
        made.sort_by(|a, b| {
            let weight = |one: &LodCandidate| (one.bytes, one.level.triangle_count(), one.origin);
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
        let (made, authored) = (candidates.len(), PerLod::default());
        Self { candidates, made, authored, left_out: Vec::new(), is_flat: false }
    }

    /// Adds a level of the model, or records that it is heavier than one above.
    pub(crate) fn give(&mut self, lod: MeshLod, candidate: LodCandidate) {
        let authored = [(MeshLod::Medium, self.authored.medium), (MeshLod::Low, self.authored.low)];
        let authored = authored.into_iter().filter_map(|(above, index)| Some((above, index?)));
        let weight = |one: &LodCandidate| (one.bytes, one.level.triangle_count());
        let (bytes, triangles) = weight(&candidate);
        let heavier = authored.chain([(MeshLod::High, 0)]).find_map(|(above, index)| {
            let upper = weight(&self.candidates[index]);
            (bytes > upper.0 || triangles > upper.1).then_some((above, upper))
        });
        if let Some((above, upper)) = heavier {
            let why = format!(
                "with {triangles} triangles in {bytes} bytes it is heavier than the {above} level with {} in {}",
                upper.1, upper.0
            );
            self.left_out.push((lod, why));
        } else {
            self.authored = self.authored.with(lod, Some(self.candidates.len()));
            self.candidates.push(candidate);
        }
    }

    /// All candidates: the generated ones, the source first, then the levels of the model.
    #[must_use]
    pub fn candidates(&self) -> &[LodCandidate] {
        &self.candidates
    }

    /// The source and its simplified forms, by rising error.
    #[must_use]
    pub fn generated(&self) -> &[LodCandidate] {
        &self.candidates[..self.made]
    }

    /// The index of the candidate that the model has for a level below the high one.
    #[must_use]
    pub fn authored(&self, lod: MeshLod) -> Option<usize> {
        self.authored.of(lod)
    }

    pub(crate) const fn is_flat(&self) -> bool {
        self.is_flat
    }

    pub(crate) fn left_out(&self) -> &[(MeshLod, String)] {
        &self.left_out
    }
}

/// A mesh to be measured: its method, and three vertices for each triangle.
type TriedForm = (LodOrigin, Vec<u32>);

/// All meshes to be measured. `made_one` is called for each that took some time.
fn forms(
    joined: &MergedMesh<'_>,
    quota: &Quota,
    made_one: &(dyn Fn() + Sync),
) -> Result<Vec<TriedForm>, QuotaExceeded> {
    let source = &joined.indices;
    let triangles = source.len() / 3;
    let targets = targets(triangles);
    let named = |origin, forms: Vec<Vec<u32>>| forms.into_iter().map(move |form| (origin, form));
    let grids = |max| simplify::grids(joined, max, quota, made_one);
    let largest = || largest_triangle(joined).map(|form| (LodOrigin::Sloppy, form));
    // The source without duplicates, in an order that compresses better.
    let mut all = vec![(LodOrigin::Attributes, source.clone())];
    if joined.is_crowded() {
        // Only methods that do not visit the neighbours of vertices.
        all.extend(named(LodOrigin::Pruned, thin(joined, &targets, quota)?));
        all.extend(named(LodOrigin::Sloppy, grids(triangles)?));
        all.extend(largest());
        return Ok(all);
    }
    let descend = |from: &[u32], targets: &[usize], manner| {
        descend_edges(joined, from, targets, manner, &|from| {
            made_one();
            quota.charge_work(PER_COLLAPSED_TRIANGLE.saturating_mul(from as u64))
        })
    };
    let mut weighed = descend(source, &targets, Manner::ATTRIBUTES)?;
    let last = weighed.last().map_or(source.as_slice(), Vec::as_slice);
    let through_seams = descend(last, &targets, Manner::SEAMS)?;
    weighed.extend(through_seams);
    let reached = weighed.last().map_or(triangles, |last| last.len() / 3);
    let max = reached.max(triangles / 4);
    let coarse = &targets[targets.partition_point(|&target| target > max)..];
    let unweighed = |manner| descend(source, coarse, manner);
    let ((positions, pruned), grids) =
        rayon::join(|| (unweighed(Manner::POSITIONS), unweighed(Manner::PRUNED)), || grids(max));
    all.extend(named(LodOrigin::Attributes, weighed));
    all.extend(named(LodOrigin::Positions, positions?));
    all.extend(named(LodOrigin::Pruned, pruned?));
    all.extend(named(LodOrigin::Pruned, thin(joined, &targets, quota)?));
    all.extend(named(LodOrigin::Sloppy, grids?));
    all.extend(largest());
    Ok(all)
}

fn authored_level(object: &ModelObject, lod: MeshLod) -> Option<LodMesh> {
    let authored = match lod {
        MeshLod::Lowest => &object.authored.lowest,
        MeshLod::Low => &object.authored.low,
        MeshLod::Medium => &object.authored.medium,
        MeshLod::High => &None,
    };
    let mut level = authored.clone().filter(|level| level.triangle_count() > 0)?;
    level.submeshes.resize_with(object.high.submeshes.len(), Submesh::default);
    Some(level)
}
