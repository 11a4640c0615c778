//! What a packer looks at beside the document: values whose shape only it knows.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::JsonError;

/// Parts of the same JSON as they are written. What becomes of them is paid by whoever parses them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Parts<'a> {
    /// The list of meshes.
    #[serde(borrow, default)]
    pub meshes: Option<&'a RawValue>,
    /// The list of materials.
    #[serde(borrow, default)]
    pub materials: Option<&'a RawValue>,
    /// The list of textures.
    #[serde(borrow, default)]
    pub textures: Option<&'a RawValue>,
    /// The list of samplers.
    #[serde(borrow, default)]
    pub samplers: Option<&'a RawValue>,
    /// The list of images.
    #[serde(borrow, default)]
    pub images: Option<&'a RawValue>,
    /// The list of animations.
    #[serde(borrow, default)]
    pub animations: Option<&'a RawValue>,
    /// The list of cameras.
    #[serde(borrow, default)]
    pub cameras: Option<&'a RawValue>,
    /// The object of extensions of the file as a whole.
    #[serde(borrow, default)]
    pub extensions: Option<&'a RawValue>,
}

impl<'a> Parts<'a> {
    /// Finds the parts in the JSON of a file.
    pub(crate) fn find(json: &'a [u8]) -> Result<Self, JsonError> {
        serde_json::from_slice(json).map_err(JsonError::new)
    }
}
