//! Triangles to collide with.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{TriangleMesh, triangle_width};
use lodger_mesh_asset::Faces;

use crate::chain::Candidate;
use crate::encode;
use crate::frame::Frame;
use crate::model::{Face, Level, Object};
use crate::note::Note;

use super::solid::area;

/// A level as a physics mesh.
#[derive(Clone, Debug)]
pub(super) struct MeshForm {
    pub(super) level: Level,
    /// What it costs where it counts.
    pub(super) cost: f64,
    /// The greatest distance to the source, in metres.
    pub(super) distance: f64,
    /// That times the surface of the source, in cubic metres.
    pub(super) error: f64,
}

/// What the model brings as physics mesh, or else its simpler forms: the cheapest first, none of them dearer and
/// worse than another.
pub(super) fn mesh_forms(
    object: &Object,
    candidates: &[Candidate],
    frame: &Frame,
) -> Result<Vec<MeshForm>, String> {
    // That of a form would be next to nothing where it is next to nothing itself.
    let surface = area(&object.high);
    let mut forms = Vec::new();
    match &object.physics {
        Some(level) => forms.extend(form(level, (0.0, surface), frame)?),
        None => {
            for candidate in candidates {
                forms.extend(form(&candidate.level, (candidate.error, surface), frame)?);
            }
        }
    }
    forms.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.error.total_cmp(&b.error)));
    let mut best = f64::INFINITY;
    forms.retain(|form| {
        let better = form.error < best;
        best = best.min(form.error);
        better
    });
    Ok(forms)
}

/// `None` if no triangle has an area once it is written.
fn form(
    level: &Level,
    (distance, surface): (f64, f64),
    frame: &Frame,
) -> Result<Option<MeshForm>, String> {
    let scale = frame.scale().map_err(|error| error.to_string())?;
    let level = with_areas(level, frame, scale)?;
    let Some(mesh) = measured(&level, frame, scale)? else { return Ok(None) };
    Ok(Some(MeshForm { cost: mesh.cost(), level, distance, error: distance * surface }))
}

/// The mesh as it is priced: as it is read after it was written; `None` if it has no triangles.
pub(super) fn measured(
    level: &Level,
    frame: &Frame,
    scale: ObjectScale<f64>,
) -> Result<Option<TriangleMesh<f64>>, String> {
    written(level, frame)?.measure(scale).map_err(|problem| problem.to_string())
}

/// What is written of a level as a physics mesh.
fn written(level: &Level, frame: &Frame) -> Result<Faces<'static>, String> {
    encode::faces(&encode::bare(level), frame).map_err(|error| error.to_string())
}

/// The corners of all triangles in unit space, as they are read after they were written.
fn corners(faces: &Faces<'_>) -> Vec<[[f64; 3]; 3]> {
    faces.triangles().map(|triangle| triangle.map(|corner| corner.map(f64::from))).collect()
}

/// Only positions, and only triangles that have an area and a width after they were written: a single one without
/// would cost as much as the widths of all others were 1 mm.
fn with_areas(level: &Level, frame: &Frame, scale: ObjectScale<f64>) -> Result<Level, String> {
    let level =
        encode::with_areas(encode::bare(level), frame).map_err(|error| error.to_string())?;
    let mut corners = corners(&written(&level, frame)?).into_iter();
    let mut is_wide = |_: &&[u16; 3]| {
        let width = corners.next().map(|corners| triangle_width(corners, scale));
        matches!(width, Some(Ok(width)) if width > 0.0)
    };
    let faces = level.faces.iter().map(|face| Face {
        positions: face.positions.clone(),
        triangles: face.triangles.iter().filter(&mut is_wide).copied().collect(),
        ..Face::default()
    });
    Ok(Level { faces: faces.collect() })
}

/// So far from the object, in parts of the diagonal of its box, a physics mesh hardly is its shape.
const FAR: f64 = 1.0 / 16.0;

/// What to know of a physics mesh: triangles so thin that they make it dear, where nothing collides with it, and where it
/// is far from the object.
pub(super) fn notes(object: &Object, form: &MeshForm, frame: &Frame) -> Result<Vec<Note>, String> {
    let scale = frame.scale().map_err(|error| error.to_string())?;
    let note = |code, text| Note { code, about: object.name.clone(), text };
    let mut notes = Vec::new();
    let shortest = scale.shortest();
    if shortest < lodger_core::cost::physics::SMALLEST_MESH_SIDE {
        let text = format!(
            "with a side of {shortest:.2} m, below 0.5 m, nothing collides with its physics mesh, but with its hull"
        );
        notes.push(note("physics-mesh-useless", text));
    }
    let diagonal = frame.sides().iter().map(|side| side * side).sum::<f64>().sqrt();
    if form.distance > FAR * diagonal {
        let text = format!(
            "its physics mesh is up to {:.3} m from it, {:.0} % of its diagonal: a better one costs more than physics may",
            form.distance,
            100.0 * form.distance / diagonal
        );
        notes.push(note("physics-mesh-far", text));
    }
    let faces = written(&form.level, frame)?;
    let mesh = faces.measure(scale).map_err(|problem| problem.to_string())?;
    let Some(mesh) = mesh else { return Ok(notes) };
    if let Some(text) = thin(&corners(&faces), scale, &mesh) {
        notes.push(note("physics-mesh-thin", text));
    }
    Ok(notes)
}

