//! Untrusted archives, the recognition of tar files, and messages of errors.

use std::error::Error as _;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::sync::Arc;

use lodger_core::cost::streaming::StreamingRules;
use lodger_mesh_asset::{AssetBlock, AssetLimits};
use lodger_opensim::archive::{Archive, ArchiveError, ArchiveErrorKind, ArchiveLimits, is_tar};
use lodger_opensim::files::SniffedReader;
use lodger_opensim::pricing::{MeshReadLimits, MeshUse, Pricer};
use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
use lodger_testkit::build::archive::{
    ArchiveFile, BLOCK, Entry, NIL_ID, PartXml, coalesced, cube, id, object_asset, parcel,
    region_object, sparse, tar_of,
};
use lodger_testkit::build::compressed::{Piece, gzip_of, run};
use lodger_testkit::build::mesh::{bytes, good_builder, strip};
use lodger_testkit::least;

use super::{
    fails_with, messages, read, read_all, read_all_sound, read_objects, read_within, read_xml,
};

fn small() -> ArchiveFile {
    ArchiveFile::new()
        .with_mesh(&id(1), "mesh one")
        .with("objects/a.xml", cube("a"))
        .with_mesh(&id(2), [9; 600])
        .with("objects/b.xml", cube("b"))
}

/// Asserts that a broken archive has no content that the whole one lacks.
#[track_caller]
fn is_part_of(found: &Archive, whole: &Archive) {
    assert!(found.objects.iter().all(|object| whole.objects.contains(object)));
    assert!(found.meshes.iter().all(|(id, mesh)| whole.meshes.get(id) == Some(mesh)));
}

fn is_no_archive(error: &ArchiveError) -> bool {
    matches!(error.kind(), ArchiveErrorKind::NotAnArchive(_))
}

fn broke(archive: &Archive) -> bool {
    archive
        .errors
        .iter()
        .filter(|error| matches!(error.kind(), ArchiveErrorKind::Broken { .. }))
        .count()
        == 1
}

#[test]
fn every_cut_keeps_the_entries_before_it() {
    let whole = read_all(&small().tar());
    for bytes in [small().tar(), small().gzip()] {
        let mut max = 0;
        for end in 0..bytes.len() {
            let compressed = bytes.starts_with(&[0x1f, 0x8b]);
            match read(&bytes[..end], ArchiveLimits::default()) {
                Err(error) => assert!(is_no_archive(&error), "{error}"),
                Ok(archive) => {
                    // One block of zeros is an end mark too; the rest is only padding.
                    let marked = !compressed && end >= bytes.len() - BLOCK;
                    assert_eq!(broke(&archive), !marked, "{end}: {:?}", archive.errors);
                    assert_eq!(archive.errors.len(), usize::from(!marked));
                    is_part_of(&archive, &whole);
                    assert!(archive.objects.len() >= max);
                    max = archive.objects.len();
                }
            }
        }
        assert_eq!(max, 2);
    }
}

#[test]
fn every_flipped_byte_is_an_error_or_harmless() {
    let whole = read_all(&small().tar());
    let mut bytes = small().gzip();
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            bytes[at] ^= flip;
            if let Ok(archive) = read(&bytes[..], ArchiveLimits::default()) {
                // Some bits have no effect: a time, an unused code.
                let same = archive.objects == whole.objects && archive.meshes == whole.meshes;
                assert!(same || !archive.errors.is_empty(), "{at} ^ {flip}");
            }
            bytes[at] ^= flip;
        }
    }
    let mut bytes = small().tar();
    for at in 0..bytes.len() {
        bytes[at] ^= 0xff;
        let _ = read(&bytes[..], ArchiveLimits::default());
        bytes[at] ^= 0xff;
    }
}

#[test]
fn a_break_has_its_position() {
    let archive = read_all(&small().tar()[..5 * BLOCK]);
    let message = archive.errors[0].to_string();
    assert!(message.starts_with("objects/a.xml: the archive breaks off"), "{message}");
    assert!(message.contains("number 3, 2560 bytes in"), "{message}");
}

#[test]
fn other_files_are_no_archives() {
    for bytes in [&b""[..], b"\x1f", b"\x1f\x8b", b"PK\x03\x04", b"glTF", &[b'x'; 5_000]] {
        let error = read(bytes, ArchiveLimits::default()).expect_err("no archive");
        assert!(is_no_archive(&error), "{error}");
        assert_eq!(error.to_string(), "this is not a .tar or .tar.gz archive");
        let cause = error.source().and_then(std::error::Error::source).expect("a cause");
        assert!(cause.is::<io::Error>());
    }
}

