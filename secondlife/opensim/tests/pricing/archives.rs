//! Prices of archives: threads, parts, groups, locations and shared results.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use lodger_core::cost::land_impact::Accounting;
use lodger_core::cost::physics::{Representation, ShapeType};
use lodger_core::cost::streaming::{PerLod, StreamingRules};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder, AssetLimits, Faces, PhysicsMesh};
use lodger_opensim::archive::{Archive, ArchiveKind, ArchiveLimits, ObjectLocation};
use lodger_opensim::pricing::{
    ArchivePrice, CostTotal, GroupBy, MeshInputs, MeshUse, PriceNote, PricedObject, Pricer,
    PricingError, SizeRange, location_labels,
};
use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, coalesced, id, object_asset, parcel, region_object,
};
use lodger_testkit::build::mesh::rising_strip;
use uuid::Uuid;

use crate::{mesh, mesh_file, of_scale, plenty, viewer, within};

fn read(file: ArchiveFile) -> Archive {
    lodger_opensim::archive::read(&file.gzip()[..], ArchiveLimits::default(), &plenty())
        .expect("an archive")
}

/// Reads an archive without errors.
fn read_sound(file: ArchiveFile) -> Archive {
    let archive = read(file);
    assert!(archive.errors.is_empty(), "{:?}", archive.errors);
    archive
}

fn priced(archive: &Archive) -> ArchivePrice {
    viewer().archive(archive, &MeshUse::default(), within(&plenty()), |_| {}).expect("it is enough")
}

fn in_parts(archive: &Archive) -> ArchivePrice {
    viewer()
        .archive_in_parts(archive, &MeshUse::default(), within(&plenty()), |_| {})
        .expect("it is enough")
}

/// Objects of some meshes in several sizes and shape types, some of them physical; and meshes that are unused, used only
/// by a nested object, broken, or missing.
fn mixed_region() -> Archive {
    let mut file = ArchiveFile::new()
        .with_mesh(&id(1), mesh_file(40))
        .with_mesh(&id(2), mesh_file(80))
        .with_mesh(&id(3), "broken")
        .with_mesh(&id(4), mesh_file(10))
        .with_mesh(&id(5), mesh_file(10))
        .with(
            &format!("assets/{}_object.xml", id(9)),
            coalesced(&[object_asset(&PartXml::mesh("nested", &id(5)), &[])]),
        );
    for number in 0..40 {
        let side = format!("{}", 1 + number % 7);
        let part = |mesh| PartXml::mesh("part", &id(mesh)).scale(&side, "1", &side);
        let typed = part(1).with("PhysicsShapeType", &format!("{}", number % 3));
        let moving = typed.with("Flags", if number % 2 == 0 { "Physics" } else { "None" });
        let object = region_object(&moving, &[part(2).scripts(number), PartXml::cube("box")]);
        file = file.with(&format!("objects/{number:02}.xml"), object);
    }
    let bad = |mesh| region_object(&PartXml::cube("root"), &[PartXml::mesh("bad", &id(mesh))]);
    read(file.with("objects/broken.xml", bad(3)).with("objects/missing.xml", bad(8)))
}

#[test]
fn no_result_depends_on_the_number_of_threads() {
    let archive = mixed_region();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| priced(&archive))
    };
    let one = with(1);
    assert_eq!(one.objects.len(), 42);
    assert!([2, 3, 8].into_iter().all(|threads| with(threads) == one));
}

#[test]
fn the_observer_sees_every_mesh_once() {
    let (archive, observed) = (mixed_region(), Mutex::new(Vec::new()));
    let done = |id: Uuid| observed.lock().expect("no panic").push(id);
    viewer().archive(&archive, &MeshUse::default(), within(&plenty()), done).expect("it is enough");
    let mut observed = observed.into_inner().expect("no panic");
    observed.sort_unstable();
    assert!(observed.iter().eq(archive.meshes.keys()));
}

#[test]
fn a_linkset_costs_in_an_archive_what_it_costs_alone() {
    let archive = mixed_region();
    let read = |(id, bytes): (&Uuid, &Vec<u8>)| {
        Some((*id, MeshInputs::read(bytes, AssetLimits::default()).ok()?))
    };
    let meshes: HashMap<_, _> = archive.meshes.iter().filter_map(read).collect();
    let priced = priced(&archive);
    for (object, priced) in archive.objects.iter().zip(&priced.objects).take(40) {
        let alone = viewer().linkset(object, |id| meshes.get(&id));
        assert_eq!(alone.as_ref(), priced.price.as_deref());
        assert!(alone.is_ok_and(|price| price.meshes == 2 && price.assessment.prims == 3));
    }
}

