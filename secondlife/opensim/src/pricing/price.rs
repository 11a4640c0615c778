//! The price of a mesh as an object of its own, its details and notes, and prices at other sizes.

use std::fmt;
use std::iter::repeat_n;

use lodger_core::cost::land_impact::{Assessment, LandImpactInputs, LandImpactPart, assess};
use lodger_core::cost::physics::{
    PhysicsCost, Representation, SMALLEST_MESH_SIDE, ShapeType, may_be_physical,
};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::{MeshLod, PerLod};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance, REACH};
use lodger_mesh_asset::{AssetBlock, AssetError, GeometryCounts, PhysicsInputs};

use crate::archive::ArchiveKind;
use crate::pricing::PricingError;
use crate::pricing::mesh::{MeasuredMesh, MeshInputs, MeshUse};
use crate::pricing::rules::Pricer;

/// The price of a mesh as an object of its own.
///
/// # Examples
/// ```
/// use lodger_core::cost::land_impact::ObjectWeight;
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
///
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let three = MeshUse { prims: 3, ..MeshUse::default() };
/// let price = Pricer::new(StreamingRules::VIEWER)?.mesh(&mesh, &three)?;
/// assert_eq!((price.assessment.prims, price.assessment.server), (3, 1.5));
/// assert_ne!(price.assessment.land_impact.limited_by, Some(ObjectWeight::Physics));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshPrice {
    /// Sides of the object in metres.
    pub scale: ObjectScale<f64>,
    /// Provenance of the streaming weight: the provenance of the rules.
    pub streaming_provenance: Provenance,
    /// Physics cost of one such mesh, before any penalty.
    pub physics: PhysicsCost<f64>,
    /// Weights and land impact.
    pub assessment: Assessment<f64>,
}

/// The price of a mesh as an object of its own, with details.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, PriceNote, Pricer};
///
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, ..PerLod::default() });
/// let detail = Pricer::new(StreamingRules::VIEWER)?.mesh_in_detail(&mesh, &MeshUse::default())?;
/// // "The highest LOD must be specified."
/// assert_eq!(detail.notes, [PriceNote::NoHighLod, PriceNote::PhysicsUnknown]);
/// assert_eq!(detail.price.assessment.streaming, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshDetail {
    /// Price of the mesh.
    pub price: MeshPrice,
    /// Contribution of each LOD to the streaming cost.
    pub lods: LodDetail,
    /// Physics cost as each shape type.
    pub choices: Vec<ShapeChoice>,
    /// Notes on the price.
    pub notes: Vec<PriceNote>,
}

/// The contribution of each LOD to the streaming cost.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
///
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// // The document's object "with a bounding box R of 10m": 42 m, 166.67 m and 333.3 m.
/// let usage = MeshUse { scale: ObjectScale::new([12.0, 16.0, 0.0])?, ..MeshUse::default() };
/// let lods = Pricer::new(StreamingRules::VIEWER)?.mesh_in_detail(&mesh, &usage)?.lods;
/// assert_eq!(lods.begins.map(|metres| metres.round()).to_array(), [333.0, 167.0, 42.0, 0.0]);
/// assert!((lods.share.to_array().iter().sum::<f64>() - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LodDetail {
    /// Bytes in the file; 0 for a missing LOD.
    pub bytes: PerLod<i32>,
    /// Real triangles and vertices; `None` for a LOD that is missing, cannot be decoded or was not counted.
    pub geometry: PerLod<Option<GeometryCounts>>,
    /// Whether the triangles of any LOD were counted.
    pub is_counted: bool,
    /// Triangles that are charged.
    pub triangles: PerLod<f64>,
    /// Share of the cost, 0 to 1.
    pub share: PerLod<f64>,
    /// Distance in metres from which the LOD is shown.
    pub begins: PerLod<f64>,
    /// Share of the region's area in which the LOD is shown, 0 to 1.
    pub area: PerLod<f64>,
}

