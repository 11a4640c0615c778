//! Mesh assets, and an archive with objects that show one.

use lodger_mesh_asset::{AssetBuilder, Block, Convex};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, parcel, region_object};
use lodger_testkit::build::mesh::{bytes, strip, tetrahedron};

/// Levels of so many triangles, the lowest first.
fn levels(triangles: [u16; 4]) -> AssetBuilder<'static> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in Block::LODS.into_iter().zip(triangles) {
        builder.set_lod(block, &strip(triangles)).expect("a short block");
    }
    builder
}

/// A mesh of four levels, with a hull and a decomposition.
pub(crate) fn hat() -> Vec<u8> {
    let mut builder = levels([60, 240, 960, 3_600]);
    let convex = Convex::new(&tetrahedron(), &[tetrahedron()]);
    builder.set_convex(&convex.expect("a hull")).expect("a short block");
    bytes(&builder)
}

/// The same with a low level that is finer than the medium one, and without a hull.
pub(crate) fn draft() -> Vec<u8> {
    bytes(&levels([60, 1_200, 960, 3_600]))
}

/// A region of two parcels with a house of three parts, a porch and a lamp with scripts.
pub(crate) fn region() -> Vec<u8> {
    let hat = |name: &str| PartXml::mesh(name, &id(1));
    let house = hat("House").scale("10", "10", "4").at("20", "20", "21").owner(&id(51)).id(&id(11));
    let offset = |part: PartXml, along: &str| {
        part.with("OffsetPosition", &format!("<X>0</X><Y>{along}</Y><Z>0.5</Z>"))
    };
    let wall = offset(PartXml::cube("wall").scale("8", "0.5", "3").id(&id(12)), "5");
    let chimney = offset(hat("chimney").scale("1", "1", "2").id(&id(13)), "-3");
    let porch = hat("Porch").scale("4", "2", "3").at("26", "20", "21").owner(&id(51)).id(&id(14));
    let lamp =
        hat("Lamp").scale("0.5", "0.5", "2").at("200", "40", "21").owner(&id(52)).id(&id(15));
    let half = |name, number, owner, west| {
        parcel(&id(number), name, &id(owner), 64, move |x, _| (x < 32) == west)
    };
    ArchiveFile::new()
        .with_mesh(&id(1), self::hat())
        .with("objects/house.xml", region_object(&house, &[wall, chimney]))
        .with("objects/porch.xml", region_object(&porch, &[]))
        .with("objects/lamp.xml", region_object(&lamp.scripts(2), &[]))
        .with_parcel("", &id(71), half("West", 71, 51, true))
        .with_parcel("", &id(72), half("East", 72, 52, false))
        .gzip()
}
