//! Prices many files at once.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, BufReader, Cursor};

use rayon::prelude::*;

use super::audit;
use super::conditions::Conditions;
use super::mesh::Mesh;
use super::report::{FileRow, NoteRow, ObjectRow, Report};
use super::sources::Source;
use crate::input::assets::FileError;
use crate::input::read_all;
use lodger_terminal::Progress;
use lodger_terminal::plain;

/// The first bytes of a file compressed with gzip: no mesh asset, but maybe an archive.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What came of some of the files.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Meshes.
    pub(crate) files: Vec<FileRow>,
    /// Objects of archives.
    pub(crate) objects: Vec<ObjectRow>,
    /// What could not be priced.
    pub(crate) errors: Vec<FileError>,
    /// What should be known about a number.
    pub(crate) notes: Vec<NoteRow>,
}

/// Prices everything. `errors` are of what could not even be found.
pub(crate) fn price(sources: &[Source], conditions: &Conditions, errors: Vec<FileError>) -> Report {
    let progress = Progress::new(sources.len(), sources.iter().any(Source::is_archive));
    let one = |source: &Source| {
        let rows = rows(source, conditions, &progress);
        progress.done();
        rows
    };
    let mut all = Rows { errors, ..Rows::default() };
    for rows in sources.par_iter().map(one).collect::<Vec<_>>() {
        all.take(rows);
    }
    all.into_report()
}

impl Rows {
    /// Adds those of another.
    pub(crate) fn take(&mut self, other: Self) {
        self.files.extend(other.files);
        self.objects.extend(other.objects);
        self.errors.extend(other.errors);
        self.notes.extend(other.notes);
    }

    /// Adds a mesh, priced or not.
    pub(crate) fn mesh(&mut self, file: &str, mesh: Result<Mesh, String>, conditions: &Conditions) {
        let weighed = mesh.and_then(|mesh| Ok((mesh.weigh(conditions)?, mesh)));
        match weighed {
            Ok((weighed, mesh)) => {
                self.files.push(FileRow::new(file, &mesh, &weighed, conditions));
                for note in mesh.remarks(&weighed, conditions) {
                    self.notes.push(NoteRow { file: file.to_owned(), note });
                }
            }
            Err(error) => self.errors.push(FileError { file: file.to_owned(), error }),
        }
    }

    /// Puts the dearest objects first and sums up.
    pub(crate) fn into_report(mut self) -> Report {
        let greatest =
            |row: &ObjectRow| row.streaming.cost.max(row.physics.penalised).max(row.server.cost);
        self.objects.sort_by(|a, b| greatest(b).total_cmp(&greatest(a)));
        self.objects.sort_by_key(|row| Reverse(row.land_impact.value));
        Report::new(self.files, self.objects, self.errors, self.notes)
    }
}

/// The mesh of a single file.
pub(crate) fn read_mesh(source: &Source) -> Result<Mesh, String> {
    match open(source).map_err(|error| unreadable(&error))? {
        Content::Mesh(bytes) => decode(&bytes),
        Content::Archive(_) => Err("it is an archive, not a mesh asset".to_owned()),
    }
}

fn rows(source: &Source, conditions: &Conditions, progress: &Progress) -> Rows {
    let mut rows = Rows::default();
    match open(source) {
        Ok(Content::Mesh(bytes)) => rows.mesh(&source.name, decode(&bytes), conditions),
        Ok(Content::Archive(input)) => {
            progress.say(format!("reading {}", plain(&source.name)));
            rows = audit::rows(&source.name, input, conditions, progress);
        }
        Err(error) => {
            let (file, error) = (source.name.clone(), unreadable(&error));
            rows.errors.push(FileError { file, error });
        }
    }
    rows
}

/// What a file turned out to be.
enum Content {
    Mesh(Vec<u8>),
    Archive(Box<dyn io::Read>),
}

fn open(source: &Source) -> io::Result<Content> {
    let Some(path) = &source.path else {
        return read_all(io::stdin().lock()).map(Content::Mesh);
    };
    let file = File::open(path)?;
    if source.is_archive() {
        return Ok(Content::Archive(Box::new(BufReader::new(file))));
    }
    let bytes = read_all(file)?;
    let is_archive = bytes.starts_with(&GZIP);
    Ok(if is_archive {
        Content::Archive(Box::new(Cursor::new(bytes)))
    } else {
        Content::Mesh(bytes)
    })
}

fn decode(bytes: &[u8]) -> Result<Mesh, String> {
    Mesh::read(bytes).map_err(|error| format!("it is no mesh asset, or a damaged one: {error}"))
}

fn unreadable(error: &io::Error) -> String {
    format!("it cannot be read: {error}")
}