impl Pricer {
    /// Prices a mesh as an object of its own.
    ///
    /// # Errors
    /// The errors of [`MeshInputs::physics_cost`], and [`PricingError::Invalid`] for a use with 0 meshes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::{ObjectScale, streaming::{PerLod, StreamingRules}};
    /// # use lodger_opensim::pricing::*;
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let large = MeshUse { scale: ObjectScale::new([20.0; 3])?, ..MeshUse::default() };
    /// assert_eq!(viewer.mesh(&mesh, &large)?.assessment.land_impact.value, 12);
    /// assert!(viewer.mesh(&mesh, &MeshUse { prims: 0, ..large }).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mesh(&self, mesh: &MeshInputs, usage: &MeshUse) -> Result<MeshPrice, PricingError> {
        self.price_measured(&MeasuredMesh::new(mesh), usage)
    }

    pub(crate) fn price_measured(
        &self,
        mesh: &MeasuredMesh<'_>,
        usage: &MeshUse,
    ) -> Result<MeshPrice, PricingError> {
        let MeshUse { scale, shape, physical, scripts, prims } = *usage;
        let physics = mesh.physics_cost(scale, shape, physical)?;
        let streaming = self.meshes().cost(scale.radius(), mesh.mesh.sizes);
        let part = LandImpactPart { kind: PrimKind::Mesh, shape, streaming, physics };
        let (free_scripts, simulator) = (FreeScripts::One, self.simulator().copied());
        let linkset = LandImpactInputs { size: scale, physical, scripts, free_scripts, simulator };
        let assessment = assess(repeat_n(part, prims as usize), linkset)?;
        let streaming_provenance = self.rules().provenance;
        Ok(MeshPrice { scale, streaming_provenance, physics, assessment })
    }

    /// Prices a mesh as an object of its own, with details.
    ///
    /// # Errors
    /// The errors of [`Pricer::mesh`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::{physics::*, streaming::*};
    /// # use lodger_opensim::pricing::*;
    /// let hulls = ConvexDecomposition::new([256, 67])?;
    /// let duck = MeshInputs::from_lod_bytes(PerLod::default()).with_shapes(Some(hulls), None);
    /// let detail = Pricer::new(StreamingRules::VIEWER)?.mesh_in_detail(&duck, &MeshUse::default())?;
    /// let costs: Vec<_> = detail.choices.iter().map(|choice| (choice.shape, choice.physics.cost)).collect();
    /// assert_eq!(costs[1..], [(ShapeType::Prim, 13.0), (ShapeType::None, 0.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mesh_in_detail(
        &self,
        mesh: &MeshInputs,
        usage: &MeshUse,
    ) -> Result<MeshDetail, PricingError> {
        let measured = MeasuredMesh::new(mesh);
        let price = self.price_measured(&measured, usage)?;
        Ok(MeshDetail {
            price,
            lods: self.lods(mesh, usage.scale),
            choices: measured.shape_choices(usage),
            notes: measured.notes(&price, usage),
        })
    }

    fn lods(&self, mesh: &MeshInputs, scale: ObjectScale<f64>) -> LodDetail {
        let (streaming, radius, bytes) = (self.meshes(), scale.radius(), mesh.sizes);
        LodDetail {
            bytes,
            geometry: mesh.geometry.as_ref().map(|geometry| geometry.counts).unwrap_or_default(),
            is_counted: mesh.geometry.is_some(),
            triangles: streaming.triangles(bytes),
            share: streaming.cost_shares(radius, bytes),
            begins: streaming.transition_distances(radius),
            area: streaming.area_shares(radius),
        }
    }
}

/// The physics cost of a mesh as one shape type. The text has the collision geometry and the provenance.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::{ConvexDecomposition, ShapeType};
/// use lodger_core::cost::streaming::PerLod;
/// use lodger_opensim::pricing::{MeshInputs, MeshUse};
///
/// let hulls = ConvexDecomposition::new([256, 67])?;
/// let duck = MeshInputs::from_lod_bytes(PerLod::default()).with_shapes(Some(hulls), None);
/// let choices = duck.shape_choices(&MeshUse::default());
/// assert_eq!((choices[0].shape, choices[0].chosen), (ShapeType::ConvexHull, true));
/// assert!(choices[1].to_string().starts_with("2 hulls with 323 vertices"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeChoice {
    /// Shape type.
    pub shape: ShapeType,
    /// Whether it is the shape type of the object.
    pub chosen: bool,
    /// Cost before any penalty.
    pub physics: PhysicsCost<f64>,
    /// Collision geometry.
    pub geometry: CollisionGeometry,
}

