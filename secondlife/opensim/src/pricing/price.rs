//! The price of a mesh as an object of its own, its details and remarks, and prices at other sizes.

use std::fmt;
use std::iter::repeat_n;

use lodger_core::cost::land_impact::{Assessment, LandImpactInputs, LandImpactPart, assess};
use lodger_core::cost::physics::{
    PhysicsCost, Representation, SMALLEST_MESH_SIDE, ShapeType, may_be_physical,
};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance, REACH};
use lodger_mesh_asset::{AssetBlock, AssetError, GeometryCounts, PhysicsInputs};

use crate::archive::ArchiveKind;
use crate::pricing::PricingError;
use crate::pricing::mesh::{MeasuredMesh, MeshInputs, MeshUse};
use crate::pricing::rules::Pricer;

/// The price of a mesh as an object of its own.
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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshDetail {
    /// Price.
    pub price: MeshPrice,
    /// Contribution of each LOD to the streaming cost.
    pub lods: LodDetail,
    /// Physics cost as each shape type.
    pub choices: Vec<ShapeChoice>,
    /// Remarks on the price.
    pub notes: Vec<PriceNote>,
}

/// Contribution of each LOD to the streaming cost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LodDetail {
    /// Bytes in the file; 0 for a missing LOD.
    pub bytes: Lods<i32>,
    /// Real triangles and vertices; `None` for a LOD that is missing, cannot be decoded or was not counted.
    pub geometry: Lods<Option<GeometryCounts>>,
    /// Whether the triangles of any LOD were counted.
    pub is_counted: bool,
    /// Triangles that are charged.
    pub triangles: Lods<f64>,
    /// Share of the cost, 0 to 1.
    pub share: Lods<f64>,
    /// Distance in metres from which the LOD is shown.
    pub begins: Lods<f64>,
    /// Share of the region's area in which the LOD is shown, 0 to 1.
    pub area: Lods<f64>,
}

impl Pricer {
    /// Prices a mesh as an object of its own.
    ///
    /// # Errors
    /// The errors of [`MeshInputs::physics_cost`], and [`ArchiveError::Refused`] for a use with 0 meshes.
    pub fn mesh(&self, mesh: &MeshInputs, usage: &MeshUse) -> Result<MeshPrice, PricingError> {
        self.price_measured(&MeasuredMesh::new(mesh), usage)
    }

    /// Prices a mesh, reusing its last measurement.
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

