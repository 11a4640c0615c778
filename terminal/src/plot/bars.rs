//! Bars of several values.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{Canvas, DrawResult, FAINT, GRID, INK, STREAMING, anchored, render, text_width, write};
use crate::Diagnostic;

/// A bar chart.
#[derive(Clone, Copy, Debug)]
pub struct BarChart<'a> {
    /// The heading, up to about 60 characters.
    pub heading: &'a str,
    /// Conditions, below the heading.
    pub conditions: &'a str,
    /// The label of the horizontal axis.
    pub across: &'a str,
    /// The label of the vertical axis.
    pub up: &'a str,
    /// Bars from the left; about 24 have space for their texts.
    pub bars: &'a [Bar],
}

/// A bar of a [`BarChart`].
#[derive(Clone, Debug)]
pub struct Bar {
    /// The text below the bar.
    pub label: String,
    /// The height; a negative, infinite or NaN value is drawn as 0.
    pub value: f64,
    /// The text above the bar.
    pub value_text: String,
}

/// Pixels, halved when written.
const SIZE: (u32, u32) = (2400, 1400);
const LEFT: i32 = 90;
const RIGHT: i32 = 2_310;
const TOP: i32 = 320;
const BOTTOM: i32 = 1_210;
/// Smallest height of a positive value.
const LOWEST: i32 = 4;
/// Largest and smallest height of a letter.
const LETTERS: (i32, i32) = (36, 14);
/// Horizontal lines, at equal parts of the highest bar.
const LINES: i32 = 4;

/// Draws bars as SVG, with heights in proportion to their values.
///
/// # Errors
/// The picture cannot be drawn, which no values are known to cause.
pub fn bars(bars: &BarChart<'_>) -> Result<String, Diagnostic> {
    render(SIZE, |canvas| draw(bars, canvas))
}

fn draw(picture: &BarChart<'_>, canvas: &Canvas<'_>) -> DrawResult {
    write(canvas, (LEFT, 70), picture.heading, 56, INK, true)?;
    write(canvas, (LEFT, 136), picture.conditions, 34, FAINT, false)?;
    write(canvas, (LEFT, 200), picture.up, 34, FAINT, false)?;
    for line in 1..=LINES {
        let y = BOTTOM - (BOTTOM - TOP) * line / LINES;
        canvas.draw(&PathElement::new([(LEFT, y), (RIGHT, y)], GRID.stroke_width(2)))?;
    }
    let places = places(picture.bars);
    let letters = letters(picture.bars, places.first().map_or(0, |place| place.room));
    for (bar, place) in picture.bars.iter().zip(&places) {
        let corners = [(place.left, BOTTOM - place.height), (place.right, BOTTOM)];
        if place.height > 0 {
            canvas.draw(&Rectangle::new(corners, STREAMING.filled()))?;
        }
        let middle = i32::midpoint(place.left, place.right);
        let (value_text, label) =
            ((middle, corners[0].1 - letters), (middle, BOTTOM + letters + 8));
        anchored(canvas, value_text, &bar.value_text, (letters, INK, true), HPos::Center)?;
        anchored(canvas, label, &bar.label, (letters, INK, false), HPos::Center)?;
    }
    canvas.draw(&PathElement::new([(LEFT, BOTTOM), (RIGHT, BOTTOM)], FAINT.stroke_width(3)))?;
    let middle = (i32::midpoint(LEFT, RIGHT), BOTTOM + 130);
    anchored(canvas, middle, picture.across, (38, INK, false), HPos::Center)
}

struct BarPosition {
    left: i32,
    right: i32,
    height: i32,
    /// Distance between the middles of two bars.
    room: i32,
}

#[expect(clippy::cast_possible_truncation, reason = "from 0 to the height of the picture")]
fn places(bars: &[Bar]) -> Vec<BarPosition> {
    let value = |bar: &Bar| if bar.value.is_finite() { bar.value.max(0.0) } else { 0.0 };
    let most = bars.iter().map(value).fold(0.0, f64::max);
    let count = i32::try_from(bars.len()).unwrap_or(i32::MAX).max(1);
    let room = (RIGHT - LEFT) / count;
    let place = |(bar, number): (&Bar, i32)| {
        let part = if most > 0.0 { value(bar) / most } else { 0.0 };
        let height = (part * f64::from(BOTTOM - TOP)) as i32;
        let height = if part > 0.0 { height.max(LOWEST) } else { 0 };
        let left = LEFT + room.saturating_mul(number) + room / 8;
        BarPosition { left, right: left + room * 3 / 4, height, room }
    };
    bars.iter().zip(0..).map(place).collect()
}

/// The largest legible height of letters at which all texts fit between their neighbours.
fn letters(bars: &[Bar], room: i32) -> i32 {
    let (most, least) = LETTERS;
    let texts = || bars.iter().flat_map(|bar| [&bar.label, &bar.value_text]);
    let fits = |size: &i32| texts().all(|text| text_width(text, *size) * 5 / 4 <= room);
    (least..=most).rev().find(fits).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::{BOTTOM, Bar, BarChart, LEFT, LOWEST, RIGHT, TOP, bars, letters, places};

    fn bar(label: &str, value: f64) -> Bar {
        Bar { label: label.to_owned(), value, value_text: format!("{value}") }
    }

    fn drawn(of: &[Bar]) -> String {
        let (across, up) = ("land impact", "objects");
        bars(&BarChart { heading: "Bars", conditions: "a < b", across, up, bars: of })
            .expect("drawn")
    }

    #[test]
    fn each_bar_has_its_label_and_its_value() {
        let svg = drawn(&[bar("1", 300.0), bar("2", 0.0), bar("3–4", 1.0)]);
        assert!(svg.starts_with("<svg width=\"1200\" height=\"700\""), "{svg}");
        for part in ["3–4", "300", "a &lt; b", "land impact", "objects"] {
            assert!(svg.contains(part), "no {part:?} in {svg}");
        }
        assert_eq!(svg.matches("#2563EB").count(), 2, "what is 0 has no bar: {svg}");
    }

    #[test]
    fn heights_are_proportional_and_positive_values_are_visible() {
        let of = [bar("a", 8.0), bar("b", 4.0), bar("c", 1e-9), bar("d", 0.0)];
        let heights: Vec<_> = places(&of).iter().map(|place| place.height).collect();
        assert_eq!(heights, [BOTTOM - TOP, (BOTTOM - TOP) / 2, LOWEST, 0]);
    }

    #[test]
    fn bars_keep_to_the_picture_and_apart() {
        for count in [1, 2, 24, 100] {
            let of = vec![bar("a long label", 1.0); count];
            let places = places(&of);
            assert!(places.iter().all(|place| place.left >= LEFT && place.right <= RIGHT));
            assert!(places.windows(2).all(|pair| pair[0].right < pair[1].left), "{count}");
        }
        assert!(letters(&[bar("32 769–65 536", 1.0)], 100) < letters(&[bar("1", 1.0)], 100));
    }

    #[test]
    fn empty_and_invalid_values_are_drawn() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 1e300].map(|value| bar("odd", value));
        for of in [&[][..], &odd, &vec![bar("", 1.0); 10_000]] {
            assert!(drawn(of).contains("</svg>"));
        }
    }
}
