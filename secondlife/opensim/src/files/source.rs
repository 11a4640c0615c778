//! Sources (files, stdin and unpacked archives) and the selection of objects.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lodger_quota::Quota;
use uuid::Uuid;

use crate::archive::{Archive, ArchiveError, ArchiveLimits, Object, ObjectLocation, ObjectPart};
use crate::files::error::{FileError, FileErrorKind, ObjectCandidate, entry_id};
use crate::files::kind::FileKind;
use crate::files::stream::SniffedReader;
use crate::files::unpacked::{is_unpacked, read_object_file, read_unpacked};

/// An input: a file, stdin, or an unpacked archive, possibly with a selection of its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputSource {
    name: String,
    location: SourceLocation,
    selection: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum SourceLocation {
    Stdin,
    File(PathBuf),
    Folder(PathBuf),
}

/// The content of a source.
#[derive(Debug)]
pub enum SourceContent {
    /// Bytes of a mesh asset, not validated.
    Mesh(Vec<u8>),
    /// Objects with their meshes; may be empty.
    #[non_exhaustive]
    Archive {
        /// The archive.
        archive: Archive,
        /// Errors of files of an unpacked archive, or of meshes of an object.
        unreadable: Vec<FileError>,
    },
}

/// An opened source.
pub enum OpenedSource {
    /// A mesh asset, or objects.
    Content(SourceContent),
    /// A file of another kind, not read yet.
    Other(SniffedReader<'static>),
}

impl SourceContent {
    /// Whether the content can have objects.
    #[must_use]
    pub const fn is_archive(&self) -> bool {
        matches!(self, Self::Archive { .. })
    }
}

impl InputSource {
    /// Creates the source with this path: a file, stdin for `-`, an unpacked archive, or a selection as in
    /// `region.oar:House`. An existing file with a colon in its name takes precedence. Opens nothing.
    ///
    /// # Examples
    /// ```
    /// use std::path::Path;
    ///
    /// use lodger_opensim::files::InputSource;
    ///
    /// assert_eq!(InputSource::from_path(Path::new("-")).name(), "<stdin>");
    /// assert_eq!(InputSource::from_path(Path::new("table.llmesh")).name(), "table.llmesh");
    /// ```
    #[must_use]
    pub fn from_path(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self {
                name: "<stdin>".to_owned(),
                location: SourceLocation::Stdin,
                selection: None,
            };
        }
        let name = path.display().to_string();
        let selected = if path.exists() { None } else { split(&name) };
        match selected {
            Some((location, selection)) => Self { name, location, selection: Some(selection) },
            None if is_unpacked(path) => Self::unpacked(path),
            None => Self { name, location: SourceLocation::File(path.to_owned()), selection: None },
        }
    }

    pub(crate) fn unpacked(folder: &Path) -> Self {
        let name = folder.display().to_string();
        let short = name.trim_end_matches('/');
        let name = if short.is_empty() { name } else { short.to_owned() };
        Self { name, location: SourceLocation::Folder(folder.to_owned()), selection: None }
    }

    /// The name in reports: the path with the selection, or `<stdin>`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name without the selection.
    #[must_use]
    pub fn file_name(&self) -> &str {
        let selection = self.selection.as_ref().map_or(0, |selection| selection.len() + 1);
        self.name.get(..self.name.len().saturating_sub(selection)).unwrap_or(&self.name)
    }

    pub(crate) fn is_stdin(&self) -> bool {
        self.location == SourceLocation::Stdin
    }

