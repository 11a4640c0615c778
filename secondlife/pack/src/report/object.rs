//! The section of an object: its levels, its collision shape, and the chain as a curve.

use std::fmt::{self, Write as _};

use lodger_core::cost::streaming::{MeshLod, PerLod, StreamingModel};

use crate::lod_chain::LodOrigin;
use crate::lod_selection::DOWNWARD;
use crate::report::camera::pixels_per_tangent;
use crate::report::data::{ObjectData, ReportData};
use crate::report::markup::{Figure, Image, picture};
use crate::report::markup::{HtmlText, capital, count, digits, metres, size, whole};
use crate::report::pictures::{MAX_DRAWN, PictureKind, PictureSet};

const SIZE: (f64, f64) = (640.0, 300.0);
/// The area of the curve.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 616.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 234.0;
/// The height of an error of 0, which a logarithmic axis does not reach.
const NOTHING: f64 = 252.0;

/// Writes the chain as a curve; nothing for fewer than two candidates.
pub(crate) fn curve(part: &ObjectData<'_>, out: &mut String) -> fmt::Result {
    let points: Vec<_> = part.candidates.iter().map(|c| (f64::from(c.bytes), c.error)).collect();
    if points.len() < 2 {
        return Ok(());
    }
    let x = LogAxis::over(points.iter().map(|point| point.0), LEFT, RIGHT);
    let y = LogAxis::over(points.iter().map(|point| point.1), BOTTOM, TOP);
    let at = |(bytes, error): (f64, f64)| {
        (x.place(bytes), if error > 0.0 { y.place(error) } else { NOTHING })
    };
    writeln!(
        out,
        "<section><h3>What could be had</h3><div class=\"scroll\" tabindex=\"0\"><svg class=\"curve\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Error over bytes of the {} candidates of {}, both logarithmic; the chosen ones are marked\">",
        SIZE.0,
        SIZE.1,
        points.len(),
        HtmlText(&part.object.name)
    )?;
    grid(&x, &y, out)?;
    let line: Vec<_> = points.iter().map(|point| at(*point)).collect();
    let path: Vec<_> = line.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    writeln!(out, "<polyline points=\"{}\"/>", path.join(" "))?;
    for (x, y) in &line {
        writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\"/>")?;
    }
    let mut taken = Vec::new();
    for lod in DOWNWARD {
        let Some(&(x, y)) = line.get(part.object.selected.of(lod)) else { continue };
        writeln!(out, "<circle class=\"{lod}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>")?;
        // Stacks the labels of equal candidates.
        let same = taken
            .iter()
            .filter(|&&(tx, ty): &&(f64, f64)| (tx - x).abs() < 70.0 && (ty - y).abs() < 16.0)
            .count();
        let rise = 11.0 + 15.0 * f64::from(u8::try_from(same).unwrap_or(0));
        let anchor = if x > RIGHT - 60.0 { "end" } else { "start" };
        writeln!(
            out,
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            if anchor == "end" { x - 4.0 } else { x + 4.0 },
            y - rise,
            capital(&lod)
        )?;
        taken.push((x, y));
    }
    writeln!(out, "</svg></div></section>")
}

fn grid(x: &LogAxis, y: &LogAxis, out: &mut String) -> fmt::Result {
    for tick in x.ticks() {
        let at = x.place(tick);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole bytes")]
        let bytes = whole(tick as u64);
        writeln!(
            out,
            "<path d=\"M{at:.1} {TOP}V{NOTHING}\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{bytes}</text>",
            NOTHING + 16.0
        )?;
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        writeln!(
            out,
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 7.0,
            at + 4.0,
            metres(tick)
        )?;
    }
    writeln!(
        out,
        "<path class=\"axis\" d=\"M{LEFT} {NOTHING}H{RIGHT}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">0</text>",
        LEFT - 7.0,
        NOTHING + 4.0
    )?;
    writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">bytes of the level</text><text x=\"{:.1}\" y=\"14\">error</text>",
        f64::midpoint(LEFT, RIGHT),
        NOTHING + 38.0,
        LEFT - 56.0
    )
}

struct LogAxis {
    logs: (f64, f64),
    places: (f64, f64),
}

impl LogAxis {
    /// The axis of all values above 0.
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(libm::log10);
        let (min, max) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), log| {
            (min.min(log), max.max(log))
        });
        let logs = match max - min {
            span if span > 1e-3 => (min, max),
            span if span >= 0.0 => (min - 0.5, max + 0.5),
            _ => (0.0, 1.0),
        };
        Self { logs, places: (from, to) }
    }

    fn place(&self, value: f64) -> f64 {
        let (min, max) = self.logs;
        let part = ((libm::log10(value.max(1e-12)) - min) / (max - min)).clamp(0.0, 1.0);
        self.places.0 + part * (self.places.1 - self.places.0)
    }

    /// 1, 2 and 5 times the powers of ten in range; fewer on a long axis.
    fn ticks(&self) -> Vec<f64> {
        let (min, max) = self.logs;
        let steps: &[f64] = match max - min {
            span if span > 3.0 => &[1.0],
            span if span > 1.6 => &[1.0, 3.0],
            _ => &[1.0, 2.0, 5.0],
        };
        #[expect(clippy::cast_possible_truncation, reason = "from -12 to 308")]
        let powers = min.floor() as i32..=max.ceil() as i32;
        let ticks = powers.flat_map(|power| {
            let power = libm::pow(10.0, f64::from(power));
            steps.iter().map(move |step| step * power)
        });
        let within = |tick: &f64| (min - 1e-9..=max + 1e-9).contains(&libm::log10(*tick));
        ticks.filter(within).collect()
    }
}

