//! What a mesh costs at every size, as a picture; a [`comparison`] of ways to spend a frame; [`growth`],
//! what something takes at every size; and [`bars`], how much there is of each of several things.
//!
//! Of the former both axes are logarithmic: what halves a size moves as far at 1 m as at 50 m, and the bends of
//! the curve show. The land impact is the staircase above the greatest of the weights.
//!
//! # Examples
//! ```
//! use lodger_core::cost::streaming::{Lods, Rules};
//! use lodger_plot::Picture;
//! use lodger_opensim::pricing::{Mesh, MeshUse, Pricing, SizeRange};
//!
//! let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
//! let range = SizeRange::new(0.1, 64.0)?;
//! let points = Pricing::new(Rules::VIEWER)?.sweep(&mesh, &MeshUse::default(), range)?;
//! let picture = Picture {
//!     heading: "What a table costs at every size",
//!     conditions: "viewer rules",
//!     size: "a cube of this side",
//!     physics: None,
//!     points: &points,
//!     chosen: Some(1.0),
//! };
//! assert!(lodger_plot::svg(&picture)?.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod axis;
mod bars;
mod canvas;
mod chosen;
mod comparison;
mod error;
mod grid;
mod growth;
mod labels;
mod map;

use lodger_core::cost::physics::Representation;
use lodger_opensim::pricing::SweepPoint;
use plotters::prelude::*;

use canvas::{Area, Drawn, FAINT, INK, INSIDE, PHYSICS, SERVER, STREAMING, text_width, write};
use map::Map;

pub use bars::{Bar, Bars, bars};
pub use comparison::{Comparison, Entry, FIGURES, comparison};
pub use error::PlotError;
pub use growth::{Curve, Growth, growth};

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// What stands above it; some 60 characters have room.
    pub heading: &'a str,
    /// What it was priced under, below the heading.
    pub conditions: &'a str,
    /// What the size is the size of, below the axis.
    pub size: &'a str,
    /// What physics works with, if that is the same at every size.
    pub physics: Option<Representation>,
    /// The costs, by size. Points that no axis can hold are drawn at its ends.
    pub points: &'a [SweepPoint],
    /// The size in metres that was chosen, to be marked with what it costs there.
    pub chosen: Option<f64>,
}

/// Pixels. Coordinates of the backend are whole, so the picture is drawn at twice its size.
const SIZE: (u32, u32) = (2400, 1500);

/// A picture as SVG.
///
/// # Errors
/// The picture could not be drawn, which no points are known to bring about.
pub fn svg(picture: &Picture<'_>) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(picture, &mut svg)?;
    let (width, height) = SIZE;
    let drawn = format!("width=\"{width}\" height=\"{height}\"");
    Ok(svg.replacen(&drawn, &format!("width=\"{}\" height=\"{}\"", width / 2, height / 2), 1))
}

fn draw(picture: &Picture<'_>, svg: &mut String) -> Drawn {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let map = Map::new(picture.points);
    titles(&area, picture)?;
    grid::draw(&area, &map, picture.size)?;
    let steps = steps(picture.points, &map);
    fill(&area, &steps)?;
    labels::marks(&area, picture.points, &map)?;
    area.draw(&PathElement::new(steps, INK.stroke_width(5)))?;
    for (value, colour, width) in series() {
        for run in runs(picture.points, &map, value) {
            area.draw(&PathElement::new(run, colour.stroke_width(width)))?;
        }
    }
    labels::impacts(&area, picture.points, &map)?;
    if let Some(size) = picture.chosen {
        chosen::draw(&area, picture.points, &map, size)?;
    }
    area.present()?;
    Ok(())
}

/// A weight of a point.
type Weight = fn(&SweepPoint) -> f64;

/// The weights, with how their curves look.
fn series() -> [(Weight, RGBColor, u32); 3] {
    [
        (|point| point.price.assessment.server, SERVER, 4),
        (|point| point.price.assessment.physics, PHYSICS, 5),
        (|point| point.price.assessment.streaming, STREAMING, 6),
    ]
}

fn titles(area: &Area<'_>, picture: &Picture<'_>) -> Drawn {
    write(area, (INSIDE.left, 70), picture.heading, 56, INK, true)?;
    write(area, (INSIDE.left, 128), picture.conditions, 34, FAINT, false)?;
    let mut x = INSIDE.left;
    let physics = picture.physics.map_or("physics".to_owned(), |used| format!("physics: {used}"));
    for (label, colour, width) in [
        ("land impact", INK, 6),
        ("streaming", STREAMING, 6),
        (physics.as_str(), PHYSICS, 6),
        ("server", SERVER, 6),
    ] {
        area.draw(&PathElement::new([(x, 186), (x + 70, 186)], colour.stroke_width(width)))?;
        write(area, (x + 86, 186), label, 36, INK, false)?;
        x += 86 + text_width(label, 36) + 60;
    }
    Ok(())
}

/// The curve of a weight, in as many pieces as it is above the bottom of the picture.
fn runs(points: &[SweepPoint], map: &Map, value: Weight) -> Vec<Vec<(i32, i32)>> {
    let inside = |point: &&SweepPoint| value(point) >= map.y.least();
    let pieces = points.chunk_by(|a, b| inside(&a) == inside(&b));
    let drawn = pieces.filter(|piece| piece.first().is_some_and(|first| inside(&first)));
    drawn.map(|piece| piece.iter().map(|p| map.at(p.size, value(p))).collect()).collect()
}

/// The staircase of the land impact.
fn steps(points: &[SweepPoint], map: &Map) -> Vec<(i32, i32)> {
    let mut steps: Vec<(i32, i32)> = Vec::with_capacity(2 * points.len());
    for point in points {
        let here = map.at(point.size, f64::from(point.land_impact()));
        if let Some(&(_, before)) = steps.last()
            && before != here.1
        {
            steps.push((here.0, before));
        }
        steps.push(here);
    }
    steps
}

fn fill(area: &Area<'_>, steps: &[(i32, i32)]) -> Drawn {
    let mut outline = steps.to_vec();
    outline.extend([(INSIDE.right, INSIDE.bottom), (INSIDE.left, INSIDE.bottom)]);
    area.draw(&Polygon::new(outline, INK.mix(0.05)))?;
    Ok(())
}

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
