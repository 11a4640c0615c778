//! What a mesh costs as an object of its own, how that comes about, and at any size of the same proportions.

use std::fmt;
use std::iter::repeat_n;

use lodger_core::cost::land_impact::{Assessment, Linkset, Part, assess};
use lodger_core::cost::physics::{
    PhysicsCost, Representation, SMALLEST_MESH_SIDE, ShapeType, may_be_physical,
};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance, REACH};
use lodger_mesh_asset::{Block, Counts, Error as AssetError, PhysicsInputs};

use crate::archive::ArchiveKind;
use crate::pricing::error::Error;
use crate::pricing::mesh::{MeasuredMesh, Mesh, MeshUse};
use crate::pricing::rules::Pricing;

/// What a mesh costs as an object of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshPrice {
    /// The sides of the object in metres.
    pub scale: ObjectScale<f64>,
    /// How far its streaming weight can be trusted: as far as the rules.
    pub streaming_provenance: Provenance,
    /// The physics of one such mesh, before any penalty.
    pub physics: PhysicsCost<f64>,
    /// Its weights and what they come to.
    pub assessment: Assessment<f64>,
}

impl Pricing {
    /// What a mesh costs as an object of its own.
    ///
    /// # Errors
    /// The errors of [`Mesh::physics_cost`], and [`Error::Refused`] for a use of no mesh.
    pub fn mesh(&self, mesh: &Mesh, usage: &MeshUse) -> Result<MeshPrice, Error> {
        self.measured(&MeasuredMesh::new(mesh), usage)
    }

    /// What a mesh costs that may have been measured already.
    pub(crate) fn measured(
        &self,
        mesh: &MeasuredMesh<'_>,
        usage: &MeshUse,
    ) -> Result<MeshPrice, Error> {
        let MeshUse { scale, shape, physical, scripts, prims } = *usage;
        let physics = mesh.physics_cost(scale, shape, physical)?;
        let streaming = self.meshes().cost(scale.radius(), mesh.mesh.sizes);
        let part = Part { kind: PrimKind::Mesh, shape, streaming, physics };
        let (free_scripts, simulator) = (FreeScripts::One, self.simulator().copied());
        let linkset = Linkset { size: scale, physical, scripts, free_scripts, simulator };
        let assessment = assess(repeat_n(part, prims as usize), linkset)?;
        let streaming_provenance = self.rules().provenance;
        Ok(MeshPrice { scale, streaming_provenance, physics, assessment })
    }
}

/// What a mesh costs as an object of its own, and how that comes about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshDetail {
    /// What it costs.
    pub price: MeshPrice,
    /// What each LOD contributes to the streaming cost.
    pub lods: LodDetail,
    /// What it would be as each shape type.
    pub choices: Vec<ShapeChoice>,
    /// What should be known about the price.
    pub remarks: Vec<Remark>,
}

impl Pricing {
    /// What a mesh costs as an object of its own, and how that comes about.
    ///
    /// # Errors
    /// Those of [`Pricing::mesh`].
    pub fn mesh_in_detail(&self, mesh: &Mesh, usage: &MeshUse) -> Result<MeshDetail, Error> {
        let measured = MeasuredMesh::new(mesh);
        let price = self.measured(&measured, usage)?;
        Ok(MeshDetail {
            price,
            lods: self.lods(mesh, usage.scale),
            choices: measured.shape_choices(usage),
            remarks: measured.remarks(&price, usage),
        })
    }
}

/// What each LOD contributes to the streaming cost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LodDetail {
    /// Bytes in the file; 0 if it is missing.
    pub bytes: Lods<i32>,
    /// The triangles and vertices that it really has; `None` for one that is missing, cannot be decoded
    /// or was not counted.
    pub geometry: Lods<Option<Counts>>,
    /// Whether that was counted of any.
    pub is_counted: bool,
    /// Triangles that it is charged for.
    pub triangles: Lods<f64>,
    /// The part of the cost that it is responsible for, 0 to 1.
    pub share: Lods<f64>,
    /// Metres from which on it is shown.
    pub begins: Lods<f64>,
    /// The part of the region in which it is shown, 0 to 1.
    pub area: Lods<f64>,
}

