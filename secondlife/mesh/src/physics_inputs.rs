//! Inputs of the physics cost, including the physics mesh.

use std::collections::HashSet;

use lodger_core::Real;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{
    CollisionBody, ConvexDecomposition, ConvexHull, CostData, PhysicsShapes, TriangleMesh,
};

use crate::asset::{Asset, BlockData};
use crate::convex::{PhysicsConvex, PhysicsCostData};
use crate::error::{AssetError, AssetErrorKind};
use crate::geometry::{FaceGroup, Faces, NAMEABLE};
use crate::header::AssetBlock;
use crate::inflate::{AssetLimits, inflate};
use crate::llsd::LlsdValue;
use crate::quantized::Quantized;

/// A physics mesh: at least one triangle, decoded once and measured at any number of scales.
///
/// Up to [`MAX_UNMERGED`](Self::MAX_UNMERGED) triangles are measured one by one. In a larger mesh, triangles with the
/// same corners in the same order are merged, if their faces have the same points. Measuring takes time for different
/// triangles only, at most one for six inflated bytes, and the mesh takes at most twice the bytes of the block.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_mesh_asset::{Faces, Geometry, PhysicsMesh, Quantized};
///
/// let points = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.5, 0.5, 0.0]];
/// let square = Geometry::new(Quantized::from_points(&points)?, &[[0, 1, 2], [1, 3, 2]])?;
/// let mesh = PhysicsMesh::new(&Faces::new([square.into()])).ok_or("no triangles")?;
/// let small = mesh.measure(ObjectScale::<f64>::new([1.0, 1.0, 0.5])?)?;
/// let large = mesh.measure(ObjectScale::<f64>::new([2.0, 2.0, 0.5])?)?;
/// // "the cost grows inversely with the scale of the prim"
/// assert!((small.mean_width() - 0.5_f64.sqrt()).abs() < 1e-6);
/// assert!((large.cost_without_limits() - small.cost_without_limits() / 2.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PhysicsMesh {
    faces: Vec<MergedFace>,
    triangles: usize,
}

#[derive(Debug, Clone, PartialEq)]
struct MergedFace {
    points: Vec<[f32; 3]>,
    triangles: Vec<[u16; 3]>,
    /// Multiplicity of each triangle; empty if all are 1.
    times: Vec<u32>,
}

impl PhysicsMesh {
    /// Maximum number of triangles that are not merged: more than uploads have.
    pub const MAX_UNMERGED: usize = 1 << 16;

