//! What is read of an object.

#![expect(clippy::float_cmp, reason = "what is read is what was written")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::archive_files::{PartXml, coalesced, id, object_asset, region_object};
use super::{read_part, read_xml, refused, sound};
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_opensim::archive::{Plant, Shape};

#[test]
fn both_formats_give_the_same_object() {
    let root = PartXml::mesh("a table", &id(1)).scale("2", "0.5", "1E-05").scripts(2);
    let leg = PartXml::cube("leg").with("OffsetPosition", "<X>0.5</X><Y>-1</Y><Z>0</Z>").scripts(1);
    let (of_region, errors) = read_xml(region_object(&root, &[leg.clone(), leg.clone()]));
    sound(&errors);
    let (of_asset, errors) = read_xml(object_asset(&root, &[leg.clone(), leg]));
    sound(&errors);
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
    let turn = "<X>0</X><Y>0</Y><Z>2</Z><W>0</W>";
    let part = |name: &str| PartXml::cube(name).with("OffsetPosition", place);
    let root = part("root").with("RotationOffset", turn).xml();
    let other = part("other").with("RotationOffset", turn).xml();
    let xml = format!(
        "<SceneObjectGroup><OtherParts><Part>{other}</Part></OtherParts>\
         <RootPart>{root}</RootPart></SceneObjectGroup>"
    );
    let (objects, errors) = read_xml(xml);
    sound(&errors);
    assert_eq!(objects[0].name(), "root");
    assert_eq!((objects[0].root.offset, objects[0].root.rotation[3]), ([0.0; 3], 1.0));
    assert_eq!(objects[0].linked[0].offset, [9.0; 3]);
    assert_eq!(objects[0].linked[0].rotation, [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn namespaces_declarations_and_odd_spellings_play_no_part() {
    let part = PartXml::cube("a &lt;b&#x3e; &amp; <![CDATA[<c>]]>").xml();
    let prefixed = part
        .replace("SceneObjectPart", "os:SceneObjectPart")
        .replace("<Scale", "<os:Scale")
        .replace("</Scale", "</os:Scale");
    let (objects, errors) = read_xml(format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<!-- x --><!DOCTYPE a []>\n\
         <os:SceneObjectGroup xmlns:os=\"urn:x\" xmlns=\"urn:y\">{prefixed}<OtherParts />\
         </os:SceneObjectGroup>\0\n"
    ));
    sound(&errors);
    assert_eq!(objects[0].name(), "a <b> & <c>");
    let mut bytes = region_object(&PartXml::cube("caf\u{e9}"), &[]).into_bytes();
    let at = bytes.windows(2).position(|two| two == "\u{e9}".as_bytes()).expect("it is there");
    bytes.remove(at);
    assert_eq!(read_xml(bytes).0[0].name(), "caf\u{fffd}");
}

#[test]
fn coalesced_objects_stand_for_themselves() {
    let good = |name: &str| object_asset(&PartXml::cube(name), &[PartXml::cube("part")]);
    let bad = object_asset(&PartXml::cube("b"), &[PartXml::cube("leg").scale("1", "NaN", "1")]);
    let (objects, errors) = read_xml(coalesced(&[good("a"), bad, good("c")]));
    let names: Vec<_> = objects.iter().map(|object| object.name().to_owned()).collect();
    assert_eq!(names, ["a", "c"]);
    assert_eq!(errors.len(), 1);
    assert_eq!(
        errors[0].to_string(),
        "objects/it.xml: part 2 `leg`: `Scale.Y` is `NaN`, but must be a finite number of at least 0"
    );
    let nested = format!("<SceneObjectGroup>{}</SceneObjectGroup>", good("nested"));
    assert_eq!(read_xml(coalesced(&[nested])).0[0].name(), "nested");
    refused(coalesced(&[]), &["no object in it"]);
}

#[test]
fn shapes_are_told_apart() {
    let solid = |path, profile| match read_part(&PartXml::prim("a", path, profile)).shape {
        Shape::Prim(Primitive { solid, altered: false }) => solid,
        shape => panic!("{shape:?}"),
    };
    let (straight, flexible, circle, circle_too) = (16, 128, 32, 48);
    for path in [straight, flexible] {
        assert_eq!(solid(path, 1), Solid::Box);
        assert_eq!(solid(path, 0), Solid::Cylinder);
    }
    for hollow in [0, 0x10, 0x20, 0x30] {
        assert_eq!(solid(straight, 1 + hollow), Solid::Box);
        assert_eq!(solid(circle, hollow), Solid::Torus);
    }
    // Isometric, equilateral, right.
    for triangle in [2, 3, 4] {
        assert_eq!(solid(straight, triangle), Solid::Prism);
        assert_eq!(solid(flexible, triangle), Solid::Prism);
        assert_eq!(solid(circle, triangle), Solid::Ring);
    }
    assert_eq!(solid(circle, 0), Solid::Torus);
    assert_eq!(solid(circle, 1), Solid::Tube);
    assert_eq!([circle, circle_too].map(|path| solid(path, 5)), [Solid::Sphere; 2]);
    for (path, profile) in [(16, 5), (48, 0), (48, 1), (48, 3), (0, 0), (64, 1), (16, 6), (32, 15)]
    {
        assert_eq!(solid(path, profile), Solid::Other);
    }
    for (element, value) in [("ProfileHollow", "5"), ("PathScaleX", "0"), ("PathTwist", "-9")] {
        let shape = read_part(&PartXml::cube("a").shape(element, value)).shape;
        assert_eq!(shape, Shape::Prim(Primitive { solid: Solid::Box, altered: true }));
    }
    for (kind, is_mesh) in [(5, true), (5 + 64, true), (5 + 128, true), (1, false), (3, false)] {
        let part = read_part(&PartXml::sculpted("a", &id(7), kind));
        assert_eq!(part.mesh().is_some(), is_mesh);
        let sculpt = Shape::Prim(Primitive { solid: Solid::Sculpt, altered: false });
        assert_eq!(part.shape == sculpt, !is_mesh);
    }
    let off = PartXml::mesh("a", &id(7)).shape("SculptEntry", "false");
    assert!(matches!(read_part(&off).shape, Shape::Prim(prim) if prim.solid != Solid::Sculpt));
    let named = |name: &str| {
        let xml = region_object(&PartXml::cube("a").shape("ProfileShape", name), &[]);
        let (objects, _) = read_xml(xml.replace("<ProfileCurve>1</ProfileCurve>", ""));
        objects[0].root.shape.to_string()
    };
    let names = ["Circle", "RightTriangle", "EquilateralTriangle", "IsometricTriangle", "Star"];
    assert_eq!(names.map(named), ["cylinder", "prism", "prism", "prism", "unknown"]);
}

#[test]
fn the_hole_of_a_torus_alters_nothing() {
    let altered = |path, profile, field: &str| {
        let part = PartXml::prim("a", path, profile).shape(field, "175");
        matches!(read_part(&part).shape, Shape::Prim(Primitive { altered: true, .. }))
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
fn plants_are_plants_and_every_shape_has_a_word() {
    let coded = |code: &str| read_part(&PartXml::cube("a").shape("PCode", code)).shape;
    assert_eq!([coded("255"), coded("111")], [Shape::Plant(Plant::Tree); 2]);
    assert_eq!(coded("95"), Shape::Plant(Plant::Grass));
    let unknown = Shape::Prim(Primitive { solid: Solid::Other, altered: false });
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
        let (objects, errors) = read_xml(xml.replacen("<SculptEntry>false</SculptEntry>", "", 1));
        sound(&errors);
        objects[0].root.clone()
    };
    let cube = || PartXml::cube("a");
    let mesh = extra(cube(), &block(5));
    assert_eq!(mesh.mesh().map(|mesh| mesh.to_string()), Some(id(7)));
    assert_eq!(mesh.shape_type, ShapeType::ConvexHull);
    // The high bits mirror and invert.
    assert_eq!(extra(cube(), &block(0xc5)).mesh(), mesh.mesh());
    let sculpt = Shape::Prim(Primitive { solid: Solid::Sculpt, altered: false });
    assert_eq!(extra(cube(), &block(0x41)).shape, sculpt);
    let plain = Shape::Prim(Primitive { solid: Solid::Box, altered: false });
    let cut = block(5);
    assert_eq!(extra(cube(), &cut[..cut.len() - 1]).shape, plain);

    // Elements win.
    let other = extra(PartXml::mesh("a", &id(1)), &block(1));
    assert_eq!(other.mesh().map(|mesh| mesh.to_string()), Some(id(1)));
    assert_eq!(extra(cube().shape("SculptEntry", "false"), &block(5)).shape, plain);
    assert_eq!(extra(cube().shape("SculptType", "1"), &block(5)).shape, sculpt);
    assert_eq!(extra(cube().shape("SculptType", "0"), &block(5)).shape, plain);
}

#[test]
fn physics_is_read_or_what_opensimulator_assumes() {
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
    assert!(moves("Physics"));
    assert!(moves("Scripted Physics CastShadows"));
    assert!(moves("Phantom, Physics"));
    assert!(moves("1"));
    assert!(moves("513"));
    assert!(!moves("None"));
    assert!(!moves("Scripted"));
    assert!(!moves("512"));
    assert!(!moves(""));
    assert!(read_part(&cube().with("ObjectFlags", "1")).physical);
    let flagged = mesh().shape("ExtraParams", "AXAABAAAAAEAAAA=");
    assert!(read_part(&flagged).animated);
    assert!(!read_part(&mesh()).animated);
}

#[test]
fn a_wrong_value_names_part_and_field() {
    let wrong = |part: PartXml| region_object(&PartXml::cube("root"), &[part]);
    let cube = || PartXml::cube("leg");
    let place = ["objects/it.xml", "part 2 `leg`"];
    let refused = |part: PartXml, field: &str, text: &str| {
        refused(wrong(part), &[place[0], place[1], field, text]);
    };
    refused(cube().scale("-1", "1", "1"), "`Scale.X`", "`-1`");
    refused(cube().scale("1", "INF", "1"), "`Scale.Y`", "`INF`");
    refused(cube().scale("1", "1", "0,5"), "`Scale.Z`", "at least 0");
    refused(cube().scale("", "1", "1"), "`Scale.X`", "``");
    let lacking = cube().xml().replace("<Z>1</Z>", "");
    let lacking = wrong(cube()).replace(&cube().xml(), &lacking);
    super::refused(lacking, &[place[1], "`Scale.Z` is missing"]);
    refused(cube().with("OffsetPosition", "<X>NaN</X>"), "`OffsetPosition.X`", "`NaN`");
    refused(cube().with("RotationOffset", "<W>x</W>"), "`RotationOffset.W`", "`x`");
    refused(cube().with("PhysicsShapeType", "hull"), "`PhysicsShapeType`", "`hull`");
    refused(cube().shape("PathCurve", "straight"), "`PathCurve`", "a whole number");
    refused(cube().shape("ProfileHollow", "1.5"), "`ProfileHollow`", "`1.5`");
    refused(cube().shape("SculptEntry", "maybe"), "`SculptEntry`", "`maybe`");
    refused(cube().shape("ExtraParams", "***"), "`ExtraParams`", "base64");
    refused(PartXml::mesh("leg", "table"), "`SculptTexture`", "`table`");
    let nil = "00000000-0000-0000-0000-000000000000";
    refused(PartXml::mesh("leg", nil), "`SculptTexture`", nil);
    refused(cube().scale(&"9".repeat(70_000), "x", "1"), "`Scale.X`", "…");
}

#[test]
fn a_scale_may_stand_in_the_shape() {
    let moved = region_object(&PartXml::cube("a"), &[]).replace(
        "</Shape><Scale><X>1</X><Y>1</Y><Z>1</Z></Scale>",
        "<Scale><X>3</X><Y>2</Y><Z>1</Z></Scale></Shape>",
    );
    assert_eq!(read_xml(moved).0[0].root.scale, [3.0, 2.0, 1.0]);
}
