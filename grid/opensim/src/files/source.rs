//! Sources: files, stdin and unpacked archives, and the objects that are chosen in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lodger_allowance::Allowance;
use uuid::Uuid;

use crate::archive::{Archive, Error, Limits, Object, Part, Place};
use crate::files::error::{Candidate, FileError, Problem, entry_id};
use crate::files::kind::Kind;
use crate::files::stream::Stream;
use crate::files::unpacked::{is_unpacked, read_object_file, read_unpacked};

/// Something that can be read: a file, stdin, or an unpacked archive; all of it, or objects in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    location: SourceLocation,
    choice: Option<String>,
}

/// Where a source is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SourceLocation {
    Stdin,
    File(PathBuf),
    Folder(PathBuf),
}

/// What a source holds.
#[derive(Debug)]
pub enum Content {
    /// The bytes of a mesh asset. Whether it is sound is still to be seen.
    Mesh(Vec<u8>),
    /// Objects with their meshes, from whatever holds them. It may be empty.
    #[non_exhaustive]
    Archive {
        /// What was found.
        archive: Archive,
        /// The files of an unpacked archive, or the meshes of an object, that cannot be read.
        unreadable: Vec<FileError>,
    },
}

/// What a source turned out to be.
pub enum Opened {
    /// A mesh asset, or objects.
    Content(Content),
    /// Something else, which was not read yet.
    Other(Stream<'static>),
}

impl Content {
    /// Whether it has objects of their own, or could have.
    #[must_use]
    pub const fn is_archive(&self) -> bool {
        matches!(self, Self::Archive { .. })
    }
}

impl Source {
    /// What is named by a path: a file, stdin for `-`, an unpacked archive, or objects in an archive, as
    /// in `region.oar:House`. A file with a colon in its name goes first. Nothing is opened yet.
    ///
    /// # Examples
    /// ```
    /// use std::path::Path;
    ///
    /// use lodger_opensim::files::Source;
    ///
    /// assert_eq!(Source::named(Path::new("-")).name(), "<stdin>");
    /// assert_eq!(Source::named(Path::new("table.llmesh")).name(), "table.llmesh");
    /// ```
    #[must_use]
    pub fn named(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self {
                name: "<stdin>".to_owned(),
                location: SourceLocation::Stdin,
                choice: None,
            };
        }
        let name = path.display().to_string();
        let chosen = if path.exists() { None } else { split(&name) };
        match chosen {
            Some((location, choice)) => Self { name, location, choice: Some(choice) },
            None if is_unpacked(path) => Self::unpacked(path),
            None => Self { name, location: SourceLocation::File(path.to_owned()), choice: None },
        }
    }

    /// An unpacked archive.
    pub(crate) fn unpacked(folder: &Path) -> Self {
        let name = folder.display().to_string();
        let short = name.trim_end_matches('/');
        let name = if short.is_empty() { name } else { short.to_owned() };
        Self { name, location: SourceLocation::Folder(folder.to_owned()), choice: None }
    }

    /// What reports call it: its path, with the objects that are chosen, or `<stdin>`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same without the objects that are chosen.
    #[must_use]
    pub fn file_name(&self) -> &str {
        let choice = self.choice.as_ref().map_or(0, |choice| choice.len() + 1);
        self.name.get(..self.name.len().saturating_sub(choice)).unwrap_or(&self.name)
    }

    /// Whether it is stdin.
    pub(crate) fn is_stdin(&self) -> bool {
        self.location == SourceLocation::Stdin
    }

    /// Whether it can be read a second time, which pipes and devices cannot.
    #[must_use]
    pub fn may_repeat(&self) -> bool {
        match &self.location {
            SourceLocation::Stdin => false,
            SourceLocation::Folder(_) => true,
            SourceLocation::File(path) => fs::metadata(path).is_ok_and(|found| found.is_file()),
        }
    }

