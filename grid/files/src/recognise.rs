//! From the first bytes of a file to its kind.

use std::str;

use lodger_archive::is_tar;

use crate::kind::Kind;
use crate::words;
use crate::xml_root;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The line that may come first in binary LLSD ends within so many bytes, as lodger-mesh-asset reads it.
const HEADER_LINE: usize = 68;
/// The roots of XML in which there are objects (`SceneObjectSerializer`,
/// `CoalescedSceneObjectsSerializer` and the command `save xml` of `OpenSimulator`).
const OF_OBJECTS: [&str; 3] = ["SceneObjectGroup", "CoalescedObject", "scene"];
/// Keys that only glTF has at its top.
const OF_GLTF: [&str; 3] = ["\"asset\"", "\"accessors\"", "\"bufferViews\""];
/// A key that only the index of a Streamed SOG has, which may have an `asset` like glTF.
const OF_STREAMED_SOG: &str = "\"lodLevels\"";
/// Of what is text, only these types are believed: other ones go by two or three letters.
const TEXTUAL: [&str; 4] =
    ["application/pdf", "application/postscript", "application/rtf", "text/html"];

impl Kind {
    /// How many first bytes of a file are looked at.
    pub const LOOKED_AT: usize = 4096;

    /// The kind of a file that begins so, or has no more than this. [`LOOKED_AT`](Self::LOOKED_AT) bytes
    /// are enough; with fewer than 512, no tar file is recognised.
    ///
    /// # Examples
    /// ```
    /// use lodger_files::Kind;
    ///
    /// assert_eq!(Kind::of(b"{\0\0\0\x05k"), Kind::MeshAsset);
    /// assert_eq!(Kind::of(b"<?xml version=\"1.0\"?><SceneObjectGroup>"), Kind::ObjectXml);
    /// assert_eq!(Kind::of(b"glTF\x02\0\0\0").to_string(), "a binary glTF model");
    /// assert_eq!(Kind::of(b"\x89PNG\r\n\x1a\n").to_string(), "a PNG image");
    /// ```
    #[must_use]
    pub fn of(head: &[u8]) -> Self {
        let head = head.get(..Self::LOOKED_AT).unwrap_or(head);
        if head.is_empty() {
            return Self::Empty;
        }
        if is_mesh(head) {
            return Self::MeshAsset;
        }
        if head.starts_with(&GZIP) {
            return Self::Gzip;
        }
        if is_tar(head) {
            return Self::Tar;
        }
        if head.starts_with(b"glTF") {
            return Self::Glb;
        }
        let text = text(head);
        text.and_then(of_text).unwrap_or_else(|| of_others(head, text.is_some()))
    }
}

/// A map of binary LLSD: its count has a first byte of 0, which no text has.
fn is_mesh(head: &[u8]) -> bool {
    head.starts_with(b"{\0") || head.starts_with(b"<?") && has_header_line(head)
}

fn has_header_line(head: &[u8]) -> bool {
    let line = head.get(..HEADER_LINE).unwrap_or(head);
    let end = line.windows(2).position(|pair| pair == b"?>");
    let words = end.and_then(|end| line.get(2..end)).unwrap_or_default();
    words.trim_ascii().eq_ignore_ascii_case(b"llsd/binary")
}

/// The beginning of a text in UTF-8, whose last character may be cut where no more is looked at.
fn text(head: &[u8]) -> Option<&str> {
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && head.len() == Kind::LOOKED_AT => {
            str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_text = !text.is_empty() && !text.contains(is_control);
    is_text.then(|| text.trim_start_matches('\u{feff}'))
}

/// A character that no text has, in any of the usual encodings.
fn is_control(c: char) -> bool {
    c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c' | '\x1b')
}

/// What a text is, if it is of a kind of its own.
fn of_text(text: &str) -> Option<Kind> {
    let text = text.trim_start();
    let after = |start: &str| text.strip_prefix(start).map(str::trim_start);
    if after("[").is_some_and(|rest| rest.starts_with('{')) {
        return Some(Kind::Json);
    }
    if text.starts_with('{') {
        let has = |key: &&str| text.contains(key);
        return Some(match (has(&OF_STREAMED_SOG), OF_GLTF.iter().any(has)) {
            (true, _) => Kind::StreamedSog,
            (false, true) => Kind::Gltf,
            (false, false) => Kind::Json,
        });
    }
    let declared = text.starts_with("<?xml").then_some(Kind::Xml);
    xml_root::root(text).map_or(declared, |root| Some(of_root(root)))
}

fn of_root(root: &str) -> Kind {
    if OF_OBJECTS.contains(&root) {
        Kind::ObjectXml
    } else if root.eq_ignore_ascii_case("html") {
        Kind::Named("an HTML page")
    } else if root == "COLLADA" {
        Kind::Named("a COLLADA model")
    } else {
        Kind::Xml
    }
}

/// What is none of the kinds that have a meaning here.
fn of_others(head: &[u8], is_text: bool) -> Kind {
    if let Some(words) = words::of_magic(head) {
        return Kind::Named(words);
    }
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return Kind::Utf16;
    }
    let mime = infer::get(head).map(|found| found.mime_type());
    match mime.filter(|mime| !is_text || TEXTUAL.contains(mime)) {
        Some(mime) => Kind::Mime(mime),
        None if is_text => Kind::Text,
        None if head.iter().any(|&byte| is_control(char::from(byte))) => Kind::Unknown,
        None => Kind::OtherText,
    }
}
