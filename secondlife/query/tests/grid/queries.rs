//! Queries on datasets, and a random region as a dataset and as an archive.

mod findings;
mod forms;
mod mistakes;
mod prices;

use std::ffi::OsStr;
use std::path::Path;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Float64Type, Int64Type};
use lodger_functions::MeshRow;
use lodger_grid::dataset::{
    AssetKind, AssetRow, AssetRowColumns, DatasetTable, DatasetWriter, PartColumns, PartRow,
    SourceKind,
};
use lodger_grid::query::{QueryError, QueryOptions, QuerySession};
use lodger_mesh_asset::{AssetBlock, AssetBuilder, AssetLimits, PhysicsConvex, PhysicsCostData};
use lodger_opensim::archive::{Archive, ArchiveLimits};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{ArchiveFile, PartXml, base64, id, region_object};
use lodger_testkit::build::mesh::{rising_strip, tetrahedron};
use tempfile::TempDir;

fn options() -> QueryOptions {
    QueryOptions { rules: "viewer", partitions: None, memory: 512 << 20, cluster: None }
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
    runtime.block_on(work)
}

fn query(
    dataset: impl AsRef<OsStr>,
    options: &QueryOptions,
    sql: &str,
) -> Result<RecordBatch, QueryError> {
    wait(async {
        let session =
            QuerySession::open(dataset.as_ref().to_str().expect("a name"), options).await?;
        let (schema, batches) = session.sql(sql).await?;
        Ok(arrow::compute::concat_batches(&schema, &batches).expect("one schema"))
    })
}

fn whole(batch: &RecordBatch, column: &str) -> Vec<Option<i64>> {
    let column = batch.column_by_name(column).unwrap_or_else(|| panic!("no {column}"));
    let column = arrow::compute::cast(column, &arrow::datatypes::DataType::Int64).expect("numbers");
    column.as_primitive::<Int64Type>().iter().collect()
}

fn real(batch: &RecordBatch, column: &str) -> Vec<Option<f64>> {
    let column = batch.column_by_name(column).unwrap_or_else(|| panic!("no {column}"));
    column.as_primitive::<Float64Type>().iter().collect()
}

fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(column).unwrap_or_else(|| panic!("no {column}"));
    let column = arrow::compute::cast(column, &arrow::datatypes::DataType::Utf8).expect("texts");
    let column = column.as_string::<i32>();
    (0..column.len())
        .map(|row| column.is_valid(row).then(|| column.value(row).to_owned()))
        .collect()
}

struct Region {
    archive: Archive,
}

/// The number of meshes of a region; the last is damaged, and another one is missing.
const MESHES: usize = 24;

impl Region {
    fn random(seed: u64, objects: usize) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut file = ArchiveFile::new();
        for mesh in 1..MESHES {
            file = file.with_mesh(&id(mesh), asset(&mut random));
        }
        file = file.with_mesh(&id(MESHES), "broken");
        for object in 0..objects {
            let parts = if random.one_in(4) { 1 } else { 1 + random.index(12) };
            let with_meshes = !random.one_in(4);
            let root =
                part(&mut random, with_meshes).id(&id(1_000 + object)).owner(&id(100 + object % 7));
            let others: Vec<_> = (1..parts).map(|_| part(&mut random, with_meshes)).collect();
            file = file.with(&format!("objects/{object:05}.xml"), region_object(&root, &others));
        }
        let quota = Quota::new(QuotaLimits::default());
        let archive =
            lodger_opensim::archive::read(&file.gzip()[..], ArchiveLimits::default(), &quota);
        let archive = archive.expect("an archive");
        assert!(archive.errors.is_empty(), "{:?}", archive.errors);
        Self { archive }
    }

    fn dataset(seed: u64, objects: usize, file_rows: usize) -> (Self, TempDir) {
        let (region, folder) =
            (Self::random(seed, objects), tempfile::tempdir().expect("a folder"));
        region.write(folder.path(), file_rows);
        (region, folder)
    }

    fn write(&self, dataset: &Path, file_rows: usize) {
        let meshes = self.archive.meshes.iter();
        let assets: Vec<_> = meshes.map(|(mesh, file)| row(Some(*mesh), file)).collect();
        let parts = self.archive.objects.iter().enumerate().flat_map(|(number, object)| {
            let rows = PartRow::from_object(object, &format!("{number:05}"), Some("here"), true);
            rows.expect("within core's reach")
        });
        write_rows(dataset, (true, file_rows), &assets, &parts.collect::<Vec<_>>());
    }
}

