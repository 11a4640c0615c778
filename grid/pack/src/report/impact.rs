//! The land impact of all objects together at every size.

use std::fmt::{self, Write as _};

use lodger_core::cost::ObjectScale;
use lodger_pricing::{Mark, MeshUse, Pricing, SizeRange, SweepPoint};
use lodger_terminal::plot::{self, PlotEvent, PlotPoint, SweepPlot};
use lodger_terminal::{length, tail};

use super::markup::Text;
use super::sheet::{Part, Sheet};

/// The longest side of a prim in metres.
const LONGEST_SIDE: f64 = 64.0;
/// How far the curve goes to both sides, as a factor, as far as prims can be so large.
const REACH: f64 = 16.0;
/// Characters of a name that the heading has room for.
const LONGEST_NAME: usize = 40;

/// The picture; nothing where there is no curve.
pub(super) fn impact(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    let Some((points, chosen)) = points(sheet) else { return Ok(()) };
    let parts = sheet.parts.len();
    let what = if parts == 1 { "the object" } else { "all objects together" };
    let points: Vec<_> = points.iter().map(plot_point).collect();
    let picture = SweepPlot {
        heading: &format!("What {} costs at every size", tail(sheet.name, LONGEST_NAME)),
        conditions: &format!("shape type {}; the levels stay as they are", sheet.shape),
        size: &format!("the longest side of {what}"),
        physics: None,
        points: &points,
        chosen: Some(chosen),
    };
    let Ok(svg) = plot::sweep(&picture) else { return Ok(()) };
    let label = format!(
        "Land impact and its weights of {} over its size, both logarithmic; {} m is marked",
        sheet.name,
        length(chosen)
    );
    let svg =
        svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", Text(&label)), 1);
    writeln!(
        out,
        "<section><h2>Land impact against scale</h2><p>If {what} were resized in the world.</p><div class=\"scroll plot\" tabindex=\"0\">{svg}</div></section>"
    )
}

fn plot_point(point: &SweepPoint) -> PlotPoint {
    let counted = &point.price.assessment;
    PlotPoint {
        size: point.size,
        streaming: counted.streaming,
        physics: counted.physics,
        server: counted.server,
        land_impact: point.land_impact(),
        event: match point.mark {
            Some(Mark::Bend(bend)) => Some(PlotEvent::Bend(bend.label())),
            Some(Mark::Flip) => Some(PlotEvent::Flip),
            Some(Mark::Step { .. }) | None => None,
        },
    }
}

/// What all objects cost at every size, and the size that they have, in metres.
fn points(sheet: &Sheet<'_>) -> Option<(Vec<SweepPoint>, f64)> {
    let pricing = Pricing::new(sheet.rules).ok()?;
    let uses: Vec<_> = sheet.parts.iter().map(|part| part.usage(sheet.shape)).collect();
    let longest = uses.iter().map(|usage: &MeshUse| usage.scale.longest()).fold(0.0, f64::max);
    let whole = ObjectScale::new(sheet.whole().1).ok()?;
    let chosen = whole.longest();
    let most = (LONGEST_SIDE / longest).clamp(1.01, REACH);
    let range = SizeRange::new(chosen / REACH, chosen * most).ok()?;
    let points = match (&sheet.parts[..], &uses[..]) {
        ([Part { mesh, .. }], [usage]) => pricing.sweep(mesh, usage, range),
        (parts, _) => {
            let meshes = parts.iter().map(|part| &part.mesh);
            pricing.sweep_linked(
                &meshes.zip(uses.iter().copied()).collect::<Vec<_>>(),
                whole,
                range,
            )
        }
    };
    Some((points.ok()?, chosen))
}
