//! The files that are made of an object.

use lodger_core::cost::streaming::MeshLod;
use lodger_mesh_asset::Problem;

use crate::chain::Candidate;
use crate::error::Error;
use crate::glb;
use crate::model::{Model, Object};
use crate::packing::{Packed, PackedObject};
use crate::physics::Physics;

/// A file that is made of an object: the asset, or what a viewer takes on upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectFile {
    /// The asset, as grids store it.
    Asset,
    /// A level of detail as glTF.
    Level(MeshLod),
    /// The physics shape as glTF.
    Physics,
}

impl ObjectFile {
    /// All that are made of each object.
    pub const ALL: [Self; 6] = [
        Self::Asset,
        Self::Level(MeshLod::Lowest),
        Self::Level(MeshLod::Low),
        Self::Level(MeshLod::Medium),
        Self::Level(MeshLod::High),
        Self::Physics,
    ];

    /// How its name ends, behind that of the object: as viewers match files of levels on upload.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Asset => ".llmesh",
            Self::Level(MeshLod::Lowest) => "_LOD0.glb",
            Self::Level(MeshLod::Low) => "_LOD1.glb",
            Self::Level(MeshLod::Medium) => "_LOD2.glb",
            Self::Level(MeshLod::High) => ".glb",
            Self::Physics => "_PHYS.glb",
        }
    }

    /// The bytes of that file of an object of a packed model, by its index.
    ///
    /// # Errors
    /// [`Error::Asset`]: a file of 2 GiB.
    ///
    /// # Panics
    /// If either has no such object, or one was not made of the other.
    pub fn bytes(self, model: &Model, packed: &Packed, index: usize) -> Result<Vec<u8>, Error> {
        let (object, packed) = (&model.objects[index], &packed.objects[index]);
        let bytes = match self {
            Self::Asset => Ok(packed.asset.clone()),
            Self::Level(lod) => {
                let candidate = packed.level(lod);
                let name = format!("{}{}", object.name, suffix(lod));
                glb::level_file(model, object, &candidate.level, &name)
            }
            Self::Physics => physics(object, &packed.physics),
        };
        bytes.map_err(|problem| Error::asset(&object.name, problem.into()))
    }
}

impl PackedObject {
    /// What was chosen for a level of detail.
    #[must_use]
    pub fn level(&self, lod: MeshLod) -> &Candidate {
        &self.chain.candidates()[self.picks.of(lod)]
    }
}

/// What says which level a node is.
const fn suffix(lod: MeshLod) -> &'static str {
    match lod {
        MeshLod::Lowest => "_LOD0",
        MeshLod::Low => "_LOD1",
        MeshLod::Medium => "_LOD2",
        MeshLod::High => "",
    }
}

/// What counts where the shape type is the prim's own: the hulls of a decomposition, or triangles, or else the hull
/// around everything.
fn physics(object: &Object, physics: &Physics) -> Result<Vec<u8>, Problem> {
    let name = format!("{}_PHYS", object.name);
    match &physics.mesh {
        Some(mesh) => glb::mesh_file(object, mesh, &name),
        None if physics.parts.is_empty() => {
            glb::hulls_file(object, std::slice::from_ref(&physics.bounding), &name)
        }
        None => glb::hulls_file(object, &physics.parts, &name),
    }
}
