use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use lodger_core::cost::streaming::{MeshLod, PerLod};
use lodger_quota::{Quota, QuotaExceeded};
use rayon::prelude::*;
use serde_json::Value;

use crate::frame::ObjectFrame;
use crate::lod_selection::DOWNWARD;
use crate::model::{LodMesh, Material, Submesh};
use crate::physics::facets;
use crate::report::camera::{PictureWindow, ReportCamera, pixels_per_tangent};
use crate::report::data::{ObjectData, ReportData};
use crate::report::markup::Image;
use crate::report::raster::{Raster, RasterTriangle};

pub(super) const MAX_DRAWN: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PictureKind {
    Whole,
    Near(usize, usize),
    /// A candidate of an object at the distance from which a level is shown.
    Far(usize, MeshLod, usize),
    Hull(usize),
    Shape(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PictureSizes {
    /// Pixels of the longer side of the picture of all objects.
    pub(super) whole: f64,
    /// Pixels of the longer side of close-ups.
    pub(super) near: f64,
    /// Pixels of a tangent of distant views.
    pub(super) far: f64,
    /// Samples for a pixel in each direction: of close-ups and distant views.
    pub(super) samples: [usize; 2],
}

impl PictureSizes {
    pub(super) fn for_objects(objects: usize) -> Self {
        let near = if objects <= 4 { 400.0 } else { 240.0 };
        Self { whole: 640.0, near, far: pixels_per_tangent(), samples: [3, 4] }
    }
}

pub(super) struct PictureSet(BTreeMap<PictureKind, Image>);

impl PictureSet {
    /// Draws all pictures with rayon's threads; the result does not depend on their number. `drawn`
    /// gets the numbers of pictures drawn and of all pictures.
    pub(super) fn draw(
        data: &ReportData<'_>,
        sizes: PictureSizes,
        quota: &Quota,
        drawn: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, QuotaExceeded> {
        let subjects = subjects(data);
        let (count, all) = (AtomicUsize::new(0), subjects.len());
        let picture = |subject| {
            let image = match subject {
                PictureKind::Whole => whole(data, sizes, quota).map(Some),
                _ => of_part(data, subject, sizes, quota),
            };
            drawn(count.fetch_add(1, Ordering::Relaxed) + 1, all);
            image.map(|image| Some((subject, image?))).transpose()
        };
        subjects.into_par_iter().filter_map(picture).collect::<Result<_, _>>().map(Self)
    }

    /// A picture; `None` if there is nothing to show.
    pub(super) fn get(&self, subject: PictureKind) -> Option<&Image> {
        self.0.get(&subject)
    }
}

fn subjects(data: &ReportData<'_>) -> Vec<PictureKind> {
    let mut subjects = vec![PictureKind::Whole];
    for (index, part) in data.parts.iter().enumerate().take(MAX_DRAWN) {
        let mut near = part.object.selected.to_array().to_vec();
        near.push(0);
        near.sort_unstable();
        near.dedup();
        subjects.extend(near.into_iter().map(|candidate| PictureKind::Near(index, candidate)));
        for lod in DOWNWARD.into_iter().filter(|lod| *lod != MeshLod::High) {
            let pick = part.object.selected.of(lod);
            subjects.push(PictureKind::Far(index, lod, 0));
            subjects.extend((pick != 0).then_some(PictureKind::Far(index, lod, pick)));
        }
        subjects.push(PictureKind::Hull(index));
        let shape = !part.object.physics.parts.is_empty() || part.object.physics.mesh.is_some();
        subjects.extend(shape.then_some(PictureKind::Shape(index)));
    }
    subjects
}

/// The distance of the eye, limited so that the object does not surround it.
fn eye_distance(distance: f64, radius: f64) -> f64 {
    distance.max(radius * 1.5).max(1e-6)
}

/// The ratio of radius and distance of close-ups.
const NEAR: f64 = 0.24;

fn whole(
    data: &ReportData<'_>,
    sizes: PictureSizes,
    quota: &Quota,
) -> Result<Image, QuotaExceeded> {
    let (centre, sides) = data.bounds();
    let radius = sides.iter().map(|side| side * side).sum::<f64>().sqrt() / 2.0;
    let camera = ReportCamera::new(centre, eye_distance(radius / NEAR, radius));
    let levels =
        || data.parts.iter().filter_map(|part| Some((part, part.selected(MeshLod::High)?)));
    let points = levels().flat_map(|(_, high)| high.level.positions());
    let window = PictureWindow::around(&camera, points);
    let mut raster = Raster::new(camera, window, sizes.whole / window.longer(), sizes.samples[0]);
    for (part, high) in levels() {
        let triangles = level_triangles(&high.level, &data.model.materials, part.materials);
        raster.draw(triangles, false, quota)?;
    }
    Ok(raster.image())
}

fn of_part(
    data: &ReportData<'_>,
    subject: PictureKind,
    sizes: PictureSizes,
    quota: &Quota,
) -> Result<Option<Image>, QuotaExceeded> {
    let (PictureKind::Near(index, _)
    | PictureKind::Far(index, ..)
    | PictureKind::Hull(index)
    | PictureKind::Shape(index)) = subject
    else {
        return Ok(None);
    };
    let Some(part) = data.parts.get(index) else { return Ok(None) };
    let mut raster = match subject {
        PictureKind::Far(_, lod, _) => far(part, lod, part.distances(data.packed.rules), sizes),
        _ => near(part, sizes),
    };
    match subject {
        PictureKind::Near(_, candidate) | PictureKind::Far(_, _, candidate) => {
            let Some(candidate) = part.candidates.get(candidate) else { return Ok(None) };
            let triangles =
                level_triangles(&candidate.level, &data.model.materials, part.materials);
            raster.draw(triangles, matches!(subject, PictureKind::Near(..)), quota)?;
            return Ok(Some(raster.image()));
        }
        PictureKind::Hull(_) => {
            let hull = std::slice::from_ref(&part.object.physics.bounding);
            let faces = hull_triangles(hull, &part.object.frame);
            let faces = faces.map(|face| face.in_colour(physics_colour()));
            raster.draw(faces, true, quota)?;
        }
        PictureKind::Shape(_) | PictureKind::Whole => {
            raster.draw(
                hull_triangles(&part.object.physics.parts, &part.object.frame),
                true,
                quota,
            )?;
            if let Some(mesh) = &part.object.physics.mesh {
                raster.draw(colored_triangles(mesh, physics_colour()), true, quota)?;
            }
        }
    }
    over_model(part, data, sizes, &raster, quota).map(Some)
}

fn over_model(
    part: &ObjectData<'_>,
    data: &ReportData<'_>,
    sizes: PictureSizes,
    shape: &Raster,
    quota: &Quota,
) -> Result<Image, QuotaExceeded> {
    let mut model = near(part, sizes);
    if let Some(high) = part.selected(MeshLod::High) {
        let triangles = level_triangles(&high.level, &data.model.materials, part.materials);
        model.draw(triangles, false, quota)?;
    }
    Ok(model.image().faint(150).under(&shape.image().faint(175)))
}

/// An empty close-up of an object.
fn near(part: &ObjectData<'_>, sizes: PictureSizes) -> Raster {
    let radius = part.radius();
    let camera = ReportCamera::new(part.object.frame.centre(), eye_distance(radius / NEAR, radius));
    let shape = part
        .object
        .physics
        .bounding
        .iter()
        .chain(part.object.physics.parts.iter().flatten())
        .copied();
    let window = PictureWindow::around(&camera, shown_points(part).chain(shape));
    Raster::new(camera, window, sizes.near / window.longer(), sizes.samples[0])
}

/// An empty picture of an object at the distance of a level, in the size of a viewer.
fn far(part: &ObjectData<'_>, lod: MeshLod, distances: PerLod<f64>, sizes: PictureSizes) -> Raster {
    let distance = eye_distance(distances.of(lod), part.radius());
    let camera = ReportCamera::new(part.object.frame.centre(), distance);
    let window = PictureWindow::around(&camera, shown_points(part));
    Raster::new(camera, window, sizes.far, sizes.samples[1])
}

fn shown_points<'a>(part: &'a ObjectData<'_>) -> impl Iterator<Item = [f32; 3]> + 'a {
    let chosen = DOWNWARD.into_iter().filter(|lod| part.object.selected.of(*lod) != 0);
    let chosen = chosen.filter_map(|lod| part.selected(lod));
    part.source().into_iter().chain(chosen).flat_map(|candidate| candidate.level.positions())
}

pub(super) fn level_triangles<'a>(
    level: &'a LodMesh,
    materials: &'a [Material],
    face_materials: &'a [usize],
) -> impl Iterator<Item = RasterTriangle> + 'a {
    level.submeshes.iter().enumerate().flat_map(move |(index, face)| {
        let material = face_materials.get(index).and_then(|&index| materials.get(index));
        let (colour, two_sided) = material.map_or((PLAIN, false), material_look);
        face_triangles(face, colour, two_sided)
    })
}

pub(super) fn colored_triangles(
    level: &LodMesh,
    colour: [f32; 3],
) -> impl Iterator<Item = RasterTriangle> {
    level.submeshes.iter().flat_map(move |face| face_triangles(face, colour, true))
}

pub(super) fn hull_triangles<'a>(
    hulls: &'a [Vec<[f32; 3]>],
    frame: &'a ObjectFrame,
) -> impl Iterator<Item = RasterTriangle> + 'a {
    hulls.iter().zip(COLOURS.iter().cycle()).flat_map(|(points, &colour)| {
        facets(points, frame).into_iter().map(move |corners| RasterTriangle {
            corners: corners.map(|index| points[usize::from(index)]),
            normals: [[0.0; 3]; 3],
            colour: linear(colour),
            two_sided: false,
        })
    })
}

