//! Costs of a mesh at every size: the land impact as a staircase above the weights, over logarithmic axes.

use lodger_core::cost::physics::Representation;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{
    Axis, Canvas, DrawResult, FAINT, FLIP, INK, PHYSICS, PlotRect, SERVER, STREAMING, anchored,
    ends, render, text_width, write,
};
use crate::{Diagnostic, length};

/// A plot of a mesh's costs at every size.
#[derive(Clone, Copy, Debug)]
pub struct SweepPlot<'a> {
    /// The heading, up to about 60 characters.
    pub heading: &'a str,
    /// Conditions of the costs, below the heading.
    pub conditions: &'a str,
    /// The name of the size, below the axis.
    pub size: &'a str,
    /// The physics representation, if it is the same at every size.
    pub physics: Option<Representation>,
    /// Costs by size. Points outside of the axes are drawn at their ends.
    pub points: &'a [PlotPoint],
    /// A size in metres to mark with its cost.
    pub chosen: Option<f64>,
}

/// Costs at one size.
#[derive(Clone, Debug)]
pub struct PlotPoint {
    /// The longest side in metres.
    pub size: f64,
    /// The streaming weight.
    pub streaming: f64,
    /// The physics weight.
    pub physics: f64,
    /// The server weight.
    pub server: f64,
    /// The land impact.
    pub land_impact: u32,
    /// A change at this size.
    pub event: Option<PlotEvent>,
}

/// A change of the costs at a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlotEvent {
    /// The curve of the streaming weight bends; some bends have a label.
    Bend(Option<String>),
    /// The physics representation flips from the hull to the physics mesh.
    Flip,
}

/// Pixels, halved when written.
const SIZE: (u32, u32) = (2400, 1500);
/// Pixels of the curves.
const INSIDE: PlotRect = PlotRect { left: 150, top: 370, right: 2340, bottom: 1330 };
const LETTERS: i32 = 32;
const CHOSEN_LETTERS: i32 = 36;
/// Lines of labels above the curves, from the lowest up.
const LINES: [i32; 3] = [INSIDE.top - 24, INSIDE.top - 66, INSIDE.top - 108];
const GAP: i32 = 24;
const NARROWEST: i32 = 46;

/// Draws the plot as SVG.
///
/// # Errors
/// The picture cannot be drawn, which no points are known to cause.
///
/// # Examples
/// ```
/// use lodger_terminal::plot::{SweepPlot, sweep};
///
/// let plot = SweepPlot {
///     heading: "Costs of a table by size",
///     conditions: "viewer rules",
///     size: "a cube of this side",
///     physics: None,
///     points: &[],
///     chosen: Some(1.0),
/// };
/// assert!(sweep(&plot).is_ok_and(|svg| svg.starts_with("<svg")));
/// ```
pub fn sweep(plot: &SweepPlot<'_>) -> Result<String, Diagnostic> {
    render(SIZE, |canvas| draw(plot, canvas))
}

fn draw(plot: &SweepPlot<'_>, canvas: &Canvas<'_>) -> DrawResult {
    let axes = PlotTransform::new(plot.points);
    titles(canvas, plot)?;
    INSIDE.grid(canvas, [&axes.x, &axes.y], 36, [length, length])?;
    let middle = i32::midpoint(INSIDE.left, INSIDE.right);
    let below = format!("size in metres: {}", plot.size);
    anchored(canvas, (middle, INSIDE.bottom + 104), &below, (38, INK, false), HPos::Center)?;
    write(canvas, (INSIDE.left - 110, INSIDE.top - 36), "weight", 34, FAINT, false)?;
    let steps = steps(plot.points, &axes);
    fill(canvas, &steps)?;
    events(canvas, plot.points, &axes)?;
    canvas.draw(&PathElement::new(steps, INK.stroke_width(5)))?;
    for (value, colour, width) in series() {
        for run in runs(plot.points, &axes, value) {
            canvas.draw(&PathElement::new(run, colour.stroke_width(width)))?;
        }
    }
    impacts(canvas, plot.points, &axes)?;
    plot.chosen.map_or(Ok(()), |size| chosen(canvas, plot.points, &axes, size))
}

struct PlotTransform {
    x: Axis,
    y: Axis,
}

impl PlotTransform {
    fn new(points: &[PlotPoint]) -> Self {
        let sizes = points.iter().map(|point| point.size);
        let weights = points.iter().flat_map(|point| {
            [point.streaming, point.physics, point.server, f64::from(point.land_impact)]
        });
        let (least, most) = ends(weights.filter(|weight| *weight > 0.0));
        let (first, last) = ends(sizes);
        let (least, most) = (least.clamp(0.01, 0.5) / 1.25, most.max(2.0) * 1.4);
        Self {
            x: Axis::new((first, last), (INSIDE.left, INSIDE.right)),
            y: Axis::new((least, most), (INSIDE.bottom, INSIDE.top)),
        }
    }

