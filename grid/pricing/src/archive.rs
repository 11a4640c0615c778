//! What is in an archive: its objects, and the meshes that none of them uses.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lodger_archive::{Archive, ArchiveKind, Object, Parcel, Part, Place};
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::{Counts, Limits};
use rayon::prelude::*;
use uuid::Uuid;

use crate::detail::MeshDetail;
use crate::error::Error;
use crate::linkset::{LinksetPrice, linkset_of};
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::parcels::Parcels;
use crate::part_price::PartPrice;
use crate::part_use::{MeshWeights, PartUse};
use crate::remark::Remark;
use crate::rules::Pricing;

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
        let plants = (plants > 0).then_some(Remark::Plants(plants));
        plants.into_iter().chain((unknown > 0).then_some(Remark::UnknownShapes(unknown))).collect()
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
struct Meshes {
    /// Their prices in all their uses.
    prices: HashMap<PartUse, Result<MeshWeights, Arc<Error>>>,
    /// The triangles and vertices of those that are used, if they are asked for.
    geometry: HashMap<Uuid, Lods<Option<Counts>>>,
    unused: Vec<UnusedMesh>,
}

/// What came of a mesh.
enum OfMesh {
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
    /// priced as `usage` says. Each mesh is read once for all its uses, within `limits`, and no more meshes
    /// are inflated at a time than there are threads; `done` is told of each, in no order.
    pub fn archive(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        limits: Limits,
        done: impl Fn(Uuid) + Sync,
    ) -> ArchivePrice {
        self.priced(archive, usage, limits, (false, &done))
    }

    /// [`archive`](Self::archive) with the parts of each object, and the triangles and vertices of all
    /// meshes.
    pub fn archive_in_parts(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        limits: Limits,
        done: impl Fn(Uuid) + Sync,
    ) -> ArchivePrice {
        self.priced(archive, usage, limits, (true, &done))
    }

    fn priced(
        &self,
        archive: &Archive,
        usage: &MeshUse,
        limits: Limits,
        (in_parts, done): (bool, &(impl Fn(Uuid) + Sync)),
    ) -> ArchivePrice {
        let mut uses: HashMap<Uuid, HashSet<PartUse>> = HashMap::new();
        for part in archive.objects.iter().flat_map(PartUse::all) {
            uses.entry(part.mesh).or_default().insert(part);
        }
        let shown = |object: &Object| object.parts().filter_map(Part::mesh).collect::<Vec<_>>();
        let stowed: HashSet<Uuid> = archive.stowed.iter().flat_map(shown).collect();
        let one = |(&id, bytes): (&Uuid, &Vec<u8>)| {
            let of_mesh = match uses.get(&id) {
                Some(uses) if in_parts => self.used(id, Mesh::read_counted(bytes, limits), uses),
                Some(uses) => self.used(id, Mesh::read(bytes, limits), uses),
                None if stowed.contains(&id) => OfMesh::Stowed,
                None => {
                    let mesh = Mesh::read_counted(bytes, limits);
                    let detail = mesh.and_then(|mesh| self.mesh_in_detail(&mesh, usage));
                    OfMesh::Unused(Box::new(UnusedMesh { id, detail }))
                }
            };
            done(id);
            of_mesh
        };
        let mut meshes = Meshes::default();
        for mesh in archive.meshes.par_iter().map(one).collect::<Vec<_>>() {
            meshes.add(mesh);
        }
        let parcels = Parcels::of(archive);
        let one = |object| self.object(object, &meshes, in_parts, parcels.of_object(object));
        ArchivePrice {
            kind: archive.kind,
            objects: archive.objects.par_iter().map(one).collect(),
            unused: meshes.unused,
            stowed: archive.stowed.len(),
        }
    }

    fn used(&self, id: Uuid, mesh: Result<Mesh, Error>, uses: &HashSet<PartUse>) -> OfMesh {
        let mesh = match mesh {
            Ok(mesh) => mesh,
            Err(error) => {
                let error = Arc::new(Error::Mesh { id, error: Arc::new(error) });
                let priced = uses.iter().map(|part| (*part, Err(error.clone()))).collect();
                return OfMesh::Used { id, priced, geometry: None };
            }
        };
        let mut uses: Vec<_> = uses.iter().collect();
        uses.sort_by_cached_key(|part| part.proportions());
        let measured = Measured::new(&mesh);
        let price =
            |part: &PartUse| part.price(&measured, self).map_err(|error| part.refused(error));
        let priced = uses.into_iter().map(|part| (*part, price(part))).collect();
        OfMesh::Used { id, priced, geometry: mesh.geometry.map(|geometry| geometry.counts) }
    }

    fn object(
        &self,
        object: &Object,
        meshes: &Meshes,
        in_parts: bool,
        parcel: Option<Arc<Parcel>>,
    ) -> PricedObject {
        let weighed = self.weighed(object, |part| meshes.price(part));
        let price = weighed.as_deref().map_err(Clone::clone);
        let price = price.and_then(|parts| linkset_of(object, parts)).map(Arc::new);
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
            entry: object.source.as_str().into(),
            name: object.name().into(),
            place: object.place.clone(),
            owner: object.owner,
            parcel,
            price,
            parts,
        }
    }
}

impl Meshes {
    fn add(&mut self, mesh: OfMesh) {
        match mesh {
            OfMesh::Used { id, priced, geometry } => {
                self.prices.extend(priced);
                self.geometry.extend(geometry.map(|geometry| (id, geometry)));
            }
            OfMesh::Unused(mesh) => self.unused.push(*mesh),
            OfMesh::Stowed => {}
        }
    }

    fn price(&self, part: &PartUse) -> Result<MeshWeights, Arc<Error>> {
        let missing = || Err(Arc::new(Error::MissingMesh(part.mesh)));
        self.prices.get(part).cloned().unwrap_or_else(missing)
    }
}
