//! Growth of values with size, one curve for each way.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{
    Axis, Canvas, DrawResult, FAINT, FLIP, INK, PHYSICS, PlotRect, SERVER, STREAMING, anchored,
    ends, render, write,
};
use crate::{Diagnostic, length};

/// A plot of curves.
#[derive(Clone, Copy, Debug)]
pub struct Growth<'a> {
    /// The heading, up to about 60 characters.
    pub heading: &'a str,
    /// Conditions, below the heading.
    pub conditions: &'a str,
    /// The label of the horizontal axis.
    pub across: &'a str,
    /// The label of the vertical axis.
    pub up: &'a str,
    /// Curves; eight have distinct colours.
    pub curves: &'a [GrowthCurve],
}

/// A curve of a [`Growth`].
#[derive(Clone, Debug)]
pub struct GrowthCurve {
    /// The name, up to about 24 characters.
    pub name: String,
    /// Sizes in ascending order, and values; all positive.
    pub points: Vec<(f64, f64)>,
}

/// Pixels, halved when written.
const SIZE: (u32, u32) = (2400, 1400);
/// Pixels of the curves; names are to the right.
const INSIDE: PlotRect = PlotRect { left: 170, top: 240, right: 1_830, bottom: 1_240 };
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

/// Draws curves as SVG. Both axes are logarithmic: a constant value per item is a horizontal line.
///
/// # Errors
/// The picture cannot be drawn, which no values are known to cause.
pub fn growth(growth: &Growth<'_>) -> Result<String, Diagnostic> {
    render(SIZE, |canvas| draw(growth, canvas))
}

fn draw(growth: &Growth<'_>, canvas: &Canvas<'_>) -> DrawResult {
    write(canvas, (50, 70), growth.heading, 56, INK, true)?;
    write(canvas, (50, 136), growth.conditions, 34, FAINT, false)?;
    write(canvas, (INSIDE.left - 120, INSIDE.top - 46), growth.up, 34, FAINT, false)?;
    let points = || growth.curves.iter().flat_map(|curve| &curve.points);
    let (first, last) = ends(points().map(|point| point.0));
    let (least, most) = ends(points().map(|point| point.1));
    let x = Axis::new((first, last), (INSIDE.left, INSIDE.right));
    let y = Axis::new((least / 1.3, most * 1.3), (INSIDE.bottom, INSIDE.top));
    INSIDE.grid(canvas, [&x, &y], 40, [rounded, length])?;
    let middle = (i32::midpoint(INSIDE.left, INSIDE.right), INSIDE.bottom + 110);
    anchored(canvas, middle, growth.across, (38, INK, false), HPos::Center)?;
    let mut names = Vec::new();
    for (curve, &colour) in growth.curves.iter().zip(COLOURS.iter().cycle()) {
        let line: Vec<_> =
            curve.points.iter().map(|point| (x.pixel(point.0), y.pixel(point.1))).collect();
        for &point in &line {
            canvas.draw(&Circle::new(point, 8, colour.filled()))?;
        }
        names.extend(line.last().map(|&(_, end)| (end, curve.name.as_str(), colour)));
        canvas.draw(&PathElement::new(line, colour.stroke_width(5)))?;
    }
    for (y, name, colour) in apart(names) {
        write(canvas, (INSIDE.right + 26, y), name, 36, colour, false)?;
    }
    Ok(())
}

fn rounded(size: f64) -> String {
    if size >= 1e6 {
        format!("{} M", length(size / 1e6))
    } else if size >= 1e3 {
        format!("{} k", length(size / 1e3))
    } else {
        length(size)
    }
}

/// Moves names at the ends of their curves apart.
fn apart(mut names: Vec<(i32, &str, RGBColor)>) -> Vec<(i32, &str, RGBColor)> {
    names.sort_by_key(|(y, ..)| *y);
    let mut free = i32::MIN;
    for (y, ..) in &mut names {
        *y = (*y).max(free);
        free = y.saturating_add(LINE);
    }
    // Names below the picture move up again.
    let mut free = INSIDE.bottom;
    for (y, ..) in names.iter_mut().rev() {
        *y = (*y).min(free);
        free = y.saturating_sub(LINE);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{Growth, GrowthCurve, INSIDE, LINE, RGBColor, apart, growth};

    fn drawn(curves: &[GrowthCurve]) -> String {
        let (across, up) = ("actors", "ns an actor");
        growth(&Growth { heading: "Growth", conditions: "a < b", across, up, curves })
            .expect("drawn")
    }

    #[test]
    fn every_curve_has_its_name_beside_it() {
        let curve = |name: &str, ns: f64| GrowthCurve {
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
    fn empty_and_invalid_values_are_drawn() {
        let odd = vec![(f64::NAN, 0.0), (-1.0, f64::INFINITY), (1e300, 1e-300)];
        for curves in [vec![], vec![GrowthCurve { name: "odd".to_owned(), points: odd }]] {
            assert!(drawn(&curves).contains("</svg>"));
        }
    }

    #[test]
    fn names_stand_apart_and_within() {
        let black = RGBColor(0, 0, 0);
        let names = [INSIDE.bottom, 700, INSIDE.bottom - 3, 701, INSIDE.top]
            .map(|y| (y, "", black))
            .to_vec();
        let places: Vec<_> = apart(names).into_iter().map(|(y, ..)| y).collect();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LINE), "{places:?}");
        assert!(places[0] >= INSIDE.top && places[4] <= INSIDE.bottom, "{places:?}");
    }
}
