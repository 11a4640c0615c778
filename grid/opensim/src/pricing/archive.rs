//! What is in an archive: its objects, and the meshes that none of them uses.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lodger_allowance::{Allowance, Spent};
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::{Asset, Counts, Limits, PhysicsMesh};
use rayon::prelude::*;
use uuid::Uuid;

use crate::archive::{Archive, ArchiveKind, Object, Parcel, Part, Place};
use crate::pricing::error::Error;
use crate::pricing::linkset::{LinksetPrice, MeshWeights, PartPrice, PartUse};
use crate::pricing::mesh::{MeasuredMesh, Mesh, MeshUse};
use crate::pricing::price::{MeshDetail, Remark};
use crate::pricing::rules::Pricing;

/// What there is in an archive, priced or not. All lists are in the order of the archive, and none
/// depends on the number of threads.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArchivePrice {
    /// What the archive is of.
    pub kind: ArchiveKind,
    /// The objects of the region or inventory.
    pub objects: Vec<PricedObject>,
    /// The meshes that no object uses, each as an object of its own.
    pub unused: Vec<UnusedMesh>,
    /// How many objects are inside other objects, where they cost nothing.
    pub stowed: usize,
}

impl ArchivePrice {
    /// The bytes that it takes, and as many again for what it looks like while it is shown.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        /// What an object, a mesh or a part takes while it is shown, besides its texts.
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

    /// What should be known of all objects together, of which half may be trees: what
    /// [is common](Remark::is_common), once for the archive.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let (mut plants, mut unknown) = (0, 0);
        let prices = self.objects.iter().filter_map(|object| object.price.as_ref().ok());
        for remark in prices.flat_map(|price| &price.remarks) {
            match remark {
                Remark::Plants(parts) => plants += parts,
                Remark::UnknownShapes(parts) => unknown += parts,
                _ => {}
            }
        }
        let (objects, kind) = (self.stowed, self.kind);
        let stowed = (objects > 0).then_some(Remark::Stowed { objects, kind });
        let plants = (plants > 0).then_some(Remark::Plants(plants));
        let unknown = (unknown > 0).then_some(Remark::UnknownShapes(unknown));
        [stowed, plants, unknown].into_iter().flatten().collect()
    }
}

/// An object of an archive, priced or not.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PricedObject {
    /// The identifier of its root part; nil if the archive has none.
    pub id: Uuid,
    /// The path of its entry in the archive.
    pub entry: Arc<str>,
    /// Its name, which need not be unique.
    pub name: Arc<str>,
    /// Where it is.
    pub place: Place,
    /// Who owns it.
    pub owner: Option<Uuid>,
    /// The parcel that it stands on.
    pub parcel: Option<Arc<Parcel>>,
    /// What it costs, or why that is not known.
    pub price: Result<Arc<LinksetPrice>, Error>,
    /// What each of its parts weighs, the root first: of an object with a price, and only if
    /// [asked for](Pricing::archive_in_parts).
    pub parts: Vec<PartPrice>,
}

/// A mesh of an archive that no object uses, priced or not.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnusedMesh {
    /// The asset.
    pub id: Uuid,
    /// What it costs as an object of its own, or why that is not known.
    pub detail: Result<MeshDetail, Error>,
}

/// What is known of the meshes of an archive.
#[derive(Debug, Default)]
struct ArchiveMeshes {
    /// Their prices in all their uses.
    prices: HashMap<PartUse, Result<MeshWeights, Arc<Error>>>,
    /// The triangles and vertices of those that are used, if they are asked for.
    geometry: HashMap<Uuid, Lods<Option<Counts>>>,
    unused: Vec<UnusedMesh>,
}

/// Within what the meshes of an archive are read.
#[derive(Clone, Copy, Debug)]
pub struct Within<'a> {
    /// What each of them may grow to.
    pub limits: Limits,
    /// What all of them are paid from: each [takes](Limits::most_memory) its memory while it is read, and
    /// a unit of work for each byte that is inflated.
    pub allowance: &'a Allowance,
}

/// Units of work for each triangle that is measured.
const PER_TRIANGLE: u64 = 16;
/// Bytes for each part of an object: its use of a mesh with its price, in tables that are never more than
/// twice as large as they have to be.
const PER_PART: u64 = 2 * (size_of::<PartUse>() + size_of::<(PartUse, MeshWeights)>()) as u64;

/// What came of a mesh.
enum MeshOutcome {
    Used {
        id: Uuid,
        priced: Vec<(PartUse, Result<MeshWeights, Arc<Error>>)>,
        geometry: Option<Lods<Option<Counts>>>,
    },
    Unused(Box<UnusedMesh>),
    Stowed,
}

impl Pricing {
    /// Prices what is in an archive, on as many threads as rayon has. Meshes that no object uses are
    /// priced as `usage` says. Each mesh is read once for all its uses; those that do not fit beside each
    /// other wait. `done` is told of each, in no order.
    ///
    /// # Errors
    /// The archive needs more than it may take.
    pub fn archive(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        within: Within<'_>,
        done: impl Fn(Uuid) + Sync,
    ) -> Result<ArchivePrice, Spent> {
        self.priced(archive, usage, within, (false, &done))
    }

