//! Reads the archives of `OpenSimulator`: regions (`.oar`) and inventories (`.iar`).
//!
//! Both are a tar file, mostly inside gzip. What is taken from it are the mesh assets, as bytes,
//! and the objects: linksets of prims with the sizes, shapes and scripts that decide their cost.
//! Decoding and pricing is left to the caller, who can do it in parallel.
//!
//! Important terms:
//! - *entry*: a file in the archive, with its path. No path of an archive is ever used on a disk.
//! - *object*: a linkset, a root part with the parts linked to it (`SceneObjectGroup`).
//! - *part*: one prim of it (`SceneObjectPart`), be its shape a plain prim, a sculpt or a mesh.
//!
//! Everything in an archive comes from a stranger: what is kept and what is inflated is limited,
//! a bad object is an error beside the good ones, and a broken archive keeps what came before.

#![cfg_attr(not(test), expect(dead_code, unused_imports, reason = "wired in by the commands"))]

mod error;
mod extra;
mod group;
mod members;
mod part;
mod path;
mod raw;
mod reading;
mod shape;
mod stream;
mod value;
mod xml;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::Read;

use uuid::Uuid;

pub(crate) use error::{ArchiveError, Fault};
pub(crate) use part::{Object, Part, PhysicsShapeType};
pub(crate) use shape::{Shape, Solid};

use reading::Reading;

/// How much of an archive is read before it is taken for an attack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one mesh or object; a larger one is an error of its own.
    pub(crate) entry_bytes: u64,
    /// Bytes of all meshes and objects together, which are held in memory.
    pub(crate) kept_bytes: u64,
    /// Bytes of the whole archive when inflated.
    pub(crate) inflated_bytes: u64,
    /// Entries of any kind.
    pub(crate) entries: u64,
    /// Errors that are told one by one.
    pub(crate) errors: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry_bytes: 64 << 20,
            kept_bytes: 2 << 30,
            inflated_bytes: 32 << 30,
            entries: 4_000_000,
            errors: 10_000,
        }
    }
}

/// What an archive is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveKind {
    /// A region (`.oar`), by the folders that only a region has.
    Region,
    /// An inventory (`.iar`).
    Inventory,
}

/// What was found in an archive.
#[derive(Debug)]
pub(crate) struct Archive {
    /// What it is of.
    pub(crate) kind: ArchiveKind,
    /// The objects of the region or inventory, in the order of the archive.
    pub(crate) objects: Vec<Object>,
    /// The objects inside the objects of a region: they are not in the world and cost nothing
    /// there. An inventory does not tell them apart.
    pub(crate) stowed: Vec<Object>,
    /// The mesh assets, as they are.
    pub(crate) meshes: BTreeMap<Uuid, Vec<u8>>,
    /// What could not be read, in the order of the archive.
    pub(crate) errors: Vec<ArchiveError>,
    /// How many entries it has, of any kind.
    pub(crate) entries: u64,
}

/// Reads an archive, compressed with gzip or plain, to its end.
///
/// # Errors
///
/// Only if it is no archive at all; anything else that is wrong is in [`Archive::errors`].
pub(crate) fn read(input: impl Read, limits: Limits) -> Result<Archive, ArchiveError> {
    let mut reading = Reading::new(limits);
    if let Err(error) = members::walk(input, &mut reading) {
        if reading.entries() == 0 {
            return Err(error);
        }
        reading.fault(error);
    }
    Ok(reading.finish())
}