impl Pricing {
    /// What each LOD of a mesh contributes at a scale.
    #[must_use]
    pub fn lods(&self, mesh: &Mesh, scale: ObjectScale<f64>) -> LodDetail {
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

/// What a mesh would be as some shape type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeChoice {
    /// The shape type.
    pub shape: ShapeType,
    /// Whether it is the one that counts.
    pub chosen: bool,
    /// The cost, before any penalty.
    pub physics: PhysicsCost<f64>,
    /// What it collides as.
    pub made_of: MadeOf,
}

impl fmt::Display for ShapeChoice {
    /// What it collides as, and how far its cost can be trusted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made_of.fmt(f)?;
        match self.made_of {
            MadeOf::Nothing => Ok(()),
            _ => write!(f, ", {}", self.physics.provenance),
        }
    }
}

/// What a mesh collides as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeOf {
    /// Nothing.
    Nothing,
    /// The hull around it.
    Hull {
        /// Its vertices.
        vertices: u16,
    },
    /// The hulls of its decomposition.
    Hulls {
        /// How many there are.
        count: u16,
        /// Their vertices together.
        vertices: u32,
    },
    /// Its physics mesh.
    Mesh,
}

impl fmt::Display for MadeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing to collide with"),
            Self::Hull { vertices } => write!(f, "hull of {vertices} vertices"),
            Self::Hulls { count, vertices } => write!(f, "{count} hulls with {vertices} vertices"),
            Self::Mesh => f.write_str("physics mesh"),
        }
    }
}

impl Mesh {
    /// The physics cost, before any penalty; 0 and estimated where no shapes are known. For the type
    /// `Prim` the physics mesh is measured.
    ///
    /// # Errors
    /// [`Error::Asset`] for a corner of the physics mesh beyond core's reach, or a cost in the file that
    /// is no number.
    pub fn physics_cost(
        &self,
        scale: ObjectScale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, Error> {
        MeasuredMesh::new(self).physics_cost(scale, shape, physical)
    }

    /// What it would be as each shape type that it can be priced as; nothing where no shapes are known.
    #[must_use]
    pub fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        MeasuredMesh::new(self).shape_choices(usage)
    }
}

impl MeasuredMesh<'_> {
    /// See [`Mesh::shape_choices`].
    pub(crate) fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        let Some(inputs) = &self.mesh.physics else {
            return Vec::new();
        };
        let choice = |shape| {
            let physics = self.physics_cost(usage.scale, shape, usage.physical).ok()?;
            let (chosen, made_of) = (shape == usage.shape, made_of(inputs, &physics));
            Some(ShapeChoice { shape, chosen, physics, made_of })
        };
        let shapes = [ShapeType::ConvexHull, ShapeType::Prim, ShapeType::None];
        shapes.into_iter().filter_map(choice).collect()
    }
}

fn made_of(inputs: &PhysicsInputs, physics: &PhysicsCost<f64>) -> MadeOf {
    match (physics.representation, inputs.decomposition) {
        (Representation::None, _) => MadeOf::Nothing,
        (Representation::Decomposition, Some(hulls)) => {
            MadeOf::Hulls { count: hulls.count(), vertices: hulls.vertices() }
        }
        (Representation::Mesh, _) => MadeOf::Mesh,
        _ => MadeOf::Hull { vertices: inputs.hull.vertices() },
    }
}

/// What should be known about a price.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Remark {
    /// There is no high LOD: streaming counts nothing, and no upload takes it.
    NoHighLod,
    /// No shapes are known, and physics counts nothing.
    PhysicsUnknown,
    /// There is no hull in the file: one around this block would cost at most what is counted.
    HullToBeMade(Block),
    /// There is neither a decomposition nor a physics mesh: the shape type `Prim` is refused, and the
    /// hull counts.
    PrimRefused,
    /// It moves by physics, but its physics cost is too much for that.
    TooMuchToBePhysical {
        /// The cost, before any penalty.
        cost: f64,
    },
    /// The triangles of some LODs are not known, for they cannot be decoded. The price is right all the
    /// same: it depends on their bytes.
    NotDecoded {
        /// Which ones, from the lowest to the highest.
        lods: Vec<MeshLod>,
        /// Why the first of them cannot be decoded.
        error: AssetError,
    },
    /// So many parts are plants, which count nothing in streaming and physics: no document states their
    /// triangles.
    Plants(usize),
    /// So many parts have a shape of no known kind, and are priced as the heaviest prim there is.
    UnknownShapes(usize),
    /// So many objects are inside other objects, where they cost nothing.
    Stowed {
        /// How many.
        objects: usize,
        /// What the others are in.
        kind: ArchiveKind,
    },
}

