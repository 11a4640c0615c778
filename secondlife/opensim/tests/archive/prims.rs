//! Objects from the rows of tables, compared with objects from XML.

use std::borrow::Cow;

use lodger_core::cost::physics::ShapeType;
use lodger_opensim::archive::{
    ArchiveErrorKind, ArchiveLimits, Object, ObjectLocation, PrimGeometry, PrimRecord,
    PrimShapeRecord,
};
use lodger_testkit::build::archive::{PartXml, region_object};
use uuid::Uuid;

use super::read_objects;

const CREATOR: &str = "c0ffee00-0000-4000-8000-000000000001";
const OWNER: &str = "0b0e0000-0000-4000-8000-000000000002";
const BOX: [(&str, &str); 7] = [
    ("PCode", "9"),
    ("PathCurve", "16"),
    ("ProfileCurve", "1"),
    ("ProfileHollow", "5000"),
    ("ScaleX", "0.5"),
    ("ScaleY", "1.25"),
    ("ScaleZ", "64"),
];
const PLACED: [(&str, &str); 11] = [
    ("Name", " post "),
    ("GroupPositionX", "12.5"),
    ("GroupPositionY", "0"),
    ("GroupPositionZ", "21"),
    ("PositionX", "1"),
    ("PositionY", "2"),
    ("PositionZ", "3"),
    ("RotationX", "0"),
    ("RotationY", "0"),
    ("RotationZ", "1"),
    ("RotationW", "1"),
];