    fn at(&self, size: f64, weight: f64) -> (i32, i32) {
        (self.x.pixel(size), self.y.pixel(weight))
    }
}

type Weight = fn(&PlotPoint) -> f64;

fn series() -> [(Weight, RGBColor, u32); 3] {
    [
        (|point| point.server, SERVER, 4),
        (|point| point.physics, PHYSICS, 5),
        (|point| point.streaming, STREAMING, 6),
    ]
}

fn titles(canvas: &Canvas<'_>, plot: &SweepPlot<'_>) -> DrawResult {
    write(canvas, (INSIDE.left, 70), plot.heading, 56, INK, true)?;
    write(canvas, (INSIDE.left, 128), plot.conditions, 34, FAINT, false)?;
    let mut x = INSIDE.left;
    let physics = plot.physics.map_or("physics".to_owned(), |used| format!("physics: {used}"));
    for (label, colour, width) in [
        ("land impact", INK, 6),
        ("streaming", STREAMING, 6),
        (physics.as_str(), PHYSICS, 6),
        ("server", SERVER, 6),
    ] {
        canvas.draw(&PathElement::new([(x, 186), (x + 70, 186)], colour.stroke_width(width)))?;
        write(canvas, (x + 86, 186), label, 36, INK, false)?;
        x += 86 + text_width(label, 36) + 60;
    }
    Ok(())
}

/// Splits the curve of a weight into pieces above the bottom of the picture.
fn runs(points: &[PlotPoint], axes: &PlotTransform, value: Weight) -> Vec<Vec<(i32, i32)>> {
    let inside = |point: &&PlotPoint| value(point) >= axes.y.least();
    let pieces = points.chunk_by(|a, b| inside(&a) == inside(&b));
    let drawn = pieces.filter(|piece| piece.first().is_some_and(|first| inside(&first)));
    drawn.map(|piece| piece.iter().map(|p| axes.at(p.size, value(p))).collect()).collect()
}

/// The staircase of the land impact.
fn steps(points: &[PlotPoint], axes: &PlotTransform) -> Vec<(i32, i32)> {
    let mut steps: Vec<(i32, i32)> = Vec::with_capacity(2 * points.len());
    for point in points {
        let here = axes.at(point.size, f64::from(point.land_impact));
        if let Some(&(_, before)) = steps.last()
            && before != here.1
        {
            steps.push((here.0, before));
        }
        steps.push(here);
    }
    steps
}

fn fill(canvas: &Canvas<'_>, steps: &[(i32, i32)]) -> DrawResult {
    let mut outline = steps.to_vec();
    outline.extend([(INSIDE.right, INSIDE.bottom), (INSIDE.left, INSIDE.bottom)]);
    canvas.draw(&Polygon::new(outline, INK.mix(0.05)))?;
    Ok(())
}

/// Draws a line with a label at each break point and at the flip of the physics.
fn events(canvas: &Canvas<'_>, points: &[PlotPoint], axes: &PlotTransform) -> DrawResult {
    let mut taken = [i32::MIN; LINES.len()];
    for point in points {
        let (label, is_flip) = match &point.event {
            Some(PlotEvent::Bend(Some(label))) => (label.as_str(), false),
            Some(PlotEvent::Flip) => ("hull ◂ ▸ physics mesh", true),
            Some(PlotEvent::Bend(None)) | None => continue,
        };
        let (x, colour) = (axes.x.pixel(point.size), if is_flip { FLIP } else { FAINT });
        let text = format!("{} m: {label}", length(point.size));
        let half = text_width(&text, LETTERS) / 2;
        let centre = x.min(INSIDE.right - half).max(INSIDE.left + half);
        let free = taken.iter().position(|end| end.saturating_add(GAP) < centre - half);
        let line = free.unwrap_or(LINES.len() - 1);
        taken[line] = centre + half;
        let (top, bottom) = (LINES[line] + 20, INSIDE.bottom);
        let style = colour.stroke_width(3);
        canvas.draw(&DashedPathElement::new([(x, top), (x, bottom)], 10, 10, style))?;
        anchored(canvas, (centre, LINES[line]), &text, (LETTERS, colour, is_flip), HPos::Center)?;
    }
    for point in points.iter().filter(|point| matches!(point.event, Some(PlotEvent::Bend(_)))) {
        let at = axes.at(point.size, point.streaming);
        canvas.draw(&Circle::new(at, 9, STREAMING.filled()))?;
    }
    Ok(())
}

