//! Prices of a mesh at many sizes, including the sizes at which something changes.

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
    /// [`PricingError::NoExtent`] for a scale without a side above 0, and the errors of [`Pricer::mesh`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer, SizeRange, SweepEvent};
    ///
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let points = viewer.sweep(&mesh, &MeshUse::default(), SizeRange::new(1.0, 8.0)?)?;
    /// let step = points.iter().find(|point| matches!(point.event, Some(SweepEvent::Step { .. })));
    /// assert_eq!(step.and_then(|step| step.event), Some(SweepEvent::Step { from: 1, to: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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

/// Minimum size in metres.
const SMALLEST: f64 = 1e-6;

/// A range of sizes: the longest side in metres.
///
/// # Examples
/// ```
/// use lodger_opensim::pricing::SizeRange;
///
/// let range: SizeRange = "0.1..64".parse()?;
/// assert_eq!((range.from(), range.to()), (0.1, 64.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeRange {
    from: f64,
    to: f64,
}

impl SizeRange {
    /// Creates a range in metres, both ends included.
    ///
    /// # Errors
    /// [`PricingError::SizeRange`] unless `from` is at least 0.000001 and below `to`, which is at most
    /// [`REACH`](lodger_core::cost::REACH).
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::SizeRange;
    /// assert_eq!(SizeRange::new(0.5, 16_384.0)?.to(), 16_384.0);
    /// assert!(SizeRange::new(0.5, 16_385.0).is_err());
    /// assert!(SizeRange::new(2.0, 2.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(from: f64, to: f64) -> Result<Self, PricingError> {
        if from >= SMALLEST && from < to && to <= largest() {
            Ok(Self { from, to })
        } else {
            Err(PricingError::SizeRange { smallest: SMALLEST, largest: REACH })
        }
    }

    /// The minimum size in metres, at least 0.000001.
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::SizeRange;
    /// assert_eq!(SizeRange::new(0.5, 8.0)?.from(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn from(self) -> f64 {
        self.from
    }

    /// The maximum size in metres, above the minimum.
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::SizeRange;
    /// assert_eq!(SizeRange::new(0.5, 8.0)?.to(), 8.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn to(self) -> f64 {
        self.to
    }

    /// Whether the range contains a size.
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::SizeRange;
    /// let range = SizeRange::new(0.5, 8.0)?;
    /// assert!(range.holds(8.0) && !range.holds(8.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
///
/// # Examples
/// ```
/// use lodger_opensim::pricing::SweepEvent;
///
/// assert_eq!(SweepEvent::Step { from: 1, to: 2 }.to_string(), "land impact 1 to 2");
/// ```
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

/// The reason why the curve of streaming cost bends.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::MeshLod;
/// use lodger_opensim::pricing::CurveBreak;
///
/// let bend = CurveBreak::Fills(MeshLod::Medium);
/// assert_eq!(bend.to_string(), "the medium and the high LOD fill the region");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveBreak {
    /// The ring of this LOD begins to grow from its minimum area.
    Grows(MeshLod),
    /// The ring of this LOD shrinks to its minimum area. At almost the same size the LODs above it [fill the
    /// region](Self::Fills).
    Shut(MeshLod),
    /// This LOD and higher ones fill the region.
    Fills(MeshLod),
}

impl CurveBreak {
    /// A short label for charts; `None` for a bend at almost the same size as another one.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::MeshLod;
    /// # use lodger_opensim::pricing::CurveBreak;
    /// assert_eq!(CurveBreak::Fills(MeshLod::High).label().as_deref(), Some("high LOD only"));
    /// assert_eq!(CurveBreak::Shut(MeshLod::Low).label(), None);
    /// ```
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
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer, SizeRange};
///
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let points = viewer.sweep(&mesh, &MeshUse::default(), SizeRange::new(1.0, 20.0)?)?;
/// let last = points.last().ok_or("no points")?;
/// assert_eq!((last.size, last.price.scale.sides()), (20.0, [20.0; 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepPoint {
    /// Longest side in metres.
    pub size: f64,
    /// Price of the mesh at this size.
    pub price: MeshPrice,
    /// Event at this size.
    pub event: Option<SweepEvent>,
}

