//! A sweep as a picture.
//!
//! Both axes are logarithmic: what halves a size moves as far at 1 m as at 50 m, and the bends of
//! the curve show. The land impact is the staircase above the greatest of the weights.

mod axis;
mod canvas;
mod grid;
mod labels;
mod map;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use plotters::prelude::*;

use super::super::report::{Point, Sweep};
use super::sweep::{variable, without_flip};
use canvas::{Area, Drawn, FAINT, INK, INSIDE, PHYSICS, SERVER, STREAMING, text_width, write};
use lodger_terminal::{Diagnostic, plain, tail};
use map::Map;

/// Pixels. Coordinates of the backend are whole, so the picture is drawn at twice its size.
const SIZE: (u32, u32) = (2400, 1500);
/// Characters of a name that the title has room for.
const LONGEST_NAME: usize = 44;

/// The picture as SVG.
pub(crate) fn plot(sweep: &Sweep) -> Result<String, Diagnostic> {
    let mut svg = String::new();
    draw(sweep, &mut svg)
        .map_err(|error| Diagnostic::error(format!("cannot draw the plot: {error}")))?;
    let (width, height) = SIZE;
    let drawn = format!("width=\"{width}\" height=\"{height}\"");
    Ok(svg.replacen(&drawn, &format!("width=\"{}\" height=\"{}\"", width / 2, height / 2), 1))
}

fn draw(sweep: &Sweep, svg: &mut String) -> Drawn {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let map = Map::new(&sweep.points);
    titles(&area, sweep)?;
    grid::draw(&area, &map, &variable(sweep))?;
    let steps = steps(&sweep.points, &map);
    fill(&area, &steps)?;
    labels::marks(&area, &sweep.points, &map)?;
    area.draw(&PathElement::new(steps, INK.stroke_width(5)))?;
    for (value, colour, width) in series() {
        for run in runs(&sweep.points, &map, value) {
            area.draw(&PathElement::new(run, colour.stroke_width(width)))?;
        }
    }
    labels::impacts(&area, &sweep.points, &map)?;
    area.present()?;
    Ok(())
}

/// A weight of a point.
type Weight = fn(&Point) -> f64;

/// The weights, with how their curves look.
fn series() -> [(Weight, RGBColor, u32); 3] {
    [
        (|point| point.server, SERVER, 4),
        (|point| point.physics, PHYSICS, 5),
        (|point| point.streaming, STREAMING, 6),
    ]
}

fn titles(area: &Area<'_>, sweep: &Sweep) -> Drawn {
    let file = tail(&file_name(&sweep.file), LONGEST_NAME);
    write(area, (INSIDE.left, 70), &format!("What {file} costs at every size"), 56, INK, true)?;
    let rules = if sweep.rules == "grid" { "grid (unverified)" } else { sweep.rules };
    let mut words = format!("{rules} rules, shape type {}", sweep.shape);
    if sweep.physical {
        words += ", physical";
    }
    if let Some(why) = without_flip(sweep) {
        let _ = write!(words, "; {why}");
    }
    write(area, (INSIDE.left, 128), &words, 34, FAINT, false)?;
    let mut x = INSIDE.left;
    let physics = match sweep.points.first() {
        Some(point) if without_flip(sweep).is_some() => {
            format!("physics: {}", point.representation)
        }
        _ => "physics".to_owned(),
    };
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
fn runs(points: &[Point], map: &Map, value: Weight) -> Vec<Vec<(i32, i32)>> {
    let inside = |point: &&Point| value(point) >= map.y.least();
    let pieces = points.chunk_by(|a, b| inside(&a) == inside(&b));
    let drawn = pieces.filter(|piece| piece.first().is_some_and(|first| inside(&first)));
    drawn.map(|piece| piece.iter().map(|p| map.at(p.size, value(p))).collect()).collect()
}

/// The staircase of the land impact.
fn steps(points: &[Point], map: &Map) -> Vec<(i32, i32)> {
    let mut steps: Vec<(i32, i32)> = Vec::with_capacity(2 * points.len());
    for point in points {
        let here = map.at(point.size, f64::from(point.land_impact));
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

/// The last part of a path, which is harmless to show.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().map(OsStr::to_string_lossy);
    plain(name.as_deref().unwrap_or(path)).into_owned()
}