    /// Contribution of each LOD of a mesh at a scale.
    #[must_use]
    pub fn lods(&self, mesh: &MeshInputs, scale: ObjectScale<f64>) -> LodDetail {
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

/// The physics cost of a mesh as one shape type.
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

/// Collision geometry of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionGeometry {
    /// None.
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
    /// Physics cost before any penalty; 0 and estimated if the shapes are unknown. The type `PrimRecord` measures the physics
    /// mesh.
    ///
    /// # Errors
    /// [`ArchiveError::Asset`] for a corner of the physics mesh outside of the range of core, or an invalid cost in the file.
    pub fn physics_cost(
        &self,
        scale: ObjectScale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, PricingError> {
        MeasuredMesh::new(self).physics_cost(scale, shape, physical)
    }

    /// Physics cost as each valid shape type; empty if the shapes are unknown.
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

/// A remark on a price.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PriceNote {
    /// The high LOD is missing: streaming costs nothing, and uploads reject the mesh.
    NoHighLod,
    /// The shapes are unknown, and physics costs nothing.
    PhysicsUnknown,
    /// The file has no hull; a hull around this block costs at most the counted amount.
    HullToBeMade(AssetBlock),
    /// There is neither a decomposition nor a physics mesh: the shape type `PrimRecord` is rejected, and the hull counts.
    PrimRefused,
    /// The object is physical, but its physics cost is too high for that.
    TooMuchToBePhysical {
        /// Cost before any penalty.
        cost: f64,
    },
    /// Some LODs cannot be decoded, so their triangles are unknown; the price depends on their bytes and is correct.
    NotDecoded {
        /// The LODs, lowest first.
        lods: Vec<MeshLod>,
        /// Error of the first of them.
        error: AssetError,
    },
    /// Number of parts that are plants, whose streaming and physics cost nothing: no document states their triangles.
    Plants(usize),
    /// Number of parts with an unknown shape, priced as the most expensive prim.
    UnknownShapes(usize),
    /// Objects nested in other objects, which cost nothing.
    Stowed {
        /// Number of objects.
        objects: usize,
        /// Kind of the archive.
        kind: ArchiveKind,
    },
}

impl fmt::Display for PriceNote {
    /// The remark on a mesh that is an object of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHighLod => {
                f.write_str("no high LOD: streaming counts nothing, and no upload takes it")
            }
            Self::PhysicsUnknown => f.write_str("physics is not known and counts nothing"),
            Self::HullToBeMade(block) => write!(
                f,
                "no hull in the file: one around {block} would cost at most what is counted"
            ),
            Self::PrimRefused => f.write_str(
                "neither decomposition nor physics mesh: the shape type prim is refused, and the \
                 hull counts",
            ),
            Self::TooMuchToBePhysical { cost } => {
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
            Self::Stowed { objects, kind } => {
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
    /// The remark on a linkset.
    #[must_use]
    pub fn on_linkset(&self) -> String {
        match self {
            Self::TooMuchToBePhysical { cost } => {
                format!("it is physical, but its physics cost of {cost:.3} is too much")
            }
            other => other.to_string(),
        }
    }

    /// Whether the remark is shown once for an archive, not for each object.
    #[must_use]
    pub const fn is_common(&self) -> bool {
        matches!(self, Self::Plants(_) | Self::UnknownShapes(_) | Self::Stowed { .. })
    }

    /// The remark on a physical object that costs too much, if it applies.
    pub(crate) fn on_motion(physical: bool, cost: f64) -> Option<Self> {
        (physical && !may_be_physical(cost)).then_some(Self::TooMuchToBePhysical { cost })
    }
}

impl MeasuredMesh<'_> {
    /// See [`MeshInputs::shape_choices`].
    pub(crate) fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        let Some(inputs) = &self.mesh.physics else {
            return Vec::new();
        };
        let choice = |shape| {
            let physics = self.physics_cost(usage.scale, shape, usage.physical).ok()?;
            let (chosen, made_of) = (shape == usage.shape, geometry(inputs, &physics));
            Some(ShapeChoice { shape, chosen, physics, geometry: made_of })
        };
        let shapes = [ShapeType::ConvexHull, ShapeType::Prim, ShapeType::None];
        shapes.into_iter().filter_map(choice).collect()
    }

    /// Remarks on the price.
    pub(crate) fn notes(&self, price: &MeshPrice, usage: &MeshUse) -> Vec<PriceNote> {
        let mut remarks = Vec::new();
        if self.mesh.sizes.high <= 0 {
            remarks.push(PriceNote::NoHighLod);
        }
        match &self.mesh.physics {
            None if usage.shape == ShapeType::None => {}
            None => remarks.push(PriceNote::PhysicsUnknown),
            Some(physics) => remarks.extend(self.on_physics(physics, price, usage)),
        }
        remarks.extend(PriceNote::on_motion(usage.physical, price.assessment.physics_base));
        if let Some(geometry) = &self.mesh.geometry
            && let Some(error) = geometry.error.clone()
        {
            remarks.push(PriceNote::NotDecoded { lods: geometry.not_decoded.clone(), error });
        }
        remarks
    }

    fn on_physics(
        &self,
        physics: &PhysicsInputs,
        price: &MeshPrice,
        usage: &MeshUse,
    ) -> Vec<PriceNote> {
        let mut remarks = Vec::new();
        if let Some(block) = physics.hull_made_from
            && price.physics.representation == Representation::Hull
            && price.physics.provenance == Provenance::Estimated
        {
            remarks.push(PriceNote::HullToBeMade(block));
        }
        if usage.shape == ShapeType::Prim && self.rejects_prim(physics, price.scale) {
            remarks.push(PriceNote::PrimRefused);
        }
        remarks
    }
}

/// Maximum size in metres that core accepts.
pub(crate) fn largest() -> f64 {
    f64::from(REACH)
}

/// One use of a mesh at any size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizedMesh<'a> {
    pub(crate) pricing: &'a Pricer,
    pub(crate) mesh: &'a MeasuredMesh<'a>,
    pub(crate) usage: &'a MeshUse,
}

impl<'a> SizedMesh<'a> {
    /// A use of a mesh.
    ///
    /// # Errors
    /// [`ArchiveError::NoExtent`] for a scale without proportions.
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

    /// The scale at a size.
    pub(crate) fn scale(&self, size: f64) -> Result<ObjectScale<f64>, lodger_core::ValueError> {
        let longest = self.usage.scale.longest();
        ObjectScale::new(self.usage.scale.sides().map(|side| size * (side / longest)))
    }

    /// Prices the mesh at a size.
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