    /// Copies the triangles of a geometry; `None` if it has none.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// let mesh = PhysicsMesh::new(&block.lod()?).ok_or("no triangles")?;
    /// assert_eq!(mesh.triangle_count(), 16);
    /// assert_eq!(PhysicsMesh::new(&Faces::new([Face::NoGeometry])), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(lod: &Faces<'_>) -> Option<Self> {
        Self::merged_above(lod, Self::MAX_UNMERGED)
    }

    /// Decodes a compressed block; `None` without triangles.
    ///
    /// # Errors
    /// The errors of [`Asset::inflate`](crate::Asset::inflate) and [`BlockData::lod`](crate::BlockData::lod), with
    /// offsets from the start of the block.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// let block = asset.raw(AssetBlock::PhysicsMesh).ok_or("no physics mesh")?;
    /// let mesh = PhysicsMesh::from_block(block, AssetLimits::default())?.ok_or("no triangles")?;
    /// assert_eq!(mesh.triangle_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_block(block: &[u8], limits: AssetLimits) -> Result<Option<Self>, AssetError> {
        let bytes = inflate(block, limits.block_bytes)?;
        let (value, _) = LlsdValue::read(&bytes, limits.values)?;
        Ok(Self::new(&Faces::from_value(&value)?))
    }

    fn merged_above(lod: &Faces<'_>, max_separate: usize) -> Option<Self> {
        let groups = lod.groups(max_separate).groups.into_iter();
        let faces = groups.filter(|group| !group.triangles.is_empty()).map(MergedFace::from);
        let faces: Vec<_> = faces.collect();
        (!faces.is_empty()).then_some(Self { faces, triangles: lod.triangle_count() })
    }

    /// The number of triangles.
    #[must_use]
    pub const fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The number of triangles to measure: different ones, if equal ones are merged.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let many = Geometry::new(points, &vec![[0, 1, 2]; PhysicsMesh::MAX_UNMERGED + 1])?;
    /// let mesh = PhysicsMesh::new(&Faces::new([many.into()])).ok_or("no triangles")?;
    /// assert_eq!((mesh.triangle_count(), mesh.measured_count()), (65_537, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn measured_count(&self) -> usize {
        self.faces.iter().map(|face| face.triangles.len()).sum()
    }

    /// Whether equal triangles are merged.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let many = Geometry::new(points, &vec![[0, 1, 2]; PhysicsMesh::MAX_UNMERGED + 1])?;
    /// assert!(PhysicsMesh::new(&Faces::new([many.into()])).is_some_and(|mesh| mesh.is_merged()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn is_merged(&self) -> bool {
        self.triangles > Self::MAX_UNMERGED
    }

    /// The corners of the triangles in unit space, with their multiplicity.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
    /// let many = Geometry::new(points, &vec![[0, 1, 2]; 70_000])?;
    /// let mesh = PhysicsMesh::new(&Faces::new([many.into()])).ok_or("no triangles")?;
    /// assert_eq!(mesh.triangles().next().map(|(_, times)| times), Some(70_000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn triangles(&self) -> impl Iterator<Item = ([[f32; 3]; 3], u32)> {
        self.faces.iter().flat_map(|face| {
            let point = |index: u16| face.points.get(usize::from(index)).copied();
            let corners = move |indices: &[u16; 3]| indices.map(|i| point(i).unwrap_or_default());
            let times = |index: usize| face.times.get(index).copied().unwrap_or(1);
            let triangles = face.triangles.iter().enumerate();
            triangles.map(move |(index, indices)| (corners(indices), times(index)))
        })
    }

    /// Measures the mesh at a scale, in time proportional to [`measured_count`](Self::measured_count).
    ///
    /// # Errors
    /// [`AssetErrorKind::Invalid`] for a corner outside of the range of lodger-core.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_mesh_asset::Asset;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let mesh = Asset::parse(&file)?.physics()?.mesh.ok_or("no physics mesh")?;
    /// // Half squares of 1 m × 0.5 m: the width is the height over the diagonal.
    /// let measured = mesh.measure(ObjectScale::<f64>::new([2.0, 1.0, 1.0])?)?;
    /// assert!((measured.mean_width() - 0.5 / 1.25_f64.sqrt()).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measure<N: Real>(
        &self,
        scale: ObjectScale<N>,
    ) -> Result<TriangleMesh<N>, AssetErrorKind> {
        let triangles = self.triangles().map(|(triangle, times)| (corners(triangle), times));
        let measured = TriangleMesh::measure_repeated(triangles, scale);
        measured.map_err(AssetErrorKind::Invalid)?.ok_or(AssetErrorKind::Missing("a triangle"))
    }
}

impl From<FaceGroup<'_, '_>> for MergedFace {
    fn from(group: FaceGroup<'_, '_>) -> Self {
        let points = group.points();
        Self { points, triangles: group.triangles, times: group.times }
    }
}

impl Faces<'_> {
    /// Measures the triangles as a physics mesh at a scale; `None` without triangles.
    ///
    /// # Errors
    /// [`AssetErrorKind::Invalid`] for a corner outside of the range of lodger-core.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// let measured = block.lod()?.measure(ObjectScale::<f64>::ONE)?.ok_or("no triangles")?;
    /// assert_eq!((measured.triangles(), measured.degenerate()), (16, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measure<N: Real>(
        &self,
        scale: ObjectScale<N>,
    ) -> Result<Option<TriangleMesh<N>>, AssetErrorKind> {
        let triangles = self.triangles().map(corners);
        TriangleMesh::measure(triangles, scale).map_err(AssetErrorKind::Invalid)
    }
}