/// Writes the collision shape: pictures, its cost for each shape type, and its errors.
pub(crate) fn physics(
    data: &ReportData<'_>,
    index: usize,
    part: &ObjectData<'_>,
    pictures: &PictureSet,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<section><h3>Physics</h3><div class=\"row physics\">")?;
    let shape = &part.object.physics;
    let hull = format!("bounding hull <small>{}</small>", vertices(shape.bounding.len()));
    let alt = format!("{}, faint, within its bounding hull", part.object.name);
    let figure = Figure { alt: &alt, caption: &hull, ..Figure::default() };
    picture(out, pictures.get(PictureKind::Hull(index)), &figure)?;
    let (caption, alt) = match &shape.mesh {
        Some(mesh) => (
            format!("physics mesh <small>{}</small>", count(mesh.triangle_count(), "triangle")),
            format!("{}, faint, within its physics mesh", part.object.name),
        ),
        None => (
            format!(
                "decomposition <small>{} with {}</small>",
                count(shape.parts.len(), "hull"),
                vertices(shape.parts.iter().map(Vec::len).sum())
            ),
            format!("{}, faint, within the hulls of its decomposition", part.object.name),
        ),
    };
    let figure = Figure { alt: &alt, caption: &caption, ..Figure::default() };
    picture(out, pictures.get(PictureKind::Shape(index)), &figure)?;
    writeln!(out, "<div>")?;
    table(data, part, out)?;
    writeln!(
        out,
        "<dl><dt>Volume error</dt><dd>{:.1}\u{a0}% of its box</dd><dt>Farthest vertex outside the hull</dt><dd>{}</dd></dl>",
        shape.volume_error * 100.0,
        metres(shape.outside)
    )?;
    writeln!(out, "</div></div></section>")
}

fn vertices(number: usize) -> String {
    if number == 1 { "1\u{a0}vertex".to_owned() } else { format!("{number}\u{a0}vertices") }
}

fn table(data: &ReportData<'_>, part: &ObjectData<'_>, out: &mut String) -> fmt::Result {
    let choices = part.mesh.shape_choices(&part.usage(data.packed.shape));
    if choices.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\"><table><caption>What {} would cost as each shape type</caption>\n<thead><tr><th scope=\"col\">Shape type</th><th scope=\"col\">Cost</th><th scope=\"col\">Collides as</th><th scope=\"col\">How sure</th></tr></thead><tbody>",
        HtmlText(&part.object.name)
    )?;
    for choice in choices {
        let provenance = choice.physics.provenance;
        writeln!(
            out,
            "<tr{}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td><span class=\"{provenance}\">{provenance}</span></td></tr>",
            if choice.chosen { " class=\"chosen\"" } else { "" },
            capital(&choice.shape),
            digits(choice.physics.cost),
            choice.geometry,
        )?;
    }
    writeln!(out, "</tbody></table></div>")
}

/// Pictures with a longer side below the first number of pixels are also shown enlarged, up to the
/// second.
const SMALL: (usize, usize) = (170, 240);

pub(crate) fn object(
    data: &ReportData<'_>,
    index: usize,
    pictures: &PictureSet,
    out: &mut String,
) -> fmt::Result {
    let Some(part) = data.parts.get(index) else { return Ok(()) };
    writeln!(
        out,
        "<article><h2>{} <small>{}, {}</small></h2>",
        HtmlText(&part.object.name),
        size(part.object.frame.sides()),
        count(part.materials.len(), "face")
    )?;
    if index < MAX_DRAWN {
        switches(data, index, part, pictures, out)?;
        near(index, part, pictures, out)?;
    }
    levels(data, part, out)?;
    curve(part, out)?;
    physics(data, index, part, pictures, out)?;
    writeln!(out, "</article>")
}

