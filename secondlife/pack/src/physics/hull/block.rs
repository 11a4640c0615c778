//! Conversion of hulls between metres, the lattice and the 16 bits of an asset; facets as
//! triangles.

use glam::DVec3;
use lodger_mesh_asset::{AssetErrorKind, Domain};

use crate::frame::ObjectFrame;
use crate::physics::hull::enclose::FacetLocator;
use crate::physics::hull::polytope::{Facet, Polytope, edges};
use crate::physics::hull::{HullPoint, STEPS, nearest, real};

/// The limit of the distance of a vertex outside of the written hull, as a ratio to the diagonal of
/// the block's box. Truncation takes one 16-bit step, a corner that coincides with another one
/// more, and the lattice at most one.
pub const TOLERANCE: f64 = 3.0 / 65_535.0;

/// Converts a lattice point to metres, to the nearest float of a model.
pub(crate) fn in_metres(point: HullPoint, frame: &ObjectFrame) -> [f32; 3] {
    let (centre, sides) = (DVec3::from(frame.centre()), DVec3::from(frame.sides()));
    (centre + real(point) / STEPS * sides).as_vec3().to_array()
}

/// Converts metres to the nearest lattice point.
pub(crate) fn on_lattice(point: [f32; 3], frame: &ObjectFrame) -> HullPoint {
    let (centre, sides) = (DVec3::from(frame.centre()), DVec3::from(frame.sides()));
    nearest((wide(point) - centre) / sides * STEPS)
}

fn wide(point: [f32; 3]) -> DVec3 {
    point.map(f64::from).into()
}

/// The domain of points in unit space, and their truncated steps.
pub(crate) struct QuantizedPoints {
    domain: Domain<3>,
    pub(crate) steps: Vec<HullPoint>,
}

impl QuantizedPoints {
    pub(crate) fn new(points: &[[f32; 3]]) -> Result<Self, AssetErrorKind> {
        let domain = Domain::from_points(points)?;
        let steps = points.iter().map(|&point| domain.floor(point).map(i32::from)).collect();
        Ok(Self { domain, steps })
    }

    /// The greatest distance in metres of points outside of the hull of the first written points,
    /// and its limit; `None` if that hull is flat.
    pub(crate) fn max_outside(
        &self,
        hull: usize,
        points: impl Iterator<Item = [f32; 3]>,
        frame: &ObjectFrame,
    ) -> Option<(f64, f64)> {
        let hull = Polytope::hull(self.steps.get(..hull)?)?;
        let metres = wide(self.domain.extent()) * DVec3::from(frame.sides());
        let locator = FacetLocator::new(&hull);
        let (mut at, mut max) = (0, 0.0_f64);
        for point in points {
            let point = place(frame.to_unit(point), &self.domain);
            at = locator.facet(point, at);
            let Some(facet) = hull.facet(at) else { continue };
            let normal = facet.normal();
            let front = normal.dot(point - real(hull.point(facet.corners[0])));
            max = max.max(front / (normal * LAST / metres).length());
        }
        Some((max, TOLERANCE * metres.length()))
    }
}

const LAST: f64 = 65_535.0;

fn place(point: [f32; 3], domain: &Domain<3>) -> DVec3 {
    let part = (wide(point) - wide(domain.min())) / wide(domain.extent());
    DVec3::select(part.is_finite_mask(), part * LAST, DVec3::ZERO)
}

/// The triangles of the hull of points in metres, counter-clockwise seen from outside: a
/// tetrahedron that grows point by point. None for points without a volume, or for more than 65
/// 535.
///
/// Points are on the lattice, so that the side of a point is exact. With rounded numbers, nearly
/// coplanar points could be on both sides of a triangle, and the number of triangles would explode.
pub(crate) fn facets(metres: &[[f32; 3]], frame: &ObjectFrame) -> Vec<[u16; 3]> {
    let points: Vec<HullPoint> = metres.iter().map(|&point| on_lattice(point, frame)).collect();
    let mut facets = first_tetrahedron(metres, &points).unwrap_or_default();
    for (index, &point) in (0_u32..).zip(&points) {
        let (visible, hidden): (Vec<_>, Vec<_>) =
            facets.into_iter().partition(|facet| facet.side(point) > 0);
        let edges: Vec<_> = visible.iter().flat_map(|facet| edges(facet.corners)).collect();
        facets = hidden;
        let rim = edges.iter().filter(|&&[a, b]| !edges.contains(&[b, a]));
        facets.extend(rim.map(|&[a, b]| Facet::new(&points, [a, b, index])));
    }
    let narrow = |corner| u16::try_from(corner).unwrap_or(u16::MAX);
    facets.iter().map(|facet| facet.corners.map(narrow)).collect()
}

