//! Models far from the origin: positions are counted from where they are, as floats there would be too coarse.

use super::file::{Drawn, Part};
use super::names::Slot;
use crate::aabb::Aabb;
use crate::read::primitive::far_middle;

/// Counts all positions from one place, which it returns: the middle of all where that is far, or else 0. What hangs on
/// joints stays where they are, and all with it.
pub(super) fn settle(drawn: &mut [Drawn]) -> [f64; 3] {
    let is_rigged = |drawn: &Drawn| drawn.parts.iter().any(|part| !part.soup.influences.is_empty());
    let origin = if drawn.iter().any(is_rigged) { [0.0; 3] } else { far_middle(&extent(drawn)) };
    for drawn in drawn {
        let by: [f64; 3] = std::array::from_fn(|axis| drawn.origin[axis] - origin[axis]);
        drawn.origin = origin;
        for Part { soup, .. } in &mut drawn.parts {
            for position in &mut soup.positions {
                *position = moved(*position, by);
            }
        }
    }
    origin
}

/// The box around what all high levels draw.
fn extent(drawn: &[Drawn]) -> Aabb<f64> {
    let mut extent = Aabb::EMPTY;
    for drawn in drawn.iter().filter(|drawn| drawn.slot == Slot::High) {
        for position in drawn.parts.iter().flat_map(|part| &part.soup.positions) {
            extent.add(std::array::from_fn(|axis| f64::from(position[axis]) + drawn.origin[axis]));
        }
    }
    extent
}

#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn moved(position: [f32; 3], by: [f64; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| (f64::from(position[axis]) + by[axis]) as f32)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is moved is moved exactly")]
mod tests {
    use lodger_mesh_asset::Influences;

    use super::*;
    use crate::read::soup::Soup;

    fn drawn(origin: [f64; 3], positions: Vec<[f32; 3]>) -> Drawn {
        let soup = Soup { positions, ..Soup::default() };
        Drawn {
            name: String::new(),
            mesh: None,
            said: String::new(),
            slot: Slot::High,
            is_by_file: false,
            file: 0,
            origin,
            parts: vec![Part { material: 0, soup }],
            rig: crate::model::Rig::default(),
        }
    }

    #[test]
    fn all_are_counted_from_one_place() {
        let near = vec![[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]];
        let mut two =
            [drawn([1e6, 0.0, 0.0], near.clone()), drawn([1e6 + 3.0, 0.0, 0.0], near.clone())];
        assert_eq!(settle(&mut two), [1e6 + 1.5, 0.0, 0.0]);
        assert_eq!(two[0].parts[0].soup.positions[0], [-2.0, 0.0, 0.0]);
        assert_eq!(two[1].parts[0].soup.positions[1], [2.0, 0.0, 0.0]);
        let mut apart = [drawn([0.0; 3], near.clone()), drawn([100.0, 0.0, 0.0], near.clone())];
        assert_eq!(settle(&mut apart), [0.0; 3]);
        assert_eq!(apart[1].parts[0].soup.positions[1], [100.5, 0.0, 0.0]);
        let mut rigged = [drawn([0.0; 3], near.clone()), drawn([9e3, 0.0, 0.0], near)];
        rigged[0].parts[0].soup.influences = vec![Influences::default(); 2];
        rigged[0].slot = Slot::Low;
        assert_eq!(settle(&mut rigged), [0.0; 3]);
    }
}
