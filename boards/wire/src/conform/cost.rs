//! Questions about costs. All numbers are the bits of the backend's type, and what is one of few is
//! the number of it, counted round.

use heapless::Vec;
use serde::{Deserialize, Serialize};

/// How many hulls a decomposition is asked for at most.
pub const HULLS: usize = 8;
/// How many parts a linkset is asked for at most.
pub const PARTS: usize = 6;

/// An asset, and by which rules it is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetQuestion {
    /// Of the wiki, of today's viewers, of the live grid.
    pub rules: u8,
    /// In metres.
    pub radius: u32,
    /// Of each LOD, from the lowest; of a prim, triangles.
    pub bytes: [i32; 4],
}

/// The streaming cost of an asset, as whatever it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamingQuestion {
    /// The asset.
    pub asset: AssetQuestion,
    /// Plain, sculpted or mesh.
    pub kind: u8,
    /// Whether it is the root of an animated set.
    pub root: bool,
    /// Of the document's equation.
    pub cost_scalar: u32,
}

/// The physics cost of a mesh of two triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhysicsQuestion {
    /// The corners of two triangles.
    pub corners: [[u32; 3]; 6],
    /// In metres.
    pub scale: [u32; 3],
}

/// The physics cost of a prim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyQuestion {
    /// A box, cylinder, sphere, another prim or a sculpt, by its kind alone; a prim with these shapes,
    /// or a mesh asset with them.
    pub solid: u8,
    /// Whether the kind of prim is cut or hollow.
    pub altered: bool,
    /// Vertices of the hull.
    pub hull: u16,
    /// Vertices of each hull of the decomposition; none if there is no hull.
    pub hulls: Vec<u16, HULLS>,
    /// The triangles, if there are.
    pub mesh: Option<PhysicsQuestion>,
    /// The grid's own numbers for the hull and the decomposition, if it has them.
    pub cost_data: Option<[Option<u32>; 2]>,
    /// As it is, as a hull, or not at all.
    pub shape: u8,
    /// Physical, or at rest for so many frames.
    pub at_rest: Option<u8>,
}

/// What an object costs the simulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatorQuestion {
    /// Simulation factor, active cost high and low, linkset factor.
    pub parameters: [u32; 4],
    /// How many prims there are.
    pub objects: u32,
    /// Whether it is active.
    pub active: bool,
    /// How many scripts there are.
    pub scripts: u32,
    /// Whether one of them is free.
    pub free_script: bool,
    /// The streaming cost.
    pub streaming: u32,
}

/// A linkset as its land impact is made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinksetQuestion {
    /// Its prims.
    pub parts: Vec<PartQuestion, PARTS>,
    /// Of the whole, in metres.
    pub size: [u32; 3],
    /// Whether it is physical.
    pub physical: bool,
    /// How many scripts there are.
    pub scripts: u32,
    /// Whether one of them is free.
    pub free_script: bool,
}

/// A prim of a linkset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartQuestion {
    /// Plain, sculpted or mesh.
    pub kind: u8,
    /// As it is, as a hull, or not at all.
    pub shape: u8,
    /// Its streaming cost.
    pub streaming: u32,
    /// Its physics cost.
    pub physics: u32,
}
