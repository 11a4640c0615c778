//! gzip, and what is cut short.

use std::io::{self, Read};

use lodger_allowance::{Allowance, Limits as Allowed};
use lodger_files::{Content, Kind, Problem, Stream};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, region_object};

use crate::{Folder, MESH, gzip, names, plenty};

fn region() -> ArchiveFile {
    let cube = region_object(&PartXml::cube("cube"), &[]);
    ArchiveFile::new().with("objects/cube.xml", cube).with("settings/x.xml", vec![b' '; 50_000])
}

#[test]
fn gzip_is_read_through_once() {
    let folder = Folder::new()
        .with("mesh.gz", gzip(MESH))
        .with("region.gz", gzip(region().tar()))
        .with("object", gzip(region_object(&PartXml::cube("cube"), &[])))
        .with("twice.gz", gzip(gzip(MESH)))
        .with("empty.gz", gzip(""));
    assert!(matches!(folder.open("mesh.gz"), Ok(Content::Mesh(bytes)) if bytes == MESH));
    assert_eq!(names(&folder.archive("region.gz")), ["cube"]);
    assert_eq!(names(&folder.archive("object")), ["cube"]);
    assert_eq!(folder.problem("twice.gz"), "it is a gzip file inside a gzip file; inflate it once");
    assert_eq!(folder.problem("empty.gz"), "it is empty");
}

#[test]
fn gzip_may_break_off_anywhere() {
    let mesh = gzip([MESH, &[7; 3_000]].concat());
    for end in 2..mesh.len() {
        match Stream::of(&mesh[..end]).and_then(|stream| stream.whole(&plenty())) {
            Err(Problem::Inflate(_)) => {}
            other => panic!("{end}: {other:?}"),
        }
    }
    let region = gzip(region().tar());
    let folder = Folder::new().with("cut.oar", &region[..region.len() - 12]);
    let archive = folder.archive("cut.oar");
    assert_eq!(names(&archive), ["cube"]);
    assert!(
        archive.errors[0].to_string().contains("the archive breaks off"),
        "{:?}",
        archive.errors
    );
}

/// Gives one byte at a time, is interrupted before each, and fails at the end.
struct Trickle<'b>(&'b [u8], bool);

impl Read for Trickle<'_> {
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
fn a_stream_may_come_in_crumbs_and_break() {
    for bytes in [MESH.to_vec(), gzip(MESH)] {
        let whole = Trickle(&bytes, false).chain(&b""[..]).take(bytes.len() as u64);
        let stream = Stream::of(whole).expect("a stream");
        assert_eq!(stream.kind(), Kind::MeshAsset);
        assert_eq!(stream.whole(&plenty()).expect("all of it"), MESH);
    }
    let broken = Stream::of(Trickle(MESH, false)).expect("a beginning");
    assert_eq!(broken.kind(), Kind::MeshAsset);
    let error = broken.whole(&plenty()).expect_err("it breaks");
    assert_eq!(error.to_string(), "it cannot be read: the cable was pulled");
    assert!(matches!(Stream::of(Trickle(b"", false)), Err(Problem::Unreadable(_))));
}

#[test]
fn what_is_endless_is_not_held() {
    let endless = MESH.chain(io::repeat(0));
    let stream = Stream::of(endless).expect("a beginning");
    let mut reader = stream.into_reader();
    let mut some = [1; 10_000];
    reader.read_exact(&mut some).expect("there is enough");
    assert_eq!(&some[..MESH.len()], MESH);
    assert!(matches!(Stream::of(io::repeat(0)), Ok(stream) if stream.kind() == Kind::Unknown));
    for allowed in [
        Allowed { memory: 1 << 20, ..Allowed::default() },
        Allowed { work: 1 << 20, ..Allowed::default() },
    ] {
        let allowance = Allowance::new(allowed);
        let stream = Stream::of(MESH.chain(io::repeat(0))).expect("a beginning");
        assert!(matches!(stream.whole(&allowance), Err(Problem::Spent(_))));
    }
}

/// What the system makes up says that it is empty.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_more_than_it_says() {
    let version = std::path::Path::new("/proc/version");
    let whole = Stream::open(version).and_then(|stream| stream.whole(&plenty()));
    assert_eq!(whole.expect("it is read"), std::fs::read(version).expect("it is read"));
}
