//! Parcels, and the parcel under an object.

use lodger_opensim::archive::{Archive, ObjectLocation};
use lodger_quota::{QuotaExceeded, QuotaLimits};
use lodger_testkit::build::archive::{
    ArchiveFile, NIL_ID, PartXml, base64, id, land_data, parcel, region_object,
};

use super::{messages, read_all, read_all_sound, read_within};

fn object(x: &str, y: &str) -> String {
    region_object(&PartXml::cube("a").at(x, y, "20"), &[])
}

/// Adds a cube at each position.
fn with_objects(file: ArchiveFile, at: &[(&str, &str)]) -> ArchiveFile {
    at.iter().enumerate().fold(file, |file, (number, (x, y))| {
        file.with(&format!("objects/{number}.xml"), object(x, y))
    })
}

/// A region of 256 m in two halves, with objects at these positions.
fn halves(at: &[(&str, &str)]) -> Archive {
    let west = parcel(&id(1), "west", &id(7), 64, |x, _| x < 32);
    let east = parcel(&id(2), "east", NIL_ID, 64, |x, y| x >= 32 && y != 63);
    let file = ArchiveFile::new().with_parcel("", &id(1), west).with_parcel("", &id(2), east);
    read_all_sound(&with_objects(file, at).gzip())
}

/// Names of the parcels under the objects.
fn under(archive: &Archive) -> Vec<Option<&str>> {
    let parcel = |object| archive.parcel_of(object).map(|parcel| parcel.name.as_str());
    archive.objects.iter().map(parcel).collect()
}

#[test]
fn an_object_is_on_the_square_under_it() {
    let archive = halves(&[
        ("0", "0"),
        ("127.999", "255.9"),
        ("128", "0"),
        ("255.999", "251.999"),
        ("200", "252"),
        ("-0.001", "10"),
        ("10", "256"),
        ("256", "10"),
        ("1e30", "1e30"),
        ("-0", "12"),
    ]);
    let (west, east) = (Some("west"), Some("east"));
    let expected = [west, west, east, east, None, None, None, None, None, west];
    assert_eq!(under(&archive), expected);
    let [first, second] = &archive.parcels[..] else { panic!("{:?}", archive.parcels) };
    assert_eq!((first.id.to_string(), second.id.to_string()), (id(1), id(2)));
    assert_eq!(first.owner.map(|owner| owner.to_string()), Some(id(7)));
    assert_eq!((second.owner, &second.region), (None, &None));
}

#[test]
fn rows_run_from_south_to_north_and_bits_from_the_lowest() {
    // The square from 4 m to 8 m east and 0 m to 4 m north is the second bit of the first byte.
    let mut bits = vec![0; 512];
    bits[0] = 2;
    let land = land_data(&id(1), "one square", NIL_ID, &base64(&bits));
    let file = ArchiveFile::new().with_parcel("", &id(1), land);
    let file = with_objects(file, &[("5", "1"), ("1", "5")]);
    assert_eq!(under(&read_all(&file.tar())), [Some("one square"), None]);
}

#[test]
fn larger_regions_have_larger_bitmaps() {
    for (side, x) in [(8, "31"), (128, "511"), (2_048, "8191"), (4_096, "16383")] {
        let whole = parcel(&id(1), "all", NIL_ID, side, |x, _| x == side - 1);
        let file = ArchiveFile::new().with("objects/a.xml", object(x, x));
        let archive = read_all_sound(&file.with_parcel("", &id(1), whole).tar());
        assert_eq!(under(&archive), [Some("all")], "{side}");
    }
}

#[test]
fn every_region_has_its_own_parcels() {
    let mut file = ArchiveFile::new();
    for (number, folder) in [(1, "regions/1_1_home/"), (2, "regions/2_1_away/")] {
        let land = parcel(&id(number), folder, NIL_ID, 64, |x, _| x < 32 * number);
        file = file.with(&format!("{folder}objects/a.xml"), object("200", "10")).with_parcel(
            folder,
            &id(number),
            land,
        );
    }
    let file = file.with("regions/3_1_wild/objects/a.xml", object("1", "1"));
    let archive = read_all_sound(&file.tar());
    assert_eq!(under(&archive), [None, Some("regions/2_1_away/"), None]);
    assert_eq!(archive.parcels[0].region.as_deref(), Some("1_1_home"));
}

