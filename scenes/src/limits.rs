//! How much of a stranger's file is taken.

/// How much of a file is taken before its reader gives up.
///
/// How deeply a file may be nested is up to the parsers, and not more than the stack bears: 80 tables or
/// arrays of TOML, 128 of JSON.
///
/// # Examples
/// ```
/// use lodger_scenes::{ErrorKind, Limits, SceneFile, Settings};
///
/// let limits = Limits { bytes: 10, ..Limits::default() };
/// let error = SceneFile::from_toml("budget_ms = 16.6", &Settings::default(), limits).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::TooLong { bytes: 10 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of a file, 1 GiB by default: more is taken for something that is no scene, such as an
    /// endless device. The other files of a glTF scene have as many bytes, together.
    pub bytes: usize,
    /// The warnings that are kept, 5 by default: more of them say nothing new and are only counted.
    pub warnings: usize,
    /// The vertices, instances and joints of a glTF file that are read from its buffers, 2²⁸ by default:
    /// a small file may refer to the same bytes any number of times.
    pub elements: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 30, warnings: 5, elements: 1 << 28 }
    }
}
