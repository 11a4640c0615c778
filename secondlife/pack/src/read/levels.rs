use lodger_core::cost::streaming::MeshLod;

use super::file::{HIGH, PlacedMesh};
use crate::packing::ObjectFile;
use crate::read::Notes;
use crate::read::ReadFailure;

#[derive(Debug)]
pub(super) struct ObjectLevels {
    pub(super) high: PlacedMesh,
    /// The meshes of [`LOWER`].
    pub(super) lower: [Option<PlacedMesh>; 4],
}

/// The levels below the high one, and the physics shape.
const LOWER: [ObjectFile; 4] = [
    ObjectFile::Level(MeshLod::Lowest),
    ObjectFile::Level(MeshLod::Low),
    ObjectFile::Level(MeshLod::Medium),
    ObjectFile::Physics,
];

/// The place of a slot in [`LOWER`].
fn place(slot: ObjectFile) -> usize {
    LOWER.iter().position(|&lower| lower == slot).unwrap_or_default()
}

fn label(slot: ObjectFile) -> String {
    match slot {
        ObjectFile::Level(lod) => format!("the {lod} level"),
        ObjectFile::Physics | ObjectFile::Asset => "the physics shape".to_owned(),
    }
}

const MAX_NAMES: usize = 8;

/// Finds the object of each level by name, or by order if a file has a level of every object.
///
/// # Errors
///
/// The failure, with the index of its file.
pub(super) fn match_up(
    drawn: Vec<PlacedMesh>,
    notes: &mut Notes,
) -> Result<Vec<ObjectLevels>, (usize, ReadFailure)> {
    let (highs, levels): (Vec<_>, Vec<_>) = drawn.into_iter().partition(|drawn| drawn.slot == HIGH);
    let object = |high| ObjectLevels { high, lower: [const { None }; 4] };
    let mut objects: Vec<ObjectLevels> = highs.into_iter().map(object).collect();
    let mut left = Vec::new();
    for level in levels {
        match by_name(&objects, &level) {
            Some(at) => {
                let place = place(level.slot);
                objects[at].lower[place] = Some(level);
            }
            None => left.push(level),
        }
    }
    for slot in LOWER {
        let (these, others) = left.into_iter().partition(|level| level.slot == slot);
        left = others;
        by_order(&mut objects, these, slot, notes)?;
    }
    Ok(objects)
}

fn by_name(objects: &[ObjectLevels], level: &PlacedMesh) -> Option<usize> {
    let free = |object: &&ObjectLevels| object.lower[place(level.slot)].is_none();
    let of_node = |object: &ObjectLevels| object.high.name == level.name;
    let of_mesh = |object: &ObjectLevels| {
        let meshes = [object.high.mesh.as_deref(), Some(&*object.high.name)];
        let names = [Some(&*level.name), level.mesh.as_deref()];
        meshes.into_iter().flatten().any(|mesh| names.contains(&Some(mesh)))
    };
    let find = |is: &dyn Fn(&ObjectLevels) -> bool| {
        objects.iter().position(|object| free(&object) && is(object))
    };
    find(&of_node).or_else(|| find(&of_mesh))
}

/// Assigns levels without matching names to the objects that lack them, if the numbers are equal.
fn by_order(
    objects: &mut [ObjectLevels],
    levels: Vec<PlacedMesh>,
    slot: ObjectFile,
    notes: &mut Notes,
) -> Result<(), (usize, ReadFailure)> {
    let Some(first) = levels.first() else { return Ok(()) };
    let is_plain = objects.len() == 1 || levels.iter().all(|level| level.is_by_file);
    let place = place(slot);
    let lacking = objects.iter().filter(|object| object.lower[place].is_none()).count();
    if !is_plain || lacking != levels.len() {
        return Err((first.file, unassigned(objects, first)));
    }
    let lacking = objects.iter_mut().filter(|object| object.lower[place].is_none());
    for (object, level) in lacking.zip(levels) {
        let text = format!("it is taken for {} of {}, by its place", label(slot), object.high.name);
        notes.once("level-by-order", &level.said, text);
        object.lower[place] = Some(level);
    }
    Ok(())
}

fn unassigned(objects: &[ObjectLevels], level: &PlacedMesh) -> ReadFailure {
    let PlacedMesh { said, name, slot, .. } = level;
    let slot = label(*slot);
    if objects.iter().any(|object| object.high.name == *name) {
        return ReadFailure::new(format!("`{said}` is {slot} of `{name}`, which has one already"));
    }
    let failure = ReadFailure::new(format!(
        "`{said}` is {slot} of `{name}`, but there is no object of that name"
    ));
    if objects.is_empty() {
        return failure
            .with_help("the high level is a mesh with the plain name, or a file of its own");
    }
    let mut names: Vec<_> =
        objects.iter().take(MAX_NAMES).map(|object| format!("`{}`", object.high.name)).collect();
    if objects.len() > MAX_NAMES {
        names.push("…".to_owned());
    }
    failure.with_help(format!("there are: {}", names.join(", ")))
}
