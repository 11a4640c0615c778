//! Inverse pricing: the bytes and sizes that a land impact allows.

use std::fmt;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::{ObjectWeight, greatest_weight};
use lodger_core::cost::streaming::{PerLod, Reach};

use crate::pricing::PricingError;
use crate::pricing::mesh::{MeasuredMesh, MeshInputs, MeshUse};
use crate::pricing::price::{MeshDetail, MeshPrice, SizedMesh, largest};
use crate::pricing::rules::Pricer;

/// The limits of a mesh for a land impact.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
///
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let large = MeshUse { scale: ObjectScale::new([20.0; 3])?, ..MeshUse::default() };
/// let limits = viewer.limits_for(&mesh, &large, 4)?;
/// assert_eq!(limits.now.price.assessment.land_impact.value, 12);
/// assert!(limits.bytes.scaled.is_some_and(|bytes| bytes.high < 9000 / 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TargetLimits {
    /// Requested land impact.
    pub land_impact: u32,
    /// Price of the mesh as it is.
    pub now: MeshDetail,
    /// Maximum bytes of the LODs at this size.
    pub bytes: ByteLimits,
    /// Maximum size with the present bytes.
    pub size: SizeLimits,
}

impl Pricer {
    /// Returns the limits of a mesh for a land impact.
    ///
    /// # Errors
    /// [`PricingError::NoExtent`] for a scale without a side above 0, and the errors of [`Pricer::mesh`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::{ObjectScale, streaming::*};
    /// # use lodger_opensim::pricing::*;
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let large = MeshUse { scale: ObjectScale::new([20.0; 3])?, ..MeshUse::default() };
    /// let bytes = viewer.limits_for(&mesh, &large, 4)?.bytes.scaled.ok_or("infeasible")?;
    /// let smaller = viewer.mesh(&MeshInputs::from_lod_bytes(bytes), &large)?;
    /// assert_eq!(smaller.assessment.land_impact.value, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limits_for(
        &self,
        mesh: &MeshInputs,
        usage: &MeshUse,
        land_impact: u32,
    ) -> Result<TargetLimits, PricingError> {
        let measured = MeasuredMesh::at_many_sizes(mesh);
        let sizes = SizedMesh::new(self, &measured, usage)?;
        let now = self.mesh_in_detail(mesh, usage)?;
        let bytes = byte_limits(&sizes, &now.price, land_impact);
        Ok(TargetLimits { land_impact, now, bytes, size: size_limits(sizes, land_impact)? })
    }
}

/// The maximum bytes of the LODs.
///
/// # Examples
/// ```
/// # use lodger_core::cost::{ObjectScale, streaming::*};
/// # use lodger_opensim::pricing::*;
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let sizes = PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 };
/// let large = MeshUse { scale: ObjectScale::new([20.0; 3])?, ..MeshUse::default() };
/// let limits = viewer.limits_for(&MeshInputs::from_lod_bytes(sizes), &large, 11)?;
/// let high = limits.bytes.each.high.ok_or("infeasible")?;
/// let smaller = MeshInputs::from_lod_bytes(PerLod { high, ..sizes });
/// assert_eq!(viewer.mesh(&smaller, &large)?.assessment.land_impact.value, 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ByteLimits {
    /// Maximum of each LOD while the others stay; `None` if it is below 1 byte.
    pub each: PerLod<Option<i32>>,
    /// Maxima of all LODs, scaled by a common factor.
    pub scaled: Option<PerLod<i32>>,
    /// The reason, if no number of bytes reaches the land impact.
    pub none: Option<BytesInfeasible>,
}

/// The reason why no number of bytes reaches a land impact.
///
/// # Examples
/// ```
/// # use lodger_core::cost::{physics::*, streaming::*};
/// # use lodger_opensim::pricing::*;
/// // The physics of the document's duck costs 13 whatever its bytes.
/// let hulls = ConvexDecomposition::new([256, 67])?;
/// let sizes = PerLod { high: 9000, ..PerLod::default() };
/// let duck = MeshInputs::from_lod_bytes(sizes).with_shapes(Some(hulls), None);
/// let usage = MeshUse { shape: ShapeType::Prim, ..MeshUse::default() };
/// let limits = Pricer::new(StreamingRules::VIEWER)?.limits_for(&duck, &usage, 4)?;
/// let reason = limits.bytes.none.ok_or("feasible")?;
/// assert!(matches!(reason, BytesInfeasible::OtherWeight { weight: 13.0, land_impact: 4, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BytesInfeasible {
    /// Another weight than streaming is too high.
    OtherWeight {
        /// The weight.
        which: ObjectWeight,
        /// Value of the weight.
        weight: f64,
        /// Requested land impact.
        land_impact: u32,
    },
    /// Empty LODs are too expensive.
    EvenEmpty {
        /// Requested land impact.
        land_impact: u32,
    },
}

impl fmt::Display for BytesInfeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherWeight { which, weight, land_impact } => write!(
                f,
                "at this size {which} weighs {weight:.3} whatever the bytes, too much for {land_impact}"
            ),
            Self::EvenEmpty { land_impact } => {
                write!(f, "even empty LODs cost more than {land_impact} at this size")
            }
        }
    }
}

