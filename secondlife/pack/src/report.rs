//! One HTML page that shows what was made.
//!
//! The page needs nothing else: its pictures are PNGs inside, drawn by a software rasteriser, and it has no
//! script. Sizes of pictures are those of a viewer with a field of view of 60° in a window 1 080 pixels high; an
//! object is drawn in the base colours of its materials, without textures and opaque, back faces left out but for
//! materials that are double-sided.

mod camera;
mod head;
mod image;
mod markup;
mod object;
mod pictures;
mod raster;
#[cfg(test)]
mod sample;
mod sheet;
mod shell;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write as _};

use lodger_quota::{Quota, QuotaExceeded};

use crate::model::Model;
use crate::packing::{Packed, Step};
use camera::{FIELD_OF_VIEW_DEGREES, WINDOW_HEIGHT};
use markup::Text;
use pictures::{MOST_DRAWN, Pictures, Sizes};
use sheet::Sheet;

const STYLE: &str = include_str!("report/page.css");
/// More objects than that have no section of their own.
const MOST_TOLD: usize = 200;

/// The page, with all that it needs inside. More than 20 objects are told of, but not drawn, and more than 200
/// stand in the table of all objects alone. rayon's threads share the work.
///
/// # Errors
/// The pictures take more work than the quota has.
pub fn page(
    model: &Model,
    packed: &Packed,
    quota: &Quota,
    progress: &(dyn Fn(Step<'_>) + Sync),
) -> Result<String, QuotaExceeded> {
    let sheet = Sheet::new(model, packed);
    let sizes = Sizes::of(sheet.parts.len());
    let drawn = |pictures, all| progress(Step::Draw(pictures, all));
    let pictures = Pictures::draw(&sheet, sizes, quota, &drawn)?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&sheet, &pictures, &mut out);
    Ok(out)
}

fn write_page(sheet: &Sheet<'_>, pictures: &Pictures, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}: lodger pack</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
        Text(sheet.name)
    )?;
    head::head(sheet, pictures, out)?;
    writeln!(out, "<main>")?;
    for index in 0..sheet.parts.len().min(MOST_TOLD) {
        object::object(sheet, index, pictures, out)?;
    }
    head::impact(sheet, out)?;
    writeln!(out, "</main>")?;
    foot(sheet, out)?;
    writeln!(out, "</body>\n</html>")
}

/// How the pictures and numbers are meant.
fn foot(sheet: &Sheet<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<footer><p>Pictures have the size that a viewer would show, with a field of view of {FIELD_OF_VIEW_DEGREES}° in a window {WINDOW_HEIGHT} pixels high, \
         at the distances that the streaming cost is computed with; viewers multiply these by a setting of their own. Base colours are shown \
         without textures, opaque; back faces are left out unless a material is double-sided.</p>\n\
         <p>An error is the greatest distance between the surfaces of a level and of the source, both ways, as sampled. Its weight is how \
         long, and from how near, the level is looked at: 2π times the width of the ring in which it is shown.</p>\n\
         <p><span class=\"exact\">exact</span> is computed by the grid, <span class=\"documented\">documented</span> follows a published formula, \
         <span class=\"estimated\">estimated</span> follows one from elsewhere.</p>"
    )?;
    if sheet.parts.len() > MOST_DRAWN {
        writeln!(out, "<p>Of {} objects, {MOST_DRAWN} are drawn.</p>", sheet.parts.len())?;
    }
    writeln!(out, "</footer>")
}
