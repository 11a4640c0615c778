//! Cost by size: prices of a mesh at many sizes, including those at which something changes.

use std::fmt;
use std::str::FromStr;

use lodger_core::cost::land_impact::{LandImpactInputs, LandImpactPart, assess};
use lodger_core::cost::physics::{PhysicsCost, Representation, SMALLEST_MESH_SIDE};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::MeshLod;
use lodger_core::cost::{ObjectScale, PrimKind, REACH};

use crate::pricing::PricingError;
use crate::pricing::mesh::{MeasuredMesh, MeshInputs, MeshUse};
use crate::pricing::price::{MeshPrice, SizedMesh, largest};
use crate::pricing::rules::Pricer;

impl Pricer {
    /// Prices a mesh at the sizes of a range, in the proportions of its scale, in order of size.
    ///
    /// The sizes are at even steps of the logarithm, at the bends of the streaming cost, and just before and at every
    /// change of the land impact and of the physics. A physics mesh of more than 1 024 triangles is measured once for
    /// all sizes, which may change the last digits of its cost.
    ///
    /// # Errors
    /// [`ArchiveError::NoExtent`] for a scale without a side above 0, and the errors of [`Pricer::mesh`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_opensim::pricing::{SweepEvent, MeshInputs, MeshUse, Pricer, SizeRange};
    ///
    /// let viewer = Pricer::new(Rules::VIEWER)?;
    /// let mesh = MeshInputs::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let points = viewer.sweep(&mesh, &MeshUse::default(), SizeRange::new(1.0, 8.0)?)?;
    /// let step = points.iter().find(|point| matches!(point.mark, Some(SweepEvent::Step { .. })));
    /// assert_eq!(step.and_then(|step| step.mark), Some(SweepEvent::Step { from: 1, to: 2 }));
    /// # Ok::<(), Box<dyn std::error::ArchiveError>>(())
    /// ```
    pub fn sweep(
        &self,
        mesh: &MeshInputs,
        usage: &MeshUse,
        range: SizeRange,
    ) -> Result<Vec<SweepPoint>, PricingError> {
        points(&SizedMesh::new(self, &MeasuredMesh::at_many_sizes(mesh), usage)?, range)
    }
}

/// Minimum size of a sweep in metres: a thousandth of a millimetre.
const SMALLEST: f64 = 1e-6;

/// A range of sizes: the longest side in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeRange {
    from: f64,
    to: f64,
}

impl SizeRange {
    /// A range in metres, both ends included.
    ///
    /// # Errors
    /// [`ArchiveError::SizeRange`] unless `from` is at least 0.000001 and below `to`, which is at most
    /// [`REACH`](lodger_core::cost::REACH).
    pub fn new(from: f64, to: f64) -> Result<Self, PricingError> {
        if from >= SMALLEST && from < to && to <= largest() {
            Ok(Self { from, to })
        } else {
            Err(PricingError::SizeRange { smallest: SMALLEST, largest: REACH })
        }
    }

    /// Minimum size in metres, at least 0.000001.
    #[must_use]
    pub const fn from(self) -> f64 {
        self.from
    }

    /// Maximum size in metres, above the minimum.
    #[must_use]
    pub const fn to(self) -> f64 {
        self.to
    }

    /// Whether the range contains a size.
    #[must_use]
    pub fn holds(self, size: f64) -> bool {
        self.from <= size && size <= self.to
    }
}

impl FromStr for SizeRange {
    type Err = PricingError;

    /// Parses a range as in `0.1..64`.
    fn from_str(text: &str) -> Result<Self, PricingError> {
        let number = |text: &str| text.trim().parse().map_err(|_| PricingError::NoSizes);
        let (from, to) = text.split_once("..").ok_or(PricingError::NoSizes)?;
        Self::new(number(from)?, number(to)?)
    }
}

/// An event at a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepEvent {
    /// The curve of streaming cost bends.
    Bend(CurveBreak),
    /// The physics mesh replaces the hull.
    Flip,
    /// The land impact changes.
    Step {
        /// Land impact below this size.
        from: u32,
        /// Land impact from this size on.
        to: u32,
    },
}

/// Reason why the curve of streaming cost bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveBreak {
    /// The ring of this LOD begins to grow from its least area.
    Grows(MeshLod),
    /// The ring of this LOD shrinks to its least area. At almost the same size the LODs above it
    /// [fill the region](Self::Fills).
    Shut(MeshLod),
    /// This LOD and higher ones fill the region.
    Fills(MeshLod),
}

impl CurveBreak {
    /// Short label for charts; `None` for a bend at almost the same size as another one.
    #[must_use]
    pub fn label(self) -> Option<String> {
        Some(match self {
            Self::Grows(lod) => format!("{lod} LOD grows"),
            Self::Fills(MeshLod::High) => "high LOD only".to_owned(),
            Self::Fills(MeshLod::Medium) => "no low LOD".to_owned(),
            Self::Fills(_) => "no lowest LOD".to_owned(),
            Self::Shut(_) => return None,
        })
    }
}