    /// The file or folder that it is; none for stdin.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.location {
            SourceLocation::Stdin => None,
            SourceLocation::File(path) | SourceLocation::Folder(path) => Some(path),
        }
    }

    /// Whether it is an unpacked archive.
    pub(crate) fn is_unpacked(&self) -> bool {
        matches!(self.location, SourceLocation::Folder(_))
    }

    /// Whether it has objects of their own, by its first bytes. stdin, pipes and devices are not looked
    /// at, and neither is what cannot be read: those have none.
    #[must_use]
    pub fn is_archive(&self) -> bool {
        match &self.location {
            _ if self.choice.is_some() => true,
            SourceLocation::Folder(_) => true,
            SourceLocation::Stdin => false,
            SourceLocation::File(path) => {
                fs::metadata(path).is_ok_and(|found| found.is_file())
                    && Stream::open(path).is_ok_and(|stream| stream.kind().has_objects())
            }
        }
    }

    /// Reads a mesh asset or objects.
    ///
    /// # Errors
    /// Those of [`open_any`](Self::open_any), and [`Problem::Unwanted`] for what is neither.
    pub fn open(&self, limits: Limits, allowance: &Allowance) -> Result<Content, FileError> {
        match self.open_any(limits, allowance)? {
            Opened::Content(content) => Ok(content),
            Opened::Other(stream) => Err(self.fault(Problem::Unwanted(stream.kind()))),
        }
    }

    /// Reads a mesh asset or objects. Anything else comes back unread.
    ///
    /// # Errors
    /// [`Problem::Unreadable`], [`Problem::Spent`], [`Problem::Inflate`], [`Problem::GzipInGzip`],
    /// [`Problem::Archive`], [`Problem::NoChoice`] and [`Problem::NoSuchObject`].
    pub fn open_any(&self, limits: Limits, allowance: &Allowance) -> Result<Opened, FileError> {
        let opened = match &self.location {
            SourceLocation::Folder(folder) => read_unpacked(folder, limits, allowance)
                .map(|(archive, unreadable)| Content::Archive { archive, unreadable })
                .map(Opened::Content),
            SourceLocation::File(path) => {
                Stream::open(path).and_then(|it| self.content(it, Some(path), limits, allowance))
            }
            SourceLocation::Stdin => Stream::open(Path::new("-"))
                .and_then(|it| self.content(it, None, limits, allowance)),
        };
        opened.and_then(|opened| self.chosen(opened)).map_err(|problem| self.fault(problem))
    }

    fn content(
        &self,
        stream: Stream<'static>,
        path: Option<&Path>,
        limits: Limits,
        allowance: &Allowance,
    ) -> Result<Opened, Problem> {
        Ok(Opened::Content(match stream.kind() {
            Kind::MeshAsset => Content::Mesh(stream.whole(allowance)?),
            Kind::Tar => {
                let archive = crate::archive::read(stream.into_reader(), limits, allowance)?;
                Content::Archive { archive, unreadable: Vec::new() }
            }
            Kind::ObjectXml => {
                let entry = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
                let entry = entry.unwrap_or(self.name.as_str().into());
                let xml = stream.whole(allowance)?;
                let (archive, unreadable) =
                    read_object_file(&entry, &xml, path, limits, allowance)?;
                Content::Archive { archive, unreadable }
            }
            _ => return Ok(Opened::Other(stream)),
        }))
    }

    /// Only the objects that were chosen, if any were.
    fn chosen(&self, mut opened: Opened) -> Result<Opened, Problem> {
        let Some(wanted) = &self.choice else { return Ok(opened) };
        match &mut opened {
            Opened::Content(Content::Archive { archive, .. }) => select_objects(archive, wanted)?,
            Opened::Content(Content::Mesh(_)) => return Err(Problem::NoChoice(Kind::MeshAsset)),
            Opened::Other(stream) => return Err(Problem::NoChoice(stream.kind())),
        }
        Ok(opened)
    }

    fn fault(&self, problem: Problem) -> FileError {
        FileError::new(&self.name, problem)
    }
}

/// A file or unpacked archive before a colon, and what is chosen behind it.
fn split(name: &str) -> Option<(SourceLocation, String)> {
    let colons = name.rmatch_indices(':').map(|(at, _)| name.split_at(at));
    colons.filter(|(before, _)| !before.is_empty()).find_map(|(before, choice)| {
        let path = Path::new(before);
        let location = match fs::metadata(path) {
            Ok(found) if !found.is_dir() => SourceLocation::File(path.to_owned()),
            Ok(_) if is_unpacked(path) => SourceLocation::Folder(path.to_owned()),
            _ => return None,
        };
        Some((location, choice.strip_prefix(':')?.to_owned()))
    })
}

/// How many names are offered in place of one that there is not.
const OFFERED: usize = 3;
/// A name that is less alike is not offered.
const ALIKE: f64 = 0.4;
/// Of names in an archive, so many are compared: an answer must not take minutes.
const COMPARED: usize = 100_000;

/// Leaves of an archive the objects that are wanted, and their meshes. Objects inside others are looked
/// at if no other one is meant.
fn select_objects(archive: &mut Archive, wanted: &str) -> Result<(), Problem> {
    let selector = ObjectSelector::new(wanted);
    let stowed = std::mem::take(&mut archive.stowed);
    if archive.objects.iter().any(|object| selector.is(object)) {
        archive.objects.retain(|object| selector.is(object));
    } else if stowed.iter().any(|object| selector.is(object)) {
        archive.objects = stowed.into_iter().filter(|object| selector.is(object)).collect();
    } else {
        let nearest = nearest(archive.objects.iter().chain(&stowed), wanted);
        return Err(Problem::NoSuchObject { wanted: wanted.to_owned(), nearest });
    }
    let objects = archive.objects.iter();
    let shown: BTreeSet<Uuid> = objects.flat_map(Object::parts).filter_map(Part::mesh).collect();
    archive.meshes.retain(|id, _| shown.contains(id));
    // What is wrong with others was not asked for.
    archive.errors.retain(Error::ends_reading);
    Ok(())
}

/// What was asked for.
struct ObjectSelector<'w> {
    name: &'w str,
    id: Option<Uuid>,
}

impl<'w> ObjectSelector<'w> {
    fn new(wanted: &'w str) -> Self {
        let id = Uuid::try_parse(wanted.trim()).ok().filter(|id| !id.is_nil());
        Self { name: wanted, id }
    }

    fn is(&self, object: &Object) -> bool {
        let by_id = |id| object.id == id || entry_id(&object.source) == Some(id);
        object.name() == self.name
            || inventory_path(object).is_some_and(|path| ends_with(path, self.name))
            || self.id.is_some_and(by_id)
    }
}

/// The path of an object that lies in an inventory: its last name is that of the item.
fn inventory_path(object: &Object) -> Option<&str> {
    match &object.place {
        Place::Inventory { path } => Some(path),
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

/// The one object that was chosen from a source.
///
/// # Errors
/// [`Problem::NoObjects`], and [`Problem::Several`] with what tells them apart.
pub fn only_object(source: &Source, mut objects: Vec<Object>) -> Result<Object, FileError> {
    if objects.len() > 1 {
        let candidates = objects.iter().map(Candidate::of).collect();
        let archive = source.file_name().to_owned();
        return Err(FileError::new(source.name(), Problem::Several { archive, candidates }));
    }
    objects.pop().ok_or_else(|| FileError::new(source.name(), Problem::NoObjects))
}
