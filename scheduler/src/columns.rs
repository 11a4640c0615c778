//! A module's columns, to write before a tick and to read after it.

use std::ops::{Bound, Range, RangeBounds};

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::{Benefit, Real};

use crate::handle::{ActorId, Ids, ModuleId, SceneError};
use crate::plan::Plan;
use crate::rows::ActorRows;
use crate::scene::Scene;
use crate::states::{ModuleStates, UsedFields};

/// Columns of a module, to set in one pass.
///
/// The order of rows has no meaning. It stays unchanged until an actor of the module is spawned,
/// despawned, forced or released. A tick computes the borrowed rows again, set or not: borrow a range if
/// only a few of very many rows change.
impl<N: Real> Scene<N> {
    /// Borrows the states of all actors of a module.
    ///
    /// If only positions change, [`positions_mut`](Self::positions_mut) is faster, because all borrowed
    /// numbers are checked for validity, even numbers without influence on benefits.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// let module = Module::new("sparks", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let sparks = scene.add_module(module)?;
    /// let spark = scene.spawn(sparks, Actor::at([0.0; 3], 0.1, &[0, 5]).key(2))?;
    ///
    /// let heights = [0.0, 1.0, 4.0, 9.0]; // the user's own, by key
    /// let rows = scene.states_mut(sparks)?;
    /// for (key, y) in rows.keys.iter().zip(rows.y) {
    ///     *y = heights[*key as usize];
    /// }
    /// assert_eq!(scene.position(spark), Some([0.0, 4.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states_mut(&mut self, id: ModuleId) -> Result<StatesMut<'_, N>, SceneError> {
        let BorrowedRows { ids, rows, states, range } =
            self.borrow_rows(id, .., UsedFields::ALL)?;
        Ok(StatesMut {
            ids,
            slots: &rows.slot,
            keys: &rows.key,
            x: &mut states.x[range.clone()],
            y: &mut states.y[range.clone()],
            z: &mut states.z[range.clone()],
            age: &mut states.age[range.clone()],
            speed: &mut states.speed[range],
        })
    }

    /// Borrows the positions of some rows of a module; of all for `..`.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`ValueProblem::TooLarge`] for rows beyond
    /// the last, [`ValueProblem::Decreasing`] for a range that ends before it starts.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// let module = Module::new("birds", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let birds = scene.add_module(module)?;
    /// scene.spawn_many(birds, (0..100).map(|key| Actor::at([0.0; 3], 0.1, &[0, 5]).key(key)))?;
    ///
    /// // The wind moves the first 64 rows; the tick computes no others.
    /// scene.tick();
    /// let rows = scene.positions_mut(birds, ..64)?;
    /// rows.x.iter_mut().for_each(|x| *x += 0.25);
    /// scene.tick();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<PositionsMut<'_, N>, SceneError> {
        let borrowed = self.borrow_rows(id, rows, UsedFields::POSITION)?;
        let BorrowedRows { ids, rows, states, range } = borrowed;
        Ok(PositionsMut {
            ids,
            slots: &rows.slot[range.clone()],
            keys: &rows.key[range.clone()],
            x: &mut states.x[range.clone()],
            y: &mut states.y[range.clone()],
            z: &mut states.z[range],
        })
    }

    /// Borrows the ages of some rows of a module, in seconds; of all for `..`.
    ///
    /// # Errors
    /// The errors of [`positions_mut`](Self::positions_mut).
    pub fn ages_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, N>, SceneError> {
        Ok(self.borrow_rows(id, rows, UsedFields::AGE)?.column(|_, states| &mut states.age))
    }

    /// Borrows the speeds of some rows of a module, in metres per second; of all for `..`.
    ///
    /// # Errors
    /// The errors of [`positions_mut`](Self::positions_mut).
    pub fn speeds_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, N>, SceneError> {
        Ok(self.borrow_rows(id, rows, UsedFields::SPEED)?.column(|_, states| &mut states.speed))
    }

    /// Borrows the benefit overrides of some rows of a module; of all for `..`. `None` means a computed
    /// benefit.
    ///
    /// # Errors
    /// The errors of [`positions_mut`](Self::positions_mut).
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// let module = Module::new("sounds", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let sounds = scene.add_module(module)?;
    /// let thunder = scene.spawn(sounds, Actor::from_benefit(Benefit::ZERO, &[0, 5]))?;
    ///
    /// let loudness = |_key| Benefit::MAX; // computed by the mixer
    /// let rows = scene.benefit_overrides_mut(sounds, ..)?;
    /// for (key, benefit) in rows.keys.iter().zip(rows.values) {
    ///     *benefit = Some(loudness(key));
    /// }
    /// assert_eq!(scene.tick().lod(thunder).map(|lod| lod.level()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn benefit_overrides_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, Option<Benefit>>, SceneError> {
        let borrowed = self.borrow_rows(id, rows, UsedFields::NONE)?;
        borrowed.rows.overridden.set_range(borrowed.range.clone());
        borrowed.rows.dirty.mark_range(borrowed.range.clone());
        Ok(borrowed.column(|overrides, _| overrides))
    }

    /// Records that numbers of some rows are borrowed, and returns the rows.
    fn borrow_rows(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
        numbers: UsedFields,
    ) -> Result<BorrowedRows<'_, N>, SceneError> {
        let index = self.data.module_index(id)?;
        let module = &mut self.data.modules[index];
        let range = within(rows, module.rows.len())?;
        if numbers.and(module.used_fields.or(UsedFields::POSITION)).any() {
            module.rows.dirty.mark_range(range.clone());
        }
        module.rows.unchecked.set_range(range.clone());
        module.borrowed_fields = module.borrowed_fields.or(numbers);
        let ids = Ids::new(&self.data.actors, self.data.tag);
        Ok(BorrowedRows { ids, rows: &mut module.rows, states: &mut self.states[index], range })
    }
}

