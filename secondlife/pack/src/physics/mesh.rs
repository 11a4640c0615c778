//! Meshes as collision shapes, and the cost of a collision shape for each shape type.

use lodger_core::ValueError;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{
    CollisionBody, ConvexDecomposition, ConvexHull, Motion, PhysicsCost, PhysicsShapes, ShapeType,
    TriangleMesh, triangle_width,
};
use lodger_core::error::{Quantity, ValueProblem};
use lodger_mesh_asset::Faces;

use crate::encode;
use crate::frame::ObjectFrame;
use crate::lod_chain::LodCandidate;
use crate::model::Note;
use crate::model::{LodMesh, ModelObject, Submesh};
use crate::physics::coverage::area;
use crate::physics::{CollisionShape, keep_pareto};

#[derive(Clone, Debug)]
pub(crate) struct MeshOption {
    pub(crate) level: LodMesh,
    pub(crate) cost: f64,
    /// The greatest distance to the source, in metres.
    pub(crate) distance: f64,
    /// The distance times the surface of the source, in cubic metres.
    pub(crate) error: f64,
}

/// The authored physics mesh, or its candidates: the cheapest first, none both more expensive and
/// worse than another.
pub(crate) fn mesh_options(
    object: &ModelObject,
    candidates: &[LodCandidate],
    frame: &ObjectFrame,
) -> Result<Vec<MeshOption>, String> {
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
    keep_pareto(&mut forms, |form: &MeshOption| (form.cost, form.error));
    Ok(forms)
}

/// The option of a mesh; `None` if no triangle has an area once written.
fn form(
    level: &LodMesh,
    (distance, surface): (f64, f64),
    frame: &ObjectFrame,
) -> Result<Option<MeshOption>, String> {
    let scale = frame.scale().map_err(|error| error.to_string())?;
    let level = with_areas(level, frame, scale)?;
    let Some(mesh) = measured(&level, frame, scale)? else { return Ok(None) };
    Ok(Some(MeshOption { cost: mesh.cost(), level, distance, error: distance * surface }))
}

/// The mesh as measured after writing; `None` without triangles.
pub(crate) fn measured(
    level: &LodMesh,
    frame: &ObjectFrame,
    scale: ObjectScale<f64>,
) -> Result<Option<TriangleMesh<f64>>, String> {
    written(level, frame)?.measure(scale).map_err(|problem| problem.to_string())
}

fn written(level: &LodMesh, frame: &ObjectFrame) -> Result<Faces<'static>, String> {
    encode::faces(&encode::without_attributes(level), frame).map_err(|error| error.to_string())
}

fn corners(faces: &Faces<'_>) -> Vec<[[f64; 3]; 3]> {
    faces.triangles().map(|triangle| triangle.map(|corner| corner.map(f64::from))).collect()
}

/// Keeps positions, and triangles with an area and a width once written: one without would cost as
/// much as if all widths were 1 mm.
fn with_areas(
    level: &LodMesh,
    frame: &ObjectFrame,
    scale: ObjectScale<f64>,
) -> Result<LodMesh, String> {
    let level = encode::with_areas(encode::without_attributes(level), frame)
        .map_err(|error| error.to_string())?;
    let mut corners = corners(&written(&level, frame)?).into_iter();
    let mut is_wide = |_: &&[u16; 3]| {
        let width = corners.next().map(|corners| triangle_width(corners, scale));
        matches!(width, Some(Ok(width)) if width > 0.0)
    };
    let faces = level.submeshes.iter().map(|face| Submesh {
        positions: face.positions.clone(),
        triangles: face.triangles.iter().filter(&mut is_wide).copied().collect(),
        ..Submesh::default()
    });
    Ok(LodMesh { submeshes: faces.collect() })
}

/// The distance from the object, as a ratio to its diagonal, from which a mesh is a poor shape.
const FAR: f64 = 1.0 / 16.0;

