//! What a user's paths hold: mesh assets, archives of `OpenSimulator` and objects, whatever they are
//! called and however they are packed.
//!
//! [`find`] turns the paths of a command line into [`Source`]s: files, what is in folders, and stdin for
//! `-`. [`Source::open`] reads one: a mesh asset as bytes, or an archive, from a tar file, a folder that
//! an archive was unpacked into, or the XML of a single object with the meshes beside it. gzip around
//! any of them is read through. What a file is, its first bytes decide and never its name ([`Kind`]);
//! what is none of these is named in the [`Problem`] that comes back.
//!
//! # Important terms
//!
//! - **kind**: what a file is by its first bytes
//! - **source**: something that can be read, by the name that reports have for it
//! - **choice**: which objects of an archive are wanted: `region.oar:House` has those called `House`,
//!   `region.oar:` and a UUID that with this root or in this entry, `mine.iar:Furniture/Chair` what lies
//!   there in an inventory
//!
//! # Trust
//!
//! What is held and what is done is paid from an [`Allowance`](lodger_allowance::Allowance), and archives
//! have [`Limits`](crate::archive::Limits) of their own besides. A pipe or a device is looked at,
//! and read on only if it is of a kind that is wanted; in folders, pipes, sockets and devices are passed
//! over. Links in folders are files at most: no folder behind one is searched, and none is followed in an
//! unpacked archive. [`find_input`] tells whether a file is among those that would be read.
//!
//! # Examples
//! ```
//! use lodger_allowance::Allowance;
//! use lodger_opensim::archive::Limits;
//! use lodger_opensim::files::{Content, Search, find};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = |name| folder.path().join(name);
//! let cube = "<SceneObjectGroup><SceneObjectPart><Name>cube</Name>\
//!     <Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
//!     <Scale><X>1</X><Y>1</Y><Z>1</Z></Scale></SceneObjectPart></SceneObjectGroup>";
//! std::fs::write(path("cube.xml"), cube)?;
//! std::fs::write(path("photo.llmesh"), b"\x89PNG\r\n\x1a\n")?;
//!
//! let allowance = Allowance::new(lodger_allowance::Limits::default());
//! for source in find(&[path("cube.xml"), path("photo.llmesh")], Search::Everything) {
//!     match source?.open(Limits::default(), &allowance) {
//!         Ok(Content::Archive { archive, .. }) => assert_eq!(archive.objects[0].name(), "cube"),
//!         Ok(Content::Mesh(_)) => unreachable!("there is none"),
//!         Err(error) => assert_eq!(
//!             error.problem().to_string(),
//!             "it is a PNG image, not a mesh asset or archive"
//!         ),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beside;
mod error;
mod find;
mod kind;
mod linking;
mod source;
mod stream;
mod unpacked;

pub use beside::{beside, path_beside};
pub use error::{Candidate, FileError, Problem, entry_id};
pub use find::{Search, each, find, find_input};
pub use kind::Kind;
pub use linking::{LinkError, Piece, apart, together};
pub use source::{Content, Opened, Source, only_object};
pub use stream::Stream;
