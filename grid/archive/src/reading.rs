//! An archive while it is being read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Read};

use uuid::Uuid;

use crate::archive::{Archive, ArchiveKind};
use crate::error::{Error, Problem};
use crate::group;
use crate::limits::Limits;
use crate::object::Object;
use crate::path::{Content, content};
use crate::told::Told;

/// What is reserved for an entry before any of it has come.
const BELIEVED: u64 = 1 << 20;

/// An archive while it is being read, entry by entry, wherever its entries come from.
#[derive(Debug)]
pub struct Reading {
    limits: Limits,
    entries: u64,
    last: Option<String>,
    kept: u64,
    of_a_region: bool,
    in_world: Vec<Object>,
    assets: Vec<Object>,
    meshes: BTreeMap<Uuid, Vec<u8>>,
    errors: Told,
    full: Option<Error>,
}

impl Reading {
    /// Nothing so far.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            entries: 0,
            last: None,
            kept: 0,
            of_a_region: false,
            in_world: Vec::new(),
            assets: Vec::new(),
            meshes: BTreeMap::new(),
            errors: Told::new(limits.errors),
            full: None,
        }
    }

    /// What may be read.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How many entries there were.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// The path of the entry that was begun last.
    pub(crate) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Notes something that could not be read.
    pub(crate) fn fault(&mut self, error: Error) {
        self.errors.add(error);
    }

    /// Begins an entry of any kind.
    pub(crate) fn begin(&mut self, path: &str) -> Result<(), Error> {
        let limit = self.limits.entries;
        if self.entries == limit {
            return Err(Problem::TooManyEntries { limit }.into());
        }
        self.entries += 1;
        self.last = Some(path.to_owned());
        Ok(())
    }

    /// Fails when a limit was met that ends the reading.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.full.take().map_or(Ok(()), Err)
    }

    /// Takes the file of an entry, if it is of use.
    ///
    /// # Errors
    ///
    /// The archive breaks off within it.
    pub(crate) fn file(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<()> {
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
                self.fault(Error::from(Problem::NamelessMesh).in_entry(path));
            }
            Content::OfARegion | Content::Other => {}
        }
        Ok(())
    }

    /// All bytes of an entry, unless there are too many.
    fn body(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
        if size > self.limits.entry_bytes {
            let limit = self.limits.entry_bytes;
            self.fault(Error::from(Problem::EntryTooLarge { size, limit }).in_entry(path));
            return Ok(None);
        }
        let limit = self.limits.kept_bytes;
        if size > limit - self.kept {
            self.full = Some(Error::from(Problem::TooMuchToKeep { limit }).in_entry(path));
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
        match self.meshes.entry(id) {
            Entry::Vacant(place) => {
                place.insert(bytes);
            }
            Entry::Occupied(earlier) if *earlier.get() == bytes => {}
            Entry::Occupied(_) => self.fault(Error::from(Problem::SameUuid).in_entry(path)),
        }
    }

    fn objects(&mut self, path: &str, bytes: &[u8], in_world: bool) {
        group::read(path, bytes, self.limits.nesting, &mut |object| match object {
            Ok(object) if in_world => self.in_world.push(object),
            Ok(object) => self.assets.push(object),
            Err(error) => self.fault(error),
        });
    }

    /// Takes an entry: its path in the archive, its bytes and how many they are.
    ///
    /// # Errors
    /// A limit was met that ends the reading, or the entry breaks off.
    pub fn entry(&mut self, path: &str, size: u64, mut body: impl Read) -> Result<(), Error> {
        self.begin(path)?;
        self.file(path, size, &mut body).map_err(|error| {
            let (entry, bytes) = (self.entries, size);
            Error::from(Problem::Broken { entry, bytes, error }).in_entry(path)
        })?;
        self.check()
    }

    /// Tells region and inventory apart.
    #[must_use]
    pub fn finish(self) -> Archive {
        let (kind, objects, stowed) = if self.of_a_region {
            (ArchiveKind::Region, self.in_world, self.assets)
        } else {
            (ArchiveKind::Inventory, self.assets, Vec::new())
        };
        let (meshes, errors, entries) = (self.meshes, self.errors.finish(), self.entries);
        Archive { kind, objects, stowed, meshes, parcels: Vec::new(), errors, entries }
    }
}
