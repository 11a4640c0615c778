//! Objects as the rules of linking take them.

use lodger_archive::{Limits, Object, Place, read_objects};
use lodger_core::linkability::Prim;
use lodger_files::{LinkError, apart, together};
use lodger_testkit::build::archive::{PartXml, region_object};

use crate::plenty;

/// An object with a part 2 m along x of it.
fn object(name: &str, place: Place, rotation: [f64; 4]) -> Object {
    let part = PartXml::cube("part").scale("1", "2", "3");
    let part = part.with("OffsetPosition", "<X>2</X><Y>0</Y><Z>0</Z>");
    let xml = region_object(&PartXml::cube(name), &[part]);
    let mut found =
        read_objects("a.xml", xml.as_bytes(), Limits::default(), &plenty()).expect("little");
    let object = found.objects.pop().expect("an object");
    with(object, place, rotation)
}

fn with(mut object: Object, place: Place, rotation: [f64; 4]) -> Object {
    object.place = place;
    object.rotation = rotation;
    object
}

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn at(position: [f64; 3]) -> Place {
    Place::Region { region: None, position }
}

#[test]
fn parts_are_pieces() {
    let pieces = apart(&object("root", Place::Unknown, UPRIGHT));
    let told: Vec<_> = pieces.iter().map(|piece| (&*piece.name, piece.prims[0])).collect();
    assert_eq!(told[0].0, "root");
    let part = Prim { position: [2.0, 0.0, 0.0], scale: [1.0, 2.0, 3.0] };
    assert_eq!(told[1], ("part", part));
}

#[test]
fn objects_stand_and_turn_in_their_region() {
    let half = 0.5_f64.sqrt();
    let turned = object("a", at([10.0, 20.0, 30.0]), [0.0, 0.0, half, half]);
    let pieces = together(&[turned, object("a", at([1.0, 0.0, 0.0]), UPRIGHT)]).expect("a region");
    assert_eq!((&*pieces[0].name, &*pieces[1].name), ("a #1", "a #2"));
    let cube = |position| Prim { position, scale: [1.0; 3] };
    assert_eq!(pieces[0].prims[0], cube([10.0, 20.0, 30.0]));
    let [x, y, z] = pieces[0].prims[1].position;
    assert!(
        (x - 10.0).abs() < 1e-12 && (y - 22.0).abs() < 1e-12 && (z - 30.0).abs() < 1e-12,
        "{x} {y} {z}"
    );
    assert_eq!(pieces[1].prims[0], cube([1.0, 0.0, 0.0]));
}

#[test]
fn objects_that_are_nowhere_are_refused() {
    let (here, nowhere) = (object("here", at([0.0; 3]), UPRIGHT), Place::Unknown);
    let error = together(&[here.clone(), object("lost", nowhere, UPRIGHT)]).expect_err("nowhere");
    assert_eq!(error, LinkError::NoPlace { object: "lost".to_owned() });
    let away = Place::Region { region: Some("1_1_away".into()), position: [0.0; 3] };
    let error = together(&[here, object("away", away, UPRIGHT)]).expect_err("another region");
    assert_eq!(error.to_string(), "`here` and `away` stand in different regions");
}
