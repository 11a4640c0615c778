//! A region of objects made by chance, as a dataset and as an archive.

use std::path::Path;

use lodger_functions::MeshRow;
use lodger_grid::dataset::{
    AssetColumns, AssetKind, AssetRow, PartColumns, PartRow, SourceKind, Table, Writer,
};
use lodger_mesh_asset::{
    AssetBuilder, Block, Convex, Faces, Geometry, Limits, PhysicsCostData, Quantized,
};
use lodger_opensim::archive::{Archive, Limits as ArchiveLimits};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, base64, id, region_object};

/// What is called random here: the same for the same seed.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    /// A number from 0, below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // The constants of Knuth's MMIX; the upper half is the better one.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end as u64).expect("below a usize")
    }

    /// Whether something happens that happens once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// What a region is made of.
pub(super) struct Region {
    pub(super) archive: Archive,
}

/// The meshes of a region, of which the last is broken; one more is missing.
const MESHES: usize = 24;

impl Region {
    /// So many objects.
    pub(super) fn by_chance(seed: u64, objects: usize) -> Self {
        let mut chance = Chance::new(seed);
        let mut file = ArchiveFile::new();
        for mesh in 1..MESHES {
            file = file.with_mesh(&id(mesh), asset(&mut chance));
        }
        file = file.with_mesh(&id(MESHES), "broken");
        for object in 0..objects {
            let parts = if chance.once_in(4) { 1 } else { 1 + chance.below(12) };
            let with_meshes = !chance.once_in(4);
            let root =
                part(&mut chance, with_meshes).id(&id(1_000 + object)).owner(&id(100 + object % 7));
            let others: Vec<_> = (1..parts).map(|_| part(&mut chance, with_meshes)).collect();
            file = file.with(&format!("objects/{object:05}.xml"), region_object(&root, &others));
        }
        let quota = Quota::new(QuotaLimits::default());
        let archive =
            lodger_opensim::archive::read(&file.gzip()[..], ArchiveLimits::default(), &quota);
        let archive = archive.expect("an archive");
        assert!(archive.errors.is_empty(), "{:?}", archive.errors);
        Self { archive }
    }

    /// Writes it as a dataset, in files of so many rows. An object is called by its place in the archive.
    pub(super) fn write(&self, dataset: &Path, file_rows: usize) {
        let mut writer = Writer::open(dataset, true).expect("a dataset").file_rows(file_rows);
        writer.source("region.oar", SourceKind::Files).expect("a source");
        let (mut assets, mut parts) = (AssetColumns::default(), PartColumns::default());
        for (mesh, file) in &self.archive.meshes {
            assets.push("region.oar", &row(Some(*mesh), file));
        }
        writer.push(Table::Assets, &assets.finish().expect("columns")).expect("rows");
        for (number, object) in self.archive.objects.iter().enumerate() {
            let key = format!("{number:05}");
            for row in
                PartRow::of_object(object, &key, Some("here"), true).expect("within core's reach")
            {
                parts.push("region.oar", &row);
            }
        }
        writer.push(Table::Parts, &parts.finish().expect("columns")).expect("rows");
        writer.end_source(true).expect("a commit");
    }
}

/// A row of a mesh asset.
pub(super) fn row(id: Option<uuid::Uuid>, file: &[u8]) -> AssetRow {
    use sha2::{Digest as _, Sha256};
    let hash = crate::tables_content::hexadecimal(&Sha256::digest(file));
    AssetRow {
        id,
        hash: Some(hash),
        kind: AssetKind::Mesh,
        bytes: Some(i64::try_from(file.len()).expect("small")),
        created: None,
        accessed: None,
        name: None,
        description: None,
        mesh: Some(MeshRow::of(file, Limits::default())),
        error: None,
    }
}

fn part(chance: &mut Chance, with_meshes: bool) -> PartXml {
    let kind = if with_meshes { chance.below(8) } else { 5 + chance.below(3) };
    let mut part = match kind {
        0..5 => {
            // Now and then the broken one, or one that is missing.
            let rare = chance.once_in(60);
            PartXml::mesh(
                "mesh",
                &id(if rare { MESHES + chance.below(2) } else { 1 + chance.below(MESHES - 1) }),
            )
        }
        5 => PartXml::prim("prim", [16, 32, 48][chance.below(3)], [0, 1, 3, 5][chance.below(4)]),
        6 => PartXml::cube("box"),
        _ => PartXml::sculpted("sculpt", &id(7_000), 1),
    };
    if kind < 5 && chance.once_in(10) {
        part = part.shape("ExtraParams", &base64(&[1, 0x70, 0, 4, 0, 0, 0, 1, 0, 0, 0]));
    }
    let mut side = || format!("{}.{}", chance.below(12), 1 + chance.below(99));
    let (x, y, z) = (side(), side(), side());
    part = part.scale(&x, &y, &z);
    if with_meshes || chance.once_in(9) {
        part = part.with("PhysicsShapeType", &chance.below(3).to_string());
    }
    part = part.with("Flags", if chance.once_in(5) { "Physics" } else { "None" });
    if chance.once_in(3) { part.scripts(chance.below(30)) } else { part }
}

/// A mesh asset: larger and smaller ones, with and without each physics shape.
fn asset(chance: &mut Chance) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    let detail = 1 + chance.below(60);
    for (block, times) in Block::LODS.into_iter().zip([1, 2, 4, 8]) {
        if block == Block::HighLod || !chance.once_in(5) {
            builder.set_lod(block, &strip(times * detail)).expect("a block");
        }
    }
    if chance.once_in(2) {
        builder.set_lod(Block::PhysicsMesh, &strip(1 + chance.below(40))).expect("a block");
    }
    if !chance.once_in(4) {
        let hulls: Vec<_> = (0..chance.below(3)).map(|_| corners(chance)).collect();
        builder
            .set_convex(&Convex::new(&corners(chance), &hulls).expect("hulls"))
            .expect("a block");
    }
    if chance.once_in(4) {
        let cost =
            |chance: &mut Chance| f64::from(u32::try_from(chance.below(400)).expect("few")) / 100.0;
        let data = PhysicsCostData { hull: Some(cost(chance)), ..PhysicsCostData::default() };
        builder.set_cost_data(&data).expect("a block");
    }
    builder.encode().expect("an asset")
}

/// The corners of a hull.
fn corners(chance: &mut Chance) -> Vec<[f32; 3]> {
    let mut side = || f32::from(u16::try_from(chance.below(1_000)).expect("few")) / 1_000.0 - 0.5;
    let mut corners = vec![[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    corners.extend((0..12).map(|_| [side(), side(), side()]));
    corners
}

/// A strip of so many triangles, each thinner than the one before.
pub(super) fn strip(triangles: usize) -> Faces<'static> {
    let triangles = u16::try_from(triangles).expect("few");
    let place = |i: u16| f32::from(i) / f32::from(triangles + 2);
    let corners: Vec<_> = (0..triangles + 2)
        .map(|i| [place(i) - 0.5, if i % 2 == 0 { 0.0 } else { 0.5 }, 0.3 * place(i)])
        .collect();
    let triangles: Vec<_> = (0..triangles).map(|i| [i, i + 1, i + 2]).collect();
    let corners = Quantized::from_points(&corners).expect("finite corners");
    Faces::new([Geometry::new(corners, &triangles).expect("corners that exist").into()])
}