/// A gzip file of zeros behind `head`.
fn bomb(head: &[u8], zeros: usize) -> Vec<u8> {
    let [units, rest] = run(0, zeros);
    gzip_of(&[Piece::Bytes(head), units, rest])
}

#[track_caller]
fn too_large(found: Result<Archive, ArchiveError>, said: &str) -> Archive {
    let archive = found.expect("an archive");
    let error = archive.errors.last().expect("an error");
    assert!(error.is_limit());
    assert!(error.to_string().contains(said), "{error}");
    archive
}

#[test]
fn a_zip_bomb_stays_within_limits() {
    let work = QuotaLimits { work: 20 << 20, ..QuotaLimits::default() };
    let is_refused = |bytes: &[u8]| {
        let error = read_within(bytes, work).expect_err("too much");
        assert_eq!(
            error.quota_exceeded(),
            Some(QuotaExceeded::Work { limit: 20 << 20 }),
            "{error}"
        );
    };
    // A texture that claims 8 GiB and has 64 MiB.
    let size = Some((8 << 30) - 1);
    let texture = tar_of(&[Entry { size, ..Entry::file("assets/x_texture.jp2", "") }]);
    let small_tar = small().tar();
    let entries = &small_tar[..small_tar.len() - 2 * BLOCK];
    is_refused(&bomb(&[entries, &texture[..BLOCK]].concat(), 64 << 20));
    // The same behind the end mark.
    is_refused(&bomb(&small_tar, 64 << 20));
    // Only zeros are an archive without entries.
    is_refused(&bomb(b"", 64 << 20));
}

#[test]
fn limits_are_kept() {
    let bytes = small().gzip();
    let limits = ArchiveLimits { entry_bytes: 500, ..ArchiveLimits::default() };
    let archive = read(&bytes[..], limits).expect("an archive");
    assert_eq!((archive.objects.len(), archive.meshes.len(), archive.errors.len()), (0, 1, 3));
    let error = read_within(&bytes[..], QuotaLimits { memory: 100, ..QuotaLimits::default() });
    assert_eq!(
        error.expect_err("too much").quota_exceeded(),
        Some(QuotaExceeded::Memory { limit: 100 })
    );
    let limits = ArchiveLimits { entries: 3, ..ArchiveLimits::default() };
    let archive = too_large(read(&bytes[..], limits), "more than 3 entries");
    assert_eq!((archive.objects.len(), archive.meshes.len()), (1, 1));
    let bad = coalesced(&vec![String::from("<SceneObjectGroup />"); 1_000]);
    let bytes = ArchiveFile::new().with("objects/a.xml", bad).gzip();
    let limits = ArchiveLimits { errors: 10, ..ArchiveLimits::default() };
    let archive = read(&bytes[..], limits).expect("an archive");
    assert_eq!(archive.errors.len(), 11);
    assert_eq!(archive.errors[10].to_string(), "there are 990 more errors like these");
}

/// The least memory and the least work with which `is_done` holds.
fn needed(is_done: impl Fn(&Quota) -> bool) -> (u64, u64) {
    let is_done = |memory, work| is_done(&Quota::new(QuotaLimits { memory, work }));
    (least(|memory| is_done(memory, u64::MAX)), least(|work| is_done(u64::MAX, work)))
}

