//! Why the vertices of a mesh cannot be put where its joints put them.

use std::error::Error as StdError;
use std::fmt;

use lodger_gltf::DataError;

/// Why the vertices of a mesh cannot be put where its joints put them; the mesh's own box stands in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SkinError {
    /// The skin does not exist.
    NoSuchSkin(usize),
    /// A joint is no node of the scene.
    NotInScene {
        /// The node.
        node: usize,
    },
    /// A primitive lacks its joints or its weights.
    NotBound {
        /// Which primitive of the mesh.
        primitive: usize,
        /// What it lacks: `JOINTS_n` or `WEIGHTS_n`.
        attribute: &'static str,
    },
    /// The attributes of a primitive are not equally many.
    Counts {
        /// Which primitive of the mesh.
        primitive: usize,
    },
    /// A vertex has a joint that the skin does not have.
    NoSuchJoint {
        /// The joint, by its place in the skin.
        joint: u32,
        /// How many joints the skin has.
        joints: usize,
    },
    /// There are fewer inverse bind matrices than joints.
    TooFewMatrices,
    /// Something cannot be read.
    Data {
        /// What cannot: the name of an attribute, or `inverseBindMatrices`.
        what: &'static str,
        /// Why it cannot.
        error: DataError,
    },
    /// The mesh is drawn many times, each in a place of its own.
    Instances,
    /// No vertex has a weight, or where one is put is not finite.
    NoPlace,
}

impl fmt::Display for SkinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSkin(skin) => write!(f, "there is no skin {skin}"),
            Self::NotInScene { node } => {
                write!(f, "node {node}, which is a joint, is not in the scene")
            }
            Self::NotBound { primitive, attribute } => {
                write!(f, "primitive {primitive} has no {attribute}")
            }
            Self::Counts { primitive } => {
                write!(f, "the attributes of primitive {primitive} are not equally many")
            }
            Self::NoSuchJoint { joint, joints } => {
                write!(f, "a vertex has joint {joint}, but the skin has {joints}")
            }
            Self::TooFewMatrices => {
                f.write_str("there are fewer inverse bind matrices than joints")
            }
            Self::Data { what, error } => write!(f, "{what} cannot be read: {error}"),
            Self::Instances => f.write_str("it is drawn many times, each in a place of its own"),
            Self::NoPlace => f.write_str("its joints put it nowhere"),
        }
    }
}

impl StdError for SkinError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Data { error, .. } => Some(error),
            _ => None,
        }
    }
}
