//! Prices of an archive: its objects, and the meshes without an object.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lodger_core::cost::streaming::PerLod;
use lodger_mesh_asset::{Asset, AssetLimits, GeometryCounts, PhysicsMesh};
use lodger_quota::{Quota, QuotaExceeded};
use rayon::prelude::*;
use uuid::Uuid;

use crate::archive::{Archive, ArchiveKind, Object, ObjectLocation, ObjectPart, Parcel};
use crate::pricing::PricingError;
use crate::pricing::linkset::{LinksetPrice, MeshWeights, PartPrice, PartUse};
use crate::pricing::mesh::{MeasuredMesh, MeshInputs, MeshUse};
use crate::pricing::price::{MeshDetail, PriceNote};
use crate::pricing::rules::Pricer;

/// The prices of an archive. All lists are in archive order and do not depend on the number of threads.
///
/// # Examples
/// ```
/// use lodger_core::cost::physics::ShapeType;
/// use lodger_core::cost::streaming::StreamingRules;
/// use lodger_mesh_asset::AssetLimits;
/// use lodger_opensim::archive::{Archive, Object};
/// use lodger_opensim::pricing::{MeshReadLimits, MeshUse, Pricer};
/// use lodger_quota::{Quota, QuotaLimits};
///
/// let boxes = [([8.0, 8.0, 20.0], [1.0; 3]), ([9.0, 8.0, 20.0], [1.0; 3])];
/// let bench = Object::from_boxes("a".into(), "bench", boxes, (ShapeType::Prim, false, 0));
/// let archive = Archive::from_objects(bench.into_iter().collect());
/// let quota = Quota::new(QuotaLimits::default());
/// let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
/// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
/// assert_eq!(prices.objects[0].price.clone()?.assessment.land_impact.value, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArchivePrice {
    /// Region or inventory.
    pub kind: ArchiveKind,
    /// Objects of the region or inventory.
    pub objects: Vec<PricedObject>,
    /// Meshes that no object uses, each as an object of its own.
    pub unused: Vec<UnusedMesh>,
    /// Number of objects nested in other objects, which cost nothing.
    pub nested: usize,
}

impl ArchivePrice {
    /// The memory in bytes, including an equal amount for rendering it.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_mesh_asset::AssetLimits;
    /// # use lodger_opensim::{archive::*, pricing::*};
    /// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
    /// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
    /// let post = ([8.0, 8.0, 20.0], [1.0; 3]);
    /// let post = Object::from_boxes("a".into(), "post", [post], Default::default());
    /// let archive = Archive::from_objects(post.into_iter().collect());
    /// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
    /// assert!((2 << 10..8 << 10).contains(&prices.bytes()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        const SHOWN: usize = 2 << 10;
        let parts = |object: &PricedObject| {
            let bytes = |part: &PartPrice| size_of_val(part) + part.name.len() + SHOWN / 2;
            object.parts.iter().map(bytes).sum::<usize>()
        };
        let texts = |object: &PricedObject| {
            let error = object.price.as_ref().err().map_or(0, |error| error.to_string().len());
            2 * (object.entry.len() + object.name.len()) + error
        };
        let objects = self.objects.iter().map(|object| SHOWN + texts(object) + parts(object));
        let structs = self.objects.len() * size_of::<(PricedObject, LinksetPrice)>();
        let unused = self.unused.len() * (size_of::<UnusedMesh>() + SHOWN);
        (objects.sum::<usize>() + structs + unused) as u64
    }

    /// The [common](PriceNote::is_common) notes on all objects, one of each kind with the sum of its counts.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_mesh_asset::AssetLimits;
    /// # use lodger_opensim::{archive::*, pricing::*};
    /// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
    /// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
    /// let tree = "<SceneObjectGroup><SceneObjectPart><Shape><PCode>255</PCode></Shape>\
    ///     <Scale><X>1</X><Y>1</Y><Z>3</Z></Scale></SceneObjectPart></SceneObjectGroup>";
    /// let trees = read_objects("a.xml", tree.as_bytes(), ArchiveLimits::default(), &quota)?.objects;
    /// let archive = Archive::from_objects([&trees[..], &trees].concat());
    /// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
    /// assert_eq!(prices.notes(), [PriceNote::Plants(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> Vec<PriceNote> {
        let (mut plants, mut unknown) = (0, 0);
        let prices = self.objects.iter().filter_map(|object| object.price.as_ref().ok());
        for note in prices.flat_map(|price| &price.notes) {
            match note {
                PriceNote::Plants(parts) => plants += parts,
                PriceNote::UnknownShapes(parts) => unknown += parts,
                _ => {}
            }
        }
        let (objects, kind) = (self.nested, self.kind);
        let nested = (objects > 0).then_some(PriceNote::Nested { objects, kind });
        let plants = (plants > 0).then_some(PriceNote::Plants(plants));
        let unknown = (unknown > 0).then_some(PriceNote::UnknownShapes(unknown));
        [nested, plants, unknown].into_iter().flatten().collect()
    }
}