/// Writes each level at the size at which a viewer begins to show it, beside the source.
fn switches(
    data: &ReportData<'_>,
    index: usize,
    part: &ObjectData<'_>,
    pictures: &PictureSet,
    out: &mut String,
) -> fmt::Result {
    writeln!(
        out,
        "<section class=\"switches\"><h3>Where a viewer switches</h3><div class=\"row\">"
    )?;
    let distances = part.distances(data.packed.rules);
    for lod in DOWNWARD.into_iter().filter(|lod| *lod != MeshLod::High) {
        let distance = distances.of(lod);
        let pixels = 2.0 * part.radius() / distance.max(f64::MIN_POSITIVE) * pixels_per_tangent();
        writeln!(
            out,
            "<div class=\"switch\"><h4>{} from {} <small>the sphere around it {pixels:.0}\u{a0}pixels high</small></h4>",
            capital(&lod),
            metres(distance)
        )?;
        let pick = part.object.selected.of(lod);
        let as_source = Figure {
            alt: &format!("{} as the source, {distance:.1} m away", part.object.name),
            caption: if pick == 0 { "the source itself" } else { "source" },
            ..Figure::default()
        };
        let as_level = Figure {
            alt: &format!("{} at its {lod} level, {distance:.1} m away", part.object.name),
            caption: &lod.to_string(),
            ..Figure::default()
        };
        let mut figures = vec![(pictures.get(PictureKind::Far(index, lod, 0)), as_source)];
        if pick != 0 {
            figures.push((pictures.get(PictureKind::Far(index, lod, pick)), as_level));
        }
        beside(&figures, out)?;
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</div></section>")
}

/// Writes pictures beside each other, and enlarged below if they are small.
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

/// Writes close-ups of the source and each level, with edges.
fn near(
    index: usize,
    part: &ObjectData<'_>,
    pictures: &PictureSet,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<section><h3>From near by, with edges</h3><div class=\"near\">")?;
    let mut shown: Vec<(usize, String)> = vec![(0, "source".to_owned())];
    for lod in DOWNWARD {
        let pick = part.object.selected.of(lod);
        match shown.iter_mut().find(|(candidate, _)| *candidate == pick) {
            Some((_, name)) => write!(name, ", {lod}")?,
            None => shown.push((pick, lod.to_string())),
        }
    }
    for (candidate, name) in shown {
        let level = part.candidates.get(candidate);
        let triangles = level.map_or(0, |candidate| candidate.level.triangle_count());
        let caption = format!("{name} <small>{}</small>", count(triangles, "triangle"));
        let alt = format!("{} from near by: {name}, {triangles} triangles", part.object.name);
        let figure = Figure { alt: &alt, caption: &caption, ..Figure::default() };
        picture(out, pictures.get(PictureKind::Near(index, candidate)), &figure)?;
    }
    writeln!(out, "</div></section>")
}

fn levels(data: &ReportData<'_>, part: &ObjectData<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<section><h3>Levels of detail</h3><div class=\"scroll\" tabindex=\"0\"><table><caption>What each level of {} costs, and how far it is from the source</caption>",
        HtmlText(&part.object.name)
    )?;
    writeln!(
        out,
        "<thead><tr><th scope=\"col\">Level</th><th scope=\"col\">Shown from</th><th scope=\"col\">Triangles</th><th scope=\"col\">Vertices</th><th scope=\"col\">Bytes</th><th scope=\"col\">Streaming</th><th scope=\"col\">Part</th><th scope=\"col\">Error</th><th scope=\"col\">Weight × error</th><th scope=\"col\">Made</th></tr></thead><tbody>"
    )?;
    let streaming = StreamingModel::<f64>::new(data.packed.rules).ok();
    let cost = streaming.map_or(0.0, |streaming| streaming.cost(part.radius(), part.bytes));
    let none = PerLod::default();
    let shares =
        streaming.map_or(none, |streaming| streaming.cost_shares(part.radius(), part.bytes));
    let distances = part.distances(data.packed.rules);
    for lod in DOWNWARD {
        let Some(candidate) = part.selected(lod) else { continue };
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
            digits(part.object.importances.of(lod) * candidate.error),
            origin_text(candidate.origin),
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

fn origin_text(origin: LodOrigin) -> &'static str {
    match origin {
        LodOrigin::Source => "the source",
        LodOrigin::Authored => "came with the model",
        LodOrigin::Attributes => "simplified, normals and UVs weighed",
        LodOrigin::Positions => "simplified by positions",
        LodOrigin::Pruned => "simplified, small pieces left out",
        LodOrigin::Sloppy => "simplified without regard to topology",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equal_ways_and_odd_values_are_held() {
        let axis = LogAxis::over([0.0, 1.0, 100.0, f64::NAN].into_iter(), 0.0, 200.0);
        for (value, place) in [(1.0, 0.0), (10.0, 100.0), (100.0, 200.0), (0.0, 0.0), (1e9, 200.0)]
        {
            assert!((axis.place(value) - place).abs() < 1e-9, "{value}");
        }
        assert_eq!(axis.ticks().len(), 5, "1, 3, 10, 30 and 100");
        for odd in [vec![], vec![0.0], vec![7.0, 7.0], vec![f64::INFINITY]] {
            let axis = LogAxis::over(odd.into_iter(), 10.0, 20.0);
            assert!((10.0..=20.0).contains(&axis.place(7.0)) && axis.ticks().len() < 10);
        }
    }
}
