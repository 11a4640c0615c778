//! Archives that are broken, or made to break the reader.

use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::archive_files::{
    ArchiveFile, BLOCK, PartXml, coalesced, id, object_asset, region_object,
};
use super::{read, read_all, read_objects, read_within, refused};
use lodger_allowance::{Limits as Allowed, Spent};
use lodger_opensim::archive::{Archive, Error, Limits, Problem};

fn small() -> ArchiveFile {
    ArchiveFile::new()
        .with_mesh(&id(1), "mesh one")
        .with("objects/a.xml", region_object(&PartXml::cube("a"), &[]))
        .with_mesh(&id(2), [9; 600])
        .with("objects/b.xml", region_object(&PartXml::cube("b"), &[]))
}

/// What is found in an archive that may be broken is in the whole one too.
#[track_caller]
fn is_part_of(found: &Archive, whole: &Archive) {
    assert!(found.objects.iter().all(|object| whole.objects.contains(object)));
    assert!(found.meshes.iter().all(|(id, mesh)| whole.meshes.get(id) == Some(mesh)));
}

fn is_no_archive(error: &Error) -> bool {
    matches!(error.problem(), Problem::NotAnArchive(_))
}

fn broke(archive: &Archive) -> bool {
    archive.errors.iter().filter(|error| matches!(error.problem(), Problem::Broken { .. })).count()
        == 1
}

#[test]
fn every_cut_keeps_what_came_before() {
    let whole = read_all(&small().tar());
    for bytes in [small().tar(), small().gzip()] {
        let mut most = 0;
        for end in 0..bytes.len() {
            let compressed = bytes.starts_with(&[0x1f, 0x8b]);
            match read(&bytes[..end], Limits::default()) {
                Err(error) => assert!(is_no_archive(&error), "{error}"),
                Ok(archive) => {
                    // One block of zeros is an end mark too, and the rest is only padding.
                    let marked = !compressed && end >= bytes.len() - BLOCK;
                    assert_eq!(broke(&archive), !marked, "{end}: {:?}", archive.errors);
                    assert_eq!(archive.errors.len(), usize::from(!marked));
                    is_part_of(&archive, &whole);
                    assert!(archive.objects.len() >= most);
                    most = archive.objects.len();
                }
            }
        }
        assert_eq!(most, 2);
    }
}

#[test]
fn every_flipped_byte_is_told_or_harmless() {
    let whole = read_all(&small().tar());
    let mut bytes = small().gzip();
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            bytes[at] ^= flip;
            if let Ok(archive) = read(&bytes[..], Limits::default()) {
                // Not every bit counts: a time, a code that is not used.
                let same = archive.objects == whole.objects && archive.meshes == whole.meshes;
                assert!(same || !archive.errors.is_empty(), "{at} ^ {flip}");
            }
            bytes[at] ^= flip;
        }
    }
    let mut bytes = small().tar();
    for at in 0..bytes.len() {
        bytes[at] ^= 0xff;
        let _ = read(&bytes[..], Limits::default());
        bytes[at] ^= 0xff;
    }
}

#[test]
fn where_it_breaks_is_said() {
    let bytes = small().tar();
    let archive = read_all(&bytes[..5 * BLOCK]);
    let said = archive.errors[0].to_string();
    assert!(said.starts_with("objects/a.xml: the archive breaks off"), "{said}");
    assert!(said.contains("number 3, 2560 bytes in"), "{said}");
    let nothing = |bytes: &[u8]| read(bytes, Limits::default()).expect_err("no archive");
    for bytes in [&b""[..], b"\x1f", b"\x1f\x8b", b"PK\x03\x04", &[b'x'; 5_000]] {
        let error = nothing(bytes);
        assert!(is_no_archive(&error), "{error}");
        assert!(error.to_string().contains("not a .tar or .tar.gz"), "{error}");
    }
}

/// A reader of zeros in gzip, a thousandth of their number.
fn bomb(head: &[u8], zeros: u64) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(head).expect("memory takes it");
    io::copy(&mut io::repeat(0).take(zeros), &mut encoder).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

#[track_caller]
fn too_large(found: Result<Archive, Error>, said: &str) -> Archive {
    let archive = found.expect("an archive");
    let error = archive.errors.last().expect("an error");
    assert!(error.is_limit());
    assert!(error.to_string().contains(said), "{error}");
    archive
}

