//! The head of the page: the model as a whole, and its land impact.

use std::fmt::{self, Write as _};

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::streaming::{Lods, MeshLod, Streaming};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_opensim::pricing::{MeshUse, Pricing, SizeRange, SweepPoint};
use lodger_plot::Picture;
use lodger_terminal::{length, tail};

use crate::encode::UPLOAD_SIZES;
use crate::report::image::{Figure, picture};
use crate::report::markup::{Text, capital, count, digits, metres, size, whole};
use crate::report::pictures::{Pictures, Subject};
use crate::report::sheet::{Part, Sheet};

/// More notes than that are counted.
const MOST_NOTES: usize = 60;

/// Everything above the objects.
pub(crate) fn head(sheet: &Sheet<'_>, pictures: &Pictures, out: &mut String) -> fmt::Result {
    writeln!(out, "<header>")?;
    let alt = format!("{} as it was packed, seen from near by", sheet.name);
    picture(
        out,
        pictures.get(Subject::Whole),
        &Figure { alt: &alt, class: "hero", ..Figure::default() },
    )?;
    writeln!(out, "<div><p class=\"eyebrow\">lodger pack</p>\n<h1>{}</h1>", Text(sheet.name))?;
    let reached = sheet.land_impact.value;
    let asked = sheet
        .asked
        .map_or_else(String::new, |asked| format!("<br><small>asked for: {asked}</small>"));
    writeln!(
        out,
        "<p class=\"impact\"><strong>{reached}</strong> <span>land impact{asked}</span></p>"
    )?;
    weights(sheet, out)?;
    facts(sheet, out)?;
    writeln!(out, "</div></header>")?;
    notes(sheet, out)?;
    if sheet.parts.len() > 1 { objects(sheet, out) } else { Ok(()) }
}

/// The three weights, how far each can be trusted, and which decides.
fn weights(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    let uploaded = sheet.rules.provenance.max(UPLOAD_SIZES);
    let rows = [
        (ObjectWeight::Streaming, sheet.streaming, sheet.rules.provenance),
        (ObjectWeight::Physics, sheet.physics, sheet.physics_provenance()),
        (ObjectWeight::Server, sheet.server, Provenance::Documented),
    ];
    let most = rows.iter().map(|row| row.1).fold(f64::MIN_POSITIVE, f64::max);
    writeln!(
        out,
        "<table class=\"weights\"><caption>The greatest weight, rounded, is the land impact</caption>"
    )?;
    writeln!(
        out,
        "<thead><tr><th scope=\"col\">Weight</th><th scope=\"col\">Value</th><td></td><th scope=\"col\">How sure</th></tr></thead><tbody>"
    )?;
    for (weight, value, provenance) in rows {
        let limits = sheet.land_impact.limited_by == Some(weight);
        writeln!(
            out,
            "<tr class=\"{weight}{}\"><th scope=\"row\">{}{}</th><td>{}</td><td class=\"bar\"><i style=\"width:{:.1}%\"></i></td><td><span class=\"{provenance}\">{provenance}</span></td></tr>",
            if limits { " limits" } else { "" },
            capital(&weight),
            if limits { " <small>decides</small>" } else { "" },
            digits(value),
            (value / most * 100.0).clamp(0.0, 100.0),
        )?;
    }
    writeln!(
        out,
        "</tbody></table>\n<p class=\"facts\">That is for the .llmesh. A viewer compresses uploaded .glb files again: <span class=\"{uploaded}\">{uploaded}</span></p>"
    )
}

fn facts(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    let source = |part: &Part<'_>| part.source().map_or(0, |source| source.level.triangle_count());
    let (_, sides) = sheet.whole();
    let bytes: u64 = sheet.parts.iter().map(|part| part.bytes.bytes_total()).sum();
    writeln!(
        out,
        "<p class=\"facts\"><span>{}</span> <span>{}</span> <span>{}</span> <span>{}</span> <span>{}\u{a0}bytes in all levels</span> <span>shape type {}</span> <span>weight × error {} in all, {} by the viewer’s own split</span></p>",
        size(sides),
        count(sheet.parts.len(), "object"),
        count(sheet.materials.len(), "material"),
        count(sheet.parts.iter().map(source).sum(), "triangle"),
        whole(bytes),
        sheet.shape,
        digits(sheet.loss),
        digits(sheet.viewer_loss),
    )
}

fn notes(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    if sheet.notes.is_empty() {
        return Ok(());
    }
    let open = if sheet.notes.len() <= 6 { " open" } else { "" };
    writeln!(
        out,
        "<details class=\"notes\"{open}><summary>{}</summary><ul>",
        count(sheet.notes.len(), "note")
    )?;
    for note in sheet.notes.iter().take(MOST_NOTES) {
        writeln!(out, "<li>{}</li>", Text(&note.to_string()))?;
    }
    if sheet.notes.len() > MOST_NOTES {
        writeln!(out, "<li>and {} more</li>", whole(sheet.notes.len() - MOST_NOTES))?;
    }
    writeln!(out, "</ul></details>")
}

/// What each object is, and what part it has.
fn objects(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<section><h2>Objects</h2><div class=\"scroll\" tabindex=\"0\"><table><caption>What each object costs, linked with the others</caption>\n<thead><tr><th scope=\"col\">Object</th><th scope=\"col\">Middle, in m</th><th scope=\"col\">Size</th><th scope=\"col\">Triangles</th><th scope=\"col\">Bytes</th><th scope=\"col\">Streaming</th><th scope=\"col\">Physics</th><th scope=\"col\">Greatest error</th></tr></thead><tbody>"
    )?;
    let streaming = Streaming::<f64>::new(sheet.rules).ok();
    for part in &sheet.parts {
        let cost = streaming.map_or(0.0, |streaming| streaming.cost(part.radius(), part.bytes));
        let triangles = triangles(part);
        let error = MeshLod::ALL.into_iter().filter_map(|lod| part.chosen(lod));
        let error = error.map(|candidate| candidate.error).fold(0.0, f64::max);
        writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{} / {} / {} / {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Text(part.name),
            part.frame.centre().map(|at| format!("{at:.3}")).join(", "),
            size(part.frame.sides()),
            whole(triangles.high),
            whole(triangles.medium),
            whole(triangles.low),
            whole(triangles.lowest),
            whole(part.bytes.bytes_total()),
            digits(cost),
            digits(part.physics.cost),
            metres(error),
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

fn triangles(part: &Part<'_>) -> Lods<usize> {
    let count = |lod| part.chosen(lod).map_or(0, |candidate| candidate.level.triangle_count());
    let [lowest, low, medium, high] = MeshLod::ALL.map(count);
    Lods { lowest, low, medium, high }
}

/// The longest side of a prim in metres.
const LONGEST_SIDE: f64 = 64.0;
/// How far the curve goes to both sides, as a factor, as far as prims can be so large.
const REACH: f64 = 16.0;
/// Characters of a name that the heading has room for.
const LONGEST_NAME: usize = 40;

/// The picture; nothing where there is no curve.
pub(crate) fn impact(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    let Some((points, chosen)) = points(sheet) else { return Ok(()) };
    let parts = sheet.parts.len();
    let what = if parts == 1 { "the object" } else { "all objects together" };
    let picture = Picture {
        heading: &format!("What {} costs at every size", tail(sheet.name, LONGEST_NAME)),
        conditions: &format!("shape type {}; the levels stay as they are", sheet.shape),
        size: &format!("the longest side of {what}"),
        physics: None,
        points: &points,
        chosen: Some(chosen),
    };
    let Ok(svg) = lodger_plot::svg(&picture) else { return Ok(()) };
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