/// Rows with borrowed numbers.
struct BorrowedRows<'a, N: Real> {
    ids: Ids<'a>,
    rows: &'a mut ActorRows,
    states: &'a mut ModuleStates<N>,
    range: Range<usize>,
}

impl<'a, N: Real> BorrowedRows<'a, N> {
    /// Returns one column, a benefit override or a state.
    fn column<T>(
        self,
        column: impl FnOnce(&'a mut Vec<Option<Benefit>>, &'a mut ModuleStates<N>) -> &'a mut Vec<T>,
    ) -> ColumnMut<'a, T> {
        let Self { ids, rows, states, range } = self;
        ColumnMut {
            ids,
            slots: &rows.slot[range.clone()],
            keys: &rows.key[range.clone()],
            values: &mut column(&mut rows.benefit_override, states)[range],
        }
    }
}

/// Checks a range of rows.
fn within(rows: impl RangeBounds<usize>, len: usize) -> Result<Range<usize>, ValueError> {
    let refuse = |problem| ValueError::new(Quantity::Count, problem);
    let beyond = |row: usize| row.checked_add(1).ok_or(refuse(ValueProblem::TooLarge));
    let start = match rows.start_bound() {
        Bound::Included(&row) => row,
        Bound::Excluded(&row) => beyond(row)?,
        Bound::Unbounded => 0,
    };
    let end = match rows.end_bound() {
        Bound::Included(&row) => beyond(row)?,
        Bound::Excluded(&row) => row,
        Bound::Unbounded => len.max(start),
    };
    if start > end {
        Err(refuse(ValueProblem::Decreasing))
    } else if end > len {
        Err(refuse(ValueProblem::TooLarge))
    } else {
        Ok(start..end)
    }
}

