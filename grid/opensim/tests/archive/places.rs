//! Where objects are and whose.

#![expect(clippy::float_cmp, reason = "what is read is what was written")]

use super::archive_files::{ArchiveFile, NOBODY, PartXml, id, object_asset, region_object};
use super::{read_all, read_objects, read_xml, refused, sound};
use lodger_opensim::archive::{Limits, Object, Place};

#[track_caller]
fn position(object: &Object) -> [f64; 3] {
    match &object.place {
        Place::Region { region: None, position } => *position,
        place => panic!("{place:?}"),
    }
}

fn standing() -> PartXml {
    let turn = "<X>0</X><Y>0</Y><Z>2</Z><W>0</W>";
    let root = PartXml::cube("root").id(&id(3)).owner(&id(4)).at("1.5", "-2", "4E3");
    root.with("RotationOffset", turn)
}

#[test]
fn the_root_says_where_the_object_is() {
    let other = PartXml::cube("other").id(&id(5)).owner(&id(6)).at("9", "9", "9");
    for xml in [
        region_object(&standing(), std::slice::from_ref(&other)),
        object_asset(&standing(), &[other]),
    ] {
        let (objects, errors) = read_xml(xml);
        sound(&errors);
        assert_eq!(position(&objects[0]), [1.5, -2.0, 4000.0]);
        assert_eq!(objects[0].id.to_string(), id(3));
        assert_eq!(objects[0].owner.map(|owner| owner.to_string()), Some(id(4)));
        assert_eq!(objects[0].rotation, [0.0, 0.0, 1.0, 0.0]);
    }
}

#[test]
fn a_root_behind_the_others_is_the_root() {
    let (other, root) = (PartXml::cube("other").at("NaN", "0", "0").xml(), standing().xml());
    let (objects, errors) = read_xml(format!(
        "<SceneObjectGroup><OtherParts><Part>{other}</Part></OtherParts>\
         <RootPart>{root}</RootPart></SceneObjectGroup>"
    ));
    sound(&errors);
    assert_eq!((position(&objects[0])[0], objects[0].id.to_string()), (1.5, id(3)));
    let alone = format!("<SceneObjectGroup><OtherParts>{root}</OtherParts></SceneObjectGroup>");
    let (objects, errors) = read_xml(alone);
    sound(&errors);
    assert_eq!((position(&objects[0])[0], objects[0].id.to_string()), (1.5, id(3)));
}

#[test]
fn older_archives_have_guids_and_nobody_owns_nothing() {
    let old = region_object(&standing(), &[])
        .replace("UUID>", "Guid>")
        .replace("<Guid><Guid>", "<UUID><Guid>");
    let (objects, errors) = read_xml(old.replace("</Guid></Guid>", "</Guid></UUID>"));
    sound(&errors);
    assert_eq!(objects[0].id.to_string(), id(3));
    assert_eq!(objects[0].owner.map(|owner| owner.to_string()), Some(id(4)));
    for owner in [NOBODY, "", "somebody"] {
        let (objects, errors) = read_xml(region_object(&PartXml::cube("a").owner(owner), &[]));
        sound(&errors);
        assert_eq!((objects[0].owner, objects[0].id.is_nil()), (None, true));
    }
    assert_eq!(read_xml(region_object(&PartXml::cube("a"), &[])).0[0].owner, None);
}

#[test]
fn a_position_that_is_none_is_an_error_and_a_missing_one_is_unknown() {
    let xml = |part: PartXml| region_object(&part, &[]);
    refused(
        xml(standing().at("1", "east", "1")),
        &["part 1 `root`", "`GroupPosition.Y` is `east`"],
    );
    refused(
        xml(standing().at("1", "1", "NaN")),
        &["`GroupPosition.Z` is `NaN`, but must be a finite"],
    );
    let lacking = xml(standing()).replace("<Y>-2</Y>", "");
    refused(lacking, &["`GroupPosition.Y` is missing"]);
    let nowhere = xml(standing()).replace("GroupPosition", "OtherPosition");
    let (objects, errors) = read_xml(nowhere);
    sound(&errors);
    assert_eq!(objects[0].place, Place::Unknown);
    // Where an asset was plays no part.
    let asset = object_asset(&standing().at("x", "y", "z"), &[]);
    let archive = read_all(&ArchiveFile::new().with_object(&id(1), asset).tar());
    sound(&archive.errors);
    assert_eq!(archive.objects[0].place, Place::Unknown);
}

#[test]
fn regions_of_several_are_told_apart() {
    let at = |x: &str| region_object(&PartXml::cube("a").at(x, "0", "0"), &[]);
    let bytes = ArchiveFile::new()
        .with("regions/1_1_home/objects/a.xml", at("1"))
        .with("regions/2_1_away/objects/a.xml", at("2"))
        .with("./regions/2_1_away/objects/b.xml", at("3"))
        .tar();
    let archive = read_all(&bytes);
    sound(&archive.errors);
    let found = archive.objects.iter().map(|object| match &object.place {
        Place::Region { region, position } => (region.as_deref(), position[0]),
        place => panic!("{place:?}"),
    });
    let expected = [(Some("1_1_home"), 1.0), (Some("2_1_away"), 2.0), (Some("2_1_away"), 3.0)];
    assert!(found.eq(expected));
}

#[test]
fn a_document_by_itself_is_nowhere() {
    let xml = region_object(&standing(), &[]);
    let found = read_objects("a.xml", xml.as_bytes(), Limits::default());
    let object = &found.objects[0];
    assert_eq!(object.place, Place::Unknown);
    assert_eq!((object.id.to_string(), object.rotation[2]), (id(3), 1.0));
    assert_eq!(object.owner.map(|owner| owner.to_string()), Some(id(4)));
}
