//! What files are by their first bytes.

use lodger_files::Kind;
use lodger_testkit::build::archive::ArchiveFile;

use crate::MESH;

#[test]
fn what_lodger_reads_is_recognised() {
    let tar = ArchiveFile::new().tar();
    for (head, kind) in [
        (&b""[..], Kind::Empty),
        (MESH, Kind::MeshAsset),
        (b"{\0\0\0\x07k\0\0\0\x08high_lod", Kind::MeshAsset),
        (b"<? LLSD/Binary ?>\n{\0\0\0\0}", Kind::MeshAsset),
        (b"<?llsd/binary?>\r\n", Kind::MeshAsset),
        (&tar, Kind::Tar),
        (&tar[..512], Kind::Tar),
        (b"\x1f\x8b\x08", Kind::Gzip),
        (b"<SceneObjectGroup>", Kind::ObjectXml),
        (
            b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- x -->\n<CoalescedObject x=\"1\">",
            Kind::ObjectXml,
        ),
        (b"<scene>", Kind::ObjectXml),
        (b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<LandData>", Kind::Xml),
        (b"<?xml version=\"1.0\"?>", Kind::Xml),
        (b"<?llsd/xml?><llsd>", Kind::Xml),
        (b"glTF\x02\0\0\0", Kind::Glb),
        (b" {\n\"bufferViews\": [", Kind::Gltf),
        (b"{\"asset\":{}}", Kind::Gltf),
        (b"{\"a\":1}", Kind::Json),
        (b"[ {\"a\":1}]", Kind::Json),
        (b"[[object]]\nname = \"A\"", Kind::Text),
        (b"budget_ms = 5", Kind::Text),
        (b"MZ = 5", Kind::Text),
        (b"ID3 = \"caf\xc3\xa9\"", Kind::Text),
        (b"# caf\xe9", Kind::OtherText),
        (b"\xff\xfeb\0", Kind::Utf16),
        (b"\xfe\xff\0b", Kind::Utf16),
        (b"\0\0\0\0", Kind::Unknown),
        (b"\x01 = 5", Kind::Unknown),
    ] {
        assert_eq!(Kind::of(head), kind, "{}", head.escape_ascii());
    }
    assert_eq!(Kind::of(&tar[..511]), Kind::Unknown);
}

#[test]
fn a_character_may_be_cut_where_the_look_ends() {
    let text = format!("{}é", "x".repeat(Kind::LOOKED_AT - 1));
    assert_eq!(Kind::of(&text.as_bytes()[..Kind::LOOKED_AT]), Kind::Text);
    assert_eq!(Kind::of(text.as_bytes()), Kind::Text);
}

#[test]
fn other_kinds_have_words() {
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
        assert_eq!(Kind::of(head).to_string(), words);
        assert!(!Kind::of(head).may_be_text());
    }
}

/// No beginning of anything makes it panic, and each has its words.
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
            assert!(!Kind::of(&head[..end]).to_string().is_empty());
        }
    }
}
