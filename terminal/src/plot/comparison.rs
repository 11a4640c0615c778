//! Several ways to spend the same time, frame by frame.

use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{
    Canvas, DrawResult, FAINT, FLIP, GRID, INK, PHYSICS, STREAMING, anchored, render, write,
};
use crate::Diagnostic;

/// A plot of frame times.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonPlot<'a> {
    /// The heading, up to about 80 characters.
    pub heading: &'a str,
    /// Conditions, below the heading.
    pub conditions: &'a str,
    /// Frames per second.
    pub frames_per_s: u16,
    /// Headings of the figures.
    pub columns: [&'a str; FIGURES],
    /// Entries, from the top.
    pub entries: &'a [ComparedItem],
}

/// The number of figures beside each entry.
pub const FIGURES: usize = 4;

/// An entry of a [`ComparisonPlot`].
#[derive(Clone, Debug)]
pub struct ComparedItem {
    /// The name, up to about 20 characters.
    pub name: String,
    /// The time of each frame, as a share of the budget.
    pub times: Vec<f64>,
    /// The number of changed levels in each frame.
    pub changes: Vec<u32>,
    /// Figures beside the entry.
    pub figures: [String; FIGURES],
}

/// Pixels, halved when written.
const WIDTH: u32 = 2400;
const TOP: i32 = 270;
const ROW: i32 = 216;
/// Heights of the times, and of the changes below them.
const TIMES: i32 = 140;
const CHANGES: i32 = 44;
const BELOW: u32 = 130;
/// Horizontal range of the times.
const LEFT: i32 = 460;
const RIGHT: i32 = 1_500;
/// Right end of each figure.
const ENDS: [i32; FIGURES] = [1_750, 1_950, 2_150, 2_350];
/// Shares of the budget are clamped to this value.
const HIGHEST: f64 = 1.5;
/// Parts of a second over which changes are counted, and the count at which they are clamped.
const PARTS: usize = 10;
const MOST: i32 = 40;

/// Draws a comparison as SVG: for each entry its frame times, red above the line of the budget, and below them the
/// changed levels in each tenth of a second.
///
/// # Errors
/// The picture cannot be drawn, which no entries are known to cause.
pub fn comparison(comparison: &ComparisonPlot<'_>) -> Result<String, Diagnostic> {
    let rows = u32::try_from(comparison.entries.len()).unwrap_or(0).min(64);
    let height = TOP.unsigned_abs() + rows * ROW.unsigned_abs() + BELOW;
    render((WIDTH, height), |canvas| draw(comparison, height, canvas))
}

fn draw(comparison: &ComparisonPlot<'_>, height: u32, canvas: &Canvas<'_>) -> DrawResult {
    write(canvas, (50, 70), comparison.heading, 56, INK, true)?;
    write(canvas, (50, 136), comparison.conditions, 34, FAINT, false)?;
    write(canvas, (LEFT, TOP - 40), "time of each frame, and the budget", 32, FAINT, false)?;
    for (end, column) in ENDS.into_iter().zip(comparison.columns) {
        for (line, text) in column.split('\n').rev().zip(0..) {
            anchored(canvas, (end, TOP - 40 - 40 * text), line, (32, FAINT, false), HPos::Right)?;
        }
    }
    for (entry, row) in comparison.entries.iter().zip(0..) {
        self::entry(canvas, entry, TOP + ROW * row, row == 0)?;
        changes(canvas, comparison, entry, TOP + ROW * row + TIMES)?;
    }
    let frames = comparison.entries.iter().map(|entry| entry.times.len()).max().unwrap_or(0);
    seconds(canvas, frames, comparison.frames_per_s, i32::try_from(height)? - 90)
}

