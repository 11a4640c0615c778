//! Archives and linksets.

use std::collections::HashMap;
use std::sync::Mutex;

use lodger_core::cost::physics::Representation;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::Limits;
use lodger_opensim::archive::{Archive, Limits as ArchiveLimits};
use lodger_opensim::pricing::{ArchivePrice, Error, Mesh, MeshUse, Remark};
use uuid::Uuid;

use crate::archive_files::{ArchiveFile, PartXml, coalesced, id, object_asset, region_object};
use crate::sample::{self, viewer};
use crate::{plenty, within};

/// Objects of some meshes in several sizes and shape types, one of them moving; a mesh that nobody uses,
/// one that only an object inside another uses, one that is broken and one that is missing.
fn region() -> Archive {
    let mut file = ArchiveFile::new()
        .with_mesh(&id(1), sample::file(40))
        .with_mesh(&id(2), sample::file(80))
        .with_mesh(&id(3), "broken")
        .with_mesh(&id(4), sample::file(10))
        .with_mesh(&id(5), sample::file(10))
        .with(
            &format!("assets/{}_object.xml", id(9)),
            coalesced(&[object_asset(&PartXml::mesh("stowed", &id(5)), &[])]),
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
    let file = file.with("objects/broken.xml", bad(3)).with("objects/missing.xml", bad(8));
    lodger_opensim::archive::read(&file.gzip()[..], ArchiveLimits::default(), &plenty())
        .expect("an archive")
}

fn priced(archive: &Archive) -> ArchivePrice {
    viewer().archive(archive, &MeshUse::default(), within(&plenty()), |_| {}).expect("it is enough")
}

#[test]
fn no_answer_depends_on_the_number_of_threads() {
    let archive = region();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| priced(&archive))
    };
    let one = with(1);
    assert_eq!(one.objects.len(), 42);
    assert!([2, 3, 8].into_iter().all(|threads| with(threads) == one));
}

#[test]
fn the_observer_is_told_of_every_mesh_once() {
    let (archive, seen) = (region(), Mutex::new(Vec::new()));
    let done = |id: Uuid| seen.lock().expect("no panic").push(id);
    viewer().archive(&archive, &MeshUse::default(), within(&plenty()), done).expect("it is enough");
    let mut seen = seen.into_inner().expect("no panic");
    seen.sort_unstable();
    assert!(seen.iter().eq(archive.meshes.keys()));
}

#[test]
fn a_linkset_costs_in_an_archive_what_it_costs_alone() {
    let archive = region();
    let read =
        |(id, bytes): (&Uuid, &Vec<u8>)| Some((*id, Mesh::read(bytes, Limits::default()).ok()?));
    let meshes: HashMap<_, _> = archive.meshes.iter().filter_map(read).collect();
    let priced = priced(&archive);
    for (object, priced) in archive.objects.iter().zip(&priced.objects).take(40) {
        let alone = viewer().linkset(object, |id| meshes.get(&id));
        assert_eq!(alone.as_ref(), priced.price.as_deref());
        assert!(alone.is_ok_and(|price| price.meshes == 2 && price.assessment.prims == 3));
    }
}

#[test]
fn what_has_no_price_says_why() {
    let priced = priced(&region());
    let why = |entry: &str| {
        let object =
            priced.objects.iter().find(|object| &*object.entry == entry).expect("an object");
        match &object.price {
            Err(Error::Part { number: 2, name, error }) if &**name == "bad" => (**error).clone(),
            other => panic!("{other:?}"),
        }
    };
    assert!(
        matches!(why("objects/broken.xml"), Error::Mesh { error, .. } if matches!(*error, Error::Asset(_)))
    );
    assert!(matches!(why("objects/missing.xml"), Error::MissingMesh(_)));
    let unused: Vec<_> = priced.unused.iter().map(|mesh| mesh.id.to_string()).collect();
    assert_eq!(unused, [id(4)]);
    assert_eq!(priced.stowed, 1);
}

#[test]
fn remarks_are_values() {
    let mesh = sample::mesh();
    let detail = viewer().mesh_in_detail(&mesh, &MeshUse::default()).expect("a price");
    assert_eq!(detail.remarks, []);
    assert_eq!(detail.choices.len(), 3);
    assert_eq!(detail.choices[1].physics.representation, Representation::Mesh);
    let imagined = Mesh::imagined(Lods::default());
    let detail = viewer().mesh_in_detail(&imagined, &MeshUse::default()).expect("a price");
    assert_eq!(detail.remarks, [Remark::NoHighLod, Remark::PhysicsUnknown]);
}