/// Writes a dataset of one source.
fn write_rows(
    dataset: &Path,
    (with_names, file_rows): (bool, usize),
    assets: &[AssetRow],
    parts: &[PartRow],
) {
    let mut writer =
        DatasetWriter::open(dataset, with_names).expect("a dataset").file_rows(file_rows);
    writer.begin_source("region.oar", SourceKind::Files).expect("a source");
    let (mut asset_columns, mut part_columns) =
        (AssetRowColumns::default(), PartColumns::default());
    for asset in assets {
        asset_columns.append("region.oar", asset);
    }
    for part in parts {
        part_columns.append("region.oar", part);
    }
    let (assets, parts) = (asset_columns.finish_batch(), part_columns.finish_batch());
    writer.push(DatasetTable::Assets, &assets.expect("columns")).expect("rows");
    writer.push(DatasetTable::Parts, &parts.expect("columns")).expect("rows");
    writer.end_source(true).expect("a commit");
}

fn row(id: Option<uuid::Uuid>, file: &[u8]) -> AssetRow {
    use sha2::{Digest as _, Sha256};
    let hash = crate::tables_content::hexadecimal(&Sha256::digest(file));
    AssetRow {
        id,
        hash: Some(hash),
        bytes: Some(i64::try_from(file.len()).expect("small")),
        mesh: Some(MeshRow::read(file, AssetLimits::default())),
        ..AssetRow::new(AssetKind::Mesh)
    }
}

fn part(random: &mut SplitMix64, with_meshes: bool) -> PartXml {
    let kind = if with_meshes { random.index(8) } else { 5 + random.index(3) };
    let mut part = match kind {
        0..5 => {
            // Rarely the damaged or the missing mesh.
            let rare = random.one_in(60);
            PartXml::mesh(
                "mesh",
                &id(if rare { MESHES + random.index(2) } else { 1 + random.index(MESHES - 1) }),
            )
        }
        5 => PartXml::prim("prim", [16, 32, 48][random.index(3)], [0, 1, 3, 5][random.index(4)]),
        6 => PartXml::cube("box"),
        _ => PartXml::sculpted("sculpt", &id(7_000), 1),
    };
    if kind < 5 && random.one_in(10) {
        part = part.shape("ExtraParams", &base64(&[1, 0x70, 0, 4, 0, 0, 0, 1, 0, 0, 0]));
    }
    let mut side = || format!("{}.{}", random.index(12), 1 + random.index(99));
    let (x, y, z) = (side(), side(), side());
    part = part.scale(&x, &y, &z);
    if with_meshes || random.one_in(9) {
        part = part.with("PhysicsShapeType", &random.index(3).to_string());
    }
    part = part.with("Flags", if random.one_in(5) { "Physics" } else { "None" });
    if random.one_in(3) { part.scripts(random.index(30)) } else { part }
}

fn asset(random: &mut SplitMix64) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    let count = |random: &mut SplitMix64, max| 1 + u16::try_from(random.index(max)).expect("few");
    let detail = count(random, 60);
    for (block, times) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
        if block == AssetBlock::HighLod || !random.one_in(5) {
            builder.set_lod(block, &rising_strip(times * detail)).expect("a block");
        }
    }
    if random.one_in(2) {
        builder
            .set_lod(AssetBlock::PhysicsMesh, &rising_strip(count(random, 40)))
            .expect("a block");
    }
    if !random.one_in(4) {
        let hulls: Vec<_> = (0..random.index(3)).map(|_| corners(random)).collect();
        builder
            .set_convex(&PhysicsConvex::new(&corners(random), &hulls).expect("hulls"))
            .expect("a block");
    }
    if random.one_in(4) {
        let cost = |random: &mut SplitMix64| {
            f64::from(u32::try_from(random.index(400)).expect("few")) / 100.0
        };
        let data = PhysicsCostData { hull: Some(cost(random)), ..PhysicsCostData::default() };
        builder.set_cost_data(&data).expect("a block");
    }
    builder.encode().expect("an asset")
}

fn corners(random: &mut SplitMix64) -> Vec<[f32; 3]> {
    let mut side = || f32::from(u16::try_from(random.index(1_000)).expect("few")) / 1_000.0 - 0.5;
    let mut corners = tetrahedron();
    corners.extend((0..12).map(|_| [side(), side(), side()]));
    corners
}
