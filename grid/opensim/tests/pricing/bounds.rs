//! What many share is kept once, and measured once.

use std::sync::Arc;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Representation, ShapeType};
use lodger_mesh_asset::{AssetBuilder, Block, Faces, Limits, PhysicsMesh};
use lodger_opensim::archive::{Archive, Limits as ArchiveLimits};
use lodger_opensim::pricing::{ArchivePrice, Error, Mesh, MeshUse, PricedObject, SizeRange};
use uuid::Uuid;

use crate::archive_files::{ArchiveFile, PartXml, id, parcel, region_object};
use crate::sample::{self, viewer};
use crate::{plenty, within};

/// The physics mesh of this many copies of a strip of twelve triangles in one face.
fn repeated(times: usize) -> Vec<u8> {
    let strip = sample::strip(12);
    let (_, face) = strip.geometries().next().expect("a face");
    let triangles: Vec<_> = (0..times).flat_map(|_| face.triangles()).collect();
    let face = lodger_mesh_asset::Geometry::new(face.positions().clone(), &triangles);
    let mesh = Faces::new([face.expect("corners that exist").into()]);
    let file = sample::file(10);
    let asset = lodger_mesh_asset::Asset::parse(&file).expect("an asset");
    let mut builder = AssetBuilder::from(&asset);
    builder.set_lod(Block::PhysicsMesh, &mesh).expect("a block");
    builder.encode().expect("an asset")
}

/// More triangles than are kept apart.
fn many() -> Vec<u8> {
    repeated(PhysicsMesh::MOST_KEPT_APART / 12 + 1)
}

fn read(file: ArchiveFile) -> Archive {
    lodger_opensim::archive::read(&file.gzip()[..], ArchiveLimits::default(), &plenty())
        .expect("an archive")
}

fn priced(archive: &Archive) -> ArchivePrice {
    viewer().archive(archive, &MeshUse::default(), within(&plenty()), |_| {}).expect("it is enough")
}

fn as_prim(sides: [f64; 3]) -> MeshUse {
    MeshUse { shape: ShapeType::Prim, ..sample::of_scale(sides) }
}

#[test]
fn an_error_about_a_mesh_is_kept_once_for_all_uses() {
    let name = "x".repeat(1 << 16);
    let mut broken = AssetBuilder::new();
    broken.set_value(
        name,
        [("size", 5), ("offset", 9)].into_iter().collect::<lodger_mesh_asset::llsd::Map>(),
    );
    let broken = broken.encode().expect("an asset");
    let mut file = ArchiveFile::new().with_mesh(&id(1), broken);
    for number in 0..200 {
        let part = PartXml::mesh("part", &id(1)).scale(&format!("{}", number + 1), "1", "1");
        let entry = format!("objects/{number:03}.xml");
        file = file.with(&entry, region_object(&part, &[]));
    }
    let priced = priced(&read(file));
    let why = |object: &PricedObject| match &object.price {
        Err(Error::Part { number: 1, error, .. }) => Arc::clone(error),
        other => panic!("{other:?}"),
    };
    let errors: Vec<_> = priced.objects.iter().map(why).collect();
    assert_eq!(errors.len(), 200);
    assert!(errors.iter().all(|error| Arc::ptr_eq(error, &errors[0])));
    let Error::Mesh { error, .. } = &*errors[0] else { panic!("{:?}", errors[0]) };
    assert!(error.to_string().len() < 300, "{error}");
}

#[test]
fn objects_on_a_parcel_share_it() {
    let part = |x| PartXml::cube("box").at(x, "10", "21");
    let all = parcel(&id(7), "all", &id(11), 64, |_, _| true);
    let file = ArchiveFile::new()
        .with_parcel("", &id(7), all)
        .with("objects/1.xml", region_object(&part("10"), &[]))
        .with("objects/2.xml", region_object(&part("200"), &[]));
    let priced = priced(&read(file));
    let [one, other] = &priced.objects[..] else { panic!("two objects") };
    let parcels = (one.parcel.as_ref().expect("one"), other.parcel.as_ref().expect("one"));
    assert!(Arc::ptr_eq(parcels.0, parcels.1));
}

