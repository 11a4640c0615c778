//! A sweep as a picture.
//!
//! Both axes are logarithmic: what halves a size moves as far at 1 m as at 50 m, and the bends of
//! the curve show. The land impact is the staircase above the greatest of the weights.

mod axis;
mod labels;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use lodger_core::cost::physics::ShapeType;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::sweep::{Mark, Point};
use super::sweep_show::Shown;
use super::words;
use lodger_terminal::Diagnostic;
use lodger_terminal::plain;

/// Pixels. Coordinates of the backend are whole, so the picture is drawn at twice its size.
const SIZE: (u32, u32) = (2400, 1500);
/// Pixels within which the curves are.
const INSIDE: Inside = Inside { left: 150, top: 370, right: 2340, bottom: 1330 };

/// Characters of a name that the title has room for.
const LONGEST_NAME: usize = 44;

const INK: RGBColor = RGBColor(0x1f, 0x29, 0x37);
const FAINT: RGBColor = RGBColor(0x6b, 0x72, 0x80);
const GRID: RGBColor = RGBColor(0xe5, 0xe7, 0xeb);
const STREAMING: RGBColor = RGBColor(0x25, 0x63, 0xeb);
const PHYSICS: RGBColor = RGBColor(0xd9, 0x77, 0x06);
const SERVER: RGBColor = RGBColor(0x05, 0x96, 0x69);
const FLIP: RGBColor = RGBColor(0xdc, 0x26, 0x26);

/// A rectangle in pixels.
#[derive(Clone, Copy)]
struct Inside {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

type Area<'b> = DrawingArea<SVGBackend<'b>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Where sizes and weights are in the picture.
struct Map {
    x: axis::Axis,
    y: axis::Axis,
}

impl Map {
    fn new(points: &[Point]) -> Self {
        let sizes = points.iter().map(|point| point.size);
        let weights = points.iter().flat_map(|point| {
            [point.streaming, point.physics, point.server, f64::from(point.land_impact)]
        });
        let (least, most) = ends(weights.filter(|weight| *weight > 0.0));
        let (first, last) = ends(sizes);
        Self {
            x: axis::Axis::new((first, last), (INSIDE.left, INSIDE.right)),
            y: axis::Axis::new(
                (least.clamp(0.01, 0.5) / 1.25, most.max(2.0) * 1.4),
                (INSIDE.bottom, INSIDE.top),
            ),
        }
    }

    fn at(&self, size: f64, weight: f64) -> (i32, i32) {
        (self.x.pixel(size), self.y.pixel(weight))
    }
}

/// The picture as SVG.
pub(super) fn svg(shown: &Shown<'_>) -> Result<String, Diagnostic> {
    let mut svg = String::new();
    draw(shown, &mut svg)
        .map_err(|error| Diagnostic::error(format!("cannot draw the plot: {error}")))?;
    let (width, height) = SIZE;
    let drawn = format!("width=\"{width}\" height=\"{height}\"");
    Ok(svg.replacen(&drawn, &format!("width=\"{}\" height=\"{}\"", width / 2, height / 2), 1))
}

fn draw(shown: &Shown<'_>, svg: &mut String) -> Drawn {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let map = Map::new(shown.points);
    titles(&area, shown)?;
    axis::grid(&area, &map, &shown.variable())?;
    let steps = steps(shown.points, &map);
    fill(&area, &steps)?;
    labels::marks(&area, shown.points, &map)?;
    area.draw(&PathElement::new(steps, INK.stroke_width(5)))?;
    for (value, colour, width) in series() {
        for run in runs(shown.points, &map, value) {
            area.draw(&PathElement::new(run, colour.stroke_width(width)))?;
        }
    }
    labels::impacts(&area, shown.points, &map)?;
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

fn titles(area: &Area<'_>, shown: &Shown<'_>) -> Drawn {
    let file = words::tail(&file_name(shown.name), LONGEST_NAME);
    write(area, (INSIDE.left, 70), &format!("What {file} costs at every size"), 56, INK, true)?;
    let conditions = shown.conditions;
    let rules = conditions.rules();
    let rules = if rules == "grid" { "grid (unverified)" } else { rules };
    let shape = match conditions.shape {
        ShapeType::Prim => "prim",
        ShapeType::ConvexHull => "convex-hull",
        ShapeType::None => "none",
    };
    let mut words = format!("{rules} rules, shape type {shape}");
    if conditions.physical {
        words += ", physical";
    }
    if let Some(why) = shown.without_flip() {
        let _ = write!(words, "; {why}");
    }
    write(area, (INSIDE.left, 128), &words, 34, FAINT, false)?;
    let mut x = INSIDE.left;
    let physics = match shown.points.first() {
        Some(point) if shown.without_flip().is_some() => {
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

/// Writes a text that begins at a point, its middle at the point's height.
fn write(
    area: &Area<'_>,
    at: (i32, i32),
    text: &str,
    size: i32,
    colour: RGBColor,
    bold: bool,
) -> Drawn {
    anchored(area, at, text, (size, colour, bold), HPos::Left)
}

fn anchored(
    area: &Area<'_>,
    at: (i32, i32),
    text: &str,
    (size, colour, bold): (i32, RGBColor, bool),
    anchor: HPos,
) -> Drawn {
    let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = FontDesc::new(FontFamily::SansSerif, f64::from(size), weight);
    let style = TextStyle::from(font).color(&colour).pos(Pos::new(anchor, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

/// About how many pixels wide a text is: the backend leaves that to whoever shows the picture.
fn text_width(text: &str, size: i32) -> i32 {
    let characters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    characters.saturating_mul(size) * 45 / 100
}

/// The last part of a path, which is harmless to show.
fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().map(OsStr::to_string_lossy);
    plain(name.as_deref().unwrap_or(path)).into_owned()
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| (least.min(value), most.max(value)))
}

fn colour_of(mark: &Mark) -> RGBColor {
    if *mark == Mark::Flip { FLIP } else { FAINT }
}