/// Labels each step that is wide enough, and draws the edges of the steps.
fn impacts(canvas: &Canvas<'_>, points: &[PlotPoint], axes: &PlotTransform) -> DrawResult {
    for step in points.chunk_by(|a, b| a.land_impact == b.land_impact) {
        let (Some(first), Some(last)) = (step.first(), step.last()) else {
            continue;
        };
        let impact = first.land_impact;
        let (left, y) = axes.at(first.size, f64::from(impact));
        let right = axes.x.pixel(last.size);
        let text = impact.to_string();
        if right - left >= NARROWEST.max(text_width(&text, LETTERS)) {
            // The curve of the limiting weight crosses a step from below, so its left end is free.
            anchored(canvas, (left + 12, y - 26), &text, (LETTERS, INK, true), HPos::Left)?;
        }
        if left > INSIDE.left {
            let tick = [(left, INSIDE.bottom - 12), (left, INSIDE.bottom)];
            canvas.draw(&PathElement::new(tick, INK.stroke_width(2)))?;
        }
    }
    Ok(())
}

/// Draws a line at a size, a ring at its land impact, and both as a label.
fn chosen(
    canvas: &Canvas<'_>,
    points: &[PlotPoint],
    axes: &PlotTransform,
    size: f64,
) -> DrawResult {
    // The land impact changes at points only, so the last point before holds.
    let after = points.partition_point(|point| point.size <= size * (1.0 + f64::EPSILON));
    let Some(there) = points.get(after.saturating_sub(1)) else { return Ok(()) };
    let impact = there.land_impact;
    let (x, y) = axes.at(size, f64::from(impact));
    canvas.draw(&PathElement::new([(x, INSIDE.top), (x, INSIDE.bottom)], INK.stroke_width(3)))?;
    canvas.draw(&Circle::new((x, y), 20, WHITE.filled()))?;
    canvas.draw(&Circle::new((x, y), 20, INK.stroke_width(5)))?;
    canvas.draw(&Circle::new((x, y), 9, INK.filled()))?;
    let text = format!("{} m: land impact {impact}", length(size));
    // Curves rise to the right, so that there is more space to the left.
    let (beside, anchor) = if x - 34 - text_width(&text, CHOSEN_LETTERS) > INSIDE.left {
        (x - 34, HPos::Right)
    } else {
        (x + 34, HPos::Left)
    };
    let above = (y - 62).max(INSIDE.top + CHOSEN_LETTERS);
    anchored(canvas, (beside, above), &text, (CHOSEN_LETTERS, INK, true), anchor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mesh whose streaming weight grows with its size.
    fn points() -> Vec<PlotPoint> {
        let event = |index: i32| match index {
            10 => Some(PlotEvent::Bend(Some("high LOD grows".to_owned()))),
            20 => Some(PlotEvent::Bend(None)),
            30 => Some(PlotEvent::Flip),
            _ => None,
        };
        let point = |index: i32| {
            let size = 0.1 * 1.15_f64.powi(index);
            let land_impact =
                [1, 1, 2, 3, 5, 8, 13, 21, 34, 55][usize::try_from(index / 5).unwrap()];
            let (streaming, server) = (f64::from(land_impact) - 0.5, 0.5);
            PlotPoint { size, streaming, physics: 1.0, server, land_impact, event: event(index) }
        };
        (0..46).map(point).collect()
    }

    #[test]
    fn the_chosen_size_is_marked_with_its_cost() {
        let points = points();
        let drawn = |chosen| {
            let (heading, conditions, size) = ("A table", "viewer rules", "its side");
            sweep(&SweepPlot { heading, conditions, size, physics: None, points: &points, chosen })
                .expect("a picture")
        };
        for (size, side) in [(0.2, "start"), (8.0, "end")] {
            let there = points.iter().rfind(|point| point.size <= size).expect("a point");
            let picture = drawn(Some(size));
            let text = format!("{size} m: land impact {}", there.land_impact);
            let label = picture.split("<text").find(|label| label.contains(&text));
            let label = label.expect("a label");
            assert!(label.contains(&format!("text-anchor=\"{side}\"")), "{label}");
        }
        assert!(!drawn(None).contains("m: land impact"));
        assert!(drawn(Some(f64::NAN)).contains("</svg>"));
        for label in ["high LOD grows", "hull ◂ ▸ physics mesh"] {
            assert_eq!(drawn(None).matches(label).count(), 1, "{label}");
        }
    }
}
