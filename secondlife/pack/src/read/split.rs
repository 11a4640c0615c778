//! Faces with more vertices than indices can number, cut along planes.

use super::soup::{Picker, Soup};
use crate::aabb::Aabb;
use crate::model::Face;

/// A face has fewer vertices than this.
///
/// Source: what today's viewer accepts on upload.
pub(super) const VERTICES: usize = 65_535;

/// How a face was cut, so that its other levels can be cut in the same way.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// The first is the root.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// A part, by its number.
    Part(usize),
    /// What has its middle below `at` on an axis goes to one node, the rest to another.
    Plane { axis: usize, at: f32, below: usize, above: usize },
}

/// The faces that some triangles become, and how they were cut: no face if there are no triangles.
pub(super) fn cut(soup: &Soup) -> (Cut, Vec<Face>) {
    let (mut nodes, mut faces) = (vec![Node::Part(0)], Vec::new());
    let mut picker = Picker::new(soup);
    let mut open = vec![(0, soup.triangles.clone())];
    while let Some((node, triangles)) = open.pop() {
        if picker.vertices(&triangles) < VERTICES {
            nodes[node] = Node::Part(faces.len());
            faces.extend(picker.face(&triangles));
            continue;
        }
        let (axis, at, [low, high]) = halves(soup, triangles);
        let (below, above) = (nodes.len(), nodes.len() + 1);
        nodes[node] = Node::Plane { axis, at, below, above };
        nodes.extend([Node::Part(0); 2]);
        open.extend([(above, high), (below, low)]);
    }
    (Cut { nodes }, faces)
}

impl Cut {
    /// The triangles of another level, by part.
    pub(super) fn sorted(&self, soup: &Soup, parts: usize) -> Vec<Vec<[u32; 3]>> {
        let mut sorted = vec![Vec::new(); parts];
        for &triangle in &soup.triangles {
            let middle = middle(soup, triangle);
            let mut node = 0;
            let part = loop {
                match self.nodes.get(node) {
                    Some(&Node::Plane { axis, at, below, above }) => {
                        node = if middle[axis] < at { below } else { above };
                    }
                    Some(&Node::Part(part)) => break part,
                    None => break 0,
                }
            };
            if let Some(triangles) = sorted.get_mut(part) {
                triangles.push(triangle);
            }
        }
        sorted
    }
}

type Halves = (usize, f32, [Vec<[u32; 3]>; 2]);

/// Two halves of at least two triangles, by the axis along which they lie widest. Triangles that all have the same
/// middle have no plane between them: then what comes first is below, and so is all of other levels.
fn halves(soup: &Soup, triangles: Vec<[u32; 3]>) -> Halves {
    let middles: Vec<[f32; 3]> = triangles.iter().map(|&t| middle(soup, t)).collect();
    let sides = Aabb::around(middles.iter().copied()).sides();
    let widest = (0..3).max_by(|&a: &usize, &b| sides[a].total_cmp(&sides[b])).unwrap_or_default();
    if sides[widest] > 0.0 {
        let mut along: Vec<f32> = middles.iter().map(|middle| middle[widest]).collect();
        let half = along.len() / 2;
        let (before, &mut median, behind) = along.select_nth_unstable_by(half, f32::total_cmp);
        // Where the median is the least of all, the next one is what parts them.
        let least = before.iter().all(|&other| other >= median);
        let next =
            behind.iter().copied().filter(|&other| other > median).fold(f32::INFINITY, f32::min);
        let at = if least { next } else { median };
        let (low, high) = triangles
            .into_iter()
            .zip(&middles)
            .partition::<Vec<_>, _>(|(_, middle)| middle[widest] < at);
        let bare = |pairs: Vec<([u32; 3], &[f32; 3])>| pairs.into_iter().map(|(t, _)| t).collect();
        return (widest, at, [bare(low), bare(high)]);
    }
    let mut low = triangles;
    let high = low.split_off(low.len() / 2);
    (0, f32::INFINITY, [low, high])
}

/// The middle of a triangle.
fn middle(soup: &Soup, triangle: [u32; 3]) -> [f32; 3] {
    let corners = soup.corners(triangle);
    std::array::from_fn(|axis| corners.iter().map(|corner| corner[axis] / 3.0).sum())
}

#[cfg(test)]
mod tests {
    use super::{VERTICES, cut};
    use crate::read::soup::Soup;

    /// Triangles of their own at these places along x.
    fn row(places: impl Iterator<Item = f32>) -> Soup {
        let mut soup = Soup::default();
        for (at, first) in places.zip((0..).step_by(3)) {
            soup.positions.extend([[at, 0.0, 0.0], [at, 1.0, 0.0], [at, 0.0, 1.0]]);
            soup.triangles.push([first, first + 1, first + 2]);
        }
        soup
    }

    #[test]
    fn a_small_face_stays_as_it_is() {
        let soup = row((0..21_844_u16).map(f32::from));
        assert_eq!(soup.positions.len(), VERTICES - 3);
        let (cut, faces) = cut(&soup);
        assert_eq!((faces.len(), faces[0].positions.len()), (1, VERTICES - 3));
        assert_eq!(cut.sorted(&soup, 1)[0], soup.triangles);
    }

    #[test]
    fn a_large_face_is_cut_and_so_are_its_lower_levels() {
        let soup = row((0..23_334_u16).map(f32::from));
        let (cut, faces) = cut(&soup);
        let counts: Vec<_> = faces.iter().map(|face| face.triangles.len()).collect();
        assert_eq!(counts, [11_667, 11_667]);
        assert!(faces[0].positions.iter().all(|p| p[0] < 11_667.0));
        let low = row([11_666.0, 11_667.0, 5.0].into_iter());
        assert_eq!(cut.sorted(&low, 2).iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn triangles_with_the_same_middle_are_cut_by_their_order() {
        for place in [0.0, 1e30] {
            let (cut, faces) = cut(&row(std::iter::repeat_n(place, 60_000)));
            assert_eq!(faces.iter().map(|face| face.triangles.len()).sum::<usize>(), 60_000);
            assert!(faces.iter().all(|face| face.positions.len() < VERTICES));
            let low = row(std::iter::once(place));
            assert_eq!(cut.sorted(&low, faces.len()).iter().map(Vec::len).sum::<usize>(), 1);
        }
        let mostly = (0..60_000_u16).map(|i| if i == 0 { 7.0 } else { 0.0 });
        let (_, faces) = cut(&row(mostly));
        assert_eq!(faces.iter().map(|face| face.triangles.len()).sum::<usize>(), 60_000);
    }
}
