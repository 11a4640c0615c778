//! The distance between two surfaces, from samples on both.

use glam::DVec3;

use crate::lod_chain::bvh::{Bvh, normal, vectors};
use crate::model::LodMesh;

const VERTICES: usize = 1 << 14;
const POINTS: usize = 1 << 14;
/// The stride between samples of one pass: early far samples shorten other searches.
const STRIDE: usize = 61;
/// The limit of the mean number of boxes and triangles visited for each sample.
const STEPS: u64 = 128;

#[derive(Debug)]
pub(super) struct CutSurface {
    boxes: Bvh,
    samples: Vec<Sample>,
    /// The sorted keys of its triangles and vertices.
    keys: Vec<u64>,
}

/// A point, and the key of its vertex or triangle; surfaces with the same key are 0 m away.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    point: DVec3,
    on: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub(super) distance: f64,
    pub(super) steps: u64,
}

impl CutSurface {
    /// Samples a surface: at most 2¹⁴ of its vertices, evenly chosen, and `points` repeatable
    /// random points, at most 2¹⁴, one in each equal part of the area.
    pub(super) fn new(level: &LodMesh, points: usize) -> Self {
        let triangles: Vec<[[f32; 3]; 3]> = level.corners().collect();
        let mut samples = corners(level);
        let mut keys: Vec<u64> = samples.iter().map(|sample| sample.on).collect();
        keys.extend(triangles.iter().map(|&corners| key(corners)));
        keys.sort_unstable();
        if samples.len() > VERTICES {
            let all = samples.len();
            samples = (0..VERTICES).map(|vertex| samples[vertex * all / VERTICES]).collect();
        }
        samples.extend(spread(&triangles, points.min(POINTS)));
        Self { boxes: Bvh::new(&triangles), samples, keys }
    }

    /// The greatest distance from a sample of either surface to the other; infinite where one has
    /// no triangle. Distances up to `min` are interchangeable.
    ///
    /// # Range and accuracy
    ///
    /// Never above the Hausdorff distance and `min`. The error is at most the greatest distance
    /// from a point of a surface to its nearest sample: about √(*A*/*n*) for *n* samples on an area
    /// *A*. A finer feature without a sampled vertex can be missed. If a search would take too
    /// long, only the first samples count, which are spread like all.
    pub(super) fn distance(&self, other: &Self, min: f64) -> Gap {
        let there = self.farthest(other, 0.0, min);
        let back = other.farthest(self, there.distance, min);
        Gap { distance: back.distance.sqrt(), steps: there.steps + back.steps }
    }

    /// The greatest squared distance of the other's samples, or `at_least` if none is greater.
    fn farthest(&self, other: &Self, at_least: f64, min: f64) -> Gap {
        let samples = &other.samples;
        // The root must not exceed `min`.
        let min = min * min * (1.0 - 1e-9);
        let most_steps = STEPS * samples.len() as u64;
        let mut gap = Gap { distance: at_least, steps: 0 };
        for index in (0..STRIDE).flat_map(|first| (first..samples.len()).step_by(STRIDE)) {
            let Sample { point, on } = samples[index];
            if gap.steps > most_steps {
                break;
            }
            if self.keys.binary_search(&on).is_err() {
                let enough = gap.distance.max(min);
                let found = self.boxes.distance_sq(point, enough, &mut gap.steps);
                gap.distance = gap.distance.max(found);
            }
        }
        gap
    }
}

/// A hash of a triangle's corners in any winding; a vertex is three equal corners. A model made for
/// a collision gets errors that are too small.
fn key(corners: [[f32; 3]; 3]) -> u64 {
    // −0 equals 0.
    let mut corners = corners.map(|corner| corner.map(|x| (x + 0.0).to_bits()));
    corners.sort_unstable();
    corners
        .as_flattened()
        .iter()
        .fold(GOLDEN, |key, &bits| mixed(key ^ u64::from(bits)).wrapping_add(GOLDEN))
}

fn corners(level: &LodMesh) -> Vec<Sample> {
    let mut all = Vec::new();
    for face in &level.submeshes {
        let mut used = vec![false; face.positions.len()];
        for &index in face.triangles.iter().flatten() {
            used[usize::from(index)] = true;
        }
        let positions = face.positions.iter().zip(used).filter(|&(_, used)| used);
        all.extend(positions.map(|(&position, _)| Sample {
            point: DVec3::from_array(position.map(f64::from)),
            on: key([position; 3]),
        }));
    }
    all
}

/// Random points, one in each equal part of the area.
#[expect(clippy::cast_precision_loss, reason = "few points")]
fn spread(triangles: &[[[f32; 3]; 3]], points: usize) -> Vec<Sample> {
    let area = |&corners: &[[f32; 3]; 3]| normal(corners).length();
    let total: f64 = triangles.iter().map(area).sum();
    if total.is_nan() || total <= 0.0 {
        return Vec::new();
    }
    let mut chance = SampleRandom(0);
    let mut rest = triangles.iter();
    let (mut current, mut reached) = (None, 0.0);
    let mut found = Vec::with_capacity(points);
    for point in 0..points {
        let wanted = (point as f64 + chance.next()) / points as f64 * total;
        while reached < wanted {
            let Some(next) = rest.next() else { break };
            (current, reached) = (Some(*next), reached + area(next));
        }
        let (mut u, mut v) = (chance.next(), chance.next());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        found.extend(current.map(|corners| {
            let [a, b, c] = vectors(corners);
            Sample { point: a + (b - a) * u + (c - a) * v, on: key(corners) }
        }));
    }
    found
}

