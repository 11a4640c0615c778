//! Assets, trees and archives that the tests make, and datasets as lines of text.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use flate2::Compression;
use flate2::write::GzEncoder;
use lodger_grid::dataset::{Manifest, Table};
use lodger_grid::ingest::{Options, SourceSpec, Summary, ingest};
use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Quantized};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// A mesh asset, different for every number.
pub(crate) fn mesh(number: u32) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    builder.set_value("number", i32::try_from(number).expect("a small number"));
    let quads = [1, 2, 3, 4 + u16::try_from(number % 5).expect("a small number")];
    for (block, quads) in Block::LODS.into_iter().zip(quads) {
        builder.set_lod(block, &strip(quads)).expect("a LOD");
    }
    let corners = [[-0.5, 0.0, 0.1], [0.5, 0.0, 0.1], [0.5, 0.5, 0.1], [-0.5, 0.5, 0.4]];
    builder
        .set_convex(&Convex::new(&corners, &[[[0.0_f32; 3]; 0]; 0]).expect("a hull"))
        .expect("a block");
    builder.set_lod(Block::PhysicsMesh, &strip(1)).expect("a physics mesh");
    builder.encode().expect("an asset")
}

fn strip(quads: u16) -> Faces<'static> {
    let corners: Vec<[f32; 3]> = (0..=quads)
        .flat_map(|i| [0.0, 0.5].map(|y| [f32::from(i) / f32::from(quads) - 0.5, y, 0.1]))
        .collect();
    let triangles: Vec<[u16; 3]> = (0..quads)
        .flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]])
        .collect();
    let points = Quantized::from_points(&corners).expect("points");
    Faces::new([Geometry::new(points, &triangles).expect("a face").into()])
}

/// An object: a box that shows a mesh if one is given, and boxes linked to it.
pub(crate) fn object(id: u128, mesh: Option<u128>, linked: usize) -> String {
    let part = |name: &str, id: u128, mesh: Option<u128>| {
        let sculpt = mesh.map_or_else(String::new, |mesh| {
            let mesh = Uuid::from_u128(mesh);
            format!("<SculptType>5</SculptType><SculptTexture><UUID>{mesh}</UUID></SculptTexture><SculptEntry>true</SculptEntry>")
        });
        format!(
            "<SceneObjectPart><UUID><UUID>{}</UUID></UUID><Name>{name}</Name>\
             <CreatorID><UUID>{}</UUID></CreatorID><OwnerID><UUID>{}</UUID></OwnerID>\
             <GroupPosition><X>3</X><Y>2</Y><Z>21</Z></GroupPosition>\
             <Shape><ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve>{sculpt}</Shape>\
             <Scale><X>1</X><Y>2</Y><Z>0.5</Z></Scale></SceneObjectPart>",
            Uuid::from_u128(id),
            Uuid::from_u128(7001),
            Uuid::from_u128(7002),
        )
    };
    let others: String =
        (0..linked).map(|child| part("a child", id + 1 + child as u128, None)).collect();
    let root = part("a root", id, mesh);
    format!("<SceneObjectGroup>{root}<OtherParts>{others}</OtherParts></SceneObjectGroup>")
}

/// An archive with such entries, compressed.
pub(crate) fn archive(path: &Path, entries: &[(String, Vec<u8>)]) {
    let file = GzEncoder::new(File::create(path).expect("a file"), Compression::fast());
    let mut tar = tar::Builder::new(file);
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, &bytes[..]).expect("an entry");
    }
    tar.into_inner().and_then(GzEncoder::finish).expect("an archive");
}

/// The SHA-256 of bytes, in large digits as `OpenSimulator` has them.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let mut digits = crate::tables_content::hexadecimal(&Sha256::digest(bytes));
    digits.make_ascii_uppercase();
    digits
}

/// How a file is put into a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    OpenSim,
    OpenSimGz,
    OsGrid,
    OsGridGz,
}

pub(crate) const LAYOUTS: [Layout; 4] =
    [Layout::OpenSim, Layout::OpenSimGz, Layout::OsGrid, Layout::OsGridGz];

/// Puts bytes into a tree under a hash, and returns where.
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

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(bytes).and_then(|()| gz.finish()).expect("it is compressed")
}

/// Reads sources into a dataset, to the end.
pub(crate) fn take_in(sources: &[&Path], dataset: &Path, options: Options) -> Summary {
    let sources: Vec<_> = sources.iter().map(|path| SourceSpec::Path((*path).to_owned())).collect();
    ingest(&sources, dataset, options, &|_| {}, &|| false).expect("it is taken in")
}

/// A row by the names of its columns; what is null is not there.
pub(crate) type Row = BTreeMap<String, String>;

/// All rows of a table that count, sorted.
pub(crate) fn rows(dataset: &Path, table: Table) -> Vec<Row> {
    let manifest = Manifest::read(dataset).expect("a manifest").expect("a dataset");
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

/// One column of rows, `-` for null.
pub(crate) fn column(rows: &[Row], name: &str) -> Vec<String> {
    rows.iter().map(|row| row.get(name).cloned().unwrap_or_else(|| "-".to_owned())).collect()
}
