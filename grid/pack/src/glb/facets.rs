//! The triangles of a convex hull that is given by its corners.

/// How far a point may be in front of a triangle and still be on it, relative to the size of the hull.
const FLAT: f64 = 1e-7;

type Point = [f64; 3];

/// Triangles around the points, counter-clockwise seen from outside: a tetrahedron that grows by one point after the
/// other. None for points without a volume, or of more than 65 535.
pub(crate) fn facets(points: &[[f32; 3]]) -> Vec<[u16; 3]> {
    let points: Vec<Point> = points.iter().map(|point| point.map(f64::from)).collect();
    let Some(first) = simplex(&points) else { return Vec::new() };
    let flat = FLAT * size(&points);
    let mut facets = first;
    for (index, &point) in (0_u16..).zip(&points) {
        let sees = |&[a, b, c]: &[u16; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| points[usize::from(corner)]);
            in_front(point, [a, b, c]) > flat
        };
        let (seen, hidden): (Vec<_>, Vec<_>) = facets.iter().copied().partition(sees);
        if seen.is_empty() {
            continue;
        }
        let edges: Vec<_> = seen.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        let rim = edges.iter().filter(|&&[a, b]| !edges.contains(&[b, a]));
        facets = hidden.into_iter().chain(rim.map(|&[a, b]| [a, b, index])).collect();
    }
    facets
}

/// Four points that are far from one plane, as triangles.
fn simplex(points: &[Point]) -> Option<Vec<[u16; 3]>> {
    u16::try_from(points.len()).ok()?;
    let farthest = |distance: &dyn Fn(Point) -> f64| {
        let order =
            |a: &(u16, &Point), b: &(u16, &Point)| distance(*a.1).total_cmp(&distance(*b.1));
        (0_u16..).zip(points).max_by(order).map(|(index, &point)| (index, point))
    };
    let start = *points.first()?;
    let (a, from) = farthest(&|point| length(minus(point, start)))?;
    let (b, to) = farthest(&|point| length(minus(point, from)))?;
    let (c, beside) = farthest(&|point| length(cross(minus(to, from), minus(point, from))))?;
    let (d, top) = farthest(&|point| in_front(point, [from, to, beside]).abs())?;
    let height = in_front(top, [from, to, beside]);
    if height.abs() <= FLAT * size(points) {
        return None;
    }
    let [b, c] = if height > 0.0 { [c, b] } else { [b, c] };
    Some(vec![[a, b, c], [a, c, d], [c, b, d], [b, a, d]])
}

/// The distance of a point in front of a triangle; 0 where that has no plane.
fn in_front(point: Point, [a, b, c]: [Point; 3]) -> f64 {
    let normal = cross(minus(b, a), minus(c, a));
    let length = length(normal);
    if length > 0.0 { dot(normal, minus(point, a)) / length } else { 0.0 }
}

/// The longest way from the first point.
fn size(points: &[Point]) -> f64 {
    let first = points.first().copied().unwrap_or_default();
    points.iter().map(|&point| length(minus(point, first))).fold(0.0, f64::max)
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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

    proptest! {
        #[test]
        fn nothing_is_outside(points in prop::collection::vec(prop::array::uniform3(-9.0_f32..9.0), 4..60)) {
            let facets = facets(&points);
            prop_assert!(is_closed(&facets));
            let wide = |index: u16| points[usize::from(index)].map(f64::from);
            for triangle in &facets {
                for point in &points {
                    prop_assert!(in_front(point.map(f64::from), triangle.map(wide)) < 1e-3);
                }
            }
        }
    }
}