/// An object of an archive with its price, or the reason why it has none.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::StreamingRules;
/// use lodger_mesh_asset::AssetLimits;
/// use lodger_opensim::archive::{Archive, Object};
/// use lodger_opensim::pricing::{MeshReadLimits, MeshUse, Pricer};
/// use lodger_quota::{Quota, QuotaLimits};
///
/// let huge = ([8.0, 8.0, 20.0], [20_000.0, 1.0, 1.0]);
/// let huge = Object::from_boxes("a".into(), "huge", [huge], Default::default());
/// let archive = Archive::from_objects(huge.into_iter().collect());
/// let quota = Quota::new(QuotaLimits::default());
/// let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
/// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
/// assert_eq!(&*prices.objects[0].name, "huge");
/// let error = prices.objects[0].price.as_ref().unwrap_err();
/// assert!(error.to_string().starts_with("part 1 (huge): "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PricedObject {
    /// UUID of the root part; nil if the archive has none.
    pub id: Uuid,
    /// Path of the object's entry in the archive.
    pub entry: Arc<str>,
    /// Name of the object; not unique.
    pub name: Arc<str>,
    /// Location of the object.
    pub location: ObjectLocation,
    /// Owner of the object.
    pub owner: Option<Uuid>,
    /// Parcel under the object.
    pub parcel: Option<Arc<Parcel>>,
    /// Price of the object, or the reason why it has none.
    pub price: Result<Arc<LinksetPrice>, PricingError>,
    /// Weights of the parts, the root first; empty without a price, or unless [requested](Pricer::archive_in_parts).
    pub parts: Vec<PartPrice>,
}

/// A mesh of an archive that no object uses.
///
/// # Examples
/// ```
/// # use lodger_core::cost::streaming::StreamingRules;
/// # use lodger_mesh_asset::*;
/// # use lodger_opensim::{archive::*, pricing::*};
/// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
/// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
/// let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
/// let mut asset = AssetBuilder::new();
/// let file = asset.set_convex(&PhysicsConvex::new(&hull, &[hull])?)?.encode()?;
/// let mut reader = ArchiveReader::new(ArchiveLimits::default(), &quota);
/// let path = "assets/a96a5b8d-5b93-4d9e-9c5e-000000000007_mesh.llmesh";
/// reader.entry(path, file.len() as u64, &file[..])?;
/// let archive = reader.finish()?;
/// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
/// assert_eq!(prices.unused[0].id.as_u128() & 0xff, 7);
/// assert_eq!(prices.unused[0].detail.clone()?.notes, [PriceNote::NoHighLod]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnusedMesh {
    /// UUID of the asset.
    pub id: Uuid,
    /// Price of the mesh as an object of its own, or the reason why it has none.
    pub detail: Result<MeshDetail, PricingError>,
}

#[derive(Debug, Default)]
struct ArchiveMeshes {
    /// Prices of all uses.
    prices: HashMap<PartUse, Result<MeshWeights, Arc<PricingError>>>,
    geometry: HashMap<Uuid, PerLod<Option<GeometryCounts>>>,
    unused: Vec<UnusedMesh>,
}

/// The limits and the quota of reading the meshes of an archive.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::AssetLimits;
/// use lodger_opensim::pricing::MeshReadLimits;
/// use lodger_quota::{Quota, QuotaLimits};
///
/// let quota = Quota::new(QuotaLimits::default());
/// let limits = AssetLimits { block_bytes: 1 << 20, ..AssetLimits::default() };
/// let limits = MeshReadLimits { limits, quota: &quota };
/// assert_eq!(limits.limits.max_memory(usize::MAX) >> 20, 3 + 2 * 20 + 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MeshReadLimits<'a> {
    /// Limits of each mesh.
    pub limits: AssetLimits,
    /// Quota of all meshes: each reserves its [memory](AssetLimits::max_memory) while it is read, and costs a unit of
    /// work for each inflated byte.
    pub quota: &'a Quota,
}

