//! The shape of a linkset file, before anything but its types is checked.

use lodger_gltf::Numbers;
use serde::Deserialize;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a linkset")]
pub(super) struct RawLinkset {
    /// `[[object]]`.
    pub(super) object: Option<Vec<RawObject>>,
}

/// A part of the file that is one `[[object]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a linkset")]
pub(super) struct RawObjects {
    pub(super) object: [RawObject; 1],
}

/// One `[[object]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[object]] table")]
pub(super) struct RawObject {
    pub(super) name: String,
    /// `[[object.prim]]`.
    #[serde(default)]
    pub(super) prim: Vec<RawPrim>,
}

/// One `[[object.prim]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[object.prim]] table")]
pub(super) struct RawPrim {
    /// Metres.
    pub(super) position: Numbers<f64, 3>,
    /// Metres.
    pub(super) scale: Numbers<f64, 3>,
}
