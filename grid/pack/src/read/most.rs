//! How much a model may have.

use super::failure::Failure;

/// The most objects of a linkset.
///
/// Source: Second Life wiki, Linkability rules; it is what a viewer links.
pub(super) const OBJECTS: usize = 256;

/// The most faces of an object.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format: 1 to 8 submeshes.
pub(super) const FACES: usize = 8;

/// The objects that a mesh of so many materials becomes at least: faces with too many vertices make more of them.
pub(super) const fn objects_of(materials: usize) -> usize {
    materials.div_ceil(FACES)
}

/// Whether so many objects can be linked.
pub(super) fn fits(objects: usize) -> Result<(), Failure> {
    if objects <= OBJECTS {
        return Ok(());
    }
    let problem = format!("it has more than {OBJECTS} objects, but no more can be linked");
    Err(Failure::new(problem).with_help("join meshes that have materials in common"))
}