impl fmt::Display for SweepEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bend(bend) => bend.fmt(f),
            Self::Flip => write!(
                f,
                "physics flips: a hull below {SMALLEST_MESH_SIDE} m of the shortest side, a mesh from \
                 there"
            ),
            Self::Step { from, to } => write!(f, "land impact {from} to {to}"),
        }
    }
}

impl fmt::Display for CurveBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grows(MeshLod::High) => {
                f.write_str("the circle of the high LOD grows from its least area")
            }
            Self::Grows(lod) => write!(f, "the ring of the {lod} LOD grows from its least area"),
            Self::Shut(lod) => write!(f, "the ring of the {lod} LOD is down to its least area"),
            Self::Fills(MeshLod::High) => f.write_str("the high LOD fills the region"),
            Self::Fills(MeshLod::Medium) => {
                f.write_str("the medium and the high LOD fill the region")
            }
            Self::Fills(lod) => write!(f, "the {lod} LOD and higher ones fill the region"),
        }
    }
}

/// The price at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepPoint {
    /// Longest side in metres.
    pub size: f64,
    /// Price of the mesh.
    pub price: MeshPrice,
    /// Event at this size.
    pub mark: Option<SweepEvent>,
}

impl SweepPoint {
    /// Land impact at this size.
    #[must_use]
    pub const fn land_impact(&self) -> u32 {
        self.price.assessment.land_impact.value
    }
}

/// Number of evenly spaced sizes, besides those with an event.
const SAMPLES: u32 = 240;
/// Halvings to find the size at which the land impact changes.
const HALVINGS: u32 = 50;
/// Maximum change of the land impact between two samples that is refined.
const LEAP: u32 = 16;

/// Price at a size in metres.
type PriceAt<'a> = &'a dyn Fn(f64) -> Result<MeshPrice, PricingError>;

/// All points, by size.
pub(crate) fn points(
    sizes: &SizedMesh<'_>,
    range: SizeRange,
) -> Result<Vec<SweepPoint>, PricingError> {
    let price = |size| sizes.price(size);
    let mut points = samples(&price, range)?;
    for (size, bend) in bends(sizes) {
        if range.holds(size) {
            points.push(at(&price, size, Some(SweepEvent::Bend(bend)))?);
        }
    }
    points.extend(flip(sizes, range)?);
    points.sort_by(|a, b| a.size.total_cmp(&b.size));
    with_steps(&price, points)
}

fn samples(price: PriceAt<'_>, range: SizeRange) -> Result<Vec<SweepPoint>, PricingError> {
    let (from, to) = (range.from(), range.to());
    let ratio = to / from;
    let sample = |step| match step {
        0 => from,
        SAMPLES => to,
        step => from * ratio.powf(f64::from(step) / f64::from(SAMPLES)),
    };
    (0..=SAMPLES).map(|step| at(price, sample(step), None)).collect()
}

fn at(price: PriceAt<'_>, size: f64, mark: Option<SweepEvent>) -> Result<SweepPoint, PricingError> {
    Ok(SweepPoint { size, price: price(size)?, mark })
}

/// The sizes of bends.
fn bends(sizes: &SizedMesh<'_>) -> Vec<(f64, CurveBreak)> {
    use MeshLod::{High, Low, Lowest, Medium};
    let scale = sizes.usage.scale;
    let points = sizes.pricing.meshes().break_points();
    let marks = |radii: [f64; 3], bend: fn(MeshLod) -> CurveBreak, lods: [MeshLod; 3]| {
        let size_of = move |radius: f64| scale.longest() * (radius / scale.radius());
        radii.into_iter().zip(lods).map(move |(radius, lod)| (size_of(radius), bend(lod)))
    };
    marks(points.floor, CurveBreak::Grows, [Low, Medium, High])
        .chain(marks(points.closed, CurveBreak::Shut, [Lowest, Low, Medium]))
        .chain(marks(points.full, CurveBreak::Fills, [Low, Medium, High]))
        .collect()
}

/// The points just below and at the size at which the physics mesh replaces the hull; empty if it never does.
fn flip(sizes: &SizedMesh<'_>, range: SizeRange) -> Result<Vec<SweepPoint>, PricingError> {
    let mut size = sizes.flip();
    if !(range.from() < size && size <= range.to()) {
        return Ok(Vec::new());
    }
    if sizes.scale(size).is_ok_and(|scale| scale.shortest() < SMALLEST_MESH_SIDE) {
        size = size.next_up();
    }
    let price = |size| sizes.price(size);
    let (mut above, mut below) = (at(&price, size, None)?, at(&price, size.next_down(), None)?);
    let bits = |point: &SweepPoint| point.price.scale.sides().map(f64::to_bits);
    while bits(&below) == bits(&above) {
        below = at(&price, below.size.next_down(), None)?;
    }
    if above.price.physics.representation == below.price.physics.representation {
        return Ok(Vec::new());
    }
    above.mark = Some(SweepEvent::Flip);
    Ok(vec![below, above])
}