#[test]
fn a_bomb_goes_off_within_limits() {
    let work = Allowed { work: 20 << 20, ..Allowed::default() };
    let is_refused = |bytes: &[u8]| {
        let error = read_within(bytes, work).expect_err("too much");
        assert_eq!(error.spent(), Some(Spent::Work { limit: 20 << 20 }), "{error}");
    };
    let mut head = small().with("assets/x_texture.jp2", "").tar();
    let end = head.len() - 2 * BLOCK;
    head.truncate(end);
    // A texture that claims 8 GiB, and comes with 64 MiB.
    head[end - BLOCK + 124..end - BLOCK + 135].copy_from_slice(b"77777777777");
    let header = &mut head[end - BLOCK..];
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    header[154] = 0;
    let bytes = bomb(&head, 64 << 20);
    is_refused(&bytes);
    // The same behind the end mark.
    let bytes = bomb(&small().tar(), 64 << 20);
    is_refused(&bytes);
    // Nothing but zeros is an archive without entries.
    is_refused(&bomb(b"", 64 << 20));
}

#[test]
fn limits_are_kept() {
    let bytes = small().gzip();
    let limits = Limits { entry_bytes: 500, ..Limits::default() };
    let archive = read(&bytes[..], limits).expect("an archive");
    assert_eq!((archive.objects.len(), archive.meshes.len(), archive.errors.len()), (0, 1, 3));
    let error = read_within(&bytes[..], Allowed { memory: 100, ..Allowed::default() });
    assert_eq!(error.expect_err("too much").spent(), Some(Spent::Memory { limit: 100 }));
    let limits = Limits { entries: 3, ..Limits::default() };
    let archive = too_large(read(&bytes[..], limits), "more than 3 entries");
    assert_eq!((archive.objects.len(), archive.meshes.len()), (1, 1));
    let bad = coalesced(&vec![String::from("<SceneObjectGroup />"); 1_000]);
    let bytes = ArchiveFile::new().with("objects/a.xml", bad).gzip();
    let limits = Limits { errors: 10, ..Limits::default() };
    let archive = read(&bytes[..], limits).expect("an archive");
    assert_eq!(archive.errors.len(), 11);
    assert_eq!(archive.errors[10].to_string(), "there are 990 more errors like these");
}

