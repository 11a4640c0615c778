//! What is drawn on: where the curves are, in which colours, and texts.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels within which the curves are.
pub(super) const INSIDE: Inside = Inside { left: 150, top: 370, right: 2340, bottom: 1330 };

pub(super) const INK: RGBColor = RGBColor(0x1f, 0x29, 0x37);
pub(super) const FAINT: RGBColor = RGBColor(0x6b, 0x72, 0x80);
pub(super) const GRID: RGBColor = RGBColor(0xe5, 0xe7, 0xeb);
pub(super) const STREAMING: RGBColor = RGBColor(0x25, 0x63, 0xeb);
pub(super) const PHYSICS: RGBColor = RGBColor(0xd9, 0x77, 0x06);
pub(super) const SERVER: RGBColor = RGBColor(0x05, 0x96, 0x69);
pub(super) const FLIP: RGBColor = RGBColor(0xdc, 0x26, 0x26);

/// A rectangle in pixels.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// What is drawn on.
pub(super) type Area<'b> = DrawingArea<SVGBackend<'b>, Shift>;
/// Whether it could be drawn.
pub(super) type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Writes a text that begins at a point, its middle at the point's height.
pub(super) fn write(
    area: &Area<'_>,
    at: (i32, i32),
    text: &str,
    size: i32,
    colour: RGBColor,
    bold: bool,
) -> Drawn {
    anchored(area, at, text, (size, colour, bold), HPos::Left)
}

/// Writes a text beside, or around the middle of, a point.
pub(super) fn anchored(
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
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    let characters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    characters.saturating_mul(size) * 45 / 100
}
