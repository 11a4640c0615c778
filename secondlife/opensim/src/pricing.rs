//! Weights and land impact of meshes, linksets and archives, by the formulas of [`lodger_core::cost`].
//!
//! | question | method |
//! |---|---|
//! | price of a mesh | [`Pricer::mesh`], with reasons [`Pricer::mesh_in_detail`] |
//! | price of a linkset, an archive | [`Pricer::linkset`], [`Pricer::archive`] |
//! | price at all sizes | [`Pricer::sweep`] |
//! | bytes and size for a land impact | [`Pricer::limits_for`] |
//! | price by owner, parcel | [`GroupBy::sum`] |
//!
//! # Important terms
//!
//! - **use**: properties of an object that its asset does not state ([`MeshUse`])
//! - **size**: longest side of an object in metres; the other sides keep their proportions
//! - **bend**: a size at which the slope of the streaming cost changes
//! - **flip**: the size at which the physics mesh replaces the hull
//!
//! # Examples
//! ```
//! use lodger_core::cost::ObjectScale;
//! use lodger_core::cost::streaming::{PerLod, StreamingRules};
//! use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
//!
//! let viewer = Pricer::new(StreamingRules::VIEWER)?;
//! let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
//! let large = MeshUse { scale: ObjectScale::new([20.0; 3])?, ..MeshUse::default() };
//! assert_eq!(viewer.mesh(&mesh, &large)?.assessment.land_impact.value, 12);
//!
//! let limits = viewer.limits_for(&mesh, &large, 4)?;
//! let bytes = limits.bytes.scaled.ok_or("no bytes are few enough")?;
//! let smaller = viewer.mesh(&MeshInputs::from_lod_bytes(bytes), &large)?;
//! assert_eq!(smaller.assessment.land_impact.value, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod linkset;
mod mesh;
mod price;
mod rules;
mod sweep;
mod target;
mod totals;

pub use archive::{ArchivePrice, MeshReadLimits, PricedObject, UnusedMesh};
pub use linkset::{LinksetPrice, PartPrice, linkset_size};
pub use mesh::{LodGeometry, MeshInputs, MeshUse};
pub use price::{CollisionGeometry, LodDetail, MeshDetail, MeshPrice, PriceNote, ShapeChoice};
pub use rules::{Pricer, parse_simulator};
pub use sweep::{CurveBreak, SizeRange, SweepEvent, SweepPoint};
pub use target::{ByteLimits, BytesInfeasible, SizeLimits, TargetLimits};
pub use totals::{CostTotal, GroupBy, GroupTotal, location_labels, most_expensive_first, short_id};

use std::sync::Arc;

use uuid::Uuid;

/// An error of pricing. Copies share inner errors, so the error of a mesh is stored once for all its uses.
///
/// # Examples
/// ```
/// use lodger_opensim::pricing::{PricingError, SizeRange};
///
/// let error = SizeRange::new(8.0, 1.0).unwrap_err();
/// assert!(matches!(error, PricingError::SizeRange { largest: 16_384, .. }));
/// assert!(error.to_string().ends_with("below the second, which is at most 16384 m"));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PricingError {
    /// A mesh asset cannot be read, or its physics mesh cannot be measured.
    #[error(transparent)]
    Asset(#[from] lodger_mesh_asset::AssetError),
    /// lodger-core rejects a number.
    #[error(transparent)]
    Invalid(#[from] lodger_core::ValueError),
    /// The bounding box of a linkset is larger than lodger-core accepts.
    #[error("its size: {0}")]
    LinksetSize(#[source] lodger_core::ValueError),
    /// A scale without a side above 0 has no proportions.
    #[error("a scale with a side above 0 is needed")]
    NoExtent,
    /// A text is not two sizes separated by `..`.
    #[error("two lengths in metres are expected, as in 0.1..64")]
    NoSizes,
    /// A text is neither a named set of constants of simulator resource cost nor four numbers.
    #[error(
        "`unofficial-2011` or four numbers are expected: simulation factor, active cost high and low, linkset \
         factor, as in 0.5,2,1,0"
    )]
    NoSimulator,
    /// A range of sizes is empty or exceeds the limits.
    #[error(
        "the first must be at least {smallest} m and below the second, which is at most {largest} m"
    )]
    SizeRange {
        /// Minimum of the first size in metres.
        smallest: f64,
        /// Maximum of the second size in metres.
        largest: u16,
    },
    /// The mesh of a part has no price.
    #[error("its mesh {id}: {error}")]
    Mesh {
        /// Asset of the mesh.
        id: Uuid,
        /// Error of the mesh.
        #[source]
        error: Arc<PricingError>,
    },
    /// The mesh of a part was not given.
    #[error("its mesh {0} is missing")]
    MissingMesh(Uuid),
    /// A part of a linkset has no price.
    #[error("part {number} ({name}): {error}")]
    Part {
        /// Position of the part, counted from 1 for the root.
        number: usize,
        /// Name of the part.
        name: Arc<str>,
        /// Error of the part.
        #[source]
        error: Arc<PricingError>,
    },
}
