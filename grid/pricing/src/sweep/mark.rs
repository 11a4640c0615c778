//! What changes at a size.

use std::fmt;

use lodger_core::cost::physics::SMALLEST_MESH_SIDE;
use lodger_core::cost::streaming::MeshLod;

/// What changes at a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The curve of streaming cost bends.
    Bend(Bend),
    /// From here on the physics mesh counts, below it the hull.
    Flip,
    /// From here on the land impact is another.
    Step {
        /// Below this size.
        from: u32,
        /// From it on.
        to: u32,
    },
}

/// Why the curve of streaming cost bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// The ring in which this LOD is shown begins to grow from its least area.
    Grows(MeshLod),
    /// The ring in which this LOD is shown is down to its least area. At all but the same size the LODs
    /// above it [fill the region](Self::Fills).
    Shut(MeshLod),
    /// This LOD and higher ones fill the region.
    Fills(MeshLod),
}

impl Bend {
    /// The bend in a few words, for a picture; `None` at all but the same size as another one.
    #[must_use]
    pub fn label(self) -> Option<String> {
        Some(match self {
            Self::Grows(lod) => format!("{lod} LOD grows"),
            Self::Fills(MeshLod::High) => "high LOD only".to_owned(),
            Self::Fills(MeshLod::Medium) => "no low LOD".to_owned(),
            Self::Fills(_) => "no lowest LOD".to_owned(),
            Self::Shut(_) => return None,
        })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bend(bend) => bend.fmt(f),
            Self::Flip => write!(
                f,
                "physics flips: a hull below {SMALLEST_MESH_SIDE} m of the shortest side, a mesh from \
                 there"
            ),
            Self::Step { from, to } => write!(f, "land impact {from} to {to}"),
        }
    }
}

impl fmt::Display for Bend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grows(MeshLod::High) => {
                f.write_str("the circle of the high LOD grows from its least area")
            }
            Self::Grows(lod) => write!(f, "the ring of the {lod} LOD grows from its least area"),
            Self::Shut(lod) => write!(f, "the ring of the {lod} LOD is down to its least area"),
            Self::Fills(MeshLod::High) => f.write_str("the high LOD fills the region"),
            Self::Fills(MeshLod::Medium) => {
                f.write_str("the medium and the high LOD fill the region")
            }
            Self::Fills(lod) => write!(f, "the {lod} LOD and higher ones fill the region"),
        }
    }
}
