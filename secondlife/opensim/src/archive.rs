//! Readers for `OpenSimulator` archives (`.oar` regions, `.iar` inventories) and the XML of objects.
//!
//! An archive is a tar file, usually gzip-compressed. [`read`] returns its mesh assets as bytes, its parcels, and
//! its objects: linksets with sizes, shapes, scripts, positions and owners. A [`ArchiveReader`] takes entries from any
//! source, [`read_objects`] one XML document, and [`ObjectBuilder`] rows of a region's tables. The caller decodes and prices
//! meshes, possibly in parallel. Nothing here opens files.
//!
//! # Important terms
//!
//! - **entry**: a file in the archive, with its path; archive paths are never used on disk
//! - **object**: a linkset, a root part with the parts linked to it (`SceneObjectGroup`)
//! - **part**: one prim of an object (`SceneObjectPart`): a plain prim, a sculpt or a mesh
//! - **item**: an inventory entry that refers to an asset by UUID
//! - **stowed**: nested inside another object, so neither in the region nor in the inventory
//!
//! # Trust
//!
//! Archives are untrusted input. [`ArchiveLimits`] and a [`Quota`] cap memory, inflated bytes and XML nesting; a bad object
//! is an [`ArchiveError`] beside the good ones, and a broken archive keeps the entries before the break.
//!
//! # Examples
//! ```
//! use lodger_quota::Quota;
//! use lodger_opensim::archive::{ArchiveKind, ArchiveLimits, PrimGeometry};
//! use lodger_core::cost::physics::ShapeType;
//! use lodger_core::cost::prims::{Primitive, Solid};
//!
//! let xml = "<SceneObjectGroup><SceneObjectPart><Name>post</Name>\
//!     <PrimGeometry><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></PrimGeometry>\
//!     <Scale><X>0.2</X><Y>0.2</Y><Z>2</Z></Scale></SceneObjectPart></SceneObjectGroup>";
//! let mut region = tar::Builder::new(Vec::new());
//! let mut header = tar::Header::new_gnu();
//! header.set_size(xml.len() as u64);
//! region.append_data(&mut header, "objects/post.xml", xml.as_bytes())?;
//! let bytes = region.into_inner()?;
//!
//! let quota = Quota::new(lodger_quota::QuotaLimits::default());
//! let archive = lodger_opensim::archive::read(&bytes[..], ArchiveLimits::default(), &quota)?;
//! assert_eq!(archive.kind, ArchiveKind::Region);
//! assert!(archive.errors.is_empty());
//! let post = &archive.objects[0];
//! assert_eq!((post.name(), post.root.scale), ("post", [0.2, 0.2, 2.0]));
//! assert_eq!(post.root.shape, PrimGeometry::PrimRecord(Primitive { solid: Solid::Box, altered: false }));
//! assert_eq!(post.root.shape_type, ShapeType::PrimRecord);
//! # Ok::<(), Box<dyn std::error::ArchiveError>>(())
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

use lodger_quota::Quota;

use error::ErrorLog;
use group::EntryParser;
use object::ContainingRegion;

pub use contents::{Archive, ArchiveKind, ArchiveLimits, ParsedObjects};
pub use error::{ArchiveError, ArchiveErrorKind, PartRef, XmlProblem};
pub use object::{Object, ObjectLocation, ObjectPart, Plant, PrimGeometry};
pub use parcel::Parcel;
pub use prims::{ObjectBuilder, PrimColumns, PrimRecord, PrimShapeRecord, ShapeColumns};
pub use reading::ArchiveReader;
pub(crate) use tar_reader::RetryReader;
pub use tar_reader::is_tar;

/// Reads a whole archive, gzip-compressed or plain.
///
/// # Errors
/// [`ArchiveErrorKind::NotAnArchive`] and [`ArchiveErrorKind::QuotaExceeded`]. All other errors are in [`Archive::errors`].
pub fn read(
    input: impl Read,
    limits: ArchiveLimits,
    quota: &Quota,
) -> Result<Archive, ArchiveError> {
    let mut reading = ArchiveReader::new(limits, quota);
    if let Err(error) = tar_reader::read_entries(input, &mut reading) {
        if reading.entries() == 0 || error.spent().is_some() {
            return Err(error);
        }
        reading.break_off(error);
    }
    reading.finish()
}

/// Reads the objects of an XML document: one, or several in a `CoalescedObject`. Errors and [`Object::source`] name it
/// `entry`; its objects have an unknown [place](Object::place).
///
/// # Errors
/// [`ArchiveErrorKind::QuotaExceeded`]. All other errors are in [`ParsedObjects::errors`].
///
/// # Examples
/// ```
/// use lodger_quota::Quota;
/// use lodger_opensim::archive::{ArchiveLimits, ArchiveErrorKind, read_objects};
///
/// let quota = Quota::new(lodger_quota::QuotaLimits::default());
/// let found = read_objects("a.xml", b"<SceneObjectGroup />", ArchiveLimits::default(), &quota)?;
/// assert!(found.objects.is_empty());
/// assert!(matches!(found.errors[0].problem(), ArchiveErrorKind::NoParts));
/// assert_eq!(found.errors[0].to_string(), "a.xml: it is an object without parts");
/// # Ok::<(), lodger_opensim::archive::ArchiveError>(())
/// ```
pub fn read_objects(
    entry: &str,
    xml: &[u8],
    limits: ArchiveLimits,
    quota: &Quota,
) -> Result<ParsedObjects, ArchiveError> {
    let mut errors = ErrorLog::new(limits.errors);
    let (size, limit) = (xml.len() as u64, limits.entry_bytes);
    if size > limit {
        errors.add(
            ArchiveError::from(ArchiveErrorKind::EntryTooLarge { size, limit }).in_entry(entry),
        );
        return Ok(ParsedObjects { objects: Vec::new(), errors: errors.finish() });
    }
    let _reserved = quota.reserve(size.saturating_mul(reading::MEMORY_OF_XML))?;
    quota.charge_work(size.saturating_mul(reading::WORK_OF_XML))?;
    let context = (&ContainingRegion::None, limits.nesting);
    let EntryParser { objects, .. } = EntryParser::read(entry, xml, context, &mut errors);
    quota.charge_memory(objects.iter().map(Object::bytes).sum())?;
    Ok(ParsedObjects { objects, errors: errors.finish() })
}
