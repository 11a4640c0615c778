//! Inputs of a mesh's price, its use, and the last measurement of its physics mesh.

use std::cell::Cell;

use lodger_core::cost::physics::{
    CollisionBody, ConvexDecomposition, ConvexHull, Motion, PhysicsCost, PhysicsShapes,
    Representation, ShapeType, TriangleMesh,
};
use lodger_core::cost::streaming::{MeshLod, PerLod};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_mesh_asset::{
    Asset, AssetBlock, AssetError, AssetLimits, GeometryCounts, PhysicsInputs, PhysicsMesh,
};

use crate::pricing::PricingError;

/// The inputs of a mesh's price, except its use.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
///
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let one = MeshInputs::from_lod_bytes(PerLod { high: 9000, ..PerLod::default() });
/// let four = MeshInputs::from_lod_bytes(PerLod { lowest: 9000, low: 9000, medium: 9000, high: 9000 });
/// // "Providing identical models for every LOD results in a cost identical to providing a single LOD".
/// let streaming = |mesh| viewer.mesh(mesh, &MeshUse::default()).map(|price| price.assessment.streaming);
/// assert_eq!(streaming(&one)?, streaming(&four)?);
/// assert!(streaming(&one)? > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshInputs {
    /// Bytes of each LOD; 0 for a missing one.
    pub sizes: PerLod<i32>,
    /// Physics shapes; if `None`, they are unknown and physics costs nothing.
    pub physics: Option<PhysicsInputs>,
    /// Physics mesh of a mesh that is in no file; replaces the mesh of `physics`.
    pub triangles: Option<TriangleMesh<f64>>,
    /// Triangles and vertices, which no cost depends on; `None` if not counted.
    pub geometry: Option<LodGeometry>,
}

impl MeshInputs {
    /// Reads an asset file.
    ///
    /// # Errors
    /// [`PricingError::Asset`] if the file is no asset, or its physics blocks cannot be read.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # use lodger_opensim::pricing::MeshInputs;
    /// let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    /// let mut asset = AssetBuilder::new();
    /// asset.set_convex(&PhysicsConvex::new(&hull, &[hull])?)?.set_raw("high_lod", &[0; 500][..]);
    /// let mesh = MeshInputs::read(&asset.encode()?, AssetLimits::default())?;
    /// assert_eq!((mesh.sizes.high, mesh.physics.map(|physics| physics.hull.vertices())), (500, Some(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(file: &[u8], limits: AssetLimits) -> Result<Self, PricingError> {
        Self::from_asset(&Asset::parse_within(file, limits)?)
    }

    /// Reads the inputs of an asset, and counts the triangles and vertices of its LODs, inflating each once. A LOD that
    /// cannot be decoded is no error.
    ///
    /// # Errors
    /// [`PricingError::Asset`] if its physics blocks cannot be read.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// # use lodger_opensim::pricing::MeshInputs;
    /// # let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// # let triangle = Faces::new([Geometry::new(points, &[[0, 1, 2]])?.into()]);
    /// # let file = AssetBuilder::new().set_lod(AssetBlock::HighLod, &triangle)?.encode()?;
    /// let mesh = MeshInputs::from_asset_counted(&Asset::parse(&file)?)?;
    /// let counts = mesh.geometry.and_then(|geometry| geometry.counts.high);
    /// assert_eq!(counts.map(|counts| counts.triangles), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_asset_counted(asset: &Asset<'_>) -> Result<Self, PricingError> {
        let mut counted = Vec::new();
        let physics = asset.physics_with(|block, lod| counted.push((block, lod.counts())))?;
        let geometry = Some(LodGeometry::count(asset, &mut counted));
        let sizes = asset.header().lod_bytes();
        Ok(Self { sizes, physics: Some(physics), triangles: None, geometry })
    }

    pub(crate) fn from_asset(asset: &Asset<'_>) -> Result<Self, PricingError> {
        let (sizes, physics) = (asset.header().lod_bytes(), Some(asset.physics()?));
        Ok(Self { sizes, physics, triangles: None, geometry: None })
    }

    /// Creates a mesh of which only the LOD sizes in bytes are known.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// # use lodger_opensim::pricing::*;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let detail = Pricer::new(StreamingRules::VIEWER)?.mesh_in_detail(&mesh, &MeshUse::default())?;
    /// assert_eq!(detail.notes, [PriceNote::PhysicsUnknown]);
    /// assert_eq!(detail.lods.bytes.high, 9000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn from_lod_bytes(sizes: PerLod<i32>) -> Self {
        Self { sizes, physics: None, triangles: None, geometry: None }
    }

    /// Adds physics shapes: the hulls of a decomposition, and a physics mesh; without either nothing changes.
    ///
    /// A single hull is also the hull around the mesh. Otherwise that hull is estimated as if it had every vertex of
    /// the shapes; a mesh with finer LODs may have a larger one.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::physics::{ConvexDecomposition, ShapeType};
    /// use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
    ///
    /// // The document's duck, whose decomposition costs 13.
    /// let sizes = PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 };
    /// let hulls = ConvexDecomposition::new([256, 67])?;
    /// let duck = MeshInputs::from_lod_bytes(sizes).with_shapes(Some(hulls), None);
    /// let usage = MeshUse { shape: ShapeType::Prim, ..MeshUse::default() };
    /// assert_eq!(Pricer::new(StreamingRules::VIEWER)?.mesh(&duck, &usage)?.physics.cost, 13.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_shapes(
        self,
        decomposition: Option<ConvexDecomposition>,
        triangles: Option<TriangleMesh<f64>>,
    ) -> Self {
        let of_hulls = decomposition.map(|hulls| (hulls.vertices(), AssetBlock::PhysicsConvex));
        let corners = |mesh: TriangleMesh<f64>| mesh.triangles().saturating_mul(3);
        let outcome = triangles.map(|mesh| (corners(mesh), AssetBlock::PhysicsMesh));
        let Some((points, block)) = of_hulls.or(outcome) else { return self };
        let max = ConvexHull::MAX_VERTICES;
        let Ok(hull) = ConvexHull::new(u16::try_from(points).unwrap_or(max).min(max)) else {
            return self;
        };
        let mut physics = PhysicsInputs::new(hull, decomposition, None, None);
        let is_only_hull = decomposition.is_some_and(|hulls| hulls.count() == 1);
        physics.hull_source = (!is_only_hull).then_some(block);
        Self { physics: Some(physics), triangles, ..self }
    }
}

