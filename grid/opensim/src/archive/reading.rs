//! An archive while it is being read.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};
use std::sync::Arc;

use lodger_allowance::{Allowance, Reserved, Spent};
use uuid::Uuid;

use crate::archive::contents::{Archive, ArchiveKind, EntryKind, Limits, entry_kind};
use crate::archive::error::{Error, ErrorLog, Problem};
use crate::archive::group::{EntryContext, EntryItem, read_objects_of_entry};
use crate::archive::inventory::{Inventory, InventoryItem, ResolvedInventory, read_item};
use crate::archive::object::{ContainingRegion, Object};
use crate::archive::parcel::{Parcel, ParcelMap, read_parcel};

/// What is reserved for an entry before any of it has come.
const BELIEVED: u64 = 1 << 20;
/// The most bytes that there are at a time for each byte of XML: itself, its text, of which one that is
/// no UTF-8 is three, the texts of a part, and the objects, which take less than five times their XML.
pub(crate) const MADE_OF_XML: u64 = 10;
/// The bytes of an identifier in a table that is never more than twice as large as it has to be.
const PER_INSIDE: usize = 3 * size_of::<Uuid>();
/// The bytes of a mesh besides its file: its place here, and what comes of pricing it.
const PER_MESH: u64 = 1 << 10;
/// Units of work for each byte of XML.
pub(crate) const WORK_OF_XML: u64 = 4;

/// The message about a mesh asset whose file name has no UUID.
const NAMELESS_MESH: &str = "the name of this mesh asset does not begin with a UUID";

/// Bytes that are held, and room for what is made of them.
type Held<'a> = (Vec<u8>, Reserved<'a>);

/// An archive while it is being read, entry by entry, wherever its entries come from: [`read`](crate::archive::read)
/// takes them from a tar file, and a program may take them from the folder that one was unpacked to. They
/// may come in any order.
///
/// # Examples
/// ```
/// use lodger_allowance::Allowance;
/// use lodger_opensim::archive::{Limits, Place, Reading};
///
/// let post = "<SceneObjectGroup><SceneObjectPart><GroupPosition><X>3</X><Y>2</Y><Z>21</Z>\
///     </GroupPosition><Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
///     <Scale><X>1</X><Y>1</Y><Z>1</Z></Scale></SceneObjectPart></SceneObjectGroup>";
/// // A region of 32 m, of which the parcel has the south-western corner.
/// let land = "<LandData><GlobalID>6bb3b0a0-1a5e-4b37-9e2b-8d6b5a3f0c11</GlobalID>\
///     <Name>a corner</Name><Bitmap>AQAAAAAAAAA=</Bitmap></LandData>";
/// let allowance = Allowance::new(lodger_allowance::Limits::default());
/// let mut reading = Reading::new(Limits::default(), &allowance);
/// for (path, text) in [("objects/post.xml", post), ("landdata/corner.xml", land)] {
///     reading.entry(path, text.len() as u64, text.as_bytes())?;
/// }
/// let archive = reading.finish()?;
/// assert!(matches!(archive.objects[0].place, Place::Region { position: [3.0, 2.0, 21.0], .. }));
/// let parcel = archive.parcel_of(&archive.objects[0]);
/// assert_eq!(parcel.map(|parcel| parcel.name.as_str()), Some("a corner"));
/// # Ok::<(), lodger_opensim::archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Reading<'a> {
    limits: Limits,
    allowance: &'a Allowance,
    entries: u64,
    last: Option<String>,
    /// Whether there may have been more entries.
    broke_off: bool,
    of_a_region: bool,
    regions: HashSet<Arc<str>>,
    in_world: Vec<Object>,
    inventory: Inventory,
    parcels: Vec<Arc<Parcel>>,
    land: ParcelMap,
    meshes: BTreeMap<Uuid, Vec<u8>>,
    errors: ErrorLog,
    spent: Option<Spent>,
}

