//! Land impact: the greatest of three weights.

use super::physics::{PhysicsCost, ShapeType, linkset, penalised};
use super::simulator::{FreeScripts, ResourceCosts, SimulatorModel, region_cost, server_weight};
use super::streaming::capped;
use super::{ObjectScale, PrimKind, Provenance};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::keyword::keywords;
use crate::real::{Real, Square};

/// A weight of a linkset; of equal weights the first limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ObjectWeight {
    /// Streaming cost, "download" in viewers.
    Streaming,
    /// Physics cost, penalised when physical.
    Physics,
    /// Server weight.
    Server,
}

keywords!(ObjectWeight {
    Streaming => "streaming",
    Physics => "physics",
    Server => "server",
});

/// The number that counts against a parcel's capacity, and the weight that determines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct LandImpact {
    /// The land impact in prim equivalents.
    pub value: u32,
    /// The limiting weight; `None` under the old accounting.
    pub limited_by: Option<ObjectWeight>,
}

/// Computes the land impact of a linkset from its weights, summed over its prims.
///
/// # Formula
/// max(streaming, physics, server), rounded to the nearest whole number with halves up, at least 1. Of equal weights
/// the first is reported; NaN counts as 0.
///
/// # Source
/// Mesh physics document, region resource cost and formula, notes.
///
/// # Examples
/// ```
/// use lodger_core::cost::land_impact::{ObjectWeight, land_impact};
///
/// // The document's ten boxes, physical: 1.6267, "or 2 prims after rounding".
/// let impact = land_impact(0.6, 1.6267_f32, 0.5);
/// assert_eq!((impact.value, impact.limited_by), (2, Some(ObjectWeight::Physics)));
/// assert_eq!(land_impact(0.1_f32, 0.1, 0.1).limited_by, Some(ObjectWeight::Streaming));
/// assert_eq!(land_impact(0.1_f32, 0.1, 0.1).value, 1);
/// ```
pub fn land_impact<N: Real>(streaming: N, physics: N, server: N) -> LandImpact {
    let weights = [(streaming, ObjectWeight::Streaming), (physics, ObjectWeight::Physics)];
    let first = (N::ZERO, ObjectWeight::Streaming);
    let (weight, limited_by) = weights
        .into_iter()
        .chain([(server, ObjectWeight::Server)])
        .fold(first, |greatest, weight| if weight.0 > greatest.0 { weight } else { greatest });
    LandImpact { value: rounded(weight.to_f64()).max(1), limited_by: Some(limited_by) }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturating, and 0 for NaN
fn rounded(weight: f64) -> u32 {
    let whole = weight as u32;
    whole.saturating_add(u32::from(weight - f64::from(whole) >= 0.5))
}

/// Returns the greatest weight that rounds to a land impact, for example as the limit of
/// [`room`](super::streaming::StreamingModel::room).
///
/// # Examples
/// ```
/// use lodger_core::cost::land_impact::{greatest_weight, land_impact};
///
/// let weight = greatest_weight::<f32>(3);
/// assert_eq!(land_impact(weight, 0.0, 0.0).value, 3);
/// assert_eq!(land_impact(weight.next_up(), 0.0, 0.0).value, 4);
/// ```
#[must_use]
pub fn greatest_weight<N: Real>(land_impact: u32) -> N {
    let half = N::Square::from_f64(0.5);
    N::narrow(super::wide::<N>(land_impact) + half).next_below()
}

/// A linkset's accounting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Accounting {
    /// The old accounting: every prim counts 1.
    Old,
    /// The new accounting, by weights.
    New,
}

keywords!(Accounting { Old => "old", New => "new" });

/// A prim's values for land impact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LandImpactPart<N> {
    /// The prim's kind.
    pub kind: PrimKind,
    /// The physics shape type.
    pub shape: ShapeType,
    /// Streaming cost; [`assess`] applies the caps of plain and sculpted prims.
    pub streaming: N,
    /// Physics cost before any penalty.
    pub physics: PhysicsCost<N>,
}

/// A linkset's values for land impact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LandImpactInputs<N: Real> {
    /// The box around it, along the axes.
    pub size: ObjectScale<N>,
    /// Whether it is physical.
    pub physical: bool,
    /// Scripts in all its prims.
    pub scripts: u32,
    /// Whether the first script is free.
    pub free_scripts: FreeScripts,
    /// The constants of simulator resource cost, without which it is skipped: the document gives no values.
    pub simulator: Option<SimulatorModel<N>>,
}

/// The weights and land impact of a linkset.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Assessment<N> {
    /// The accounting that applies.
    pub accounting: Accounting,
    /// The number of prims.
    pub prims: u32,
    /// Streaming cost, summed.
    pub streaming: N,
    /// Physics cost before any penalty, summed; it [decides](super::physics::may_be_physical) whether the linkset may
    /// be physical.
    pub physics_base: N,
    /// Physics cost, penalised if physical.
    pub physics: N,
    /// The physics cost's reliability: the least certain prim's.
    pub physics_provenance: Provenance,
    /// Server weight.
    pub server: N,
    /// Simulator and region resource cost, if [requested](LandImpactInputs::simulator); land impact does not depend on them.
    pub resource: Option<ResourceCosts<N>>,
    /// The land impact.
    pub land_impact: LandImpact,
}

