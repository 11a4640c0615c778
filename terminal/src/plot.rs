//! Pictures as SVG, drawn without a display: costs at every size ([`sweep()`]), policies over frames
//! ([`comparison()`]), time over the number of actors ([`growth()`]), and bars ([`bars()`]).

mod bars;
mod comparison;
mod growth;
mod sweep;

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Diagnostic;

pub use bars::{Bar, BarChart, bars};
pub use comparison::{ComparedItem, ComparisonPlot, FIGURES, comparison};
pub use growth::{Growth, GrowthCurve, growth};
pub use sweep::{PlotEvent, PlotPoint, SweepPlot, sweep};

const INK: RGBColor = RGBColor(0x1f, 0x29, 0x37);
const FAINT: RGBColor = RGBColor(0x6b, 0x72, 0x80);
const GRID: RGBColor = RGBColor(0xe5, 0xe7, 0xeb);
const STREAMING: RGBColor = RGBColor(0x25, 0x63, 0xeb);
const PHYSICS: RGBColor = RGBColor(0xd9, 0x77, 0x06);
const SERVER: RGBColor = RGBColor(0x05, 0x96, 0x69);
const FLIP: RGBColor = RGBColor(0xdc, 0x26, 0x26);

/// The least start of an axis.
const LEAST: f64 = 1e-9;
/// The greatest start or end of an axis.
const MOST: f64 = 1e12;

type Canvas<'b> = DrawingArea<SVGBackend<'b>, Shift>;
type DrawResult = Result<(), Box<dyn Error>>;

