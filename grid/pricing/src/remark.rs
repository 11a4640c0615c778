//! What should be known about a price.

use std::fmt;

use lodger_archive::ArchiveKind;
use lodger_core::cost::Provenance;
use lodger_core::cost::physics::{Representation, ShapeType, may_be_physical};
use lodger_core::cost::streaming::MeshLod;
use lodger_mesh_asset::{Block, Error, PhysicsInputs};

use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::price::MeshPrice;

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
        error: Error,
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
        Measured::new(self).remarks(price, usage)
    }
}

impl Measured<'_> {
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
