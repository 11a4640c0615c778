//! A tree of boxes around triangles: how far a point is from them.

use glam::{DVec3, Vec3};

use super::triangle::distance_sq;

/// So many triangles share a box that is not divided.
const LEAF: usize = 4;
/// The halves of 2³² triangles are halved no more often.
const DEPTH: usize = 40;

/// Triangles, and boxes around ever fewer of them.
#[derive(Debug)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
    triangles: Vec<[[f32; 3]; 3]>,
}

/// A box around triangles, exactly: corners are single floats.
#[derive(Clone, Copy, Debug)]
struct Node {
    min: [f32; 3],
    max: [f32; 3],
    /// The first of its triangles, or of its two halves.
    first: usize,
    /// How many triangles; 0 if it has halves.
    count: usize,
}

impl Boxes {
    /// Around triangles whose corners are finite.
    pub(super) fn new(triangles: &[[[f32; 3]; 3]]) -> Self {
        let middle = |corners: &[[f32; 3]; 3]| -> [f32; 3] {
            std::array::from_fn(|axis| corners.iter().map(|corner| corner[axis] / 3.0).sum())
        };
        let mut order: Vec<(usize, [f32; 3])> = triangles.iter().map(middle).enumerate().collect();
        let mut nodes = vec![Node { min: [0.0; 3], max: [0.0; 3], first: 0, count: 0 }];
        let mut open = vec![(0, 0, triangles.len())];
        while let Some((node, start, end)) = open.pop() {
            let part = &mut order[start..end];
            let (min, max) = bounds(part.iter().flat_map(|&(index, _)| triangles[index]));
            if part.len() <= LEAF {
                nodes[node] = Node { min, max, first: start, count: part.len() };
                continue;
            }
            let axis = longest(part);
            let half = part.len() / 2;
            part.select_nth_unstable_by(half, |a, b| {
                a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0))
            });
            let first = nodes.len();
            nodes[node] = Node { min, max, first, count: 0 };
            nodes.extend([nodes[node]; 2]);
            open.extend([(first, start, start + half), (first + 1, start + half, end)]);
        }
        Self { nodes, triangles: order.iter().map(|&(index, _)| triangles[index]).collect() }
    }

    /// The square of the distance to the nearest triangle, or a number up to `enough` if a triangle is no farther than
    /// that. Infinite without triangles. `steps` rises by the boxes and triangles that were looked at.
    pub(super) fn distance_sq(&self, point: DVec3, enough: f64, steps: &mut u64) -> f64 {
        let mut best = f64::INFINITY;
        let mut open = [(0, 0.0); DEPTH];
        let mut depth = 1;
        while depth > 0 && best > enough {
            depth -= 1;
            let (index, from): (usize, f64) = open[depth];
            if from >= best {
                continue;
            }
            let node = &self.nodes[index];
            *steps += 1 + node.count as u64;
            if node.is_within(point, enough) {
                return enough;
            }
            if node.count > 0 {
                let inside = &self.triangles[node.first..node.first + node.count];
                best = inside.iter().fold(best, |best, &t| best.min(distance_sq(point, t, best)));
            } else if node.first > 0 {
                let halves = [node.first, node.first + 1]
                    .map(|half| (half, self.nodes[half].distance_sq(point)));
                let [near, far] =
                    if halves[0].1 <= halves[1].1 { halves } else { [halves[1], halves[0]] };
                // The nearer one is looked at first. Of two halves one stays behind, so that a tree that is
                // halved no deeper always has a place.
                open[depth] = far;
                open[depth + 1] = near;
                depth += 2;
            }
        }
        best
    }
}

impl Node {
    #[inline]
    fn distance_sq(&self, point: DVec3) -> f64 {
        let (min, max) = (Vec3::from_array(self.min), Vec3::from_array(self.max));
        let outside = (min.as_dvec3() - point).max(point - max.as_dvec3()).max(DVec3::ZERO);
        outside.length_squared()
    }

    /// Whether a triangle of the box is no farther than that, as all of the box is not.
    #[inline]
    fn is_within(&self, point: DVec3, distance_sq: f64) -> bool {
        let (min, max) = (Vec3::from_array(self.min), Vec3::from_array(self.max));
        let farthest = (point - min.as_dvec3()).abs().max((point - max.as_dvec3()).abs());
        farthest.length_squared() <= distance_sq
    }
}

/// The box around points.
fn bounds(points: impl Iterator<Item = [f32; 3]>) -> ([f32; 3], [f32; 3]) {
    let nothing = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    points.fold(nothing, |(min, max), point| {
        let with = |by: fn(f32, f32) -> f32, old: [f32; 3]| {
            std::array::from_fn(|axis| by(old[axis], point[axis]))
        };
        (with(f32::min, min), with(f32::max, max))
    })
}

/// The axis along which the middles lie farthest apart.
fn longest(part: &[(usize, [f32; 3])]) -> usize {
    let (min, max) = bounds(part.iter().map(|&(_, middle)| middle));
    let side = |axis: &usize| max[*axis] - min[*axis];
    (0..3).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_triangle_is_found_among_many() {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(state >> 16).unwrap()) / 65_536.0
        };
        let mut point = || [next(), next(), next()];
        let triangles: Vec<[[f32; 3]; 3]> = (0..300)
            .map(|_| {
                let (at, by) = (point(), [point(), point()]);
                let near = |by: [f32; 3]| std::array::from_fn(|axis| at[axis] + by[axis] * 0.1);
                [at, near(by[0]), near(by[1])]
            })
            .collect();
        let boxes = Boxes::new(&triangles);
        for _ in 0..200 {
            let point = DVec3::from_array(point().map(|x| f64::from(x) * 3.0 - 1.0));
            let nearest = triangles
                .iter()
                .map(|&t| distance_sq(point, t, f64::INFINITY))
                .fold(f64::MAX, f64::min);
            assert_eq!(boxes.distance_sq(point, 0.0, &mut 0).to_bits(), nearest.to_bits());
            let enough = nearest * 4.0 + 0.1;
            let some = boxes.distance_sq(point, enough, &mut 0);
            assert!((nearest..=enough).contains(&some), "{some}");
        }
    }

    #[test]
    fn equal_triangles_and_none_are_no_trouble() {
        let boxes = Boxes::new(&[[[1.0, 0.0, 0.0]; 3]; 100]);
        assert!((boxes.distance_sq(DVec3::ZERO, 0.0, &mut 0) - 1.0).abs() < 1e-12);
        assert!(Boxes::new(&[]).distance_sq(DVec3::ZERO, 0.0, &mut 0).is_infinite());
    }
}
