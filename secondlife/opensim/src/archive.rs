//! Readers for `OpenSimulator` archives (`.oar` regions, `.iar` inventories) and the XML of objects.
//!
//! An archive is a tar file, usually gzip-compressed. [`read`] returns its undecoded mesh assets, its parcels and its
//! objects. An [`ArchiveReader`] takes entries from any source, [`read_objects`] one XML document, and
//! [`Object::from_records`] rows of a region's tables. Nothing here opens files.
//!
//! # Important terms
//!
//! - **entry**: a file in the archive, with its path; archive paths are never used on disk
//! - **object**: a linkset, a root part with the parts linked to it (`SceneObjectGroup`)
//! - **part**: one prim of an object (`SceneObjectPart`): a plain prim, a sculpt or a mesh
//! - **item**: an inventory entry that refers to an asset by UUID
//! - **nested**: inside another object, so neither in the region nor in the inventory
//!
//! # Trust
//!
//! Archives are untrusted input. [`ArchiveLimits`] and a [`Quota`] cap memory, inflated bytes and XML nesting. A bad
//! object is an [`ArchiveError`] beside the good ones; a broken archive keeps the entries before the break.
//!
//! # Examples
//! ```
//! use lodger_opensim::archive::{ArchiveKind, ArchiveLimits};
//! use lodger_quota::{Quota, QuotaLimits};
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
//! let quota = Quota::new(QuotaLimits::default());
//! let archive = lodger_opensim::archive::read(&bytes[..], ArchiveLimits::default(), &quota)?;
//! assert_eq!(archive.kind, ArchiveKind::Region);
//! let post = &archive.objects[0];
//! assert_eq!((post.name(), post.root.scale), ("post", [0.2, 0.2, 2.0]));
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
mod reader;
mod tar_reader;
mod xml;

use std::io::Read;

use lodger_quota::Quota;

use error::ErrorLog;
use group::EntryParser;
use object::ContainingRegion;

pub use contents::{Archive, ArchiveKind, ArchiveLimits, ParsedObjects};
pub use error::{ArchiveError, ArchiveErrorKind, PartRef};
pub use object::{Object, ObjectLocation, ObjectPart, Plant, PrimGeometry};
pub use parcel::Parcel;
pub use prims::{PrimRecord, PrimShapeRecord};
pub use reader::ArchiveReader;
pub(crate) use tar_reader::RetryReader;
pub use tar_reader::is_tar;

/// Reads a whole archive, gzip-compressed or plain.
///
/// # Errors
/// [`ArchiveErrorKind::NotAnArchive`] and [`ArchiveErrorKind::QuotaExceeded`]. All other errors are in
/// [`Archive::errors`].
pub fn read(
    input: impl Read,
    limits: ArchiveLimits,
    quota: &Quota,
) -> Result<Archive, ArchiveError> {
    let mut reader = ArchiveReader::new(limits, quota);
    if let Err(error) = tar_reader::read_entries(input, &mut reader) {
        if reader.entries() == 0 || error.quota_exceeded().is_some() {
            return Err(error);
        }
        reader.break_off(error);
    }
    reader.finish()
}

/// Reads the objects of an XML document: one, or several in a `CoalescedObject`. Errors and [`Object::source`] name
/// the document `entry`; its objects have an unknown [location](Object::location).
///
/// # Errors
/// [`ArchiveErrorKind::QuotaExceeded`]. All other errors are in [`ParsedObjects::errors`].
///
/// # Examples
/// ```
/// use lodger_opensim::archive::{ArchiveLimits, read_objects};
/// use lodger_quota::{Quota, QuotaLimits};
///
/// let quota = Quota::new(QuotaLimits::default());
/// let found = read_objects("a.xml", b"<SceneObjectGroup />", ArchiveLimits::default(), &quota)?;
/// assert_eq!(found.errors[0].to_string(), "a.xml: it is an object without parts");
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    let _reserved = quota.reserve(size.saturating_mul(reader::MEMORY_OF_XML))?;
    quota.charge_work(size.saturating_mul(reader::WORK_OF_XML))?;
    let context = (&ContainingRegion::None, limits.nesting);
    let EntryParser { objects, .. } = EntryParser::read(entry, xml, context, &mut errors);
    quota.charge_memory(objects.iter().map(Object::bytes).sum())?;
    Ok(ParsedObjects { objects, errors: errors.finish() })
}