/// Properties of an object that its asset does not state.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_core::cost::physics::{ConvexDecomposition, ShapeType};
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
///
/// let hulls = ConvexDecomposition::new([256, 67])?;
/// let duck = MeshInputs::from_lod_bytes(PerLod::default()).with_shapes(Some(hulls), None);
/// let usage = MeshUse {
///     scale: ObjectScale::new([10.0; 3])?,
///     shape: ShapeType::Prim,
///     physical: true,
///     ..MeshUse::default()
/// };
/// // "13 * ( 1 + 0.04 * 100 ) = 13 * 5 = 65 prim equivalents."
/// let duck = Pricer::new(StreamingRules::VIEWER)?.mesh(&duck, &usage)?;
/// assert_eq!((duck.assessment.physics_base, duck.assessment.physics), (13.0, 65.0));
/// assert_eq!(duck.assessment.land_impact.value, 65);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshUse {
    /// Sides of the object in metres.
    pub scale: ObjectScale<f64>,
    /// Physics shape type of the object.
    pub shape: ShapeType,
    /// Whether the object moves by physics.
    pub physical: bool,
    /// Number of scripts in the object.
    pub scripts: u32,
    /// Number of such meshes in the linkset, all at one position; 0 is no object.
    pub prims: u32,
}

impl Default for MeshUse {
    /// One cube of 1 m with a convex hull, at rest and without scripts.
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

pub(crate) type BlockCounts = (AssetBlock, Result<GeometryCounts, AssetError>);

/// The triangles and vertices of each LOD in a file. No cost depends on them.
///
/// # Examples
/// ```
/// # use lodger_core::cost::streaming::MeshLod;
/// # use lodger_mesh_asset::*;
/// # use lodger_opensim::pricing::MeshInputs;
/// let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
/// let mut asset = AssetBuilder::new();
/// asset.set_convex(&PhysicsConvex::new(&hull, &[hull])?)?.set_raw("low_lod", &b"no zlib"[..]);
/// let mesh = MeshInputs::from_asset_counted(&Asset::parse(&asset.encode()?)?)?;
/// let geometry = mesh.geometry.ok_or("not counted")?;
/// assert_eq!((geometry.counts.low, geometry.not_decoded), (None, vec![MeshLod::Low]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LodGeometry {
    /// Counts; `None` for a LOD that is missing or cannot be decoded.
    pub counts: PerLod<Option<GeometryCounts>>,
    /// LODs that cannot be decoded, lowest first.
    pub not_decoded: Vec<MeshLod>,
    /// Error of the first LOD that cannot be decoded.
    pub error: Option<AssetError>,
}