/// Returns a linkset's accounting: the new one if a prim is a mesh asset or has a physics shape type other than `Prim`.
///
/// # Source
/// Mesh physics document, physics resource cost, opt-in.
///
/// # Examples
/// ```
/// use lodger_core::cost::PrimKind::{Mesh, Plain};
/// use lodger_core::cost::land_impact::{Accounting, accounting};
/// use lodger_core::cost::physics::ShapeType::{ConvexHull, Prim};
///
/// assert_eq!(accounting([(Plain, Prim), (Plain, Prim)]), Accounting::Old);
/// assert_eq!(accounting([(Plain, Prim), (Plain, ConvexHull)]), Accounting::New);
/// assert_eq!(accounting([(Mesh, Prim)]), Accounting::New);
/// ```
pub fn accounting(prims: impl IntoIterator<Item = (PrimKind, ShapeType)>) -> Accounting {
    let opts_in = |(kind, shape)| kind == PrimKind::Mesh || shape != ShapeType::Prim;
    if prims.into_iter().any(opts_in) { Accounting::New } else { Accounting::Old }
}

/// Computes a linkset's weights and land impact.
///
/// # Formula
/// Each weight is summed over the prims; physics is [`penalised`] if physical. Land impact is [computed from the
/// sums](land_impact); under the old accounting it is the number of prims. A linkset is active if it is physical or has
/// a script.
///
/// # Source
/// Mesh physics document, formula, opt-in and region resource cost.
///
/// # Errors
/// [`ValueProblem::NotPositive`] without prims.
///
/// # Examples
/// ```
/// use lodger_core::cost::land_impact::{LandImpactInputs, LandImpactPart, ObjectWeight, assess};
/// use lodger_core::cost::physics::{CollisionBody, Motion, ShapeType};
/// use lodger_core::cost::simulator::{FreeScripts, SimulatorParameters, SimulatorModel};
/// use lodger_core::cost::{PrimKind, ObjectScale};
///
/// // The document's ten boxes within 3 m × 4 m × 5 m, one of type Convex ConvexHull, made physical.
/// let part = |shape| LandImpactPart {
///     kind: PrimKind::Plain,
///     shape,
///     streaming: 0.05_f32,
///     physics: CollisionBody::Simple.cost(shape, Motion::Physical),
/// };
/// let parts = [ShapeType::Prim; 9].into_iter().chain([ShapeType::ConvexHull]).map(part);
/// let size = ObjectScale::new([3.0, 4.0, 5.0])?;
/// let simulator = Some(SimulatorModel::new(SimulatorParameters::UNOFFICIAL_2011)?);
/// let free_scripts = FreeScripts::One;
/// let linkset = LandImpactInputs { size, physical: true, scripts: 0, free_scripts, simulator };
/// let counted = assess(parts, linkset)?;
/// assert!((counted.physics_base - 1.0).abs() < 1e-6);
/// assert!((counted.physics - 1.6267).abs() < 5e-5);
/// // The document counts physics alone, 2 prims; ten prims weigh 5 on the server.
/// assert_eq!(counted.server, 5.0);
/// assert_eq!(counted.land_impact.limited_by, Some(ObjectWeight::Server));
/// // Physical, so active: 0.5 × 2 for each of 10 prims.
/// assert_eq!(counted.resource.map(|costs| (costs.simulator, costs.region)), Some((10.0, 10.0)));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
pub fn assess<N: Real>(
    parts: impl IntoIterator<Item = LandImpactPart<N>, IntoIter: Clone>,
    of: LandImpactInputs<N>,
) -> Result<Assessment<N>, ValueError> {
    let parts = parts.into_iter();
    let prims = u32::try_from(parts.clone().count()).unwrap_or(u32::MAX);
    if prims == 0 {
        return Err(ValueError::new(Quantity::Prims, ValueProblem::NotPositive));
    }
    let accounting = accounting(parts.clone().map(|part| (part.kind, part.shape)));
    let streaming = linkset(parts.clone().map(|part| capped(part.kind, part.streaming)));
    let physics_base = linkset(parts.clone().map(|part| part.physics.cost));
    let physics = if of.physical { penalised(physics_base, of.size) } else { physics_base };
    let server = server_weight(prims, of.scripts, of.free_scripts);
    let resource = match of.simulator {
        Some(simulator) => {
            let simulator = simulator.cost(prims, of.physical || of.scripts > 0)?;
            Some(ResourceCosts { simulator, region: region_cost(simulator, streaming) })
        }
        None => None,
    };
    Ok(Assessment {
        accounting,
        prims,
        streaming,
        physics_base,
        physics,
        physics_provenance: parts
            .map(|part| part.physics.provenance)
            .fold(Provenance::Exact, Provenance::max),
        server,
        resource,
        land_impact: match accounting {
            Accounting::Old => LandImpact { value: prims, limited_by: None },
            Accounting::New => land_impact(streaming, physics, server),
        },
    })
}
