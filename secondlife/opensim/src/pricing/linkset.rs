//! Prices of a linkset and its parts.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use lodger_core::cost::land_impact::{Assessment, LandImpactInputs, LandImpactPart, assess};
use lodger_core::cost::physics::{PhysicsCost, Representation, ShapeType};
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::streaming::{LinksetPart, PerLod, capped};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};
use lodger_mesh_asset::GeometryCounts;
use uuid::Uuid;

use crate::archive::{Object, ObjectPart, PrimGeometry};
use crate::pricing::PricingError;
use crate::pricing::mesh::{MeasuredMesh, MeshInputs, motion, unit};
use crate::pricing::price::PriceNote;
use crate::pricing::rules::Pricer;

/// The price of a linkset.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::ShapeType;
/// use lodger_core::cost::streaming::StreamingRules;
/// use lodger_opensim::archive::Object;
/// use lodger_opensim::pricing::Pricer;
///
/// // The document's linkset: ten boxes, 3 m × 4 m × 5 m overall, physical.
/// let ends = [[0.5, 0.5, 0.5], [2.5, 3.5, 4.5]];
/// let boxes = (0..10).map(|i| (ends[i % 2], [1.0; 3]));
/// let linkset = Object::from_boxes("a".into(), "ten", boxes, (ShapeType::ConvexHull, true, 0));
/// let price = Pricer::new(StreamingRules::VIEWER)?.linkset(&linkset.ok_or("no box")?, |_| None)?;
/// assert_eq!(price.size.sides(), [3.0, 4.0, 5.0]);
/// // "its base physics cost is 10 * 0.1 = 1"; the penalty is 1 + 0.04 * (12 + 20 + 15)/3.
/// assert!((price.assessment.physics_base - 1.0).abs() < 1e-9);
/// assert!((price.assessment.physics - 1.6267).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinksetPrice {
    /// Bounding box of all parts along the axes of the root, in metres.
    pub size: ObjectScale<f64>,
    /// Number of parts with a mesh.
    pub meshes: u32,
    /// Number of scripts in all parts.
    pub scripts: u32,
    /// Whether the linkset moves by physics.
    pub physical: bool,
    /// Weights and land impact.
    pub assessment: Assessment<f64>,
    /// Provenance of the streaming weight: the least certain of all parts.
    pub streaming_provenance: Provenance,
    /// Notes on the price.
    pub notes: Vec<PriceNote>,
}

impl Pricer {
    /// Prices a linkset. `meshes` returns the inputs of a mesh asset.
    ///
    /// # Errors
    /// [`PricingError::Part`] with [`PricingError::MissingMesh`], [`PricingError::Mesh`], or
    /// [`PricingError::Invalid`] for a part that is larger than lodger-core accepts; [`PricingError::LinksetSize`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// # use lodger_opensim::{archive::*, pricing::*};
    /// let chair = "<SceneObjectGroup><SceneObjectPart><Scale><X>20</X><Y>20</Y><Z>20</Z></Scale><Shape>\
    ///     <PathCurve>16</PathCurve><SculptEntry>true</SculptEntry><SculptType>5</SculptType>\
    ///     <SculptTexture>a96a5b8d-5b93-4d9e-9c5e-000000000007</SculptTexture>\
    ///     </Shape></SceneObjectPart></SceneObjectGroup>";
    /// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
    /// let chairs = read_objects("a.xml", chair.as_bytes(), ArchiveLimits::default(), &quota)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let price = viewer.linkset(&chairs.objects[0], |_| Some(&mesh))?;
    /// assert_eq!((price.meshes, price.assessment.land_impact.value), (1, 12));
    /// let missing = viewer.linkset(&chairs.objects[0], |_| None);
    /// assert!(matches!(missing, Err(PricingError::Part { number: 1, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn linkset<'m>(
        &self,
        object: &Object,
        meshes: impl Fn(Uuid) -> Option<&'m MeshInputs>,
    ) -> Result<LinksetPrice, PricingError> {
        let weighed = self.weighed(object, |part| {
            let mesh =
                meshes(part.mesh).ok_or_else(|| Arc::new(PricingError::MissingMesh(part.mesh)))?;
            part.price(&MeasuredMesh::new(mesh), self).map_err(|error| part.mesh_error(error))
        })?;
        self.linkset_of(object, &weighed)
    }

    pub(crate) fn weighed(
        &self,
        object: &Object,
        price: impl Fn(&PartUse) -> Result<MeshWeights, Arc<PricingError>>,
    ) -> Result<Vec<WeighedPart>, PricingError> {
        let weighed = |(index, part): (usize, &ObjectPart)| {
            let weighed = match PartUse::new(part, object, index) {
                Some(part_use) => price(&part_use).map(|price| self.mesh_part(part, price)),
                None => self.prim(part, object.physical()).map_err(Arc::new),
            };
            weighed.map_err(|error| PricingError::Part {
                number: index + 1,
                name: Arc::clone(&part.name),
                error,
            })
        };
        object.parts().enumerate().map(weighed).collect()
    }

    fn mesh_part(
        &self,
        part: &ObjectPart,
        MeshWeights { streaming, physics }: MeshWeights,
    ) -> WeighedPart {
        let counted =
            LandImpactPart { kind: PrimKind::Mesh, shape: part.shape_type, streaming, physics };
        WeighedPart { counted, streaming_provenance: self.rules().provenance }
    }

    fn prim(&self, part: &ObjectPart, physical: bool) -> Result<WeighedPart, PricingError> {
        let radius = ObjectScale::new(part.scale)?.radius();
        let prim = match part.shape {
            PrimGeometry::Prim(primitive) => primitive,
            PrimGeometry::Plant(_) => return Ok(plant(part)),
            _ => SolidPrim { solid: SolidKind::Other, altered: false },
        };
        let physics = prim.body()?.cost(part.shape_type, motion(physical));
        let streaming = self.prims().cost(radius, prim.bytes());
        let counted =
            LandImpactPart { kind: prim.kind(), shape: part.shape_type, streaming, physics };
        Ok(WeighedPart {
            counted,
            streaming_provenance: prim.provenance().max(self.rules().provenance),
        })
    }

    pub(crate) fn linkset_of(
        &self,
        object: &Object,
        parts: &[WeighedPart],
    ) -> Result<LinksetPrice, PricingError> {
        let size = linkset_size(object).map_err(PricingError::LinksetSize)?;
        let (physical, scripts) = (object.physical(), object.scripts());
        let (free_scripts, simulator) = (FreeScripts::One, self.simulator().copied());
        let linkset = LandImpactInputs { size, physical, scripts, free_scripts, simulator };
        let counted = parts.iter().map(|part| part.counted);
        let assessment = assess(counted.clone(), linkset)?;
        let meshes = counted.filter(|part| part.kind == PrimKind::Mesh).count();
        Ok(LinksetPrice {
            size,
            meshes: u32::try_from(meshes).unwrap_or(u32::MAX),
            scripts,
            physical,
            assessment,
            streaming_provenance: parts
                .iter()
                .map(|part| part.streaming_provenance)
                .fold(Provenance::Exact, Provenance::max),
            notes: notes(object, assessment.physics_base),
        })
    }
}

