//! Objects that are chosen from an archive.

use std::collections::BTreeSet;

use lodger_archive::{Archive, Error, Object, Part, Place};
use uuid::Uuid;

use crate::candidate::entry_id;
use crate::error::Problem;

/// How many names are offered in place of one that there is not.
const OFFERED: usize = 3;
/// A name that is less alike is not offered.
const ALIKE: f64 = 0.4;
/// Of names in an archive, so many are compared: an answer must not take minutes.
const COMPARED: usize = 100_000;

/// Leaves of an archive the objects that are wanted, and their meshes. Objects inside others are looked
/// at if no other one is meant.
pub(crate) fn choose(archive: &mut Archive, wanted: &str) -> Result<(), Problem> {
    let asked = Asked::new(wanted);
    let stowed = std::mem::take(&mut archive.stowed);
    if archive.objects.iter().any(|object| asked.is(object)) {
        archive.objects.retain(|object| asked.is(object));
    } else if stowed.iter().any(|object| asked.is(object)) {
        archive.objects = stowed.into_iter().filter(|object| asked.is(object)).collect();
    } else {
        let nearest = nearest(archive.objects.iter().chain(&stowed), wanted);
        return Err(Problem::NoSuchObject { wanted: wanted.to_owned(), nearest });
    }
    let objects = archive.objects.iter();
    let shown: BTreeSet<Uuid> = objects.flat_map(Object::parts).filter_map(Part::mesh).collect();
    archive.meshes.retain(|id, _| shown.contains(id));
    // What is wrong with others was not asked for.
    archive.errors.retain(Error::ends_reading);
    Ok(())
}

/// What was asked for.
struct Asked<'w> {
    name: &'w str,
    id: Option<Uuid>,
}

impl<'w> Asked<'w> {
    fn new(wanted: &'w str) -> Self {
        let id = Uuid::try_parse(wanted.trim()).ok().filter(|id| !id.is_nil());
        Self { name: wanted, id }
    }

    fn is(&self, object: &Object) -> bool {
        let by_id = |id| object.id == id || entry_id(&object.source) == Some(id);
        object.name() == self.name
            || inventory_path(object).is_some_and(|path| ends_with(path, self.name))
            || self.id.is_some_and(by_id)
    }
}

/// The path of an object that lies in an inventory: its last name is that of the item.
fn inventory_path(object: &Object) -> Option<&str> {
    match &object.place {
        Place::Inventory { path } => Some(path),
        _ => None,
    }
}

fn ends_with(path: &str, wanted: &str) -> bool {
    path.strip_suffix(wanted).is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
}

fn nearest<'o>(objects: impl Iterator<Item = &'o Object>, wanted: &str) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let item = |object| inventory_path(object)?.rsplit('/').next();
    let both = |object: &'o Object| [Some(object.name()), item(object)];
    let names: BTreeSet<&str> = objects.flat_map(both).flatten().take(COMPARED).collect();
    let score = |name: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &wanted);
    let mut scored: Vec<_> = names.into_iter().map(|name| (score(name), name)).collect();
    scored.retain(|(score, name)| *score >= ALIKE || name.to_lowercase().contains(&wanted));
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().take(OFFERED).map(|(_, name)| name.to_owned()).collect()
}