#[test]
fn a_sweep_of_many_triangles_costs_what_they_cost_at_each_size() {
    let mesh = Mesh::read(&many(), Limits::default()).expect("an asset");
    let (usage, range) = (as_prim([2.0, 1.0, 1.5]), SizeRange::new(0.1, 64.0).expect("a range"));
    let points = viewer().sweep(&mesh, &usage, range).expect("a sweep");
    let physics = mesh.physics.as_ref().expect("shapes");
    let triangles = physics.mesh.as_ref().expect("a physics mesh");
    assert!(triangles.is_merged());
    assert_eq!(triangles.measured_count(), 12);
    let mut meshes = 0;
    for point in &points {
        let again = MeshUse { scale: point.price.scale, ..usage };
        let again = viewer().mesh(&mesh, &again).expect("a price");
        assert_eq!(again.physics.representation, point.price.physics.representation);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b;
        assert!(close(point.price.physics.cost, again.physics.cost));
        if point.price.physics.representation == Representation::Mesh {
            let measured = triangles.measure(point.price.scale).expect("a measure");
            assert!(close(point.price.physics.cost, measured.cost()));
            meshes += 1;
        }
    }
    assert!(meshes > 100, "{meshes}");
    let detail = viewer().target(&mesh, &usage, 9).expect("an answer").now;
    assert_eq!(detail.price, viewer().mesh(&mesh, &usage).expect("a price"));
}

#[test]
fn a_scale_near_nothing_still_has_proportions() {
    let range = SizeRange::new(0.6, 8.0).expect("a range");
    for file in [many(), sample::file(10)] {
        let mesh = Mesh::read(&file, Limits::default()).expect("an asset");
        let costs = |side: f64| -> Vec<f64> {
            let points = viewer().sweep(&mesh, &as_prim([side; 3]), range).expect("a sweep");
            points.iter().map(|point| point.price.physics.cost).collect()
        };
        let (tiny, plain) = (costs(1e-100), costs(1.0));
        assert_eq!(tiny.len(), plain.len());
        assert!(tiny.iter().zip(&plain).all(|(a, b)| (a - b).abs() <= 1e-12 * b));
    }
}

#[test]
fn uses_in_proportion_cost_in_an_archive_what_they_cost_alone() {
    let meshes = [(id(1), many()), (id(2), sample::file(10))];
    let mut file = ArchiveFile::new();
    for (id, bytes) in &meshes {
        file = file.with_mesh(id, bytes);
    }
    for number in 0..12 {
        let size = 0.7 * f64::from(1 + number % 6);
        let [x, y] = [size, size * 0.8].map(|side| side.to_string());
        let part =
            |mesh| PartXml::mesh("part", &id(mesh)).scale(&x, &y, &x).with("PhysicsShapeType", "0");
        let entry = format!("objects/{number:02}.xml");
        file = file.with(&entry, region_object(&part(1), &[part(2)]));
    }
    let archive = read(file);
    let read = |bytes: &[u8]| Mesh::read(bytes, Limits::default()).expect("an asset");
    let meshes = meshes.map(|(id, bytes)| (id.parse::<Uuid>().expect("a UUID"), read(&bytes)));
    let mesh = |id| meshes.iter().find(|(found, _)| *found == id).map(|(_, mesh)| mesh);
    for (object, priced) in archive.objects.iter().zip(priced(&archive).objects) {
        let alone = viewer().linkset(object, mesh).expect("a price").assessment;
        let together = priced.price.expect("a price").assessment;
        assert_eq!(alone.land_impact, together.land_impact);
        assert!((alone.physics - together.physics).abs() <= 1e-12 * alone.physics);
        let scale = ObjectScale::new(object.root.scale).expect("a scale");
        let directly = |(_, mesh): &(Uuid, Mesh)| {
            let physics = mesh.physics.as_ref().and_then(|physics| physics.mesh.as_ref());
            physics.expect("a physics mesh").measure(scale).expect("a measure").cost()
        };
        let directly: f64 = meshes.iter().map(directly).sum();
        assert!((directly - together.physics).abs() <= 1e-12 * directly);
    }
}