impl fmt::Display for ShapeChoice {
    /// Collision geometry and provenance.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.geometry.fmt(f)?;
        match self.geometry {
            CollisionGeometry::Nothing => Ok(()),
            _ => write!(f, ", {}", self.physics.provenance),
        }
    }
}

/// The collision geometry of a mesh.
///
/// # Examples
/// ```
/// use lodger_opensim::pricing::CollisionGeometry;
///
/// let duck = CollisionGeometry::Hulls { count: 2, vertices: 323 };
/// assert_eq!(duck.to_string(), "2 hulls with 323 vertices");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionGeometry {
    /// No collision geometry.
    Nothing,
    /// Hull around the mesh.
    Hull {
        /// Number of vertices.
        vertices: u16,
    },
    /// Hulls of the decomposition.
    Hulls {
        /// Number of hulls.
        count: u16,
        /// Number of vertices of all hulls.
        vertices: u32,
    },
    /// Physics mesh.
    Mesh,
}

impl fmt::Display for CollisionGeometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing to collide with"),
            Self::Hull { vertices } => write!(f, "hull of {vertices} vertices"),
            Self::Hulls { count, vertices } => write!(f, "{count} hulls with {vertices} vertices"),
            Self::Mesh => f.write_str("physics mesh"),
        }
    }
}

impl MeshInputs {
    /// The physics cost before any penalty; 0 and estimated if the shapes are unknown. The type `Prim` measures the
    /// physics mesh.
    ///
    /// # Errors
    /// [`PricingError::Asset`] for a corner of the physics mesh outside of the range of lodger-core, or an invalid
    /// cost in the file.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::{ObjectScale, physics::*, streaming::PerLod};
    /// # use lodger_opensim::pricing::*;
    /// let hulls = ConvexDecomposition::new([256, 67])?;
    /// let duck = MeshInputs::from_lod_bytes(PerLod::default()).with_shapes(Some(hulls), None);
    /// let scale = ObjectScale::new([10.0; 3])?;
    /// // "Scale the duck to 10m x 10m x 10m. Its physics cost is still 13".
    /// assert_eq!(duck.physics_cost(scale, ShapeType::Prim, false)?.cost, 13.0);
    /// // "A prim with physics shape type "none" does not contribute".
    /// assert_eq!(duck.physics_cost(scale, ShapeType::None, false)?.cost, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn physics_cost(
        &self,
        scale: ObjectScale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, PricingError> {
        MeasuredMesh::new(self).physics_cost(scale, shape, physical)
    }

    /// The physics cost as each valid shape type; empty if the shapes are unknown.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::{physics::*, streaming::PerLod};
    /// # use lodger_opensim::pricing::*;
    /// let hulls = ConvexDecomposition::new([256, 67])?;
    /// let duck = MeshInputs::from_lod_bytes(PerLod::default()).with_shapes(Some(hulls), None);
    /// let choices = duck.shape_choices(&MeshUse::default());
    /// assert_eq!(choices[1].geometry, CollisionGeometry::Hulls { count: 2, vertices: 323 });
    /// let unknown = MeshInputs::from_lod_bytes(PerLod::default());
    /// assert_eq!(unknown.shape_choices(&MeshUse::default()), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        MeasuredMesh::new(self).shape_choices(usage)
    }
}

fn geometry(inputs: &PhysicsInputs, physics: &PhysicsCost<f64>) -> CollisionGeometry {
    match (physics.representation, inputs.decomposition) {
        (Representation::None, _) => CollisionGeometry::Nothing,
        (Representation::Decomposition, Some(hulls)) => {
            CollisionGeometry::Hulls { count: hulls.count(), vertices: hulls.vertices() }
        }
        (Representation::Mesh, _) => CollisionGeometry::Mesh,
        _ => CollisionGeometry::Hull { vertices: inputs.hull.vertices() },
    }
}