/// Converts corners; a value outside of the range of `N` becomes its maximum, which lodger-core rejects.
pub(crate) fn corners<N: Real>(triangle: [[f32; 3]; 3]) -> [[N; 3]; 3] {
    triangle.map(|corner| corner.map(|x| N::from_f64(x.into()).unwrap_or(N::MAX)))
}

/// The inputs of the physics cost of an asset except the scale of the object, decoded once and independent of the
/// file.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_core::cost::physics::{Motion, ShapeType};
/// use lodger_mesh_asset::Asset;
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let inputs = Asset::parse(&file)?.physics()?;
/// let body = inputs.body(ObjectScale::<f64>::ONE)?;
/// // The file has the costs that a simulator computed: they take precedence over formulas.
/// assert_eq!(body.cost(ShapeType::ConvexHull, Motion::AT_REST).cost, 0.2);
/// assert_eq!(body.cost(ShapeType::Prim, Motion::AT_REST).cost, 0.4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PhysicsInputs {
    /// Hull around the mesh.
    pub hull: ConvexHull,
    /// For a missing hull, the block from which an uploader would generate it; `hull` is then an upper bound.
    pub hull_source: Option<AssetBlock>,
    /// Decomposition, if there is one.
    pub decomposition: Option<ConvexDecomposition>,
    /// Physics mesh with at least one triangle, if there is one.
    pub mesh: Option<PhysicsMesh>,
    /// Costs that a simulator computed; they take precedence over formulas.
    pub cost_data: Option<PhysicsCostData>,
}

impl Asset<'_> {
    /// Reads the inputs of the physics cost.
    ///
    /// # Errors
    /// The errors of the physics blocks; [`AssetErrorKind::Invalid`] for more hulls or vertices than lodger-core
    /// accepts; [`AssetErrorKind::Missing`] without a hull and a mesh to generate it from.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// assert_eq!((asset.physics()?.hull.vertices(), asset.physics()?.hull_source), (4, None));
    ///
    /// // "generated automatically at upload time by feeding the physics shape, mid lod, or high lod"
    /// let file = AssetBuilder::from(&asset).remove("physics_convex").encode()?;
    /// let inputs = Asset::parse(&file)?.physics()?;
    /// assert_eq!((inputs.hull.vertices(), inputs.hull_source), (6, Some(AssetBlock::PhysicsMesh)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn physics(&self) -> Result<PhysicsInputs, AssetError> {
        self.physics_with(|_, _| ())
    }

    /// Reads the inputs as [`physics`](Self::physics) does. `observe` receives the levels of detail that are inflated
    /// to estimate a missing hull, so that the caller need not inflate them again.
    ///
    /// # Errors
    /// The errors of [`physics`](Self::physics).
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let mut builder = AssetBuilder::from(&Asset::parse(&file)?);
    /// let file = builder.remove("physics_convex").remove("physics_mesh").encode()?;
    /// let mut observed = Vec::new();
    /// Asset::parse(&file)?.physics_with(|block, data| observed.push((block, data.bytes().len() > 0)))?;
    /// assert_eq!(observed, [(AssetBlock::MediumLod, true)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn physics_with(
        &self,
        mut observe: impl FnMut(AssetBlock, &BlockData),
    ) -> Result<PhysicsInputs, AssetError> {
        let mut builder = PhysicsInputsBuilder::default();
        if let Some(block) = self.inflate(AssetBlock::PhysicsConvex)? {
            builder.convex(&block.convex()?);
        }
        if let Some(block) = self.inflate(AssetBlock::PhysicsMesh)? {
            builder.mesh(&block.lod()?);
        }
        for block in
            AssetBlock::LODS.into_iter().filter(|block| AssetBlock::HULL_SOURCES.contains(block))
        {
            if !builder.lacks_hull() {
                break;
            }
            let Some(inflated) = self.inflate(block)? else { continue };
            observe(block, &inflated);
            builder.level(block, Ok(&inflated.lod()?));
        }
        builder.finish(|| self.physics_cost_data())
    }
}

