//! The parcels of a region.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;

use crate::bitmap::Bitmap;
use crate::clip::clipped;
use crate::problem::Problem;
use crate::value::{identifier, somebody, wrong};
use crate::xml::{Cursor, decoded};

const LAND: &str = "LandData";

/// A parcel of a region.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parcel {
    /// Its identifier.
    pub id: Uuid,
    /// The folder of the region, in an archive of several.
    pub region: Option<Arc<str>>,
    /// Its name, or the beginning of a long one; names are not unique.
    pub name: String,
    /// Who owns it.
    pub owner: Option<Uuid>,
}

/// Reads the XML of a parcel, and which squares of its region it has.
/// Source: `OpenSimulator`, `LandDataSerializer.cs`.
pub(crate) fn read(
    region: Option<Arc<str>>,
    xml: &[u8],
    nesting: usize,
) -> Result<(Parcel, Bitmap), Problem> {
    let text = decoded(xml)?;
    let mut cursor = Cursor::new(&text, nesting);
    let root = cursor.root()?;
    if root != LAND {
        return Err(Problem::WrongRoot { root: clipped(&root), expected: LAND });
    }
    let (mut id, mut name, mut owner, mut bits) = (None, String::new(), Uuid::nil(), None);
    cursor.children(|cursor, field| {
        match field {
            "GlobalID" => id = Some(cursor.text()?),
            "Name" => name = clipped(cursor.text()?.trim()),
            "OwnerID" => owner = identifier(&cursor.text()?),
            "Bitmap" => bits = Some(cursor.text()?),
            _ => cursor.skip()?,
        }
        Ok(())
    })?;
    let id = id.as_deref();
    let known = id.map(identifier).and_then(somebody);
    let id = known.ok_or_else(|| wrong("GlobalID", id, "the UUID of a parcel"))?;
    Ok((Parcel { id, region, name, owner: somebody(owner) }, bitmap(bits.as_deref())?))
}

fn bitmap(text: Option<&str>) -> Result<Bitmap, Problem> {
    let bare: Option<String> = text.map(|text| text.split_ascii_whitespace().collect());
    let bytes = bare.and_then(|bare| STANDARD.decode(bare).ok());
    Bitmap::new(bytes.ok_or_else(|| wrong("Bitmap", text, "base64"))?)
}
