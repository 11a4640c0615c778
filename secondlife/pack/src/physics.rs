//! Physics shapes that cost what you want.

mod coverage;
mod decomposer;
mod decomposition;
mod hull;
mod mesh;
mod options;
mod shape;

pub use coverage::COVERAGE;
pub use decomposer::child::{ChildProcess, DECOMPOSE, serve_decomposition};
pub use hull::block::TOLERANCE;
pub(crate) use hull::facets::facets;

use lodger_core::cost::physics::ShapeType;
use lodger_quota::Quota;

use crate::chain::Candidate;
use crate::error::Error;
use crate::frame::Frame;
use crate::model::{Level, Object};
use crate::note::Note;

/// What kind of physics shape is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PhysicsChoice {
    /// None but the hull that every asset must have: a box.
    None,
    /// A box.
    Box,
    /// The hull around everything, with as many vertices as it pays.
    #[default]
    Hull,
    /// A convex decomposition, and the hull. V-HACD halves parts again and again, and what it is asked for is the most
    /// that it may give: two or three parts alone rarely come of it.
    Parts,
    /// Triangles, and the hull.
    Mesh,
}

/// A physics shape of an object, all in metres, in the space of the model.
#[derive(Clone, Debug, Default)]
pub struct Physics {
    /// The hull around everything, 4 to 256 vertices.
    pub bounding: Vec<[f32; 3]>,
    /// The hulls of a decomposition, 4 to 256 vertices each; empty if there is none.
    pub parts: Vec<Vec<[f32; 3]>>,
    /// Triangles; `None` with a decomposition.
    pub mesh: Option<Level>,
    /// How far the farthest vertex is outside of the hull as it is written, in metres: at most [`TOLERANCE`] of the
    /// diagonal of what all hulls span.
    pub outside: f64,
    /// How far the farthest sample of the surface is from the decomposition, in metres: at most [`COVERAGE`] of the
    /// diagonal of the object's box.
    pub uncovered: f64,
    /// The volume by which the shape that counts differs from the model's, in parts of the volume of its box: what it
    /// has too much or lacks in a grid of 64³ cells, of which those at the surface count neither way, and what
    /// simplifying its hulls added, exactly. Of a mesh the greatest distance to the model times the model's surface.
    pub volume_error: f64,
    /// What it costs as the stated shape type.
    pub cost: f64,
}

/// Takes a mesh apart into convex hulls.
pub trait Decompose: Sync {
    /// At most so many hulls of at most so many vertices that together are the shape.
    ///
    /// # Errors
    /// Why there are none, in words: it ran out of time or memory, or failed.
    fn decompose(
        &self,
        points: &[[f32; 3]],
        triangles: &[[u32; 3]],
        hulls: u32,
        resolution: u32,
    ) -> Result<Vec<Vec<[f32; 3]>>, String>;
}

/// An object that needs a physics shape.
#[derive(Debug)]
pub(crate) struct Shaping<'a> {
    pub(crate) object: &'a Object,
    pub(crate) frame: &'a Frame,
    /// Its simpler forms, best first: what a mesh is chosen among, and what is taken apart.
    pub(crate) candidates: &'a [Candidate],
}

/// By what means shapes are made.
#[derive(Clone, Copy)]
pub(crate) struct Making<'a> {
    pub(crate) decompose: &'a dyn Decompose,
    pub(crate) quota: &'a Quota,
    /// Hears the name of an object each time that a shape of it is tried.
    pub(crate) tried: &'a (dyn Fn(&str) + Sync),
}

/// Physics shapes of all objects of a linkset, which together cost at most `most` as `shape`, with the least volume
/// error. Shapes that this type does not use are held to the same cost where they can be.
///
/// # Errors
/// [`Error::Physics`]; [`Error::QuotaExceeded`]; [`Error::TooDear`] with the least that can be had where that is more.
pub(crate) fn shapes(
    objects: &[Shaping<'_>],
    choice: &PhysicsChoice,
    shape: ShapeType,
    most: f64,
    making: &Making<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Physics>, Error> {
    shape::shapes(objects, choice, (shape, most), making, notes)
}