impl<'a> Reading<'a> {
    /// Nothing so far. What is read is paid from the allowance: what is held in memory, and a unit of work
    /// for each byte of XML and a few more for what is made of it.
    #[must_use]
    pub fn new(limits: Limits, allowance: &'a Allowance) -> Self {
        Self {
            limits,
            allowance,
            entries: 0,
            last: None,
            broke_off: false,
            of_a_region: false,
            regions: HashSet::new(),
            in_world: Vec::new(),
            inventory: Inventory::default(),
            parcels: Vec::new(),
            land: ParcelMap::default(),
            meshes: BTreeMap::new(),
            errors: ErrorLog::new(limits.errors),
            spent: None,
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
    ///
    /// # Errors
    /// [`Problem::Spent`], for the copies of objects that several items refer to, too.
    pub fn finish(mut self) -> Result<Archive, Error> {
        self.check()?;
        let (kind, objects, stowed) = if self.of_a_region {
            (ArchiveKind::Region, self.in_world, self.inventory.into_assets())
        } else {
            let missing = (!self.broke_off).then_some(&mut self.errors);
            let ResolvedInventory { objects, stowed } =
                self.inventory.resolve(self.allowance, missing)?;
            (ArchiveKind::Inventory, objects, stowed)
        };
        let (meshes, parcels, land) = (self.meshes, self.parcels, self.land);
        let (errors, entries) = (self.errors.finish(), self.entries);
        Ok(Archive { kind, objects, stowed, meshes, parcels, errors, entries, land })
    }

    /// What everything is paid from.
    pub(crate) fn allowance(&self) -> &'a Allowance {
        self.allowance
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

    /// Fails when the allowance was not enough.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.spent.map_or(Ok(()), |spent| Err(Problem::Spent(spent).into()))
    }

    /// Leaves out an entry that is stored without its holes.
    pub(crate) fn sparse(&mut self, path: &str) {
        match entry_kind(path) {
            EntryKind::OfARegion | EntryKind::Other => return,
            EntryKind::ObjectAsset(id) => self.asset(path, id, None),
            _ => {}
        }
        self.fault(Error::from(Problem::Sparse).in_entry(path));
    }

    /// Takes the file of an entry, if it is of use.
    ///
    /// # Errors
    ///
    /// The archive breaks off within it.
    pub(crate) fn file(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<()> {
        let entry_kind = entry_kind(path);
        self.of_a_region |= matches!(
            entry_kind,
            EntryKind::OfARegion | EntryKind::ObjectInWorld(_) | EntryKind::Parcel(_)
        );
        match entry_kind {
            EntryKind::NamelessMesh => {
                self.fault(Error::from(Problem::Unusable(NAMELESS_MESH)).in_entry(path));
            }
            EntryKind::OfARegion | EntryKind::Other => {}
            EntryKind::ObjectAsset(id) => {
                let read = self.xml(path, size, body);
                let bytes = read.as_ref().ok().and_then(Option::as_ref);
                self.asset(path, id, bytes.map(|(bytes, _)| &**bytes));
                read?;
            }
            EntryKind::Mesh(id) => {
                if let Some((bytes, reserved)) = self.body(path, size, body, 1)? {
                    drop(reserved);
                    let taken = self.mesh(id, bytes);
                    self.note(path, taken);
                }
            }
            EntryKind::ObjectInWorld(_) | EntryKind::Item(_) | EntryKind::Parcel(_) => {
                if let Some((bytes, _reserved)) = self.xml(path, size, body)? {
                    self.take(path, entry_kind, &bytes);
                }
            }
        }
        Ok(())
    }

    /// Takes the XML of an entry.
    fn take(&mut self, path: &str, entry_kind: EntryKind<'_>, xml: &[u8]) {
        let taken = match entry_kind {
            EntryKind::Item(inside) => self.item(path, inside, xml),
            EntryKind::Parcel(region) => self.parcel(region, xml),
            EntryKind::ObjectInWorld(region) => self.in_world(path, region, xml),
            _ => Ok(()),
        };
        self.note(path, taken);
    }

    /// Notes what is wrong with an entry, if anything is.
    fn note(&mut self, path: &str, taken: Result<(), Problem>) {
        match taken {
            Ok(()) => {}
            Err(Problem::Spent(spent)) => self.spent = Some(spent),
            Err(problem) => self.fault(Error::from(problem).in_entry(path)),
        }
    }

    /// The XML of an entry, with room for all that is made of it.
    fn xml(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<Option<Held<'a>>> {
        let read = self.body(path, size, body, MADE_OF_XML)?;
        let work =
            self.allowance.work(if read.is_some() { size.saturating_mul(WORK_OF_XML) } else { 0 });
        self.note(path, work.map_err(Problem::Spent));
        Ok(read.filter(|_| self.spent.is_none()))
    }

    /// All bytes of an entry, with room for so many times as much, unless there are too many.
    fn body(
        &mut self,
        path: &str,
        size: u64,
        body: &mut impl Read,
        times: u64,
    ) -> io::Result<Option<Held<'a>>> {
        if size > self.limits.entry_bytes {
            let limit = self.limits.entry_bytes;
            self.fault(Error::from(Problem::EntryTooLarge { size, limit }).in_entry(path));
            return Ok(None);
        }
        let room = match self.allowance.reserve(size.saturating_mul(times)) {
            Ok(room) => room,
            Err(spent) => {
                self.spent = Some(spent);
                return Ok(None);
            }
        };
        let reserved = usize::try_from(size.min(BELIEVED)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(reserved);
        body.read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            let message = format!("it has {} of its {size} bytes", bytes.len());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(Some((bytes, room)))
    }

    fn mesh(&mut self, id: Uuid, bytes: Vec<u8>) -> Result<(), Problem> {
        match self.meshes.entry(id) {
            Entry::Vacant(place) => {
                self.allowance.keep(PER_MESH + bytes.len() as u64)?;
                place.insert(bytes);
            }
            Entry::Occupied(earlier) if *earlier.get() == bytes => {}
            Entry::Occupied(_) => {
                return Err(Problem::Unusable("it is left out: an earlier mesh has the same UUID"));
            }
        }
        Ok(())
    }

    /// An asset that cannot be read or is too large is in the archive, but has no objects.
    fn asset(&mut self, path: &str, id: Option<Uuid>, bytes: Option<&[u8]>) {
        let read = bytes.map(|bytes| self.objects(path, bytes, &ContainingRegion::None));
        let (objects, inside) = read.unwrap_or_default();
        // In a region all assets are inside of something.
        if !self.of_a_region {
            let others = inside.into_iter().filter(|&asset| id != Some(asset));
            others.for_each(|asset| self.inventory.note_inside(asset));
        }
        let added = self.inventory.add(id, objects);
        self.note(path, added);
    }

    fn in_world(&mut self, path: &str, region: Option<&str>, bytes: &[u8]) -> Result<(), Problem> {
        let region = ContainingRegion::Region(self.region(region)?);
        let (objects, _) = self.objects(path, bytes, &region);
        self.in_world.extend(objects);
        Ok(())
    }

    /// The objects of an entry, and the assets of those inside them.
    fn objects(
        &mut self,
        path: &str,
        xml: &[u8],
        region: &ContainingRegion,
    ) -> (Vec<Object>, Vec<Uuid>) {
        let Self { errors, limits, .. } = self;
        let (mut objects, mut inside) = (Vec::new(), Vec::new());
        let source = EntryContext { path: path.into(), region, nesting: limits.nesting };
        read_objects_of_entry(&source, xml, &mut |found| match found {
            EntryItem::Object(object) => objects.push(*object),
            EntryItem::Fault(error) => errors.add(error),
            EntryItem::Inside(asset) => inside.push(asset),
        });
        objects.shrink_to_fit();
        let bytes = objects.iter().map(Object::bytes).sum::<u64>() + path.len() as u64;
        let kept = self.allowance.keep(bytes + (inside.len() * PER_INSIDE) as u64);
        self.note(path, kept.map_err(Problem::Spent));
        (objects, inside)
    }

    fn item(&mut self, path: &str, inside: &str, bytes: &[u8]) -> Result<(), Problem> {
        if let Some(item) = read_item(inside, bytes, self.limits.nesting)? {
            let bytes = size_of::<(String, InventoryItem)>() + path.len() + item.path.len();
            self.allowance.keep(bytes as u64)?;
            self.inventory.refer(path, item);
        }
        Ok(())
    }

    fn parcel(&mut self, region: Option<&str>, bytes: &[u8]) -> Result<(), Problem> {
        let region = self.region(region)?;
        let (parcel, bitmap) = read_parcel(region.clone(), bytes, self.limits.nesting)?;
        let bytes = size_of::<Parcel>() + parcel.name.len();
        self.allowance.keep(bytes as u64 + self.land.growth(region.as_deref(), &bitmap))?;
        self.land.assign(region, &bitmap, self.parcels.len());
        self.parcels.push(Arc::new(parcel));
        Ok(())
    }

    /// The folder of a region, held once.
    fn region(&mut self, folder: Option<&str>) -> Result<Option<Arc<str>>, Spent> {
        let Some(folder) = folder else { return Ok(None) };
        if let Some(known) = self.regions.get(folder) {
            return Ok(Some(known.clone()));
        }
        self.allowance.keep((size_of::<Arc<str>>() + folder.len()) as u64)?;
        let folder = Arc::from(folder);
        self.regions.insert(Arc::clone(&folder));
        Ok(Some(folder))
    }
}