/// Adds the sizes at which the land impact changes, except for leaps.
fn with_steps(
    price: PriceAt<'_>,
    points: Vec<SweepPoint>,
) -> Result<Vec<SweepPoint>, PricingError> {
    let mut all: Vec<SweepPoint> = Vec::with_capacity(points.len());
    for point in points {
        while let Some(&last) = all.last()
            && last.land_impact() != point.land_impact()
            && last.land_impact().abs_diff(point.land_impact()) <= LEAP
            && point.mark != Some(SweepEvent::Flip)
            && last.size < point.size
        {
            let [below, mut step] = step(price, last, point)?;
            step.mark = Some(SweepEvent::Step { from: last.land_impact(), to: step.land_impact() });
            all.extend([below, step]);
        }
        let repeats = all.last().is_some_and(|last| last.size >= point.size);
        if !repeats || point.mark.is_some() {
            all.push(point);
        }
    }
    Ok(all)
}

/// The last point with the land impact of `below`, and the first one after it.
fn step(
    price: PriceAt<'_>,
    mut below: SweepPoint,
    mut above: SweepPoint,
) -> Result<[SweepPoint; 2], PricingError> {
    for _ in 0..HALVINGS {
        let middle = at(price, (below.size * above.size).sqrt(), None)?;
        if !(below.size < middle.size && middle.size < above.size) {
            break;
        }
        if middle.land_impact() == below.land_impact() {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok([below, above])
}

impl Pricer {
    /// Prices linked meshes at the sizes of a range, all scaled alike, in order of size.
    ///
    /// `whole` is their bounding box at the scales of their uses; a size is its longest side. The sizes are at even
    /// steps of the logarithm, and just before and at every change of the land impact; bends and flips of single meshes
    /// are not marked. The physics of a point is the sum, with the representation of the first mesh.
    ///
    /// # Errors
    /// [`ArchiveError::NoExtent`] for a box without a side above 0, [`ArchiveError::Refused`] without a mesh, and the errors of
    /// [`Pricer::mesh`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::ObjectScale;
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer, SizeRange};
    ///
    /// let viewer = Pricer::new(Rules::VIEWER)?;
    /// let mesh = MeshInputs::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let two = [(&mesh, MeshUse::default()), (&mesh, MeshUse::default())];
    /// let whole = ObjectScale::new([2.0, 1.0, 1.0])?;
    /// let points = viewer.sweep_linked(&two, whole, SizeRange::new(2.0, 40.0)?)?;
    /// let alone = viewer.mesh(&mesh, &MeshUse::default())?.assessment.streaming;
    /// assert_eq!(points[0].price.assessment.streaming, 2.0 * alone);
    /// # Ok::<(), Box<dyn std::error::ArchiveError>>(())
    /// ```
    pub fn sweep_linked(
        &self,
        meshes: &[(&MeshInputs, MeshUse)],
        whole: ObjectScale<f64>,
        range: SizeRange,
    ) -> Result<Vec<SweepPoint>, PricingError> {
        if whole.longest() <= 0.0 {
            return Err(PricingError::NoExtent);
        }
        let measured =
            meshes.iter().map(|(mesh, usage)| (MeasuredMesh::at_many_sizes(mesh), *usage));
        let meshes: Vec<_> = measured.collect();
        let price = |size| self.linked(&meshes, whole, size);
        with_steps(&price, samples(&price, range)?)
    }

    /// Prices linked meshes at the size of the box around them.
    fn linked(
        &self,
        meshes: &[(MeasuredMesh<'_>, MeshUse)],
        whole: ObjectScale<f64>,
        size: f64,
    ) -> Result<MeshPrice, PricingError> {
        let resized = |scale: ObjectScale<f64>| {
            ObjectScale::new(scale.sides().map(|side| size * (side / whole.longest())))
        };
        let part = |(mesh, usage): &(MeasuredMesh<'_>, MeshUse)| {
            let (scale, shape) = (resized(usage.scale)?, usage.shape);
            let physics = mesh.physics_cost(scale, shape, usage.physical)?;
            let streaming = self.meshes().cost(scale.radius(), mesh.mesh.sizes);
            Ok(LandImpactPart { kind: PrimKind::Mesh, shape, streaming, physics })
        };
        let parts = meshes.iter().map(part).collect::<Result<Vec<_>, PricingError>>()?;
        let linkset = LandImpactInputs {
            size: resized(whole)?,
            physical: meshes.iter().any(|(_, usage)| usage.physical),
            scripts: meshes.iter().fold(0, |sum, (_, usage)| sum.saturating_add(usage.scripts)),
            free_scripts: FreeScripts::One,
            simulator: self.simulator().copied(),
        };
        let assessment = assess(parts.iter().copied(), linkset)?;
        let first = parts.first().map(|part| part.physics.representation);
        Ok(MeshPrice {
            scale: linkset.size,
            streaming_provenance: self.rules().provenance,
            physics: PhysicsCost {
                cost: assessment.physics_base,
                representation: first.unwrap_or(Representation::None),
                provenance: assessment.physics_provenance,
            },
            assessment,
        })
    }
}
