//! Objects of at most eight faces, with their levels.

use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::{Influence, Influences};

use super::failure::Failure;
use super::file::{Drawn, Part};
use super::levels::Whole;
use super::rig;
use super::soup::Picker;
use super::split::{Cut, VERTICES, cut};
use crate::model::{Face, Level, Material, Object, Rig};
use crate::read::failure::{FACES, Notes};

/// A face of the high level, and of which material it is.
struct Slot {
    material: usize,
    face: Face,
}

/// How the triangles of a material were cut into faces.
struct Division {
    material: usize,
    cut: Cut,
    parts: usize,
}

/// The objects that one becomes: as many as its faces need.
pub(super) fn objects(
    whole: Whole,
    materials: &[Material],
    notes: &mut Notes,
) -> Result<Vec<Object>, (usize, Failure)> {
    let Whole { high: Drawn { name, parts, mut rig, .. }, given, physics } = whole;
    let is_rigged = parts.iter().any(|part| !part.soup.influences.is_empty());
    let (divisions, slots) = divide(parts);
    let groups = slots.len().div_ceil(FACES);
    tell(&name, &divisions, groups, notes);
    let mut read = |drawn: Drawn| {
        let file = drawn.file;
        let level =
            given_level(drawn, &divisions, is_rigged.then_some(&mut rig), (materials, &name));
        level.map_err(|failure| (file, failure))
    };
    let [lowest, low, medium] = given.map(|drawn| drawn.map(&mut read).transpose());
    let mut levels = [lowest?, low?, medium?];
    let is_given = levels.each_ref().map(Option::is_some);
    let mut physics = physics.and_then(|drawn| shape(drawn, &divisions, groups, (&name, notes)));
    let mut made = Vec::with_capacity(groups);
    let mut slots = slots.into_iter();
    for _ in 0..groups {
        let chosen: Vec<Slot> = slots.by_ref().take(FACES).collect();
        let materials: Vec<usize> = chosen.iter().map(|slot| slot.material).collect();
        // The physics shape of an object that stays whole may have any number of faces.
        let physics = if groups == 1 {
            physics.take().map(|faces| Level { faces })
        } else {
            next(&mut physics, materials.len())
        };
        let [lowest, low, medium] = levels.each_mut().map(|faces| next(faces, materials.len()));
        made.push(Object {
            name: name.clone(),
            high: Level { faces: chosen.into_iter().map(|slot| slot.face).collect() },
            given: Lods { lowest, low, medium, high: None },
            physics,
            rig: is_rigged.then(|| rig.clone()),
            materials,
        });
    }
    let lacks = |object: &Object| {
        let Lods { lowest, low, medium, .. } = &object.given;
        [lowest, low, medium]
            .into_iter()
            .zip(&is_given)
            .any(|(level, given)| *given && level.is_none())
    };
    if made.iter().any(lacks) {
        let text = "a level that it brings shows nothing of one of its objects: there it is made";
        notes.once("level-empty", &name, text);
    }
    Ok(made)
}

/// The next faces of a level, if they show anything.
fn next(faces: &mut Option<Vec<Face>>, count: usize) -> Option<Level> {
    let faces = faces.as_mut()?;
    let level = Level { faces: faces.drain(..count.min(faces.len())).collect() };
    (level.triangle_count() > 0).then_some(level)
}

/// The faces of a high level, materials in their order.
fn divide(parts: Vec<Part>) -> (Vec<Division>, Vec<Slot>) {
    let (mut divisions, mut slots) = (Vec::new(), Vec::new());
    for Part { material, soup } in parts {
        let (cut, faces) = cut(&soup);
        divisions.push(Division { material, cut, parts: faces.len() });
        let faces = faces.into_iter();
        slots.extend(faces.map(|face| Slot { material, face }));
    }
    (divisions, slots)
}

/// Tells that an object was taken apart.
fn tell(name: &str, divisions: &[Division], groups: usize, notes: &mut Notes) {
    let faces: usize = divisions.iter().map(|division| division.parts).sum();
    if faces > divisions.len() {
        let text = format!(
            "a face has fewer than {VERTICES} vertices: instead of {} it has {faces}",
            divisions.len()
        );
        notes.once("vertices-split", name, text);
    }
    if groups > 1 {
        let text = format!(
            "an object has at most {FACES} faces: its {faces} are those of {groups} objects"
        );
        notes.once("materials-split", name, text);
    }
}