#[test]
fn an_object_without_a_price_has_a_reason() {
    let priced = priced(&mixed_region());
    let reason = |entry: &str| {
        let object =
            priced.objects.iter().find(|object| &*object.entry == entry).expect("an object");
        match &object.price {
            Err(PricingError::Part { number: 2, name, error }) if &**name == "bad" => {
                (**error).clone()
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(
        matches!(reason("objects/broken.xml"), PricingError::Mesh { error, .. } if matches!(*error, PricingError::Asset(_)))
    );
    assert!(matches!(reason("objects/missing.xml"), PricingError::MissingMesh(_)));
    let unused: Vec<_> = priced.unused.iter().map(|mesh| mesh.id.to_string()).collect();
    assert_eq!(unused, [id(4)]);
    assert_eq!(priced.nested, 1);
}

#[test]
fn notes_are_values() {
    let detail = viewer().mesh_in_detail(&mesh(), &MeshUse::default()).expect("a price");
    assert_eq!(detail.notes, []);
    assert_eq!(detail.choices.len(), 3);
    assert_eq!(detail.choices[1].physics.representation, Representation::Mesh);
    let imagined = MeshInputs::from_lod_bytes(PerLod::default());
    let detail = viewer().mesh_in_detail(&imagined, &MeshUse::default()).expect("a price");
    assert_eq!(detail.notes, [PriceNote::NoHighLod, PriceNote::PhysicsUnknown]);
}

/// An asset whose physics mesh repeats a strip of twelve triangles in one face.
fn repeated(times: usize) -> Vec<u8> {
    let strip = rising_strip(12);
    let (_, face) = strip.geometries().next().expect("a face");
    let triangles: Vec<_> = (0..times).flat_map(|_| face.triangles()).collect();
    let face = lodger_mesh_asset::Geometry::new(face.positions().clone(), &triangles);
    let mesh = Faces::new([face.expect("corners that exist").into()]);
    let file = mesh_file(10);
    let asset = lodger_mesh_asset::Asset::parse(&file).expect("an asset");
    let mut builder = AssetBuilder::from(&asset);
    builder.set_lod(AssetBlock::PhysicsMesh, &mesh).expect("a block");
    builder.encode().expect("an asset")
}

/// An asset with so many triangles that they are merged.
fn many() -> Vec<u8> {
    repeated(PhysicsMesh::MAX_UNMERGED / 12 + 1)
}

fn as_prim(sides: [f64; 3]) -> MeshUse {
    MeshUse { shape: ShapeType::Prim, ..of_scale(sides) }
}

#[test]
fn the_error_of_a_mesh_is_kept_once_for_all_uses() {
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
    let reason = |object: &PricedObject| match &object.price {
        Err(PricingError::Part { number: 1, error, .. }) => Arc::clone(error),
        other => panic!("{other:?}"),
    };
    let errors: Vec<_> = priced.objects.iter().map(reason).collect();
    assert_eq!(errors.len(), 200);
    assert!(errors.iter().all(|error| Arc::ptr_eq(error, &errors[0])));
    let PricingError::Mesh { error, .. } = &*errors[0] else { panic!("{:?}", errors[0]) };
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
    let mesh = MeshInputs::read(&many(), AssetLimits::default()).expect("an asset");
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
    let detail = viewer().limits_for(&mesh, &usage, 9).expect("an answer").now;
    assert_eq!(detail.price, viewer().mesh(&mesh, &usage).expect("a price"));
}

#[test]
fn a_scale_near_nothing_still_has_proportions() {
    let range = SizeRange::new(0.6, 8.0).expect("a range");
    for file in [many(), mesh_file(10)] {
        let mesh = MeshInputs::read(&file, AssetLimits::default()).expect("an asset");
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
    let meshes = [(id(1), many()), (id(2), mesh_file(10))];
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
    let asset = |bytes: &[u8]| MeshInputs::read(bytes, AssetLimits::default()).expect("an asset");
    let meshes = meshes.map(|(id, bytes)| (id.parse::<Uuid>().expect("a UUID"), asset(&bytes)));
    let mesh = |id| meshes.iter().find(|(found, _)| *found == id).map(|(_, mesh)| mesh);
    for (object, priced) in archive.objects.iter().zip(priced(&archive).objects) {
        let alone = viewer().linkset(object, mesh).expect("a price").assessment;
        let linked = priced.price.expect("a price").assessment;
        assert_eq!(alone.land_impact, linked.land_impact);
        assert!((alone.physics - linked.physics).abs() <= 1e-12 * alone.physics);
        let scale = ObjectScale::new(object.root.scale).expect("a scale");
        let directly = |(_, mesh): &(Uuid, MeshInputs)| {
            let physics = mesh.physics.as_ref().and_then(|physics| physics.mesh.as_ref());
            physics.expect("a physics mesh").measure(scale).expect("a measure").cost()
        };
        let directly: f64 = meshes.iter().map(directly).sum();
        assert!((directly - linked.physics).abs() <= 1e-12 * directly);
    }
}

/// The single object of a region with this part.
fn alone(part: &PartXml) -> PricedObject {
    let file = ArchiveFile::new().with_mesh(&id(1), mesh_file(40));
    let archive = read_sound(file.with("objects/a.xml", region_object(part, &[])));
    in_parts(&archive).objects.swap_remove(0)
}

fn uuid(number: usize) -> Uuid {
    id(number).parse().expect("a UUID")
}

/// A region with three chairs and a table, two of the chairs on a parcel; owners 11 and 12.
fn region() -> Archive {
    let chair = |number, x, owner| {
        let root = PartXml::mesh("chair", &id(1)).id(&id(number)).at(x, "10.4", "21").owner(owner);
        region_object(&root, &[PartXml::cube("foot"), PartXml::mesh("cushion", &id(1))])
    };
    let table = PartXml::cube("table").id(&id(40)).at("200", "10", "21").owner(&id(12));
    let west = parcel(&id(7), "the west", &id(11), 64, |x, _| x < 32);
    read_sound(
        ArchiveFile::new()
            .with_mesh(&id(1), mesh_file(40))
            .with_parcel("", &id(7), west)
            .with("objects/1.xml", chair(31, "10", &id(11)))
            .with("objects/2.xml", chair(32, "10.3", &id(12)))
            .with("objects/3.xml", chair(33, "180", &id(11)))
            .with("objects/4.xml", region_object(&table, &[])),
    )
}

#[test]
fn parts_sum_to_the_object_and_only_if_requested() {
    let archive = region();
    let (plain, full) = (priced(&archive), in_parts(&archive));
    assert!(plain.objects.iter().all(|object| object.parts.is_empty()));
    for (plain, full) in plain.objects.iter().zip(&full.objects) {
        assert_eq!(plain.price, full.price);
        let counted = full.price.as_ref().expect("a price").assessment;
        let sum = |of: fn(&lodger_opensim::pricing::PartPrice) -> f64| {
            full.parts.iter().map(of).sum::<f64>()
        };
        assert_eq!(full.parts.len(), usize::try_from(counted.prims).expect("a few"));
        assert!((sum(|part| part.streaming) - counted.streaming).abs() < 1e-12);
        assert!((sum(|part| part.physics.cost) - counted.physics_base).abs() < 1e-12);
    }
    let chair = &full.objects[0].parts;
    let names: Vec<_> = chair.iter().map(|part| (&*part.name, part.shape.to_string())).collect();
    let shapes = ["mesh", "box", "mesh"].map(str::to_owned);
    assert!(names.into_iter().eq(["chair", "foot", "cushion"].into_iter().zip(shapes)));
    assert_eq!((chair[0].shape.mesh(), chair[1].shape.mesh()), (Some(uuid(1)), None));
    let file = mesh_file(40);
    let asset = Asset::parse(&file).expect("an asset");
    let high = asset.inflate(AssetBlock::HighLod).expect("whole").expect("there");
    let triangles = chair[0].geometry.and_then(|lods| lods.high).map(|high| high.triangles);
    assert_eq!(triangles, Some(high.lod().expect("geometry").triangle_count()));
    assert_eq!(chair[1].geometry, None);
}

#[test]
fn an_object_has_its_properties() {
    let archive = region();
    let priced = priced(&archive);
    assert_eq!(priced.kind, ArchiveKind::Region);
    let [chair, .., table] = &priced.objects[..] else { panic!("four objects") };
    assert_eq!((chair.id, chair.owner), (uuid(31), Some(uuid(11))));
    let ObjectLocation::Region { position, .. } = &chair.location else {
        panic!("{:?}", chair.location)
    };
    assert_eq!(position.map(f64::to_bits), [10.0_f64, 10.4, 21.0].map(f64::to_bits));
    let parcel = chair.parcel.as_ref().expect("a parcel");
    assert_eq!((parcel.id, &*parcel.name), (uuid(7), "the west"));
    assert_eq!(table.parcel, None);
}

#[test]
fn groups_sum_their_objects() {
    let priced = priced(&region());
    let prices = || priced.objects.iter().filter_map(|object| object.price.as_ref().ok());
    let whole: CostTotal = prices().map(|price| &price.assessment).collect();
    for by in [GroupBy::Owner, GroupBy::Parcel] {
        let groups = by.sum(&priced.objects);
        assert_eq!(groups.len(), 2);
        assert!(groups[0].total.land_impact >= groups[1].total.land_impact);
        let impact: u64 = groups.iter().map(|group| group.total.land_impact).sum();
        let prims: u64 = groups.iter().map(|group| group.prims).sum();
        assert_eq!((impact, prims), (whole.land_impact, 10));
    }
    let owners = GroupBy::Owner.sum(&priced.objects);
    assert_eq!((owners[0].id, owners[0].total.count, owners[0].prims), (Some(uuid(11)), 2, 6));
    let parcels = GroupBy::Parcel.sum(&priced.objects);
    assert_eq!((parcels[0].name.as_deref(), parcels[0].prims), (Some("the west"), 6));
    assert_eq!((parcels[1].id, parcels[1].prims), (None, 4));
    assert_eq!(parcels[0].label("no parcel"), "the west (00000007)");
    assert_eq!(parcels[1].label("no parcel"), "no parcel");
    assert_eq!(owners[0].label("no owner"), id(11));
}

#[test]
fn equal_names_have_different_labels() {
    let priced = priced(&region());
    // The first two are within the same metre.
    let expected = ["10, 10, 21 0000001f", "10, 10, 21 00000020", "180, 10, 21", "200, 10, 21"];
    assert_eq!(location_labels(&priced.objects, 40), expected);
    let chair = object_asset(&PartXml::cube("chair"), &[]);
    let archive = ArchiveFile::new()
        .with_object(&id(51), &chair)
        .with_object(&id(52), &chair)
        .with_object(&id(53), &chair)
        .with_item("Objects/old/", "chair", &id(51), &id(11))
        .with_item("Objects/a long way/down/", "chair", &id(52), &id(11))
        .with_item("Objects/", "the good chair", &id(53), &id(11));
    let priced = self::priced(&read_sound(archive));
    assert_eq!(priced.kind, ArchiveKind::Inventory);
    let mut places = location_labels(&priced.objects, 16);
    places.sort();
    assert_eq!(places, ["Objects/old/", "… long way/down/", "…/the good chair"]);
}

#[test]
fn the_least_certain_part_determines_the_provenance() {
    let trust = |object: &PricedObject| {
        let price = object.price.as_ref().expect("a price");
        (price.streaming_provenance, price.assessment.physics_provenance)
    };
    let part = PartXml::mesh("mesh", &id(1));
    assert_eq!(trust(&alone(&part)).0, Provenance::Documented);
    assert_eq!(trust(&alone(&PartXml::cube("box"))).0, Provenance::Estimated);
    assert_eq!(trust(&priced(&region()).objects[0]).0, Provenance::Estimated);
    let odd = alone(&PartXml::prim("odd", 64, 1));
    assert_eq!(trust(&odd), (Provenance::Unknown, Provenance::Unknown));
    let price = odd.price.expect("a price");
    assert_eq!(price.notes, [PriceNote::UnknownShapes(1)]);
    assert!(price.assessment.streaming > 0.9, "as expensive as any prim");
    let grid = Pricer::new(StreamingRules::GRID).expect("valid rules");
    let own = grid.mesh(&mesh(), &MeshUse::default()).expect("a price");
    assert_eq!(own.streaming_provenance, Provenance::Estimated);
    let own = viewer().mesh(&mesh(), &MeshUse::default()).expect("a price");
    assert_eq!(own.streaming_provenance, Provenance::Documented);
}

#[test]
fn a_plant_counts_only_as_a_prim() {
    for code in ["95", "111", "255"] {
        let plant = alone(&PartXml::cube("plant").shape("PCode", code));
        let price = plant.price.expect("a price");
        let counted = price.assessment;
        assert_eq!((counted.streaming, counted.physics), (0.0, 0.0));
        assert_eq!((counted.accounting, counted.land_impact.value), (Accounting::Old, 1));
        assert_eq!(price.streaming_provenance, Provenance::Unknown);
        assert_eq!(counted.physics_provenance, Provenance::Unknown);
        assert_eq!(price.notes, [PriceNote::Plants(1)]);
        assert_eq!(plant.parts[0].physics.representation, Representation::None);
    }
}
