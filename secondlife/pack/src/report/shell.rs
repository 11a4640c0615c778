//! What is drawn: levels in their materials, and hulls in colours that stay apart.

use serde_json::Value;

use super::raster::Triangle;
use crate::frame::Frame;
use crate::model::{Face, Level, Material};
use crate::physics::facets;

/// The triangles of a level, in the base colours of its materials: those of an object by index, or plain.
pub(super) fn of_level<'a>(
    level: &'a Level,
    materials: &'a [Material],
    of_faces: &'a [usize],
) -> impl Iterator<Item = Triangle> + 'a {
    level.faces.iter().enumerate().flat_map(move |(index, face)| {
        let material = of_faces.get(index).and_then(|&index| materials.get(index));
        let (colour, two_sided) = material.map_or((PLAIN, false), look);
        of_face(face, colour, two_sided)
    })
}

/// The triangles of a level in one colour, from both sides.
pub(super) fn in_colour(level: &Level, colour: [f32; 3]) -> impl Iterator<Item = Triangle> {
    level.faces.iter().flat_map(move |face| of_face(face, colour, true))
}

/// The faces of hulls, each hull in the next of the colours.
pub(super) fn of_hulls<'a>(
    hulls: &'a [Vec<[f32; 3]>],
    frame: &'a Frame,
) -> impl Iterator<Item = Triangle> + 'a {
    hulls.iter().zip(COLOURS.iter().cycle()).flat_map(|(points, &colour)| {
        facets(points, frame).into_iter().map(move |corners| Triangle {
            corners: corners.map(|index| points[usize::from(index)]),
            normals: [[0.0; 3]; 3],
            colour: linear(colour),
            two_sided: false,
        })
    })
}

/// The colour of what has none.
const PLAIN: [f32; 3] = [0.8; 3];

/// sRGB, told apart by colour-blind eyes; neighbours differ in brightness, too.
///
/// Source: Okabe and Ito, Color Universal Design, 2008; without black.
const COLOURS: [[u8; 3]; 7] = [
    [0xe6, 0x9f, 0x00],
    [0x00, 0x72, 0xb2],
    [0xf0, 0xe4, 0x42],
    [0x00, 0x9e, 0x73],
    [0x56, 0xb4, 0xe9],
    [0xd5, 0x5e, 0x00],
    [0xcc, 0x79, 0xa7],
];

/// The colour of a physics mesh, and of the bounding hull, linear.
pub(super) fn physics_colour() -> [f32; 3] {
    linear(COLOURS[4])
}

fn linear(colour: [u8; 3]) -> [f32; 3] {
    colour.map(|part| {
        let part = f32::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { libm::powf((part + 0.055) / 1.055, 2.4) }
    })
}

/// The base colour, and whether it is seen from both sides.
fn look(material: &Material) -> ([f32; 3], bool) {
    let [red, green, blue, _] = material.colour;
    let colour =
        [red, green, blue].map(|part| if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) });
    (colour, material.gltf.get("doubleSided").and_then(Value::as_bool) == Some(true))
}

fn of_face(face: &Face, colour: [f32; 3], two_sided: bool) -> impl Iterator<Item = Triangle> {
    face.triangles.iter().filter_map(move |triangle| {
        let at = triangle.map(usize::from);
        let [a, b, c] = at.map(|index| face.positions.get(index).copied());
        let normals = at.map(|index| face.normals.get(index).copied().unwrap_or_default());
        Some(Triangle { corners: [a?, b?, c?], normals, colour, two_sided })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_have_the_colours_of_their_materials() {
        let face = Face {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2], [0, 1, 9]],
            ..Face::default()
        };
        let level = Level { faces: vec![Face::default(), face] };
        let mut red = Material { colour: [2.0, f32::NAN, 0.0, 1.0], ..Material::default() };
        red.gltf.insert("doubleSided".to_owned(), Value::Bool(true));
        let drawn: Vec<_> = of_level(&level, &[Material::default(), red], &[0, 1]).collect();
        assert_eq!(drawn.len(), 1, "an index beyond the vertices is no triangle");
        assert_eq!((drawn[0].colour, drawn[0].two_sided), ([1.0, 0.0, 0.0], true));
        let unknown: Vec<_> = of_level(&level, &[], &[0, 7]).collect();
        assert_eq!((unknown[0].colour, unknown[0].two_sided), (PLAIN, false));
    }

    #[test]
    fn neighbours_among_hulls_differ_in_brightness() {
        let brightness = |[red, green, blue]: [f32; 3]| 0.21 * red + 0.72 * green + 0.07 * blue;
        for (index, &colour) in COLOURS.iter().enumerate() {
            let next = COLOURS[(index + 1) % COLOURS.len()];
            let (one, other) = (brightness(linear(colour)), brightness(linear(next)));
            assert!((one / other).ln().abs() > 0.2, "{colour:?} {next:?}: {one} {other}");
        }
    }
}
