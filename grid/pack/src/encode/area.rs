//! What is left of a level once its coordinates have 16 bits.

use lodger_mesh_asset::{Domain, Error, Geometry, Quantized};

use super::level::in_unit_space;
use crate::frame::Frame;
use crate::model::{Face, Level};

/// The level without triangles that have no area once it is written, by the integers of the file, and without the
/// vertices that only such triangles have. Nobody sees them, but they are downloaded and drawn.
///
/// One triangle always stays, whatever it is. A level that loses nothing stays as it is, unused vertices included.
///
/// # Errors
/// [`Problem`](lodger_mesh_asset::Problem): a position that is not finite, a triangle without a vertex.
pub(crate) fn with_areas(mut level: Level, frame: &Frame) -> Result<Level, Error> {
    loop {
        let kept = visible(&level, frame)?;
        let count: usize = kept.iter().map(Vec::len).sum();
        if count == level.triangle_count() {
            return Ok(level);
        }
        if count == 0 {
            return Ok(first_alone(level));
        }
        // Without its outermost vertices a level has a smaller domain, and other steps in it.
        let faces = level.faces.iter().zip(kept);
        level = Level { faces: faces.map(|(face, kept)| used(face, &kept)).collect() };
    }
}

/// Whether any triangle of a level has an area once it is written.
///
/// # Errors
/// Those of [`with_areas`].
pub(crate) fn has_area(level: &Level, frame: &Frame) -> Result<bool, Error> {
    Ok(visible(level, frame)?.iter().any(|triangles| !triangles.is_empty()))
}

/// The triangles of each face that have an area.
fn visible(level: &Level, frame: &Frame) -> Result<Vec<Vec<[u16; 3]>>, Error> {
    let points: Vec<Vec<_>> = level.faces.iter().map(|face| in_unit_space(face, frame)).collect();
    let domain = Domain::of(&points.concat())?;
    let faces = level.faces.iter().zip(points).map(|(face, points)| {
        let geometry = Geometry::new(Quantized::truncated(&points, domain), &face.triangles)?;
        let is_visible = |triangle: &&[u16; 3]| !geometry.is_degenerate(**triangle);
        Ok(face.triangles.iter().filter(is_visible).copied().collect())
    });
    faces.collect()
}

/// Some triangles of a face, with the vertices that they use.
fn used(face: &Face, triangles: &[[u16; 3]]) -> Face {
    let mut is_used = vec![false; face.positions.len()];
    for &index in triangles.as_flattened() {
        is_used[usize::from(index)] = true;
    }
    let mut places = vec![0; is_used.len()];
    let mut kept = Vec::new();
    for (vertex, place) in places.iter_mut().enumerate().filter(|(vertex, _)| is_used[*vertex]) {
        *place = u16::try_from(kept.len()).unwrap_or(u16::MAX);
        kept.push(vertex);
    }
    let place = |index: u16| places[usize::from(index)];
    face.part(&kept, triangles.iter().map(|triangle| triangle.map(place)).collect())
}

/// The first triangle of a level, with all vertices of its face.
fn first_alone(mut level: Level) -> Level {
    let mut is_first = true;
    for face in &mut level.faces {
        if is_first && !face.triangles.is_empty() {
            face.triangles.truncate(1);
            is_first = false;
        } else {
            *face = Face::default();
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    type Drawn<'a> = (&'a [[f32; 3]], &'a [[u16; 3]]);

    fn level(faces: &[Drawn<'_>]) -> Level {
        let face = |&(positions, triangles): &(&[[f32; 3]], &[[u16; 3]])| Face {
            positions: positions.to_vec(),
            tex_coords: positions.iter().map(|[x, y, _]| [*x, *y]).collect(),
            triangles: triangles.to_vec(),
            ..Face::default()
        };
        Level { faces: faces.iter().map(face).collect() }
    }

    fn left(level: &Level) -> Level {
        with_areas(level.clone(), &Frame::of(level)).unwrap()
    }

    /// A square of 2 m, and a vertex that is less than a step from its first.
    const SQUARE: [[f32; 3]; 5] =
        [[0.0; 3], [1e-5, 1e-5, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];

    #[test]
    fn what_is_smaller_than_a_step_is_left_out() {
        let whole = level(&[(&SQUARE, &[[0, 2, 3], [0, 1, 2], [0, 3, 4], [2, 2, 3]])]);
        let left = left(&whole);
        let face = &left.faces[0];
        assert_eq!(face.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(face.positions, [SQUARE[0], SQUARE[2], SQUARE[3], SQUARE[4]]);
        assert_eq!(face.tex_coords.len(), 4);
        assert!(left.corners().eq([[0, 2, 3], [0, 3, 4]].map(|one| one.map(|i: usize| SQUARE[i]))));
    }

    #[test]
    fn what_loses_nothing_stays_and_a_face_may_lose_all() {
        let square: &[_] = &[[0, 2, 3], [0, 3, 4]];
        let whole = level(&[(&SQUARE, square)]);
        assert_eq!(left(&whole), whole, "with its unused vertex");
        let left = left(&level(&[(&SQUARE, &[[0, 1, 4], [0, 1, 2]]), (&SQUARE, square)]));
        assert_eq!((left.faces.len(), &left.faces[0]), (2, &Face::default()));
        assert_eq!(left.faces[1].triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn one_triangle_stays() {
        let line = [[0.0; 3], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]];
        let left =
            left(&level(&[(&[], &[]), (&line, &[[0, 1, 2], [2, 1, 0]]), (&line, &[[0, 1, 2]])]));
        let triangles = left.faces.iter().map(|face| face.triangles.len());
        assert!(triangles.eq([0, 1, 0]));
        assert!(!has_area(&left, &Frame::of(&left)).unwrap());
    }

    #[test]
    fn what_is_no_level_is_an_error() {
        let frame = Frame::of(&level(&[(&SQUARE, &[])]));
        assert!(with_areas(level(&[(&SQUARE, &[[0, 1, 5]])]), &frame).is_err());
        let broken = level(&[(&[[f32::NAN; 3]], &[[0, 0, 0]])]);
        assert!(with_areas(broken, &frame).is_err());
    }
}