/// A plant counts only as a prim: no document states its triangles or its physics shape.
fn plant(part: &ObjectPart) -> WeighedPart {
    let (representation, unknown) = (Representation::None, Provenance::Unknown);
    let physics = PhysicsCost { cost: 0.0, representation, provenance: unknown };
    let (kind, shape) = (PrimKind::Plain, part.shape_type);
    let counted = LandImpactPart { kind, shape, streaming: 0.0, physics };
    WeighedPart { counted, streaming_provenance: unknown }
}

fn notes(object: &Object, physics: f64) -> Vec<PriceNote> {
    let parts = |is: fn(PrimGeometry) -> bool| object.parts().filter(|part| is(part.shape)).count();
    let unknown =
        |shape| matches!(shape, PrimGeometry::Prim(prim) if prim.solid == SolidKind::Other);
    let (plants, unknown) =
        (parts(|shape| matches!(shape, PrimGeometry::Plant(_))), parts(unknown));
    let mut notes = Vec::new();
    notes.extend(PriceNote::on_motion(object.physical(), physics));
    notes.extend((plants > 0).then_some(PriceNote::Plants(plants)));
    notes.extend((unknown > 0).then_some(PriceNote::UnknownShapes(unknown)));
    notes
}

/// The bounding box of all parts of an object along the axes of its root, in metres. The linkset penalty depends on
/// it.
///
/// # Errors
/// The box is larger than lodger-core accepts.
///
/// # Examples
/// ```
/// use lodger_opensim::archive::Object;
/// use lodger_opensim::pricing::linkset_size;
///
/// let boxes = [([8.0, 8.0, 20.0], [1.0; 3]), ([10.0, 8.0, 22.5], [1.0; 3])];
/// let bench = Object::from_boxes("a".into(), "bench", boxes, Default::default());
/// assert_eq!(linkset_size(&bench.ok_or("no box")?)?.sides(), [3.0, 1.0, 3.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linkset_size(object: &Object) -> Result<ObjectScale<f64>, lodger_core::ValueError> {
    ObjectScale::new(extent(object).into())
}

fn extent(object: &Object) -> DVec3 {
    let corners = object.parts().map(|part| {
        let turned = DMat3::from_quat(DQuat::from_array(part.rotation));
        let half = DVec3::from_array(part.scale) / 2.0;
        let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis].map(DVec3::abs);
        let reach = x * half.x + y * half.y + z * half.z;
        let centre = DVec3::from_array(part.offset);
        (centre - reach, centre + reach)
    });
    let union =
        |(min, max): (DVec3, DVec3), (low, high): (DVec3, DVec3)| (min.min(low), max.max(high));
    corners.reduce(union).map_or(DVec3::ZERO, |(min, max)| max - min)
}

