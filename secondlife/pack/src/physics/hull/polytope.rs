//! Convex polytopes with corners on the lattice, in exact arithmetic, without tolerances or failing
//! inputs.

use glam::{DVec3, I64Vec3};

use crate::physics::hull::{HullPoint, STEPS, real, simplex, whole};

/// A triangle of the surface, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    pub(crate) corners: [u32; 3],
    normal: I64Vec3,
    offset: i64,
}

impl Facet {
    pub(crate) fn new(points: &[HullPoint], corners: [u32; 3]) -> Self {
        let [a, b, c] = corners.map(|corner| whole(points[corner as usize]));
        let normal = (b - a).cross(c - a);
        Self { corners, normal, offset: normal.dot(a) }
    }

    /// Six times the volume between the triangle and a point, in steps³: above 0 in front of it,
    /// exact.
    pub(crate) fn side(&self, point: HullPoint) -> i64 {
        self.normal.dot(whole(point)) - self.offset
    }

    /// The normal; its length is twice the area.
    pub(crate) fn normal(&self) -> DVec3 {
        self.normal.as_dvec3()
    }

    fn is_empty(&self) -> bool {
        self.normal == I64Vec3::ZERO
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Polytope {
    points: Vec<HullPoint>,
    facets: Vec<Option<Facet>>,
    free: Vec<u32>,
    /// The facets around each point; none for a former corner.
    around: Vec<Vec<u32>>,
    changes: Vec<u32>,
    corners: usize,
    /// Six times the volume in steps³.
    volume: f64,
}

impl Polytope {
    /// The tetrahedron of four points; `None` if flat.
    pub(crate) fn tetrahedron(points: [HullPoint; 4]) -> Option<Self> {
        let mut order = [0_u32, 1, 2, 3];
        let side = Facet::new(&points, [0, 1, 2]).side(points[3]);
        match side {
            0 => return None,
            1.. => order.swap(0, 1),
            _ => {}
        }
        let mut all = Self {
            points: points.to_vec(),
            facets: Vec::new(),
            free: Vec::new(),
            around: vec![Vec::new(); 4],
            changes: vec![0; 4],
            corners: 4,
            volume: volume(side.abs()),
        };
        let [a, b, c, d] = order;
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            all.add(Facet::new(&all.points, corners));
        }
        Some(all)
    }

    /// The hull of points, with only its corners; `None` if flat.
    pub(crate) fn hull(points: &[HullPoint]) -> Option<Self> {
        let mut hull = Self::tetrahedron(simplex(points)?)?;
        for &point in points {
            hull.insert(point);
        }
        Some(hull.without_idle_corners())
    }

    pub(crate) fn insert(&mut self, point: HullPoint) {
        let visible = self.visible(point);
        if !visible.is_empty() {
            self.replace(&visible, point);
        }
    }

    pub(crate) fn visible(&self, point: HullPoint) -> Vec<u32> {
        self.facets().filter(|(_, facet)| facet.side(point) > 0).map(|(id, _)| id).collect()
    }

    /// The growth of six times the volume by replacing visible facets.
    pub(crate) fn growth(&self, visible: &[u32], point: HullPoint) -> f64 {
        let facets = visible.iter().filter_map(|&id| self.facet(id));
        facets.map(|facet| volume(facet.side(point))).sum()
    }

    /// Whether replacing facets by facets to a point keeps the polytope convex.
    pub(crate) fn stays_convex(&self, visible: &[u32], point: HullPoint) -> bool {
        let horizon = self.horizon(visible);
        let mut points = self.points.clone();
        let apex = index(points.len());
        points.push(point);
        horizon.iter().all(|&[from, to]| {
            let facet = Facet::new(&points, [from, to, apex]);
            let beyond = self.across(from, to, visible);
            let mut others = horizon.iter().map(|&[other, _]| other).chain(beyond);
            !facet.is_empty() && others.all(|other| facet.side(points[other as usize]) <= 0)
        })
    }

    pub(crate) fn replace(&mut self, visible: &[u32], point: HullPoint) -> u32 {
        let horizon = self.horizon(visible);
        self.volume += self.growth(visible, point);
        for &id in visible {
            self.remove(id);
        }
        let apex = index(self.points.len());
        self.points.push(point);
        self.around.push(Vec::new());
        self.changes.push(0);
        self.corners += 1;
        for [from, to] in horizon {
            self.add(Facet::new(&self.points, [from, to, apex]));
        }
        apex
    }

    fn horizon(&self, facets: &[u32]) -> Vec<[u32; 2]> {
        let facets = facets.iter().filter_map(|&id| self.facet(id));
        let mut edges: Vec<_> = facets.flat_map(|facet| edges(facet.corners)).collect();
        edges.sort_unstable();
        let inner = |&&[from, to]: &&[u32; 2]| edges.binary_search(&[to, from]).is_err();
        edges.iter().filter(inner).copied().collect()
    }

    /// The third corner of the facet beyond an edge, unless that facet is in `gone`.
    fn across(&self, from: u32, to: u32, gone: &[u32]) -> Option<u32> {
        let stays = |id: &&u32| !gone.contains(id);
        let facets = self.around[to as usize].iter().filter(stays).filter_map(|&id| self.facet(id));
        let mut facets = facets.filter(|facet| edges(facet.corners).contains(&[to, from]));
        facets.next()?.corners.into_iter().find(|&corner| corner != from && corner != to)
    }

    fn add(&mut self, facet: Facet) {
        let id = self.free.pop().unwrap_or_else(|| {
            self.facets.push(None);
            index(self.facets.len() - 1)
        });
        for corner in facet.corners {
            self.around[corner as usize].push(id);
            self.changes[corner as usize] += 1;
        }
        self.facets[id as usize] = Some(facet);
    }

    fn remove(&mut self, id: u32) {
        let Some(facet) = self.facets[id as usize].take() else { return };
        self.free.push(id);
        for corner in facet.corners {
            let around = &mut self.around[corner as usize];
            around.retain(|&other| other != id);
            self.changes[corner as usize] += 1;
            self.corners -= usize::from(around.is_empty());
        }
    }

    /// Removes corners at which fewer than three planes meet.
    fn without_idle_corners(self) -> Self {
        let is_idle = |&corner: &u32| self.planes_around(corner) < 3;
        if !self.corner_ids().any(|corner| is_idle(&corner)) {
            return self;
        }
        let kept = self.corner_ids().filter(|corner| !is_idle(corner));
        let points: Vec<_> = kept.map(|corner| self.point(corner)).collect();
        let again = simplex(&points).and_then(Self::tetrahedron);
        let Some(mut again) = again else { return self };
        for point in points {
            again.insert(point);
        }
        again
    }

    /// The number of different planes at a corner, at most 3.
    fn planes_around(&self, corner: u32) -> usize {
        let mut planes: Vec<&Facet> = Vec::new();
        for facet in self.around[corner as usize].iter().filter_map(|&id| self.facet(id)) {
            let within = |plane: &&Facet| {
                facet.corners.iter().all(|&other| plane.side(self.point(other)) == 0)
            };
            if planes.len() < 3 && !planes.iter().any(within) {
                planes.push(facet);
            }
        }
        planes.len()
    }

    pub(crate) fn facets(&self) -> impl Iterator<Item = (u32, &Facet)> {
        let facets = self.facets.iter().enumerate();
        facets.filter_map(|(id, facet)| facet.as_ref().map(|facet| (index(id), facet)))
    }

    pub(crate) fn facet(&self, id: u32) -> Option<&Facet> {
        self.facets.get(id as usize)?.as_ref()
    }

    /// The facets around a point; none if it is no corner.
    pub(crate) fn around(&self, corner: u32) -> &[u32] {
        self.around.get(corner as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn changes(&self, corner: u32) -> u32 {
        self.changes[corner as usize]
    }

    pub(crate) fn point(&self, id: u32) -> HullPoint {
        self.points[id as usize]
    }

    pub(crate) fn corner_ids(&self) -> impl Iterator<Item = u32> {
        let around = self.around.iter().enumerate();
        around.filter(|(_, around)| !around.is_empty()).map(|(id, _)| index(id))
    }

    pub(crate) fn corners(&self) -> Vec<HullPoint> {
        self.corner_ids().map(|id| self.point(id)).collect()
    }

    pub(crate) const fn corner_count(&self) -> usize {
        self.corners
    }

    pub(crate) fn volume(&self) -> f64 {
        self.volume / (6.0 * STEPS * STEPS * STEPS)
    }

    /// The mean of the corners, which is inside.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    pub(crate) fn middle(&self) -> DVec3 {
        let sum: DVec3 = self.corner_ids().map(|corner| real(self.point(corner))).sum();
        sum / self.corners.max(1) as f64
    }
}

pub(crate) fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

#[expect(clippy::cast_precision_loss, reason = "2⁻⁵³ of a volume")]
fn volume(side: i64) -> f64 {
    side as f64
}

/// An index; there are a few thousand points at most.
#[expect(clippy::cast_possible_truncation, reason = "far fewer")]
fn index(at: usize) -> u32 {
    at as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cube(half: i32) -> Vec<HullPoint> {
        let sign = |bit: i32| if bit == 0 { -half } else { half };
        (0..8).map(|i| [sign(i & 1), sign(i & 2), sign(i & 4)]).collect()
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "powers of two")]
    fn a_cube_with_points_on_its_faces_and_edges_has_eight_corners() {
        let mut points = vec![[0, 0, 64], [64, 64, 0], [64, 3, 5], [10, 64, 64], [0, 0, 0]];
        points.extend(cube(64));
        let hull = Polytope::hull(&points).unwrap();
        assert_eq!(hull.corner_count(), 8);
        assert_eq!(hull.facets().count(), 12);
        assert_eq!(hull.volume() * STEPS.powi(3), f64::from(128 * 128 * 128));
    }

    #[test]
    fn flat_point_sets_have_no_hull() {
        assert!(Polytope::hull(&[]).is_none());
        assert!(Polytope::hull(&[[1, 2, 3]; 9]).is_none());
        assert!(Polytope::hull(&[[0, 0, 0], [1, 1, 1], [2, 2, 2], [5, 5, 5]]).is_none());
        assert!(
            Polytope::hull(&[[0, 0, 0], [1, 0, 1], [0, 1, 1], [1, 1, 2], [7, 3, 10]]).is_none()
        );
    }

    #[test]
    fn numbers_at_the_ends_of_the_reach_do_not_overflow() {
        let hull = Polytope::hull(&cube(super::super::REACH)).unwrap();
        assert!((hull.volume() - 512.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn every_point_is_behind_every_facet(
            points in prop::collection::vec(prop::array::uniform3(-6_i32..6), 4..60)
        ) {
            if let Some(hull) = Polytope::hull(&points) {
                for (_, facet) in hull.facets() {
                    prop_assert!(!facet.is_empty());
                    prop_assert!(points.iter().all(|&point| facet.side(point) <= 0));
                }
                // Euler: a closed surface of triangles.
                prop_assert_eq!(hull.facets().count(), 2 * hull.corner_count() - 4);
                prop_assert!(hull.corner_ids().all(|corner| hull.planes_around(corner) >= 3));
                prop_assert!(hull.corners().iter().all(|corner| points.contains(corner)));
            }
        }
    }
}
