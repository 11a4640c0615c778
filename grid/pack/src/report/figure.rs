//! A picture with its caption.

use std::fmt::{self, Write as _};

use super::image::Image;
use super::markup::Text;

/// How a picture is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figure<'a> {
    /// What it shows, for those who do not see it.
    pub(super) alt: &'a str,
    /// What stands below it; not a stranger's text as it is, but HTML.
    pub(super) caption: &'a str,
    /// Its class.
    pub(super) class: &'a str,
    /// How many pixels of the screen each of its pixels is, in each direction.
    pub(super) enlarged: usize,
}

impl Default for Figure<'_> {
    fn default() -> Self {
        Self { alt: "", caption: "", class: "", enlarged: 1 }
    }
}

/// Writes a picture; nothing if there is none.
pub(super) fn picture(out: &mut String, image: Option<&Image>, shown: &Figure<'_>) -> fmt::Result {
    let Some(image) = image else { return Ok(()) };
    let [width, height] = [image.width(), image.height()].map(|pixels| pixels * shown.enlarged);
    let caption = match shown.caption {
        "" => String::new(),
        caption => format!("<figcaption>{caption}</figcaption>"),
    };
    writeln!(
        out,
        "<figure class=\"{}\"><img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"{}\">{caption}</figure>",
        shown.class,
        image.address(),
        Text(shown.alt),
    )
}
