//! What paths hold, in folders that the tests make.

#[path = "../archive/archive_files.rs"]
mod archive_files;
mod choices;
mod folders;
mod kinds;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use lodger_allowance::Allowance;
use lodger_opensim::archive::{Archive, Limits, Object};
use lodger_opensim::files::{Content, FileError, Problem, Source};
use tempfile::TempDir;

/// How a mesh asset begins, which is enough to be taken for one.
const MESH: &[u8] = b"{\0\0\0\0}";

/// An allowance that is enough for anything.
fn plenty() -> Allowance {
    Allowance::new(lodger_allowance::Limits::default())
}

/// A folder with files in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Adds a file, below folders that may not be there.
    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
        self
    }

    fn open(&self, name: &str) -> Result<Content, FileError> {
        Source::named(&self.path(name)).open(Limits::default(), &plenty())
    }

    /// The objects and meshes of what is one.
    #[track_caller]
    fn archive(&self, name: &str) -> Archive {
        match self.open(name) {
            Ok(Content::Archive { archive, unreadable, .. }) => {
                assert!(unreadable.is_empty(), "{unreadable:?}");
                archive
            }
            other => panic!("no archive: {other:?}"),
        }
    }

    /// What is wrong with something.
    #[track_caller]
    fn problem(&self, name: &str) -> String {
        let error = self.open(name).expect_err("something is wrong");
        assert_eq!(error.name(), self.path(name).display().to_string());
        let (sentence, problem) = (error.to_string(), error.problem().to_string());
        if !matches!(error.problem(), Problem::Archive(_)) {
            assert_eq!(sentence.replace(&format!("`{}`", error.name()), "it"), problem);
        }
        problem
    }
}

fn names(archive: &Archive) -> Vec<&str> {
    archive.objects.iter().map(Object::name).collect()
}

fn gzip(content: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content.as_ref()).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}
