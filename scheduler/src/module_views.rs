//! Priorities of modules, and their actors in and out of view.

use lodger_core::Real;
use lodger_core::benefit::{OutsideFactor, Priority};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

use crate::bits::ROWS_PER_BLOCK;
use crate::handle::{ActorId, ModuleId, SceneError};
use crate::module_data::ModuleData;
use crate::scene::Scene;

impl<N: Real> Scene<N> {
    /// Sets how much a module matters: a factor of the benefits of all its actors, beside their own
    /// [priorities](Self::set_priority).
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_module_priority(cloth, Priority::new(0.5)?)?;
    /// let benefit = scene.tick().actor(far).map_or(0.0, |plan| plan.benefit.to_f64());
    /// assert!((benefit - 0.063).abs() < 0.001); // half of π/25
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_module_priority(
        &mut self,
        id: ModuleId,
        priority: Priority,
    ) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        if std::mem::replace(&mut module.settings.priority, priority) != priority {
            module.rows.dirty.mark_all();
        }
        Ok(())
    }

    /// Returns how much a module matters.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.module_priority(cloth), Some(Priority::ONE));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn module_priority(&self, id: ModuleId) -> Option<Priority> {
        self.data.module(id).map(|module| module.settings.priority)
    }

    /// Sets the factor of a module's benefits outside of the views' [frusta](crate::View::frustum): 1 by default, for actors
    /// that are simulated wherever they are; 0 for actors that are only drawn.
    ///
    /// At a view that does not see it, an actor's benefit counts that much less. The actor has its greatest benefit at any
    /// view. A benefit that was set is never outside, unless [`set_in_view`](Self::set_in_view) says so.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, cloth, camera) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// // Looks along x, with 90° between the sides.
    /// let view = [[0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    /// let projection = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, -1.0], [0.0, 0.0, -0.2, 0.0]];
    /// scene.set_view(camera, View::from_matrices(view, projection)?.frustum()?)?;
    ///
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// let plan = scene.tick();
    /// let benefits = [near, far].map(|cape| plan.actor(cape).map(|plan| plan.benefit > Benefit::ZERO));
    /// assert_eq!(benefits, [Some(true), Some(false)]); // the far cape is above the view
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_outside(&mut self, id: ModuleId, factor: OutsideFactor) -> Result<(), SceneError> {
        let module = self.data.module_mut(id)?;
        if std::mem::replace(&mut module.settings.outside, factor) != factor {
            module.rows.dirty.mark_all();
        }
        Ok(())
    }

    /// Returns the factor of a module's benefits outside of views.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.outside(cloth), Some(OutsideFactor::ONE));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn outside(&self, id: ModuleId) -> Option<OutsideFactor> {
        self.data.module(id).map(|module| module.settings.outside)
    }

    /// Says which rows of a module are in view, as an engine's own culling found them; replaces the test of the views'
    /// frusta for the module until [`test_views`](Self::test_views).
    ///
    /// Bit i % 64 of word i / 64 is row i, in the order of [`states_mut`](Self::states_mut): set if at least one view sees the
    /// actor. Other bits are ignored. A new actor is in view.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`ValueProblem::TooSmall`] if there are fewer bits than
    /// rows.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// assert_eq!(scene.states_mut(cloth)?.ids().collect::<Vec<_>>(), [near, far]);
    /// scene.set_in_view(cloth, &[0b01])?; // the far cape is behind a wall
    /// assert_eq!(scene.tick().actor(far).map(|plan| plan.benefit), Some(Benefit::ZERO));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_in_view(&mut self, id: ModuleId, bits: &[u64]) -> Result<(), SceneError> {
        let ModuleData { rows, settings, .. } = self.data.module_mut(id)?;
        let len = rows.len();
        if bits.len() < len.div_ceil(ROWS_PER_BLOCK) {
            return Err(ValueError::new(Quantity::Count, ValueProblem::TooSmall).into());
        }
        if !std::mem::replace(&mut settings.is_view_given, true) {
            rows.dirty.mark_all();
        }
        let out_of_view = rows.out_of_view.fill(len);
        for (group, block) in out_of_view.chunks_mut(ROWS_PER_BLOCK).enumerate() {
            for (row, is_out_of_view) in block.iter_mut().enumerate() {
                let now = bits[group] >> row & 1 == 0;
                if std::mem::replace(is_out_of_view, now) != now {
                    rows.dirty.mark(group * ROWS_PER_BLOCK + row);
                }
            }
        }
        Ok(())
    }

    /// Says whether an actor is in view, as [`set_in_view`](Self::set_in_view) says it of all actors of a module. The first
    /// call replaces the test of the views' frusta for the actor's whole module, whose other actors are then in view.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// scene.set_actor_in_view(far, false)?; // the far cape is behind a wall
    /// let plan = scene.tick();
    /// let benefits = [near, far].map(|cape| plan.actor(cape).map(|plan| plan.benefit > Benefit::ZERO));
    /// assert_eq!(benefits, [Some(true), Some(false)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_actor_in_view(&mut self, id: ActorId, is_in_view: bool) -> Result<(), SceneError> {
        let (ModuleData { rows, settings, .. }, row) = self.data.row_mut(id)?;
        let len = rows.len();
        if !std::mem::replace(&mut settings.is_view_given, true) {
            rows.dirty.mark_all();
        }
        if rows.out_of_view.set(row, !is_in_view, len) {
            rows.dirty.mark(row);
        }
        Ok(())
    }

    /// Tests the views' frusta again for a module; see [`set_in_view`](Self::set_in_view).
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// scene.set_in_view(cloth, &[0b01])?;
    /// scene.test_views(cloth)?;
    /// assert!(scene.tick().actor(far).is_some_and(|plan| plan.benefit > Benefit::ZERO)); // no view has a frustum
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn test_views(&mut self, id: ModuleId) -> Result<(), SceneError> {
        let ModuleData { rows, settings, .. } = self.data.module_mut(id)?;
        if std::mem::take(&mut settings.is_view_given) {
            rows.out_of_view.clear();
            rows.dirty.mark_all();
        }
        Ok(())
    }

    /// Whether the views' frusta are tested for a module; false after [`set_in_view`](Self::set_in_view).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.tests_views(cloth), Some(true));
    /// scene.set_actor_in_view(far, false)?;
    /// assert_eq!(scene.tests_views(cloth), Some(false));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn tests_views(&self, id: ModuleId) -> Option<bool> {
        self.data.module(id).map(|module| !module.settings.is_view_given)
    }

    /// Whether a view saw an actor in the last tick. An actor also counts as in view if nothing tests it: without a frustum,
    /// in a module whose factor [outside](Self::set_outside) is 1, or with a benefit that was set.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// scene.set_in_view(cloth, &[0b01])?;
    /// assert_eq!([near, far].map(|cape| scene.is_in_view(cape)), [Some(true), Some(false)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_in_view(&self, id: ActorId) -> Option<bool> {
        let index = usize::from(self.data.location(id).ok()?.module);
        let (ModuleData { rows, settings, .. }, row) = self.data.row(id)?;
        Some(if settings.is_view_given {
            !rows.out_of_view.get(row)
        } else {
            let is_set = rows.benefit_override[row].is_some();
            is_set || self.states[index].sight.is_in_view(row, &self.eyes.lenses)
        })
    }
}
