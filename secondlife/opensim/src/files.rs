//! Mesh assets, `OpenSimulator` archives and objects from the paths of a user.
//!
//! [`find`] expands the paths of a command line to [`InputSource`]s: files, the contents of folders, and stdin for `-`.
//! [`InputSource::open`] reads the bytes of a mesh asset, or an archive from a tar file, an unpacked archive, or the XML of an
//! object with its sibling meshes. One layer of gzip is inflated. The kind of a file depends on its first bytes, never on
//! its name ([`FileKind`]); a [`ArchiveErrorKind`] names unsupported kinds.
//!
//! # Important terms
//!
//! - **kind**: content type by the first bytes
//! - **source**: a readable input with the name that reports use
//! - **choice**: a selection of objects: `region.oar:House` selects by name, `region.oar:` and a UUID by root or entry,
//!   `mine.iar:Furniture/Chair` by inventory path
//!
//! # Trust
//!
//! Files are untrusted. A [`Quota`](lodger_quota::Quota) limits memory and work, and archives have
//! [`ArchiveLimits`](crate::archive::Limits). Only the first bytes of a pipe or device of an unsupported kind are read; in
//! folders, pipes, sockets and devices are skipped. Symbolic links to folders are not followed, nor any link in an
//! unpacked archive. [`find_input`] returns whether a file is among the inputs.
//!
//! # Examples
//! ```
//! use lodger_quota::Quota;
//! use lodger_opensim::archive::ArchiveLimits;
//! use lodger_opensim::files::{SourceContent, FileFilter, find};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = |name| folder.path().join(name);
//! let cube = "<SceneObjectGroup><SceneObjectPart><Name>cube</Name>\
//!     <PrimGeometry><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></PrimGeometry>\
//!     <Scale><X>1</X><Y>1</Y><Z>1</Z></Scale></SceneObjectPart></SceneObjectGroup>";
//! std::fs::write(path("cube.xml"), cube)?;
//! std::fs::write(path("photo.llmesh"), b"\x89PNG\r\n\x1a\n")?;
//!
//! let quota = Quota::new(lodger_quota::QuotaLimits::default());
//! for source in find(&[path("cube.xml"), path("photo.llmesh")], FileFilter::Everything) {
//!     match source?.open(ArchiveLimits::default(), &quota) {
//!         Ok(SourceContent::Archive { archive, .. }) => assert_eq!(archive.objects[0].name(), "cube"),
//!         Ok(SourceContent::MeshInputs(_)) => unreachable!("there is none"),
//!         Err(error) => assert_eq!(
//!             error.problem().to_string(),
//!             "it is a PNG image, not a mesh asset or archive"
//!         ),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::ArchiveError>>(())
//! ```

mod error;
mod find;
mod kind;
mod linking;
mod source;
mod stream;
mod unpacked;

pub use error::{FileError, FileErrorKind, ObjectCandidate, entry_id};
pub use find::{FileFilter, each, expand_paths, find_input};
pub use kind::FileKind;
pub use linking::{LinkInput, LinkInputError, link_objects, link_parts};
pub use source::{InputSource, OpenedSource, SourceContent, single_object};
pub use stream::{SniffedReader, read_sibling, sibling_path};
