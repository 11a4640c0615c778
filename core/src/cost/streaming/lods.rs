//! Four levels of detail, and substitutes for missing ones.

use core::fmt;

/// A LOD of a mesh asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MeshLod {
    /// Shown far away.
    Lowest,
    /// The third highest.
    Low,
    /// The second highest.
    Medium,
    /// Shown close by; every asset has it.
    High,
}

impl MeshLod {
    /// All LODs, lowest first.
    pub const ALL: [Self; 4] = [Self::Lowest, Self::Low, Self::Medium, Self::High];
}

impl fmt::Display for MeshLod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Lowest => "lowest",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        })
    }
}

/// A value for each of the four LODs.
///
/// `PerLod<i32>` holds the sizes in bytes of an asset's header; a LOD of size 0 or less is missing.
///
/// # Examples
/// ```
/// # use lodger_core::cost::streaming::{PerLod, MeshLod};
/// let bytes = PerLod { lowest: 0, low: 500, medium: 2_000, high: 9_000 };
/// assert_eq!((bytes.of(MeshLod::Low), bytes.bytes_total()), (500, 11_500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PerLod<T> {
    /// The value of [`MeshLod::Lowest`].
    pub lowest: T,
    /// The value of [`MeshLod::Low`].
    pub low: T,
    /// The value of [`MeshLod::Medium`].
    pub medium: T,
    /// The value of [`MeshLod::High`].
    pub high: T,
}

impl<T: Copy> PerLod<T> {
    /// Returns a LOD's value.
    pub fn of(self, lod: MeshLod) -> T {
        match lod {
            MeshLod::Lowest => self.lowest,
            MeshLod::Low => self.low,
            MeshLod::Medium => self.medium,
            MeshLod::High => self.high,
        }
    }

    /// Replaces a LOD's value.
    #[must_use]
    pub fn with(mut self, lod: MeshLod, value: T) -> Self {
        match lod {
            MeshLod::Lowest => self.lowest = value,
            MeshLod::Low => self.low = value,
            MeshLod::Medium => self.medium = value,
            MeshLod::High => self.high = value,
        }
        self
    }

    /// Returns the values, lowest LOD first.
    pub fn to_array(self) -> [T; 4] {
        [self.lowest, self.low, self.medium, self.high]
    }

    /// Applies a function to each value.
    #[inline]
    pub fn map<U>(self, mut function: impl FnMut(T) -> U) -> PerLod<U> {
        PerLod {
            lowest: function(self.lowest),
            low: function(self.low),
            medium: function(self.medium),
            high: function(self.high),
        }
    }

    #[inline]
    pub(super) fn zip<U: Copy, V>(
        self,
        other: PerLod<U>,
        mut function: impl FnMut(T, U) -> V,
    ) -> PerLod<V> {
        PerLod {
            lowest: function(self.lowest, other.lowest),
            low: function(self.low, other.low),
            medium: function(self.medium, other.medium),
            high: function(self.high, other.high),
        }
    }

    /// Sums from the highest LOD down, as the document's listing.
    #[inline]
    pub(super) fn sum(self) -> T
    where
        T: core::ops::Add<Output = T>,
    {
        self.high + self.medium + self.low + self.lowest
    }
}

impl PerLod<i32> {
    /// Returns the sizes for the cost: a missing LOD has the next higher's.
    ///
    /// # Source
    /// Streaming cost document, adjusting for missing LODs.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::PerLod;
    ///
    /// let sizes = PerLod { lowest: 0, low: 700, medium: 0, high: 9000 };
    /// assert_eq!(sizes.substituted(), PerLod { lowest: 700, low: 700, medium: 9000, high: 9000 });
    /// ```
    #[inline]
    #[must_use]
    pub fn substituted(self) -> Self {
        let or = |size: i32, next: i32| if size > 0 { size } else { next };
        let medium = or(self.medium, self.high);
        let low = or(self.low, medium);
        Self { lowest: or(self.lowest, low), low, medium, high: self.high }
    }

    /// Returns the LOD that viewers show for a wanted one: the same, else the next lower present, else the next higher;
    /// `None` without any. The cost assumes the opposite.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{PerLod, MeshLod};
    ///
    /// let sizes = PerLod { lowest: 0, low: 700, medium: 0, high: 9000 };
    /// assert_eq!(sizes.displayed(MeshLod::Medium), Some(MeshLod::Low));
    /// assert_eq!(sizes.displayed(MeshLod::Lowest), Some(MeshLod::Low));
    /// ```
    #[must_use]
    pub fn displayed(self, wanted: MeshLod) -> Option<MeshLod> {
        let there = |lod: &MeshLod| self.of(*lod) > 0;
        let lower = MeshLod::ALL.into_iter().rev().filter(|&lod| lod <= wanted).find(there);
        lower.or_else(|| MeshLod::ALL.into_iter().find(there))
    }

    /// Returns the bytes of the LOD that is [`displayed`](Self::displayed); 0 if no LOD has bytes.
    #[must_use]
    pub fn bytes_visible(self, wanted: MeshLod) -> i32 {
        self.displayed(wanted).map_or(0, |lod| self.of(lod))
    }

    /// Returns the bytes of all present LODs.
    #[must_use]
    pub fn bytes_total(self) -> u64 {
        let sizes = self.map(|size| u64::from(u32::try_from(size).unwrap_or(0)));
        sizes.sum()
    }
}
