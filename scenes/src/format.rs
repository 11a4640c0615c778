//! Text and format of a file.

use std::path::Path;

use crate::error::SceneFileError;
use crate::streamed_sog::is_index;

/// Decodes UTF-8 without its byte order mark, in the memory of `bytes`. Spans of errors refer to the returned text.
///
/// # Errors
/// An error with the offset and line of the first byte that is not UTF-8.
///
/// # Examples
/// ```
/// use lodger_scenes::decode;
///
/// assert_eq!(decode(b"\xef\xbb\xbfbudget_ms = 8".to_vec())?, "budget_ms = 8");
/// let error = decode(b"caf\xe9".to_vec()).expect_err("Latin 1");
/// assert!(error.to_string().starts_with("not UTF-8 text: the byte at offset 3 (line 1)"));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
pub fn decode(bytes: Vec<u8>) -> Result<String, SceneFileError> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..offset].split(|&byte| byte == b'\n').count();
        let place = format!("the byte at offset {offset} (line {line})");
        let refused = SceneFileError::for_file(format!("not UTF-8 text: {place} cannot be read"));
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            refused.with_help("the file looks like UTF-16: save it as UTF-8")
        } else {
            refused
        }
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// A format of scenes.
///
/// # Examples
/// ```
/// use lodger_scenes::SceneFormat;
///
/// assert_eq!(SceneFormat::detect("courtyard.glb", b""), SceneFormat::Gltf);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneFormat {
    /// TOML with views, modules and actors.
    Toml,
    /// A .glb or .gltf file.
    Gltf,
    /// The index of a Streamed SOG.
    StreamedSog,
}

impl SceneFormat {
    /// Detects the format of a file. Content precedes the name: a .glb header or JSON is glTF, and JSON with
    /// `lodLevels` at its top a Streamed SOG. Otherwise the extension decides; the default is TOML.
    ///
    /// # Examples
    /// ```
    /// use lodger_scenes::SceneFormat;
    ///
    /// assert_eq!(SceneFormat::detect("truck.GLTF", b"{}"), SceneFormat::Gltf);
    /// assert_eq!(SceneFormat::detect("truck", b"glTF\x02"), SceneFormat::Gltf);
    /// assert_eq!(SceneFormat::detect("<stdin>", b"\xef\xbb\xbf\n{ \"asset\": {} }"), SceneFormat::Gltf);
    /// assert_eq!(SceneFormat::detect("lod-meta", b"{ \"lodLevels\": 5, \"tree\": {} }"), SceneFormat::StreamedSog);
    /// assert_eq!(SceneFormat::detect("truck.toml", b"budget_ms = 8"), SceneFormat::Toml);
    /// ```
    #[must_use]
    pub fn detect(name: impl AsRef<Path>, bytes: &[u8]) -> Self {
        let extension = name.as_ref().extension().unwrap_or_default();
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        // TOML cannot begin with a brace.
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