/// A note on a price. The text is about a mesh that is an object of its own.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::{ConvexDecomposition, ShapeType};
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, PriceNote, Pricer};
///
/// // "No linkset or prim with a pure physics resource cost exceeding 32.0 may be set physical".
/// let hulls = ConvexDecomposition::new([256; 4])?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { high: 900, ..PerLod::default() });
/// let usage = MeshUse { shape: ShapeType::Prim, physical: true, ..MeshUse::default() };
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let detail = viewer.mesh_in_detail(&mesh.with_shapes(Some(hulls), None), &usage)?;
/// assert!(matches!(detail.notes[..], [PriceNote::TooExpensiveToBePhysical { cost }] if cost > 32.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PriceNote {
    /// The high LOD is missing: streaming costs nothing, and uploads reject the mesh.
    NoHighLod,
    /// The shapes are unknown, and physics costs nothing.
    PhysicsUnknown,
    /// The file has no hull; a hull around this block costs at most the counted amount.
    HullEstimated(AssetBlock),
    /// There is neither a decomposition nor a physics mesh: the shape type `Prim` is rejected, and the hull counts.
    PrimRejected,
    /// The object is physical, but its physics cost is too high for that.
    TooExpensiveToBePhysical {
        /// Cost before any penalty.
        cost: f64,
    },
    /// Some LODs cannot be decoded, so their triangles are unknown; the price depends on their bytes and is correct.
    NotDecoded {
        /// LODs that cannot be decoded, lowest first.
        lods: Vec<MeshLod>,
        /// Error of the first LOD that cannot be decoded.
        error: AssetError,
    },
    /// Number of parts that are plants, whose streaming and physics cost nothing: no document states their triangles.
    Plants(usize),
    /// Number of parts with an unknown shape, priced as the most expensive prim.
    UnknownShapes(usize),
    /// There are objects nested in other objects, which cost nothing.
    Nested {
        /// Number of objects.
        objects: usize,
        /// Kind of the archive.
        kind: ArchiveKind,
    },
}

impl fmt::Display for PriceNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHighLod => {
                f.write_str("no high LOD: streaming counts nothing, and no upload takes it")
            }
            Self::PhysicsUnknown => f.write_str("physics is not known and counts nothing"),
            Self::HullEstimated(block) => write!(
                f,
                "no hull in the file: one around {block} would cost at most what is counted"
            ),
            Self::PrimRejected => f.write_str(
                "neither decomposition nor physics mesh: the shape type prim is refused, and the \
                 hull counts",
            ),
            Self::TooExpensiveToBePhysical { cost } => {
                write!(f, "its physics cost of {cost:.3} is too much for a physical object")
            }
            Self::NotDecoded { lods, error } => {
                let lods: Vec<_> = lods.iter().map(MeshLod::to_string).collect();
                let lods = lods.join(", ");
                write!(f, "the triangles of its {lods} LOD are not known: {error}")
            }
            Self::Plants(1) => f.write_str(
                "1 part is a plant, whose triangles no document states: it counts nothing in \
                 streaming and physics",
            ),
            Self::Plants(parts) => write!(
                f,
                "{parts} parts are plants, whose triangles no document states: they count nothing in \
                 streaming and physics"
            ),
            Self::Nested { objects, kind } => {
                let are = if *objects == 1 { "object is" } else { "objects are" };
                let place = match kind {
                    ArchiveKind::Inventory => "inside other objects of the inventory, not counted",
                    _ => "inside other objects, not in the world, and not counted",
                };
                write!(f, "{objects} {are} {place}")
            }
            Self::UnknownShapes(parts) => {
                let are = if *parts == 1 { "part is" } else { "parts are" };
                write!(
                    f,
                    "{parts} {are} of an unknown shape, priced as the most expensive prim there is"
                )
            }
        }
    }
}

impl PriceNote {
    /// The note as a text about a linkset.
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::PriceNote;
    /// let note = PriceNote::TooExpensiveToBePhysical { cost: 33.0 };
    /// assert_eq!(note.on_linkset(), "it is physical, but its physics cost of 33.000 is too much");
    /// ```
    #[must_use]
    pub fn on_linkset(&self) -> String {
        match self {
            Self::TooExpensiveToBePhysical { cost } => {
                format!("it is physical, but its physics cost of {cost:.3} is too much")
            }
            other => other.to_string(),
        }
    }

