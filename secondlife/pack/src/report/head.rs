//! The head of a report: the model as a whole, and its land impact.

use std::fmt::{self, Write as _};

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::streaming::{MeshLod, PerLod, StreamingModel};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_opensim::pricing::{MeshUse, Pricer, SizeRange, SweepEvent, SweepPoint};
use lodger_terminal::plot::{self, PlotEvent, PlotPoint, SweepPlot};
use lodger_terminal::{length, tail};

use crate::encode::UPLOAD_SIZES;
use crate::report::data::{ObjectData, ReportData};
use crate::report::markup::{Figure, picture};
use crate::report::markup::{HtmlText, capital, count, digits, metres, size, whole};
use crate::report::pictures::{PictureKind, PictureSet};
use crate::resize::MAX_SIDE;

const MAX_NOTES: usize = 60;

pub(crate) fn head(data: &ReportData<'_>, pictures: &PictureSet, out: &mut String) -> fmt::Result {
    writeln!(out, "<header>")?;
    let alt = format!("{} as it was packed, seen from near by", data.model.name);
    picture(
        out,
        pictures.get(PictureKind::Whole),
        &Figure { alt: &alt, class: "hero", ..Figure::default() },
    )?;
    writeln!(
        out,
        "<div><p class=\"eyebrow\">lodger pack</p>\n<h1>{}</h1>",
        HtmlText(&data.model.name)
    )?;
    let reached = data.packed.land_impact.value;
    let requested = data
        .packed
        .requested
        .map_or_else(String::new, |requested| format!("<br><small>asked for: {requested}</small>"));
    writeln!(
        out,
        "<p class=\"impact\"><strong>{reached}</strong> <span>land impact{requested}</span></p>"
    )?;
    weights(data, out)?;
    facts(data, out)?;
    writeln!(out, "</div></header>")?;
    notes(data, out)?;
    if data.parts.len() > 1 { objects(data, out) } else { Ok(()) }
}

fn weights(data: &ReportData<'_>, out: &mut String) -> fmt::Result {
    let uploaded = data.packed.rules.provenance.max(UPLOAD_SIZES);
    let rows = [
        (ObjectWeight::Streaming, data.packed.streaming, data.packed.rules.provenance),
        (ObjectWeight::Physics, data.packed.physics, data.physics_provenance()),
        (ObjectWeight::Server, data.packed.server, Provenance::Documented),
    ];
    let max = rows.iter().map(|row| row.1).fold(f64::MIN_POSITIVE, f64::max);
    writeln!(
        out,
        "<table class=\"weights\"><caption>The greatest weight, rounded, is the land impact</caption>"
    )?;
    writeln!(
        out,
        "<thead><tr><th scope=\"col\">Weight</th><th scope=\"col\">Value</th><td></td><th scope=\"col\">How sure</th></tr></thead><tbody>"
    )?;
    for (weight, value, provenance) in rows {
        let limits = data.packed.land_impact.limited_by == Some(weight);
        writeln!(
            out,
            "<tr class=\"{weight}{}\"><th scope=\"row\">{}{}</th><td>{}</td><td class=\"bar\"><i style=\"width:{:.1}%\"></i></td><td><span class=\"{provenance}\">{provenance}</span></td></tr>",
            if limits { " limits" } else { "" },
            capital(&weight),
            if limits { " <small>decides</small>" } else { "" },
            digits(value),
            (value / max * 100.0).clamp(0.0, 100.0),
        )?;
    }
    writeln!(
        out,
        "</tbody></table>\n<p class=\"facts\">That is for the .llmesh. A viewer compresses uploaded .glb files again: <span class=\"{uploaded}\">{uploaded}</span></p>"
    )
}

fn facts(data: &ReportData<'_>, out: &mut String) -> fmt::Result {
    let source =
        |part: &ObjectData<'_>| part.source().map_or(0, |source| source.level.triangle_count());
    let (_, sides) = data.bounds();
    let bytes: u64 = data.parts.iter().map(|part| part.bytes.bytes_total()).sum();
    writeln!(
        out,
        "<p class=\"facts\"><span>{}</span> <span>{}</span> <span>{}</span> <span>{}</span> <span>{}\u{a0}bytes in all levels</span> <span>shape type {}</span> <span>weight × error {} in all, {} by the viewer’s own split</span></p>",
        size(sides),
        count(data.parts.len(), "object"),
        count(data.model.materials.len(), "material"),
        count(data.parts.iter().map(source).sum(), "triangle"),
        whole(bytes),
        data.packed.shape,
        digits(data.packed.loss),
        digits(data.packed.viewer.loss),
    )
}

