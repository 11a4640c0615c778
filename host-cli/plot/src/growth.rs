//! What something takes at every size, for several ways to do it.

use lodger_terminal::length;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::axis::Axis;
use crate::canvas::{
    Area, Drawn, FAINT, FLIP, GRID, INK, PHYSICS, SERVER, STREAMING, anchored, write,
};
use crate::error::PlotError;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Growth<'a> {
    /// What stands above it; some 60 characters have room.
    pub heading: &'a str,
    /// In what it was measured, below the heading.
    pub conditions: &'a str,
    /// What the sizes are, below the picture.
    pub across: &'a str,
    /// What the values are, above their axis.
    pub up: &'a str,
    /// The ways to do it; eight have colours of their own.
    pub curves: &'a [Curve],
}

/// One way to do it.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is called; some 24 characters have room.
    pub name: String,
    /// Sizes, from the least, and values: all above 0.
    pub points: Vec<(f64, f64)>,
}

/// Pixels, of a picture that is drawn at twice its size.
const SIZE: (u32, u32) = (2400, 1400);
/// Where the curves are: their names stand to the right of it.
const LEFT: i32 = 170;
const RIGHT: i32 = 1_830;
const TOP: i32 = 240;
const BOTTOM: i32 = 1_240;
/// The height of a name with the space around it.
const LINE: i32 = 48;

const COLOURS: [RGBColor; 8] = [
    FAINT,
    FLIP,
    PHYSICS,
    RGBColor(0x92, 0x40, 0x0e),
    STREAMING,
    SERVER,
    RGBColor(0x7c, 0x3a, 0xed),
    INK,
];

/// The growth as SVG. Both axes are logarithmic: what takes as long for each of many as for each of few is a
/// level line.
///
/// # Errors
/// The picture could not be drawn, which no values are known to bring about.
pub fn growth(growth: &Growth<'_>) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(growth, &mut svg)?;
    let (width, height) = SIZE;
    let drawn = format!("width=\"{width}\" height=\"{height}\"");
    Ok(svg.replacen(&drawn, &format!("width=\"{}\" height=\"{}\"", width / 2, height / 2), 1))
}

fn draw(growth: &Growth<'_>, svg: &mut String) -> Drawn {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    write(&area, (50, 70), growth.heading, 56, INK, true)?;
    write(&area, (50, 136), growth.conditions, 34, FAINT, false)?;
    write(&area, (LEFT - 120, TOP - 46), growth.up, 34, FAINT, false)?;
    let points = || growth.curves.iter().flat_map(|curve| &curve.points);
    let (first, last) = ends(points().map(|point| point.0));
    let (least, most) = ends(points().map(|point| point.1));
    let x = Axis::new((first, last), (LEFT, RIGHT));
    let y = Axis::new((least / 1.3, most * 1.3), (BOTTOM, TOP));
    grid(&area, &x, &y)?;
    let middle = (i32::midpoint(LEFT, RIGHT), BOTTOM + 110);
    anchored(&area, middle, growth.across, (38, INK, false), HPos::Center)?;
    let mut ends = Vec::new();
    for (curve, &colour) in growth.curves.iter().zip(COLOURS.iter().cycle()) {
        let line: Vec<_> =
            curve.points.iter().map(|point| (x.pixel(point.0), y.pixel(point.1))).collect();
        for &point in &line {
            area.draw(&Circle::new(point, 8, colour.filled()))?;
        }
        ends.extend(line.last().map(|&(_, end)| (end, curve.name.as_str(), colour)));
        area.draw(&PathElement::new(line, colour.stroke_width(5)))?;
    }
    for (y, name, colour) in apart(ends) {
        write(&area, (RIGHT + 26, y), name, 36, colour, false)?;
    }
    area.present()?;
    Ok(())
}

fn grid(area: &Area<'_>, x: &Axis, y: &Axis) -> Drawn {
    for tick in x.ticks() {
        let at = x.pixel(tick);
        area.draw(&PathElement::new([(at, TOP), (at, BOTTOM)], GRID.stroke_width(2)))?;
        anchored(area, (at, BOTTOM + 40), &rounded(tick), (34, FAINT, false), HPos::Center)?;
    }
    for tick in y.ticks() {
        let at = y.pixel(tick);
        area.draw(&PathElement::new([(LEFT, at), (RIGHT, at)], GRID.stroke_width(2)))?;
        anchored(area, (LEFT - 18, at), &length(tick), (34, FAINT, false), HPos::Right)?;
    }
    area.draw(&PathElement::new([(LEFT, BOTTOM), (RIGHT, BOTTOM)], FAINT.stroke_width(3)))?;
    Ok(())
}

/// A round size.
fn rounded(size: f64) -> String {
    if size >= 1e6 {
        format!("{} M", length(size / 1e6))
    } else if size >= 1e3 {
        format!("{} k", length(size / 1e3))
    } else {
        length(size)
    }
}

/// The names beside the ends of their curves, moved so that none stands on another.
fn apart(mut names: Vec<(i32, &str, RGBColor)>) -> Vec<(i32, &str, RGBColor)> {
    names.sort_by_key(|(y, ..)| *y);
    let mut free = i32::MIN;
    for (y, ..) in &mut names {
        *y = (*y).max(free);
        free = y.saturating_add(LINE);
    }
    // Those that were moved below the picture push the others up.
    let mut free = BOTTOM;
    for (y, ..) in names.iter_mut().rev() {
        *y = (*y).min(free);
        free = y.saturating_sub(LINE);
    }
    names
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| (least.min(value), most.max(value)))
}

#[cfg(test)]
mod tests {
    use super::{BOTTOM, Curve, Growth, LINE, RGBColor, TOP, apart, growth};

    fn drawn(curves: &[Curve]) -> String {
        let (across, up) = ("actors", "ns an actor");
        growth(&Growth { heading: "Growth", conditions: "a < b", across, up, curves })
            .expect("drawn")
    }

    #[test]
    fn every_curve_has_its_name_beside_it() {
        let curve = |name: &str, ns: f64| Curve {
            name: name.to_owned(),
            points: vec![(100.0, ns), (1e5, ns), (1e7, ns * 2.0)],
        };
        let svg = drawn(&[curve("memory pass", 1.1), curve("keep", 1.2), curve("textbook", 250.0)]);
        assert!(svg.starts_with("<svg width=\"1200\" height=\"700\""), "{svg}");
        for part in ["memory pass", "keep", "textbook", "a &lt; b", "10 M", "100 k", "ns an actor"]
        {
            assert!(svg.contains(part), "no {part:?} in {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 9);
    }

    #[test]
    fn nothing_and_odd_values_are_drawn() {
        let odd = vec![(f64::NAN, 0.0), (-1.0, f64::INFINITY), (1e300, 1e-300)];
        for curves in [vec![], vec![Curve { name: "odd".to_owned(), points: odd }]] {
            assert!(drawn(&curves).contains("</svg>"));
        }
    }

    #[test]
    fn names_stand_apart_and_within() {
        let black = RGBColor(0, 0, 0);
        let names = [BOTTOM, 700, BOTTOM - 3, 701, TOP].map(|y| (y, "", black)).to_vec();
        let places: Vec<_> = apart(names).into_iter().map(|(y, ..)| y).collect();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LINE), "{places:?}");
        assert!(places[0] >= TOP && places[4] <= BOTTOM, "{places:?}");
    }
}