/// Builds inputs from levels of detail, from the lowest, and from other blocks in any order, each at most once.
#[derive(Debug, Default)]
pub(crate) struct PhysicsInputsBuilder {
    hull: Option<ConvexHull>,
    decomposition: Option<ConvexDecomposition>,
    mesh: Option<PhysicsMesh>,
    /// Distinct points of the physics mesh.
    of_mesh: Option<u16>,
    /// Distinct points of the level of detail that provides a missing hull.
    of_level: Option<Result<(u16, AssetBlock), AssetError>>,
    failed: Option<AssetError>,
}

impl PhysicsInputsBuilder {
    pub(crate) fn convex(&mut self, convex: &PhysicsConvex<'_>) {
        match decomposition(convex).and_then(|hulls| Ok((hulls, hull(convex)?))) {
            Ok((hulls, hull)) => (self.decomposition, self.hull) = (hulls, hull),
            Err(error) => self.fail(error.into()),
        }
    }

    pub(crate) fn fail(&mut self, error: AssetError) {
        self.failed.get_or_insert(error);
    }

    pub(crate) fn mesh(&mut self, mesh: &Faces<'_>) {
        self.mesh = PhysicsMesh::new(mesh);
        self.of_mesh = self.mesh.is_some().then(|| distinct_points(mesh));
    }

    pub(crate) fn lacks_hull(&self) -> bool {
        self.hull.is_none() && self.of_mesh.is_none() && self.of_level.is_none()
    }

    /// An uploader generates a missing hull from the first level with a triangle.
    pub(crate) fn level(&mut self, block: AssetBlock, level: Result<&Faces<'_>, &AssetError>) {
        if !AssetBlock::HULL_SOURCES.contains(&block) || !self.lacks_hull() {
            return;
        }
        self.of_level = match level {
            Ok(lod) if lod.triangle_count() == 0 => None,
            Ok(lod) => Some(Ok((distinct_points(lod), block))),
            Err(error) => Some(Err(error.clone())),
        };
    }

    pub(crate) fn finish(
        self,
        cost_data: impl FnOnce() -> Result<Option<PhysicsCostData>, AssetError>,
    ) -> Result<PhysicsInputs, AssetError> {
        let Self { hull, decomposition, mesh, of_mesh, of_level, failed } = self;
        if let Some(error) = failed {
            return Err(error);
        }
        let of_mesh = of_mesh.map(|points| Ok((points, AssetBlock::PhysicsMesh)));
        let (hull, hull_source) = match (hull, of_mesh.or(of_level)) {
            (Some(hull), _) => (hull, None),
            (None, Some(made)) => {
                let (points, block) = made?;
                (hull_of(points)?, Some(block))
            }
            (None, None) => return Err(AssetErrorKind::Missing("a hull around the mesh").into()),
        };
        Ok(PhysicsInputs { hull, hull_source, decomposition, mesh, cost_data: cost_data()? })
    }
}

