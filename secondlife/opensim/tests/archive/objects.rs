//! Parsing of objects: their parts, shapes, positions and owners.

#![expect(clippy::float_cmp, reason = "parsed values equal written ones")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_opensim::archive::{ArchiveLimits, Object, ObjectLocation, Plant, PrimGeometry};
use lodger_testkit::build::archive::{
    ArchiveFile, NIL_ID, PartXml, coalesced, cube, id, object_asset, region_object,
};

use super::{
    fails_with, messages, names, read_all_sound, read_objects, read_part, read_sound, read_xml,
};

const TURN: &str = "<X>0</X><Y>0</Y><Z>2</Z><W>0</W>";

/// A group with a root behind its other part.
fn root_last(other: &PartXml, root: &PartXml) -> String {
    format!(
        "<SceneObjectGroup><OtherParts><Part>{}</Part></OtherParts>\
         <RootPart>{}</RootPart></SceneObjectGroup>",
        other.xml(),
        root.xml()
    )
}

#[test]
fn both_formats_give_the_same_object() {
    let root = PartXml::mesh("a table", &id(1)).scale("2", "0.5", "1E-05").scripts(2);
    let leg = PartXml::cube("leg").with("OffsetPosition", "<X>0.5</X><Y>-1</Y><Z>0</Z>").scripts(1);
    let of_region = read_sound(region_object(&root, &[leg.clone(), leg.clone()]));
    let of_asset = read_sound(object_asset(&root, &[leg.clone(), leg]));
    assert_eq!(of_region, of_asset);
    let object = &of_region[0];
    assert_eq!((object.name(), &*object.source), ("a table", "objects/it.xml"));
    assert_eq!((object.parts().count(), object.scripts(), object.physical()), (3, 4, false));
    assert_eq!(object.root.scale, [2.0, 0.5, 1e-5]);
    assert_eq!(object.root.mesh().map(|mesh| mesh.to_string()), Some(id(1)));
    assert_eq!(object.linked[1].offset, [0.5, -1.0, 0.0]);
    assert_eq!(object.linked[1].mesh(), None);
}