impl SweepPoint {
    /// The land impact at this size.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// # use lodger_opensim::pricing::*;
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let points = viewer.sweep(&mesh, &MeshUse::default(), SizeRange::new(1.0, 20.0)?)?;
    /// assert_eq!(points.last().map(|point| point.land_impact()), Some(12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn land_impact(&self) -> u32 {
        self.price.assessment.land_impact.value
    }
}

/// Number of sizes, besides the sizes with an event.
const SAMPLES: u32 = 240;
const HALVINGS: u32 = 50;
/// Maximum change of the land impact between two samples that is refined.
const LEAP: u32 = 16;

type PriceAt<'a> = &'a dyn Fn(f64) -> Result<MeshPrice, PricingError>;

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

fn at(
    price: PriceAt<'_>,
    size: f64,
    event: Option<SweepEvent>,
) -> Result<SweepPoint, PricingError> {
    Ok(SweepPoint { size, price: price(size)?, event })
}

fn bends(sizes: &SizedMesh<'_>) -> Vec<(f64, CurveBreak)> {
    use MeshLod::{High, Low, Lowest, Medium};
    let scale = sizes.usage.scale;
    let points = sizes.pricing.meshes().break_points();
    let curve_breaks = |radii: [f64; 3], bend: fn(MeshLod) -> CurveBreak, lods: [MeshLod; 3]| {
        let size_of = move |radius: f64| scale.longest() * (radius / scale.radius());
        radii.into_iter().zip(lods).map(move |(radius, lod)| (size_of(radius), bend(lod)))
    };
    curve_breaks(points.floor, CurveBreak::Grows, [Low, Medium, High])
        .chain(curve_breaks(points.closed, CurveBreak::Shut, [Lowest, Low, Medium]))
        .chain(curve_breaks(points.full, CurveBreak::Fills, [Low, Medium, High]))
        .collect()
}

/// Prices just below and at the size at which the physics mesh replaces the hull.
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
    above.event = Some(SweepEvent::Flip);
    Ok(vec![below, above])
}

fn with_steps(
    price: PriceAt<'_>,
    points: Vec<SweepPoint>,
) -> Result<Vec<SweepPoint>, PricingError> {
    let mut all: Vec<SweepPoint> = Vec::with_capacity(points.len());
    for point in points {
        while let Some(&last) = all.last()
            && last.land_impact() != point.land_impact()
            && last.land_impact().abs_diff(point.land_impact()) <= LEAP
            && point.event != Some(SweepEvent::Flip)
            && last.size < point.size
        {
            let [below, mut step] = step(price, last, point)?;
            step.event =
                Some(SweepEvent::Step { from: last.land_impact(), to: step.land_impact() });
            all.extend([below, step]);
        }
        let repeats = all.last().is_some_and(|last| last.size >= point.size);
        if !repeats || point.event.is_some() {
            all.push(point);
        }
    }
    Ok(all)
}

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
    /// `whole` is the bounding box of the meshes at the scales of their uses; a size is its longest side. The sizes
    /// are at even steps of the logarithm, and just before and at every change of the land impact; bends and flips of
    /// single meshes are not marked. The physics of a point is the sum, with the representation of the first mesh.
    ///
    /// # Errors
    /// [`PricingError::NoExtent`] for a box without a side above 0, [`PricingError::Invalid`] without a mesh, and the
    /// errors of [`Pricer::mesh`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::ObjectScale;
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer, SizeRange};
    ///
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let two = [(&mesh, MeshUse::default()), (&mesh, MeshUse::default())];
    /// let whole = ObjectScale::new([2.0, 1.0, 1.0])?;
    /// let points = viewer.sweep_linked(&two, whole, SizeRange::new(2.0, 40.0)?)?;
    /// let one = viewer.mesh(&mesh, &MeshUse::default())?.assessment.streaming;
    /// assert_eq!(points[0].price.assessment.streaming, 2.0 * one);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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
