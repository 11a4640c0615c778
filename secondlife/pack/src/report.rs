//! An HTML report of a packed model.
//!
//! The page is self-contained, without a script; its pictures are embedded PNGs, drawn by a
//! software rasteriser in the sizes of a viewer with a field of view of 60° in a window 1 080
//! pixels high. Objects are opaque, in the base colours of their materials, with back faces only
//! for double-sided materials.

mod camera;
mod data;
mod head;
mod markup;
mod object;
mod pictures;
mod raster;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write as _};

use lodger_quota::{Quota, QuotaExceeded};

use crate::model::Model;
use crate::packing::{PackProgress, PackedModel};
use crate::report::data::ReportData;
use camera::{FIELD_OF_VIEW_DEGREES, WINDOW_HEIGHT};
use markup::HtmlText;
use pictures::{MAX_DRAWN, PictureSet, PictureSizes};

const STYLE: &str = include_str!("report/page.css");
const MAX_SECTIONS: usize = 200;

/// Renders the report. Only the first 20 objects have pictures, and only the first 200 a section.
/// rayon's threads share the work.
///
/// # Errors
///
/// The pictures need more work than the quota has.
pub fn render_report(
    model: &Model,
    packed: &PackedModel,
    quota: &Quota,
    progress: &(dyn Fn(PackProgress<'_>) + Sync),
) -> Result<String, QuotaExceeded> {
    let data = ReportData::new(model, packed);
    let sizes = PictureSizes::for_objects(data.parts.len());
    let drawn = |pictures, all| progress(PackProgress::Draw(pictures, all));
    let pictures = PictureSet::draw(&data, sizes, quota, &drawn)?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&data, &pictures, &mut out);
    Ok(out)
}

fn write_page(data: &ReportData<'_>, pictures: &PictureSet, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}: lodger pack</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
        HtmlText(&data.model.name)
    )?;
    head::head(data, pictures, out)?;
    writeln!(out, "<main>")?;
    for index in 0..data.parts.len().min(MAX_SECTIONS) {
        object::object(data, index, pictures, out)?;
    }
    head::impact(data, out)?;
    writeln!(out, "</main>")?;
    foot(data, out)?;
    writeln!(out, "</body>\n</html>")
}

fn foot(data: &ReportData<'_>, out: &mut String) -> fmt::Result {
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
    if data.parts.len() > MAX_DRAWN {
        writeln!(out, "<p>Of {} objects, {MAX_DRAWN} are drawn.</p>", data.parts.len())?;
    }
    writeln!(out, "</footer>")
}