#[test]
fn each_reader_charges_exact_memory_and_work() {
    let square = parcel(&id(2), "parcel", NIL_ID, 64, |_, _| true);
    let region = ArchiveFile::new()
        .with_mesh(&id(1), "mesh")
        .with_parcel("regions/a/", &id(2), square)
        .with("regions/a/objects/a.xml", cube("a"))
        .tar();
    let holding = object_asset(&PartXml::cube("a").holding(&[&id(2)]), &[]);
    let inventory = ArchiveFile::new()
        .with_item("Objects", "first", &id(1), NIL_ID)
        .with_item("Objects", "second", &id(1), NIL_ID)
        .with_object(&id(1), holding)
        .with_object(&id(2), object_asset(&PartXml::cube("b"), &[]))
        .gzip();
    let xml = cube("a");
    let read_tar = |bytes: &[u8], quota: &Quota| {
        lodger_opensim::archive::read(bytes, ArchiveLimits::default(), quota)
    };
    let read_xml = |quota: &Quota| {
        let limits = ArchiveLimits::default();
        lodger_opensim::archive::read_objects("a.xml", xml.as_bytes(), limits, quota)
    };
    let read_stream = |quota: &Quota| {
        SniffedReader::new(&b"{\0\0\0"[..]).and_then(|stream| stream.read_all(quota))
    };
    let mut mesh = good_builder();
    mesh.set_lod(AssetBlock::PhysicsMesh, &strip(4)).expect("a short block");
    let mesh = bytes(&mesh);
    let shown = region_object(&PartXml::mesh("mesh", &id(1)), &[PartXml::cube("cube")]);
    let shown = ArchiveFile::new().with_mesh(&id(1), &mesh).with("objects/a.xml", shown).tar();
    let shown = read_all_sound(&shown);
    let pricer = Pricer::new(StreamingRules::VIEWER).expect("valid rules");
    let limits = AssetLimits::default();
    let price = |quota: &Quota| {
        let within = MeshReadLimits { limits, quota };
        pricer.archive(&shown, &MeshUse::default(), within, |_| ())
    };
    let mut rows = vec![
        ("a region", needed(|quota| read_tar(&region, quota).is_ok()), (28_877, 13_620)),
        ("an inventory", needed(|quota| read_tar(&inventory, quota).is_ok()), (12_237, 19_796)),
        ("the XML of an object", needed(|quota| read_xml(quota).is_ok()), (6_969, 2_608)),
        ("a stream", needed(|quota| read_stream(quota).is_ok()), (65_537, 65_537)),
        (
            "prices",
            needed(|quota| price(quota).is_ok()),
            (480 + limits.max_memory(mesh.len()), 505),
        ),
    ];
    rows.retain(|(_, found, expected)| found != expected);
    assert_eq!(rows, [], "reader, found, expected");
}

#[test]
fn limits_hold_for_a_document_too() {
    let xml = cube("a");
    let messages = |limits| {
        let found = read_objects("a.xml", xml.as_bytes(), limits);
        assert!(found.objects.is_empty());
        messages(&found.errors)
    };
    let size = xml.len();
    assert_eq!(
        messages(ArchiveLimits { entry_bytes: 10, ..ArchiveLimits::default() }),
        [format!("a.xml: it is left out: it has {size} bytes, more than 10")]
    );
    let deep = messages(ArchiveLimits { nesting: 3, ..ArchiveLimits::default() });
    assert!(deep[0].contains("nested too deeply"), "{deep:?}");
    let none = read_objects("a.xml", b"", ArchiveLimits { errors: 0, ..ArchiveLimits::default() });
    assert_eq!(none.errors[0].to_string(), "there are 1 more errors like these");
    assert_eq!(read_objects("a.xml", xml.as_bytes(), ArchiveLimits::default()).objects.len(), 1);
}

#[test]
fn a_long_name_is_cut() {
    let mut file = ArchiveFile::new();
    file.entry("././@LongLink", &vec![b'a'; 3 << 20], b'L');
    file.entry("a", b"", b'0');
    file.entry("objects/b.xml", b"<a>", b'0');
    let archive = read_all(&file.gzip());
    assert_eq!(archive.entries, 3);
    assert!(archive.errors[0].to_string().starts_with("objects/b.xml: "));
}

#[test]
fn a_long_path_of_many_objects_is_kept_once() {
    let objects = vec![object_asset(&PartXml::cube("a"), &[]); 2_000];
    let long = "x".repeat(10_000);
    let memory = QuotaLimits { memory: 30 << 20, ..QuotaLimits::default() };
    for path in [format!("objects/{long}.xml"), format!("assets/{long}_object.xml")] {
        let bytes = ArchiveFile::new().with(&path, coalesced(&objects)).gzip();
        let archive = read_within(&bytes[..], memory).expect("20 MB of paths are not kept");
        assert_eq!(archive.objects.len(), 2_000);
        let first = &archive.objects[0].source;
        assert!(archive.objects.iter().all(|object| Arc::ptr_eq(&object.source, first)));
    }
}

#[test]
fn a_sparse_file_is_an_error_and_later_entries_are_read() {
    // A header has 4 extents, and each block that continues it 21.
    for extents in [4, 5, 40, 150] {
        let sparse = |path| Entry { content: vec![b' '; 1_500], ..sparse(path, extents) };
        let later = Entry::file("objects/b.xml", cube("a"));
        let archive = read_all(&tar_of(&[sparse("objects/a.xml"), sparse("notes.txt"), later]));
        assert_eq!((archive.objects.len(), archive.errors.len()), (1, 1), "{extents}");
        assert!(archive.errors[0].to_string().ends_with("it is stored as a sparse file"));
        assert_eq!(archive.errors[0].entry(), Some("objects/a.xml"));
    }
}

