//! A region of 5 000 objects of one to eight parts, a third of which show one of 500 meshes.

use std::fs;
use std::path::Path;

use lodger_mesh_asset::{AssetBlock, AssetBuilder, AssetError, Faces, PhysicsConvex};
use lodger_testkit::build::archive::{self, ArchiveFile, PartXml};
use lodger_testkit::build::mesh;

use crate::Result;

const OBJECTS: usize = 5_000;
const MESHES: usize = 500;
const OWNERS: usize = 40;
/// Parcels, each a strip along the x axis of the region's 64 rows of 64 squares.
const PARCELS: usize = 16;
const ROWS: usize = 64;

/// The first ids of each kind; meshes begin at 0.
const FIRST_PART: usize = 100_000;
const FIRST_OWNER: usize = 200_000;
const FIRST_PARCEL: usize = 300_000;

pub(crate) fn write(path: &Path) -> Result<()> {
    let mut archive = ArchiveFile::new();
    for number in 0..MESHES {
        archive = archive.with_mesh(&archive::id(number), asset(u16::try_from(number)?)?);
    }
    for number in 0..OBJECTS {
        let parts: Vec<_> = (0..=number % 8).map(|part| part_xml(number, part)).collect();
        let object = archive::region_object(&parts[0], &parts[1..]);
        let id = archive::id(FIRST_PART + 8 * number);
        archive = archive.with(&format!("objects/Object_{number}__{id}.xml"), object);
    }
    for number in 0..PARCELS {
        let [id, owner] = [FIRST_PARCEL, FIRST_OWNER].map(|first| archive::id(first + number));
        let is_in_strip = |_, y| y / (ROWS / PARCELS) == number;
        let parcel = archive::parcel(&id, &format!("parcel {number}"), &owner, ROWS, is_in_strip);
        archive = archive.with_parcel("", &id, parcel);
    }
    Ok(fs::write(path, archive.gzip())?)
}

/// A wavy sheet of `2·n²` triangles, different for each mesh.
fn sheet(n: u16, number: u16) -> Faces<'static> {
    let place = |i: u16| f32::from(i) / f32::from(n) - 0.5;
    let wave = |i: u16| (f32::from(i) * (1.0 + f32::from(number) / 100.0)).sin() / 4.0;
    let corners = (0..=n).flat_map(|y| (0..=n).map(move |x| (x, y)));
    let corners: Vec<_> = corners.map(|(x, y)| [place(x), place(y), wave(x) + wave(y)]).collect();
    let triangles: Vec<_> = (0..n)
        .flat_map(|y| (0..n).map(move |x| y * (n + 1) + x))
        .flat_map(|i| [[i, i + 1, i + n + 1], [i + 1, i + n + 2, i + n + 1]])
        .collect();
    mesh::mesh(&corners, &triangles)
}

fn asset(number: u16) -> std::result::Result<Vec<u8>, AssetError> {
    let mut asset = AssetBuilder::new();
    for (block, n) in AssetBlock::LODS.into_iter().zip([4, 8, 16, 32]) {
        asset.set_lod(block, &sheet(n, number))?;
    }
    let hull: Vec<[f32; 3]> = (0..20_u16)
        .map(|i| [f32::from(i % 5) / 5.0, f32::from(i % 4) / 4.0, f32::from(i) / 20.0])
        .collect();
    let hulls = if number.is_multiple_of(2) { vec![hull.clone(); 5] } else { Vec::new() };
    asset.set_convex(&PhysicsConvex::new(&hull, &hulls)?)?;
    if !number.is_multiple_of(2) {
        asset.set_lod(AssetBlock::PhysicsMesh, &sheet(6, number))?;
    }
    asset.encode()
}

/// A part with a texture entry and flags, which dominate real archives.
fn part_xml(object: usize, part: usize) -> PartXml {
    let number = object * 8 + part;
    let name = format!("object {object}, part {part}");
    let shown = match number % 3 {
        0 => PartXml::mesh(&name, &archive::id(number % MESHES)),
        _ => PartXml::cube(&name),
    };
    let texture = "iVVnRyT1TDuZAGKR8CYWSgAAAAAAAAAAgD8AAACAPwAAAAAAAAAAAAAAAAAAAAAA".repeat(8);
    let owner = archive::id(FIRST_OWNER + object % OWNERS);
    let side = (1 + number % 10).to_string();
    shown
        .id(&archive::id(FIRST_PART + number))
        .owner(&owner)
        .with("CreatorID", &format!("<UUID>{owner}</UUID>"))
        .at(&(object % 256).to_string(), &(object / 20).to_string(), "22.5")
        .with("OffsetPosition", &format!("<X>{part}</X><Y>0</Y><Z>0</Z>"))
        .with("RotationOffset", "<X>0</X><Y>0</Y><Z>0.6</Z><W>0.8</W>")
        .shape("TextureEntry", &texture)
        .scale(&side, "1.5", &side)
        .with("Flags", "None")
        .with("PhysicsShapeType", &(number % 3).to_string())
}
