//! Questions about costs. All numbers are the bits of the backend's type, and what is one of few is
//! the number of it, modulo how many there are.

use heapless::Vec;
use serde::{Deserialize, Serialize};

/// How many hulls a decomposition is asked for at most.
pub const HULLS: usize = 8;
/// How many parts a linkset is asked for at most.
pub const PARTS: usize = 6;

/// An asset, and by which rules it is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetQuestion {
    /// Whose rules: 0 for the wiki's, 1 for those of today's viewers, 2 for the live grid's.
    pub rules: u8,
    /// The radius of the bounding sphere, in metres.
    pub radius: u32,
    /// The bytes of each LOD, from the lowest; of a prim, its triangles.
    pub bytes: [i32; 4],
}

/// The streaming cost of an asset, as whatever it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamingQuestion {
    /// The asset.
    pub asset: AssetQuestion,
    /// The kind of the prim: plain, sculpted or mesh.
    pub kind: u8,
    /// Whether it is the root of an animated set.
    pub root: bool,
    /// The cost scalar of the document's equation.
    pub cost_scalar: u32,
}

/// The physics cost of a mesh of two triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhysicsQuestion {
    /// The corners of two triangles.
    pub corners: [[u32; 3]; 6],
    /// The scale of the mesh along its axes, in metres.
    pub scale: [u32; 3],
}

/// The physics cost of a prim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyQuestion {
    /// What it is: 0 to 8 for the solid of that place in core's list of them, priced by its kind
    /// alone; any other number for a prim or a mesh asset with these shapes.
    pub solid: u8,
    /// Whether the kind of prim is cut or hollow, or it is a prim that has these shapes.
    pub altered: bool,
    /// The vertices of the hull.
    pub hull: u16,
    /// The vertices of each hull of the decomposition, which is missing if there are none.
    pub hulls: Vec<u16, HULLS>,
    /// The physics mesh, if there is one.
    pub mesh: Option<PhysicsQuestion>,
    /// The grid's own numbers for the hull and the decomposition, if it has them.
    pub cost_data: Option<[Option<u32>; 2]>,
    /// The physics shape type: 0 for prim, 1 for convex hull, 2 for none.
    pub shape: u8,
    /// For how many frames it has been at rest; `None` if it is physical.
    pub at_rest: Option<u8>,
}

/// What an object costs the simulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatorQuestion {
    /// The tuning constants: simulation factor, active cost high, active cost low, linkset factor.
    pub parameters: [u32; 4],
    /// How many prims there are.
    pub objects: u32,
    /// Whether the object is active.
    pub active: bool,
    /// How many scripts there are.
    pub scripts: u32,
    /// Whether one of the scripts is free.
    pub free_script: bool,
    /// The streaming cost of the object.
    pub streaming: u32,
}

/// A linkset as its land impact is made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinksetQuestion {
    /// The prims of the linkset.
    pub parts: Vec<PartQuestion, PARTS>,
    /// The size of the whole linkset along its axes, in metres.
    pub size: [u32; 3],
    /// Whether the linkset is physical.
    pub physical: bool,
    /// How many scripts there are.
    pub scripts: u32,
    /// Whether one of the scripts is free.
    pub free_script: bool,
}

/// A prim of a linkset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartQuestion {
    /// The kind of the prim: plain, sculpted or mesh.
    pub kind: u8,
    /// The physics shape type: 0 for prim, 1 for convex hull, 2 for none.
    pub shape: u8,
    /// The streaming cost of the prim.
    pub streaming: u32,
    /// The physics cost of the prim.
    pub physics: u32,
}
