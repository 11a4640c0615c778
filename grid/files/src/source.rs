//! Something that can be read.

use std::fs;
use std::path::{Path, PathBuf};

use lodger_allowance::Allowance;
use lodger_archive::{Archive, Limits};

use crate::choice::choose;
use crate::error::{FileError, Problem};
use crate::kind::Kind;
use crate::object_file;
use crate::stream::Stream;
use crate::unpacked;

/// Something that can be read: a file, stdin, or an unpacked archive; all of it, or objects in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    room: Room,
    choice: Option<String>,
}

/// Where a source is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Room {
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
    /// use lodger_files::Source;
    ///
    /// assert_eq!(Source::named(Path::new("-")).name(), "<stdin>");
    /// assert_eq!(Source::named(Path::new("table.llmesh")).name(), "table.llmesh");
    /// ```
    #[must_use]
    pub fn named(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self { name: "<stdin>".to_owned(), room: Room::Stdin, choice: None };
        }
        let name = path.display().to_string();
        let chosen = if path.exists() { None } else { split(&name) };
        match chosen {
            Some((room, choice)) => Self { name, room, choice: Some(choice) },
            None if unpacked::is_unpacked(path) => Self::unpacked(path),
            None => Self { name, room: Room::File(path.to_owned()), choice: None },
        }
    }

    /// An unpacked archive.
    pub(crate) fn unpacked(folder: &Path) -> Self {
        let name = folder.display().to_string();
        let short = name.trim_end_matches('/');
        let name = if short.is_empty() { name } else { short.to_owned() };
        Self { name, room: Room::Folder(folder.to_owned()), choice: None }
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
        self.room == Room::Stdin
    }

    /// Whether it can be read a second time, which pipes and devices cannot.
    #[must_use]
    pub fn may_repeat(&self) -> bool {
        match &self.room {
            Room::Stdin => false,
            Room::Folder(_) => true,
            Room::File(path) => fs::metadata(path).is_ok_and(|found| found.is_file()),
        }
    }

    /// The file or folder that it is; none for stdin.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.room {
            Room::Stdin => None,
            Room::File(path) | Room::Folder(path) => Some(path),
        }
    }

    /// Whether it is an unpacked archive.
    pub(crate) fn is_unpacked(&self) -> bool {
        matches!(self.room, Room::Folder(_))
    }

    /// Whether it has objects of their own, by its first bytes. stdin, pipes and devices are not looked
    /// at, and neither is what cannot be read: those have none.
    #[must_use]
    pub fn is_archive(&self) -> bool {
        match &self.room {
            _ if self.choice.is_some() => true,
            Room::Folder(_) => true,
            Room::Stdin => false,
            Room::File(path) => {
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
        let opened = match &self.room {
            Room::Folder(folder) => unpacked::read(folder, limits, allowance)
                .map(|(archive, unreadable)| Content::Archive { archive, unreadable })
                .map(Opened::Content),
            Room::File(path) => {
                Stream::open(path).and_then(|it| self.content(it, Some(path), limits, allowance))
            }
            Room::Stdin => Stream::open(Path::new("-"))
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
                let archive = lodger_archive::read(stream.into_reader(), limits, allowance)?;
                Content::Archive { archive, unreadable: Vec::new() }
            }
            Kind::ObjectXml => {
                let entry = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
                let entry = entry.unwrap_or(self.name.as_str().into());
                let xml = stream.whole(allowance)?;
                let (archive, unreadable) =
                    object_file::read(&entry, &xml, path, limits, allowance)?;
                Content::Archive { archive, unreadable }
            }
            _ => return Ok(Opened::Other(stream)),
        }))
    }

    /// Only the objects that were chosen, if any were.
    fn chosen(&self, mut opened: Opened) -> Result<Opened, Problem> {
        let Some(wanted) = &self.choice else { return Ok(opened) };
        match &mut opened {
            Opened::Content(Content::Archive { archive, .. }) => choose(archive, wanted)?,
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
fn split(name: &str) -> Option<(Room, String)> {
    let colons = name.rmatch_indices(':').map(|(at, _)| name.split_at(at));
    colons.filter(|(before, _)| !before.is_empty()).find_map(|(before, choice)| {
        let path = Path::new(before);
        let room = match fs::metadata(path) {
            Ok(found) if !found.is_dir() => Room::File(path.to_owned()),
            Ok(_) if unpacked::is_unpacked(path) => Room::Folder(path.to_owned()),
            _ => return None,
        };
        Some((room, choice.strip_prefix(':')?.to_owned()))
    })
}
