//! Kinds of files.

use std::fmt;

use crate::words;

/// What a file is by its first bytes. Displayed, it is a few words with their article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// There is nothing in it.
    Empty,
    /// A mesh asset, or another map of binary LLSD.
    MeshAsset,
    /// A tar file, which archives are.
    Tar,
    /// Something compressed with gzip.
    Gzip,
    /// The XML of one or several objects.
    ObjectXml,
    /// Other XML.
    Xml,
    /// Binary glTF.
    Glb,
    /// The JSON of glTF.
    Gltf,
    /// The JSON of a Streamed SOG's index.
    StreamedSog,
    /// Other JSON.
    Json,
    /// Text in UTF-8, as TOML is.
    Text,
    /// Text in UTF-16.
    Utf16,
    /// Text in another encoding.
    OtherText,
    /// Another kind, in words with their article.
    Named(&'static str),
    /// Another kind for which there is only a MIME type.
    Mime(&'static str),
    /// Nothing that is known.
    Unknown,
}

impl Kind {
    /// Whether it may be text that somebody wrote for lodger, though maybe not in UTF-8. An empty file
    /// may be.
    #[must_use]
    pub const fn may_be_text(self) -> bool {
        matches!(self, Self::Empty | Self::Text | Self::Utf16 | Self::OtherText)
    }

    /// Whether it has objects of their own.
    #[must_use]
    pub const fn has_objects(self) -> bool {
        matches!(self, Self::Tar | Self::ObjectXml)
    }
}

impl fmt::Display for Kind {
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
            Self::Mime(mime) => match words::of_mime(mime) {
                Some(words) => words,
                None => return write!(f, "a file of the type {mime}"),
            },
            Self::Unknown => "a file of an unknown kind",
        })
    }
}
