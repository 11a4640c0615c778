//! Kinds of files by their first bytes, plain and in gzip.

use std::io::{self, Read};

use lodger_opensim::files::{FileErrorKind, FileKind, SniffedReader, SourceContent};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::build::archive::{ArchiveFile, cube};
use lodger_testkit::build::compressed::gzip;

use crate::{Folder, MESH, names, plenty};

#[test]
fn files_that_lodger_reads_are_recognised() {
    let tar = ArchiveFile::new().tar();
    for (head, kind) in [
        (&b""[..], FileKind::Empty),
        (MESH, FileKind::MeshAsset),
        (b"{\0\0\0\x07k\0\0\0\x08high_lod", FileKind::MeshAsset),
        (b"<? LLSD/Binary ?>\n{\0\0\0\0}", FileKind::MeshAsset),
        (b"<?llsd/binary?>\r\n", FileKind::MeshAsset),
        (&tar, FileKind::Tar),
        (&tar[..512], FileKind::Tar),
        (b"\x1f\x8b\x08", FileKind::Gzip),
        (b"<SceneObjectGroup>", FileKind::ObjectXml),
        (
            b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- x -->\n<CoalescedObject x=\"1\">",
            FileKind::ObjectXml,
        ),
        (b"<scene>", FileKind::ObjectXml),
        (b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<LandData>", FileKind::Xml),
        (b"<?xml version=\"1.0\"?>", FileKind::Xml),
        (b"<?llsd/xml?><llsd>", FileKind::Xml),
        (b"glTF\x02\0\0\0", FileKind::Glb),
        (b" {\n\"bufferViews\": [", FileKind::Gltf),
        (b"{\"asset\":{}}", FileKind::Gltf),
        (b"{\"a\":1}", FileKind::Json),
        (b"[ {\"a\":1}]", FileKind::Json),
        (b"[[object]]\nname = \"A\"", FileKind::Text),
        (b"budget_ms = 5", FileKind::Text),
        (b"MZ = 5", FileKind::Text),
        (b"ID3 = \"caf\xc3\xa9\"", FileKind::Text),
        (b"# caf\xe9", FileKind::OtherText),
        (b"\xff\xfeb\0", FileKind::Utf16),
        (b"\xfe\xff\0b", FileKind::Utf16),
        (b"\0\0\0\0", FileKind::Unknown),
        (b"\x01 = 5", FileKind::Unknown),
    ] {
        assert_eq!(FileKind::detect(head), kind, "{}", head.escape_ascii());
    }
    assert_eq!(FileKind::detect(&tar[..511]), FileKind::Unknown);
}

#[test]
fn a_character_may_be_cut_after_the_first_bytes() {
    let text = format!("{}é", "x".repeat(FileKind::SNIFF_BYTES - 1));
    assert_eq!(FileKind::detect(&text.as_bytes()[..FileKind::SNIFF_BYTES]), FileKind::Text);
    assert_eq!(FileKind::detect(text.as_bytes()), FileKind::Text);
}

#[test]
fn other_kinds_have_names() {
    for (head, words) in [
        (&b"\x89PNG\r\n\x1a\n"[..], "a PNG image"),
        (b"\xff\xd8\xff\xdb", "a JPEG image"),
        (b"\xff\x4f\xff\x51\0\x29", "a JPEG 2000 texture"),
        (b"PK\x03\x04", "a zip archive"),
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
        (b"<!DOCTYPE HTML PUBLIC \"-//W3C\">\n<HTML>", "an HTML page"),
        (b"\x7fELF\x02\x01", "an ELF program"),
        (b"fLaC\0\0\0\x22", "a FLAC sound"),
        (b"MThd\0\0\0\x06", "a file of the type audio/midi"),
    ] {
        assert_eq!(FileKind::detect(head).to_string(), words);
        assert!(!FileKind::detect(head).may_be_text());
    }
}

/// Any first bytes have a kind with a name, and do not panic.
#[test]
fn any_beginning_has_a_kind() {
    let tar = ArchiveFile::new().tar();
    let heads: [&[u8]; 6] = [
        &tar,
        b"<? LLSD/Binary ?>\n{\0\0\0\0}",
        b"<?xml?><!DOCTYPE a [<!ENTITY b \"c\">]><!-- d --><SceneObjectGroup a=\"\xc3\xa9\">",
        b"<<<<<!<!-<!--<?<?xml<a:b:c:>",
        b"{\"asset\": {\"\xf0\x9f\x92\xa9\"}}",
        b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0word/document.xml",
    ];
    for head in heads {
        for end in 0..=head.len().min(1024) {
            assert!(!FileKind::detect(&head[..end]).to_string().is_empty());
        }
    }
}

fn region() -> ArchiveFile {
    ArchiveFile::new()
        .with("objects/cube.xml", cube("cube"))
        .with("settings/x.xml", vec![b' '; 50_000])
}

#[test]
fn one_layer_of_gzip_is_inflated() {
    let folder = Folder::new()
        .with("mesh.gz", gzip(MESH))
        .with("region.gz", gzip(&region().tar()))
        .with("object", gzip(cube("cube").as_bytes()))
        .with("twice.gz", gzip(&gzip(MESH)))
        .with("empty.gz", gzip(b""));
    assert!(matches!(folder.open("mesh.gz"), Ok(SourceContent::Mesh(bytes)) if bytes == MESH));
    assert_eq!(names(&folder.archive("region.gz")), ["cube"]);
    assert_eq!(names(&folder.archive("object")), ["cube"]);
    assert_eq!(
        folder.error_message("twice.gz"),
        "it is a gzip file inside a gzip file; inflate it once"
    );
    assert_eq!(folder.error_message("empty.gz"), "it is empty");
}

#[test]
fn gzip_may_be_cut_anywhere() {
    let mesh = gzip(&[MESH, &[7; 3_000]].concat());
    for end in 2..mesh.len() {
        match SniffedReader::new(&mesh[..end]).and_then(|stream| stream.read_all(&plenty())) {
            Err(FileErrorKind::Inflate(_)) => {}
            other => panic!("{end}: {other:?}"),
        }
    }
    let region = gzip(&region().tar());
    let folder = Folder::new().with("cut.oar", &region[..region.len() - 12]);
    let archive = folder.archive("cut.oar");
    assert_eq!(names(&archive), ["cube"]);
    let message = archive.errors[0].to_string();
    assert!(message.contains("the archive breaks off"), "{message}");
}

/// Returns one byte at a time, is interrupted before each, and fails at the end.
struct OneByteReader<'b>(&'b [u8], bool);

