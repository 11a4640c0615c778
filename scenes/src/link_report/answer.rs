//! What the rules say about a linkset, in the names of its file. Serialised, it is the JSON of schema 1.

use lodger_core::linkability::Fit;
use serde::{Serialize, Serializer};

/// What a rule says. Lengths are in metres.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum LinkReport<'a> {
    /// The sphere rule.
    Sphere(SphereReport<'a>),
    /// The span rule.
    Span(SpanReport<'a>),
}

/// What the sphere rule says.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SphereReport<'a> {
    /// The version of this shape.
    pub schema: u32,
    /// `sphere`.
    pub rule: &'static str,
    /// Whether the objects can be one.
    pub linkable: bool,
    /// The diameter of the smallest sphere around the centres of all prims.
    pub diameter: f64,
    /// What the diameter must stay below.
    pub max_diameter: f64,
    /// The prims of all objects.
    pub prims: usize,
    /// What the number of prims must stay below.
    pub max_prims: usize,
    /// The names of the objects, the root first.
    #[serde(skip)]
    pub objects: Vec<&'a str>,
    /// The prims that hold the sphere: without them it would be smaller.
    #[serde(skip)]
    pub held_by: Vec<Held<'a>>,
}

/// A prim that holds the sphere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Held<'a> {
    /// The name of its object.
    pub object: &'a str,
    /// Which prim of the object, from 1.
    pub prim: usize,
    /// Where it is.
    pub position: [f64; 3],
}

/// What the span rule says.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SpanReport<'a> {
    /// The version of this shape.
    pub schema: u32,
    /// `span`.
    pub rule: &'static str,
    /// Whether all objects became one.
    pub linkable: bool,
    /// The objects of each piece that is left, the root's piece first.
    #[serde(rename = "groups")]
    pub pieces: Vec<Piece<'a>>,
    /// Every two pieces that are left.
    pub misses: Vec<Miss<'a>>,
    /// What linked, in order.
    #[serde(skip)]
    pub steps: Vec<Step<'a>>,
    /// An order of the file that would link more.
    #[serde(skip)]
    pub better: Option<Better<'a>>,
}

/// A piece that is left. Serialised, it is the names of its objects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Piece<'a> {
    /// The names of its objects.
    pub objects: Vec<&'a str>,
    /// The diameter of the smallest sphere around its prims.
    pub diameter: f64,
}

/// Two pieces that did not link.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Miss<'a> {
    /// The first object of the one.
    pub a: &'a str,
    /// The first object of the other.
    pub b: &'a str,
    /// By how much their span is too long.
    pub by_m: f64,
    /// How they fit.
    #[serde(skip)]
    pub fit: Fit,
}

/// Two pieces that linked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The objects of the one, which keeps its place.
    pub a: Vec<&'a str>,
    /// The objects of the other.
    pub b: Vec<&'a str>,
    /// In which round, from 1.
    pub round: usize,
    /// How they fit.
    pub fit: Fit,
}

/// An order that links more.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Better<'a> {
    /// The objects in that order, the root first.
    pub order: Vec<&'a str>,
    /// How many pieces it leaves.
    pub pieces: usize,
}

impl LinkReport<'_> {
    /// Whether the objects can be one.
    #[must_use]
    pub fn linkable(&self) -> bool {
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