#[test]
fn extended_headers_apply_to_the_next_file() {
    let record = |key: &str, value: &str| {
        let rest = format!(" {key}={value}\n");
        let digits = if rest.len() + 2 < 100 { 2 } else { 3 };
        format!("{}{rest}", rest.len() + digits)
    };
    let xml = cube("a");
    let mut file = ArchiveFile::new();
    file.entry(
        "pax",
        (record("GNU.sparse.major", "1") + &record("path", "objects/a.xml")).as_bytes(),
        b'x',
    );
    file.entry("GNUSparseFile.0/a.xml", xml.as_bytes(), b'0');
    file.entry("pax", record("path", "objects/b.xml").as_bytes(), b'x');
    file.entry("short", xml.as_bytes(), b'0');
    // An extended header replaces the size, which has only eleven octal digits.
    file.entry("pax", (record("size", "600") + &record("path", "objects/c.xml")).as_bytes(), b'x');
    file.entry("short", &[b' '; 1_024], b'0');
    file.entry("objects/d.xml", xml.as_bytes(), b'0');
    // An extended header applies to the next file, not to a global header between; a value may have empty lines.
    let note =
        record("comment", "a\n\nb") + &record("path", "objects/e.xml") + &record("size", "600");
    file.entry("pax", note.as_bytes(), b'x');
    file.entry("global", &[b' '; 700], b'g');
    file.entry("short", &[b' '; 1_024], b'0');
    // No archive is this long.
    file.entry("pax", record("size", "18446744073709551615").as_bytes(), b'x');
    file.entry("notes.txt", b"", b'0');
    let archive = read_all(&file.tar());
    let failed: Vec<_> =
        archive.errors.iter().map(|error| error.entry().expect("an entry")).collect();
    assert_eq!(failed, ["objects/a.xml", "objects/c.xml", "objects/e.xml", "notes.txt"]);
    let read: Vec<_> = archive.objects.iter().map(|object| &*object.source).collect();
    assert_eq!(read, ["objects/b.xml", "objects/d.xml"]);
}

#[test]
fn links_and_folders_are_no_files() {
    let xml = cube("a");
    let mut file = ArchiveFile::new();
    for kind in *b"123456KV" {
        file.entry("objects/a.xml", xml.as_bytes(), kind);
    }
    let archive = read_all(&file.tar());
    assert_eq!((archive.objects.len(), archive.errors.len()), (0, 0));
}

#[test]
fn xml_entities_are_not_expanded() {
    let mut xml = String::from("<!DOCTYPE a [<!ENTITY a0 \"ha\">");
    for level in 1..40 {
        let _ = write!(xml, "<!ENTITY a{level} \"&a{0};&a{0};\">", level - 1);
    }
    let entities = "entities are not expanded";
    let named = cube("&a39;");
    fails_with(format!("{xml}]>{named}"), &[entities]);
    let external = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>";
    fails_with(format!("{external}{}", cube("&x;")), &[entities]);
    fails_with("<SceneObjectGroup>".repeat(100_000), &["nested too deeply"]);
    let deep = format!("<SceneObjectGroup>{}", "<a>".repeat(1_000_000));
    fails_with(deep, &["nested too deeply"]);
    fails_with(format!("<{}>", "a".repeat(1_000_000)), &["objects/it.xml"]);
    fails_with(format!("<SceneObjectGroup><b></{}>", "c".repeat(1_000_000)), &["at byte"]);
}

#[test]
fn invalid_objects_are_rejected() {
    for (xml, message) in [
        ("", "nothing in it"),
        ("\0\0", "this is not XML"),
        ("objects", "this is not XML"),
        ("<Settings />", "it is a `Settings`"),
        ("<SceneObjectGroup />", "without parts"),
        ("<SceneObjectGroup>", "cut short"),
        ("\u{feff}<SceneObjectGroup></a>", "at byte"),
    ] {
        fails_with(xml, &[message]);
    }
    let utf16: Vec<_> = "\u{feff}<a />".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fails_with(utf16, &["UTF-16"]);
    let xml = region_object(&PartXml::cube("a").scripts(1), &[PartXml::cube("b")]);
    for end in 1..xml.len() {
        fails_with(&xml[..end], &["objects/it.xml"]);
    }
}

