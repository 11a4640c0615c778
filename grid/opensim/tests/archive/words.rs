//! What files are told apart by, and what is said of those that are none.

use std::error::Error as _;
use std::io::{self, Read};

use super::archive_files::{ArchiveFile, BLOCK};
use super::{read, read_all, read_xml};
use lodger_opensim::archive::{Limits, is_tar};

#[test]
fn tar_files_are_known_by_their_first_header() {
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
    let mut state = 1_u32;
    for _ in 0..1_000 {
        let noise: Vec<_> = (0..BLOCK)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_be_bytes()[0]
            })
            .collect();
        assert!(!is_tar(&noise));
    }
    let mut flipped = whole;
    for at in 0..BLOCK {
        flipped[at] ^= 1;
        // The two bytes behind the checksum are part of its field, and of no number.
        assert!(!is_tar(&flipped) || (154..156).contains(&at), "{at}");
        flipped[at] ^= 1;
    }
}

#[test]
fn what_is_no_archive_is_said_plainly() {
    for bytes in [&b""[..], b"\x1f\x8b", b"glTF", &[b'x'; 5_000]] {
        let error = read(bytes, Limits::default()).expect_err("no archive");
        assert_eq!(error.to_string(), "this is not a .tar or .tar.gz archive");
        assert!(error.source().and_then(|problem| problem.source()).is_some());
    }
}

#[test]
fn a_break_is_said_without_the_words_of_a_reader() {
    let small = || ArchiveFile::new().with("objects/a.xml", "<SceneObjectGroup />");
    let said = |bytes: &[u8]| read_all(bytes).errors.last().expect("a break").to_string();
    let tar = small().tar();
    assert!(said(&tar[..3 * BLOCK]).ends_with("1536 bytes in: it is cut short"));
    assert!(said(&tar[..3 * BLOCK + 7]).ends_with("it is cut short"));
    let mut corrupt = tar.clone();
    corrupt[2 * BLOCK + 7] ^= 1;
    assert!(said(&corrupt).ends_with("it is corrupt"));
    let mut gzip = small().gzip();
    let end = gzip.len();
    gzip[end - 6] ^= 1;
    assert!(said(&gzip).ends_with("it is corrupt"));
    assert!(said(&gzip[..end - 9]).ends_with("it is cut short"));
}

/// A file that the system no longer gives.
struct Gone;

impl Read for Gone {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(5))
    }
}

#[test]
fn what_the_system_says_is_passed_on() {
    let system = io::Error::from_raw_os_error(5).to_string();
    let error = read(Gone, Limits::default()).expect_err("no archive");
    assert_eq!(error.to_string(), format!("it cannot be read: {system}"));
    let tar = ArchiveFile::new().tar();
    let archive = read(tar[..2 * BLOCK].chain(Gone), Limits::default()).expect("an archive");
    assert!(archive.errors[0].to_string().ends_with(&system), "{:?}", archive.errors);
}

#[test]
fn broken_xml_is_said_plainly() {
    let said = |xml: &str| {
        let (_, errors) = read_xml(xml);
        assert!(errors[0].source().and_then(|problem| problem.source()).is_some());
        errors[0].to_string().rsplit_once(": ").expect("a reason").1.to_owned()
    };
    assert_eq!(said("<SceneObjectGroup></a>"), "`a` is closed where `SceneObjectGroup` is open");
    assert_eq!(said("</a>"), "`a` is closed, but was not opened");
    assert_eq!(said("<SceneObjectGroup"), "it ends within a tag");
    assert_eq!(said("<SceneObjectGroup><!-- x"), "a comment does not end");
    assert_eq!(said("<SceneObjectGroup><![CDATA[x"), "a `<![CDATA[` does not end");
    assert_eq!(said("<!DOCTYPE x"), "a `<!DOCTYPE` does not end");
    assert_eq!(said("<?xml"), "a `<?` does not end");
    assert_eq!(said("<!x>"), "there is a `<!` that begins nothing");
    let open = said("<SceneObjectGroup><SceneObjectPart><Name>a & b</Name>");
    assert_eq!(open, "a `&` begins no entity; it is `&amp;`");
}
