//! An object: how it looks at each level, what each costs, and what it collides as.

use std::fmt::{self, Write as _};

use lodger_core::cost::streaming::{Lods, MeshLod, Streaming};

use super::camera::pixels_per_tangent;
use super::collide::physics;
use super::curve::curve;
use super::figure::{Figure, picture};
use super::image::Image;
use super::markup::{Text, capital, count, digits, metres, size, whole};
use super::pictures::{MOST_DRAWN, Pictures, Subject};
use super::sheet::{HIGHEST_FIRST, Part, Sheet};
use crate::chain::Origin;

/// Pictures whose longer side is shorter are shown enlarged, too, up to the second number of pixels.
const SMALL: (usize, usize) = (170, 240);

/// Writes what there is to know of an object.
pub(super) fn object(
    sheet: &Sheet<'_>,
    index: usize,
    pictures: &Pictures,
    out: &mut String,
) -> fmt::Result {
    let Some(part) = sheet.parts.get(index) else { return Ok(()) };
    writeln!(
        out,
        "<article><h2>{} <small>{}, {}</small></h2>",
        Text(part.name),
        size(part.frame.sides()),
        count(part.materials.len(), "face")
    )?;
    if index < MOST_DRAWN {
        switches(sheet, index, part, pictures, out)?;
        near(index, part, pictures, out)?;
    }
    levels(sheet, part, out)?;
    curve(part, out)?;
    physics(sheet, index, part, pictures, out)?;
    writeln!(out, "</article>")
}

