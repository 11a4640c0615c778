//! The pictures of a page.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_quota::{Quota, QuotaExceeded};
use rayon::prelude::*;

use super::camera::{Camera, Window, pixels_per_tangent};
use super::image::Image;
use super::raster::Raster;
use super::sheet::{HIGHEST_FIRST, Part, Sheet};
use super::shell;

/// More objects than that are listed, not drawn.
pub(super) const MOST_DRAWN: usize = 20;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// All objects at their high level.
    Whole,
    /// A candidate of an object from near by, with its edges.
    Near(usize, usize),
    /// A candidate of an object from where a level takes over.
    Far(usize, MeshLod, usize),
    /// The bounding hull of an object.
    Hull(usize),
    /// The hulls of its decomposition, or its physics mesh.
    Shape(usize),
}

/// How large pictures are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Pixels of the longer side of the picture of everything.
    pub(super) whole: f64,
    /// Pixels of the longer side of pictures from near by.
    pub(super) near: f64,
    /// Pixels of a tangent where levels take over.
    pub(super) far: f64,
    /// Samples for a pixel in each direction: from near by, and from far away.
    pub(super) samples: [usize; 2],
}

impl Sizes {
    /// For so many objects that the page stays small.
    pub(super) fn of(objects: usize) -> Self {
        let near = if objects <= 4 { 400.0 } else { 240.0 };
        Self { whole: 640.0, near, far: pixels_per_tangent(), samples: [3, 4] }
    }
}

/// All pictures of a page.
pub(super) struct Pictures(BTreeMap<Subject, Image>);

