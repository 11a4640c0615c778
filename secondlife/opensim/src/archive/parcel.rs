//! Parcels of a region, and the map of squares to parcels.
//!
//! Source: `OpenSimulator`, `LandObject.cs` (`ConvertLandBitmapToBytes`, `ConvertBytesToLandBitmap`): a bit for each
//! 4 m square, rows from south to north, columns from west to east, lowest bit first. Regions are square; the side
//! follows from the number of bits.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;

use crate::archive::error::{ArchiveErrorKind, ellipsized};
use crate::archive::xml::{XmlCursor, decoded, identifier, non_nil, wrong};

const LAND: &str = "LandData";

/// A parcel of a region.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parcel {
    /// UUID of the parcel.
    pub id: Uuid,
    /// Folder of the parcel's region, in an archive of several.
    pub region: Option<Arc<str>>,
    /// Name of the parcel, truncated if long; not unique.
    pub name: String,
    /// Owner of the parcel.
    pub owner: Option<Uuid>,
}

/// Source: `OpenSimulator`, `LandDataSerializer.cs`.
pub(crate) fn read_parcel(
    region: Option<Arc<str>>,
    xml: &[u8],
    nesting: usize,
) -> Result<(Parcel, Bitmap), ArchiveErrorKind> {
    let text = decoded(xml)?;
    let mut cursor = XmlCursor::new(&text, nesting);
    let root = cursor.root()?;
    if root != LAND {
        return Err(ArchiveErrorKind::wrong_root(&root, LAND));
    }
    let (mut id, mut name, mut owner, mut bits) = (None, String::new(), Uuid::nil(), None);
    cursor.children(|cursor, field| {
        match field {
            "GlobalID" => id = Some(cursor.text()?),
            "Name" => name = ellipsized(cursor.text()?.trim()),
            "OwnerID" => owner = identifier(&cursor.text()?),
            "Bitmap" => bits = Some(cursor.text()?),
            _ => cursor.skip()?,
        }
        Ok(())
    })?;
    let id = id.as_deref();
    let known = id.map(identifier).and_then(non_nil);
    let id = known.ok_or_else(|| wrong("GlobalID", id, "the UUID of a parcel"))?;
    Ok((Parcel { id, region, name, owner: non_nil(owner) }, bitmap(bits.as_deref())?))
}

fn bitmap(text: Option<&str>) -> Result<Bitmap, ArchiveErrorKind> {
    let bare: Option<String> = text.map(|text| text.split_ascii_whitespace().collect());
    let bytes = bare.and_then(|bare| STANDARD.decode(bare).ok());
    Bitmap::new(bytes.ok_or_else(|| wrong("Bitmap", text, "base64"))?)
}

/// Maximum side of a region in squares: 16 384 m, twice the maximum of `OpenSimulator`
/// (`Constants.MaximumRegionSize`).
const MAX_SIDE: usize = 4096;

#[derive(Debug)]
pub(crate) struct Bitmap {
    side: usize,
    bytes: Vec<u8>,
}

impl Bitmap {
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self, ArchiveErrorKind> {
        let bits = bytes.len().saturating_mul(8);
        let side = bits.isqrt();
        if (1..=MAX_SIDE).contains(&side) && side * side == bits {
            Ok(Self { side, bytes })
        } else {
            Err(ArchiveErrorKind::invalid(format!(
                "`Bitmap` has {} bytes, but must be a square of bits, one for each 4 m, of at most 16384 m a side",
                bytes.len()
            )))
        }
    }

    /// Owned squares as (column, row).
    pub(crate) fn squares(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let set = self.bytes.iter().enumerate().filter(|(_, byte)| **byte != 0);
        let squares = set.flat_map(|(at, byte)| {
            (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| at * 8 + bit)
        });
        squares.map(|square| (square % self.side, square / self.side))
    }
}

/// Side of a square in metres (`OpenSimulator`, `Constants.LandUnit`).
const SQUARE: f64 = 4.0;

#[derive(Debug, Default)]
pub(crate) struct ParcelMap {
    /// Grids by folder, which is empty in an archive of one region.
    regions: HashMap<Arc<str>, ParcelGrid>,
}

/// Squares of a region, row by row: 0 without a parcel, else the parcel's number counted from 1.
#[derive(Debug, Default)]
struct ParcelGrid {
    side: usize,
    parcels: Vec<u32>,
}

impl ParcelMap {
    pub(crate) fn growth(&self, region: Option<&str>, bitmap: &Bitmap) -> u64 {
        let now = self.regions.get(region.unwrap_or_default()).map_or(0, |grid| grid.parcels.len());
        let then = bitmap.side * bitmap.side;
        (then.saturating_sub(now) * size_of::<u32>()) as u64
    }

    /// Assigns squares to a parcel. A later parcel replaces an earlier one, as in `OpenSimulator`
    /// (`LandManagementModule.cs`).
    pub(crate) fn assign(&mut self, region: Option<Arc<str>>, bitmap: &Bitmap, parcel: usize) {
        let grid = self.regions.entry(region.unwrap_or_default()).or_default();
        grid.grow(bitmap.side);
        let number = u32::try_from(parcel + 1).unwrap_or_default();
        for (x, y) in bitmap.squares() {
            if let Some(square) = grid.parcels.get_mut(y * grid.side + x) {
                *square = number;
            }
        }
    }

    pub(crate) fn parcel(&self, region: Option<&str>, position: [f64; 3]) -> Option<usize> {
        let grid = self.regions.get(region.unwrap_or_default())?;
        let [x, y] = [grid.square(position[0])?, grid.square(position[1])?];
        let number = *grid.parcels.get(y * grid.side + x)?;
        usize::try_from(number).ok()?.checked_sub(1)
    }
}

impl ParcelGrid {
    fn grow(&mut self, side: usize) {
        if side <= self.side {
            return;
        }
        let mut parcels = vec![0; side * side];
        if self.side > 0 {
            let rows = parcels.chunks_exact_mut(side).zip(self.parcels.chunks_exact(self.side));
            rows.for_each(|(wide, narrow)| wide[..self.side].copy_from_slice(narrow));
        }
        *self = Self { side, parcels };
    }

    #[expect(clippy::cast_possible_truncation, reason = "a region has few squares")]
    #[expect(clippy::cast_sign_loss, reason = "negative values are excluded")]
    #[expect(clippy::cast_precision_loss, reason = "a region has few squares")]
    fn square(&self, metres: f64) -> Option<usize> {
        let square = (metres / SQUARE).floor();
        (square >= 0.0 && square < self.side as f64).then_some(square as usize)
    }
}