const PLAIN: [f32; 3] = [0.8; 3];

/// sRGB colours for colour-blind readers; neighbours also differ in brightness.
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

pub(super) fn physics_colour() -> [f32; 3] {
    linear(COLOURS[4])
}

fn linear(colour: [u8; 3]) -> [f32; 3] {
    colour.map(|part| {
        let part = f32::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { libm::powf((part + 0.055) / 1.055, 2.4) }
    })
}

fn material_look(material: &Material) -> ([f32; 3], bool) {
    let [red, green, blue, _] = material.colour;
    let colour =
        [red, green, blue].map(|part| if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) });
    (colour, material.gltf.get("doubleSided").and_then(Value::as_bool) == Some(true))
}

fn face_triangles(
    face: &Submesh,
    colour: [f32; 3],
    two_sided: bool,
) -> impl Iterator<Item = RasterTriangle> {
    face.triangles.iter().filter_map(move |triangle| {
        let at = triangle.map(usize::from);
        let [a, b, c] = at.map(|index| face.positions.get(index).copied());
        let normals = at.map(|index| face.normals.get(index).copied().unwrap_or_default());
        Some(RasterTriangle { corners: [a?, b?, c?], normals, colour, two_sided })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::Sample;

    #[test]
    fn a_level_has_the_size_at_which_it_takes_over() {
        let sample = Sample::new();
        let data = sample.data();
        let part = &data.parts[0];
        // The ball of 2 m has a radius of √3 m; a sphere of that is 449 pixels high at √3/0.24 m, the ball 1/√3 of it.
        for (lod, pixels) in
            [(MeshLod::Medium, 449.0), (MeshLod::Low, 112.0), (MeshLod::Lowest, 56.0)]
        {
            let raster =
                far(part, lod, part.distances(data.packed.rules), PictureSizes::for_objects(1));
            let ball = pixels / 3.0_f64.sqrt() * (1.0 + 2.0 * 0.04);
            let [width, height] =
                raster.size().map(|pixels| f64::from(u16::try_from(pixels).expect("few")));
            assert!(
                (height - ball).abs() < 4.0 && (width - ball).abs() < 4.0,
                "{lod}: {height} {ball}"
            );
        }
    }

    #[test]
    fn a_candidate_selected_twice_is_drawn_once() {
        let sample = Sample::new();
        let subjects = subjects(&sample.data());
        let near = |part| {
            subjects.iter().filter(move |s| matches!(s, PictureKind::Near(p, _) if *p == part))
        };
        assert_eq!([near(0).count(), near(1).count()], [4, 3]);
        let sources = |lod| PictureKind::Far(1, lod, 0);
        assert!(
            subjects.contains(&sources(MeshLod::Medium))
                && subjects.contains(&sources(MeshLod::Low))
        );
        assert!(!subjects.contains(&PictureKind::Far(1, MeshLod::Medium, 1)));
    }

    #[test]
    fn faces_have_the_colours_of_their_materials() {
        let face = Submesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2], [0, 1, 9]],
            ..Submesh::default()
        };
        let level = LodMesh { submeshes: vec![Submesh::default(), face] };
        let mut red = Material { colour: [2.0, f32::NAN, 0.0, 1.0], ..Material::default() };
        red.gltf.insert("doubleSided".to_owned(), Value::Bool(true));
        let drawn: Vec<_> = level_triangles(&level, &[Material::default(), red], &[0, 1]).collect();
        assert_eq!(drawn.len(), 1, "an index beyond the vertices is no triangle");
        assert_eq!((drawn[0].colour, drawn[0].two_sided), ([1.0, 0.0, 0.0], true));
        let unknown: Vec<_> = level_triangles(&level, &[], &[0, 7]).collect();
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