/// Each level at the size at which a viewer begins to show it, beside the source.
fn switches(
    sheet: &Sheet<'_>,
    index: usize,
    part: &Part<'_>,
    pictures: &Pictures,
    out: &mut String,
) -> fmt::Result {
    writeln!(
        out,
        "<section class=\"switches\"><h3>Where a viewer switches</h3><div class=\"row\">"
    )?;
    let distances = part.distances(sheet.rules);
    for lod in HIGHEST_FIRST.into_iter().filter(|lod| *lod != MeshLod::High) {
        let distance = distances.of(lod);
        let pixels = 2.0 * part.radius() / distance.max(f64::MIN_POSITIVE) * pixels_per_tangent();
        writeln!(
            out,
            "<div class=\"switch\"><h4>{} from {} <small>the sphere around it {pixels:.0}\u{a0}pixels high</small></h4>",
            capital(&lod),
            metres(distance)
        )?;
        let pick = part.picks.of(lod);
        let as_source = Figure {
            alt: &format!("{} as the source, {distance:.1} m away", part.name),
            caption: if pick == 0 { "the source itself" } else { "source" },
            ..Figure::default()
        };
        let as_level = Figure {
            alt: &format!("{} at its {lod} level, {distance:.1} m away", part.name),
            caption: &lod.to_string(),
            ..Figure::default()
        };
        let mut figures = vec![(pictures.get(Subject::Far(index, lod, 0)), as_source)];
        if pick != 0 {
            figures.push((pictures.get(Subject::Far(index, lod, pick)), as_level));
        }
        beside(&figures, out)?;
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</div></section>")
}

/// Pictures beside each other, and below them the same enlarged if they are small.
fn beside(figures: &[(Option<&Image>, Figure<'_>)], out: &mut String) -> fmt::Result {
    pair(out, figures.iter().copied())?;
    let sides = figures.iter().filter_map(|(image, _)| *image);
    let longer = sides.map(|image| image.width().max(image.height())).max().unwrap_or(0);
    let times = SMALL.1 / longer.max(1);
    if longer >= SMALL.0 || times < 2 {
        return Ok(());
    }
    let larger =
        |(_, figure): &(_, Figure<'_>)| format!("{}, {times} times larger", figure.caption);
    let captions: Vec<_> = figures.iter().map(larger).collect();
    let larger = figures.iter().zip(&captions).map(|((image, figure), caption)| {
        (*image, Figure { caption, class: "enlarged", enlarged: times, ..*figure })
    });
    pair(out, larger)
}

fn pair<'a>(
    out: &mut String,
    figures: impl IntoIterator<Item = (Option<&'a Image>, Figure<'a>)>,
) -> fmt::Result {
    writeln!(out, "<div class=\"pair\">")?;
    for (image, figure) in figures {
        picture(out, image, &figure)?;
    }
    writeln!(out, "</div>")
}

/// The source and each level from near by, with the edges of their triangles.
fn near(index: usize, part: &Part<'_>, pictures: &Pictures, out: &mut String) -> fmt::Result {
    writeln!(out, "<section><h3>From near by, with edges</h3><div class=\"near\">")?;
    let mut shown: Vec<(usize, String)> = vec![(0, "source".to_owned())];
    for lod in HIGHEST_FIRST {
        let pick = part.picks.of(lod);
        match shown.iter_mut().find(|(candidate, _)| *candidate == pick) {
            Some((_, name)) => write!(name, ", {lod}")?,
            None => shown.push((pick, lod.to_string())),
        }
    }
    for (candidate, name) in shown {
        let level = part.candidates.get(candidate);
        let triangles = level.map_or(0, |candidate| candidate.level.triangle_count());
        let caption = format!("{name} <small>{}</small>", count(triangles, "triangle"));
        let alt = format!("{} from near by: {name}, {triangles} triangles", part.name);
        let figure = Figure { alt: &alt, caption: &caption, ..Figure::default() };
        picture(out, pictures.get(Subject::Near(index, candidate)), &figure)?;
    }
    writeln!(out, "</div></section>")
}

/// The table of levels.
fn levels(sheet: &Sheet<'_>, part: &Part<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<section><h3>Levels of detail</h3><div class=\"scroll\" tabindex=\"0\"><table><caption>What each level of {} costs, and how far it is from the source</caption>",
        Text(part.name)
    )?;
    writeln!(
        out,
        "<thead><tr><th scope=\"col\">Level</th><th scope=\"col\">Shown from</th><th scope=\"col\">Triangles</th><th scope=\"col\">Vertices</th><th scope=\"col\">Bytes</th><th scope=\"col\">Streaming</th><th scope=\"col\">Part</th><th scope=\"col\">Error</th><th scope=\"col\">Weight × error</th><th scope=\"col\">Made</th></tr></thead><tbody>"
    )?;
    let streaming = Streaming::<f64>::new(sheet.rules).ok();
    let cost = streaming.map_or(0.0, |streaming| streaming.cost(part.radius(), part.bytes));
    let none = Lods::default();
    let shares =
        streaming.map_or(none, |streaming| streaming.cost_shares(part.radius(), part.bytes));
    let distances = part.distances(sheet.rules);
    for lod in HIGHEST_FIRST {
        let Some(candidate) = part.chosen(lod) else { continue };
        let share = shares.of(lod);
        writeln!(
            out,
            "<tr><th scope=\"row\"><i class=\"key {lod}\"></i>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"share\"><i style=\"width:{:.1}px\"></i>{:.0}\u{a0}%</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            capital(&lod),
            if lod == MeshLod::High { "near by".to_owned() } else { metres(distances.of(lod)) },
            whole(candidate.level.triangle_count()),
            whole(candidate.level.vertex_count()),
            whole(part.bytes.of(lod)),
            digits(cost * share),
            (share * 60.0).clamp(0.0, 60.0),
            share * 100.0,
            metres(candidate.error),
            digits(part.weights.of(lod) * candidate.error),
            made(candidate.origin),
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

/// How a level was made, in words.
fn made(origin: Origin) -> &'static str {
    match origin {
        Origin::Source => "the source",
        Origin::Given => "came with the model",
        Origin::Attributes => "simplified, normals and UVs weighed",
        Origin::Positions => "simplified by positions",
        Origin::Pruned => "simplified, small pieces left out",
        Origin::Sloppy => "simplified without regard to topology",
    }
}
