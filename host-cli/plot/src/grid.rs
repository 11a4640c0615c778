//! Lines at round values.

use lodger_terminal::length;
use plotters::prelude::PathElement;
use plotters::style::Color as _;
use plotters::style::text_anchor::HPos;

use crate::canvas::{Area, Drawn, FAINT, GRID, INK, INSIDE, anchored, write};
use crate::map::Map;

/// Lines at round values, with the values beside them.
pub(super) fn draw(area: &Area<'_>, map: &Map, variable: &str) -> Drawn {
    for tick in map.x.ticks() {
        let x = map.x.pixel(tick);
        line(area, [(x, INSIDE.top), (x, INSIDE.bottom)])?;
        anchored(area, (x, INSIDE.bottom + 36), &length(tick), (34, FAINT, false), HPos::Center)?;
    }
    for tick in map.y.ticks() {
        let y = map.y.pixel(tick);
        line(area, [(INSIDE.left, y), (INSIDE.right, y)])?;
        anchored(area, (INSIDE.left - 18, y), &length(tick), (34, FAINT, false), HPos::Right)?;
    }
    let frame = [(INSIDE.left, INSIDE.bottom), (INSIDE.right, INSIDE.bottom)];
    area.draw(&PathElement::new(frame, FAINT.stroke_width(3)))?;
    let middle = i32::midpoint(INSIDE.left, INSIDE.right);
    let below = format!("size in metres: {variable}");
    anchored(area, (middle, INSIDE.bottom + 104), &below, (38, INK, false), HPos::Center)?;
    write(area, (INSIDE.left - 110, INSIDE.top - 36), "weight", 34, FAINT, false)
}

fn line(area: &Area<'_>, ends: [(i32, i32); 2]) -> Drawn {
    area.draw(&PathElement::new(ends, GRID.stroke_width(2)))?;
    Ok(())
}