impl fmt::Display for Remark {
    /// As of a mesh that is an object of its own.
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

impl Remark {
    /// As it is told of a linkset.
    #[must_use]
    pub fn on_linkset(&self) -> String {
        match self {
            Self::TooMuchToBePhysical { cost } => {
                format!("it is physical, but its physics cost of {cost:.3} is too much")
            }
            other => other.to_string(),
        }
    }

    /// Whether it is better told of an archive than of each object.
    #[must_use]
    pub const fn is_common(&self) -> bool {
        matches!(self, Self::Plants(_) | Self::UnknownShapes(_) | Self::Stowed { .. })
    }

    /// That something physical costs too much for that, if it does.
    pub(crate) fn on_motion(physical: bool, cost: f64) -> Option<Self> {
        (physical && !may_be_physical(cost)).then_some(Self::TooMuchToBePhysical { cost })
    }
}

impl Mesh {
    /// What should be known about its price.
    #[must_use]
    pub fn remarks(&self, price: &MeshPrice, usage: &MeshUse) -> Vec<Remark> {
        MeasuredMesh::new(self).remarks(price, usage)
    }
}

impl MeasuredMesh<'_> {
    /// See [`Mesh::remarks`].
    pub(crate) fn remarks(&self, price: &MeshPrice, usage: &MeshUse) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if self.mesh.sizes.high <= 0 {
            remarks.push(Remark::NoHighLod);
        }
        match &self.mesh.physics {
            None if usage.shape == ShapeType::None => {}
            None => remarks.push(Remark::PhysicsUnknown),
            Some(physics) => remarks.extend(self.on_physics(physics, price, usage)),
        }
        remarks.extend(Remark::on_motion(usage.physical, price.assessment.physics_base));
        if let Some(geometry) = &self.mesh.geometry
            && let Some(error) = geometry.error.clone()
        {
            remarks.push(Remark::NotDecoded { lods: geometry.not_decoded.clone(), error });
        }
        remarks
    }

    fn on_physics(
        &self,
        physics: &PhysicsInputs,
        price: &MeshPrice,
        usage: &MeshUse,
    ) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if let Some(block) = physics.hull_made_from
            && price.physics.representation == Representation::Hull
            && price.physics.provenance == Provenance::Estimated
        {
            remarks.push(Remark::HullToBeMade(block));
        }
        if usage.shape == ShapeType::Prim && self.refuses_prim(physics, price.scale) {
            remarks.push(Remark::PrimRefused);
        }
        remarks
    }
}

/// The largest size that core takes, in metres.
pub(crate) fn largest() -> f64 {
    f64::from(REACH)
}

/// One mesh in one use, at any size: the longest side in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizedMesh<'a> {
    pub(crate) pricing: &'a Pricing,
    pub(crate) mesh: &'a MeasuredMesh<'a>,
    pub(crate) usage: &'a MeshUse,
}

impl<'a> SizedMesh<'a> {
    /// The sizes of a mesh.
    ///
    /// # Errors
    /// [`Error::NoExtent`] for a scale without proportions.
    pub(crate) fn new(
        pricing: &'a Pricing,
        mesh: &'a MeasuredMesh<'a>,
        usage: &'a MeshUse,
    ) -> Result<Self, Error> {
        if usage.scale.longest() > 0.0 {
            Ok(Self { pricing, mesh, usage })
        } else {
            Err(Error::NoExtent)
        }
    }

    /// The scale of that size.
    pub(crate) fn scale(&self, size: f64) -> Result<ObjectScale<f64>, lodger_core::Error> {
        let longest = self.usage.scale.longest();
        ObjectScale::new(self.usage.scale.sides().map(|side| size * (side / longest)))
    }

    /// What the mesh costs at that size.
    pub(crate) fn price(&self, size: f64) -> Result<MeshPrice, Error> {
        let usage = MeshUse { scale: self.scale(size)?, ..*self.usage };
        self.pricing.measured(self.mesh, &usage)
    }

    /// The size at which the shortest side is as long as a physics mesh needs.
    pub(crate) fn flip(&self) -> f64 {
        let scale = self.usage.scale;
        SMALLEST_MESH_SIDE * (scale.longest() / scale.shortest())
    }
}