    /// [`archive`](Self::archive) with the parts of each object, and the triangles and vertices of all
    /// meshes.
    ///
    /// # Errors
    /// Those of [`archive`](Self::archive).
    pub fn archive_in_parts(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        within: Within<'_>,
        done: impl Fn(Uuid) + Sync,
    ) -> Result<ArchivePrice, Spent> {
        self.priced(archive, usage, within, (true, &done))
    }

    fn priced(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        Within { limits, allowance }: Within<'_>,
        (in_parts, done): (bool, &(impl Fn(Uuid) + Sync)),
    ) -> Result<ArchivePrice, Spent> {
        let parts: usize = archive.objects.iter().map(|object| object.linked.len() + 1).sum();
        allowance.keep(PER_PART.saturating_mul(parts as u64))?;
        let mut uses: HashMap<Uuid, HashSet<PartUse>> = HashMap::new();
        for part in archive.objects.iter().flat_map(PartUse::all) {
            uses.entry(part.mesh).or_default().insert(part);
        }
        let shown = |object: &Object| object.parts().filter_map(Part::mesh).collect::<Vec<_>>();
        let stowed: HashSet<Uuid> = archive.stowed.iter().flat_map(shown).collect();
        let one = |(&id, bytes): (&Uuid, &Vec<u8>)| {
            let uses = uses.get(&id);
            if uses.is_none() && stowed.contains(&id) {
                done(id);
                return Ok(MeshOutcome::Stowed);
            }
            let _room = allowance.reserve(limits.most_memory(bytes.len()))?;
            let asset = Asset::parse_within(bytes, limits).map_err(Error::from);
            let mesh = asset.as_ref().map_err(Clone::clone).and_then(|asset| {
                if in_parts || uses.is_none() { Mesh::of_counted(asset) } else { Mesh::of(asset) }
            });
            allowance.work(asset.map_or(0, |asset| asset.inflated_bytes()))?;
            allowance.work(measuring(mesh.as_ref().ok(), uses.map_or(1, HashSet::len)))?;
            let of_mesh = if let Some(uses) = uses {
                self.used(id, mesh, uses)
            } else {
                let detail = mesh.and_then(|mesh| self.mesh_in_detail(&mesh, usage));
                MeshOutcome::Unused(Box::new(UnusedMesh { id, detail }))
            };
            done(id);
            Ok(of_mesh)
        };
        let mut meshes = ArchiveMeshes::default();
        for mesh in archive.meshes.par_iter().map(one).collect::<Result<Vec<_>, Spent>>()? {
            meshes.add(mesh);
        }
        let parcel = |object| archive.parcel_of(object).map(Arc::clone);
        let one = |object| self.object(object, &meshes, in_parts, parcel(object));
        Ok(ArchivePrice {
            kind: archive.kind,
            objects: archive.objects.par_iter().map(one).collect(),
            unused: meshes.unused,
            stowed: archive.stowed.len(),
        })
    }

    fn used(&self, id: Uuid, mesh: Result<Mesh, Error>, uses: &HashSet<PartUse>) -> MeshOutcome {
        let mesh = match mesh {
            Ok(mesh) => mesh,
            Err(error) => {
                let error = Arc::new(Error::Mesh { id, error: Arc::new(error) });
                let priced = uses.iter().map(|part| (*part, Err(error.clone()))).collect();
                return MeshOutcome::Used { id, priced, geometry: None };
            }
        };
        let mut uses: Vec<_> = uses.iter().collect();
        uses.sort_by_cached_key(|part| part.proportions());
        let measured = MeasuredMesh::new(&mesh);
        let price =
            |part: &PartUse| part.price(&measured, self).map_err(|error| part.refused(error));
        let priced = uses.into_iter().map(|part| (*part, price(part))).collect();
        MeshOutcome::Used { id, priced, geometry: mesh.geometry.map(|geometry| geometry.counts) }
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
                let geometry = |part: &Part| meshes.geometry.get(&part.mesh()?).copied();
                let parts = object.parts().zip(weighed);
                parts.map(|(part, weighed)| PartPrice::new(part, weighed, geometry(part))).collect()
            }
            _ => Vec::new(),
        };
        PricedObject {
            id: object.id,
            entry: Arc::clone(&object.source),
            name: Arc::clone(&object.root.name),
            place: object.place.clone(),
            owner: object.owner,
            parcel,
            price,
            parts,
        }
    }
}

/// The work of measuring the physics mesh of a mesh for so many uses.
fn measuring(mesh: Option<&Mesh>, uses: usize) -> u64 {
    let physics = mesh.and_then(|mesh| mesh.physics.as_ref()?.mesh.as_ref());
    let triangles = physics.map_or(0, PhysicsMesh::measured_count);
    PER_TRIANGLE.saturating_mul(triangles as u64).saturating_mul(uses as u64)
}

impl ArchiveMeshes {
    fn add(&mut self, mesh: MeshOutcome) {
        match mesh {
            MeshOutcome::Used { id, priced, geometry } => {
                self.prices.extend(priced);
                self.geometry.extend(geometry.map(|geometry| (id, geometry)));
            }
            MeshOutcome::Unused(mesh) => self.unused.push(*mesh),
            MeshOutcome::Stowed => {}
        }
    }

    fn price(&self, part: &PartUse) -> Result<MeshWeights, Arc<Error>> {
        let missing = || Err(Arc::new(Error::MissingMesh(part.mesh)));
        self.prices.get(part).cloned().unwrap_or_else(missing)
    }
}