fn notes(data: &ReportData<'_>, out: &mut String) -> fmt::Result {
    if data.packed.notes.is_empty() {
        return Ok(());
    }
    let open = if data.packed.notes.len() <= 6 { " open" } else { "" };
    writeln!(
        out,
        "<details class=\"notes\"{open}><summary>{}</summary><ul>",
        count(data.packed.notes.len(), "note")
    )?;
    for note in data.packed.notes.iter().take(MAX_NOTES) {
        writeln!(out, "<li>{}</li>", HtmlText(&note.to_string()))?;
    }
    if data.packed.notes.len() > MAX_NOTES {
        writeln!(out, "<li>and {} more</li>", whole(data.packed.notes.len() - MAX_NOTES))?;
    }
    writeln!(out, "</ul></details>")
}

fn objects(data: &ReportData<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<section><h2>Objects</h2><div class=\"scroll\" tabindex=\"0\"><table><caption>What each object costs, linked with the others</caption>\n<thead><tr><th scope=\"col\">Object</th><th scope=\"col\">Middle, in m</th><th scope=\"col\">Size</th><th scope=\"col\">Triangles</th><th scope=\"col\">Bytes</th><th scope=\"col\">Streaming</th><th scope=\"col\">Physics</th><th scope=\"col\">Greatest error</th></tr></thead><tbody>"
    )?;
    let streaming = StreamingModel::<f64>::new(data.packed.rules).ok();
    for part in &data.parts {
        let cost = streaming.map_or(0.0, |streaming| streaming.cost(part.radius(), part.bytes));
        let triangles = triangles(part);
        let error = MeshLod::ALL.into_iter().filter_map(|lod| part.selected(lod));
        let error = error.map(|candidate| candidate.error).fold(0.0, f64::max);
        writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{} / {} / {} / {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            HtmlText(&part.object.name),
            part.object.frame.centre().map(|at| format!("{at:.3}")).join(", "),
            size(part.object.frame.sides()),
            whole(triangles.high),
            whole(triangles.medium),
            whole(triangles.low),
            whole(triangles.lowest),
            whole(part.bytes.bytes_total()),
            digits(cost),
            digits(part.object.physics.cost),
            metres(error),
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

fn triangles(part: &ObjectData<'_>) -> PerLod<usize> {
    let count = |lod| part.selected(lod).map_or(0, |candidate| candidate.level.triangle_count());
    let [lowest, low, medium, high] = MeshLod::ALL.map(count);
    PerLod { lowest, low, medium, high }
}

/// The range of sizes to both sides, as a factor, as far as prims can be so large.
const REACH: f64 = 16.0;
const MAX_HEADING_NAME: usize = 40;

/// Writes the plot of land impact over size; nothing without a curve.
pub(crate) fn impact(data: &ReportData<'_>, out: &mut String) -> fmt::Result {
    let Some((points, chosen)) = points(data) else { return Ok(()) };
    let parts = data.parts.len();
    let what = if parts == 1 { "the object" } else { "all objects together" };
    let points: Vec<_> = points.iter().map(plot_point).collect();
    let picture = SweepPlot {
        heading: &format!("Costs of {} by size", tail(&data.model.name, MAX_HEADING_NAME)),
        conditions: &format!("shape type {}; the levels stay as they are", data.packed.shape),
        size: &format!("the longest side of {what}"),
        physics: None,
        points: &points,
        chosen: Some(chosen),
    };
    let Ok(svg) = plot::sweep(&picture) else { return Ok(()) };
    let label = format!(
        "Land impact and its weights of {} over its size, both logarithmic; {} m is marked",
        data.model.name,
        length(chosen)
    );
    let svg = svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{}\" ", HtmlText(&label)),
        1,
    );
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
        event: match point.event {
            Some(SweepEvent::Bend(bend)) => Some(PlotEvent::Bend(bend.label())),
            Some(SweepEvent::Flip) => Some(PlotEvent::Flip),
            Some(SweepEvent::Step { .. }) | None => None,
        },
    }
}

/// The costs of all objects over size, and their current size, in metres.
fn points(data: &ReportData<'_>) -> Option<(Vec<SweepPoint>, f64)> {
    let pricer = Pricer::new(data.packed.rules).ok()?;
    let uses: Vec<_> = data.parts.iter().map(|part| part.usage(data.packed.shape)).collect();
    let longest = uses.iter().map(|usage: &MeshUse| usage.scale.longest()).fold(0.0, f64::max);
    let whole = ObjectScale::new(data.bounds().1).ok()?;
    let chosen = whole.longest();
    let max = (MAX_SIDE / longest).clamp(1.01, REACH);
    let range = SizeRange::new(chosen / REACH, chosen * max).ok()?;
    let points = match (&data.parts[..], &uses[..]) {
        ([ObjectData { mesh, .. }], [usage]) => pricer.sweep(mesh, usage, range),
        (parts, _) => {
            let meshes = parts.iter().map(|part| &part.mesh);
            pricer.sweep_linked(&meshes.zip(uses.iter().copied()).collect::<Vec<_>>(), whole, range)
        }
    };
    Some((points.ok()?, chosen))
}
