//! Mesh assets, `OpenSimulator` archives and objects from the paths of a user.
//!
//! [`expand_paths`] expands the paths of a command line to [`InputSource`]s: files, the contents of folders, and
//! stdin for `-`. [`InputSource::open`] reads a mesh asset, or an archive from a tar file, an unpacked archive, or
//! the XML of an object with its sibling meshes. One layer of gzip is inflated. The kind of a file depends on its
//! first bytes, never on its name ([`FileKind`]).
//!
//! # Important terms
//!
//! - **kind**: content type by the first bytes
//! - **source**: a readable input with the name that reports use
//! - **selection**: `region.oar:House` selects objects by name, `region.oar:` and a UUID by root or entry,
//!   `mine.iar:Furniture/Chair` by inventory path
//!
//! # Trust
//!
//! Files are untrusted. A [`Quota`](lodger_quota::Quota) limits memory and work,
//! [`ArchiveLimits`](crate::archive::ArchiveLimits) archives. Only the first bytes of a pipe or device of an
//! unsupported kind are read; in folders, pipes, sockets and devices are skipped. Symbolic links to folders are not
//! followed, nor any link in an unpacked archive.
//!
//! # Examples
//! ```
//! use lodger_opensim::archive::ArchiveLimits;
//! use lodger_opensim::files::{FileFilter, SourceContent, expand_paths};
//! use lodger_quota::{Quota, QuotaLimits};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = |name| folder.path().join(name);
//! let cube = "<SceneObjectGroup><SceneObjectPart><Name>cube</Name>\
//!     <Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
//!     <Scale><X>1</X><Y>1</Y><Z>1</Z></Scale></SceneObjectPart></SceneObjectGroup>";
//! std::fs::write(path("cube.xml"), cube)?;
//! std::fs::write(path("photo.llmesh"), b"\x89PNG\r\n\x1a\n")?;
//!
//! let quota = Quota::new(QuotaLimits::default());
//! for source in expand_paths(&[path("cube.xml"), path("photo.llmesh")], FileFilter::All) {
//!     match source?.open(ArchiveLimits::default(), &quota) {
//!         Ok(SourceContent::Archive { archive, .. }) => assert_eq!(archive.objects[0].name(), "cube"),
//!         Ok(SourceContent::Mesh(_)) => unreachable!("no file is a mesh"),
//!         Err(error) => assert_eq!(
//!             error.kind().to_string(),
//!             "it is a PNG image, not a mesh asset or archive"
//!         ),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod expand;
mod kind;
mod linking;
mod source;
mod stream;
mod unpacked;

pub use error::{FileError, FileErrorKind, ObjectCandidate, entry_id};
pub use expand::{FileFilter, expand_paths, find_input, map_sources};
pub use kind::FileKind;
pub use linking::{LinkInput, LinkInputError, link_objects, link_parts};
pub use source::{InputSource, OpenedSource, SourceContent, single_object};
pub use stream::{SniffedReader, read_sibling, sibling_path};
