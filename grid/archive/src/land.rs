//! Which parcel every square of the regions belongs to.

use std::collections::HashMap;
use std::sync::Arc;

use crate::bitmap::Bitmap;

/// Metres along a side of a square (`OpenSimulator`, `Constants.LandUnit`).
const SQUARE: f64 = 4.0;

/// Which parcel every square of the regions belongs to.
#[derive(Debug, Default)]
pub(crate) struct Land {
    /// By the folder of each, which is empty in an archive of one.
    regions: HashMap<Arc<str>, Grid>,
}

/// The squares of a region, row by row: 0 for one that no parcel has, else the number of the parcel
/// counted from 1.
#[derive(Debug, Default)]
struct Grid {
    side: usize,
    parcels: Vec<u32>,
}

impl Land {
    /// The bytes that a bitmap makes the grid of its region grow by.
    pub(crate) fn growth(&self, region: Option<&str>, bitmap: &Bitmap) -> u64 {
        let now = self.regions.get(region.unwrap_or_default()).map_or(0, |grid| grid.parcels.len());
        let then = bitmap.side() * bitmap.side();
        (then.saturating_sub(now) * size_of::<u32>()) as u64
    }

    /// Gives squares to a parcel. Of several that have a square, the last counts, as in
    /// `OpenSimulator` (`LandManagementModule.cs`).
    pub(crate) fn give(&mut self, region: Option<Arc<str>>, bitmap: &Bitmap, parcel: usize) {
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

impl Grid {
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