/// Texts for the columns of these names; the last of repeated ones.
fn texts<'t, const N: usize>(
    names: [&str; N],
    columns: &[(&str, &'t str)],
) -> [Option<Cow<'t, str>>; N] {
    assert!(columns.iter().all(|(column, _)| names.contains(column)), "{columns:?}");
    names.map(|name| {
        let found = columns.iter().rev().find(|(column, _)| *column == name);
        found.map(|(_, text)| Cow::Borrowed(*text))
    })
}

fn prim(columns: &[(&str, &str)]) -> Result<PrimRecord, ArchiveErrorKind> {
    PrimRecord::parse(texts(PrimRecord::COLUMNS, columns))
}

fn shape(columns: &[(&str, &str)]) -> Result<PrimShapeRecord, ArchiveErrorKind> {
    PrimShapeRecord::parse(texts(PrimShapeRecord::COLUMNS, columns), None)
}

fn plain() -> PrimShapeRecord {
    shape(&BOX).expect("it is a box")
}

fn by_rows() -> Object {
    let creator = format!("{CREATOR};http://other.grid:8002/;First Last");
    let more = [
        ("CreatorID", creator.as_str()),
        ("OwnerID", OWNER),
        ("ObjectFlags", "-2147483647"),
        ("PhysicsShapeType", "2"),
    ];
    let root = prim(&[&PLACED[..], &more].concat()).expect("all is right");
    let child = prim(&[&PLACED[..], &[("ObjectFlags", "8")]].concat());
    let records = [(root, plain(), 2), (child.expect("all is right"), plain(), 0)];
    let object = Object::from_records("tables".into(), Uuid::from_u128(7), "here".into(), records);
    object.expect("a root")
}

fn by_xml() -> Object {
    let part = PartXml::cube("post")
        .scale("0.5", "1.25", "64")
        .shape("ProfileHollow", "5000")
        .at("12.5", "0", "21")
        .with("OffsetPosition", "<X>1</X><Y>2</Y><Z>3</Z>")
        .with("RotationOffset", "<X>0</X><Y>0</Y><Z>1</Z><W>1</W>");
    let root = part.clone().id(&Uuid::from_u128(7).to_string()).owner(OWNER).scripts(2);
    let root = root.with("CreatorID", &format!("<UUID>{CREATOR}</UUID>"));
    let root = root.with("Flags", "Physics").with("PhysicsShapeType", "2");
    let xml = region_object(&root, &[part]);
    let mut found = read_objects("tables", xml.as_bytes(), ArchiveLimits::default());
    assert!(found.errors.is_empty(), "{:?}", found.errors);
    found.objects.remove(0)
}

#[test]
fn rows_and_xml_give_the_same_object() {
    let (rows, mut xml) = (by_rows(), by_xml());
    let position = [12.5, 0.0, 21.0];
    assert_eq!(rows.location, ObjectLocation::Region { region: Some("here".into()), position });
    assert!(rows.physical() && !rows.linked[0].physical);
    assert_eq!(rows.root.shape_type, ShapeType::ConvexHull);
    assert_eq!((rows.root.offset, rows.linked[0].offset), ([0.0; 3], [1.0, 2.0, 3.0]));
    // XML by itself does not state a position.
    xml.location = rows.location.clone();
    assert_eq!(rows, xml);
}

#[test]
fn extra_params_state_a_mesh() {
    let mesh = Uuid::from_u128(0x00de_5111);
    let mut block = vec![2, 0x30, 0, 17, 0, 0, 0];
    block.extend(mesh.as_bytes());
    block.extend([5, 0x70, 0, 4, 0, 0, 0, 1, 0, 0, 0]);
    let shape = PrimShapeRecord::parse(texts(PrimShapeRecord::COLUMNS, &BOX), Some(&block));
    let shape = shape.expect("it is a mesh");
    let root = prim(&[]).expect("nothing is set");
    let object = Object::from_records("t".into(), mesh, "here".into(), [(root, shape, 0)]);
    let object = object.expect("a root");
    assert_eq!(object.root.shape, PrimGeometry::Mesh(mesh));
    assert_eq!(object.root.shape_type, ShapeType::ConvexHull);
    assert!(object.root.animated);
    assert_eq!((object.location, object.owner), (ObjectLocation::Unknown, None));
}

#[test]
fn columns_are_checked() {
    for (column, text, message) in [
        ("GroupPositionY", "up", "`GroupPosition.Y` is `up`, but must be a finite number"),
        ("PositionZ", "inf", "`OffsetPosition.Z` is `inf`, but must be a finite number"),
        ("PhysicsShapeType", "1.5", "`PhysicsShapeType` is `1.5`, but must be an integer"),
    ] {
        let found = prim(&[&PLACED[..], &[(column, text)]].concat());
        assert_eq!(found.expect_err("it makes no sense").to_string(), message);
    }
    let found = prim(&[("GroupPositionX", "1")]).expect_err("two axes are missing");
    assert_eq!(found.to_string(), "`GroupPosition.Y` is missing");
    for (column, text, message) in [
        ("ScaleX", "-1", "`Scale.X` is `-1`, but must be a finite number of at least 0"),
        ("PathCurve", "", "`PathCurve` is ``, but must be an integer"),
    ] {
        let columns = shape(&[&BOX[..], &[(column, text)]].concat());
        assert_eq!(columns.expect_err("it makes no sense").to_string(), message);
    }
    let found = shape(&[]).expect_err("nothing is set");
    assert_eq!(found.to_string(), "`PathCurve` is missing");
}

#[test]
fn every_column_is_used() {
    let checked = |columns: &[(&str, &str)]| format!("{:?}", prim(columns).expect("all is right"));
    for name in PrimRecord::COLUMNS {
        let text = match name {
            "CreatorID" | "OwnerID" => CREATOR,
            "ObjectFlags" | "PhysicsShapeType" => "1",
            _ => "1.5",
        };
        assert_ne!(checked(&[&PLACED[..], &[(name, text)]].concat()), checked(&PLACED), "{name}");
    }
    for name in PrimShapeRecord::COLUMNS {
        // This value is invalid for every column of a shape.
        let wrong = shape(&[&BOX[..], &[(name, "-x")]].concat());
        assert!(wrong.is_err(), "{name}");
    }
}