#[test]
fn the_last_of_overlapping_parcels_counts_and_sizes_may_differ() {
    let lands = [
        parcel(&id(1), "small", NIL_ID, 8, |_, _| true),
        parcel(&id(2), "large", NIL_ID, 16, |x, y| x >= 7 || y >= 8),
        parcel(&id(3), "corner", NIL_ID, 8, |x, y| x + y == 0),
    ];
    let file = lands
        .iter()
        .enumerate()
        .fold(ArchiveFile::new(), |file, (number, land)| file.with_parcel("", &id(number), land));
    let places = [("1", "1"), ("5", "29"), ("29", "5"), ("5", "33"), ("63", "63")];
    let archive = read_all_sound(&with_objects(file, &places).tar());
    let large = Some("large");
    assert_eq!(under(&archive), [Some("corner"), Some("small"), large, large, large]);
}

#[test]
fn a_broken_parcel_is_an_error_beside_the_rest() {
    let good = parcel(&id(1), "good", NIL_ID, 64, |_, _| true);
    let fails_with = |xml: &str, expected: &str| {
        let file = ArchiveFile::new()
            .with_parcel("", &id(2), xml)
            .with_parcel("", &id(1), &good)
            .with("objects/a.xml", object("1", "1"));
        let archive = read_all(&file.tar());
        assert_eq!(under(&archive), [Some("good")]);
        let messages = messages(&archive.errors);
        assert_eq!(messages.len(), 1, "{messages:?}");
        let begin = format!("landdata/{}.xml: ", id(2));
        assert!(messages[0].starts_with(&begin) && messages[0].contains(expected), "{messages:?}");
    };
    let land = |id: &str, bitmap: &str| land_data(id, "a", NIL_ID, bitmap);
    for (xml, message) in [
        ("<LandData>", "it is cut short"),
        ("<SceneObjectGroup />", "it is a `SceneObjectGroup`, and no `LandData`"),
        ("<LandData />", "`GlobalID` is missing"),
        (&land("x", ""), "`GlobalID` is `x`, but must be the UUID"),
        (&land(&id(2), "***"), "`Bitmap` is `***`, but must be base64"),
        (&land(&id(2), "").replace("<Bitmap></Bitmap>", ""), "`Bitmap` is missing"),
    ] {
        fails_with(xml, message);
    }
    for bytes in [0, 1, 511, 513, 1_024, 2_100_000, 4_097 * 512] {
        let bits = base64(&vec![255; bytes]);
        fails_with(&land(&id(2), &bits), &format!("`Bitmap` has {bytes} bytes"));
    }
}

#[test]
fn names_are_truncated_and_bitmaps_are_charged() {
    let long = parcel(&id(1), &"x".repeat(100_000), NIL_ID, 8, |_, _| true);
    let archive = read_all(&ArchiveFile::new().with_parcel("", &id(1), long).tar());
    assert_eq!(archive.parcels[0].name.chars().count(), 161);
    let mut file = ArchiveFile::new();
    for number in 0..20 {
        let huge = parcel(&id(number), "huge", NIL_ID, 1_024, |_, _| false);
        file = file.with_parcel(&format!("regions/{number}/"), &id(number), huge);
    }
    let error =
        read_within(&file.gzip()[..], QuotaLimits { memory: 32 << 20, ..QuotaLimits::default() });
    assert!(matches!(
        error.expect_err("80 MiB").quota_exceeded(),
        Some(QuotaExceeded::Memory { .. })
    ));
}

#[test]
fn ten_thousand_objects_on_a_thousand_parcels_are_found() {
    let mut file = ArchiveFile::new();
    for number in 0..1_000 {
        let land =
            parcel(&id(number), &number.to_string(), NIL_ID, 64, |x, y| y * 64 + x == number);
        file = file.with_parcel("", &id(number), land);
    }
    for number in 0..10_000 {
        let square = number % 1_000;
        let (x, y) = (square % 64 * 4 + 1, square / 64 * 4 + 3);
        let xml = object(&x.to_string(), &y.to_string());
        file = file.with(&format!("objects/{number}.xml"), xml);
    }
    let archive = read_all_sound(&file.gzip());
    let under = under(&archive);
    assert!((0..10_000).all(|number| {
        let ObjectLocation::Region { .. } = archive.objects[number].location else { return false };
        under[number].and_then(|name| name.parse().ok()) == Some(number % 1_000)
    }));
}