/// Notes on a mesh that is useless, far from the object, or expensive because of thin triangles.
pub(crate) fn notes(
    object: &ModelObject,
    form: &MeshOption,
    frame: &ObjectFrame,
) -> Result<Vec<Note>, String> {
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

/// A text on triangles of at most half the mean width, as in lint, unless the mesh has the least
/// cost anyway.
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

impl CollisionShape {
    /// The cost with a shape type, at rest and not physical, as lodger prices the written asset.
    ///
    /// # Errors
    ///
    /// A hull without vertices or with more than 256, more than 256 hulls, a mesh that cannot be
    /// measured.
    pub fn cost_as(
        &self,
        shape: ShapeType,
        frame: &ObjectFrame,
    ) -> Result<PhysicsCost<f64>, ValueError> {
        Ok(self.body(frame)?.cost(shape, Motion::AT_REST))
    }

    /// The representations for the physics engine.
    ///
    /// # Errors
    ///
    /// As of [`cost_as`](Self::cost_as).
    pub fn body(&self, frame: &ObjectFrame) -> Result<CollisionBody<f64>, ValueError> {
        let hull = ConvexHull::new(count(&self.bounding))?;
        let decomposition = match &self.parts[..] {
            [] => None,
            parts => Some(ConvexDecomposition::new(parts.iter().map(|part| count(part)))?),
        };
        let mesh = match &self.mesh {
            Some(mesh) if decomposition.is_none() => measured(mesh, frame, frame.scale()?)
                .map_err(|_| ValueError::new(Quantity::Position, ValueProblem::NotFinite))?,
            _ => None,
        };
        Ok(CollisionBody::Mesh(PhysicsShapes { hull, decomposition, mesh, cost_data: None }))
    }
}

/// The number of vertices; saturates.
fn count(hull: &[[f32; 3]]) -> u16 {
    u16::try_from(hull.len()).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use lodger_core::cost::physics::Representation;

    use super::*;
    use crate::lod_chain::LodOrigin;
    use crate::test_meshes::level;

    fn object(positions: &[[f32; 3]], triangles: &[[u16; 3]]) -> ModelObject {
        ModelObject { high: level(positions, triangles), ..ModelObject::default() }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "a unit cube: the price has no rounding")]
    fn triangles_without_an_area_are_left_out() {
        let corners =
            [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [0.0, 1e-6, 0.0]];
        let mut object = object(&corners, &[[0, 1, 2], [0, 1, 1], [0, 1, 4], [0, 3, 1]]);
        object.physics = Some(object.high.clone());
        let frame = ObjectFrame::from_mesh(&object.high);
        let forms = mesh_options(&object, &[], &frame).unwrap();
        assert_eq!(forms[0].level.submeshes[0].triangles, [[0, 1, 2], [0, 3, 1]]);
        assert_eq!(forms[0].cost, 0.5);
        object.physics.as_mut().unwrap().submeshes[0].triangles = vec![[0, 1, 4]];
        assert!(mesh_options(&object, &[], &frame).unwrap().is_empty());
    }

    #[test]
    fn a_triangle_is_no_better_than_a_tetrahedron_because_it_is_less() {
        let corners = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let all = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let object = object(&corners, &all);
        let frame = ObjectFrame::from_mesh(&object.high);
        let candidate = |triangles: &[[u16; 3]], error| LodCandidate {
            level: level(&corners, triangles),
            bytes: 1,
            error,
            origin: LodOrigin::Sloppy,
        };
        let candidates = [candidate(&all, 0.5), candidate(&all[..1], 1.0)];
        let forms = mesh_options(&object, &candidates, &frame).unwrap();
        let best = forms.last().unwrap();
        assert_eq!(best.level.triangle_count(), 4);
        let surface = 6.0 + 2.0 * 3.0_f64.sqrt();
        assert!((best.error - 0.5 * surface).abs() < 1e-6, "{}", best.error);
    }

    #[test]
    fn notes_name_thin_and_useless_meshes() {
        let corners =
            [[0.0; 3], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.4], [1.0, 0.01, 0.0]];
        let object = object(&corners, &[[0, 2, 3], [1, 2, 0], [0, 1, 4]]);
        let frame = ObjectFrame::from_mesh(&object.high);
        let mesh = form(&object.high, (0.4, 1.0), &frame).unwrap().unwrap();
        let notes = notes(&object, &mesh, &frame).unwrap();
        let codes: Vec<_> = notes.iter().map(|note| note.code).collect();
        assert_eq!(codes, ["physics-mesh-useless", "physics-mesh-far", "physics-mesh-thin"]);
        assert!(notes[0].text.contains("0.40 m"), "{}", notes[0]);
        assert!(notes[1].text.contains("0.400 m from it, 14 %"), "{}", notes[1]);
        assert!(notes[2].text.starts_with("1 of its 3 "), "{}", notes[2]);
    }

    fn tetrahedron(side: f32) -> (LodMesh, ObjectFrame) {
        let corners = [[0.0; 3], [side, 0.0, 0.0], [0.0, side, 0.0], [0.0, 0.0, side]];
        let level = level(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
        let frame = ObjectFrame::from_mesh(&level);
        (level, frame)
    }

    #[test]
    fn each_type_has_its_price() {
        let (level, frame) = tetrahedron(1.0);
        let bounding: Vec<_> = level.positions().collect();
        let mut physics =
            CollisionShape { bounding: bounding.clone(), ..CollisionShape::default() };
        let price = |physics: &CollisionShape, shape| {
            let cost = physics.cost_as(shape, &frame).unwrap();
            (cost.representation, cost.cost)
        };
        assert_eq!(price(&physics, ShapeType::ConvexHull), (Representation::Hull, 0.2));
        assert_eq!(price(&physics, ShapeType::Prim), (Representation::Hull, 0.2));
        assert_eq!(price(&physics, ShapeType::None), (Representation::None, 0.0));
        physics.mesh = Some(level);
        assert_eq!(price(&physics, ShapeType::Prim), (Representation::Mesh, 0.5));
        physics.parts = vec![bounding.clone(), bounding];
        assert_eq!(price(&physics, ShapeType::Prim), (Representation::Decomposition, 0.4));
        physics.parts = vec![vec![[0.0; 3]; 257]];
        assert!(physics.cost_as(ShapeType::Prim, &frame).is_err());
    }

    #[test]
    fn a_small_mesh_collides_as_its_hull() {
        let (level, frame) = tetrahedron(0.4);
        let bounding = level.positions().collect();
        let physics = CollisionShape { bounding, mesh: Some(level), ..CollisionShape::default() };
        let cost = physics.cost_as(ShapeType::Prim, &frame).unwrap();
        assert_eq!((cost.representation, cost.cost), (Representation::Hull, 0.2));
    }
}
