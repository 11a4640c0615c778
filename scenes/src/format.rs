//! Which format a file is in.

use std::path::Path;

use crate::streamed_sog::is_index;

/// A format that scenes are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A text of views, modules and actors.
    Toml,
    /// A .glb or .gltf file.
    Gltf,
    /// The index of a Streamed SOG.
    StreamedSog,
}

impl Format {
    /// The format of a file, by what is in it and its name: what begins as a .glb file or as JSON is glTF,
    /// whatever it is called, unless it has `lodLevels` at its top. TOML unless it is said to be another.
    ///
    /// # Examples
    /// ```
    /// use lodger_scenes::Format;
    ///
    /// assert_eq!(Format::of("truck.GLTF", b"{}"), Format::Gltf);
    /// assert_eq!(Format::of("truck", b"glTF\x02"), Format::Gltf);
    /// assert_eq!(Format::of("<stdin>", b"\xef\xbb\xbf\n{ \"asset\": {} }"), Format::Gltf);
    /// assert_eq!(Format::of("lod-meta", b"{ \"lodLevels\": 5, \"tree\": {} }"), Format::StreamedSog);
    /// assert_eq!(Format::of("truck.toml", b"budget_ms = 8"), Format::Toml);
    /// ```
    #[must_use]
    pub fn of(name: impl AsRef<Path>, bytes: &[u8]) -> Self {
        let extension = name.as_ref().extension().unwrap_or_default();
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        // No text in TOML begins with a brace.
        if text.starts_with(b"{") && std::str::from_utf8(text).is_ok_and(is_index) {
            return Self::StreamedSog;
        }
        let is_gltf = bytes.starts_with(b"glTF")
            || text.starts_with(b"{")
            || extension.eq_ignore_ascii_case("glb")
            || extension.eq_ignore_ascii_case("gltf");
        if is_gltf { Self::Gltf } else { Self::Toml }
    }
}
