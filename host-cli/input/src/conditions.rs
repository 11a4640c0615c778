//! Under which conditions a mesh is priced, as a command line says it.

use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lodger_core::cost::physics::{Hulls, ShapeType};
use lodger_core::cost::streaming::Rules;
use lodger_core::cost::{ObjectScale, REACH};

use crate::number::Unfit;

/// One of the named sets of rules.
#[must_use]
pub fn rules() -> impl TypedValueParser<Value = Rules> {
    let named = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    let names = [
        named(
            Rules::WIKI.name,
            "The document's listing, with the viewer's defaults where it has none",
        ),
        named(Rules::VIEWER.name, "Today's viewers"),
        named(Rules::GRID.name, "The live grid as announced: today's viewers × 0.85; unverified"),
    ];
    PossibleValuesParser::new(names).try_map(|name| {
        Rules::NAMED.into_iter().find(|rules| rules.name == name).ok_or(Unfit::NoRules)
    })
}

/// A physics shape type.
#[must_use]
pub fn shape() -> impl TypedValueParser<Value = ShapeType> {
    let named = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    let names = [
        named("prim", "What the asset brings: its decomposition, else its physics mesh"),
        named("convex-hull", "One hull around everything; what a mesh starts with"),
        named("none", "Nothing to collide with"),
    ];
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// The three sides of an object in metres.
///
/// # Errors
/// [`Unfit::NoScale`] and [`Unfit::Scale`].
pub fn scale(text: &str) -> Result<ObjectScale<f64>, Unfit> {
    let side = |part: &str| part.trim().parse().ok();
    let sides = text.split(',').map(side).collect::<Option<Vec<_>>>().ok_or(Unfit::NoScale)?;
    ObjectScale::new(sides.try_into().map_err(|_| Unfit::NoScale)?).map_err(Unfit::Scale)
}

/// The hulls of a decomposition, by their vertices.
///
/// # Errors
/// [`Unfit::NoHulls`].
pub fn hulls(text: &str) -> Result<Hulls, Unfit> {
    let vertices = text.split(',').map(|part| part.trim().parse().ok());
    let vertices = vertices.collect::<Option<Vec<u16>>>().ok_or(Unfit::NoHulls)?;
    Hulls::new(vertices).map_err(|_| Unfit::NoHulls)
}

/// The widths of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Widths(Arc<[f64]>);

impl Widths {
    /// Each in metres.
    pub fn metres(&self) -> impl Iterator<Item = f64> {
        self.0.iter().copied()
    }
}

/// The widths of triangles in metres.
///
/// # Errors
/// [`Unfit::NoWidths`].
pub fn widths(text: &str) -> Result<Widths, Unfit> {
    let width = |part: &str| part.trim().parse().ok();
    let within_reach = |width: &f64| (0.0..=f64::from(REACH)).contains(width);
    let widths = text.split(',').map(|part| width(part).filter(within_reach));
    widths.collect::<Option<_>>().map(Widths).ok_or(Unfit::NoWidths)
}
