//! The way back: what a land impact allows.

use std::fmt;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::{ObjectWeight, greatest_weight};
use lodger_core::cost::streaming::{Lods, Reach};

use crate::pricing::error::Error;
use crate::pricing::mesh::{MeasuredMesh, Mesh, MeshUse};
use crate::pricing::price::{MeshDetail, MeshPrice, SizedMesh, largest};
use crate::pricing::rules::Pricing;

/// What a land impact allows a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Target {
    /// The land impact asked for.
    pub land_impact: u32,
    /// What the mesh costs as it is.
    pub now: MeshDetail,
    /// How many bytes the LODs may have at this size.
    pub bytes: ByteRoom,
    /// How large the mesh may be with the bytes it has.
    pub size: SizeRoom,
}

impl Pricing {
    /// What a land impact allows a mesh.
    ///
    /// # Errors
    /// [`Error::NoExtent`] for a scale without a side above 0, and those of [`Pricing::mesh`].
    pub fn target(&self, mesh: &Mesh, usage: &MeshUse, land_impact: u32) -> Result<Target, Error> {
        let measured = MeasuredMesh::at_many_sizes(mesh);
        let sizes = SizedMesh::new(self, &measured, usage)?;
        let now = self.mesh_in_detail(mesh, usage)?;
        let bytes = byte_room(&sizes, &now.price, land_impact);
        Ok(Target { land_impact, now, bytes, size: size_room(sizes, land_impact)? })
    }
}

/// How many bytes the LODs may have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ByteRoom {
    /// Each LOD, if the others stay as they are; `None` where not one byte is left.
    pub alone: Lods<Option<i32>>,
    /// All LODs, if each is changed by the same factor.
    pub together: Option<Lods<i32>>,
    /// Why no number of bytes comes to the land impact, if none does.
    pub none: Option<NoRoom>,
}

/// Why no number of bytes comes to a land impact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoRoom {
    /// Another weight than streaming is too much, whatever the bytes.
    OtherWeight {
        /// Which one.
        which: ObjectWeight,
        /// How much it is.
        weight: f64,
        /// The land impact.
        land_impact: u32,
    },
    /// Even empty LODs cost more.
    EvenEmpty {
        /// The land impact.
        land_impact: u32,
    },
}

impl fmt::Display for NoRoom {
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

/// The bytes that a land impact allows a mesh of that price.
fn byte_room(sizes: &SizedMesh<'_>, price: &MeshPrice, land_impact: u32) -> ByteRoom {
    let limit = greatest_weight::<f64>(land_impact);
    let fixed = [
        (price.assessment.physics, ObjectWeight::Physics),
        (price.assessment.server, ObjectWeight::Server),
    ];
    if let Some((weight, which)) = fixed.into_iter().find(|(weight, _)| *weight > limit) {
        let none = Some(NoRoom::OtherWeight { which, weight, land_impact });
        return ByteRoom { alone: Lods::default(), together: None, none };
    }
    let (streaming, radius) = (sizes.pricing.meshes(), price.scale.radius());
    let alone = streaming.room(radius, sizes.mesh.mesh.sizes, limit);
    let together = streaming.resized(radius, sizes.mesh.mesh.sizes, limit);
    let possible = together.is_some() || alone.to_array().iter().any(Option::is_some);
    ByteRoom { alone, together, none: (!possible).then_some(NoRoom::EvenEmpty { land_impact }) }
}

/// How large a mesh may be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SizeRoom {
    /// The greatest scale of the same proportions, in metres.
    pub reach: Reach<ObjectScale<f64>>,
    /// Whether all smaller sizes cost no more either.
    pub all_smaller: bool,
}

/// The sizes that a land impact allows.
fn size_room(sizes: SizedMesh<'_>, land_impact: u32) -> Result<SizeRoom, Error> {
    let search = SizeSearch::new(sizes, land_impact);
    let (reach, longest) = match search.greatest()? {
        Reach::Never => (Reach::Never, largest()),
        Reach::Always => (Reach::Always, largest()),
        Reach::UpTo(longest) => (Reach::UpTo(sizes.scale(longest)?), longest),
    };
    Ok(SizeRoom { reach, all_smaller: search.holds_below(longest)? })
}

/// Halvings after which no number is left between two others.
const HALVINGS: u32 = 64;
/// Metres: all sizes below this cost alike, for no area is less than 1 m².
const SMALLEST: f64 = 1e-6;

/// The search for the greatest size within a land impact.
///
/// Between two neighbours of the streaming curve's break points and the flip of the physics, either
/// weight is monotone: so what is within the limit is a range for each, and both begin or end there.
#[derive(Clone, Copy, Debug)]
struct SizeSearch<'a> {
    sizes: SizedMesh<'a>,
    limit: f64,
}

impl<'a> SizeSearch<'a> {
    /// The search for a land impact.
    pub(crate) fn new(sizes: SizedMesh<'a>, land_impact: u32) -> Self {
        Self { sizes, limit: greatest_weight(land_impact) }
    }

    /// The greatest longest side in metres within the limit.
    pub(crate) fn greatest(&self) -> Result<Reach<f64>, Error> {
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

    /// Whether all sizes below one are within the limit: so they are if the turns are.
    pub(crate) fn holds_below(&self, longest: f64) -> Result<bool, Error> {
        for turn in self.turns().into_iter().filter(|turn| *turn < longest) {
            if self.is_within(turn)? != [true; 3] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where either weight may turn, the greatest first; the last is the least size of all.
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

    /// Which of streaming, physics and server weight are within the limit.
    fn is_within(&self, longest: f64) -> Result<[bool; 3], Error> {
        let counted = self.sizes.price(longest)?.assessment;
        Ok([counted.streaming, counted.physics, counted.server].map(|weight| weight <= self.limit))
    }

    fn greatest_between(&self, lower: f64, upper: f64) -> Result<Option<f64>, Error> {
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

    /// The end of the range that begins at `within` and holds what is within, which `beyond` is not.
    fn last(&self, mut within: f64, mut beyond: f64, weight: usize) -> Result<f64, Error> {
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