impl PhysicsInputs {
    /// Creates inputs that were read before and stored without their file. The hull counts as a hull of the file.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsInputs;
    /// use lodger_core::cost::ObjectScale;
    /// use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull, Motion, ShapeType};
    ///
    /// // The document's duck, whose decomposition costs 13.
    /// let duck = ConvexDecomposition::new([256, 67])?;
    /// let inputs = PhysicsInputs::new(ConvexHull::new(21)?, Some(duck), None, None);
    /// let body = inputs.body(ObjectScale::<f64>::new([10.0; 3])?)?;
    /// assert_eq!(body.cost(ShapeType::Prim, Motion::AT_REST).cost, 13.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn new(
        hull: ConvexHull,
        decomposition: Option<ConvexDecomposition>,
        mesh: Option<PhysicsMesh>,
        cost_data: Option<PhysicsCostData>,
    ) -> Self {
        Self { hull, hull_source: None, decomposition, mesh, cost_data }
    }

    /// Returns the physics shape of an object of these sides, in metres.
    ///
    /// # Errors
    /// The errors of [`shapes`](Self::shapes).
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_core::cost::physics::*;
    /// # use lodger_mesh_asset::Asset;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let body = Asset::parse(&file)?.physics()?.body(ObjectScale::<f64>::ONE)?;
    /// assert_eq!(body.cost(ShapeType::ConvexHull, Motion::AT_REST).cost, 0.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn body<N: Real>(&self, scale: ObjectScale<N>) -> Result<CollisionBody<N>, AssetError> {
        self.shapes(scale).map(CollisionBody::Mesh)
    }

    /// The physics shapes at a scale, on any number type.
    ///
    /// # Errors
    /// [`AssetErrorKind::Invalid`] for a corner of the physics mesh outside of the range of lodger-core, or a cost
    /// outside of the range of the number type.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_mesh_asset::Asset;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let shapes = Asset::parse(&file)?.physics()?.shapes(ObjectScale::<f32>::ONE)?;
    /// assert_eq!(shapes.mesh.map(|mesh| mesh.triangles()), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shapes<N: Real>(&self, scale: ObjectScale<N>) -> Result<PhysicsShapes<N>, AssetError> {
        let mesh = self.mesh.as_ref().map(|mesh| mesh.measure(scale)).transpose()?;
        Ok(PhysicsShapes { mesh, ..self.hulls()? })
    }

    /// The physics shapes without the mesh, which is expensive to measure and only matters for the shape type
    /// [`Prim`](lodger_core::cost::physics::ShapeType::Prim).
    ///
    /// # Errors
    /// [`AssetErrorKind::Invalid`] for a cost outside of the range of the number type.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Asset;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let shapes = Asset::parse(&file)?.physics()?.hulls::<f32>()?;
    /// assert_eq!((shapes.hull.vertices(), shapes.mesh), (4, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hulls<N: Real>(&self) -> Result<PhysicsShapes<N>, AssetError> {
        let cost_data = self.cost_data.as_ref().map(PhysicsCostData::costs).transpose()?;
        let (hull, decomposition) = (self.hull, self.decomposition);
        Ok(PhysicsShapes { hull, decomposition, mesh: None, cost_data })
    }
}

impl PhysicsCostData {
    /// The costs that take precedence over formulas.
    ///
    /// # Errors
    /// [`AssetErrorKind::NotFinite`] and [`AssetErrorKind::Invalid`] for a cost outside of the range of the number
    /// type.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::PhysicsCostData;
    /// let data = PhysicsCostData { hull: Some(1e300), ..PhysicsCostData::default() };
    /// assert!(data.costs::<f32>().is_err(), "beyond f32");
    /// assert_ne!(data.costs::<f64>()?, PhysicsCostData::default().costs()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn costs<N: Real>(&self) -> Result<CostData<N>, AssetErrorKind> {
        let number = |cost: Option<f64>, field| {
            let number = |cost| N::from_f64(cost).ok_or(AssetErrorKind::NotFinite(field));
            cost.map(number).transpose()
        };
        let (hull, hulls) =
            (number(self.hull, "hull")?, number(self.decomposition, "decomposition")?);
        CostData::new(hull, hulls).map_err(AssetErrorKind::Invalid)
    }
}

fn hull(convex: &PhysicsConvex) -> Result<Option<ConvexHull>, AssetErrorKind> {
    let vertices = convex.bounding().map_or(0, Quantized::len);
    let hull = (vertices > 0).then(|| hull_of(u16::try_from(vertices).unwrap_or(u16::MAX)));
    hull.transpose()
}

