//! The sphere rule, in the names of the file.

use lodger_core::linkability::{LinkError, SphereRule, Support};

use super::answer::{Held, SphereReport};
use crate::linkset::{LinkObject, Linkset};

impl Linkset {
    /// What the sphere rule says, as the document writes it.
    ///
    /// # Errors
    /// Those of [`SphereRule::check`].
    pub fn by_sphere(&self) -> Result<SphereReport<'_>, LinkError> {
        let rule = SphereRule::DOCUMENT;
        let answer = rule.check(&self.objects)?;
        let mut held = answer.enclosing.support().to_vec();
        held.sort_by_key(|support| support.index);
        Ok(SphereReport {
            schema: 1,
            rule: "sphere",
            linkable: answer.linkable,
            diameter: answer.enclosing.diameter(),
            max_diameter: rule.diameter_below,
            prims: answer.prims,
            max_prims: rule.prims_below,
            objects: self.objects.iter().map(|object| object.name.as_str()).collect(),
            held_by: held.iter().filter_map(|support| find(&self.objects, support)).collect(),
        })
    }
}

/// The prim that a support counts, over the prims of all objects on end.
fn find<'a>(objects: &'a [LinkObject], support: &Support) -> Option<Held<'a>> {
    let mut prims = objects.iter().flat_map(|object| {
        (1..).zip(&object.prims).map(move |(number, prim)| (object, number, prim))
    });
    let (object, prim, found) = prims.nth(support.index)?;
    Some(Held { object: &object.name, prim, position: found.position })
}
