//! A mesh, and how it is used.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Hull, Hulls, ShapeType, TriangleMesh};
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::{Asset, Block, Limits, PhysicsInputs};

use crate::error::Error;
use crate::geometry::LodGeometry;

/// What the cost of a mesh depends on, but for its use.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Bytes of each LOD; 0 for one that is missing.
    pub sizes: Lods<i32>,
    /// Its shapes; `None` where they are not known, and physics counts nothing.
    pub physics: Option<PhysicsInputs>,
    /// The physics mesh of a mesh that is in no file; it goes before that of `physics`.
    pub triangles: Option<TriangleMesh<f64>>,
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
        let sizes = asset.header().lod_bytes();
        Ok(Self { sizes, physics: Some(physics), triangles: None, geometry })
    }

    /// What counts of an asset.
    ///
    /// # Errors
    /// [`Error::Asset`] if its physics blocks cannot be read.
    pub fn of(asset: &Asset<'_>) -> Result<Self, Error> {
        let (sizes, physics) = (asset.header().lod_bytes(), Some(asset.physics()?));
        Ok(Self { sizes, physics, triangles: None, geometry: None })
    }

    /// A mesh of which only the bytes of its LODs are known.
    #[must_use]
    pub const fn imagined(sizes: Lods<i32>) -> Self {
        Self { sizes, physics: None, triangles: None, geometry: None }
    }

    /// The same with physics shapes: the hulls of a decomposition, and a physics mesh. A single hull is the
    /// one around the mesh, too. Otherwise the hull around the mesh is estimated as if every vertex of these
    /// shapes were on it; the hull of a mesh with finer levels may have more. Without any shape nothing changes.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::{Hulls, ShapeType};
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_pricing::{Mesh, MeshUse, Pricing};
    ///
    /// // The document's duck, whose decomposition costs 13.
    /// let sizes = Lods { lowest: 400, low: 900, medium: 2500, high: 9000 };
    /// let duck = Mesh::imagined(sizes).with_shapes(Some(Hulls::new([256, 67])?), None);
    /// let usage = MeshUse { shape: ShapeType::Prim, ..MeshUse::default() };
    /// assert_eq!(Pricing::new(Rules::VIEWER)?.mesh(&duck, &usage)?.physics.cost, 13.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_shapes(
        self,
        decomposition: Option<Hulls>,
        triangles: Option<TriangleMesh<f64>>,
    ) -> Self {
        let of_hulls = decomposition.map(|hulls| (hulls.vertices(), Block::PhysicsConvex));
        let corners = |mesh: TriangleMesh<f64>| mesh.triangles().saturating_mul(3);
        let of_mesh = triangles.map(|mesh| (corners(mesh), Block::PhysicsMesh));
        let Some((points, block)) = of_hulls.or(of_mesh) else { return self };
        let most = Hull::MOST_VERTICES;
        let Ok(hull) = Hull::new(u16::try_from(points).unwrap_or(most).min(most)) else {
            return self;
        };
        let mut physics = PhysicsInputs::new(hull, decomposition, None, None);
        let is_only_hull = decomposition.is_some_and(|hulls| hulls.count() == 1);
        physics.hull_made_from = (!is_only_hull).then_some(block);
        Self { physics: Some(physics), triangles, ..self }
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
    /// The number of such meshes in the linkset, all at one place; one that is no object has none.
    pub prims: u32,
}

impl Default for MeshUse {
    /// One cube of 1 m that collides as its hull, stands still and has no scripts.
    fn default() -> Self {
        Self {
            scale: ObjectScale::ONE,
            shape: ShapeType::default(),
            physical: false,
            scripts: 0,
            prims: 1,
        }
    }
}