fn decomposition(convex: &PhysicsConvex) -> Result<Option<ConvexDecomposition>, AssetErrorKind> {
    let hulls = (convex.hull_count() > 0).then(|| ConvexDecomposition::new(convex.hull_sizes()));
    hulls.transpose().map_err(AssetErrorKind::Invalid)
}

fn hull_of(points: u16) -> Result<ConvexHull, AssetErrorKind> {
    ConvexHull::new(points).map_err(AssetErrorKind::Invalid)
}

/// Counts the distinct points of triangles, up to the maximum of a hull.
fn distinct_points(mesh: &Faces) -> u16 {
    let max = usize::from(ConvexHull::MAX_VERTICES);
    let mut found = HashSet::new();
    for (_, face) in mesh.geometries() {
        let points = face.positions();
        let mut named = vec![false; points.len().min(NAMEABLE)];
        for index in face.triangles().flatten() {
            if let Some(named) = named.get_mut(usize::from(index)) {
                *named = true;
            }
        }
        for (point, _) in points.iter().zip(named).filter(|(_, named)| *named) {
            found.insert(point.map(f32::to_bits));
            if found.len() == max {
                return ConvexHull::MAX_VERTICES;
            }
        }
    }
    u16::try_from(found.len()).unwrap_or(ConvexHull::MAX_VERTICES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Face, Geometry};
    use crate::quantized::Quantized;

    fn lod() -> Faces<'static> {
        let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0], [0.1, 0.2, 0.3]];
        let face = |triangles: &[[u16; 3]]| {
            Face::from(Geometry::new(Quantized::from_points(&corners).unwrap(), triangles).unwrap())
        };
        let faces =
            [face(&[[0, 1, 2], [3, 2, 1]]), Face::NoGeometry, face(&[]), face(&[[1, 2, 3]])];
        Faces::new(faces)
    }

    #[test]
    fn a_physics_mesh_measures_as_its_geometry() {
        let lod = lod();
        let mesh = PhysicsMesh::new(&lod).unwrap();
        assert!(mesh.triangles().eq(lod.triangles().map(|triangle| (triangle, 1))));
        for sides in [[1.0, 1.0, 1.0], [0.5, 8.0, 0.0]] {
            let scale = ObjectScale::<f64>::new(sides).unwrap();
            let (again, measured) = (mesh.measure(scale), lod.measure(scale));
            let (again, measured) = (again.unwrap(), measured.unwrap().unwrap());
            assert_eq!(again.cost().to_bits(), measured.cost().to_bits());
            assert_eq!(again.triangles(), 3);
        }
        assert_eq!(PhysicsMesh::new(&Faces::new([Face::NoGeometry])), None);
        let empty = Geometry::new(Quantized::from_points(&[]).unwrap(), &[]).unwrap();
        assert_eq!(PhysicsMesh::merged_above(&Faces::new([empty.into()]), 0), None);
    }

    #[test]
    fn a_merged_mesh_costs_the_same() {
        let faces = lod();
        let lod = Faces::new(std::iter::repeat_n(faces.faces(), 100).flatten().cloned());
        let separate = PhysicsMesh::merged_above(&lod, 300).unwrap();
        let merged = PhysicsMesh::merged_above(&lod, 299).unwrap();
        assert_eq!((separate.measured_count(), merged.measured_count()), (300, 3));
        assert_eq!(separate.triangle_count(), merged.triangle_count());
        for sides in [[1.0, 1.0, 1.0], [0.5, 8.0, 0.0], [0.03, 20.0, 7.0]] {
            let scale = ObjectScale::<f64>::new(sides).unwrap();
            let (separate, merged) =
                (separate.measure(scale).unwrap(), merged.measure(scale).unwrap());
            assert!((separate.cost() - merged.cost()).abs() <= 1e-12 * separate.cost());
            assert_eq!(separate.triangles(), merged.triangles());
            assert_eq!(separate.degenerate(), merged.degenerate());
        }
    }
}
