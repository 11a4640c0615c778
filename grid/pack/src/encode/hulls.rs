//! The hulls of a physics shape as a block, and as the points that are in it.

use lodger_mesh_asset::{Convex, Error, Problem};

use crate::frame::Frame;

/// The most vertices of a hull.
const MOST_VERTICES: usize = 256;

type Hull = Vec<[f32; 3]>;

/// The hull around everything and those of a decomposition, in metres, as a block: one domain for all of them, truncated.
///
/// # Errors
/// [`Problem::Count`] for a hull of no vertex or of more than 256, [`Problem::NotFinite`].
pub(super) fn convex(
    bounding: &[[f32; 3]],
    parts: &[Hull],
    frame: &Frame,
) -> Result<Convex<'static>, Error> {
    if bounding.is_empty() || bounding.len() > MOST_VERTICES {
        let found = bounding.len();
        return Err(
            Problem::Count { field: "BoundingVerts", found, expected: MOST_VERTICES }.into()
        );
    }
    let in_unit_space =
        |hull: &[[f32; 3]]| -> Hull { hull.iter().map(|&point| frame.to_unit(point)).collect() };
    let parts: Vec<_> = parts.iter().map(|part| in_unit_space(part)).collect();
    Ok(Convex::truncated(&in_unit_space(bounding), &parts)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Face, Level};

    const CORNERS: [[f32; 3]; 5] =
        [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 9.0], [1.234, 0.567, 2.891]];

    fn frame() -> Frame {
        Frame::of(&Level { faces: vec![Face { positions: CORNERS.to_vec(), ..Face::default() }] })
    }

    #[test]
    fn quantised_points_are_less_than_a_quantum_below() {
        let parts = [CORNERS.to_vec(), CORNERS[..4].to_vec()];
        let convex = convex(&CORNERS, &parts, &frame()).unwrap();
        assert_eq!(convex.hull_sizes().collect::<Vec<_>>(), [5, 4]);
        let bounding = convex.bounding().unwrap();
        assert_eq!(bounding.len(), 5);
        let written = bounding.iter().chain(convex.hulls().flatten());
        for (again, corner) in written.zip(CORNERS.iter().cycle()) {
            let again = frame().to_metres(again);
            for (axis, side) in frame().sides().into_iter().enumerate() {
                let below = f64::from(corner[axis]) - f64::from(again[axis]);
                assert!((-1e-6..side / 65_535.0 + 1e-6).contains(&below), "{again:?} {corner:?}");
            }
        }
        let inner = frame().to_metres(bounding.get(4).unwrap());
        assert_ne!(inner.map(f32::to_bits), CORNERS[4].map(f32::to_bits), "quantised");
    }

    #[test]
    fn hulls_of_no_or_too_many_vertices_are_refused() {
        let many = vec![[1.0; 3]; 257];
        assert!(convex(&[], &[], &frame()).is_err());
        assert!(convex(&many, &[], &frame()).is_err());
        assert!(convex(&CORNERS, std::slice::from_ref(&many), &frame()).is_err());
        assert!(convex(&many[..256], &[many[..256].to_vec()], &frame()).is_ok());
    }
}