#[test]
fn the_root_is_at_the_origin_even_behind_the_others() {
    let place = "<X>9</X><Y>9</Y><Z>9</Z>";
    let part =
        |name: &str| PartXml::cube(name).with("OffsetPosition", place).with("RotationOffset", TURN);
    let objects = read_sound(root_last(&part("other"), &part("root")));
    assert_eq!(objects[0].name(), "root");
    assert_eq!((objects[0].root.offset, objects[0].root.rotation[3]), ([0.0; 3], 1.0));
    assert_eq!(objects[0].linked[0].offset, [9.0; 3]);
    assert_eq!(objects[0].linked[0].rotation, [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn namespaces_declarations_and_odd_spellings_are_ignored() {
    let part = PartXml::cube("a &lt;b&#x3e; &amp; <![CDATA[<c>]]>").xml();
    let prefixed = part
        .replace("SceneObjectPart", "os:SceneObjectPart")
        .replace("<Scale", "<os:Scale")
        .replace("</Scale", "</os:Scale");
    let objects = read_sound(format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<!-- x --><!DOCTYPE a []>\n\
         <os:SceneObjectGroup xmlns:os=\"urn:x\" xmlns=\"urn:y\">{prefixed}<OtherParts />\
         </os:SceneObjectGroup>\0\n"
    ));
    assert_eq!(objects[0].name(), "a <b> & <c>");
    let mut bytes = cube("caf\u{e9}").into_bytes();
    let at = bytes.windows(2).position(|two| two == "\u{e9}".as_bytes()).expect("it is there");
    bytes.remove(at);
    assert_eq!(read_xml(bytes).0[0].name(), "caf\u{fffd}");
}

#[test]
fn coalesced_objects_are_separate() {
    let good = |name: &str| object_asset(&PartXml::cube(name), &[PartXml::cube("part")]);
    let bad = object_asset(&PartXml::cube("b"), &[PartXml::cube("leg").scale("1", "NaN", "1")]);
    let (objects, errors) = read_xml(coalesced(&[good("a"), bad, good("c")]));
    assert_eq!(names(&objects), ["a", "c"]);
    let message = "objects/it.xml: part 2 `leg`: `Scale.Y` is `NaN`, but must be a finite number of at least 0";
    assert_eq!(messages(&errors), [message]);
    let nested = format!("<SceneObjectGroup>{}</SceneObjectGroup>", good("nested"));
    assert_eq!(read_xml(coalesced(&[nested])).0[0].name(), "nested");
    fails_with(coalesced(&[]), &["no object in it"]);
}

#[test]
fn solids_are_recognised() {
    let solid = |path, profile| match read_part(&PartXml::prim("a", path, profile)).shape {
        PrimGeometry::Prim(SolidPrim { solid, altered: false }) => solid,
        shape => panic!("{shape:?}"),
    };
    let (straight, flexible, circle, circle_too) = (16, 128, 32, 48);
    for path in [straight, flexible] {
        assert_eq!(solid(path, 1), SolidKind::Box);
        assert_eq!(solid(path, 0), SolidKind::Cylinder);
    }
    for hollow in [0, 0x10, 0x20, 0x30] {
        assert_eq!(solid(straight, 1 + hollow), SolidKind::Box);
        assert_eq!(solid(circle, hollow), SolidKind::Torus);
    }
    // Isometric, equilateral, right.
    for triangle in [2, 3, 4] {
        assert_eq!(solid(straight, triangle), SolidKind::Prism);
        assert_eq!(solid(flexible, triangle), SolidKind::Prism);
        assert_eq!(solid(circle, triangle), SolidKind::Ring);
    }
    assert_eq!(solid(circle, 0), SolidKind::Torus);
    assert_eq!(solid(circle, 1), SolidKind::Tube);
    assert_eq!([circle, circle_too].map(|path| solid(path, 5)), [SolidKind::Sphere; 2]);
    for (path, profile) in [(16, 5), (48, 0), (48, 1), (48, 3), (0, 0), (64, 1), (16, 6), (32, 15)]
    {
        assert_eq!(solid(path, profile), SolidKind::Other);
    }
    for (element, value) in [("ProfileHollow", "5"), ("PathScaleX", "0"), ("PathTwist", "-9")] {
        let shape = read_part(&PartXml::cube("a").shape(element, value)).shape;
        assert_eq!(shape, PrimGeometry::Prim(SolidPrim { solid: SolidKind::Box, altered: true }));
    }
    for (kind, is_mesh) in [(5, true), (5 + 64, true), (5 + 128, true), (1, false), (3, false)] {
        let part = read_part(&PartXml::sculpted("a", &id(7), kind));
        assert_eq!(part.mesh().is_some(), is_mesh);
        let sculpt = PrimGeometry::Prim(SolidPrim { solid: SolidKind::Sculpt, altered: false });
        assert_eq!(part.shape == sculpt, !is_mesh);
    }
    let off = PartXml::mesh("a", &id(7)).shape("SculptEntry", "false");
    assert!(
        matches!(read_part(&off).shape, PrimGeometry::Prim(prim) if prim.solid != SolidKind::Sculpt)
    );
    let named = |name: &str| {
        let xml = region_object(&PartXml::cube("a").shape("ProfileShape", name), &[]);
        let (objects, _) = read_xml(xml.replace("<ProfileCurve>1</ProfileCurve>", ""));
        objects[0].root.shape.to_string()
    };
    let names = ["Circle", "RightTriangle", "EquilateralTriangle", "IsometricTriangle", "Star"];
    assert_eq!(names.map(named), ["cylinder", "prism", "prism", "prism", "unknown"]);
}

#[test]
fn the_hole_of_a_torus_is_no_alteration() {
    let altered = |path, profile, field: &str| {
        let part = PartXml::prim("a", path, profile).shape(field, "175");
        matches!(read_part(&part).shape, PrimGeometry::Prim(SolidPrim { altered: true, .. }))
    };
    for (path, profile, narrows) in [(32, 0, false), (32, 1, false), (32, 3, false), (16, 1, true)]
    {
        assert_eq!(altered(path, profile, "PathScaleX"), narrows);
        assert_eq!(altered(path, profile, "PathScaleY"), narrows);
        assert!(altered(path, profile, "PathRevolutions"));
    }
    assert!(altered(32, 5, "PathScaleY"));
}

#[test]
fn plants_are_recognised_and_every_shape_has_a_name() {
    let coded = |code: &str| read_part(&PartXml::cube("a").shape("PCode", code)).shape;
    assert_eq!([coded("255"), coded("111")], [PrimGeometry::Plant(Plant::Tree); 2]);
    assert_eq!(coded("95"), PrimGeometry::Plant(Plant::Grass));
    let unknown = PrimGeometry::Prim(SolidPrim { solid: SolidKind::Other, altered: false });
    for code in ["0", "47", "143", "7"] {
        assert_eq!(coded(code), unknown);
    }
    let words = [("255", "tree"), ("95", "grass"), ("47", "unknown"), ("9", "box")];
    for (code, word) in words {
        assert_eq!(coded(code).to_string(), word);
    }
    assert_eq!(read_part(&PartXml::mesh("a", &id(1))).shape.to_string(), "mesh");
    assert_eq!(read_part(&PartXml::sculpted("a", &id(1), 1)).shape.to_string(), "sculpt");
    let solid = |path, profile| read_part(&PartXml::prim("a", path, profile)).shape.to_string();
    assert_eq!([solid(32, 0), solid(32, 1), solid(32, 3)], ["torus", "tube", "ring"]);
    assert_eq!(format!("{:>6}", coded("95")), " grass");
}

#[test]
fn extra_params_count_where_elements_are_missing() {
    let block = |kind: u8| {
        let uuid = uuid::Uuid::parse_str(&id(7)).expect("a UUID").into_bytes();
        [&[1, 0x30, 0, 17, 0, 0, 0][..], &uuid, &[kind]].concat()
    };
    let extra = |part: PartXml, block: &[u8]| {
        let xml = region_object(&part.shape("ExtraParams", &STANDARD.encode(block)), &[]);
        let objects = read_sound(xml.replacen("<SculptEntry>false</SculptEntry>", "", 1));
        objects[0].root.clone()
    };
    let cube = || PartXml::cube("a");
    let mesh = extra(cube(), &block(5));
    assert_eq!(mesh.mesh().map(|mesh| mesh.to_string()), Some(id(7)));
    assert_eq!(mesh.shape_type, ShapeType::ConvexHull);
    // The high bits mirror and invert.
    assert_eq!(extra(cube(), &block(0xc5)).mesh(), mesh.mesh());
    let sculpt = PrimGeometry::Prim(SolidPrim { solid: SolidKind::Sculpt, altered: false });
    assert_eq!(extra(cube(), &block(0x41)).shape, sculpt);
    let plain = PrimGeometry::Prim(SolidPrim { solid: SolidKind::Box, altered: false });
    let cut = block(5);
    assert_eq!(extra(cube(), &cut[..cut.len() - 1]).shape, plain);

    // Elements take precedence.
    let other = extra(PartXml::mesh("a", &id(1)), &block(1));
    assert_eq!(other.mesh().map(|mesh| mesh.to_string()), Some(id(1)));
    assert_eq!(extra(cube().shape("SculptEntry", "false"), &block(5)).shape, plain);
    assert_eq!(extra(cube().shape("SculptType", "1"), &block(5)).shape, sculpt);
    assert_eq!(extra(cube().shape("SculptType", "0"), &block(5)).shape, plain);
}

#[test]
fn physics_is_read_or_the_default_of_opensimulator() {
    let kind = |part: PartXml| read_part(&part).shape_type;
    let cube = || PartXml::cube("a");
    let mesh = || PartXml::mesh("a", &id(1));
    assert_eq!(kind(cube()), ShapeType::Prim);
    assert_eq!(kind(mesh()), ShapeType::ConvexHull);
    assert_eq!(kind(mesh().with("PhysicsShapeType", "0")), ShapeType::Prim);
    assert_eq!(kind(cube().with("PhysicsShapeType", "1")), ShapeType::None);
    assert_eq!(kind(cube().with("PhysicsType", " 2 ")), ShapeType::ConvexHull);
    assert_eq!(kind(mesh().with("PhysicsShapeType", "255")), ShapeType::ConvexHull);
    let moves = |flags: &str| read_part(&cube().with("Flags", flags)).physical;
    for flags in ["Physics", "Scripted Physics CastShadows", "Phantom, Physics", "1", "513"] {
        assert!(moves(flags), "{flags}");
    }
    for flags in ["None", "Scripted", "512", ""] {
        assert!(!moves(flags), "{flags}");
    }
    assert!(read_part(&cube().with("ObjectFlags", "1")).physical);
    let flagged = mesh().shape("ExtraParams", "AXAABAAAAAEAAAA=");
    assert!(read_part(&flagged).animated);
    assert!(!read_part(&mesh()).animated);
}

#[test]
fn an_invalid_value_has_its_part_and_field() {
    let wrong = |part: PartXml| region_object(&PartXml::cube("root"), &[part]);
    let cube = || PartXml::cube("leg");
    let leg = "part 2 `leg`";
    let nil = "00000000-0000-0000-0000-000000000000";
    for (part, field, text) in [
        (cube().scale("-1", "1", "1"), "`Scale.X`", "`-1`"),
        (cube().scale("1", "INF", "1"), "`Scale.Y`", "`INF`"),
        (cube().scale("1", "1", "0,5"), "`Scale.Z`", "at least 0"),
        (cube().scale("", "1", "1"), "`Scale.X`", "``"),
        (cube().with("OffsetPosition", "<X>NaN</X>"), "`OffsetPosition.X`", "`NaN`"),
        (cube().with("RotationOffset", "<W>x</W>"), "`RotationOffset.W`", "`x`"),
        (cube().with("PhysicsShapeType", "hull"), "`PhysicsShapeType`", "`hull`"),
        (cube().shape("PathCurve", "straight"), "`PathCurve`", "an integer"),
        (cube().shape("ProfileHollow", "1.5"), "`ProfileHollow`", "`1.5`"),
        (cube().shape("SculptEntry", "maybe"), "`SculptEntry`", "`maybe`"),
        (cube().shape("ExtraParams", "***"), "`ExtraParams`", "base64"),
        (PartXml::mesh("leg", "table"), "`SculptTexture`", "`table`"),
        (PartXml::mesh("leg", nil), "`SculptTexture`", nil),
        (cube().scale(&"9".repeat(70_000), "x", "1"), "`Scale.X`", "…"),
    ] {
        fails_with(wrong(part), &["objects/it.xml", leg, field, text]);
    }
    let lacking = cube().xml().replace("<Z>1</Z>", "");
    let lacking = wrong(cube()).replace(&cube().xml(), &lacking);
    fails_with(lacking, &[leg, "`Scale.Z` is missing"]);
}

#[test]
fn a_scale_may_be_in_the_shape() {
    let moved = cube("a").replace(
        "</Shape><Scale><X>1</X><Y>1</Y><Z>1</Z></Scale>",
        "<Scale><X>3</X><Y>2</Y><Z>1</Z></Scale></Shape>",
    );
    assert_eq!(read_xml(moved).0[0].root.scale, [3.0, 2.0, 1.0]);
}

#[track_caller]
fn position(object: &Object) -> [f64; 3] {
    match &object.location {
        ObjectLocation::Region { region: None, position } => *position,
        place => panic!("{place:?}"),
    }
}

fn owner(object: &Object) -> Option<String> {
    object.owner.map(|owner| owner.to_string())
}

fn standing() -> PartXml {
    let root = PartXml::cube("root").id(&id(3)).owner(&id(4)).at("1.5", "-2", "4E3");
    root.with("RotationOffset", TURN)
}

#[test]
fn the_root_determines_position_and_owner() {
    let other = PartXml::cube("other").id(&id(5)).owner(&id(6)).at("9", "9", "9");
    for xml in [
        region_object(&standing(), std::slice::from_ref(&other)),
        object_asset(&standing(), &[other]),
    ] {
        let objects = read_sound(xml);
        assert_eq!(position(&objects[0]), [1.5, -2.0, 4000.0]);
        assert_eq!((objects[0].id.to_string(), owner(&objects[0])), (id(3), Some(id(4))));
        assert_eq!(objects[0].rotation, [0.0, 0.0, 1.0, 0.0]);
    }
}

#[test]
fn a_root_behind_the_others_is_the_root() {
    let alone = format!(
        "<SceneObjectGroup><OtherParts>{}</OtherParts></SceneObjectGroup>",
        standing().xml()
    );
    for xml in [root_last(&PartXml::cube("other").at("NaN", "0", "0"), &standing()), alone] {
        let objects = read_sound(xml);
        assert_eq!((position(&objects[0])[0], objects[0].id.to_string()), (1.5, id(3)));
    }
}

#[test]
fn older_archives_have_guids_and_a_nil_owner_is_none() {
    let old = region_object(&standing(), &[])
        .replace("UUID>", "Guid>")
        .replace("<Guid><Guid>", "<UUID><Guid>");
    let objects = read_sound(old.replace("</Guid></Guid>", "</Guid></UUID>"));
    assert_eq!((objects[0].id.to_string(), owner(&objects[0])), (id(3), Some(id(4))));
    for owner in [NIL_ID, "", "somebody"] {
        let objects = read_sound(region_object(&PartXml::cube("a").owner(owner), &[]));
        assert_eq!((objects[0].owner, objects[0].id.is_nil()), (None, true));
    }
    assert_eq!(read_sound(cube("a"))[0].owner, None);
}

#[test]
fn an_invalid_position_is_an_error_and_a_missing_one_is_unknown() {
    let xml = |part: PartXml| region_object(&part, &[]);
    let east = xml(standing().at("1", "east", "1"));
    fails_with(east, &["part 1 `root`", "`GroupPosition.Y` is `east`"]);
    let nan = xml(standing().at("1", "1", "NaN"));
    fails_with(nan, &["`GroupPosition.Z` is `NaN`, but must be a finite"]);
    let lacking = xml(standing()).replace("<Y>-2</Y>", "");
    fails_with(lacking, &["`GroupPosition.Y` is missing"]);
    let nowhere = xml(standing()).replace("GroupPosition", "OtherPosition");
    assert_eq!(read_sound(nowhere)[0].location, ObjectLocation::Unknown);
    // The former position of an asset is ignored.
    let asset = object_asset(&standing().at("x", "y", "z"), &[]);
    let archive = read_all_sound(&ArchiveFile::new().with_object(&id(1), asset).tar());
    assert_eq!(archive.objects[0].location, ObjectLocation::Unknown);
}

#[test]
fn a_document_by_itself_has_an_unknown_location() {
    let xml = region_object(&standing(), &[]);
    let found = read_objects("a.xml", xml.as_bytes(), ArchiveLimits::default());
    let object = &found.objects[0];
    assert_eq!(object.location, ObjectLocation::Unknown);
    assert_eq!((object.id.to_string(), object.rotation[2]), (id(3), 1.0));
    assert_eq!(owner(object), Some(id(4)));
}
