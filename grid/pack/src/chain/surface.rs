//! How far two surfaces are apart, by points on both.

use glam::DVec3;

use super::boxes::Boxes;
use super::triangle::{normal, vectors};
use crate::model::Level;

/// So many vertices of a surface are looked at, at most.
const VERTICES: usize = 1 << 14;
/// So many points of its triangles, at most.
const POINTS: usize = 1 << 14;
/// The first points are every so-manieth, so that what is far off is met early and the rest is soon done.
const STRIDE: usize = 61;

/// A surface, and points on it.
#[derive(Debug)]
pub(super) struct Surface {
    boxes: Boxes,
    samples: Vec<DVec3>,
}

impl Surface {
    /// The surface of a level. Its points are the vertices of its triangles, or 2¹⁴ of them evenly chosen, and
    /// `points` of its triangles, at most 2¹⁴, spread by area: in equal parts of the whole area there is
    /// one each, where in it is by a random number that is always the same.
    pub(super) fn new(level: &Level, points: usize) -> Self {
        let triangles: Vec<[[f32; 3]; 3]> = level.corners().collect();
        let mut samples = corners(level);
        samples.extend(spread(&triangles, points.min(POINTS)));
        Self { boxes: Boxes::new(&triangles), samples }
    }

    /// The greatest distance from a point of either surface to the other; infinite where one has no triangle.
    ///
    /// # Range and accuracy
    /// Never more than the Hausdorff distance. It is less by at most the greatest distance from any point of a
    /// surface to the nearest of its samples: between *n* of them on an area *A* that is about √(*A*/*n*).
    /// What is finer and has no vertex among the samples can be missed.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let there = self.farthest(other, 0.0);
        other.farthest(self, there).sqrt()
    }

    /// The greatest square of a distance from the other's samples, or `at_least` if none is greater.
    fn farthest(&self, other: &Self, at_least: f64) -> f64 {
        let samples = &other.samples;
        let order = (0..STRIDE).flat_map(|first| (first..samples.len()).step_by(STRIDE));
        order.fold(at_least, |most, index| most.max(self.boxes.distance_sq(samples[index], most)))
    }
}

/// The vertices that triangles use.
fn corners(level: &Level) -> Vec<DVec3> {
    let mut all = Vec::new();
    for face in &level.faces {
        let mut used = vec![false; face.positions.len()];
        for &index in face.triangles.iter().flatten() {
            used[usize::from(index)] = true;
        }
        let positions = face.positions.iter().zip(used).filter(|&(_, used)| used);
        all.extend(positions.map(|(position, _)| DVec3::from_array(position.map(f64::from))));
    }
    if all.len() <= VERTICES {
        return all;
    }
    (0..VERTICES).map(|vertex| all[vertex * all.len() / VERTICES]).collect()
}

/// So many points, spread by area.
#[expect(clippy::cast_precision_loss, reason = "few points")]
fn spread(triangles: &[[[f32; 3]; 3]], points: usize) -> Vec<DVec3> {
    let area = |&corners: &[[f32; 3]; 3]| normal(corners).length();
    let total: f64 = triangles.iter().map(area).sum();
    if total.is_nan() || total <= 0.0 {
        return Vec::new();
    }
    let mut chance = Chance(0);
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
        found.extend(current.map(vectors).map(|[a, b, c]| a + (b - a) * u + (c - a) * v));
    }
    found
}

/// Numbers from 0 to 1, always the same.
struct Chance(u64);

impl Chance {
    /// Steele, Lea and Flood's `SplitMix64`.
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Face;

    fn level(positions: &[[f32; 3]], triangles: &[[u16; 3]]) -> Level {
        let face = Face {
            positions: positions.to_vec(),
            triangles: triangles.to_vec(),
            ..Face::default()
        };
        Level { faces: vec![face] }
    }

    fn square(side: f32, height: f32) -> Level {
        let corner = |x: f32, y: f32| [x * side, y * side, height];
        let corners = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        level(&corners, &[[0, 1, 2], [0, 2, 3]])
    }

    fn distance(a: &Level, b: &Level) -> f64 {
        let (a, b) = (Surface::new(a, 2000), Surface::new(b, 2000));
        let (there, back) = (a.distance(&b), b.distance(&a));
        assert!((there - back).abs() <= 1e-12 * there, "{there} {back}");
        there
    }

    #[test]
    fn parallel_squares_are_their_gap_apart() {
        assert!(distance(&square(2.0, 0.0), &square(2.0, 0.0)) < 1e-12);
        assert!((distance(&square(2.0, 0.0), &square(2.0, 3.0)) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_only_one_surface_has_counts() {
        // The far corner of the greater square is √2 from that of the smaller.
        let far = distance(&square(2.0, 0.0), &square(1.0, 0.0));
        assert!((far - 2.0_f64.sqrt()).abs() < 1e-12, "{far}");
    }

    #[test]
    fn what_lies_between_vertices_is_seen() {
        // A roof over a square: its ridge has vertices, the square below it has none there.
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
        // Beside a hill that only its slopes show: the points on triangles find what vertices do not.
        let hidden = level(&[[-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]], &[[0, 1, 2]]);
        let ends = [[-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.0, 0.0, 0.0]];
        let ends = level(&ends, &[[0, 0, 1], [1, 1, 2], [2, 2, 0]]);
        // The inscribed circle's radius: 81 / (9 + 9√2).
        let expected = 9.0 / (1.0 + 2.0_f64.sqrt());
        let found = distance(&hidden, &ends);
        assert!(found <= expected + 1e-9 && found > expected * 0.95, "{found} of {expected}");
    }

    #[test]
    fn samples_spread_by_area_and_are_always_the_same() {
        let mut both = square(3.0, 0.0);
        both.faces.extend(square(1.0, 5.0).faces);
        let triangles: Vec<_> = both.corners().collect();
        let points = spread(&triangles, 1000);
        let low = points.iter().filter(|point| point.z < 1.0).count();
        assert!((899..=901).contains(&low), "{low}");
        assert!(points.iter().all(|p| p.x >= 0.0 && p.x <= 3.0 && p.y >= 0.0 && p.y <= 3.0));
        assert_eq!(points, spread(&triangles, 1000));
        assert!(spread(&[[[1.0; 3]; 3]], 10).is_empty());
    }
}
