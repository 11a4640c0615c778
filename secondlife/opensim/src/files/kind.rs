//! Kinds of files by their first bytes.

use std::{fmt, str};

use crate::archive::is_tar;

/// The kind of a file by its first bytes. The text has an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// The file is empty.
    Empty,
    /// A mesh asset, or another map of binary LLSD.
    MeshAsset,
    /// A tar file, as archives are.
    Tar,
    /// A gzip file.
    Gzip,
    /// XML of one or several objects.
    ObjectXml,
    /// Other XML.
    Xml,
    /// Binary glTF.
    Glb,
    /// JSON of glTF.
    Gltf,
    /// JSON index of a Streamed SOG.
    StreamedSog,
    /// Other JSON.
    Json,
    /// UTF-8 text, such as TOML.
    Text,
    /// UTF-16 text.
    Utf16,
    /// Text in another encoding.
    OtherText,
    /// Another kind, by its name with article.
    Named(&'static str),
    /// Another kind, by its MIME type.
    Mime(&'static str),
    /// An unknown kind.
    Unknown,
}

impl FileKind {
    /// Whether the file may be text written for lodger, in any encoding; true for an empty file.
    #[must_use]
    pub const fn may_be_text(self) -> bool {
        matches!(self, Self::Empty | Self::Text | Self::Utf16 | Self::OtherText)
    }

    /// Whether the file contains objects.
    #[must_use]
    pub const fn has_objects(self) -> bool {
        matches!(self, Self::Tar | Self::ObjectXml)
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty",
            Self::MeshAsset => "a mesh asset",
            Self::Tar => "a tar archive",
            Self::Gzip => "a gzip file",
            Self::ObjectXml => "the XML of an object",
            Self::Xml => "an XML document",
            Self::Glb => "a binary glTF model",
            Self::Gltf => "a glTF model",
            Self::StreamedSog => "the index of a Streamed SOG",
            Self::Json => "a JSON document",
            Self::Text => "text",
            Self::Utf16 => "UTF-16 text",
            Self::OtherText => "text that is not UTF-8",
            Self::Named(words) => words,
            Self::Mime(mime) => match of_mime(mime) {
                Some(words) => words,
                None => return write!(f, "a file of the type {mime}"),
            },
            Self::Unknown => "a file of an unknown kind",
        })
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Maximum bytes of the header line of LLSD, as in lodger-mesh-asset.
const HEADER_LINE: usize = 68;
/// Root elements of objects (`SceneObjectSerializer`, `CoalescedSceneObjectsSerializer` and the command `save xml` of
/// `OpenSimulator`).
const OF_OBJECTS: [&str; 3] = ["SceneObjectGroup", "CoalescedObject", "scene"];
/// Top-level keys that only glTF has.
const OF_GLTF: [&str; 3] = ["\"asset\"", "\"accessors\"", "\"bufferViews\""];
/// A key that only the index of a Streamed SOG has, which may have an `asset` as glTF.
const OF_STREAMED_SOG: &str = "\"lodLevels\"";
/// MIME types that are accepted for text; others rely on two or three letters.
const TEXTUAL: [&str; 4] =
    ["application/pdf", "application/postscript", "application/rtf", "text/html"];

impl FileKind {
    /// Number of first bytes that decide the kind.
    pub const SNIFF_BYTES: usize = 4096;

    /// Detects the kind of a file from its first [`SNIFF_BYTES`](Self::SNIFF_BYTES) bytes, or all of fewer. A tar
    /// file needs at least 512.
    ///
    /// # Examples
    /// ```
    /// use lodger_opensim::files::FileKind;
    ///
    /// assert_eq!(FileKind::detect(b"{\0\0\0\x05k"), FileKind::MeshAsset);
    /// assert_eq!(FileKind::detect(b"<?xml version=\"1.0\"?><SceneObjectGroup>"), FileKind::ObjectXml);
    /// assert_eq!(FileKind::detect(b"glTF\x02\0\0\0").to_string(), "a binary glTF model");
    /// assert_eq!(FileKind::detect(b"\x89PNG\r\n\x1a\n").to_string(), "a PNG image");
    /// ```
    #[must_use]
    pub fn detect(head: &[u8]) -> Self {
        let head = head.get(..Self::SNIFF_BYTES).unwrap_or(head);
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

/// Whether the file is a map of binary LLSD: its count has a first byte of 0, unlike text.
fn is_mesh(head: &[u8]) -> bool {
    head.starts_with(b"{\0") || head.starts_with(b"<?") && has_header_line(head)
}

fn has_header_line(head: &[u8]) -> bool {
    let line = head.get(..HEADER_LINE).unwrap_or(head);
    let end = line.windows(2).position(|pair| pair == b"?>");
    let words = end.and_then(|end| line.get(2..end)).unwrap_or_default();
    words.trim_ascii().eq_ignore_ascii_case(b"llsd/binary")
}

/// Decodes UTF-8 text, of which the last character may be cut.
fn text(head: &[u8]) -> Option<&str> {
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && head.len() == FileKind::SNIFF_BYTES => {
            str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_text = !text.is_empty() && !text.contains(is_control);
    is_text.then(|| text.trim_start_matches('\u{feff}'))
}

fn is_control(c: char) -> bool {
    c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c' | '\x1b')
}

fn of_text(text: &str) -> Option<FileKind> {
    let text = text.trim_start();
    let after = |start: &str| text.strip_prefix(start).map(str::trim_start);
    if after("[").is_some_and(|rest| rest.starts_with('{')) {
        return Some(FileKind::Json);
    }
    if text.starts_with('{') {
        let has = |key: &&str| text.contains(key);
        return Some(match (has(&OF_STREAMED_SOG), OF_GLTF.iter().any(has)) {
            (true, _) => FileKind::StreamedSog,
            (false, true) => FileKind::Gltf,
            (false, false) => FileKind::Json,
        });
    }
    let declared = text.starts_with("<?xml").then_some(FileKind::Xml);
    root(text).map_or(declared, |root| Some(of_root(root)))
}

fn of_root(root: &str) -> FileKind {
    if OF_OBJECTS.contains(&root) {
        FileKind::ObjectXml
    } else if root.eq_ignore_ascii_case("html") {
        FileKind::Named("an HTML page")
    } else if root == "COLLADA" {
        FileKind::Named("a COLLADA model")
    } else {
        FileKind::Xml
    }
}

fn of_others(head: &[u8], is_text: bool) -> FileKind {
    if let Some(words) = of_magic(head) {
        return FileKind::Named(words);
    }
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return FileKind::Utf16;
    }
    let mime = infer::get(head).map(|found| found.mime_type());
    match mime.filter(|mime| !is_text || TEXTUAL.contains(mime)) {
        Some(mime) => FileKind::Mime(mime),
        None if is_text => FileKind::Text,
        None if head.iter().any(|&byte| is_control(char::from(byte))) => FileKind::Unknown,
        None => FileKind::OtherText,
    }
}

/// The local name of the root element; `None` if the text is not XML or ends before the root.
pub(crate) fn root(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        let inner = rest.strip_prefix('<')?;
        let after = if inner.starts_with('?') {
            inner.split_once("?>")?.1
        } else if let Some(comment) = inner.strip_prefix("!--") {
            comment.split_once("-->")?.1
        } else if inner.starts_with('!') {
            after_doctype(inner)?
        } else {
            return name(inner);
        };
        rest = after.trim_start();
    }
}

fn after_doctype(inner: &str) -> Option<&str> {
    let end = inner.find(['[', '>'])?;
    let (found, after) = inner.get(end..)?.split_at_checked(1)?;
    if found == ">" { Some(after) } else { after.split_once(']')?.1.split_once('>').map(|it| it.1) }
}

fn name(inner: &str) -> Option<&str> {
    let end = inner.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
    let name = inner.get(..end)?;
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    let is_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let begins = local.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (begins && local.chars().all(is_name)).then_some(local)
}

/// First bytes of kinds that the crate `infer` does not know or only recognises in longer files.
///
/// Source: the start-of-codestream and SIZ markers of JPEG 2000 (ISO/IEC 15444-1, A.4.1), which textures begin with;
/// the first words of FBX, .blend and ELF files.
const MAGICS: [(&[u8], &str); 4] = [
    (b"\xff\x4f\xff\x51", "a JPEG 2000 texture"),
    (b"Kaydara FBX Binary", "an FBX model"),
    (b"BLENDER", "a Blender file"),
    (b"\x7fELF", "an ELF program"),
];

const MIMES: [(&str, &str); 34] = [
    ("application/gzip", "a gzip file"),
    ("application/java", "a Java class"),
    ("application/pdf", "a PDF document"),
    ("application/postscript", "a PostScript document"),
    ("application/rtf", "an RTF document"),
    ("application/vnd.microsoft.portable-executable", "a Windows program"),
    ("application/vnd.rar", "a RAR archive"),
    ("application/vnd.sqlite3", "an SQLite database"),
    ("application/wasm", "a WebAssembly module"),
    ("application/x-7z-compressed", "a 7-Zip archive"),
    ("application/x-bzip2", "a bzip2 file"),
    ("application/x-executable", "a program"),
    ("application/x-mach-binary", "a macOS program"),
    ("application/x-xz", "an xz file"),
    ("application/zip", "a zip archive"),
    ("application/zstd", "a Zstandard file"),
    ("audio/mpeg", "an MP3 sound"),
    ("audio/ogg", "an Ogg sound"),
    ("audio/x-flac", "a FLAC sound"),
    ("audio/x-wav", "a WAV sound"),
    ("image/avif", "an AVIF image"),
    ("image/bmp", "a BMP image"),
    ("image/gif", "a GIF image"),
    ("image/heif", "a HEIF image"),
    ("image/jp2", "a JPEG 2000 texture"),
    ("image/jpeg", "a JPEG image"),
    ("image/jxl", "a JPEG XL image"),
    ("image/png", "a PNG image"),
    ("image/tiff", "a TIFF image"),
    ("image/vnd.adobe.photoshop", "a Photoshop image"),
    ("image/webp", "a WebP image"),
    ("text/html", "an HTML page"),
    ("video/mp4", "an MP4 video"),
    ("video/webm", "a WebM video"),
];

fn of_magic(head: &[u8]) -> Option<&'static str> {
    MAGICS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, words)| *words)
}

fn of_mime(mime: &str) -> Option<&'static str> {
    MIMES.iter().find(|(known, _)| *known == mime).map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn everything_before_the_root_is_skipped() {
        for before in [
            "",
            "\r\n ",
            "<?xml version=\"1.0\"?>\n",
            "<!-- <a> -->",
            "<?xml?><!DOCTYPE x [<!ENTITY a \"b\">]><!-- -->",
            "<!DOCTYPE html>",
        ] {
            assert_eq!(root(&format!("{before}<Root a=\"1\">")), Some("Root"), "{before}");
        }
        assert_eq!(root("<x:Root/>"), Some("Root"));
        for other in ["", "x", "<", "<a", "<1>", "< a>", "<?xml", "<!--", "<!DOCTYPE x [", "<<a>>"]
        {
            assert_eq!(root(other), None, "{other}");
        }
    }
}
