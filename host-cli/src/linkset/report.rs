//! What the rules say, in the names of the file, and its JSON.

use lodger_core::linkability::Fit;
use serde::{Serialize, Serializer};

/// What a rule says. Lengths are in metres.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// The sphere rule.
    Sphere(SphereReport),
    /// The span rule.
    Span(SpanReport),
}

/// What the sphere rule says.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SphereReport {
    /// `sphere`.
    pub(crate) rule: &'static str,
    /// Whether the objects can be one.
    pub(crate) linkable: bool,
    /// The diameter of the smallest sphere around the centres of all prims.
    pub(crate) diameter: f64,
    /// What the diameter must stay below.
    pub(crate) max_diameter: f64,
    /// The prims of all objects.
    pub(crate) prims: usize,
    /// What the number of prims must stay below.
    pub(crate) max_prims: usize,
    /// The names of the objects, the root first.
    #[serde(skip)]
    pub(crate) objects: Vec<String>,
    /// The prims that hold the sphere: without them it would be smaller.
    #[serde(skip)]
    pub(crate) held_by: Vec<Held>,
}

/// A prim that holds the sphere.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// The name of its object.
    pub(crate) object: String,
    /// Which prim of the object, from 1.
    pub(crate) prim: usize,
    /// Where it is.
    pub(crate) position: [f64; 3],
}

/// What the span rule says.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SpanReport {
    /// `span`.
    pub(crate) rule: &'static str,
    /// Whether all objects became one.
    pub(crate) linkable: bool,
    /// The objects of each piece that is left, the root's piece first.
    #[serde(rename = "groups")]
    pub(crate) pieces: Vec<Piece>,
    /// Every two pieces that are left.
    pub(crate) misses: Vec<Miss>,
    /// What linked, in order.
    #[serde(skip)]
    pub(crate) steps: Vec<Step>,
    /// An order of the file that would link more.
    #[serde(skip)]
    pub(crate) better: Option<Better>,
}

/// A piece that is left. Serialised, it is the names of its objects.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The names of its objects.
    pub(crate) objects: Vec<String>,
    /// The diameter of the smallest sphere around its prims.
    pub(crate) diameter: f64,
}

/// Two pieces that did not link.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Miss {
    /// The first object of the one.
    pub(crate) a: String,
    /// The first object of the other.
    pub(crate) b: String,
    /// By how much their span is too long.
    pub(crate) by_m: f64,
    /// How they fit.
    #[serde(skip)]
    pub(crate) fit: Fit,
}

/// Two pieces that linked.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The objects of the one, which keeps its place.
    pub(crate) a: Vec<String>,
    /// The objects of the other.
    pub(crate) b: Vec<String>,
    /// In which round, from 1.
    pub(crate) round: usize,
    /// How they fit.
    pub(crate) fit: Fit,
}

/// An order that links more.
#[derive(Clone, Debug)]
pub(crate) struct Better {
    /// The objects in that order, the root first.
    pub(crate) order: Vec<String>,
    /// How many pieces it leaves.
    pub(crate) pieces: usize,
}

impl Answer {
    /// Whether the objects can be one.
    pub(crate) fn linkable(&self) -> bool {
        match self {
            Self::Sphere(report) => report.linkable,
            Self::Span(report) => report.linkable,
        }
    }
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.objects.serialize(serializer)
    }
}
