//! The incremental reader of an archive.

use std::collections::HashSet;
use std::collections::btree_map::Entry;
use std::io::{self, Read};
use std::sync::Arc;

use lodger_quota::{Quota, QuotaExceeded, Reservation};
use uuid::Uuid;

use crate::archive::contents::{Archive, ArchiveKind, ArchiveLimits, EntryKind, entry_kind};
use crate::archive::error::{ArchiveError, ArchiveErrorKind, ErrorLog};
use crate::archive::group::EntryParser;
use crate::archive::inventory::{Inventory, InventoryItem, ResolvedInventory, read_item};
use crate::archive::object::{ContainingRegion, Object};
use crate::archive::parcel::{Parcel, read_parcel};

const INITIAL_CAPACITY: u64 = 1 << 20;
/// Peak bytes for each byte of XML: its bytes, its text (up to three times as long if not UTF-8), the texts of a
/// part, and the objects, which take less than five times their XML.
pub(crate) const MEMORY_OF_XML: u64 = 10;
/// Bytes of a UUID in a table with a load factor of at least one half.
const PER_INSIDE: usize = 3 * size_of::<Uuid>();
/// Bytes of the table entry and the prices of a mesh.
const PER_MESH: u64 = 1 << 10;
pub(crate) const WORK_OF_XML: u64 = 4;

type ReservedBytes<'a> = (Vec<u8>, Reservation<'a>);

/// Reads an archive entry by entry, in any order.
///
/// [`read`](crate::archive::read) takes entries from a tar file; a program may take them from an unpacked archive.
///
/// # Examples
/// ```
/// use lodger_opensim::archive::{ArchiveLimits, ArchiveReader, ObjectLocation};
/// use lodger_quota::{Quota, QuotaLimits};
///
/// let post = "<SceneObjectGroup><SceneObjectPart><GroupPosition><X>3</X><Y>2</Y><Z>21</Z>\
///     </GroupPosition><Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve></Shape>\
///     <Scale><X>1</X><Y>1</Y><Z>1</Z></Scale></SceneObjectPart></SceneObjectGroup>";
/// // A region of 32 m, of which the parcel has the south-western corner.
/// let land = "<LandData><GlobalID>6bb3b0a0-1a5e-4b37-9e2b-8d6b5a3f0c11</GlobalID>\
///     <Name>a corner</Name><Bitmap>AQAAAAAAAAA=</Bitmap></LandData>";
/// let quota = Quota::new(QuotaLimits::default());
/// let mut reader = ArchiveReader::new(ArchiveLimits::default(), &quota);
/// for (path, text) in [("objects/post.xml", post), ("landdata/corner.xml", land)] {
///     reader.entry(path, text.len() as u64, text.as_bytes())?;
/// }
/// let archive = reader.finish()?;
/// let post = &archive.objects[0];
/// assert!(matches!(post.location, ObjectLocation::Region { position: [3.0, 2.0, 21.0], .. }));
/// assert_eq!(archive.parcel_of(post).map(|parcel| &*parcel.name), Some("a corner"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveReader<'a> {
    limits: ArchiveLimits,
    quota: &'a Quota,
    last: Option<String>,
    /// Whether entries may be missing at the end.
    broke_off: bool,
    regions: HashSet<Arc<str>>,
    inventory: Inventory,
    archive: Archive,
    errors: ErrorLog,
    exceeded: Option<QuotaExceeded>,
}

impl<'a> ArchiveReader<'a> {
    /// Creates an empty archive. The quota pays for memory that is kept, and four units of work for each byte of XML.
    #[must_use]
    pub fn new(limits: ArchiveLimits, quota: &'a Quota) -> Self {
        Self {
            limits,
            quota,
            last: None,
            broke_off: false,
            regions: HashSet::new(),
            inventory: Inventory::default(),
            archive: Archive { kind: ArchiveKind::Inventory, ..Archive::from_objects(Vec::new()) },
            errors: ErrorLog::new(limits.errors),
            exceeded: None,
        }
    }

    /// Reads an entry: its path with `/` between folders, its size in bytes, and its body. At most `size` bytes are
    /// read, and none of an entry without a use.
    ///
    /// # Errors
    /// A [limit](ArchiveError::is_limit) that ends the reading, or [`ArchiveErrorKind::Unreadable`], after which
    /// other entries may follow. [`record_error`](Self::record_error) adds either to the archive's errors; all other
    /// errors are added already.
    pub fn entry(&mut self, path: &str, size: u64, body: impl Read) -> Result<(), ArchiveError> {
        self.begin(path)?;
        self.file(path, size, &mut body.take(size)).map_err(|error| {
            ArchiveError::from(ArchiveErrorKind::Unreadable(error)).in_entry(path)
        })?;
        self.check()
    }

