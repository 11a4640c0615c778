//! What is written into the picture: where something changes, and the land impact of each step.

use lodger_core::cost::streaming::MeshLod;
use lodger_opensim::pricing::{Bend, Mark, SweepPoint};
use lodger_terminal::length;
use plotters::element::DashedPathElement;
use plotters::prelude::{Circle, PathElement};
use plotters::style::Color as _;
use plotters::style::text_anchor::HPos;

use crate::canvas::{Area, Drawn, FAINT, FLIP, INK, INSIDE, STREAMING, anchored, text_width};
use crate::map::Map;

/// The height of a letter.
const LETTERS: i32 = 32;
/// The lines above the curves, from the lowest up, that a label can stand on.
const LINES: [i32; 3] = [INSIDE.top - 24, INSIDE.top - 66, INSIDE.top - 108];
/// Pixels between two labels on a line.
const GAP: i32 = 24;
/// The narrowest step that has room for its land impact.
const NARROWEST: i32 = 46;

/// Draws a line at every break point and at the flip of the physics, with what it is above it.
pub(super) fn marks(area: &Area<'_>, points: &[SweepPoint], map: &Map) -> Drawn {
    let mut taken = [i32::MIN; LINES.len()];
    for point in points {
        let Some(label) = point.mark.as_ref().and_then(label) else { continue };
        let is_flip = point.mark == Some(Mark::Flip);
        let (x, colour) = (map.x.pixel(point.size), if is_flip { FLIP } else { FAINT });
        let text = format!("{} m: {label}", length(point.size));
        let half = text_width(&text, LETTERS) / 2;
        let centre = x.min(INSIDE.right - half).max(INSIDE.left + half);
        let free = taken.iter().position(|end| end.saturating_add(GAP) < centre - half);
        let line = free.unwrap_or(LINES.len() - 1);
        taken[line] = centre + half;
        let (top, bottom) = (LINES[line] + 20, INSIDE.bottom);
        let style = colour.stroke_width(3);
        area.draw(&DashedPathElement::new([(x, top), (x, bottom)], 10, 10, style))?;
        anchored(area, (centre, LINES[line]), &text, (LETTERS, colour, is_flip), HPos::Center)?;
    }
    for point in points.iter().filter(|point| matches!(point.mark, Some(Mark::Bend(_)))) {
        let at = map.at(point.size, point.price.assessment.streaming);
        area.draw(&Circle::new(at, 9, STREAMING.filled()))?;
    }
    Ok(())
}

/// Writes the land impact above each step that is wide enough, and draws the edges of the steps.
pub(super) fn impacts(area: &Area<'_>, points: &[SweepPoint], map: &Map) -> Drawn {
    for step in points.chunk_by(|a, b| a.land_impact() == b.land_impact()) {
        let (Some(first), Some(last)) = (step.first(), step.last()) else {
            continue;
        };
        let impact = first.land_impact();
        let (left, y) = map.at(first.size, f64::from(impact));
        let right = map.x.pixel(last.size);
        let text = impact.to_string();
        if right - left >= NARROWEST.max(text_width(&text, LETTERS)) {
            // The curve of what limits crosses a step from below: it leaves its left end free.
            anchored(area, (left + 12, y - 26), &text, (LETTERS, INK, true), HPos::Left)?;
        }
        if left > INSIDE.left {
            let tick = [(left, INSIDE.bottom - 12), (left, INSIDE.bottom)];
            area.draw(&PathElement::new(tick, INK.stroke_width(2)))?;
        }
    }
    Ok(())
}

/// What changes at a size, in few words; none for what needs no label, being all but at the same size
/// as another or to be seen anyway.
fn label(mark: &Mark) -> Option<String> {
    match mark {
        Mark::Bend(Bend::Grows(lod)) => Some(format!("{lod} LOD grows")),
        Mark::Bend(Bend::Fills(MeshLod::High)) => Some("high LOD only".to_owned()),
        Mark::Bend(Bend::Fills(MeshLod::Medium)) => Some("no low LOD".to_owned()),
        Mark::Bend(Bend::Fills(_)) => Some("no lowest LOD".to_owned()),
        Mark::Flip => Some("hull ◂ ▸ physics mesh".to_owned()),
        Mark::Bend(Bend::Shut(_)) | Mark::Step { .. } => None,
    }
}
