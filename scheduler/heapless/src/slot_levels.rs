//! Levels that interrupts read.

use core::sync::atomic::{AtomicU8, Ordering};

use lodger_core::Real;

use crate::columns::Columns;
use crate::plan::Plan;

/// The level of each slot, for readers that cannot have the scene: an interrupt, or another core.
///
/// It takes a byte for each slot and no lock. A reader may see levels of two plans while a plan is copied.
///
/// ```
/// # use lodger_heapless::*;
/// static LEVELS: SlotLevels<4> = SlotLevels::new();
///
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// LEVELS.copy(&scene.tick(Budget::from_ms(0.5)?));
/// // In an interrupt:
/// assert_eq!((LEVELS.level(cape.slot()), LEVELS.level(3)), (1, 0));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug)]
pub struct SlotLevels<const ACTORS: usize>([AtomicU8; ACTORS]);

impl<const ACTORS: usize> Default for SlotLevels<ACTORS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ACTORS: usize> SlotLevels<ACTORS> {
    /// Makes a table in which all levels are 0.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// static LEVELS: SlotLevels<4> = SlotLevels::new();
    /// assert_eq!(LEVELS.level(0), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self([const { AtomicU8::new(0) }; ACTORS])
    }

    /// Copies the levels of a plan, as [`Plan::levels_by_slot`] returns them.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let levels = SlotLevels::new();
    /// levels.copy(&scene.tick(Budget::UNLIMITED));
    /// assert_eq!(levels.level(cape.slot()), 2);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn copy<N: Real, const MODULES: usize, const COSTS: usize, C: Columns>(
        &self,
        plan: &Plan<'_, N, MODULES, ACTORS, COSTS, C>,
    ) {
        for (place, level) in self.0.iter().zip(plan.levels_by_slot()) {
            place.store(level, Ordering::Relaxed);
        }
    }

    /// Returns the level of a slot; 0 for a slot that the last copied plan did not have.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let levels = SlotLevels::new();
    /// levels.copy(&scene.tick(Budget::from_ms(0.5)?));
    /// assert_eq!(levels.level(cape.slot()), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn level(&self, slot: usize) -> u8 {
        self.0.get(slot).map_or(0, |level| level.load(Ordering::Relaxed))
    }
}

#[cfg(feature = "defmt")]
impl<const ACTORS: usize> defmt::Format for SlotLevels<ACTORS> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "SlotLevels({=usize} slots)", ACTORS);
    }
}
