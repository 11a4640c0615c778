//! Columns of scenes whose views have a zoom or a frustum.

use core::marker::PhantomData;
use core::ops::Range;

use heapless::Vec;
use lodger_core::benefit::{LensTask, OutsideFactor, Sight};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::view::{Lens, View};
use lodger_core::{Benefit, Real};

use crate::column::{Column, at, exchange, part, part_mut, set};
use crate::columns::{
    Columns, Eyes, KeptOverrides, Lenses, MAX_EYES, ModuleSight, Selection, States, ViewColumns,
    WithMotion, WithOptimal, WithPositions, WithPriorities, WithQualities, WithRules,
    WithTickTimes, WithViews,
};
use crate::handle::{Capacity, ModuleId, SceneError};
use crate::index::RowNumber as _;
use crate::rows::Rows;
use crate::scene::Scene;

/// Other columns with those of views: a radius and a byte for each actor, and 4 bytes for its benefit override.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Viewed<Positions>>::new();
/// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let cloth = scene.add_module(module)?;
/// scene.set_outside(cloth, OutsideFactor::ZERO)?; // capes are only drawn
/// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
///
/// // A camera at the origin that looks along −z, with 90° between its sides.
/// let view = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// let projection = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, -1.0], [0.0, 0.0, -0.2, 0.0]];
/// scene.set_views(&[View::from_matrices(view, projection)?.frustum()?])?;
/// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(0));
/// scene.set_position(cape, [1.0, 0.0, -2.0])?;
/// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(2));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Viewed<C = crate::Everything>(PhantomData<C>);

impl<C: WithPositions> Columns for Viewed<C> {}
impl<C: WithPositions> WithPositions for Viewed<C> {}
impl<C: WithPositions> WithViews for Viewed<C> {}
impl<C: WithMotion> WithMotion for Viewed<C> {}
impl<C: WithPositions + WithOptimal> WithOptimal for Viewed<C> {}
impl<C: WithPositions + WithPriorities> WithPriorities for Viewed<C> {}
impl<C: WithPositions + WithQualities> WithQualities for Viewed<C> {}
impl<C: WithRules> WithRules for Viewed<C> {}
impl<C: WithPositions + WithTickTimes> WithTickTimes for Viewed<C> {}

impl<C: WithPositions> Selection for Viewed<C> {
    type SlotIndex = C::SlotIndex;
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Sight = SightSettings;
    type Views<N: Real, const ACTORS: usize> = LensColumns<N, ACTORS>;
    type ModulePriority = C::ModulePriority;
    type Priorities<const ACTORS: usize> = C::Priorities<ACTORS>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = C::Optimal<COSTS>;
    type Qualities = C::Qualities;
    type Overrides<const ACTORS: usize> = KeptOverrides<ACTORS>;
    type TickCost = C::TickCost;
}

/// The factor of benefits outside of views, and the origin of the rows in view.
#[derive(Debug, Clone)]
pub struct SightSettings {
    outside: OutsideFactor,
    /// Whether the program says which actors are in view.
    is_view_given: bool,
}

impl ModuleSight for SightSettings {
    const NEW: Self = Self { outside: OutsideFactor::ONE, is_view_given: false };

    fn outside(&self) -> OutsideFactor {
        self.outside
    }

    fn set_outside(&mut self, factor: OutsideFactor) {
        self.outside = factor;
    }

    fn set_view_given(&mut self, is_given: bool) {
        self.is_view_given = is_given;
    }
}

#[derive(Debug, Clone)]
pub struct LensColumns<N: Real, const ACTORS: usize> {
    lenses: Lenses<N>,
    radius: Column<N, ACTORS>,
    /// A bit for each view: whether it saw the actor in the last tick, or the actor or the view is new. And [`IN_VIEW`].
    bits: Column<u8, ACTORS>,
}

/// The bit of actors that are in view, where the program says so. Views have the lower bits.
const IN_VIEW: u8 = 1 << 7;

