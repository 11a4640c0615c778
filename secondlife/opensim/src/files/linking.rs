//! Conversion of objects to inputs of the link rules.

use std::collections::HashSet;

use glam::{DQuat, DVec3};
use lodger_core::linkability::LinkPrim;

use crate::archive::{Object, ObjectLocation};

/// An input of linking: a part, or a whole object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinkInput {
    /// Name, unique among the inputs.
    pub name: String,
    /// Prims in metres; all inputs share a frame.
    pub prims: Vec<LinkPrim<f64>>,
}

/// The reason why objects cannot be linked: one is not in a region, or two are in different regions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LinkInputError(String);

/// Returns each part of an object in the frame of the root, the root first, to check whether the object can be linked
/// from its parts.
#[must_use]
pub fn link_parts(object: &Object) -> Vec<LinkInput> {
    let names = unique(object.parts().map(|part| &*part.name));
    let prims = object.parts().map(|part| LinkPrim { position: part.offset, scale: part.scale });
    names.into_iter().zip(prims).map(|(name, prim)| LinkInput { name, prims: vec![prim] }).collect()
}

/// Returns each object with all its parts in the frame of its region.
///
/// # Errors
/// [`LinkInputError`] for objects that are not in one region.
pub fn link_objects(objects: &[Object]) -> Result<Vec<LinkInput>, LinkInputError> {
    let names = unique(objects.iter().map(Object::name));
    let mut first = None;
    let mut inputs = Vec::with_capacity(objects.len());
    for (object, name) in objects.iter().zip(names) {
        let ObjectLocation::Region { region, position } = &object.location else {
            return Err(LinkInputError(format!(
                "`{name}` stands in no region, so that nothing is known of how far it is from others"
            )));
        };
        let (of_first, first) = first.get_or_insert_with(|| (region, name.clone()));
        if *of_first != region {
            return Err(LinkInputError(format!(
                "`{first}` and `{name}` stand in different regions"
            )));
        }
        let (position, rotation) =
            (DVec3::from_array(*position), DQuat::from_array(object.rotation));
        let placed = |offset| (position + rotation * DVec3::from_array(offset)).to_array();
        let parts = object.parts();
        let prims = parts.map(|part| LinkPrim { position: placed(part.offset), scale: part.scale });
        inputs.push(LinkInput { name, prims: prims.collect() });
    }
    Ok(inputs)
}

/// Appends the number, counted from 1, to empty and repeated names.
fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let names: Vec<_> = names.collect();
    let mut known = HashSet::new();
    let twice: HashSet<&str> = names.iter().copied().filter(|name| !known.insert(*name)).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let numbered = names.iter().zip(1..).map(|(&name, number)| {
        let mut unique = match name {
            "" => format!("#{number}"),
            name if twice.contains(name) => format!("{name} #{number}"),
            name => name.to_owned(),
        };
        while known.contains(&*unique) && unique != name || taken.contains(&unique) {
            unique.push('\'');
        }
        taken.insert(unique.clone());
        unique
    });
    numbered.collect()
}

#[cfg(test)]
mod tests {
    use super::unique;

    #[test]
    fn unique_names_stay() {
        let named = |names: &[&str]| unique(names.iter().copied());
        assert_eq!(named(&["a", "b"]), ["a", "b"]);
        assert_eq!(named(&["a", "", "a", "b"]), ["a #1", "#2", "a #3", "b"]);
        assert_eq!(named(&["a #2", "a", "a"]), ["a #2", "a #2'", "a #3"]);
    }
}