/// The weights of one part of a linkset; the sums over all parts are the weights of the linkset.
///
/// # Examples
/// ```
/// # use lodger_core::cost::{physics::*, streaming::StreamingRules};
/// # use lodger_mesh_asset::AssetLimits;
/// # use lodger_opensim::{archive::*, pricing::*};
/// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
/// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
/// let post = ([8.0, 8.0, 20.0], [0.5, 0.5, 2.0]);
/// let post = Object::from_boxes("a".into(), "post", [post], (ShapeType::Prim, false, 3));
/// let archive = Archive::from_objects(post.into_iter().collect());
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let prices = viewer.archive_in_parts(&archive, &MeshUse::default(), limits, |_| ())?;
/// let root = &prices.objects[0].parts[0];
/// assert_eq!((root.scale, root.scripts, root.physics.cost), ([0.5, 0.5, 2.0], 3, 0.1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartPrice {
    /// Name of the part; not unique.
    pub name: Arc<str>,
    /// Visible shape.
    pub shape: PrimGeometry,
    /// Size of the part in metres along its own axes.
    pub scale: [f64; 3],
    /// Number of scripts in the part.
    pub scripts: u32,
    /// Physics shape type.
    pub shape_type: ShapeType,
    /// Streaming weight, capped for its kind of prim.
    pub streaming: f64,
    /// Provenance of the streaming weight.
    pub streaming_provenance: Provenance,
    /// Physics weight before any penalty, and the collision shape.
    pub physics: PhysicsCost<f64>,
    /// Real triangles and vertices of the mesh.
    pub geometry: Option<PerLod<Option<GeometryCounts>>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct WeighedPart {
    pub(crate) counted: LandImpactPart<f64>,
    pub(crate) streaming_provenance: Provenance,
}

impl PartPrice {
    pub(crate) fn new(
        part: &ObjectPart,
        weighed: WeighedPart,
        geometry: Option<PerLod<Option<GeometryCounts>>>,
    ) -> Self {
        let LandImpactPart { kind, streaming, physics, .. } = weighed.counted;
        Self {
            name: Arc::clone(&part.name),
            shape: part.shape,
            scale: part.scale,
            scripts: part.scripts,
            shape_type: part.shape_type,
            streaming: capped(kind, streaming),
            streaming_provenance: weighed.streaming_provenance,
            physics,
            geometry,
        }
    }
}

/// The use of a mesh by a part: all inputs of its price except the asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartUse {
    pub(crate) mesh: Uuid,
    /// Bits of the size in metres.
    scale: [u64; 3],
    shape: ShapeType,
    physical: bool,
    /// Root or child, in a linkset with an animated mesh.
    animated: Option<LinksetPart>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshWeights {
    pub(crate) streaming: f64,
    pub(crate) physics: PhysicsCost<f64>,
}

impl PartUse {
    pub(crate) fn new(part: &ObjectPart, object: &Object, index: usize) -> Option<Self> {
        let place = if index == 0 { LinksetPart::Root } else { LinksetPart::Child };
        Some(Self {
            mesh: part.mesh()?,
            scale: part.scale.map(f64::to_bits),
            shape: part.shape_type,
            physical: object.physical(),
            animated: object.root.animated.then_some(place),
        })
    }

    pub(crate) fn all(object: &Object) -> impl Iterator<Item = Self> {
        let parts = object.parts().enumerate();
        parts.filter_map(|(index, part)| Self::new(part, object, index))
    }

    pub(crate) fn price(
        &self,
        mesh: &MeasuredMesh<'_>,
        pricing: &Pricer,
    ) -> Result<MeshWeights, PricingError> {
        let (scale, sizes) = (self.scale()?, mesh.mesh.sizes);
        let streaming = match self.animated {
            Some(part) => pricing.meshes().animated_cost(sizes, part),
            None => pricing.meshes().cost(scale.radius(), sizes),
        };
        Ok(MeshWeights { streaming, physics: mesh.physics_cost(scale, self.shape, self.physical)? })
    }

    fn scale(&self) -> Result<ObjectScale<f64>, lodger_core::ValueError> {
        ObjectScale::new(self.scale.map(f64::from_bits))
    }

    /// A sort key that puts uses of equal proportions next to each other.
    pub(crate) fn proportions(&self) -> [u64; 3] {
        self.scale().map_or(self.scale, |scale| unit(scale).sides().map(f64::to_bits))
    }

    pub(crate) fn mesh_error(&self, error: PricingError) -> Arc<PricingError> {
        Arc::new(PricingError::Mesh { id: self.mesh, error: Arc::new(error) })
    }
}
