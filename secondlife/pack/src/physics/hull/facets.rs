//! The facets of the hull around points, as triangles to draw.

use crate::frame::Frame;
use crate::physics::hull::block::on_lattice;
use crate::physics::hull::lattice::{Point, cross, dot, length, minus};
use crate::physics::hull::polytope::{Facet, edges};

/// Triangles around points in metres, counter-clockwise seen from outside: a tetrahedron that grows by one point after the
/// other. None for points without a volume, or of more than 65 535.
///
/// Points are on the lattice of the frame, where it is exact on which side of a triangle a point is. With rounded numbers
/// points that nearly lie in a plane may be on both sides of it, and triangles become more and more.
pub(crate) fn facets(metres: &[[f32; 3]], frame: &Frame) -> Vec<[u16; 3]> {
    let points: Vec<Point> = metres.iter().map(|&point| on_lattice(point, frame)).collect();
    let mut facets = first(metres, &points).unwrap_or_default();
    for (index, &point) in (0_u32..).zip(&points) {
        let (seen, hidden): (Vec<_>, Vec<_>) =
            facets.into_iter().partition(|facet| facet.side(point) > 0);
        let edges: Vec<_> = seen.iter().flat_map(|facet| edges(facet.corners)).collect();
        facets = hidden;
        let rim = edges.iter().filter(|&&[a, b]| !edges.contains(&[b, a]));
        facets.extend(rim.map(|&[a, b]| Facet::new(&points, [a, b, index])));
    }
    let narrow = |corner| u16::try_from(corner).unwrap_or(u16::MAX);
    facets.iter().map(|facet| facet.corners.map(narrow)).collect()
}

/// The tetrahedron of four points that are far from each other.
fn first(metres: &[[f32; 3]], points: &[Point]) -> Option<Vec<Facet>> {
    u16::try_from(metres.len()).ok()?;
    let farthest = |distance: &dyn Fn([f64; 3]) -> f64| {
        let wide = (0_u32..).zip(metres).map(|(index, point)| (index, point.map(f64::from)));
        wide.max_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))
    };
    let start = metres.first()?.map(f64::from);
    let (a, from) = farthest(&|point| length(minus(point, start)))?;
    let (b, to) = farthest(&|point| length(minus(point, from)))?;
    let (c, beside) = farthest(&|point| length(cross(minus(to, from), minus(point, from))))?;
    let normal = cross(minus(to, from), minus(beside, from));
    let (d, _) = farthest(&|point| (dot(normal, minus(point, from)) / length(normal)).abs())?;
    let height = Facet::new(points, [a, b, c]).side(points[d as usize]);
    let [b, c] = if height > 0 { [c, b] } else { [b, c] };
    let all = [[a, b, c], [a, c, d], [c, b, d], [b, a, d]];
    (height != 0).then(|| all.map(|corners| Facet::new(points, corners)).to_vec())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{Face, Level};

    fn frame(points: &[[f32; 3]]) -> Frame {
        Frame::of(&Level { faces: vec![Face { positions: points.to_vec(), ..Face::default() }] })
    }

    fn facets(points: &[[f32; 3]]) -> Vec<[u16; 3]> {
        super::facets(points, &frame(points))
    }

    fn volume(points: &[[f32; 3]], facets: &[[u16; 3]]) -> f64 {
        let corner = |index: u16| points[usize::from(index)].map(f64::from);
        let six = |&[a, b, c]: &[u16; 3]| dot(corner(a), cross(corner(b), corner(c)));
        facets.iter().map(six).sum::<f64>() / 6.0
    }

    /// Each edge is there once in each direction.
    fn is_closed(facets: &[[u16; 3]]) -> bool {
        let edges: Vec<_> = facets.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        let once = |edge: [u16; 2]| edges.iter().filter(|&&other| other == edge).count() == 1;
        edges.iter().all(|&[a, b]| once([a, b]) && once([b, a]))
    }

    #[test]
    fn a_box_has_twelve() {
        let corner =
            |i: u8| [f32::from(i & 1), 2.0 * f32::from(i >> 1 & 1), 3.0 * f32::from(i >> 2)];
        let points: Vec<_> = (0..8).map(corner).collect();
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

    /// With rounded numbers there were four times as many, of more sides without end.
    #[test]
    fn a_tilted_disc_has_what_euler_says() {
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
            let points: Vec<Point> = points.iter().map(|&point| on_lattice(point, &frame)).collect();
            for triangle in facets {
                let facet = Facet::new(&points, triangle.map(u32::from));
                prop_assert!(points.iter().all(|&point| facet.side(point) <= 0));
            }
        }
    }
}