    /// Whether the note is shown once for an archive, not for each object.
    ///
    /// # Examples
    /// ```
    /// # use lodger_opensim::pricing::PriceNote;
    /// assert!(PriceNote::Plants(2).is_common());
    /// assert!(!PriceNote::NoHighLod.is_common());
    /// ```
    #[must_use]
    pub const fn is_common(&self) -> bool {
        matches!(self, Self::Plants(_) | Self::UnknownShapes(_) | Self::Nested { .. })
    }

    pub(crate) fn on_motion(physical: bool, cost: f64) -> Option<Self> {
        (physical && !may_be_physical(cost)).then_some(Self::TooExpensiveToBePhysical { cost })
    }
}

impl MeasuredMesh<'_> {
    pub(crate) fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        let Some(inputs) = &self.mesh.physics else {
            return Vec::new();
        };
        let choice = |shape| {
            let physics = self.physics_cost(usage.scale, shape, usage.physical).ok()?;
            let (chosen, geometry) = (shape == usage.shape, geometry(inputs, &physics));
            Some(ShapeChoice { shape, chosen, physics, geometry })
        };
        let shapes = [ShapeType::ConvexHull, ShapeType::Prim, ShapeType::None];
        shapes.into_iter().filter_map(choice).collect()
    }

    pub(crate) fn notes(&self, price: &MeshPrice, usage: &MeshUse) -> Vec<PriceNote> {
        let mut notes = Vec::new();
        if self.mesh.sizes.high <= 0 {
            notes.push(PriceNote::NoHighLod);
        }
        match &self.mesh.physics {
            None if usage.shape == ShapeType::None => {}
            None => notes.push(PriceNote::PhysicsUnknown),
            Some(physics) => notes.extend(self.on_physics(physics, price, usage)),
        }
        notes.extend(PriceNote::on_motion(usage.physical, price.assessment.physics_base));
        if let Some(geometry) = &self.mesh.geometry
            && let Some(error) = geometry.error.clone()
        {
            notes.push(PriceNote::NotDecoded { lods: geometry.not_decoded.clone(), error });
        }
        notes
    }

    fn on_physics(
        &self,
        physics: &PhysicsInputs,
        price: &MeshPrice,
        usage: &MeshUse,
    ) -> Vec<PriceNote> {
        let mut notes = Vec::new();
        if let Some(block) = physics.hull_source
            && price.physics.representation == Representation::Hull
            && price.physics.provenance == Provenance::Estimated
        {
            notes.push(PriceNote::HullEstimated(block));
        }
        if usage.shape == ShapeType::Prim && self.rejects_prim(physics, price.scale) {
            notes.push(PriceNote::PrimRejected);
        }
        notes
    }
}

/// Maximum size in metres.
pub(crate) fn largest() -> f64 {
    f64::from(REACH)
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SizedMesh<'a> {
    pub(crate) pricing: &'a Pricer,
    pub(crate) mesh: &'a MeasuredMesh<'a>,
    pub(crate) usage: &'a MeshUse,
}

impl<'a> SizedMesh<'a> {
    pub(crate) fn new(
        pricing: &'a Pricer,
        mesh: &'a MeasuredMesh<'a>,
        usage: &'a MeshUse,
    ) -> Result<Self, PricingError> {
        if usage.scale.longest() > 0.0 {
            Ok(Self { pricing, mesh, usage })
        } else {
            Err(PricingError::NoExtent)
        }
    }

    pub(crate) fn scale(&self, size: f64) -> Result<ObjectScale<f64>, lodger_core::ValueError> {
        let longest = self.usage.scale.longest();
        ObjectScale::new(self.usage.scale.sides().map(|side| size * (side / longest)))
    }

    pub(crate) fn price(&self, size: f64) -> Result<MeshPrice, PricingError> {
        let usage = MeshUse { scale: self.scale(size)?, ..*self.usage };
        self.pricing.price_measured(self.mesh, &usage)
    }

    /// The size at which the shortest side is the minimum of a physics mesh.
    pub(crate) fn flip(&self) -> f64 {
        let scale = self.usage.scale;
        SMALLEST_MESH_SIDE * (scale.longest() / scale.shortest())
    }
}
