//! What the rules say, in the names of the file, and its JSON.

use lodger_core::linkability::Fit;
use serde::{Serialize, Serializer};

/// What a rule says. Lengths are in metres.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer<'a> {
    /// The sphere rule.
    Sphere(SphereReport<'a>),
    /// The span rule.
    Span(SpanReport<'a>),
}

/// What the sphere rule says.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SphereReport<'a> {
    /// The version of this shape.
    pub(super) schema: u32,
    /// `sphere`.
    pub(super) rule: &'static str,
    /// Whether the objects can be one.
    pub(super) linkable: bool,
    /// The diameter of the smallest sphere around the centres of all prims.
    pub(super) diameter: f64,
    /// What the diameter must stay below.
    pub(super) max_diameter: f64,
    /// The prims of all objects.
    pub(super) prims: usize,
    /// What the number of prims must stay below.
    pub(super) max_prims: usize,
    /// The names of the objects, the root first.
    #[serde(skip)]
    pub(super) objects: Vec<&'a str>,
    /// The prims that hold the sphere: without them it would be smaller.
    #[serde(skip)]
    pub(super) held_by: Vec<Held<'a>>,
}

/// A prim that holds the sphere.
#[derive(Clone, Debug)]
pub(super) struct Held<'a> {
    /// The name of its object.
    pub(super) object: &'a str,
    /// Which prim of the object, from 1.
    pub(super) prim: usize,
    /// Where it is.
    pub(super) position: [f64; 3],
}

/// What the span rule says.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SpanReport<'a> {
    /// The version of this shape.
    pub(super) schema: u32,
    /// `span`.
    pub(super) rule: &'static str,
    /// Whether all objects became one.
    pub(super) linkable: bool,
    /// The objects of each piece that is left, the root's piece first.
    #[serde(rename = "groups")]
    pub(super) pieces: Vec<Piece<'a>>,
    /// Every two pieces that are left.
    pub(super) misses: Vec<Miss<'a>>,
    /// What linked, in order.
    #[serde(skip)]
    pub(super) steps: Vec<Step<'a>>,
    /// An order of the file that would link more.
    #[serde(skip)]
    pub(super) better: Option<Better<'a>>,
}

/// A piece that is left. Serialised, it is the names of its objects.
#[derive(Clone, Debug)]
pub(super) struct Piece<'a> {
    /// The names of its objects.
    pub(super) objects: Vec<&'a str>,
    /// The diameter of the smallest sphere around its prims.
    pub(super) diameter: f64,
}

/// Two pieces that did not link.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Miss<'a> {
    /// The first object of the one.
    pub(super) a: &'a str,
    /// The first object of the other.
    pub(super) b: &'a str,
    /// By how much their span is too long.
    pub(super) by_m: f64,
    /// How they fit.
    #[serde(skip)]
    pub(super) fit: Fit,
}

/// Two pieces that linked.
#[derive(Clone, Debug)]
pub(super) struct Step<'a> {
    /// The objects of the one, which keeps its place.
    pub(super) a: Vec<&'a str>,
    /// The objects of the other.
    pub(super) b: Vec<&'a str>,
    /// In which round, from 1.
    pub(super) round: usize,
    /// How they fit.
    pub(super) fit: Fit,
}

/// An order that links more.
#[derive(Clone, Debug)]
pub(super) struct Better<'a> {
    /// The objects in that order, the root first.
    pub(super) order: Vec<&'a str>,
    /// How many pieces it leaves.
    pub(super) pieces: usize,
}

impl Answer<'_> {
    /// Whether the objects can be one.
    pub(super) fn linkable(&self) -> bool {
        match self {
            Self::Sphere(report) => report.linkable,
            Self::Span(report) => report.linkable,
        }
    }
}

impl Serialize for Piece<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.objects.serialize(serializer)
    }
}
