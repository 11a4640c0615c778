//! A mesh, and how it is used.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::{Asset, Limits, PhysicsInputs};

use crate::error::Error;
use crate::geometry::LodGeometry;

/// What the cost of a mesh depends on, but for its use.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Bytes of each LOD; 0 for one that is missing.
    pub sizes: Lods<i32>,
    /// Its shapes; `None` where they are not known, and physics counts nothing.
    pub physics: Option<PhysicsInputs>,
    /// Its triangles and vertices, on which no cost depends; `None` where they were not counted.
    pub geometry: Option<LodGeometry>,
}

impl Mesh {
    /// Reads the file of an asset.
    ///
    /// # Errors
    /// [`Error::Asset`] if it is no asset, or its physics blocks cannot be read.
    pub fn read(file: &[u8], limits: Limits) -> Result<Self, Error> {
        Self::of(&Asset::parse_within(file, limits)?)
    }

    /// Reads the file of an asset, and counts the triangles and vertices of its LODs, which have to be
    /// inflated for that, each once. A LOD that cannot be decoded is no error.
    ///
    /// # Errors
    /// Those of [`Mesh::read`].
    pub fn read_counted(file: &[u8], limits: Limits) -> Result<Self, Error> {
        Self::of_counted(&Asset::parse_within(file, limits)?)
    }

    /// What counts of an asset, and its triangles and vertices.
    ///
    /// # Errors
    /// [`Error::Asset`] if its physics blocks cannot be read.
    pub fn of_counted(asset: &Asset<'_>) -> Result<Self, Error> {
        let mut counted = Vec::new();
        let physics = asset.physics_seeing(|block, lod| counted.push((block, lod.counts())))?;
        let geometry = Some(LodGeometry::beside(asset, &mut counted));
        Ok(Self { sizes: asset.header().lod_bytes(), physics: Some(physics), geometry })
    }

    /// What counts of an asset.
    ///
    /// # Errors
    /// [`Error::Asset`] if its physics blocks cannot be read.
    pub fn of(asset: &Asset<'_>) -> Result<Self, Error> {
        let (sizes, physics) = (asset.header().lod_bytes(), Some(asset.physics()?));
        Ok(Self { sizes, physics, geometry: None })
    }

    /// A mesh of which only the bytes of its LODs are known.
    #[must_use]
    pub const fn imagined(sizes: Lods<i32>) -> Self {
        Self { sizes, physics: None, geometry: None }
    }
}

/// What an asset does not say about the object that is made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshUse {
    /// The sides of the object in metres.
    pub scale: ObjectScale<f64>,
    /// Its physics shape type.
    pub shape: ShapeType,
    /// Whether it moves by physics.
    pub physical: bool,
    /// The scripts in it.
    pub scripts: u32,
}

impl Default for MeshUse {
    /// A cube of 1 m that collides as its hull, stands still and has no scripts.
    fn default() -> Self {
        Self { scale: ObjectScale::ONE, shape: ShapeType::default(), physical: false, scripts: 0 }
    }
}