/// Names triangles of half the mean width and less, unless all together cost no more than the least that a mesh costs:
/// those that lint finds.
fn thin(
    triangles: &[[[f64; 3]; 3]],
    scale: ObjectScale<f64>,
    mesh: &TriangleMesh<f64>,
) -> Option<String> {
    const THIN: f64 = 0.5;
    let width = |&triangle: &[[f64; 3]; 3]| triangle_width(triangle, scale).unwrap_or(f64::MAX);
    let is_thin = |triangle: &&[[f64; 3]; 3]| width(triangle) <= THIN * mesh.mean_width();
    let thin: Vec<_> = triangles.iter().filter(is_thin).copied().collect();
    let cost = TriangleMesh::measure(thin.iter().copied(), scale).ok()??.cost_without_limits();
    let thinnest = thin.iter().map(width).fold(f64::INFINITY, f64::min);
    let is_least = mesh.cost_without_limits() < mesh.cost();
    (!thin.is_empty() && !is_least).then(|| {
        format!(
            "{} of its {} physics triangles are thin, down to {thinnest:.4} m, and cost {cost:.2} of {:.2}",
            thin.len(),
            mesh.triangles(),
            mesh.cost()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Origin;

    fn object(positions: Vec<[f32; 3]>, triangles: Vec<[u16; 3]>) -> Object {
        let face = Face { positions, triangles, ..Face::default() };
        Object { high: Level { faces: vec![face] }, ..Object::default() }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "a unit cube: the price has no rounding")]
    fn triangles_without_an_area_are_left_out() {
        let corners =
            vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [0.0, 1e-6, 0.0]];
        let mut object = object(corners, vec![[0, 1, 2], [0, 1, 1], [0, 1, 4], [0, 3, 1]]);
        object.physics = Some(object.high.clone());
        let frame = Frame::of(&object.high);
        let forms = mesh_forms(&object, &[], &frame).unwrap();
        assert_eq!(forms[0].level.faces[0].triangles, [[0, 1, 2], [0, 3, 1]]);
        assert_eq!(forms[0].cost, 0.5);
        object.physics.as_mut().unwrap().faces[0].triangles = vec![[0, 1, 4]];
        assert!(mesh_forms(&object, &[], &frame).unwrap().is_empty());
    }

    #[test]
    fn a_triangle_is_no_better_than_a_tetrahedron_because_it_is_less() {
        let corners = vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let all = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let object = object(corners.clone(), all.clone());
        let frame = Frame::of(&object.high);
        let candidate = |triangles: &[[u16; 3]], error| Candidate {
            level: self::object(corners.clone(), triangles.to_vec()).high,
            bytes: 1,
            error,
            origin: Origin::Sloppy,
        };
        let candidates = [candidate(&all, 0.5), candidate(&all[..1], 1.0)];
        let forms = mesh_forms(&object, &candidates, &frame).unwrap();
        let best = forms.last().unwrap();
        assert_eq!(best.level.triangle_count(), 4);
        let surface = 6.0 + 2.0 * 3.0_f64.sqrt();
        assert!((best.error - 0.5 * surface).abs() < 1e-6, "{}", best.error);
    }

    #[test]
    fn thin_and_useless_ones_are_told() {
        let corners =
            vec![[0.0; 3], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.4], [1.0, 0.01, 0.0]];
        let object = object(corners, vec![[0, 2, 3], [1, 2, 0], [0, 1, 4]]);
        let frame = Frame::of(&object.high);
        let mesh = form(&object.high, (0.4, 1.0), &frame).unwrap().unwrap();
        let notes = notes(&object, &mesh, &frame).unwrap();
        let codes: Vec<_> = notes.iter().map(|note| note.code).collect();
        assert_eq!(codes, ["physics-mesh-useless", "physics-mesh-far", "physics-mesh-thin"]);
        assert!(notes[0].text.contains("0.40 m"), "{}", notes[0]);
        assert!(notes[1].text.contains("0.400 m from it, 14 %"), "{}", notes[1]);
        assert!(notes[2].text.starts_with("1 of its 3 "), "{}", notes[2]);
    }
}
