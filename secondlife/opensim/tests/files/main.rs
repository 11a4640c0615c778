//! Files and archives in temporary folders.

mod folders;
mod kinds;
mod selections;

use std::fs;
use std::path::PathBuf;

use lodger_opensim::archive::{Archive, ArchiveLimits, Object};
use lodger_opensim::files::{FileError, FileErrorKind, InputSource, SourceContent};
use lodger_quota::Quota;
use tempfile::TempDir;

const MESH: &[u8] = b"{\0\0\0\0}";

fn plenty() -> Quota {
    Quota::new(lodger_quota::QuotaLimits::default())
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
        self
    }

    fn open(&self, name: &str) -> Result<SourceContent, FileError> {
        InputSource::from_path(&self.path(name)).open(ArchiveLimits::default(), &plenty())
    }

    #[track_caller]
    fn archive(&self, name: &str) -> Archive {
        match self.open(name) {
            Ok(SourceContent::Archive { archive, unreadable, .. }) => {
                assert!(unreadable.is_empty(), "{unreadable:?}");
                archive
            }
            other => panic!("no archive: {other:?}"),
        }
    }

    #[track_caller]
    fn error_message(&self, name: &str) -> String {
        let error = self.open(name).expect_err("something is wrong");
        assert_eq!(error.name(), self.path(name).display().to_string());
        let (sentence, message) = (error.to_string(), error.kind().to_string());
        if !matches!(error.kind(), FileErrorKind::Archive(_)) {
            assert_eq!(sentence.replace(&format!("`{}`", error.name()), "it"), message);
        }
        message
    }
}

fn names(archive: &Archive) -> Vec<&str> {
    archive.objects.iter().map(Object::name).collect()
}