impl Pictures {
    /// Draws them, rayon's threads sharing the work; which of them does what plays no part in the result. `drawn` is
    /// told how many are drawn, of how many.
    pub(super) fn draw(
        sheet: &Sheet<'_>,
        sizes: Sizes,
        quota: &Quota,
        drawn: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, QuotaExceeded> {
        let subjects = subjects(sheet);
        let (count, all) = (AtomicUsize::new(0), subjects.len());
        let picture = |subject| {
            let image = match subject {
                Subject::Whole => whole(sheet, sizes, quota).map(Some),
                _ => of_part(sheet, subject, sizes, quota),
            };
            drawn(count.fetch_add(1, Ordering::Relaxed) + 1, all);
            image.map(|image| Some((subject, image?))).transpose()
        };
        subjects.into_par_iter().filter_map(picture).collect::<Result<_, _>>().map(Self)
    }

    /// A picture; nothing if there is nothing to be drawn.
    pub(super) fn get(&self, subject: Subject) -> Option<&Image> {
        self.0.get(&subject)
    }
}

/// What is drawn, each once.
fn subjects(sheet: &Sheet<'_>) -> Vec<Subject> {
    let mut subjects = vec![Subject::Whole];
    for (index, part) in sheet.parts.iter().enumerate().take(MOST_DRAWN) {
        let mut near = part.picks.to_array().to_vec();
        near.push(0);
        near.sort_unstable();
        near.dedup();
        subjects.extend(near.into_iter().map(|candidate| Subject::Near(index, candidate)));
        for lod in HIGHEST_FIRST.into_iter().filter(|lod| *lod != MeshLod::High) {
            let pick = part.picks.of(lod);
            subjects.push(Subject::Far(index, lod, 0));
            subjects.extend((pick != 0).then_some(Subject::Far(index, lod, pick)));
        }
        subjects.push(Subject::Hull(index));
        let shape = !part.physics.parts.is_empty() || part.physics.mesh.is_some();
        subjects.extend(shape.then_some(Subject::Shape(index)));
    }
    subjects
}

/// From how far away an object is seen, whatever the rules say: nearer, it would be around the eye.
fn eye_distance(distance: f64, radius: f64) -> f64 {
    distance.max(radius * 1.5).max(1e-6)
}

/// The radius over the distance of pictures from near by.
const NEAR: f64 = 0.24;

fn whole(sheet: &Sheet<'_>, sizes: Sizes, quota: &Quota) -> Result<Image, QuotaExceeded> {
    let (centre, sides) = sheet.whole();
    let radius = sides.iter().map(|side| side * side).sum::<f64>().sqrt() / 2.0;
    let camera = Camera::new(centre, eye_distance(radius / NEAR, radius));
    let levels = || sheet.parts.iter().filter_map(|part| Some((part, part.chosen(MeshLod::High)?)));
    let points = levels().flat_map(|(_, high)| high.level.positions());
    let window = Window::around(&camera, points);
    let mut raster = Raster::new(camera, window, sizes.whole / window.longer(), sizes.samples[0]);
    for (part, high) in levels() {
        let triangles = shell::of_level(&high.level, sheet.materials, part.materials);
        raster.draw(triangles, false, quota)?;
    }
    Ok(raster.image())
}

fn of_part(
    sheet: &Sheet<'_>,
    subject: Subject,
    sizes: Sizes,
    quota: &Quota,
) -> Result<Option<Image>, QuotaExceeded> {
    let (Subject::Near(index, _)
    | Subject::Far(index, ..)
    | Subject::Hull(index)
    | Subject::Shape(index)) = subject
    else {
        return Ok(None);
    };
    let Some(part) = sheet.parts.get(index) else { return Ok(None) };
    let mut raster = match subject {
        Subject::Far(_, lod, _) => far(part, lod, part.distances(sheet.rules), sizes),
        _ => near(part, sizes),
    };
    match subject {
        Subject::Near(_, candidate) | Subject::Far(_, _, candidate) => {
            let Some(candidate) = part.candidates.get(candidate) else { return Ok(None) };
            let triangles = shell::of_level(&candidate.level, sheet.materials, part.materials);
            raster.draw(triangles, matches!(subject, Subject::Near(..)), quota)?;
            return Ok(Some(raster.image()));
        }
        Subject::Hull(_) => {
            let hull = std::slice::from_ref(&part.physics.bounding);
            let faces = shell::of_hulls(hull, &part.frame);
            let faces = faces.map(|face| face.in_colour(shell::physics_colour()));
            raster.draw(faces, true, quota)?;
        }
        Subject::Shape(_) | Subject::Whole => {
            raster.draw(shell::of_hulls(&part.physics.parts, &part.frame), true, quota)?;
            if let Some(mesh) = &part.physics.mesh {
                raster.draw(shell::in_colour(mesh, shell::physics_colour()), true, quota)?;
            }
        }
    }
    over_model(part, sheet, sizes, &raster, quota).map(Some)
}

/// A faint picture of the model with a shape over it.
fn over_model(
    part: &Part<'_>,
    sheet: &Sheet<'_>,
    sizes: Sizes,
    shape: &Raster,
    quota: &Quota,
) -> Result<Image, QuotaExceeded> {
    let mut model = near(part, sizes);
    if let Some(high) = part.chosen(MeshLod::High) {
        let triangles = shell::of_level(&high.level, sheet.materials, part.materials);
        model.draw(triangles, false, quota)?;
    }
    Ok(model.image().faint(150).under(&shape.image().faint(175)))
}

/// An empty picture of an object from near by.
fn near(part: &Part<'_>, sizes: Sizes) -> Raster {
    let radius = part.radius();
    let camera = Camera::new(part.frame.centre(), eye_distance(radius / NEAR, radius));
    let shape = part.physics.bounding.iter().chain(part.physics.parts.iter().flatten()).copied();
    let window = Window::around(&camera, shown(part).chain(shape));
    Raster::new(camera, window, sizes.near / window.longer(), sizes.samples[0])
}

/// An empty picture of an object from where a level takes over, at the size at which a viewer shows it.
fn far(part: &Part<'_>, lod: MeshLod, distances: Lods<f64>, sizes: Sizes) -> Raster {
    let distance = eye_distance(distances.of(lod), part.radius());
    let camera = Camera::new(part.frame.centre(), distance);
    let window = Window::around(&camera, shown(part));
    Raster::new(camera, window, sizes.far, sizes.samples[1])
}

/// The points of the source and of all that was chosen.
fn shown<'a>(part: &'a Part<'_>) -> impl Iterator<Item = [f32; 3]> + 'a {
    let chosen = HIGHEST_FIRST.into_iter().filter(|lod| part.picks.of(*lod) != 0);
    let chosen = chosen.filter_map(|lod| part.chosen(lod));
    part.source().into_iter().chain(chosen).flat_map(|candidate| candidate.level.positions())
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn a_level_has_the_size_at_which_it_takes_over() {
        let sample = Sample::new();
        let sheet = sample.sheet();
        let part = &sheet.parts[0];
        // The ball of 2 m has a radius of √3 m; a sphere of that is 449 pixels high at √3/0.24 m, the ball 1/√3 of it.
        for (lod, pixels) in
            [(MeshLod::Medium, 449.0), (MeshLod::Low, 112.0), (MeshLod::Lowest, 56.0)]
        {
            let raster = far(part, lod, part.distances(sheet.rules), Sizes::of(1));
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
    fn what_was_chosen_twice_is_drawn_once() {
        let sample = Sample::new();
        let subjects = subjects(&sample.sheet());
        let near =
            |part| subjects.iter().filter(move |s| matches!(s, Subject::Near(p, _) if *p == part));
        assert_eq!([near(0).count(), near(1).count()], [4, 3]);
        let sources = |lod| Subject::Far(1, lod, 0);
        assert!(
            subjects.contains(&sources(MeshLod::Medium))
                && subjects.contains(&sources(MeshLod::Low))
        );
        assert!(!subjects.contains(&Subject::Far(1, MeshLod::Medium, 1)));
    }
}
