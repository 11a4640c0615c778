//! Where the levels of an actor come from.

use std::fmt;

/// The shares of a mesh's triangles, in thousandths, that are assumed for LOD 0 to 4 where a glTF file
/// has no levels; at 0 the mesh is not drawn.
///
/// # Examples
/// ```
/// assert_eq!(lodger_scenes::ASSUMED_SHARES, [0, 15, 60, 250, 1000]);
/// ```
pub const ASSUMED_SHARES: [u16; 5] = [0, 15, 60, 250, 1000];

/// Where the levels of an actor come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LadderSource {
    /// The file says them.
    File,
    /// They are [`ASSUMED_SHARES`] of the triangles, as the file has only the highest.
    Assumed,
}

/// `file` or `assumed`.
impl fmt::Display for LadderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::File => "file",
            Self::Assumed => "assumed",
        })
    }
}
