//! The squares of a region that a parcel has.
//!
//! Source: `OpenSimulator`, `LandObject.cs` (`ConvertLandBitmapToBytes`, `ConvertBytesToLandBitmap`):
//! a bit for each square of 4 m, row by row from the south and each from the west, the lowest bit of
//! a byte first. Regions are square, and their side follows from the number of bits.

use crate::problem::Problem;

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