/// Draws a picture on white and returns it as SVG. It is drawn at twice its size, because coordinates of the backend
/// are whole.
fn render(
    (width, height): (u32, u32),
    draw: impl FnOnce(&Canvas<'_>) -> DrawResult,
) -> Result<String, Diagnostic> {
    let mut svg = String::new();
    draw_on(&mut svg, (width, height), draw)
        .map_err(|error| Diagnostic::error(format!("cannot draw the plot: {error}")))?;
    let size = format!("width=\"{width}\" height=\"{height}\"");
    Ok(svg.replacen(&size, &format!("width=\"{}\" height=\"{}\"", width / 2, height / 2), 1))
}

fn draw_on(
    svg: &mut String,
    size: (u32, u32),
    draw: impl FnOnce(&Canvas<'_>) -> DrawResult,
) -> DrawResult {
    let canvas = SVGBackend::with_string(svg, size).into_drawing_area();
    canvas.fill(&WHITE)?;
    draw(&canvas)?;
    canvas.present()?;
    Ok(())
}

/// A rectangle in pixels.
#[derive(Clone, Copy)]
struct PlotRect {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl PlotRect {
    /// Draws lines at the ticks of both axes, with their values at a distance below and to the left, and a line at
    /// the bottom.
    fn grid(
        &self,
        canvas: &Canvas<'_>,
        [x, y]: [&Axis; 2],
        below: i32,
        shown: [fn(f64) -> String; 2],
    ) -> DrawResult {
        let line =
            |ends: [(i32, i32); 2]| canvas.draw(&PathElement::new(ends, GRID.stroke_width(2)));
        let style = (34, FAINT, false);
        for tick in x.ticks() {
            let at = x.pixel(tick);
            line([(at, self.top), (at, self.bottom)])?;
            anchored(canvas, (at, self.bottom + below), &shown[0](tick), style, HPos::Center)?;
        }
        for tick in y.ticks() {
            let at = y.pixel(tick);
            line([(self.left, at), (self.right, at)])?;
            anchored(canvas, (self.left - 18, at), &shown[1](tick), style, HPos::Right)?;
        }
        let bottom = [(self.left, self.bottom), (self.right, self.bottom)];
        canvas.draw(&PathElement::new(bottom, FAINT.stroke_width(3)))?;
        Ok(())
    }
}

/// A text that begins at a point, vertically centred.
fn write(
    canvas: &Canvas<'_>,
    at: (i32, i32),
    text: &str,
    size: i32,
    colour: RGBColor,
    bold: bool,
) -> DrawResult {
    anchored(canvas, at, text, (size, colour, bold), HPos::Left)
}

fn anchored(
    canvas: &Canvas<'_>,
    at: (i32, i32),
    text: &str,
    (size, colour, bold): (i32, RGBColor, bool),
    anchor: HPos,
) -> DrawResult {
    let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = FontDesc::new(FontFamily::SansSerif, f64::from(size), weight);
    let style = TextStyle::from(font).color(&colour).pos(Pos::new(anchor, VPos::Center));
    canvas.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

/// Estimates the width of a text in pixels; the viewer of the picture chooses the font.
fn text_width(text: &str, size: i32) -> i32 {
    let characters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    characters.saturating_mul(size) * 45 / 100
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| (least.min(value), most.max(value)))
}

/// A logarithmic axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    values: (f64, f64),
    pixels: (i32, i32),
}

impl Axis {
    /// Creates an axis between two positive values. Values outside 10⁻⁹ to 10¹² are clamped, and an empty range is
    /// widened.
    fn new((least, most): (f64, f64), pixels: (i32, i32)) -> Self {
        let least = if least.is_nan() { LEAST } else { least.clamp(LEAST, MOST) };
        // Of NaN and a number, `min` is the number.
        let most = most.min(MOST);
        let most = if least < most { most } else { least * 10.0 };
        Self { values: (least, most), pixels }
    }

    fn least(&self) -> f64 {
        self.values.0
    }

    /// The pixel of a value, clamped to the axis.
    #[expect(clippy::cast_possible_truncation, reason = "between the pixels of both ends")]
    fn pixel(&self, value: f64) -> i32 {
        let ((least, most), (from, to)) = (self.values, self.pixels);
        let part = (value.clamp(least, most) / least).ln() / (most / least).ln();
        let pixel = f64::from(from) + part * f64::from(to - from);
        pixel.round() as i32
    }

    /// 1, 2 and 5 times the powers of ten within the axis; fewer of them on a long one.
    #[expect(clippy::cast_possible_truncation, reason = "from -9 to 13")]
    fn ticks(&self) -> Vec<f64> {
        let (least, most) = self.values;
        let decades = (most / least).log10();
        let steps: &[f64] = if decades > 4.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let exponent = |value: f64| value.log10().floor() as i32;
        let powers = (exponent(least)..=exponent(most)).map(|exponent| 10_f64.powi(exponent));
        let mut ticks: Vec<_> =
            powers.flat_map(|power| steps.iter().map(move |step| step * power)).collect();
        ticks.retain(|tick| (least * 0.999..=most * 1.001).contains(tick));
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn equal_factors_are_equal_ways() {
        let axis = Axis::new((0.1, 1000.0), (0, 400));
        assert_eq!([0.1, 1.0, 10.0, 1000.0].map(|value| axis.pixel(value)), [0, 100, 200, 400]);
        assert_eq!([0.0, 1e9].map(|value| axis.pixel(value)), [0, 400]);
        let short = Axis::new((0.5, 4.0), (0, 100));
        assert_eq!(short.ticks().len(), 3, "0.5, 1 and 2");
    }

    #[test]
    fn an_axis_is_bounded_for_all_values() {
        let odd = [0.0, -1.0, 5e-324, 1e-300, 1e-12, 1.0, 1e300, f64::INFINITY, f64::NAN];
        for least in odd {
            for most in odd {
                let axis = Axis::new((least, most), (0, 100));
                assert!(axis.ticks().len() <= 24, "{least} to {most}");
                assert!(odd.iter().all(|value| (0..=100).contains(&axis.pixel(*value))));
            }
        }
        assert_eq!(Axis::new((1e-6, 16_384.0), (0, 100)).ticks().len(), 11, "10⁻⁶ to 10⁴");
    }
}
