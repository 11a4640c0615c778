//! The plainest shapes around points: boxes, wedges and corners of a room along the axes, which a hull whose faces
//! look at each other is not simplified to step by step.

use super::lattice::{Point, REACH};
use super::polytope::Polytope;

/// A box, the best of twelve wedges of six corners, and the best of eight tetrahedra, each with faces along the
/// axes and a slanted one. Those that are out of reach are left out.
pub(super) fn plain(points: &[Point]) -> Vec<Polytope> {
    let cuts = |axes: usize| (0..8_usize).filter_map(move |signs| cut(points, axes, signs));
    let wedges = [0b011, 0b101, 0b110].into_iter().flat_map(cuts);
    [boxed(points), least(wedges), least(cuts(0b111))].into_iter().flatten().collect()
}

/// The box around points along the axes; `None` if it is flat.
pub(super) fn boxed(points: &[Point]) -> Option<Polytope> {
    cut(points, 0, 0)
}

fn least(polytopes: impl Iterator<Item = Polytope>) -> Option<Polytope> {
    polytopes.min_by(|a, b| a.volume().total_cmp(&b.volume()))
}

/// The box around points, the axes in a set cut by one slanted plane: along each from the corner that the signs
/// choose as far as the sum of the ways along them goes.
fn cut(points: &[Point], axes: usize, signs: usize) -> Option<Polytope> {
    let is_in = |set: usize, axis: usize| set >> axis & 1 == 1;
    let sign = |axis: usize| if is_in(signs, axis) { -1 } else { 1 };
    let signed = |point: &Point| -> Point { std::array::from_fn(|axis| sign(axis) * point[axis]) };
    let min = |axis: usize| points.iter().map(|point| signed(point)[axis]).min();
    let min = [min(0)?, min(1)?, min(2)?];
    let way = |axis: usize| points.iter().map(|point| signed(point)[axis] - min[axis]).max();
    let way = [way(0)?, way(1)?, way(2)?];
    let slanted = |point: &Point| {
        let ways = (0..3).filter(|&axis| is_in(axes, axis));
        ways.map(|axis| signed(point)[axis] - min[axis]).sum::<i32>()
    };
    let slant = points.iter().map(slanted).max()?;
    let ends = (0..8_usize).filter(|ends| (ends & axes).count_ones() < 2);
    let corner = |ends: usize| -> Point {
        std::array::from_fn(|axis| {
            let way = if is_in(axes, axis) { slant } else { way[axis] };
            sign(axis) * (min[axis] + if is_in(ends, axis) { way } else { 0 })
        })
    };
    let corners: Vec<Point> = ends.map(corner).collect();
    let near = corners.iter().flatten().all(|x| x.abs() <= REACH);
    near.then(|| Polytope::hull(&corners)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_has_all_three() {
        let points: Vec<Point> =
            (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|x| 600 * x)).collect();
        let found: Vec<_> =
            plain(&points).iter().map(|shape| (shape.corner_count(), shape.volume())).collect();
        let box_volume = found[0].1;
        let expected = [(8, 1.0), (6, 2.0), (4, 4.5)];
        for ((corners, volume), (other, ratio)) in found.into_iter().zip(expected) {
            assert_eq!(corners, other);
            assert!((volume / box_volume - ratio).abs() < 1e-9);
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same corners in the same order")]
    fn a_tetrahedron_is_its_own() {
        let points = [[50, 50, -50], [-250, 50, -50], [50, -250, -50], [50, 50, 250]];
        let found = plain(&points);
        assert_eq!(found[2].volume(), Polytope::hull(&points).unwrap().volume());
    }
}
