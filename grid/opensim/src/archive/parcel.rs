//! The parcels of a region, and the parcel of every square.
//!
//! Source: `OpenSimulator`, `LandObject.cs` (`ConvertLandBitmapToBytes`, `ConvertBytesToLandBitmap`):
//! a bit for each square of 4 m, row by row from the south and each from the west, the lowest bit of
//! a byte first. Regions are square, and their side follows from the number of bits.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;

use crate::archive::error::{Problem, ellipsized};
use crate::archive::xml::{XmlCursor, decoded, identifier, somebody, wrong};

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
pub(crate) fn read_parcel(
    region: Option<Arc<str>>,
    xml: &[u8],
    nesting: usize,
) -> Result<(Parcel, Bitmap), Problem> {
    let text = decoded(xml)?;
    let mut cursor = XmlCursor::new(&text, nesting);
    let root = cursor.root()?;
    if root != LAND {
        return Err(Problem::WrongRoot { root: ellipsized(&root), expected: LAND });
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
    let known = id.map(identifier).and_then(somebody);
    let id = known.ok_or_else(|| wrong("GlobalID", id, "the UUID of a parcel"))?;
    Ok((Parcel { id, region, name, owner: somebody(owner) }, bitmap(bits.as_deref())?))
}

fn bitmap(text: Option<&str>) -> Result<Bitmap, Problem> {
    let bare: Option<String> = text.map(|text| text.split_ascii_whitespace().collect());
    let bytes = bare.and_then(|bare| STANDARD.decode(bare).ok());
    Bitmap::new(bytes.ok_or_else(|| wrong("Bitmap", text, "base64"))?)
}

/// The squares along the side of the largest region: 16 384 m, twice what `OpenSimulator` allows
/// (`Constants.MaximumRegionSize`).
const LONGEST_SIDE: usize = 4096;

/// The squares of a region that a parcel has.
#[derive(Debug)]
pub(crate) struct Bitmap {
    side: usize,
    bytes: Vec<u8>,
}

impl Bitmap {
    /// The squares by their bits.
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self, Problem> {
        let bits = bytes.len().saturating_mul(8);
        let side = bits.isqrt();
        if (1..=LONGEST_SIDE).contains(&side) && side * side == bits {
            Ok(Self { side, bytes })
        } else {
            Err(Problem::Bitmap { bytes: bytes.len() })
        }
    }

    /// How many squares are along a side of the region.
    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// The squares that it has, each by its column and its row.
    pub(crate) fn squares(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let set = self.bytes.iter().enumerate().filter(|(_, byte)| **byte != 0);
        let squares = set.flat_map(|(at, byte)| {
            (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| at * 8 + bit)
        });
        squares.map(|square| (square % self.side, square / self.side))
    }
}

/// Metres along a side of a square (`OpenSimulator`, `Constants.LandUnit`).
const SQUARE: f64 = 4.0;

/// Which parcel every square of the regions belongs to.
#[derive(Debug, Default)]
pub(crate) struct ParcelMap {
    /// By the folder of each, which is empty in an archive of one.
    regions: HashMap<Arc<str>, ParcelGrid>,
}

/// The squares of a region, row by row: 0 for one that no parcel has, else the number of the parcel
/// counted from 1.
#[derive(Debug, Default)]
struct ParcelGrid {
    side: usize,
    parcels: Vec<u32>,
}

impl ParcelMap {
    /// The bytes that a bitmap makes the grid of its region grow by.
    pub(crate) fn growth(&self, region: Option<&str>, bitmap: &Bitmap) -> u64 {
        let now = self.regions.get(region.unwrap_or_default()).map_or(0, |grid| grid.parcels.len());
        let then = bitmap.side() * bitmap.side();
        (then.saturating_sub(now) * size_of::<u32>()) as u64
    }

    /// Gives squares to a parcel. Of several that have a square, the last counts, as in
    /// `OpenSimulator` (`LandManagementModule.cs`).
    pub(crate) fn assign(&mut self, region: Option<Arc<str>>, bitmap: &Bitmap, parcel: usize) {
        let grid = self.regions.entry(region.unwrap_or_default()).or_default();
        grid.grow(bitmap.side());
        let number = u32::try_from(parcel + 1).unwrap_or_default();
        for (x, y) in bitmap.squares() {
            if let Some(square) = grid.parcels.get_mut(y * grid.side + x) {
                *square = number;
            }
        }
    }

    /// The parcel under a position, by its place in the archive.
    pub(crate) fn parcel(&self, region: Option<&str>, position: [f64; 3]) -> Option<usize> {
        let grid = self.regions.get(region.unwrap_or_default())?;
        let [x, y] = [grid.square(position[0])?, grid.square(position[1])?];
        let number = *grid.parcels.get(y * grid.side + x)?;
        usize::try_from(number).ok()?.checked_sub(1)
    }
}

impl ParcelGrid {
    /// Makes room for a region of so many squares a side.
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

    /// The square that so many metres are in, if the region reaches so far.
    #[expect(clippy::cast_possible_truncation, reason = "a region has few squares")]
    #[expect(clippy::cast_sign_loss, reason = "what is negative was refused")]
    #[expect(clippy::cast_precision_loss, reason = "a region has few squares")]
    fn square(&self, metres: f64) -> Option<usize> {
        let square = (metres / SQUARE).floor();
        (square >= 0.0 && square < self.side as f64).then_some(square as usize)
    }
}