/// Units of work for each measured triangle.
const PER_TRIANGLE: u64 = 16;
/// Bytes of a use with its price, in tables that are at least half full.
const PER_PART: u64 = 2 * (size_of::<PartUse>() + size_of::<(PartUse, MeshWeights)>()) as u64;

#[derive(Default)]
struct MeshOutcome {
    priced: Vec<(PartUse, Result<MeshWeights, Arc<PricingError>>)>,
    geometry: Option<(Uuid, PerLod<Option<GeometryCounts>>)>,
    unused: Option<Box<UnusedMesh>>,
}

impl Pricer {
    /// Prices an archive on all threads of rayon.
    ///
    /// Meshes without an object are priced as `usage` says. Each mesh is read once for all its uses; a mesh that does
    /// not fit into the quota waits for others. `done` is called for each mesh, in any order.
    ///
    /// # Errors
    /// The archive exceeds its quota.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_mesh_asset::AssetLimits;
    /// # use lodger_opensim::{archive::*, pricing::*};
    /// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
    /// # let boxes = (0..10).map(|x| ([f64::from(x), 8.0, 20.0], [1.0; 3]));
    /// # let object = Object::from_boxes("a".into(), "wall", boxes, Default::default());
    /// # let archive = Archive::from_objects(object.into_iter().collect());
    /// let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
    /// let prices = Pricer::new(StreamingRules::VIEWER)?.archive(&archive, &MeshUse::default(), limits, |_| ())?;
    /// let total: CostTotal = prices
    ///     .objects
    ///     .iter()
    ///     .filter_map(|object| Some(&object.price.as_ref().ok()?.assessment))
    ///     .collect();
    /// assert_eq!((total.count, total.server, total.land_impact), (1, 5.0, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn archive(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        within: MeshReadLimits<'_>,
        done: impl Fn(Uuid) + Sync,
    ) -> Result<ArchivePrice, QuotaExceeded> {
        self.priced(archive, usage, within, (false, &done))
    }

    /// Prices an archive as [`archive`](Self::archive) does, with the parts of each object, and the triangles and
    /// vertices of all meshes.
    ///
    /// # Errors
    /// The archive exceeds its quota.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_mesh_asset::AssetLimits;
    /// # use lodger_opensim::{archive::*, pricing::*};
    /// # let quota = lodger_quota::Quota::new(lodger_quota::QuotaLimits::default());
    /// # let limits = MeshReadLimits { limits: AssetLimits::default(), quota: &quota };
    /// # let boxes = (0..10).map(|x| ([f64::from(x), 8.0, 20.0], [1.0; 3]));
    /// # let object = Object::from_boxes("a".into(), "wall", boxes, Default::default());
    /// # let archive = Archive::from_objects(object.into_iter().collect());
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let prices = viewer.archive_in_parts(&archive, &MeshUse::default(), limits, |_| ())?;
    /// let wall = &prices.objects[0];
    /// let physics: f64 = wall.parts.iter().map(|part| part.physics.cost).sum();
    /// assert_eq!(wall.parts.len(), 10);
    /// assert!((physics - wall.price.clone()?.assessment.physics_base).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn archive_in_parts(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        within: MeshReadLimits<'_>,
        done: impl Fn(Uuid) + Sync,
    ) -> Result<ArchivePrice, QuotaExceeded> {
        self.priced(archive, usage, within, (true, &done))
    }

    fn priced(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        MeshReadLimits { limits, quota }: MeshReadLimits<'_>,
        (in_parts, done): (bool, &(dyn Fn(Uuid) + Sync)),
    ) -> Result<ArchivePrice, QuotaExceeded> {
        let parts: usize = archive.objects.iter().map(|object| object.linked.len() + 1).sum();
        quota.charge_memory(PER_PART.saturating_mul(parts as u64))?;
        let mut uses: HashMap<Uuid, HashSet<PartUse>> = HashMap::new();
        for part in archive.objects.iter().flat_map(PartUse::all) {
            uses.entry(part.mesh).or_default().insert(part);
        }
        let mesh_ids =
            |object: &Object| object.parts().filter_map(ObjectPart::mesh).collect::<Vec<_>>();
        let nested: HashSet<Uuid> = archive.nested.iter().flat_map(mesh_ids).collect();
        let one = |(&id, bytes): (&Uuid, &Vec<u8>)| {
            let uses = uses.get(&id);
            if uses.is_none() && nested.contains(&id) {
                done(id);
                return Ok(MeshOutcome::default());
            }
            let _reservation = quota.reserve(limits.max_memory(bytes.len()))?;
            let asset = Asset::parse_within(bytes, limits).map_err(PricingError::from);
            let mesh = asset.as_ref().map_err(Clone::clone).and_then(|asset| {
                if in_parts || uses.is_none() {
                    MeshInputs::from_asset_counted(asset)
                } else {
                    MeshInputs::from_asset(asset)
                }
            });
            quota.charge_work(asset.map_or(0, |asset| asset.inflated_bytes()))?;
            quota.charge_work(measuring(mesh.as_ref().ok(), uses.map_or(1, HashSet::len)))?;
            let outcome = if let Some(uses) = uses {
                self.used(id, mesh, uses)
            } else {
                let detail = mesh.and_then(|mesh| self.mesh_in_detail(&mesh, usage));
                let unused = Some(Box::new(UnusedMesh { id, detail }));
                MeshOutcome { unused, ..MeshOutcome::default() }
            };
            done(id);
            Ok(outcome)
        };
        let mut meshes = ArchiveMeshes::default();
        for mesh in archive.meshes.par_iter().map(one).collect::<Result<Vec<_>, QuotaExceeded>>()? {
            meshes.prices.extend(mesh.priced);
            meshes.geometry.extend(mesh.geometry);
            meshes.unused.extend(mesh.unused.map(|unused| *unused));
        }
        let parcel = |object| archive.parcel_of(object).map(Arc::clone);
        let one = |object| self.object(object, &meshes, in_parts, parcel(object));
        Ok(ArchivePrice {
            kind: archive.kind,
            objects: archive.objects.par_iter().map(one).collect(),
            unused: meshes.unused,
            nested: archive.nested.len(),
        })
    }

    fn used(
        &self,
        id: Uuid,
        mesh: Result<MeshInputs, PricingError>,
        uses: &HashSet<PartUse>,
    ) -> MeshOutcome {
        let mesh = match mesh {
            Ok(mesh) => mesh,
            Err(error) => {
                let error = Arc::new(PricingError::Mesh { id, error: Arc::new(error) });
                let priced = uses.iter().map(|part| (*part, Err(error.clone()))).collect();
                return MeshOutcome { priced, ..MeshOutcome::default() };
            }
        };
        let mut uses: Vec<_> = uses.iter().collect();
        uses.sort_by_cached_key(|part| part.proportions());
        let measured = MeasuredMesh::new(&mesh);
        let price =
            |part: &PartUse| part.price(&measured, self).map_err(|error| part.mesh_error(error));
        let priced = uses.into_iter().map(|part| (*part, price(part))).collect();
        let geometry = mesh.geometry.map(|geometry| (id, geometry.counts));
        MeshOutcome { priced, geometry, unused: None }
    }

    fn object(
        &self,
        object: &Object,
        meshes: &ArchiveMeshes,
        in_parts: bool,
        parcel: Option<Arc<Parcel>>,
    ) -> PricedObject {
        let weighed = self.weighed(object, |part| meshes.price(part));
        let price = weighed.as_deref().map_err(Clone::clone);
        let price = price.and_then(|parts| self.linkset_of(object, parts)).map(Arc::new);
        let parts = match (weighed, &price) {
            (Ok(weighed), Ok(_)) if in_parts => {
                let geometry = |part: &ObjectPart| meshes.geometry.get(&part.mesh()?).copied();
                let parts = object.parts().zip(weighed);
                parts.map(|(part, weighed)| PartPrice::new(part, weighed, geometry(part))).collect()
            }
            _ => Vec::new(),
        };
        PricedObject {
            id: object.id,
            entry: Arc::clone(&object.source),
            name: Arc::clone(&object.root.name),
            location: object.location.clone(),
            owner: object.owner,
            parcel,
            price,
            parts,
        }
    }
}

fn measuring(mesh: Option<&MeshInputs>, uses: usize) -> u64 {
    let physics = mesh.and_then(|mesh| mesh.physics.as_ref()?.mesh.as_ref());
    let triangles = physics.map_or(0, PhysicsMesh::measured_count);
    PER_TRIANGLE.saturating_mul(triangles as u64).saturating_mul(uses as u64)
}

impl ArchiveMeshes {
    fn price(&self, part: &PartUse) -> Result<MeshWeights, Arc<PricingError>> {
        let missing = || Err(Arc::new(PricingError::MissingMesh(part.mesh)));
        self.prices.get(part).cloned().unwrap_or_else(missing)
    }
}