    /// Adds an error to the archive's errors.
    pub fn record_error(&mut self, error: ArchiveError) {
        self.errors.add(error);
    }

    /// Returns the archive: an inventory if nothing belongs to a region. In an inventory, nested objects are
    /// separated from the others.
    ///
    /// # Errors
    /// [`ArchiveErrorKind::QuotaExceeded`], also for copies of objects with several items.
    pub fn finish(self) -> Result<Archive, ArchiveError> {
        self.check()?;
        let Self { quota, broke_off, inventory, mut archive, mut errors, .. } = self;
        if archive.kind == ArchiveKind::Region {
            archive.nested = inventory.into_assets();
        } else {
            let missing = (!broke_off).then_some(&mut errors);
            let ResolvedInventory { objects, nested } = inventory.resolve(quota, missing)?;
            (archive.objects, archive.nested) = (objects, nested);
        }
        archive.errors = errors.finish();
        Ok(archive)
    }

    pub(crate) fn quota(&self) -> &'a Quota {
        self.quota
    }

    pub(crate) fn entries(&self) -> u64 {
        self.archive.entries
    }

    pub(crate) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    pub(crate) fn break_off(&mut self, error: ArchiveError) {
        self.broke_off = true;
        self.errors.add(error);
    }

    pub(crate) fn begin(&mut self, path: &str) -> Result<(), ArchiveError> {
        let limit = self.limits.entries;
        if self.archive.entries == limit {
            self.broke_off = true;
            return Err(ArchiveErrorKind::TooManyEntries { limit }.into());
        }
        self.archive.entries += 1;
        self.last = Some(path.to_owned());
        Ok(())
    }

    pub(crate) fn check(&self) -> Result<(), ArchiveError> {
        self.exceeded
            .map_or(Ok(()), |exceeded| Err(ArchiveErrorKind::QuotaExceeded(exceeded).into()))
    }

    pub(crate) fn sparse(&mut self, path: &str) {
        match entry_kind(path) {
            EntryKind::OfARegion | EntryKind::Other => return,
            EntryKind::ObjectAsset(id) => self.asset(path, id, None),
            _ => {}
        }
        let kind = ArchiveErrorKind::invalid("it is left out: it is stored as a sparse file");
        self.record_error(ArchiveError::from(kind).in_entry(path));
    }

    pub(crate) fn file(&mut self, path: &str, size: u64, body: &mut impl Read) -> io::Result<()> {
        let entry_kind = entry_kind(path);
        if let EntryKind::OfARegion | EntryKind::ObjectInWorld(_) | EntryKind::Parcel(_) =
            entry_kind
        {
            self.archive.kind = ArchiveKind::Region;
        }
        match entry_kind {
            EntryKind::NamelessMesh => self.note(
                path,
                Err(ArchiveErrorKind::invalid(
                    "the name of this mesh asset does not begin with a UUID",
                )),
            ),
            EntryKind::OfARegion | EntryKind::Other => {}
            EntryKind::ObjectAsset(id) => {
                let read = self.xml(path, size, body);
                self.asset(
                    path,
                    id,
                    read.as_ref().ok().and_then(Option::as_ref).map(|held| &*held.0),
                );
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
                    let taken = match entry_kind {
                        EntryKind::Item(inside) => self.item(path, inside, &bytes),
                        EntryKind::Parcel(region) => self.parcel(region, &bytes),
                        EntryKind::ObjectInWorld(region) => self.in_world(path, region, &bytes),
                        _ => Ok(()),
                    };
                    self.note(path, taken);
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, path: &str, taken: Result<(), ArchiveErrorKind>) {
        match taken {
            Ok(()) => {}
            Err(ArchiveErrorKind::QuotaExceeded(exceeded)) => self.exceeded = Some(exceeded),
            Err(kind) => self.record_error(ArchiveError::from(kind).in_entry(path)),
        }
    }

    fn xml(
        &mut self,
        path: &str,
        size: u64,
        body: &mut impl Read,
    ) -> io::Result<Option<ReservedBytes<'a>>> {
        let read = self.body(path, size, body, MEMORY_OF_XML)?;
        if read.is_some() {
            let work = self.quota.charge_work(size.saturating_mul(WORK_OF_XML));
            self.note(path, work.map_err(ArchiveErrorKind::QuotaExceeded));
        }
        Ok(read.filter(|_| self.exceeded.is_none()))
    }

    /// Reads an entry and reserves `times` as much memory as it has bytes.
    fn body(
        &mut self,
        path: &str,
        size: u64,
        body: &mut impl Read,
        times: u64,
    ) -> io::Result<Option<ReservedBytes<'a>>> {
        let limit = self.limits.entry_bytes;
        if size > limit {
            self.note(path, Err(ArchiveErrorKind::EntryTooLarge { size, limit }));
            return Ok(None);
        }
        let reservation = match self.quota.reserve(size.saturating_mul(times)) {
            Ok(reservation) => reservation,
            Err(exceeded) => {
                self.exceeded = Some(exceeded);
                return Ok(None);
            }
        };
        let reserved = usize::try_from(size.min(INITIAL_CAPACITY)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(reserved);
        body.read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            let message = format!("it has {} of its {size} bytes", bytes.len());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(Some((bytes, reservation)))
    }

    fn mesh(&mut self, id: Uuid, bytes: Vec<u8>) -> Result<(), ArchiveErrorKind> {
        match self.archive.meshes.entry(id) {
            Entry::Vacant(place) => {
                self.quota.charge_memory(PER_MESH + bytes.len() as u64)?;
                place.insert(bytes);
            }
            Entry::Occupied(earlier) if *earlier.get() == bytes => {}
            Entry::Occupied(_) => {
                return Err(ArchiveErrorKind::invalid(
                    "it is left out: an earlier mesh has the same UUID",
                ));
            }
        }
        Ok(())
    }

    /// Adds an asset, also if it cannot be read.
    fn asset(&mut self, path: &str, id: Option<Uuid>, bytes: Option<&[u8]>) {
        let read = bytes.map(|bytes| self.objects(path, bytes, &ContainingRegion::None));
        let (objects, inside) = read.unwrap_or_default();
        // In a region, all assets are nested.
        if self.archive.kind == ArchiveKind::Inventory {
            let others = inside.into_iter().filter(|&asset| id != Some(asset));
            others.for_each(|asset| self.inventory.note_inside(asset));
        }
        let added = self.inventory.add(id, objects);
        self.note(path, added);
    }

    fn in_world(
        &mut self,
        path: &str,
        region: Option<&str>,
        bytes: &[u8],
    ) -> Result<(), ArchiveErrorKind> {
        let region = ContainingRegion::Region(self.region(region)?);
        let (objects, _) = self.objects(path, bytes, &region);
        self.archive.objects.extend(objects);
        Ok(())
    }

    /// Reads the objects of an entry, and the assets of objects nested in them.
    fn objects(
        &mut self,
        path: &str,
        xml: &[u8],
        region: &ContainingRegion,
    ) -> (Vec<Object>, Vec<Uuid>) {
        let parsed = EntryParser::read(path, xml, (region, self.limits.nesting), &mut self.errors);
        let EntryParser { mut objects, inside, .. } = parsed;
        objects.shrink_to_fit();
        let bytes = objects.iter().map(Object::bytes).sum::<u64>() + path.len() as u64;
        let kept = self.quota.charge_memory(bytes + (inside.len() * PER_INSIDE) as u64);
        self.note(path, kept.map_err(ArchiveErrorKind::QuotaExceeded));
        (objects, inside)
    }

    fn item(&mut self, path: &str, inside: &str, bytes: &[u8]) -> Result<(), ArchiveErrorKind> {
        if let Some(item) = read_item(inside, bytes, self.limits.nesting)? {
            let bytes = size_of::<(String, InventoryItem)>() + path.len() + item.path.len();
            self.quota.charge_memory(bytes as u64)?;
            self.inventory.refer(path, item);
        }
        Ok(())
    }

    fn parcel(&mut self, region: Option<&str>, bytes: &[u8]) -> Result<(), ArchiveErrorKind> {
        let region = self.region(region)?;
        let (parcel, bitmap) = read_parcel(region.clone(), bytes, self.limits.nesting)?;
        let bytes = size_of::<Parcel>() + parcel.name.len();
        self.quota
            .charge_memory(bytes as u64 + self.archive.land.growth(region.as_deref(), &bitmap))?;
        self.archive.land.assign(region, &bitmap, self.archive.parcels.len());
        self.archive.parcels.push(Arc::new(parcel));
        Ok(())
    }

    fn region(&mut self, folder: Option<&str>) -> Result<Option<Arc<str>>, QuotaExceeded> {
        let Some(folder) = folder else { return Ok(None) };
        if let Some(known) = self.regions.get(folder) {
            return Ok(Some(known.clone()));
        }
        self.quota.charge_memory((size_of::<Arc<str>>() + folder.len()) as u64)?;
        let folder = Arc::from(folder);
        self.regions.insert(Arc::clone(&folder));
        Ok(Some(folder))
    }
}