/// The faces of a lower level, one for each of the high one; those that it does not have are empty.
fn given_level(
    drawn: Drawn,
    divisions: &[Division],
    rig: Option<&mut Rig>,
    (materials, name): (&[Material], &str),
) -> Result<Vec<Face>, Failure> {
    let said = drawn.said.clone();
    let drawn = match rig {
        Some(rig) => hang(drawn, rig)?,
        None => loose(drawn),
    };
    let is_known =
        |part: &&Part| divisions.iter().any(|division| division.material == part.material);
    if let Some(other) = drawn.parts.iter().find(|part| !is_known(part)) {
        let material = &materials[other.material].name;
        let problem = format!(
            "`{said}` has the material `{material}`, which the high level of `{name}` does not have"
        );
        return Err(Failure::new(problem)
            .with_help("a lower level may lack materials of the high one, but adds none: materials go by their names"));
    }
    let too_many = || {
        Failure::new(format!(
            "a face of `{said}` has {VERTICES} vertices or more, where the high level has fewer"
        ))
    };
    faces(&drawn.parts, divisions).ok_or_else(too_many)
}

/// The triangles of a level as faces of the high one; none if one of them has too many vertices.
fn faces(parts: &[Part], divisions: &[Division]) -> Option<Vec<Face>> {
    let mut faces = Vec::new();
    for Division { material, cut, parts: count } in divisions {
        let Some(Part { soup, .. }) = parts.iter().find(|part| part.material == *material) else {
            faces.extend((0..*count).map(|_| Face::default()));
            continue;
        };
        let mut picker = Picker::new(soup);
        for triangles in cut.sorted(soup, *count) {
            let face = picker.face(&triangles)?;
            if face.positions.len() >= VERTICES {
                return None;
            }
            faces.push(face);
        }
    }
    Some(faces)
}

/// The faces of a physics shape, which has no materials: those of the high level only matter where it was taken apart.
fn shape(
    drawn: Drawn,
    divisions: &[Division],
    groups: usize,
    (name, notes): (&str, &mut Notes),
) -> Option<Vec<Face>> {
    let drawn = loose(drawn);
    if groups == 1 {
        return Some(drawn.parts.iter().flat_map(|part| cut(&part.soup).1).collect());
    }
    let is_known =
        |part: &Part| divisions.iter().any(|division| division.material == part.material);
    let faces = drawn.parts.iter().all(is_known).then(|| faces(&drawn.parts, divisions)).flatten();
    if faces.is_none() {
        let text = "its physics shape cannot be taken apart by materials as it is: it is left out";
        notes.once("physics-dropped", name, text);
    }
    faces
}

/// Hangs a level on the joints of the high one, and on more if it must.
fn hang(mut drawn: Drawn, rig: &mut Rig) -> Result<Drawn, Failure> {
    let in_level = |failure: Failure| failure.within(&format!("`{}`", drawn.said));
    let mut places = Vec::with_capacity(drawn.rig.joints.len());
    for joint in std::mem::take(&mut drawn.rig.joints) {
        let known = rig.joints.iter().position(|other| other.name == joint.name);
        let known = known.and_then(|place| u8::try_from(place).ok());
        places.push(match known {
            Some(place) => place,
            None => rig::push(rig, joint).map_err(in_level)?,
        });
    }
    let moved =
        |one: &Influence| Some(Influence { joint: *places.get(usize::from(one.joint))?, ..*one });
    for Part { soup, .. } in &mut drawn.parts {
        if soup.influences.is_empty() {
            return Err(in_level(
                Failure::new("it has no joints and weights, but the high level hangs on joints")
                    .of_skin(),
            ));
        }
        for influences in &mut soup.influences {
            *influences = Influences::new(influences.as_slice().iter().filter_map(moved));
        }
    }
    Ok(drawn)
}

/// A level that hangs on nothing.
fn loose(mut drawn: Drawn) -> Drawn {
    for Part { soup, .. } in &mut drawn.parts {
        soup.influences = Vec::new();
    }
    drawn
}
