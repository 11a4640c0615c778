//! The prims of a linkset file, as `lodger linkset` reads it.

use std::path::Path;

use lodger_allowance::{Allowance, Spent};
use lodger_input::read_linkset;
use lodger_opensim::archive::{Archive, Object, Part};
use lodger_opensim::files::{Kind, Stream};
use lodger_opensim::pricing::ArchivePrice;
use lodger_scenes::LinkObject;

use super::conditions::Conditions;
use super::report::Rows;

/// Whether a file is taken for a linkset: text from stdin, or in a file of that name.
pub(super) fn is_one(name: &str, kind: Kind) -> bool {
    let is_toml = Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    kind != Kind::Empty && kind.may_be_text() && (name == "<stdin>" || is_toml)
}

/// Prices each object of a linkset file, whose prims are boxes; nothing if it cannot be read.
pub(super) fn price(
    name: &str,
    stream: Stream<'_>,
    conditions: &Conditions,
    allowance: &Allowance,
    rows: &mut Rows,
) -> Result<Option<ArchivePrice>, Spent> {
    let linkset = match read_linkset(stream, allowance)? {
        Ok(linkset) => linkset,
        Err(why) => {
            rows.error(name.to_owned(), why);
            return Ok(None);
        }
    };
    let prims: usize = linkset.objects.iter().map(|object| object.prims.len()).sum();
    allowance.keep((prims * size_of::<Part>()) as u64)?;
    let usage = &conditions.usage;
    let settings = (conditions.of_prims, usage.physical, usage.scripts);
    let object = |object: LinkObject| {
        let boxes = object.prims.iter().map(|prim| (prim.position, prim.scale));
        Object::of_boxes(name.into(), &object.name, boxes, settings)
    };
    let objects = linkset.objects.into_iter().filter_map(object).collect();
    conditions.archive(&Archive::of_objects(objects), allowance, || ()).map(Some)
}