fn entry(canvas: &Canvas<'_>, entry: &ComparedItem, top: i32, is_first: bool) -> DrawResult {
    let bottom = top + TIMES;
    #[expect(clippy::cast_possible_truncation, reason = "within the row")]
    let y =
        |part: f64| bottom - (f64::from(bottom - top) * part.clamp(0.0, HIGHEST) / HIGHEST) as i32;
    let x = |frame: usize| along(frame, entry.times.len());
    canvas.draw(&PathElement::new([(LEFT, bottom), (RIGHT, bottom)], GRID.stroke_width(2)))?;
    let line = entry.times.iter().enumerate().map(|(frame, part)| (x(frame), y(*part)));
    canvas.draw(&PathElement::new(line.collect::<Vec<_>>(), STREAMING.stroke_width(3)))?;
    for (frame, part) in entry.times.iter().enumerate().filter(|(_, part)| **part > 1.0) {
        let over = [(x(frame), y(1.0)), (x(frame), y(*part).min(y(1.0) - 4))];
        canvas.draw(&PathElement::new(over, FLIP.stroke_width(4)))?;
    }
    let budget = [(LEFT, y(1.0)), (RIGHT, y(1.0))];
    canvas.draw(&DashedPathElement::new(budget, 12, 10, INK.stroke_width(2)))?;
    if is_first {
        anchored(canvas, (LEFT - 14, y(1.0)), "budget", (28, FAINT, false), HPos::Right)?;
    }
    write(canvas, (50, i32::midpoint(top, bottom) + 20), &entry.name, 38, INK, is_first)?;
    for (end, figure) in ENDS.into_iter().zip(&entry.figures) {
        let at = (end, i32::midpoint(top, bottom) + 20);
        anchored(canvas, at, figure, (38, INK, is_first), HPos::Right)?;
    }
    Ok(())
}

fn changes(
    canvas: &Canvas<'_>,
    of: &ComparisonPlot<'_>,
    entry: &ComparedItem,
    top: i32,
) -> DrawResult {
    let frames = entry.changes.len();
    let each = (usize::from(of.frames_per_s) / PARTS).max(1);
    let y = |count: u32| top + CHANGES * i32::try_from(count).unwrap_or(MOST).min(MOST) / MOST;
    let parts = entry.changes.chunks(each).enumerate().flat_map(|(part, changes)| {
        let y = y(changes.iter().fold(0, |sum, count| sum.saturating_add(*count)));
        let end = (part * each + changes.len()).min(frames);
        [(along(part * each, frames), y), (along(end, frames), y)]
    });
    let corners = [(LEFT, top)].into_iter().chain(parts).chain([(along(frames, frames), top)]);
    canvas.draw(&Polygon::new(corners.collect::<Vec<_>>(), PHYSICS.filled()))?;
    if of.entries.first().is_some_and(|first| std::ptr::eq(first, entry)) {
        let at = (LEFT - 14, top + CHANGES / 2);
        anchored(canvas, at, "level changes", (28, FAINT, false), HPos::Right)?;
    }
    Ok(())
}

fn seconds(canvas: &Canvas<'_>, frames: usize, frames_per_s: u16, y: i32) -> DrawResult {
    let frames_per_s = usize::from(frames_per_s.max(1));
    let all = frames / frames_per_s;
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500]
        .into_iter()
        .find(|step| all / step <= 12)
        .unwrap_or(1_000);
    for second in (0..=all).step_by(step) {
        let x = along(second * frames_per_s, frames);
        anchored(canvas, (x, y), &second.to_string(), (30, FAINT, false), HPos::Center)?;
    }
    anchored(
        canvas,
        (i32::midpoint(LEFT, RIGHT), y + 46),
        "seconds",
        (30, FAINT, false),
        HPos::Center,
    )
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "within the picture"
)]
fn along(frame: usize, frames: usize) -> i32 {
    LEFT + (f64::from(RIGHT - LEFT) * frame as f64 / frames.max(1) as f64) as i32
}

#[cfg(test)]
mod tests {
    use super::{ComparedItem, ComparisonPlot, comparison};

    #[test]
    fn times_over_budget_are_red() {
        let entry = |name: &str, times: &[f64]| ComparedItem {
            name: name.to_owned(),
            times: times.to_vec(),
            changes: vec![3; times.len()],
            figures: ["1 %", "2 %", "3", "4"].map(str::to_owned),
        };
        let draw = |times: &[f64]| {
            let compared = ComparisonPlot {
                heading: "Ways",
                conditions: "a < b",
                frames_per_s: 60,
                columns: ["A", "B", "C\nc", "D"],
                entries: &[entry("one", times), entry("two", &[f64::INFINITY, f64::NAN, -1.0])],
            };
            comparison(&compared).expect("a picture")
        };
        let red = |svg: &str| svg.matches("stroke=\"#DC2626\"").count();
        assert_eq!([red(&draw(&[0.5; 3])), red(&draw(&[0.5, 1.1, 2.0]))], [1, 3]);
        let svg = draw(&[]);
        assert!(svg.starts_with("<svg width=\"1200\"") && svg.contains("a &lt; b"), "{svg}");
    }
}