impl Read for OneByteReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.0.is_empty() {
            return Err(io::Error::other("the cable was pulled"));
        }
        let one = buffer.len().min(1);
        self.0.read(&mut buffer[..one])
    }
}

#[test]
fn a_stream_may_come_byte_by_byte_and_break() {
    for bytes in [MESH.to_vec(), gzip(MESH)] {
        let whole = OneByteReader(&bytes, false).chain(&b""[..]).take(bytes.len() as u64);
        let stream = SniffedReader::new(whole).expect("a stream");
        assert_eq!(stream.kind(), FileKind::MeshAsset);
        assert_eq!(stream.read_all(&plenty()).expect("all of it"), MESH);
    }
    let broken = SniffedReader::new(OneByteReader(MESH, false)).expect("a beginning");
    assert_eq!(broken.kind(), FileKind::MeshAsset);
    let error = broken.read_all(&plenty()).expect_err("it breaks");
    assert_eq!(error.to_string(), "it cannot be read: the cable was pulled");
    assert!(matches!(
        SniffedReader::new(OneByteReader(b"", false)),
        Err(FileErrorKind::Unreadable(_))
    ));
}

#[test]
fn an_endless_stream_is_not_kept() {
    let endless = MESH.chain(io::repeat(0));
    let stream = SniffedReader::new(endless).expect("a beginning");
    let mut reader = stream.into_reader();
    let mut some = [1; 10_000];
    reader.read_exact(&mut some).expect("there is enough");
    assert_eq!(&some[..MESH.len()], MESH);
    assert!(
        matches!(SniffedReader::new(io::repeat(0)), Ok(stream) if stream.kind() == FileKind::Unknown)
    );
    for allowed in [
        QuotaLimits { memory: 1 << 20, ..QuotaLimits::default() },
        QuotaLimits { work: 1 << 20, ..QuotaLimits::default() },
    ] {
        let quota = Quota::new(allowed);
        let stream = SniffedReader::new(MESH.chain(io::repeat(0))).expect("a beginning");
        assert!(matches!(stream.read_all(&quota), Err(FileErrorKind::QuotaExceeded(_))));
    }
}

/// Files of the system state a size of 0.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_more_bytes_than_it_states() {
    let version = std::path::Path::new("/proc/version");
    let whole = SniffedReader::open(version).and_then(|stream| stream.read_all(&plenty()));
    assert_eq!(whole.expect("it is read"), std::fs::read(version).expect("it is read"));
}
