//! Prices what is in an archive: its objects, and the meshes that none of them uses.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use rayon::prelude::*;
use uuid::Uuid;

use super::batch::Rows;
use super::conditions::Conditions;
use super::mesh::Mesh;
use super::object::{self, MeshUse, Priced, Prices};
use super::report::NoteRow;
use crate::input::archive::{self, Archive, Limits, Part};
use crate::input::assets::FileError;
use lodger_terminal::Progress;

/// Prices an archive.
pub(crate) fn rows(
    name: &str,
    input: impl Read,
    conditions: &Conditions,
    progress: &Progress,
) -> Rows {
    let mut rows = Rows::default();
    let error = |error: &archive::ArchiveError| FileError {
        file: name.to_owned(),
        error: error.to_string(),
    };
    match archive::read(input, Limits::default()) {
        Err(fault) => rows.errors.push(error(&fault)),
        Ok(found) => {
            rows.errors.extend(found.errors.iter().map(error));
            if found.objects.is_empty() && found.meshes.is_empty() && rows.errors.is_empty() {
                let error = "there are no objects and no meshes in this archive".to_owned();
                rows.errors.push(FileError { file: name.to_owned(), error });
            }
            progress.more(found.meshes.len());
            progress.say(format!("pricing {}", lodger_terminal::plain(name)));
            price(name, &found, conditions, progress, &mut rows);
        }
    }
    rows
}

fn price(
    name: &str,
    found: &Archive,
    conditions: &Conditions,
    progress: &Progress,
    rows: &mut Rows,
) {
    let mut uses: HashMap<Uuid, HashSet<MeshUse>> = HashMap::new();
    for mesh_use in found.objects.iter().flat_map(object::uses) {
        uses.entry(mesh_use.mesh).or_default().insert(mesh_use);
    }
    let stowed: HashSet<_> =
        found.stowed.iter().flat_map(|object| object.parts().filter_map(Part::mesh)).collect();

    // Mesh by mesh, so that no more of them are inflated at a time than there are threads.
    let one = |(id, bytes): (&Uuid, &Vec<u8>)| {
        let priced = match uses.get(id) {
            Some(uses) => OfMesh::Used(price_uses(bytes, uses, conditions)),
            None if stowed.contains(id) => OfMesh::Stowed,
            None => OfMesh::Unused(unused(name, id, bytes, conditions)),
        };
        progress.done();
        priced
    };
    let mut prices = Prices::default();
    for of_mesh in found.meshes.par_iter().map(one).collect::<Vec<_>>() {
        match of_mesh {
            OfMesh::Used(priced) => {
                for (mesh_use, priced) in priced {
                    prices.insert(mesh_use, priced);
                }
            }
            OfMesh::Unused(row) => rows.take(row),
            OfMesh::Stowed => {}
        }
    }
    for object in &found.objects {
        object::price(name, object, &prices, conditions, rows);
    }
    if !found.stowed.is_empty() {
        let note = format!(
            "{} inside other objects, not in the world, and not counted",
            match found.stowed.len() {
                1 => "1 object is".to_owned(),
                count => format!("{count} objects are"),
            }
        );
        rows.notes.push(NoteRow { file: name.to_owned(), note });
    }
}

/// What came of a mesh.
enum OfMesh {
    Used(Vec<(MeshUse, Result<Priced, String>)>),
    Unused(Rows),
    Stowed,
}

fn price_uses(
    bytes: &[u8],
    uses: &HashSet<MeshUse>,
    conditions: &Conditions,
) -> Vec<(MeshUse, Result<Priced, String>)> {
    let mesh = Mesh::read(bytes).map_err(|error| error.to_string());
    let price =
        |mesh_use: &MeshUse| mesh_use.price(mesh.as_ref().map_err(Clone::clone)?, conditions);
    uses.iter().map(|mesh_use| (*mesh_use, price(mesh_use))).collect()
}

fn unused(name: &str, id: &Uuid, bytes: &[u8], conditions: &Conditions) -> Rows {
    let mut rows = Rows::default();
    let mesh = Mesh::read(bytes).map_err(|error| error.to_string());
    rows.mesh(&format!("{name}/assets/{id}_mesh.llmesh"), mesh, conditions);
    rows
}
