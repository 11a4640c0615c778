//! Meshes, linksets and archives to weights and land impact.
//!
//! The formulas are those of [`lodger_core::cost`]; this crate assembles what they want. A [`Pricing`]
//! holds somebody's rules and prices a [`Mesh`] as an object of its own, a linkset
//! ([`Pricing::linkset`]) and whole archives ([`Pricing::archive`]). [`Pricing::sweep`] tells the cost at
//! every size, [`Pricing::target`] the way back: what a land impact allows.
//!
//! An object of an archive is priced with its place, owner and parcel; [`GroupBy::sum`] sums by the latter
//! two, and [`Pricing::archive_in_parts`] tells what each part weighs.
//!
//! All inputs are owned: a [`Mesh`] is read once, and nothing of it borrows from the file. What is said
//! about a number is a [`Remark`].
//!
//! # Important terms
//!
//! - **use**: what an asset does not say about the object that is made of it ([`MeshUse`])
//! - **size**: the longest side of an object in metres; its other sides keep their proportions
//! - **bend**: a size at which the curve of streaming cost changes its course
//! - **flip**: the size at which a physics mesh begins to count in place of its hull
//!
//! # Examples
//! ```
//! use lodger_core::cost::ObjectScale;
//! use lodger_core::cost::streaming::{Lods, Rules};
//! use lodger_opensim::pricing::{Mesh, MeshUse, Pricing};
//!
//! let viewer = Pricing::new(Rules::VIEWER)?;
//! let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
//! let large = MeshUse { scale: ObjectScale::new([20.0; 3])?, ..MeshUse::default() };
//! let price = viewer.mesh(&mesh, &large)?;
//! assert_eq!(price.assessment.land_impact.value, 12);
//!
//! let allowed = viewer.target(&mesh, &large, 4)?;
//! let together = allowed.bytes.together.ok_or("no bytes are few enough")?;
//! let smaller = viewer.mesh(&Mesh::imagined(together), &large)?;
//! assert_eq!(smaller.assessment.land_impact.value, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod error;
mod linkset;
mod mesh;
mod price;
mod rules;
mod sweep;
mod target;
mod totals;

pub use archive::{ArchivePrice, PricedObject, UnusedMesh, Within};
pub use error::Error;
pub use linkset::{LinksetPrice, PartPrice, linkset_size};
pub use mesh::{LodGeometry, Mesh, MeshUse};
pub use price::{LodDetail, MadeOf, MeshDetail, MeshPrice, Remark, ShapeChoice};
pub use rules::{Pricing, parse_simulator};
pub use sweep::{Bend, Mark, SizeRange, SweepPoint};
pub use target::{ByteRoom, NoRoom, SizeRoom, Target};
pub use totals::{Group, GroupBy, Total, first_digits, most_expensive_first, whereabouts};
