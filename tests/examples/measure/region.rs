//! A region of 5 000 objects of one to eight parts, a third of which show one of 500 meshes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use lodger_mesh_asset::{AssetBlock, AssetBuilder, Faces, Geometry, PhysicsConvex, Quantized};
use lodger_testkit::build::archive::{self, ArchiveFile};

use crate::Result;

const OBJECTS: u32 = 5_000;
const MESHES: u16 = 500;
const OWNERS: u32 = 40;
/// Parcels, each a strip along the x axis of the region's 64 rows of 64 squares.
const PARCELS: u32 = 16;
const ROWS: usize = 64;

enum IdKind {
    Mesh,
    Object,
    Owner,
    Parcel,
}

fn id(kind: IdKind, number: u32) -> String {
    format!("{number:08x}-5b93-4d9e-9c5e-{:012x}", kind as u8)
}

pub(crate) fn write(path: &Path) -> Result<()> {
    let mut archive = ArchiveFile::new();
    for number in 0..MESHES {
        archive = archive.with_mesh(&id(IdKind::Mesh, number.into()), mesh(number)?);
    }
    for number in 0..OBJECTS {
        let path = format!("objects/Object_{number}__{}.xml", id(IdKind::Object, number));
        archive = archive.with(&path, object(number)?);
    }
    for number in 0..PARCELS {
        let (id, owner) = (id(IdKind::Parcel, number), id(IdKind::Owner, number));
        let rows = ROWS / PARCELS as usize;
        let is_in_strip = |_, y| y / rows == number as usize;
        let parcel = archive::parcel(&id, &format!("parcel {number}"), &owner, ROWS, is_in_strip);
        archive = archive.with_parcel("", &id, parcel);
    }
    Ok(fs::write(path, archive.gzip())?)
}

/// A wavy sheet of `2·n²` triangles, different for each mesh.
fn sheet(n: u16, mesh: u16) -> std::result::Result<Faces<'static>, lodger_mesh_asset::AssetError> {
    let place = |i: u16| f32::from(i) / f32::from(n) - 0.5;
    let wave = |i: u16| (f32::from(i) * (1.0 + f32::from(mesh) / 100.0)).sin() / 4.0;
    let corners = (0..=n).flat_map(|y| (0..=n).map(move |x| (x, y)));
    let corners: Vec<_> = corners.map(|(x, y)| [place(x), place(y), wave(x) + wave(y)]).collect();
    let triangles: Vec<_> = (0..n)
        .flat_map(|y| (0..n).map(move |x| y * (n + 1) + x))
        .flat_map(|i| [[i, i + 1, i + n + 1], [i + 1, i + n + 2, i + n + 1]])
        .collect();
    let corners = Quantized::from_points(&corners)?;
    Ok(Faces::new([Geometry::new(corners, &triangles)?.into()]))
}

fn mesh(number: u16) -> std::result::Result<Vec<u8>, lodger_mesh_asset::AssetError> {
    let mut asset = AssetBuilder::new();
    for (block, n) in AssetBlock::LODS.into_iter().zip([4, 8, 16, 32]) {
        asset.set_lod(block, &sheet(n, number)?)?;
    }
    let hull: Vec<[f32; 3]> = (0..20_u16)
        .map(|i| [f32::from(i % 5) / 5.0, f32::from(i % 4) / 4.0, f32::from(i) / 20.0])
        .collect();
    let hulls = if number.is_multiple_of(2) { vec![hull.clone(); 5] } else { Vec::new() };
    asset.set_convex(&PhysicsConvex::new(&hull, &hulls)?)?;
    if !number.is_multiple_of(2) {
        asset.set_lod(AssetBlock::PhysicsMesh, &sheet(6, number)?)?;
    }
    asset.encode()
}

fn object(number: u32) -> std::result::Result<String, std::fmt::Error> {
    let mut xml = String::from("<SceneObjectGroup>");
    for part in 0..=number % 8 {
        if part == 1 {
            xml += "<OtherParts>";
        }
        write_part(&mut xml, number, part)?;
    }
    xml += if number.is_multiple_of(8) {
        "<OtherParts /></SceneObjectGroup>"
    } else {
        "</OtherParts></SceneObjectGroup>"
    };
    Ok(xml)
}

/// Writes a part with a texture entry and flags, which dominate real archives.
fn write_part(xml: &mut String, object: u32, part: u32) -> std::fmt::Result {
    let number = object * 8 + part;
    let shape = match number % 3 {
        0 => format!(
            "<ProfileCurve>0</ProfileCurve><PathCurve>32</PathCurve><SculptTexture><UUID>{}</UUID>\
             </SculptTexture><SculptType>5</SculptType><SculptEntry>true</SculptEntry>",
            id(IdKind::Mesh, number % u32::from(MESHES))
        ),
        _ => "<ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve>".to_owned(),
    };
    write!(
        xml,
        "<SceneObjectPart xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
         <AllowedDrop>false</AllowedDrop><CreatorID><UUID>{owner}</UUID></CreatorID>\
         <UUID><UUID>{id}</UUID></UUID><Name>object {object}, part {part}</Name>\
         <GroupPosition><X>{x}</X><Y>{y}</Y><Z>22.5</Z></GroupPosition>\
         <OffsetPosition><X>{part}</X><Y>0</Y><Z>0</Z></OffsetPosition>\
         <RotationOffset><X>0</X><Y>0</Y><Z>0.6</Z><W>0.8</W></RotationOffset>\
         <Shape>{shape}<TextureEntry>{texture}</TextureEntry><ExtraParams>AA==</ExtraParams>\
         <PCode>9</PCode></Shape><Scale><X>{side}</X><Y>1.5</Y><Z>{side}</Z></Scale>\
         <OwnerID><UUID>{owner}</UUID></OwnerID><Flags>None</Flags>\
         <PhysicsShapeType>{physics}</PhysicsShapeType></SceneObjectPart>",
        owner = id(IdKind::Owner, object % OWNERS),
        id = id(IdKind::Object, number),
        x = object % 256,
        y = object / 20,
        side = 0.5 + f64::from(number % 40) / 4.0,
        texture = "iVVnRyT1TDuZAGKR8CYWSgAAAAAAAAAAgD8AAACAPwAAAAAAAAAAAAAAAAAAAAAA".repeat(8),
        physics = number % 3,
    )
}
