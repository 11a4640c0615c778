//! The size that was chosen, marked on the curves.

use lodger_opensim::pricing::SweepPoint;
use lodger_terminal::length;
use plotters::prelude::{Circle, PathElement};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color as _, WHITE};

use crate::canvas::{Area, Drawn, INK, INSIDE, anchored, text_width};
use crate::map::Map;

/// The height of a letter.
const LETTERS: i32 = 36;

/// Draws a line at a size and a ring where it meets the land impact, with both beside it.
pub(super) fn draw(area: &Area<'_>, points: &[SweepPoint], map: &Map, size: f64) -> Drawn {
    // The land impact is that of the last point before: it only changes at points.
    let after = points.partition_point(|point| point.size <= size * (1.0 + f64::EPSILON));
    let Some(there) = points.get(after.saturating_sub(1)) else { return Ok(()) };
    let impact = there.land_impact();
    let (x, y) = map.at(size, f64::from(impact));
    area.draw(&PathElement::new([(x, INSIDE.top), (x, INSIDE.bottom)], INK.stroke_width(3)))?;
    area.draw(&Circle::new((x, y), 20, WHITE.filled()))?;
    area.draw(&Circle::new((x, y), 20, INK.stroke_width(5)))?;
    area.draw(&Circle::new((x, y), 9, INK.filled()))?;
    let text = format!("{} m: land impact {impact}", length(size));
    // Curves rise to the right, so that there is more room to the left.
    let (beside, anchor) = if x - 34 - text_width(&text, LETTERS) > INSIDE.left {
        (x - 34, HPos::Right)
    } else {
        (x + 34, HPos::Left)
    };
    let above = (y - 62).max(INSIDE.top + LETTERS);
    anchored(area, (beside, above), &text, (LETTERS, INK, true), anchor)
}

#[cfg(test)]
mod tests {
    use lodger_core::cost::streaming::{Lods, Rules};
    use lodger_opensim::pricing::{Mesh, MeshUse, Pricing, SizeRange};

    use crate::{Picture, svg};

    #[test]
    fn the_chosen_size_is_marked_with_what_it_costs() {
        let viewer = Pricing::new(Rules::VIEWER).expect("rules");
        let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 90_000 });
        let range = SizeRange::new(0.1, 64.0).expect("a range");
        let points = viewer.sweep(&mesh, &MeshUse::default(), range).expect("a sweep");
        let drawn = |chosen| {
            let (heading, conditions, size) = ("A table", "viewer rules", "its side");
            svg(&Picture { heading, conditions, size, physics: None, points: &points, chosen })
                .expect("a picture")
        };
        for (size, side) in [(0.2, "start"), (8.0, "end")] {
            let there = points.iter().rfind(|point| point.size <= size).expect("a point");
            let picture = drawn(Some(size));
            let text = format!("{size} m: land impact {}", there.land_impact());
            let label =
                picture.split("<text").find(|label| label.contains(&text)).expect("a label");
            assert!(label.contains(&format!("text-anchor=\"{side}\"")), "{label}");
        }
        assert!(!drawn(None).contains("m: land impact"));
        assert!(drawn(Some(f64::NAN)).contains("</svg>"));
    }
}
