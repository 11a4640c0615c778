//! Distances to triangles, and a bounding volume hierarchy of them.

use glam::{DVec3, Vec3};

use crate::frame::Aabb;

#[inline]
pub(crate) fn vectors([a, b, c]: [[f32; 3]; 3]) -> [DVec3; 3] {
    let vector = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
    [vector(a), vector(b), vector(c)]
}

/// The normal of a triangle; its length is twice the area.
pub(crate) fn normal(corners: [[f32; 3]; 3]) -> DVec3 {
    let [a, b, c] = vectors(corners);
    (b - a).cross(c - a)
}

/// The squared distance to a triangle, line or point; infinite if the distance to its plane clearly
/// exceeds `max`.
pub(crate) fn distance_sq(point: DVec3, corners: [[f32; 3]; 3], max: f64) -> f64 {
    /// Above the change of a sliver's normal by rounding.
    const CLEARLY: f64 = 1.001;
    let [a, b, c] = vectors(corners);
    let normal = (b - a).cross(c - a);
    let (height, length_sq) = ((point - a).dot(normal), normal.length_squared());
    if height * height > CLEARLY * max * length_sq {
        return f64::INFINITY;
    }
    let within = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) > 0.0;
    if within(a, b) && within(b, c) && within(c, a) {
        return height * height / length_sq;
    }
    let sides = [(a, b), (b, c), (c, a)];
    sides.into_iter().map(|(from, to)| from_side(point, from, to)).fold(f64::INFINITY, f64::min)
}

fn from_side(point: DVec3, from: DVec3, to: DVec3) -> f64 {
    let (side, way) = (to - from, point - from);
    let length_sq = side.length_squared();
    let part = if length_sq > 0.0 { (way.dot(side) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (way - side * part).length_squared()
}

const LEAF: usize = 4;
/// The limit of depth: halving 2³² triangles needs less.
const DEPTH: usize = 40;

#[derive(Debug)]
pub(crate) struct Bvh {
    nodes: Vec<BvhNode>,
    triangles: Vec<[[f32; 3]; 3]>,
}

/// A box around triangles, exact because corners are `f32`.
#[derive(Clone, Copy, Debug)]
struct BvhNode {
    min: [f32; 3],
    max: [f32; 3],
    first: usize,
    /// The number of triangles; 0 for an inner node.
    count: usize,
}

impl Bvh {
    /// Builds the hierarchy of triangles with finite corners.
    pub(crate) fn new(triangles: &[[[f32; 3]; 3]]) -> Self {
        let middle = |corners: &[[f32; 3]; 3]| -> [f32; 3] {
            std::array::from_fn(|axis| corners.iter().map(|corner| corner[axis] / 3.0).sum())
        };
        let mut order: Vec<(usize, [f32; 3])> = triangles.iter().map(middle).enumerate().collect();
        let mut nodes = vec![BvhNode { min: [0.0; 3], max: [0.0; 3], first: 0, count: 0 }];
        let mut open = vec![(0, 0, triangles.len())];
        while let Some((node, start, end)) = open.pop() {
            let part = &mut order[start..end];
            let Aabb { min, max } =
                Aabb::around(part.iter().flat_map(|&(index, _)| triangles[index]));
            if part.len() <= LEAF {
                nodes[node] = BvhNode { min, max, first: start, count: part.len() };
                continue;
            }
            let axis = longest_axis(part);
            let half = part.len() / 2;
            part.select_nth_unstable_by(half, |a, b| {
                a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0))
            });
            let first = nodes.len();
            nodes[node] = BvhNode { min, max, first, count: 0 };
            nodes.extend([nodes[node]; 2]);
            open.extend([(first, start, start + half), (first + 1, start + half, end)]);
        }
        Self { nodes, triangles: order.iter().map(|&(index, _)| triangles[index]).collect() }
    }

    /// The squared distance to the nearest triangle, or any number up to `enough` if a triangle is
    /// that near; infinite without triangles. Adds the visited boxes and triangles to `steps`.
    pub(crate) fn distance_sq(&self, point: DVec3, enough: f64, steps: &mut u64) -> f64 {
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
                // The nearer child is visited first. One child of each level stays on the stack, so `DEPTH` suffices.
                open[depth] = far;
                open[depth + 1] = near;
                depth += 2;
            }
        }
        best
    }
}

impl BvhNode {
    #[inline]
    fn distance_sq(&self, point: DVec3) -> f64 {
        let (min, max) = (Vec3::from_array(self.min), Vec3::from_array(self.max));
        let outside = (min.as_dvec3() - point).max(point - max.as_dvec3()).max(DVec3::ZERO);
        outside.length_squared()
    }

    #[inline]
    fn is_within(&self, point: DVec3, distance_sq: f64) -> bool {
        let (min, max) = (Vec3::from_array(self.min), Vec3::from_array(self.max));
        let farthest = (point - min.as_dvec3()).abs().max((point - max.as_dvec3()).abs());
        farthest.length_squared() <= distance_sq
    }
}

/// The axis along which the centres of triangles spread widest.
fn longest_axis(part: &[(usize, [f32; 3])]) -> usize {
    let sides = Aabb::around(part.iter().map(|&(_, middle)| middle)).sides();
    (0..3).max_by(|&a: &usize, &b| sides[a].total_cmp(&sides[b])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use lodger_testkit::SplitMix64;

    use crate::lod_chain::bvh::*;

    #[test]
    fn distances_are_to_the_face_the_sides_and_the_corners() {
        let right = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let cases = [
            ([1.0, 1.0, -3.0], 9.0),
            ([2.0, -2.0, 0.0], 4.0),
            ([-3.0, -4.0, 12.0], 169.0),
            ([4.0, 4.0, 0.0], 8.0),
            ([5.0, 0.0, 0.0], 1.0),
        ];
        for (point, expected) in cases {
            let found = distance_sq(DVec3::from_array(point), right, f64::INFINITY);
            assert!((found - expected).abs() < 1e-12, "{point:?}: {found}");
        }
    }

    #[test]
    fn a_triangle_without_area_is_a_line_or_a_point() {
        let line = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let distance_sq =
            |[x, y, z]: [f64; 3], corners| distance_sq(DVec3::new(x, y, z), corners, 99.0);
        assert!((distance_sq([1.5, 3.0, 0.0], line) - 9.0).abs() < 1e-12);
        assert!((distance_sq([0.0, 3.0, 4.0], [[0.0; 3]; 3]) - 25.0).abs() < 1e-12);
        assert_eq!(normal(line), DVec3::ZERO);
    }

    #[test]
    fn the_nearest_triangle_is_found_among_many() {
        let mut random = SplitMix64::new(7);
        let mut point = || [0; 3].map(|_| f32::from(random.within(0, u16::MAX)) / 65_536.0);
        let triangles: Vec<[[f32; 3]; 3]> = (0..300)
            .map(|_| {
                let (at, by) = (point(), [point(), point()]);
                let near = |by: [f32; 3]| std::array::from_fn(|axis| at[axis] + by[axis] * 0.1);
                [at, near(by[0]), near(by[1])]
            })
            .collect();
        let boxes = Bvh::new(&triangles);
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
        let boxes = Bvh::new(&[[[1.0, 0.0, 0.0]; 3]; 100]);
        assert!((boxes.distance_sq(DVec3::ZERO, 0.0, &mut 0) - 1.0).abs() < 1e-12);
        assert!(Bvh::new(&[]).distance_sq(DVec3::ZERO, 0.0, &mut 0).is_infinite());
    }
}