    /// Whether the source can be read twice, unlike pipes and devices.
    #[must_use]
    pub fn is_rereadable(&self) -> bool {
        match &self.location {
            SourceLocation::Stdin => false,
            SourceLocation::Folder(_) => true,
            SourceLocation::File(path) => fs::metadata(path).is_ok_and(|found| found.is_file()),
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.location {
            SourceLocation::Stdin => None,
            SourceLocation::File(path) | SourceLocation::Folder(path) => Some(path),
        }
    }

    pub(crate) fn is_unpacked(&self) -> bool {
        matches!(self.location, SourceLocation::Folder(_))
    }

    /// Whether the source contains objects, by its first bytes. False for stdin, pipes, devices and unreadable files,
    /// which are not read.
    #[must_use]
    pub fn is_archive(&self) -> bool {
        match &self.location {
            _ if self.selection.is_some() => true,
            SourceLocation::Folder(_) => true,
            SourceLocation::Stdin => false,
            SourceLocation::File(path) => {
                fs::metadata(path).is_ok_and(|found| found.is_file())
                    && SniffedReader::open(path).is_ok_and(|stream| stream.kind().has_objects())
            }
        }
    }

    /// Reads a mesh asset or objects.
    ///
    /// # Errors
    /// The errors of [`open_any`](Self::open_any), and [`FileErrorKind::Unsupported`] for other kinds.
    pub fn open(&self, limits: ArchiveLimits, quota: &Quota) -> Result<SourceContent, FileError> {
        match self.open_any(limits, quota)? {
            OpenedSource::Content(content) => Ok(content),
            OpenedSource::Other(stream) => {
                Err(self.error(FileErrorKind::Unsupported(stream.kind())))
            }
        }
    }

    /// Reads a mesh asset or objects; a file of another kind is returned unread.
    ///
    /// # Errors
    /// [`FileErrorKind::Unreadable`], [`FileErrorKind::QuotaExceeded`], [`FileErrorKind::Inflate`],
    /// [`FileErrorKind::GzipInGzip`], [`FileErrorKind::Archive`], [`FileErrorKind::NotSelectable`] and
    /// [`FileErrorKind::NoSuchObject`].
    pub fn open_any(
        &self,
        limits: ArchiveLimits,
        quota: &Quota,
    ) -> Result<OpenedSource, FileError> {
        let opened = match &self.location {
            SourceLocation::Folder(folder) => read_unpacked(folder, limits, quota)
                .map(|(archive, unreadable)| SourceContent::Archive { archive, unreadable })
                .map(OpenedSource::Content),
            SourceLocation::File(path) => {
                SniffedReader::open(path).and_then(|it| self.content(it, Some(path), limits, quota))
            }
            SourceLocation::Stdin => SniffedReader::open(Path::new("-"))
                .and_then(|it| self.content(it, None, limits, quota)),
        };
        opened.and_then(|opened| self.apply_selection(opened)).map_err(|kind| self.error(kind))
    }

    fn content(
        &self,
        stream: SniffedReader<'static>,
        path: Option<&Path>,
        limits: ArchiveLimits,
        quota: &Quota,
    ) -> Result<OpenedSource, FileErrorKind> {
        Ok(OpenedSource::Content(match stream.kind() {
            FileKind::MeshAsset => SourceContent::Mesh(stream.read_all(quota)?),
            FileKind::Tar => {
                let archive = crate::archive::read(stream.into_reader(), limits, quota)?;
                SourceContent::Archive { archive, unreadable: Vec::new() }
            }
            FileKind::ObjectXml => {
                let entry = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
                let entry = entry.unwrap_or(self.name.as_str().into());
                let xml = stream.read_all(quota)?;
                let (archive, unreadable) = read_object_file(&entry, &xml, path, limits, quota)?;
                SourceContent::Archive { archive, unreadable }
            }
            _ => return Ok(OpenedSource::Other(stream)),
        }))
    }

    fn apply_selection(&self, mut opened: OpenedSource) -> Result<OpenedSource, FileErrorKind> {
        let Some(wanted) = &self.selection else { return Ok(opened) };
        match &mut opened {
            OpenedSource::Content(SourceContent::Archive { archive, .. }) => {
                select_objects(archive, wanted)?;
            }
            OpenedSource::Content(SourceContent::Mesh(_)) => {
                return Err(FileErrorKind::NotSelectable(FileKind::MeshAsset));
            }
            OpenedSource::Other(stream) => return Err(FileErrorKind::NotSelectable(stream.kind())),
        }
        Ok(opened)
    }

    fn error(&self, kind: FileErrorKind) -> FileError {
        FileError::new(&self.name, kind)
    }
}

fn split(name: &str) -> Option<(SourceLocation, String)> {
    let colons = name.rmatch_indices(':').map(|(at, _)| name.split_at(at));
    colons.filter(|(before, _)| !before.is_empty()).find_map(|(before, selection)| {
        let path = Path::new(before);
        let location = match fs::metadata(path) {
            Ok(found) if !found.is_dir() => SourceLocation::File(path.to_owned()),
            Ok(_) if is_unpacked(path) => SourceLocation::Folder(path.to_owned()),
            _ => return None,
        };
        Some((location, selection.strip_prefix(':')?.to_owned()))
    })
}

const OFFERED: usize = 3;
const ALIKE: f64 = 0.4;
/// Maximum number of names to compare, which bounds the time.
const COMPARED: usize = 100_000;

/// Keeps the selected objects; nested objects are selected only if no other object matches.
fn select_objects(archive: &mut Archive, wanted: &str) -> Result<(), FileErrorKind> {
    let selector = ObjectSelector::new(wanted);
    let nested = std::mem::take(&mut archive.nested);
    if archive.objects.iter().any(|object| selector.matches(object)) {
        archive.objects.retain(|object| selector.matches(object));
    } else if nested.iter().any(|object| selector.matches(object)) {
        archive.objects = nested.into_iter().filter(|object| selector.matches(object)).collect();
    } else {
        let nearest = nearest(archive.objects.iter().chain(&nested), wanted);
        return Err(FileErrorKind::NoSuchObject { wanted: wanted.to_owned(), nearest });
    }
    let objects = archive.objects.iter();
    let mesh_ids: BTreeSet<Uuid> =
        objects.flat_map(Object::parts).filter_map(ObjectPart::mesh).collect();
    archive.meshes.retain(|id, _| mesh_ids.contains(id));
    // Errors of other objects are irrelevant.
    archive.errors.retain(ArchiveError::ends_reading);
    Ok(())
}

struct ObjectSelector<'w> {
    name: &'w str,
    id: Option<Uuid>,
}

