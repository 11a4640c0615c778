//! Archives of `OpenSimulator`, regions (`.oar`) and inventories (`.iar`), and the XML of objects: bytes
//! in, linksets out; no files.
//!
//! Both kinds of archive are a tar file, mostly inside gzip. [`read`] takes from it the mesh assets, as
//! bytes, the parcels, and the objects: linksets of prims with the sizes, shapes and scripts that decide
//! what they cost, where they are and whose. A [`Reading`] takes the same from entries that come from
//! elsewhere, [`read_objects`] the objects from one XML document, and [`Prims`] make an object of the rows of a
//! region's tables. Decoding meshes and pricing is left
//! to the caller, who can do it in parallel.
//!
//! # Important terms
//!
//! - **entry**: a file in the archive, with its path. No path of an archive is ever used on a disk.
//! - **object**: a linkset, a root part with the parts linked to it (`SceneObjectGroup`)
//! - **item**: what refers to an asset from an inventory, by name and in a folder
//! - **stowed**: inside another object, where an object is neither in the region nor in the inventory
//! - **part**: one prim of it (`SceneObjectPart`), be its shape a plain prim, a sculpt or a mesh
//!
//! # Trust
//!
//! Everything in an archive comes from a stranger: what is kept, what is inflated and how deep XML may
//! nest is limited ([`Limits`], and an [`Allowance`] for the whole archive), a bad object is an [`Error`] beside the good ones, and a broken archive
//! keeps what came before.
//!
//! # Examples
//! ```
//! use lodger_allowance::Allowance;
//! use lodger_opensim::archive::{ArchiveKind, Limits, Shape};
//! use lodger_core::cost::physics::ShapeType;
//! use lodger_core::cost::prims::{Primitive, Solid};
//!
//! let xml = "<SceneObjectGroup><SceneObjectPart><Name>post</Name>\
//!     <Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
//!     <Scale><X>0.2</X><Y>0.2</Y><Z>2</Z></Scale></SceneObjectPart></SceneObjectGroup>";
//! let mut region = tar::Builder::new(Vec::new());
//! let mut header = tar::Header::new_gnu();
//! header.set_size(xml.len() as u64);
//! region.append_data(&mut header, "objects/post.xml", xml.as_bytes())?;
//! let bytes = region.into_inner()?;
//!
//! let allowance = Allowance::new(lodger_allowance::Limits::default());
//! let archive = lodger_opensim::archive::read(&bytes[..], Limits::default(), &allowance)?;
//! assert_eq!(archive.kind, ArchiveKind::Region);
//! assert!(archive.errors.is_empty());
//! let post = &archive.objects[0];
//! assert_eq!((post.name(), post.root.scale), ("post", [0.2, 0.2, 2.0]));
//! assert_eq!(post.root.shape, Shape::Prim(Primitive { solid: Solid::Box, altered: false }));
//! assert_eq!(post.root.shape_type, ShapeType::Prim);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contents;
mod error;
mod group;
mod inventory;
mod object;
mod parcel;
mod part;
mod prims;
mod raw;
mod reading;
mod tar_reader;
mod xml;

use std::io::Read;

use lodger_allowance::Allowance;

use error::ErrorLog;
use group::{EntryContext, EntryItem, read_objects_of_entry};
use object::ContainingRegion;

pub use contents::{Archive, ArchiveKind, Limits, Objects};
pub use error::{Error, PartPlace, Problem, XmlProblem};
pub use object::{Object, Part, Place, Plant, Shape};
pub use parcel::Parcel;
pub use prims::{Prim, PrimColumns, PrimShape, Prims, ShapeColumns};
pub use reading::Reading;
pub(crate) use tar_reader::RetryReader;
pub use tar_reader::is_tar;

/// Reads an archive, compressed with gzip or plain, to its end.
///
/// # Errors
/// Only if it is no archive at all, or [needs more](Problem::Spent) than it may take. Anything else that is
/// wrong is in [`Archive::errors`].
pub fn read(input: impl Read, limits: Limits, allowance: &Allowance) -> Result<Archive, Error> {
    let mut reading = Reading::new(limits, allowance);
    if let Err(error) = tar_reader::read_entries(input, &mut reading) {
        if reading.entries() == 0 || error.spent().is_some() {
            return Err(error);
        }
        reading.break_off(error);
    }
    reading.finish()
}

/// Reads the objects of an XML document: one, or several in a `CoalescedObject`. `entry` is what errors
/// and [`Object::source`] call it. Their [place](Object::place) is unknown.
///
/// # Errors
/// [`Problem::Spent`]. Anything else that is wrong is in [`Objects::errors`].
///
/// # Examples
/// ```
/// use lodger_allowance::Allowance;
/// use lodger_opensim::archive::{Limits, Problem, read_objects};
///
/// let allowance = Allowance::new(lodger_allowance::Limits::default());
/// let found = read_objects("a.xml", b"<SceneObjectGroup />", Limits::default(), &allowance)?;
/// assert!(found.objects.is_empty());
/// assert!(matches!(found.errors[0].problem(), Problem::NoParts));
/// assert_eq!(found.errors[0].to_string(), "a.xml: it is an object without parts");
/// # Ok::<(), lodger_opensim::archive::Error>(())
/// ```
pub fn read_objects(
    entry: &str,
    xml: &[u8],
    limits: Limits,
    allowance: &Allowance,
) -> Result<Objects, Error> {
    let mut objects = Vec::new();
    let mut errors = ErrorLog::new(limits.errors);
    let (size, limit) = (xml.len() as u64, limits.entry_bytes);
    if size > limit {
        errors.add(Error::from(Problem::EntryTooLarge { size, limit }).in_entry(entry));
    } else {
        let region = ContainingRegion::None;
        let source = EntryContext { path: entry.into(), region: &region, nesting: limits.nesting };
        let _room = allowance.reserve(size.saturating_mul(reading::MADE_OF_XML))?;
        allowance.work(size.saturating_mul(reading::WORK_OF_XML))?;
        read_objects_of_entry(&source, xml, &mut |found| match found {
            EntryItem::Object(object) => objects.push(*object),
            EntryItem::Fault(error) => errors.add(error),
            EntryItem::Inside(_) => {}
        });
        allowance.keep(objects.iter().map(Object::bytes).sum())?;
    }
    Ok(Objects { objects, errors: errors.finish() })
}
