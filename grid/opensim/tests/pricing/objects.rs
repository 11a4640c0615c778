//! What is said of an object besides its price: its parts, its place and owner, and how far it can be trusted.

use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::Accounting;
use lodger_core::cost::physics::Representation;
use lodger_core::cost::streaming::Rules;
use lodger_mesh_asset::{Asset, Block};
use lodger_opensim::archive::{Archive, ArchiveKind, Limits as ArchiveLimits, Place};
use lodger_opensim::pricing::{
    ArchivePrice, GroupBy, MeshUse, PricedObject, Pricing, Remark, Total, whereabouts,
};
use uuid::Uuid;

use crate::archive_files::{ArchiveFile, PartXml, id, object_asset, parcel, region_object};
use crate::sample::{self, viewer};
use crate::{plenty, within};

fn read(file: ArchiveFile) -> Archive {
    let archive =
        lodger_opensim::archive::read(&file.gzip()[..], ArchiveLimits::default(), &plenty());
    let archive = archive.expect("an archive");
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

/// The one object of a region of that part.
fn alone(part: &PartXml) -> PricedObject {
    let file = ArchiveFile::new().with_mesh(&id(1), sample::file(40));
    let archive = read(file.with("objects/a.xml", region_object(part, &[])));
    in_parts(&archive).objects.swap_remove(0)
}

fn uuid(number: usize) -> Uuid {
    id(number).parse().expect("a UUID")
}

/// A chair in each of three places, two of them on a parcel; owners 11 and 12.
fn region() -> Archive {
    let chair = |number, x, owner| {
        let root = PartXml::mesh("chair", &id(1)).id(&id(number)).at(x, "10.4", "21").owner(owner);
        region_object(&root, &[PartXml::cube("foot"), PartXml::mesh("cushion", &id(1))])
    };
    let table = PartXml::cube("table").id(&id(40)).at("200", "10", "21").owner(&id(12));
    let west = parcel(&id(7), "the west", &id(11), 64, |x, _| x < 32);
    read(
        ArchiveFile::new()
            .with_mesh(&id(1), sample::file(40))
            .with_parcel("", &id(7), west)
            .with("objects/1.xml", chair(31, "10", &id(11)))
            .with("objects/2.xml", chair(32, "10.3", &id(12)))
            .with("objects/3.xml", chair(33, "180", &id(11)))
            .with("objects/4.xml", region_object(&table, &[])),
    )
}

#[test]
fn parts_come_to_the_object_and_only_if_asked_for() {
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
    assert_eq!((chair[0].mesh(), chair[1].mesh()), (Some(uuid(1)), None));
    let file = sample::file(40);
    let asset = Asset::parse(&file).expect("an asset");
    let high = asset.inflate(Block::HighLod).expect("whole").expect("there");
    let triangles = chair[0].geometry.and_then(|lods| lods.high).map(|high| high.triangles);
    assert_eq!(triangles, Some(high.lod().expect("geometry").triangle_count()));
    assert_eq!(chair[1].geometry, None);
}

#[test]
fn a_row_says_which_object_it_is() {
    let archive = region();
    let priced = priced(&archive);
    assert_eq!(priced.kind, ArchiveKind::Region);
    let [chair, .., table] = &priced.objects[..] else { panic!("four objects") };
    assert_eq!((chair.id, chair.owner), (uuid(31), Some(uuid(11))));
    let Place::Region { position, .. } = &chair.place else { panic!("{:?}", chair.place) };
    assert_eq!(position.map(f64::to_bits), [10.0_f64, 10.4, 21.0].map(f64::to_bits));
    let parcel = chair.parcel.as_ref().expect("a parcel");
    assert_eq!((parcel.id, &*parcel.name), (uuid(7), "the west"));
    assert_eq!(table.parcel, None);
}

#[test]
fn groups_sum_what_is_theirs() {
    let priced = priced(&region());
    let prices = || priced.objects.iter().filter_map(|object| object.price.as_ref().ok());
    let whole: Total = prices().map(|price| &price.assessment).collect();
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
fn equal_names_are_told_apart() {
    let priced = priced(&region());
    // The first two are within the same metre.
    let expected = ["10, 10, 21 0000001f", "10, 10, 21 00000020", "180, 10, 21", "200, 10, 21"];
    assert_eq!(whereabouts(&priced.objects, 40), expected);
    let chair = object_asset(&PartXml::cube("chair"), &[]);
    let archive = ArchiveFile::new()
        .with_object(&id(51), &chair)
        .with_object(&id(52), &chair)
        .with_object(&id(53), &chair)
        .with_item("Objects/old/", "chair", &id(51), &id(11))
        .with_item("Objects/a long way/down/", "chair", &id(52), &id(11))
        .with_item("Objects/", "the good chair", &id(53), &id(11));
    let priced = self::priced(&read(archive));
    assert_eq!(priced.kind, ArchiveKind::Inventory);
    let mut places = whereabouts(&priced.objects, 16);
    places.sort();
    assert_eq!(places, ["Objects/old/", "… long way/down/", "…/the good chair"]);
}

#[test]
fn the_least_certain_part_counts() {
    let trust = |object: &PricedObject| {
        let price = object.price.as_ref().expect("a price");
        (price.streaming_provenance, price.assessment.physics_provenance)
    };
    let mesh = PartXml::mesh("mesh", &id(1));
    assert_eq!(trust(&alone(&mesh)).0, Provenance::Documented);
    assert_eq!(trust(&alone(&PartXml::cube("box"))).0, Provenance::Estimated);
    assert_eq!(trust(&priced(&region()).objects[0]).0, Provenance::Estimated);
    let odd = alone(&PartXml::prim("odd", 64, 1));
    assert_eq!(trust(&odd), (Provenance::Unknown, Provenance::Unknown));
    let price = odd.price.expect("a price");
    assert_eq!(price.remarks, [Remark::UnknownShapes(1)]);
    assert!(price.assessment.streaming > 0.9, "as expensive as any prim");
    let grid = Pricing::new(Rules::GRID).expect("rules that hold");
    let own = grid.mesh(&sample::mesh(), &MeshUse::default()).expect("a price");
    assert_eq!(own.streaming_provenance, Provenance::Estimated);
    let own = viewer().mesh(&sample::mesh(), &MeshUse::default()).expect("a price");
    assert_eq!(own.streaming_provenance, Provenance::Documented);
}

#[test]
fn a_plant_counts_itself() {
    for code in ["95", "111", "255"] {
        let plant = alone(&PartXml::cube("plant").shape("PCode", code));
        let price = plant.price.expect("a price");
        let counted = price.assessment;
        assert_eq!((counted.streaming, counted.physics), (0.0, 0.0));
        assert_eq!((counted.accounting, counted.land_impact.value), (Accounting::Old, 1));
        assert_eq!(price.streaming_provenance, Provenance::Unknown);
        assert_eq!(counted.physics_provenance, Provenance::Unknown);
        assert_eq!(price.remarks, [Remark::Plants(1)]);
        assert_eq!(plant.parts[0].physics.representation, Representation::None);
    }
}
