//! Many files: meshes, objects, what could not be priced, and the sums.

use lodger_core::cost::land_impact::{Accounting, Assessment};
use lodger_pricing::{ArchivePrice, Error, LinksetPrice, MeshDetail, Total, most_expensive_first};
use serde::Serialize;

use super::super::words;
use super::weights::Weights;
use crate::files::FileError;

/// All that was priced.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    schema: u32,
    /// The meshes, in the order given; of archives those that no object uses.
    pub(crate) files: Vec<FileRow>,
    /// The objects of archives, the most expensive first.
    pub(crate) objects: Vec<ObjectRow>,
    pub(crate) errors: Vec<FileError>,
    pub(crate) notes: Vec<NoteRow>,
    pub(crate) totals: Totals,
}

/// A mesh as an object of its own.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FileRow {
    /// Where it came from.
    pub(crate) file: String,
    /// Metres.
    pub(crate) scale: [f64; 3],
    /// Metres.
    pub(crate) radius: f64,
    #[serde(flatten)]
    pub(crate) weights: Weights,
    #[serde(skip)]
    pub(crate) detail: MeshDetail,
}

/// An object of an archive.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ObjectRow {
    /// The archive.
    pub(crate) file: String,
    /// Its name, which need not be unique.
    pub(crate) object: String,
    /// Its entry in the archive.
    entry: String,
    pub(crate) prims: u32,
    /// How many of the prims show a mesh.
    pub(crate) meshes: u32,
    pub(crate) scripts: u32,
    pub(crate) physical: bool,
    /// Metres: the box around it along its root's axes.
    pub(crate) size: [f64; 3],
    pub(crate) accounting: Accounting,
    #[serde(flatten)]
    pub(crate) weights: Weights,
    #[serde(skip)]
    pub(crate) assessment: Assessment<f64>,
}

/// What should be known about a number.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NoteRow {
    /// The file, or the archive and what is in it.
    pub(crate) file: String,
    pub(crate) note: String,
}

/// The sums, of meshes and objects apart.
#[derive(Debug, Serialize)]
pub(crate) struct Totals {
    #[serde(serialize_with = "sum")]
    pub(crate) files: Total,
    #[serde(serialize_with = "sum")]
    pub(crate) objects: Total,
    /// How much could not be priced.
    pub(crate) errors: usize,
}

/// What came of some of the files.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    files: Vec<FileRow>,
    objects: Vec<ObjectRow>,
    errors: Vec<FileError>,
    notes: Vec<NoteRow>,
}

impl FileRow {
    /// The row of a mesh.
    pub(crate) fn new(file: String, detail: MeshDetail, rules: &'static str) -> Self {
        let (scale, weights) = (detail.price.scale, Weights::of_mesh(&detail, rules));
        Self { file, scale: scale.sides(), radius: scale.radius(), weights, detail }
    }
}

impl Rows {
    /// Nothing but errors.
    pub(crate) fn of_errors(errors: Vec<FileError>) -> Self {
        Self { errors, ..Self::default() }
    }

    /// Adds those of another.
    pub(crate) fn take(&mut self, other: Self) {
        self.files.extend(other.files);
        self.objects.extend(other.objects);
        self.errors.extend(other.errors);
        self.notes.extend(other.notes);
    }

    /// Adds something that has no price.
    pub(crate) fn error(&mut self, file: String, error: String) {
        self.errors.push(FileError { file, error });
    }

    /// Adds a mesh, priced or not.
    pub(crate) fn mesh(
        &mut self,
        file: &str,
        detail: Result<MeshDetail, Error>,
        rules: &'static str,
    ) {
        match detail {
            Ok(detail) => {
                let notes = detail.remarks.iter().map(words::remark);
                self.notes.extend(notes.map(|note| NoteRow { file: file.to_owned(), note }));
                self.files.push(FileRow::new(file.to_owned(), detail, rules));
            }
            Err(error) => self.error(file.to_owned(), error.to_string()),
        }
    }

    /// Adds what is in an archive.
    pub(crate) fn archive(&mut self, file: &str, priced: ArchivePrice, rules: &'static str) {
        for mesh in priced.unused {
            self.mesh(&format!("{file}/assets/{}_mesh.llmesh", mesh.id), mesh.detail, rules);
        }
        for object in priced.objects {
            let place = format!("{file}/{} ({})", object.entry, object.name);
            match object.price {
                Ok(price) => {
                    let note = price.remark.as_ref().map(words::remark_on_linkset);
                    self.notes.extend(note.map(|note| NoteRow { file: place, note }));
                    self.object(file, object.name, object.entry, &price, rules);
                }
                Err(error) => self.error(place, error.to_string()),
            }
        }
        if priced.stowed > 0 {
            self.notes.push(NoteRow { file: file.to_owned(), note: words::stowed(priced.stowed) });
        }
    }

    fn object(
        &mut self,
        file: &str,
        object: String,
        entry: String,
        price: &LinksetPrice,
        rules: &'static str,
    ) {
        let &LinksetPrice { meshes, scripts, physical, assessment, .. } = price;
        self.objects.push(ObjectRow {
            file: file.to_owned(),
            object,
            entry,
            prims: assessment.prims,
            meshes,
            scripts,
            physical,
            size: price.size.sides(),
            accounting: assessment.accounting,
            weights: Weights::of_linkset(&assessment, rules),
            assessment,
        });
    }

    /// Puts the most expensive objects first and sums up.
    pub(crate) fn into_report(mut self) -> Report {
        self.objects.sort_by(|a, b| most_expensive_first(&a.assessment, &b.assessment));
        let totals = Totals {
            files: self.files.iter().map(|row| &row.detail.price.assessment).collect(),
            objects: self.objects.iter().map(|row| &row.assessment).collect(),
            errors: self.errors.len(),
        };
        let Self { files, objects, errors, notes } = self;
        Report { schema: 1, files, objects, errors, notes, totals }
    }
}

fn sum<S: serde::Serializer>(total: &Total, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Row {
        count: usize,
        streaming: f64,
        physics: f64,
        server: f64,
        land_impact: u64,
    }
    let &Total { count, streaming, physics, server, land_impact, .. } = total;
    Row { count, streaming, physics, server, land_impact }.serialize(serializer)
}