/// The tetrahedron of four points far from each other.
fn first_tetrahedron(metres: &[[f32; 3]], points: &[HullPoint]) -> Option<Vec<Facet>> {
    u16::try_from(metres.len()).ok()?;
    let farthest = |distance: &dyn Fn(DVec3) -> f64| {
        let wide = (0_u32..).zip(metres).map(|(index, &point)| (index, wide(point)));
        wide.max_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))
    };
    let start = wide(*metres.first()?);
    let (a, from) = farthest(&|point| (point - start).length())?;
    let (b, to) = farthest(&|point| (point - from).length())?;
    let (c, beside) = farthest(&|point| (to - from).cross(point - from).length())?;
    let normal = (to - from).cross(beside - from);
    let (d, _) = farthest(&|point| (normal.dot(point - from) / normal.length()).abs())?;
    let height = Facet::new(points, [a, b, c]).side(points[d as usize]);
    let [b, c] = if height > 0 { [c, b] } else { [b, c] };
    let all = [[a, b, c], [a, c, d], [c, b, d], [b, a, d]];
    (height != 0).then(|| all.map(|corners| Facet::new(points, corners)).to_vec())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_meshes::{cuboid, frame};

    #[test]
    #[expect(clippy::float_cmp, reason = "whole metres of a cube of 4 m are exact")]
    fn distances_outside_are_in_metres() {
        let corners = cuboid([0.0; 3], [4.0; 3]).positions;
        let frame = frame(&corners);
        let unit: Vec<_> = corners.iter().map(|&corner| frame.to_unit(corner)).collect();
        let written = QuantizedPoints::new(&unit).unwrap();
        let outside = |point| written.max_outside(8, [point].into_iter(), &frame).unwrap();
        let (far, max) = outside([2.0, 4.5, 2.0]);
        assert!((far - 0.5).abs() < 1e-6, "{far}");
        assert!((max - TOLERANCE * 48.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(outside([1.0, 2.0, 3.0]).0, 0.0);
        assert_eq!(in_metres(on_lattice([4.0, 0.0, 1.0], &frame), &frame), [4.0, 0.0, 1.0]);
        assert!(written.max_outside(3, corners.into_iter(), &frame).is_none(), "flat");
    }

    fn facets(points: &[[f32; 3]]) -> Vec<[u16; 3]> {
        super::facets(points, &frame(points))
    }

    fn volume(points: &[[f32; 3]], facets: &[[u16; 3]]) -> f64 {
        let corner = |index: u16| wide(points[usize::from(index)]);
        let six = |&[a, b, c]: &[u16; 3]| corner(a).dot(corner(b).cross(corner(c)));
        facets.iter().map(six).sum::<f64>() / 6.0
    }

    fn is_closed(facets: &[[u16; 3]]) -> bool {
        let edges: Vec<_> = facets.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        let once = |edge: [u16; 2]| edges.iter().filter(|&&other| other == edge).count() == 1;
        edges.iter().all(|&[a, b]| once([a, b]) && once([b, a]))
    }

    #[test]
    fn a_box_has_twelve() {
        let points = cuboid([0.0; 3], [1.0, 2.0, 3.0]).positions;
        let facets = facets(&points);
        assert_eq!(facets.len(), 12);
        assert!(is_closed(&facets));
        assert!((volume(&points, &facets) - 6.0).abs() < 1e-12);
    }

    #[test]
    fn without_a_volume_there_are_none() {
        assert_eq!(facets(&[]), [[0; 3]; 0]);
        assert_eq!(facets(&[[1.0; 3]; 9]), [[0; 3]; 0]);
        let flat = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]];
        assert_eq!(facets(&flat), [[0; 3]; 0]);
    }

    /// With rounded numbers there were four times as many facets.
    #[test]
    fn a_tilted_disc_satisfies_eulers_formula() {
        let corner = |i: u8| {
            let (sin, cos) = (f32::from(i / 2) / 33.0 * std::f32::consts::TAU).sin_cos();
            let (x, y) = (10.0 * cos, if i.is_multiple_of(2) { -0.1 } else { 0.1 });
            let (sin_of_tilt, cos_of_tilt) = 0.3_f32.sin_cos();
            [x * cos_of_tilt - y * sin_of_tilt, x * sin_of_tilt + y * cos_of_tilt, 10.0 * sin]
        };
        let points: Vec<_> = (0..66).map(corner).collect();
        let facets = facets(&points);
        assert!(is_closed(&facets));
        let is_corner = |index: &u16| facets.as_flattened().contains(index);
        assert_eq!(facets.len(), 2 * (0..66).filter(is_corner).count() - 4);
    }

    proptest! {
        #[test]
        fn nothing_is_outside(points in prop::collection::vec(prop::array::uniform3(-9.0_f32..9.0), 4..60)) {
            let facets = facets(&points);
            prop_assert!(is_closed(&facets));
            let frame = frame(&points);
            let points: Vec<HullPoint> = points.iter().map(|&point| on_lattice(point, &frame)).collect();
            for triangle in facets {
                let facet = Facet::new(&points, triangle.map(u32::from));
                prop_assert!(points.iter().all(|&point| facet.side(point) <= 0));
            }
        }
    }
}