/// The states of the actors of a module, a column for each number; see [`Scene::states_mut`].
///
/// The columns are of equal length. An invalid number quarantines its actor.
#[derive(Debug)]
pub struct StatesMut<'a, N> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's keys of the actors.
    pub keys: &'a [u64],
    /// x in metres.
    pub x: &'a mut [N],
    /// y in metres.
    pub y: &'a mut [N],
    /// z in metres.
    pub z: &'a mut [N],
    /// Ages in seconds.
    pub age: &'a mut [N],
    /// Speeds in metres per second.
    pub speed: &'a mut [N],
}

impl<'a, N> StatesMut<'a, N> {
    /// Returns the handles of the actors, row by row.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, N> {
        self.ids.of(self.slots)
    }
}

/// The positions of rows of a module; see [`Scene::positions_mut`].
///
/// The columns are of equal length. An invalid number quarantines its actor.
#[derive(Debug)]
pub struct PositionsMut<'a, N> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's keys of the actors.
    pub keys: &'a [u64],
    /// x in metres.
    pub x: &'a mut [N],
    /// y in metres.
    pub y: &'a mut [N],
    /// z in metres.
    pub z: &'a mut [N],
}

impl<'a, N> PositionsMut<'a, N> {
    /// Returns the handles of the actors, row by row.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, N> {
        self.ids.of(self.slots)
    }
}

/// A column of rows of a module; see [`Scene::ages_mut`], [`Scene::speeds_mut`] and
/// [`Scene::benefit_overrides_mut`].
///
/// The columns are of equal length. An invalid age or speed quarantines its actor.
#[derive(Debug)]
pub struct ColumnMut<'a, T> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's keys of the actors.
    pub keys: &'a [u64],
    /// The values, to be set.
    pub values: &'a mut [T],
}

impl<'a, T> ColumnMut<'a, T> {
    /// Returns the handles of the actors, row by row.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, T> {
        self.ids.of(self.slots)
    }
}

impl<'a, N: Real> Plan<'a, N> {
    /// Returns the plans of all actors of a module, as columns; `None` if the module is from another scene
    /// or no tick has seen it.
    ///
    /// Rows are as in [`Scene::states_mut`]. Right after the tick they are the whole decision; an actor that
    /// was spawned since has a row of zeros, and keys are the latest.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// scene.add_view(View::from_position([0.0; 3])?)?;
    /// let module = Module::new("trees", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let trees = scene.add_module(module)?;
    /// let place = |key: u64| [3.0, 4.0 * key as f32, 0.0];
    /// scene.spawn_many(trees, (0..4).map(|key| Actor::at(place(key), 1.0, &[0, 5]).key(key)))?;
    ///
    /// let mut meshes = [0; 4]; // the user's own, by key
    /// let rows = scene.tick().rows(trees).ok_or("another scene's")?;
    /// for (key, level) in rows.keys.iter().zip(rows.levels) {
    ///     meshes[*key as usize] = *level;
    /// }
    /// assert_eq!(meshes, [1; 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rows(&self, id: ModuleId) -> Option<PlanColumns<'a>> {
        let scene = self.scene();
        let module = scene.module(id)?;
        module.decided?;
        let rows = &module.rows;
        Some(PlanColumns {
            ids: Ids::new(&scene.actors, scene.tag),
            slots: &rows.slot,
            keys: &rows.key,
            levels: &rows.level,
            fractions: &rows.fraction,
            benefits: &rows.benefit,
        })
    }
}

/// The plans of a module's actors, a column for each number; see [`Plan::rows`].
///
/// The columns are of equal length.
#[derive(Debug, Clone, Copy)]
pub struct PlanColumns<'a> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's keys of the actors.
    pub keys: &'a [u64],
    /// The whole levels.
    pub levels: &'a [u8],
    /// The fractions of the way to the next level, in 2⁻¹⁶; 0 unless the module is continuous.
    pub fractions: &'a [u16],
    /// The benefits.
    pub benefits: &'a [Benefit],
}

impl<'a> PlanColumns<'a> {
    /// Returns the handles of the actors, row by row.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a> {
        self.ids.of(self.slots)
    }
}
