use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use lodger_grid::dataset::{DatasetManifest, DatasetTable};
use lodger_grid::ingest::{IngestOptions, IngestSummary, SourceSpec, ingest};
use lodger_mesh_asset::{AssetBlock, AssetBuilder, PhysicsConvex};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, region_object};
pub(crate) use lodger_testkit::build::compressed::gzip;
use lodger_testkit::build::mesh::strip;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) fn id(number: u128) -> String {
    Uuid::from_u128(number).to_string()
}

pub(crate) fn mesh(number: u32) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    builder.set_value("number", i32::try_from(number).expect("a small number"));
    let triangles = [2, 4, 6, 8 + 2 * u16::try_from(number % 5).expect("a small number")];
    for (block, triangles) in AssetBlock::LODS.into_iter().zip(triangles) {
        builder.set_lod(block, &strip(triangles)).expect("a LOD");
    }
    let corners = [[-0.5, 0.0, 0.1], [0.5, 0.0, 0.1], [0.5, 0.5, 0.1], [-0.5, 0.5, 0.4]];
    builder
        .set_convex(&PhysicsConvex::new(&corners, &[[[0.0_f32; 3]; 0]; 0]).expect("a hull"))
        .expect("a block");
    builder.set_lod(AssetBlock::PhysicsMesh, &strip(2)).expect("a physics mesh");
    builder.encode().expect("an asset")
}

pub(crate) fn object(root: u128, mesh: Option<u128>, linked: usize) -> String {
    let placed = |part: PartXml, number: u128| {
        let creator = format!("<UUID>{}</UUID>", id(7001));
        let part = part.id(&id(number)).owner(&id(7002)).with("CreatorID", &creator);
        part.at("3", "2", "21").scale("1", "2", "0.5")
    };
    let shape = match mesh {
        Some(mesh) => PartXml::mesh("a root", &id(mesh)),
        None => PartXml::cube("a root"),
    };
    let others =
        (0..linked).map(|child| placed(PartXml::cube("a child"), root + 1 + child as u128));
    region_object(&placed(shape, root), &others.collect::<Vec<_>>())
}

pub(crate) fn archive(path: &Path, entries: &[(String, Vec<u8>)]) {
    let file = ArchiveFile::default();
    let file = entries.iter().fold(file, |file, (name, bytes)| file.with(name, bytes));
    fs::write(path, file.gzip()).expect("an archive");
}

pub(crate) fn sandbox() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, out) = (folder.path().join("data"), folder.path().join("out"));
    (folder, root, out)
}

pub(crate) fn read_manifest(dataset: &Path) -> DatasetManifest {
    DatasetManifest::read(dataset).expect("a manifest").expect("a dataset")
}

/// Returns the SHA-256 of bytes in upper-case digits, as in `OpenSimulator`.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let mut digits = crate::tables_content::hexadecimal(&Sha256::digest(bytes));
    digits.make_ascii_uppercase();
    digits
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    OpenSim,
    OpenSimGz,
    OsGrid,
    OsGridGz,
}

pub(crate) const LAYOUTS: [Layout; 4] =
    [Layout::OpenSim, Layout::OpenSimGz, Layout::OsGrid, Layout::OsGridGz];

pub(crate) fn store(root: &Path, layout: Layout, hash: &str, bytes: &[u8]) -> PathBuf {
    let folder = match layout {
        Layout::OpenSim | Layout::OpenSimGz => {
            root.join(&hash[..2]).join(&hash[2..4]).join(&hash[4..6]).join(&hash[6..10])
        }
        Layout::OsGrid | Layout::OsGridGz => root.join(&hash[..3]).join(&hash[3..6]),
    };
    fs::create_dir_all(&folder).expect("a folder");
    let (name, bytes) = match layout {
        Layout::OpenSim | Layout::OsGrid => (hash.to_owned(), bytes.to_owned()),
        _ => (format!("{hash}.gz"), gzip(bytes)),
    };
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file");
    path
}

pub(crate) fn ingest_paths(
    sources: &[&Path],
    dataset: &Path,
    options: IngestOptions,
) -> IngestSummary {
    ingest_until(sources, dataset, options, usize::MAX).0
}

/// Ingests until `stop` was called `max` times; returns how often it was called, too.
pub(crate) fn ingest_until(
    sources: &[&Path],
    dataset: &Path,
    options: IngestOptions,
    max: usize,
) -> (IngestSummary, usize) {
    let sources: Vec<_> = sources.iter().map(|path| SourceSpec::Path((*path).to_owned())).collect();
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) >= max;
    let summary = ingest(&sources, dataset, options, &|_| {}, &stop).expect("an ingest");
    (summary, calls.into_inner())
}

/// The error of an ingest that cannot begin.
pub(crate) fn ingest_error(source: &Path, dataset: &Path) -> String {
    let sources = [SourceSpec::Path(source.to_owned())];
    let made = ingest(&sources, dataset, IngestOptions::default(), &|_| {}, &|| false);
    made.expect_err("it is refused").to_string()
}

/// The values of a row that are not null, by column.
pub(crate) type Row = BTreeMap<String, String>;

pub(crate) fn rows(dataset: &Path, table: DatasetTable) -> Vec<Row> {
    let manifest = read_manifest(dataset);
    let mut rows = Vec::new();
    for file in manifest.files.iter().filter(|file| file.table == table) {
        let before = rows.len();
        let opened = File::open(dataset.join(&file.path)).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(opened)
            .and_then(ParquetRecordBatchReaderBuilder::build);
        for batch in reader.expect("Parquet") {
            rows_of(&batch.expect("rows"), &mut rows);
        }
        assert_eq!((rows.len() - before) as u64, file.rows, "{}", file.path);
    }
    rows.sort();
    rows
}

fn rows_of(batch: &RecordBatch, rows: &mut Vec<Row>) {
    let options = FormatOptions::default();
    let columns: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column, &options).expect("a formatter"))
        .collect();
    let schema = batch.schema();
    for row in 0..batch.num_rows() {
        let cells = schema.fields().iter().zip(&columns).zip(batch.columns());
        let there = cells.filter(|(_, column)| column.is_valid(row));
        rows.push(
            there
                .map(|((field, shown), _)| (field.name().clone(), shown.value(row).to_string()))
                .collect(),
        );
    }
}

pub(crate) fn column(rows: &[Row], name: &str) -> Vec<String> {
    rows.iter().map(|row| row.get(name).cloned().unwrap_or_else(|| "-".to_owned())).collect()
}