#[test]
fn limits_hold_for_a_document_too() {
    let xml = region_object(&PartXml::cube("a"), &[]);
    let said = |limits| {
        let found = read_objects("a.xml", xml.as_bytes(), limits);
        assert!(found.objects.is_empty());
        found.errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let size = xml.len();
    assert_eq!(
        said(Limits { entry_bytes: 10, ..Limits::default() }),
        [format!("a.xml: it is left out: it has {size} bytes, more than 10")]
    );
    let deep = said(Limits { nesting: 3, ..Limits::default() });
    assert!(deep[0].contains("nested too deeply"), "{deep:?}");
    let none = read_objects("a.xml", b"", Limits { errors: 0, ..Limits::default() });
    assert!(matches!(none.errors[0].problem(), Problem::More { errors: 1 }));
    assert_eq!(read_objects("a.xml", xml.as_bytes(), Limits::default()).objects.len(), 1);
}

#[test]
fn an_error_has_its_causes() {
    let error = read(&b"noise"[..], Limits::default()).expect_err("no archive");
    let problem = std::error::Error::source(&error).expect("the problem");
    assert!(problem.source().is_some_and(<dyn std::error::Error>::is::<io::Error>));
}

#[test]
fn a_long_name_has_an_end() {
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
    let memory = Allowed { memory: 30 << 20, ..Allowed::default() };
    for path in [format!("objects/{long}.xml"), format!("assets/{long}_object.xml")] {
        let bytes = ArchiveFile::new().with(&path, coalesced(&objects)).gzip();
        let archive = read_within(&bytes[..], memory).expect("20 MB of paths are not kept");
        assert_eq!(archive.objects.len(), 2_000);
        let first = &archive.objects[0].source;
        assert!(archive.objects.iter().all(|object| Arc::ptr_eq(&object.source, first)));
    }
}

/// An old GNU header of a sparse file, with so many blocks that continue its map.
fn sparse(file: &mut ArchiveFile, path: &str, content: &[u8], blocks: usize) {
    let mut header = tar::Header::new_gnu();
    header.set_path(path).expect("a short path");
    header.set_size(content.len() as u64);
    header.set_entry_type(tar::EntryType::GNUSparse);
    header.as_gnu_mut().expect("it is").isextended[0] = u8::from(blocks > 0);
    header.set_cksum();
    let map = (1..=blocks).map(|block| {
        let mut map = [0; BLOCK];
        map[504] = u8::from(block < blocks);
        map
    });
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(map.flatten());
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    file.raw(&bytes);
}

#[test]
fn a_sparse_file_is_named_and_nothing_behind_it_is_lost() {
    let xml = region_object(&PartXml::cube("a"), &[]);
    for blocks in [0, 1, 2, 7] {
        let mut file = ArchiveFile::new();
        sparse(&mut file, "objects/a.xml", &[b' '; 1_500], blocks);
        sparse(&mut file, "notes.txt", &[b' '; 1_500], blocks);
        let archive = read_all(&file.with("objects/b.xml", &xml).gzip());
        assert_eq!((archive.objects.len(), archive.errors.len()), (1, 1), "{blocks}");
        assert!(matches!(archive.errors[0].problem(), Problem::Sparse));
        assert_eq!(archive.errors[0].entry(), Some("objects/a.xml"));
    }
}

#[test]
fn what_posix_says_of_the_next_entry_is_heeded() {
    let record = |key: &str, value: &str| {
        let rest = format!(" {key}={value}\n");
        let digits = if rest.len() + 2 < 100 { 2 } else { 3 };
        format!("{}{rest}", rest.len() + digits)
    };
    let xml = region_object(&PartXml::cube("a"), &[]);
    let mut file = ArchiveFile::new();
    file.entry(
        "pax",
        (record("GNU.sparse.major", "1") + &record("path", "objects/a.xml")).as_bytes(),
        b'x',
    );
    file.entry("GNUSparseFile.0/a.xml", xml.as_bytes(), b'0');
    file.entry("pax", record("path", "objects/b.xml").as_bytes(), b'x');
    file.entry("short", xml.as_bytes(), b'0');
    // The size of a header has no room for more than 8 GiB, so another one may be told.
    file.entry("pax", (record("size", "600") + &record("path", "objects/c.xml")).as_bytes(), b'x');
    file.entry("short", &[b' '; 1_024], b'0');
    file.entry("objects/d.xml", xml.as_bytes(), b'0');
    // What stands between a note and its file is not meant by it, and a value may have empty lines.
    let note =
        record("comment", "a\n\nb") + &record("path", "objects/e.xml") + &record("size", "600");
    file.entry("pax", note.as_bytes(), b'x');
    file.entry("global", &[b' '; 700], b'g');
    file.entry("short", &[b' '; 1_024], b'0');
    // No archive is so long.
    file.entry("pax", record("size", "18446744073709551615").as_bytes(), b'x');
    file.entry("notes.txt", b"", b'0');
    let archive = read_all(&file.tar());
    let told: Vec<_> =
        archive.errors.iter().map(|error| error.entry().expect("an entry")).collect();
    assert_eq!(told, ["objects/a.xml", "objects/c.xml", "objects/e.xml", "notes.txt"]);
    let read: Vec<_> = archive.objects.iter().map(|object| &*object.source).collect();
    assert_eq!(read, ["objects/b.xml", "objects/d.xml"]);
}

#[test]
fn links_and_folders_are_no_files() {
    let xml = region_object(&PartXml::cube("a"), &[]);
    let mut file = ArchiveFile::new();
    for kind in *b"123456KV" {
        file.entry("objects/a.xml", xml.as_bytes(), kind);
    }
    let archive = read_all(&file.tar());
    assert_eq!((archive.objects.len(), archive.errors.len()), (0, 0));
}

#[test]
fn xml_bombs_do_not_go_off() {
    let mut xml = String::from("<!DOCTYPE a [<!ENTITY a0 \"ha\">");
    for level in 1..40 {
        let _ = write!(xml, "<!ENTITY a{level} \"&a{0};&a{0};\">", level - 1);
    }
    let named = region_object(&PartXml::cube("&a39;"), &[]);
    refused(format!("{xml}]>{named}"), &["entities are not expanded"]);
    let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>";
    refused(
        format!("{outside}{}", region_object(&PartXml::cube("&x;"), &[])),
        &["entities are not expanded"],
    );
    let deep = "<SceneObjectGroup>".repeat(100_000);
    refused(deep, &["nested too deeply"]);
    let deep = format!("<SceneObjectGroup>{}", "<a>".repeat(1_000_000));
    refused(deep, &["nested too deeply"]);
    let long = format!("<{}>", "a".repeat(1_000_000));
    refused(&long, &["objects/it.xml"]);
    refused(format!("<SceneObjectGroup><b></{}>", "c".repeat(1_000_000)), &["at byte"]);
}

#[test]
fn what_is_no_object_is_refused() {
    refused("", &["nothing in it"]);
    refused("\0\0", &["this is not XML"]);
    refused("objects", &["this is not XML"]);
    refused("<Settings />", &["it is a `Settings`"]);
    refused("<SceneObjectGroup />", &["without parts"]);
    refused("<SceneObjectGroup>", &["cut short"]);
    refused("\u{feff}<SceneObjectGroup></a>", &["at byte"]);
    let utf16: Vec<_> = "\u{feff}<a />".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(utf16, &["UTF-16"]);
    let xml = region_object(&PartXml::cube("a").scripts(1), &[PartXml::cube("b")]);
    for end in 1..xml.len() {
        refused(&xml[..end], &["objects/it.xml"]);
    }
}
