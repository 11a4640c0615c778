//! What changes at a size.

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