impl<'w> ObjectSelector<'w> {
    fn new(wanted: &'w str) -> Self {
        let id = Uuid::try_parse(wanted.trim()).ok().filter(|id| !id.is_nil());
        Self { name: wanted, id }
    }

    fn matches(&self, object: &Object) -> bool {
        let by_id = |id| object.id == id || entry_id(&object.source) == Some(id);
        object.name() == self.name
            || inventory_path(object).is_some_and(|path| ends_with(path, self.name))
            || self.id.is_some_and(by_id)
    }
}

fn inventory_path(object: &Object) -> Option<&str> {
    match &object.location {
        ObjectLocation::Inventory { path } => Some(path),
        _ => None,
    }
}

fn ends_with(path: &str, wanted: &str) -> bool {
    path.strip_suffix(wanted).is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
}

fn nearest<'o>(objects: impl Iterator<Item = &'o Object>, wanted: &str) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let item = |object| inventory_path(object)?.rsplit('/').next();
    let both = |object: &'o Object| [Some(object.name()), item(object)];
    let names: BTreeSet<&str> = objects.flat_map(both).flatten().take(COMPARED).collect();
    let score = |name: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &wanted);
    let mut scored: Vec<_> = names.into_iter().map(|name| (score(name), name)).collect();
    scored.retain(|(score, name)| *score >= ALIKE || name.to_lowercase().contains(&wanted));
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().take(OFFERED).map(|(_, name)| name.to_owned()).collect()
}

/// Returns the single object of a source.
///
/// # Errors
/// [`FileErrorKind::NoObjects`] or [`FileErrorKind::Several`].
pub fn single_object(source: &InputSource, mut objects: Vec<Object>) -> Result<Object, FileError> {
    if objects.len() > 1 {
        let candidates = objects.iter().map(ObjectCandidate::from_object).collect();
        let archive = source.file_name().to_owned();
        return Err(FileError::new(source.name(), FileErrorKind::Several { archive, candidates }));
    }
    objects.pop().ok_or_else(|| FileError::new(source.name(), FileErrorKind::NoObjects))
}