const _: () = assert!(MAX_EYES < 8);

impl<N: Real, const ACTORS: usize> ViewColumns<N, SightSettings> for LensColumns<N, ACTORS> {
    const NEW: Self = Self { lenses: Vec::new(), radius: [N::ZERO; ACTORS], bits: [0; ACTORS] };

    fn add(&mut self, row: usize, radius: N) {
        set(&mut self.radius, row, radius);
        set(&mut self.bits, row, u8::MAX);
    }

    fn exchange(&mut self, a: usize, b: usize) {
        exchange(&mut self.radius, a, b);
        exchange(&mut self.bits, a, b);
    }

    fn set_radius(&mut self, row: usize, radius: N) {
        set(&mut self.radius, row, radius);
    }

    // The smallest Cortex-M have the least flash: all callers share one copy there.
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    fn benefits<R>(
        &mut self,
        &SightSettings { outside, is_view_given }: &SightSettings,
        (states, rule): (&mut impl States<N, R>, &R),
        rows: Range<usize>,
        out: &mut [Benefit],
    ) -> Option<usize> {
        let Self { lenses, radius, bits } = self;
        let bits = part_mut(bits, rows.start, rows.len());
        let (mut views, mut out_of_view) = (lenses.iter().flatten(), [false; ACTORS]);
        let sight = if outside < OutsideFactor::ONE && is_view_given {
            for (out_of_view, bits) in out_of_view.iter_mut().zip(bits) {
                *out_of_view = *bits & IN_VIEW == 0;
            }
            Sight::Given(&out_of_view)
        } else if outside < OutsideFactor::ONE && views.clone().any(Lens::has_frustum) {
            Sight::Tested { bits, stride: 1 }
        } else {
            begin(bits);
            if !views.any(Lens::has_zoom) {
                return states.benefits(rule, rows, out);
            }
            Sight::All
        };
        let task = LensTask { lenses, outside, radius: radius.get(rows.clone())? };
        states.benefits_through(rule, task, sight, rows, out)
    }

    fn overridden<R>(
        &mut self,
        module: &SightSettings,
        states: (&mut impl States<N, R>, &R),
        row: usize,
        given: Benefit,
    ) -> Benefit {
        if !module.is_view_given {
            self.benefits(module, states, row..row.wrapping_add(1), &mut [Benefit::ZERO]);
        } else if at(&self.bits, row) & IN_VIEW == 0 {
            return given.outside(module.outside);
        }
        given
    }

    fn set_in_view(&mut self, row: usize, is_in_view: bool) {
        set(&mut self.bits, row, if is_in_view { u8::MAX } else { !IN_VIEW });
    }

    fn set_eyes(&mut self, eyes: &Eyes<N>) {
        // The positions were checked.
        let lenses = eyes.iter().map(|eye| View::from_position(*eye).ok().map(|view| view.lens()));
        self.set_lenses(lenses.collect());
    }

    fn set_lenses(&mut self, lenses: Lenses<N>) {
        if lenses.len() != self.lenses.len() {
            begin(&mut self.bits);
        }
        self.lenses = lenses;
    }
}