impl LodGeometry {
    pub(crate) fn count(asset: &Asset<'_>, counted: &mut Vec<BlockCounts>) -> Self {
        let mut geometry = Self::default();
        for (lod, block) in MeshLod::ALL.into_iter().zip(AssetBlock::LODS) {
            let known = counted.iter().position(|(counted, _)| *counted == block);
            let known = known.map(|known| counted.swap_remove(known).1.map(Some));
            match known.unwrap_or_else(|| asset.counts(block)) {
                Ok(counts) => geometry.counts = geometry.counts.with(lod, counts),
                Err(error) => {
                    geometry.not_decoded.push(lod);
                    geometry.error.get_or_insert(error);
                }
            }
        }
        geometry
    }
}

/// A mesh with the last measurement of its physics mesh.
///
/// Up to `few` triangles are measured anew at each scale, so that their cost never depends on earlier measurements.
/// For more, [`TriangleMesh::resized`] gives the cost at another size of the same proportions, within 10⁻¹⁴.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredMesh<'m> {
    pub(crate) mesh: &'m MeshInputs,
    last: Cell<Option<TriangleMesh<f64>>>,
    few: usize,
}

const FEW_AT_MANY_SIZES: usize = 1 << 10;

impl<'m> MeasuredMesh<'m> {
    pub(crate) const fn new(mesh: &'m MeshInputs) -> Self {
        Self { mesh, last: Cell::new(None), few: PhysicsMesh::MAX_UNMERGED }
    }

    pub(crate) const fn at_many_sizes(mesh: &'m MeshInputs) -> Self {
        Self { few: FEW_AT_MANY_SIZES, ..Self::new(mesh) }
    }

    pub(crate) fn physics_cost(
        &self,
        scale: ObjectScale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, PricingError> {
        let Some(inputs) = &self.mesh.physics else {
            let representation = Representation::None;
            let provenance = match shape {
                ShapeType::None => Provenance::Documented,
                ShapeType::Prim | ShapeType::ConvexHull => Provenance::Estimated,
            };
            return Ok(PhysicsCost { cost: 0.0, representation, provenance });
        };
        let shapes = match shape {
            ShapeType::Prim => self.shapes(inputs, scale)?,
            // No other type uses the physics mesh, which is expensive to measure.
            ShapeType::ConvexHull | ShapeType::None => inputs.hulls()?,
        };
        Ok(CollisionBody::Mesh(shapes).cost(shape, motion(physical)))
    }

    pub(crate) fn rejects_prim(&self, inputs: &PhysicsInputs, scale: ObjectScale<f64>) -> bool {
        let rejects =
            |shapes| CollisionBody::Mesh(shapes).check_shape_type(ShapeType::Prim).is_err();
        self.shapes(inputs, scale).is_ok_and(rejects)
    }

    fn shapes(
        &self,
        inputs: &PhysicsInputs,
        scale: ObjectScale<f64>,
    ) -> Result<PhysicsShapes<f64>, PricingError> {
        let mesh = match (&self.mesh.triangles, &inputs.mesh) {
            (Some(triangles), _) => Some(triangles.resized(scale)),
            (None, mesh) => mesh.as_ref().map(|mesh| self.measure_at(mesh, scale)).transpose()?,
        };
        Ok(PhysicsShapes { mesh, ..inputs.hulls()? })
    }

    fn measure_at(
        &self,
        mesh: &PhysicsMesh,
        scale: ObjectScale<f64>,
    ) -> Result<TriangleMesh<f64>, PricingError> {
        let many = mesh.triangle_count() > self.few;
        let reference = if many { unit(scale) } else { scale };
        let serves = |last: &TriangleMesh<f64>| {
            last.scale() == reference || many && are_close(last.scale(), reference)
        };
        let known = self.last.get().filter(serves);
        let measured = match known {
            Some(measured) => measured,
            None => mesh.measure(reference).map_err(AssetError::from)?,
        };
        self.last.set(Some(measured));
        Ok(measured.resized(scale))
    }
}

/// Scales to a longest side of 1 m; a scale without extent stays.
pub(crate) fn unit(scale: ObjectScale<f64>) -> ObjectScale<f64> {
    let longest = scale.longest();
    let sides = scale.sides().map(|side| side / longest);
    if longest > 0.0 { ObjectScale::new(sides).unwrap_or(scale) } else { scale }
}

/// Whether two scales are equal up to the rounding of [`unit`].
fn are_close(one: ObjectScale<f64>, other: ObjectScale<f64>) -> bool {
    const ROUNDINGS: f64 = 4.0 * f64::EPSILON;
    let mut sides = one.sides().into_iter().zip(other.sides());
    sides.all(|(one, other)| (one - other).abs() <= ROUNDINGS * other)
}

pub(crate) const fn motion(physical: bool) -> Motion {
    if physical { Motion::Physical } else { Motion::AT_REST }
}

#[cfg(test)]
mod tests {
    use lodger_mesh_asset::{AssetBlock, AssetBuilder, AssetLimits, Faces, Geometry, Quantized};

