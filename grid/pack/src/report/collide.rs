//! What an object collides as.

use std::fmt::{self, Write as _};

use super::figure::{Figure, picture};
use super::markup::{Text, capital, count, digits, metres};
use super::pictures::{Pictures, Subject};
use super::sheet::{Part, Sheet};

/// Its physics shape: pictures, what it would cost as each shape type, and how well it fits.
pub(super) fn physics(
    sheet: &Sheet<'_>,
    index: usize,
    part: &Part<'_>,
    pictures: &Pictures,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<section><h3>Physics</h3><div class=\"row physics\">")?;
    let shape = part.physics;
    let hull = format!("bounding hull <small>{}</small>", vertices(shape.bounding.len()));
    let alt = format!("{}, faint, within its bounding hull", part.name);
    let figure = Figure { alt: &alt, caption: &hull, ..Figure::default() };
    picture(out, pictures.get(Subject::Hull(index)), &figure)?;
    let (caption, alt) = match &shape.mesh {
        Some(mesh) => (
            format!("physics mesh <small>{}</small>", count(mesh.triangle_count(), "triangle")),
            format!("{}, faint, within its physics mesh", part.name),
        ),
        None => (
            format!(
                "decomposition <small>{} with {}</small>",
                count(shape.parts.len(), "hull"),
                vertices(shape.parts.iter().map(Vec::len).sum())
            ),
            format!("{}, faint, within the hulls of its decomposition", part.name),
        ),
    };
    let figure = Figure { alt: &alt, caption: &caption, ..Figure::default() };
    picture(out, pictures.get(Subject::Shape(index)), &figure)?;
    writeln!(out, "<div>")?;
    table(sheet, part, out)?;
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

fn table(sheet: &Sheet<'_>, part: &Part<'_>, out: &mut String) -> fmt::Result {
    let choices = part.mesh.shape_choices(&part.usage(sheet.shape));
    if choices.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\"><table><caption>What {} would cost as each shape type</caption>\n<thead><tr><th scope=\"col\">Shape type</th><th scope=\"col\">Cost</th><th scope=\"col\">Collides as</th><th scope=\"col\">How sure</th></tr></thead><tbody>",
        Text(part.name)
    )?;
    for choice in choices {
        let provenance = choice.physics.provenance;
        writeln!(
            out,
            "<tr{}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td><span class=\"{provenance}\">{provenance}</span></td></tr>",
            if choice.chosen { " class=\"chosen\"" } else { "" },
            capital(&choice.shape),
            digits(choice.physics.cost),
            choice.made_of,
        )?;
    }
    writeln!(out, "</tbody></table></div>")
}