#[test]
fn tar_files_are_recognised_by_their_first_header() {
    assert!(is_tar(&ArchiveFile::new().tar()));
    assert!(is_tar(&ArchiveFile::default().with("assets/", "").tar()[..BLOCK]));
    let mut headers = [tar::Header::new_gnu(), tar::Header::new_ustar(), tar::Header::new_old()];
    for header in &mut headers {
        header.set_path("a").expect("a short path");
        header.set_size(3);
        assert!(!is_tar(header.as_bytes()), "without a checksum");
        header.set_cksum();
        assert!(is_tar(header.as_bytes()));
    }
    let mut pax = tar::Builder::new(Vec::new());
    pax.append_pax_extensions([("path", &b"objects/a.xml"[..])]).expect("memory takes it");
    assert!(is_tar(&pax.into_inner().expect("memory takes it")));
}

#[test]
fn nothing_else_is_a_tar_file() {
    let whole = ArchiveFile::new().tar();
    for end in [0, 1, 257, 511] {
        assert!(!is_tar(&whole[..end]));
    }
    assert!(!is_tar(&[0; 2 * BLOCK]));
    assert!(!is_tar(&[b' '; BLOCK]) && !is_tar(&[b'0'; BLOCK]) && !is_tar(&[255; BLOCK]));
    assert!(!is_tar(&ArchiveFile::new().gzip()));
    let mut random = lodger_testkit::SplitMix64::new(1);
    for _ in 0..1_000 {
        let noise: Vec<_> = (0..BLOCK).map(|_| random.next_u64().to_be_bytes()[0]).collect();
        assert!(!is_tar(&noise));
    }
    let mut flipped = whole;
    for at in 0..BLOCK {
        flipped[at] ^= 1;
        // The last two bytes of the checksum field are not part of its number.
        assert!(!is_tar(&flipped) || (154..156).contains(&at), "{at}");
        flipped[at] ^= 1;
    }
}

#[test]
fn a_break_is_reported_without_messages_of_readers() {
    let small = || ArchiveFile::new().with("objects/a.xml", "<SceneObjectGroup />");
    let message = |bytes: &[u8]| read_all(bytes).errors.last().expect("a break").to_string();
    let tar = small().tar();
    assert!(message(&tar[..3 * BLOCK]).ends_with("1536 bytes in: it is cut short"));
    assert!(message(&tar[..3 * BLOCK + 7]).ends_with("it is cut short"));
    let mut corrupt = tar.clone();
    corrupt[2 * BLOCK + 7] ^= 1;
    assert!(message(&corrupt).ends_with("it is corrupt"));
    let mut gzip = small().gzip();
    let end = gzip.len();
    gzip[end - 6] ^= 1;
    assert!(message(&gzip).ends_with("it is corrupt"));
    assert!(message(&gzip[..end - 9]).ends_with("it is cut short"));
}

/// A reader that fails with an error of the system.
struct VanishedFile;

impl Read for VanishedFile {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(5))
    }
}

#[test]
fn errors_of_the_system_are_passed_on() {
    let system = io::Error::from_raw_os_error(5).to_string();
    let error = read(VanishedFile, ArchiveLimits::default()).expect_err("no archive");
    assert_eq!(error.to_string(), format!("it cannot be read: {system}"));
    let tar = ArchiveFile::new().tar();
    let archive = read(tar[..2 * BLOCK].chain(VanishedFile), ArchiveLimits::default());
    let archive = archive.expect("an archive");
    assert!(archive.errors[0].to_string().ends_with(&system), "{:?}", archive.errors);
}

#[test]
fn broken_xml_has_a_plain_reason() {
    for (xml, reason) in [
        ("<SceneObjectGroup></a>", "`a` is closed where `SceneObjectGroup` is open"),
        ("</a>", "`a` is closed, but was not opened"),
        ("<SceneObjectGroup", "it ends within a tag"),
        ("<SceneObjectGroup><!-- x", "a comment does not end"),
        ("<SceneObjectGroup><![CDATA[x", "a `<![CDATA[` does not end"),
        ("<!DOCTYPE x", "a `<!DOCTYPE` does not end"),
        ("<?xml", "a `<?` does not end"),
        ("<!x>", "there is a `<!` that begins nothing"),
        (
            "<SceneObjectGroup><SceneObjectPart><Name>a & b</Name>",
            "a `&` begins no entity; it is `&amp;`",
        ),
    ] {
        let (_, errors) = read_xml(xml);
        assert!(errors[0].source().and_then(|kind| kind.source()).is_some());
        let message = errors[0].to_string();
        assert_eq!(message.rsplit_once(": ").expect("a reason").1, reason);
    }
}