/// Makes rows count as new for all views.
fn begin(bits: &mut [u8]) {
    for bits in bits {
        *bits |= !IN_VIEW;
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithViews>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets the views from which the scene is seen, each at its place in the slice; an actor has its greatest benefit at any of
    /// them. After another number of views, all actors count as new for the margin of a frustum.
    ///
    /// # Errors
    /// [`Capacity::Eyes`] for more than [`MAX_EYES`](crate::MAX_EYES).
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<Fixed, 1, 8, 3, Viewed>::new();
    /// let eye = View::from_position([Fixed::ONE; 3])?;
    /// scene.set_views(&[eye, eye.zoom(4.0)?])?;
    /// assert_eq!(scene.eyes(), [[Fixed::ONE; 3]; 2]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_views(&mut self, views: &[View<N>]) -> Result<(), SceneError> {
        let mut eyes = Eyes::new();
        let mut lenses = Lenses::new();
        for view in views {
            eyes.push(view.position()).map_err(|_| Capacity::Eyes)?;
            lenses.push(Some(view.lens())).map_err(|_| Capacity::Eyes)?;
        }
        self.rows.states.set_eyes(eyes);
        self.rows.views.set_lenses(lenses);
        Ok(())
    }

    /// Sets the factor of a module's benefits outside of the views' frusta: 1 by default, for actors that are simulated
    /// wherever they are; 0 for actors that are only drawn. A benefit override is never outside, unless
    /// [`set_in_view`](Self::set_in_view) says so.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Viewed>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// scene.set_outside(cloth, OutsideFactor::new(0.25)?)?;
    /// assert_eq!(scene.outside(cloth).map(OutsideFactor::to_f64), Some(0.25));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_outside(&mut self, id: ModuleId, factor: OutsideFactor) -> Result<(), SceneError> {
        self.module_mut(id)?.sight.set_outside(factor);
        Ok(())
    }

    /// Says which actors of a module are in view, as a program's own culling found them; replaces the test of the views' frusta
    /// for the module until [`test_views`](Self::test_views).
    ///
    /// Bit i % 32 of word i / 32 is the actor in [slot](crate::ActorId::slot) i: set if at least one view sees the actor. Bits
    /// of other slots are ignored. A new actor is in view. A benefit override counts as outside of view, too.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`SceneError::Invalid`] if an actor of the module has no bit; then nothing changes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Viewed>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// scene.set_eyes(&[[0.0; 3]])?;
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// let cape = Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]);
    /// let [near, hidden] = [scene.spawn(cloth, cape)?, scene.spawn(cloth, cape)?];
    /// scene.set_in_view(cloth, &[0b01])?; // the second cape is behind a wall
    /// let plan = scene.tick(Budget::from_ms(1.0)?);
    /// assert_eq!([near, hidden].map(|cape| plan.level(cape)), [Some(2), Some(0)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_in_view(&mut self, id: ModuleId, bits: &[u32]) -> Result<(), SceneError> {
        let start = self.start(self.module_index(id)?);
        let module = self.module_mut(id)?;
        let rows = module.rows.get();
        let bit = |slot: &C::SlotIndex| {
            let slot = slot.get();
            Some(bits.get(slot / 32)? >> (slot % 32) & 1 == 1)
        };
        let Rows { slot, views, .. } = &mut self.rows;
        let slots = part(slot, start, rows);
        if slots.iter().any(|slot| bit(slot).is_none()) {
            return Err(ValueError::new(Quantity::Count, ValueProblem::TooSmall).into());
        }
        for (row, is_in_view) in (start..).zip(slots.iter().filter_map(bit)) {
            views.set_in_view(row, is_in_view);
        }
        self.module_mut(id)?.sight.set_view_given(true);
        Ok(())
    }

    /// Tests the views' frusta again for a module; see [`set_in_view`](Self::set_in_view). Its actors count as new.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Viewed>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// scene.set_eyes(&[[0.0; 3]])?;
    /// scene.set_outside(cloth, OutsideFactor::ZERO)?;
    /// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
    /// scene.set_in_view(cloth, &[0])?;
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(0));
    /// scene.test_views(cloth)?; // no view has a frustum
    /// assert_eq!(scene.tick(Budget::from_ms(1.0)?).level(cape), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn test_views(&mut self, id: ModuleId) -> Result<(), SceneError> {
        self.module_mut(id)?.sight.set_view_given(false);
        Ok(())
    }

    /// Returns the factor of a module's benefits outside of views.
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Viewed>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// assert_eq!(scene.outside(cloth), Some(OutsideFactor::ONE));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn outside(&self, id: ModuleId) -> Option<OutsideFactor> {
        self.module(id).map(|module| module.sight.outside())
    }
}