fn byte_limits(sizes: &SizedMesh<'_>, price: &MeshPrice, land_impact: u32) -> ByteLimits {
    let limit = greatest_weight::<f64>(land_impact);
    let others = [
        (price.assessment.physics, ObjectWeight::Physics),
        (price.assessment.server, ObjectWeight::Server),
    ];
    if let Some((weight, which)) = others.into_iter().find(|(weight, _)| *weight > limit) {
        let none = Some(BytesInfeasible::OtherWeight { which, weight, land_impact });
        return ByteLimits { each: PerLod::default(), scaled: None, none };
    }
    let (streaming, radius) = (sizes.pricing.meshes(), price.scale.radius());
    let each = streaming.room(radius, sizes.mesh.mesh.sizes, limit);
    let scaled = streaming.resized(radius, sizes.mesh.mesh.sizes, limit);
    let possible = scaled.is_some() || each.to_array().iter().any(Option::is_some);
    ByteLimits {
        each,
        scaled,
        none: (!possible).then_some(BytesInfeasible::EvenEmpty { land_impact }),
    }
}

/// The maximum size of a mesh.
///
/// # Examples
/// ```
/// # use lodger_core::cost::{ObjectScale, streaming::*};
/// # use lodger_opensim::pricing::*;
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let limits = viewer.limits_for(&mesh, &MeshUse::default(), 4)?.size;
/// let Reach::UpTo(scale) = limits.reach else { return Err("no limit".into()) };
/// let largest = MeshUse { scale, ..MeshUse::default() };
/// assert_eq!(viewer.mesh(&mesh, &largest)?.assessment.land_impact.value, 4);
/// assert!(scale.longest() < 20.0 && limits.all_smaller);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SizeLimits {
    /// Maximum scale of the same proportions, in metres.
    pub reach: Reach<ObjectScale<f64>>,
    /// Whether all smaller sizes are within the land impact.
    pub all_smaller: bool,
}

fn size_limits(sizes: SizedMesh<'_>, land_impact: u32) -> Result<SizeLimits, PricingError> {
    let search = SizeSearch { sizes, limit: greatest_weight(land_impact) };
    let (reach, longest) = match search.greatest()? {
        Reach::Never => (Reach::Never, largest()),
        Reach::Always => (Reach::Always, largest()),
        Reach::UpTo(longest) => (Reach::UpTo(sizes.scale(longest)?), longest),
    };
    Ok(SizeLimits { reach, all_smaller: search.holds_below(longest)? })
}

/// Number of halvings after which no number is left between two others.
const HALVINGS: u32 = 64;
/// Minimum size in metres; smaller sizes cost the same, as no area is below 1 m².
const SMALLEST: f64 = 1e-6;

/// Search for the maximum size within a land impact.
///
/// Each weight is monotone between neighbouring break points of the streaming curve and the flip of the physics, so
/// the sizes within the limit are a range that begins or ends at such a point.
#[derive(Clone, Copy, Debug)]
struct SizeSearch<'a> {
    sizes: SizedMesh<'a>,
    limit: f64,
}

impl SizeSearch<'_> {
    fn greatest(&self) -> Result<Reach<f64>, PricingError> {
        let mut upper = largest();
        if self.is_within(upper)? == [true; 3] {
            return Ok(Reach::Always);
        }
        for lower in self.turns() {
            if let Some(longest) = self.greatest_between(lower, upper)? {
                return Ok(Reach::UpTo(longest));
            }
            upper = lower;
        }
        Ok(Reach::Never)
    }

    /// Whether all sizes below `longest` are within the limit, which holds if the turns are.
    fn holds_below(&self, longest: f64) -> Result<bool, PricingError> {
        for turn in self.turns().into_iter().filter(|turn| *turn < longest) {
            if self.is_within(turn)? != [true; 3] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sizes at which a weight may turn, largest first.
    fn turns(&self) -> Vec<f64> {
        let scale = self.sizes.usage.scale;
        let points = self.sizes.pricing.meshes().break_points();
        let radii = points.full.into_iter().chain(points.closed).chain(points.floor);
        let per_radius = scale.longest() / scale.radius();
        let flip = self.sizes.flip();
        let mut turns: Vec<_> = radii
            .map(|radius| radius * per_radius)
            .chain([flip, flip.next_down(), SMALLEST])
            .filter(|size| (SMALLEST..largest()).contains(size))
            .collect();
        turns.sort_by(|a, b| b.total_cmp(a));
        turns
    }

    /// Whether the streaming, physics and server weights are within the limit.
    fn is_within(&self, longest: f64) -> Result<[bool; 3], PricingError> {
        let counted = self.sizes.price(longest)?.assessment;
        Ok([counted.streaming, counted.physics, counted.server].map(|weight| weight <= self.limit))
    }

    fn greatest_between(&self, lower: f64, upper: f64) -> Result<Option<f64>, PricingError> {
        let (at_lower, at_upper) = (self.is_within(lower)?, self.is_within(upper)?);
        let mut greatest = upper;
        for (weight, at_both) in at_lower.into_iter().zip(at_upper).enumerate() {
            match at_both {
                (_, true) => {}
                (true, false) => greatest = greatest.min(self.last(lower, upper, weight)?),
                (false, false) => return Ok(None),
            }
        }
        Ok((self.is_within(greatest)? == [true; 3]).then_some(greatest))
    }

    fn last(&self, mut within: f64, mut beyond: f64, weight: usize) -> Result<f64, PricingError> {
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(within, beyond);
            if !(within < middle && middle < beyond) {
                break;
            }
            if self.is_within(middle)?[weight] {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        Ok(within)
    }
}