    use super::*;

    #[test]
    fn unit_scales_have_a_longest_side_of_1_m() {
        let scale = |sides| ObjectScale::new(sides).expect("a scale");
        assert_eq!(unit(scale([1.0, 4.0, 2.0])), scale([0.25, 1.0, 0.5]));
        assert_eq!(unit(scale([0.0; 3])), scale([0.0; 3]));
        assert_eq!(unit(scale([1e-310, 1e-310, 0.0])), scale([1.0, 1.0, 0.0]));
        for size in [0.3, 0.7, 11.0, 1e-200, 16_384.0] {
            let sides = [0.1, 0.2, 0.3].map(|side| side / 0.3 * size);
            assert!(are_close(unit(scale(sides)), unit(scale([0.1, 0.2, 0.3]))));
        }
        assert!(!are_close(unit(scale([1.0, 1.0, 0.5])), unit(scale([1.0, 1.0, 0.500_001]))));
    }

    #[test]
    fn many_triangles_are_measured_once_for_all_sizes() {
        let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.1]];
        let points = Quantized::from_points(&corners).expect("finite corners");
        let mesh = |triangles: usize| {
            let face = Geometry::new(points.clone(), &vec![[0, 1, 2]; triangles]);
            let lod = Faces::new([face.expect("corners that exist").into()]);
            let mut asset = AssetBuilder::new();
            asset.set_lod(AssetBlock::PhysicsMesh, &lod).expect("a block");
            let file = asset.encode().expect("an asset");
            MeshInputs::read(&file, AssetLimits::default()).expect("an asset")
        };
        let (one, sizes) = (PhysicsMesh::MAX_UNMERGED, FEW_AT_MANY_SIZES);
        for (triangles, few, once) in [
            (one + 1, one, true),
            (sizes + 1, one, false),
            (sizes + 1, sizes, true),
            (sizes, sizes, false),
        ] {
            let mesh = mesh(triangles);
            let measured = MeasuredMesh { few, ..MeasuredMesh::new(&mesh) };
            let mut scales = Vec::new();
            for step in 1..50 {
                let size = f64::from(step) * 0.3;
                let scale = ObjectScale::new([size, size / 3.0, size / 7.0]).expect("a scale");
                let cost = measured.physics_cost(scale, ShapeType::Prim, false);
                assert!(cost.is_ok_and(|cost| cost.cost > 0.0));
                scales.push(measured.last.get().expect("measured").scale());
            }
            scales.dedup();
            assert_eq!(scales.len() == 1, once);
        }
    }
}