/// Repeatable random numbers from 0 to 1.
struct SampleRandom(u64);

impl SampleRandom {
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        (mixed(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// 2⁶⁴ over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The mixing step of Steele, Lea and Flood's `SplitMix64`; the caller adds [`GOLDEN`] first.
const fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use crate::lod_chain::surface::*;
    use crate::test_meshes::{level, sheet};

    fn square(side: f32, height: f32) -> LodMesh {
        let corner = |x: f32, y: f32| [x * side, y * side, height];
        let corners = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        level(&corners, &[[0, 1, 2], [0, 2, 3]])
    }

    fn distance(a: &LodMesh, b: &LodMesh) -> f64 {
        let (a, b) = (CutSurface::new(a, 2000), CutSurface::new(b, 2000));
        let [there, back] = [(&a, &b), (&b, &a)].map(|(a, b)| a.distance(b, 0.0).distance);
        assert!((there - back).abs() <= 1e-12 * there, "{there} {back}");
        there
    }

    #[test]
    fn parallel_squares_are_their_gap_apart() {
        assert!(distance(&square(2.0, 0.0), &square(2.0, 0.0)) < 1e-12);
        assert!((distance(&square(2.0, 0.0), &square(2.0, 3.0)) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn parts_of_one_surface_alone_count() {
        // The far corners of the squares are √2 apart.
        let far = distance(&square(2.0, 0.0), &square(1.0, 0.0));
        assert!((far - 2.0_f64.sqrt()).abs() < 1e-12, "{far}");
    }

    #[test]
    fn distances_between_vertices_count() {
        // The ridge of a roof has vertices, the square below has none there.
        let roof = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 2.0, 0.0],
            [0.0, 2.0, 0.0],
            [1.0, 0.0, 1.0],
            [1.0, 2.0, 1.0],
        ];
        let roof = level(&roof, &[[0, 4, 5], [0, 5, 3], [4, 1, 2], [4, 2, 5]]);
        assert!((distance(&roof, &square(2.0, 0.0)) - 1.0).abs() < 1e-12);
        // Only samples on triangles find the peak.
        let hidden = level(&[[-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]], &[[0, 1, 2]]);
        let ends = [[-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.0, 0.0, 0.0]];
        let ends = level(&ends, &[[0, 0, 1], [1, 1, 2], [2, 2, 0]]);
        // The inscribed circle's radius: 81 / (9 + 9√2).
        let expected = 9.0 / (1.0 + 2.0_f64.sqrt());
        let found = distance(&hidden, &ends);
        assert!(found <= expected + 1e-9 && found > expected * 0.95, "{found} of {expected}");
    }

    fn fan(height: f32) -> LodMesh {
        let rim = (0..2_000_u16).map(|i| [f32::from(i) * 0.002, 1.0, height]);
        let positions: Vec<_> = std::iter::once([0.0, 0.0, height]).chain(rim).collect();
        let triangles: Vec<_> = (1..2_000).map(|i| [0, i, i + 1]).collect();
        level(&positions, &triangles)
    }

    #[test]
    fn a_search_skips_shared_triangles_and_is_bounded() {
        let [low, high] = [0.0, 0.5].map(|height| CutSurface::new(&fan(height), 2_000));
        let same = low.distance(&low, 0.0);
        assert_eq!((same.distance, same.steps), (0.0, 0));
        let apart = low.distance(&high, 0.0);
        assert!((apart.distance - 0.5).abs() < 1e-6, "{apart:?}");
        // Each direction may exceed the limit by one search of all boxes.
        let samples = (low.samples.len() + high.samples.len()) as u64;
        assert!(apart.steps < STEPS * samples + 2 * 4 * 2_000, "{apart:?}");
    }

    #[test]
    fn interchangeable_distances_need_fewer_steps() {
        let [low, high] = [0.0, 1e-3].map(|height| {
            let sheet = sheet(16, 16, |u, v| [2.0 * u, 2.0 * v, height]);
            CutSurface::new(&LodMesh { submeshes: vec![sheet] }, 500)
        });
        let [exact, rough] = [0.0, 0.5].map(|min| low.distance(&high, min));
        assert!((exact.distance - 1e-3).abs() < 1e-9, "{exact:?}");
        assert!(rough.distance <= 0.5 && rough.steps < exact.steps, "{rough:?} {exact:?}");
    }

    #[test]
    fn samples_spread_by_area_and_are_always_the_same() {
        let mut both = square(3.0, 0.0);
        both.submeshes.extend(square(1.0, 5.0).submeshes);
        let triangles: Vec<_> = both.corners().collect();
        let points = spread(&triangles, 1000);
        let low = points.iter().filter(|sample| sample.point.z < 1.0).count();
        assert!((899..=901).contains(&low), "{low}");
        assert!(
            points
                .iter()
                .map(|sample| sample.point)
                .all(|p| p.x >= 0.0 && p.x <= 3.0 && p.y >= 0.0 && p.y <= 3.0)
        );
        assert_eq!(points, spread(&triangles, 1000));
        assert!(spread(&[[[1.0; 3]; 3]], 10).is_empty());
    }
}
