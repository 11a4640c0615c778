//! An archive while it is being read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Read};

use uuid::Uuid;

use super::error::{ArchiveError, Fault};
use super::part::Object;
use super::path::{Content, content};
use super::{Archive, ArchiveKind, Limits, group};

/// What is reserved for an entry before any of it has come.
const BELIEVED: u64 = 1 << 20;

/// What was found so far.
#[derive(Debug)]
pub(super) struct Reading {
    limits: Limits,
    entries: u64,
    last: Option<String>,
    kept: u64,
    of_a_region: bool,
    in_world: Vec<Object>,
    assets: Vec<Object>,
    meshes: BTreeMap<Uuid, Vec<u8>>,
    errors: Vec<ArchiveError>,
    untold: usize,
    full: Option<ArchiveError>,
}

impl Reading {
    /// Nothing so far.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            entries: 0,
            last: None,
            kept: 0,
            of_a_region: false,
            in_world: Vec::new(),
            assets: Vec::new(),
            meshes: BTreeMap::new(),
            errors: Vec::new(),
            untold: 0,
            full: None,
        }
    }

    /// What may be read.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How many entries there were.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// The path of the entry that was begun last.
    pub(super) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Notes something that could not be read.
    pub(super) fn fault(&mut self, error: ArchiveError) {
        if self.errors.len() < self.limits.errors {
            self.errors.push(error);
        } else {
            self.untold += 1;
        }
    }

    /// Begins an entry of any kind.
    pub(super) fn begin(&mut self, path: &str) -> Result<(), ArchiveError> {
        if self.entries == self.limits.entries {
            let message = format!(
                "the archive has more than {} entries; the rest was not read",
                self.limits.entries
            );
            return Err(ArchiveError::new(Fault::TooLarge, message));
        }
        self.entries += 1;
        self.last = Some(path.to_owned());
        Ok(())
    }

    /// Fails when a limit was met that ends the reading.
    pub(super) fn check(&mut self) -> Result<(), ArchiveError> {
        self.full.take().map_or(Ok(()), Err)
    }

    /// Takes the file of an entry, if it is of use.
    ///
    /// # Errors
    ///
    /// The archive breaks off within it.
    pub(super) fn file(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<()> {
        let content = content(path);
        self.of_a_region |= matches!(content, Content::OfARegion | Content::ObjectInWorld);
        match content {
            Content::Mesh(id) => {
                if let Some(bytes) = self.body(path, size, body)? {
                    self.mesh(path, id, bytes);
                }
            }
            Content::ObjectInWorld | Content::ObjectAsset => {
                if let Some(bytes) = self.body(path, size, body)? {
                    self.objects(path, &bytes, content == Content::ObjectInWorld);
                }
            }
            Content::NamelessMesh => {
                let message = "the name of this mesh asset does not begin with a UUID";
                self.fault(ArchiveError::new(Fault::Entry, message).in_entry(path));
            }
            Content::OfARegion | Content::Other => {}
        }
        Ok(())
    }

    /// All bytes of an entry, unless there are too many.
    fn body(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
        if size > self.limits.entry_bytes {
            let most = self.limits.entry_bytes;
            let message = format!("it is left out: it has {size} bytes, more than {most}");
            self.fault(ArchiveError::new(Fault::TooLarge, message).in_entry(path));
            return Ok(None);
        }
        if size > self.limits.kept_bytes - self.kept {
            let message = format!(
                "the meshes and objects take more than {} bytes; the rest was not read",
                self.limits.kept_bytes
            );
            self.full = Some(ArchiveError::new(Fault::TooLarge, message).in_entry(path));
            return Ok(None);
        }
        let reserved = usize::try_from(size.min(BELIEVED)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(reserved);
        body.read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            let message = format!("it has {} of its {size} bytes", bytes.len());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        self.kept += size;
        Ok(Some(bytes))
    }

    fn mesh(&mut self, path: &str, id: Uuid, bytes: Vec<u8>) {
        let message = match self.meshes.entry(id) {
            Entry::Vacant(place) => {
                place.insert(bytes);
                return;
            }
            Entry::Occupied(earlier) if *earlier.get() == bytes => return,
            Entry::Occupied(_) => "it is left out: an earlier mesh has the same UUID",
        };
        self.fault(ArchiveError::new(Fault::Entry, message).in_entry(path));
    }

    fn objects(&mut self, path: &str, bytes: &[u8], in_world: bool) {
        group::read(path, bytes, &mut |object| match object {
            Ok(object) if in_world => self.in_world.push(object),
            Ok(object) => self.assets.push(object),
            Err(error) => self.fault(error),
        });
    }

    /// Tells region and inventory apart.
    pub(super) fn finish(mut self) -> Archive {
        if self.untold > 0 {
            let message = format!("there are {} more errors like these", self.untold);
            self.errors.push(ArchiveError::new(Fault::Entry, message));
        }
        let (kind, objects, stowed) = if self.of_a_region {
            (ArchiveKind::Region, self.in_world, self.assets)
        } else {
            (ArchiveKind::Inventory, self.assets, Vec::new())
        };
        let (meshes, errors, entries) = (self.meshes, self.errors, self.entries);
        Archive { kind, objects, stowed, meshes, errors, entries }
    }
}
