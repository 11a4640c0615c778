//! Four levels of detail, and what stands in for one that is missing.

use core::fmt;

/// One of the four LODs of a mesh asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MeshLod {
    /// Seen from afar.
    Lowest,
    /// The third.
    Low,
    /// The second.
    Medium,
    /// Seen close by; no asset does without it.
    High,
}

impl MeshLod {
    /// From the lowest to the highest.
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
/// As `Lods<i32>` it holds the sizes in bytes that an asset's header gives; a LOD whose size is 0
/// or negative is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lods<T> {
    /// For [`MeshLod::Lowest`].
    pub lowest: T,
    /// For [`MeshLod::Low`].
    pub low: T,
    /// For [`MeshLod::Medium`].
    pub medium: T,
    /// For [`MeshLod::High`].
    pub high: T,
}

impl<T: Copy> Lods<T> {
    /// The value of one LOD.
    pub fn of(self, lod: MeshLod) -> T {
        match lod {
            MeshLod::Lowest => self.lowest,
            MeshLod::Low => self.low,
            MeshLod::Medium => self.medium,
            MeshLod::High => self.high,
        }
    }

    /// The same, but for one LOD.
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

    /// The values from the lowest LOD to the highest, as in [`MeshLod::ALL`].
    pub fn to_array(self) -> [T; 4] {
        [self.lowest, self.low, self.medium, self.high]
    }

    /// Each value by a function.
    #[inline]
    pub fn map<U>(self, mut function: impl FnMut(T) -> U) -> Lods<U> {
        Lods {
            lowest: function(self.lowest),
            low: function(self.low),
            medium: function(self.medium),
            high: function(self.high),
        }
    }

    /// Each pair of values by a function.
    #[inline]
    pub(super) fn zip<U: Copy, V>(
        self,
        other: Lods<U>,
        mut function: impl FnMut(T, U) -> V,
    ) -> Lods<V> {
        Lods {
            lowest: function(self.lowest, other.lowest),
            low: function(self.low, other.low),
            medium: function(self.medium, other.medium),
            high: function(self.high, other.high),
        }
    }

    /// All of them added, from the highest down as the document's listing does.
    #[inline]
    pub(super) fn sum(self) -> T
    where
        T: core::ops::Add<Output = T>,
    {
        self.high + self.medium + self.low + self.lowest
    }
}

impl Lods<i32> {
    /// What the cost is computed from: a missing LOD counts as large as the next higher one.
    ///
    /// # Source
    /// Streaming cost document, adjusting for missing LODs.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::Lods;
    ///
    /// let sizes = Lods { lowest: 0, low: 700, medium: 0, high: 9000 };
    /// assert_eq!(sizes.substituted(), Lods { lowest: 700, low: 700, medium: 9000, high: 9000 });
    /// ```
    #[inline]
    #[must_use]
    pub fn substituted(self) -> Self {
        let or = |size: i32, next: i32| if size > 0 { size } else { next };
        let medium = or(self.medium, self.high);
        let low = or(self.low, medium);
        Self { lowest: or(self.lowest, low), low, medium, high: self.high }
    }

    /// What viewers show where a LOD is wanted: that one, else the next lower that there is, else
    /// the next higher; `None` for an asset without any. The opposite of what the cost assumes.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::streaming::{Lods, MeshLod};
    ///
    /// let sizes = Lods { lowest: 0, low: 700, medium: 0, high: 9000 };
    /// assert_eq!(sizes.displayed(MeshLod::Medium), Some(MeshLod::Low));
    /// assert_eq!(sizes.displayed(MeshLod::Lowest), Some(MeshLod::Low));
    /// ```
    #[must_use]
    pub fn displayed(self, wanted: MeshLod) -> Option<MeshLod> {
        let there = |lod: &MeshLod| self.of(*lod) > 0;
        let lower = MeshLod::ALL.into_iter().rev().filter(|&lod| lod <= wanted).find(there);
        lower.or_else(|| MeshLod::ALL.into_iter().find(there))
    }

    /// The bytes of the LOD that is [`displayed`](Self::displayed); 0 without any.
    #[must_use]
    pub fn bytes_visible(self, wanted: MeshLod) -> i32 {
        self.displayed(wanted).map_or(0, |lod| self.of(lod))
    }

    /// The bytes of all LODs that there are, before any substitution.
    #[must_use]
    pub fn bytes_total(self) -> u64 {
        let sizes = self.map(|size| u64::from(u32::try_from(size).unwrap_or(0)));
        sizes.sum()
    }
}
