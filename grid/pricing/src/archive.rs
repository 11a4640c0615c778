//! What is in an archive: its objects, and the meshes that none of them uses.

use std::collections::{HashMap, HashSet};

use lodger_archive::{Archive, Object, Part};
use lodger_mesh_asset::Limits;
use rayon::prelude::*;
use uuid::Uuid;

use crate::detail::MeshDetail;
use crate::error::Error;
use crate::linkset::LinksetPrice;
use crate::mesh::{Mesh, MeshUse};
use crate::part_use::{PartPrice, PartUse};
use crate::rules::Pricing;

/// What there is in an archive, priced or not. All lists are in the order of the archive, and none
/// depends on the number of threads.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArchivePrice {
    /// The objects of the region or inventory.
    pub objects: Vec<PricedObject>,
    /// The meshes that no object uses, each as an object of its own.
    pub unused: Vec<UnusedMesh>,
    /// How many objects are inside other objects, where they cost nothing.
    pub stowed: usize,
}

/// An object of an archive, priced or not.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PricedObject {
    /// The path of its entry in the archive.
    pub entry: String,
    /// Its name, which need not be unique.
    pub name: String,
    /// What it costs, or why that is not known.
    pub price: Result<LinksetPrice, Error>,
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

/// The prices of the meshes of an archive in all their uses.
type Prices = HashMap<PartUse, Result<PartPrice, Error>>;

/// What came of a mesh.
enum OfMesh {
    Used(Vec<(PartUse, Result<PartPrice, Error>)>),
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
        let mut uses: HashMap<Uuid, HashSet<PartUse>> = HashMap::new();
        for part in archive.objects.iter().flat_map(PartUse::all) {
            uses.entry(part.mesh).or_default().insert(part);
        }
        let shown = |object: &Object| object.parts().filter_map(Part::mesh).collect::<Vec<_>>();
        let stowed: HashSet<Uuid> = archive.stowed.iter().flat_map(shown).collect();
        let one = |(&id, bytes): (&Uuid, &Vec<u8>)| {
            let mesh = || Mesh::read(bytes, limits);
            let of_mesh = match uses.get(&id) {
                Some(uses) => OfMesh::Used(self.in_all_uses(&mesh(), uses)),
                None if stowed.contains(&id) => OfMesh::Stowed,
                None => {
                    let detail = mesh().and_then(|mesh| self.mesh_in_detail(&mesh, usage));
                    OfMesh::Unused(Box::new(UnusedMesh { id, detail }))
                }
            };
            done(id);
            of_mesh
        };
        let (mut prices, mut unused) = (Prices::new(), Vec::new());
        for of_mesh in archive.meshes.par_iter().map(one).collect::<Vec<_>>() {
            match of_mesh {
                OfMesh::Used(priced) => prices.extend(priced),
                OfMesh::Unused(mesh) => unused.push(*mesh),
                OfMesh::Stowed => {}
            }
        }
        let objects = archive.objects.par_iter().map(|object| self.object(object, &prices));
        ArchivePrice { objects: objects.collect(), unused, stowed: archive.stowed.len() }
    }

    fn in_all_uses(
        &self,
        mesh: &Result<Mesh, Error>,
        uses: &HashSet<PartUse>,
    ) -> Vec<(PartUse, Result<PartPrice, Error>)> {
        let price = |part: &PartUse| part.price(mesh.as_ref().map_err(Clone::clone)?, self);
        uses.iter().map(|part| (*part, price(part))).collect()
    }

    fn object(&self, object: &Object, prices: &Prices) -> PricedObject {
        let price = self.linkset_of_priced(object, |part| match prices.get(part) {
            Some(Ok(price)) => Ok(*price),
            Some(Err(error)) => Err(part.refused(error.clone())),
            None => Err(Error::MissingMesh(part.mesh)),
        });
        PricedObject { entry: object.source.clone(), name: object.name().to_owned(), price }
    }
}
