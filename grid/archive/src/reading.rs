//! An archive while it is being read.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};
use std::sync::Arc;

use uuid::Uuid;

use crate::archive::{Archive, ArchiveKind};
use crate::error::Error;
use crate::group::{self, Found, Source};
use crate::inventory::{Inventory, LaidOut};
use crate::item;
use crate::land::Land;
use crate::limits::Limits;
use crate::object::Object;
use crate::parcel::{self, Parcel};
use crate::path::{Content, content};
use crate::place::Ground;
use crate::problem::Problem;
use crate::room::Room;
use crate::told::Told;

/// What is reserved for an entry before any of it has come.
const BELIEVED: u64 = 1 << 20;

/// An archive while it is being read, entry by entry, wherever its entries come from: [`read`](crate::read)
/// takes them from a tar file, and a program may take them from the folder that one was unpacked to. They
/// may come in any order.
///
/// # Examples
/// ```
/// use lodger_archive::{Limits, Place, Reading};
///
/// let post = "<SceneObjectGroup><SceneObjectPart><GroupPosition><X>3</X><Y>2</Y><Z>21</Z>\
///     </GroupPosition><Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
///     <Scale><X>1</X><Y>1</Y><Z>1</Z></Scale></SceneObjectPart></SceneObjectGroup>";
/// // A region of 32 m, of which the parcel has the south-western corner.
/// let land = "<LandData><GlobalID>6bb3b0a0-1a5e-4b37-9e2b-8d6b5a3f0c11</GlobalID>\
///     <Name>a corner</Name><Bitmap>AQAAAAAAAAA=</Bitmap></LandData>";
/// let mut reading = Reading::new(Limits::default());
/// for (path, text) in [("objects/post.xml", post), ("landdata/corner.xml", land)] {
///     reading.entry(path, text.len() as u64, text.as_bytes())?;
/// }
/// let archive = reading.finish();
/// assert!(matches!(archive.objects[0].place, Place::Region { position: [3.0, 2.0, 21.0], .. }));
/// let parcel = archive.parcel_of(&archive.objects[0]);
/// assert_eq!(parcel.map(|parcel| parcel.name.as_str()), Some("a corner"));
/// # Ok::<(), lodger_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Reading {
    limits: Limits,
    entries: u64,
    last: Option<String>,
    room: Room,
    /// Whether there may have been more entries.
    broke_off: bool,
    of_a_region: bool,
    regions: HashSet<Arc<str>>,
    in_world: Vec<Object>,
    inventory: Inventory,
    parcels: Vec<Parcel>,
    land: Land,
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
            room: Room::new(limits.kept_bytes),
            broke_off: false,
            of_a_region: false,
            regions: HashSet::new(),
            in_world: Vec::new(),
            inventory: Inventory::default(),
            parcels: Vec::new(),
            land: Land::default(),
            meshes: BTreeMap::new(),
            errors: Told::new(limits.errors),
            full: None,
        }
    }

    /// Takes an entry: its path in the archive, with `/` between folders, how many bytes it has, and
    /// these. No more than that are read of `body`, and none of an entry that is of no use.
    ///
    /// # Errors
    /// A [limit](Error::is_limit) was met that ends the reading, or the entry
    /// [cannot be read](Problem::Unreadable); others may follow it. [`fault`](Self::fault) puts either
    /// among the errors of the archive. Anything else that is wrong with an entry is there already.
    pub fn entry(&mut self, path: &str, size: u64, body: impl Read) -> Result<(), Error> {
        self.begin(path)?;
        self.file(path, size, &mut body.take(size))
            .map_err(|error| Error::from(Problem::Unreadable(error)).in_entry(path))?;
        self.check()
    }

    /// Notes something that could not be read, so that it is among the errors of the archive.
    pub fn fault(&mut self, error: Error) {
        self.errors.add(error);
    }

    /// Tells region and inventory apart, and in an inventory the objects that lie in it from those
    /// inside them. An archive with nothing that only a region has is an inventory.
    #[must_use]
    pub fn finish(mut self) -> Archive {
        let (kind, objects, stowed) = if self.of_a_region {
            (ArchiveKind::Region, self.in_world, self.inventory.into_assets())
        } else {
            let laid_out = self.inventory.lay_out(self.room, !self.broke_off);
            let LaidOut { objects, stowed, errors } = laid_out;
            for error in errors {
                self.errors.add(error);
            }
            (ArchiveKind::Inventory, objects, stowed)
        };
        let (meshes, parcels, land) = (self.meshes, self.parcels, self.land);
        let (errors, entries) = (self.errors.finish(), self.entries);
        Archive { kind, objects, stowed, meshes, parcels, errors, entries, land }
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

    /// Notes why there are no more entries, though there may be more in the archive.
    pub(crate) fn break_off(&mut self, error: Error) {
        self.broke_off = true;
        self.errors.add(error);
    }

    /// Begins an entry of any kind.
    pub(crate) fn begin(&mut self, path: &str) -> Result<(), Error> {
        let limit = self.limits.entries;
        if self.entries == limit {
            self.broke_off = true;
            return Err(Problem::TooManyEntries { limit }.into());
        }
        self.entries += 1;
        self.last = Some(path.to_owned());
        Ok(())
    }

    /// Fails when a limit was met that ends the reading.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.broke_off |= self.full.is_some();
        self.full.take().map_or(Ok(()), Err)
    }

    /// Takes the file of an entry, if it is of use.
    ///
    /// # Errors
    ///
    /// The archive breaks off within it.
    pub(crate) fn file(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<()> {
        let content = content(path);
        self.of_a_region |=
            matches!(content, Content::OfARegion | Content::ObjectInWorld(_) | Content::Parcel(_));
        match content {
            Content::NamelessMesh => {
                self.fault(Error::from(Problem::NamelessMesh).in_entry(path));
            }
            Content::OfARegion | Content::Other => {}
            Content::ObjectAsset(id) => {
                let bytes = self.body(path, size, body);
                let read = bytes.as_ref().ok().and_then(Option::as_deref);
                self.asset(path, id, read);
                bytes?;
            }
            Content::Mesh(_)
            | Content::ObjectInWorld(_)
            | Content::Item(_)
            | Content::Parcel(_) => {
                if let Some(bytes) = self.body(path, size, body)? {
                    self.take(path, content, bytes);
                }
            }
        }
        Ok(())
    }

    /// Takes the bytes of an entry.
    fn take(&mut self, path: &str, content: Content<'_>, bytes: Vec<u8>) {
        let taken = match content {
            Content::Mesh(id) => self.mesh(id, bytes),
            Content::Item(inside) => self.item(path, inside, &bytes),
            Content::Parcel(region) => self.parcel(path, region, &bytes),
            Content::ObjectInWorld(region) => {
                self.in_world(path, region, &bytes);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(problem) = taken {
            self.fault(Error::from(problem).in_entry(path));
        }
    }

    /// All bytes of an entry, unless there are too many.
    fn body(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
        if size > self.limits.entry_bytes {
            let limit = self.limits.entry_bytes;
            self.fault(Error::from(Problem::EntryTooLarge { size, limit }).in_entry(path));
            return Ok(None);
        }
        if let Err(full) = self.room.take(size.saturating_add(path.len() as u64)) {
            self.full = Some(Error::from(full).in_entry(path));
            return Ok(None);
        }
        let reserved = usize::try_from(size.min(BELIEVED)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(reserved);
        body.read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            let message = format!("it has {} of its {size} bytes", bytes.len());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(Some(bytes))
    }

    fn mesh(&mut self, id: Uuid, bytes: Vec<u8>) -> Result<(), Problem> {
        match self.meshes.entry(id) {
            Entry::Vacant(place) => {
                place.insert(bytes);
            }
            Entry::Occupied(earlier) if *earlier.get() == bytes => {}
            Entry::Occupied(_) => return Err(Problem::SameUuid),
        }
        Ok(())
    }

    /// An asset that cannot be read or is too large is in the archive, but has no objects.
    fn asset(&mut self, path: &str, id: Option<Uuid>, bytes: Option<&[u8]>) {
        let read = bytes.map(|bytes| self.objects(path, bytes, &Ground::None));
        let (mut objects, inside) = read.unwrap_or_default();
        objects.shrink_to_fit();
        // In a region all assets are inside of something.
        if !self.of_a_region {
            let others = inside.into_iter().filter(|&asset| id != Some(asset));
            others.for_each(|asset| self.inventory.note_inside(asset));
        }
        if let Err(problem) = self.inventory.add(id, objects) {
            self.fault(Error::from(problem).in_entry(path));
        }
    }

    fn in_world(&mut self, path: &str, region: Option<&str>, bytes: &[u8]) {
        let ground = Ground::Region(self.region(region));
        let (objects, _) = self.objects(path, bytes, &ground);
        self.in_world.extend(objects);
    }

    /// The objects of an entry while there is room for them, and the assets of those inside them.
    fn objects(&mut self, path: &str, xml: &[u8], ground: &Ground) -> (Vec<Object>, Vec<Uuid>) {
        let Self { errors, limits, room, full, .. } = self;
        let (mut objects, mut inside) = (Vec::new(), Vec::new());
        let source = Source { path, ground, nesting: limits.nesting };
        group::read(source, xml, &mut |found| match found {
            Found::Object(object) => match room.take(path.len() as u64) {
                Ok(()) => objects.push(*object),
                Err(problem) => *full = Some(Error::from(problem).in_entry(path)),
            },
            Found::Fault(error) => errors.add(error),
            Found::Inside(asset) => inside.push(asset),
        });
        (objects, inside)
    }

    fn item(&mut self, path: &str, inside: &str, bytes: &[u8]) -> Result<(), Problem> {
        if let Some(item) = item::read(inside, bytes, self.limits.nesting)? {
            self.inventory.refer(path, item);
        }
        Ok(())
    }

    fn parcel(&mut self, path: &str, region: Option<&str>, bytes: &[u8]) -> Result<(), Problem> {
        let region = self.region(region);
        let (parcel, bitmap) = parcel::read(region.clone(), bytes, self.limits.nesting)?;
        match self.room.take(self.land.growth(region.as_deref(), &bitmap)) {
            Ok(()) => {
                self.land.give(region, &bitmap, self.parcels.len());
                self.parcels.push(parcel);
            }
            Err(full) => self.full = Some(Error::from(full).in_entry(path)),
        }
        Ok(())
    }

    /// The folder of a region, held once.
    fn region(&mut self, folder: Option<&str>) -> Option<Arc<str>> {
        let folder = folder?;
        if let Some(known) = self.regions.get(folder) {
            return Some(known.clone());
        }
        let folder = Arc::from(folder);
        self.regions.insert(Arc::clone(&folder));
        Some(folder)
    }
}
