//! A value as the bytes of a block.

use lodger_mesh_asset::Error;
use lodger_mesh_asset::llsd::Value;

use super::deflate::deflate;

/// Binary LLSD, deflated.
pub(super) fn block(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    Ok(deflate(&value.to_bytes()?)?)
}
