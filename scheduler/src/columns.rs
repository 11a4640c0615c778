//! A module's columns, to write before a tick and to read after it.

use std::ops::{Bound, Range, RangeBounds};

use lodger_core::benefit::Priority;
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::{Benefit, Real};

use crate::handle::{ActorId, Ids, ModuleId, SceneError};
use crate::plan::Plan;
use crate::rows::{ActorRows, OptionalColumn};
use crate::scene::Scene;
use crate::states::{ModuleStates, UsedFields};

/// Columns of a module, to set in one pass.
///
/// Rows have an arbitrary order, which spawning, despawning, forcing and releasing actors of the module
/// changes. A tick computes all borrowed rows again: borrow a range if few of many rows change.
impl<N: Real> Scene<N> {
    /// Borrows the states of all actors of a module.
    ///
    /// If only positions change, [`positions_mut`](Self::positions_mut) is faster, because a tick checks all borrowed
    /// numbers.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let heights = [0.0, 2.0, 1.0]; // by key
    /// let rows = scene.states_mut(cloth)?;
    /// for (key, y) in rows.keys.iter().zip(rows.y) {
    ///     *y = heights[*key as usize];
    /// }
    /// assert_eq!(scene.position(far), Some([0.0, 1.0, 0.0]));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
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
    /// # let (mut scene, near, _, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// // The wind moves the first row; the next tick computes no other.
    /// let rows = scene.positions_mut(cloth, ..1)?;
    /// rows.x.iter_mut().for_each(|x| *x += 0.25);
    /// assert_eq!(scene.position(near), Some([2.25, 0.0, 0.0]));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
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
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.ages_mut(cloth, ..)?.values.fill(3.0);
    /// assert_eq!(scene.state(far).map(|state| state.age), Some(3.0));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn ages_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, N>, SceneError> {
        Ok(self.borrow_rows(id, rows, UsedFields::AGE)?.column(|columns| &mut columns.states.age))
    }

    /// Borrows the speeds of some rows of a module, in metres per second; of all for `..`.
    ///
    /// # Errors
    /// The errors of [`positions_mut`](Self::positions_mut).
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.speeds_mut(cloth, ..)?.values.fill(0.5);
    /// assert_eq!(scene.state(far).map(|state| state.speed), Some(0.5));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn speeds_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, N>, SceneError> {
        Ok(self
            .borrow_rows(id, rows, UsedFields::SPEED)?
            .column(|columns| &mut columns.states.speed))
    }

    /// Borrows the benefit overrides of some rows of a module; of all for `..`. `None` means a computed
    /// benefit.
    ///
    /// # Errors
    /// The errors of [`positions_mut`](Self::positions_mut).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let benefits = [0.0_f32, 0.2, 0.9]; // by key
    /// let rows = scene.benefit_overrides_mut(cloth, ..)?;
    /// for (key, benefit) in rows.keys.iter().zip(rows.values) {
    ///     *benefit = Some(Benefit::new(benefits[*key as usize])?);
    /// }
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn benefit_overrides_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, Option<Benefit>>, SceneError> {
        let borrowed = self.borrow_rows(id, rows, UsedFields::NONE)?;
        borrowed.rows.overridden.set_range(borrowed.range.clone());
        borrowed.rows.dirty.mark_range(borrowed.range.clone());
        Ok(borrowed.column(|columns| columns.overrides))
    }

    /// Borrows the priorities of some rows of a module; of all for `..`.
    ///
    /// # Errors
    /// The errors of [`positions_mut`](Self::positions_mut).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let rows = scene.priorities_mut(cloth, ..)?;
    /// for (key, priority) in rows.keys.iter().zip(rows.values) {
    ///     *priority = if *key == 2 { Priority::new(4.0)? } else { Priority::ONE };
    /// }
    /// assert_eq!(scene.priority(far), Some(Priority::new(4.0)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn priorities_mut(
        &mut self,
        id: ModuleId,
        rows: impl RangeBounds<usize>,
    ) -> Result<ColumnMut<'_, Priority>, SceneError> {
        let borrowed = self.borrow_rows(id, rows, UsedFields::NONE)?;
        borrowed.rows.dirty.mark_range(borrowed.range.clone());
        let all = borrowed.rows.len();
        Ok(borrowed.column(|columns| columns.priorities.fill(all)))
    }

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

struct BorrowedRows<'a, N: Real> {
    ids: Ids<'a>,
    rows: &'a mut ActorRows,
    states: &'a mut ModuleStates<N>,
    range: Range<usize>,
}

struct SettableColumns<'a, N: Real> {
    overrides: &'a mut Vec<Option<Benefit>>,
    priorities: &'a mut OptionalColumn<Priority>,
    states: &'a mut ModuleStates<N>,
}

impl<'a, N: Real> BorrowedRows<'a, N> {
    fn column<T>(
        self,
        column: impl FnOnce(SettableColumns<'a, N>) -> &'a mut Vec<T>,
    ) -> ColumnMut<'a, T> {
        let Self { ids, rows, states, range } = self;
        let (overrides, priorities) = (&mut rows.benefit_override, &mut rows.priority);
        ColumnMut {
            ids,
            slots: &rows.slot[range.clone()],
            keys: &rows.key[range.clone()],
            values: &mut column(SettableColumns { overrides, priorities, states })[range],
        }
    }
}

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

/// The states of all actors of a module, in columns of equal length; see [`Scene::states_mut`].
///
/// An invalid number quarantines its actor.
///
/// # Examples
/// ```
/// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let rows = scene.states_mut(cloth)?;
/// rows.z.fill(7.0);
/// assert_eq!(scene.position(far), Some([0.0, 5.0, 7.0]));
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
#[derive(Debug)]
pub struct StatesMut<'a, N> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's keys of the actors.
    pub keys: &'a [u64],
    /// The x coordinates in metres.
    pub x: &'a mut [N],
    /// The y coordinates in metres.
    pub y: &'a mut [N],
    /// The z coordinates in metres.
    pub z: &'a mut [N],
    /// The ages in seconds.
    pub age: &'a mut [N],
    /// The speeds in metres per second.
    pub speed: &'a mut [N],
}

impl<'a, N> StatesMut<'a, N> {
    /// Returns the handles of the actors, row by row.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.states_mut(cloth)?.ids().collect::<Vec<_>>(), [near, far]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, N> {
        self.ids.of(self.slots)
    }
}

/// The positions of rows of a module, in columns of equal length; see [`Scene::positions_mut`].
///
/// An invalid number quarantines its actor.
///
/// # Examples
/// ```
/// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let rows = scene.positions_mut(cloth, ..)?;
/// (rows.y[1], rows.z[1]) = (0.5, 0.5);
/// assert_eq!(scene.position(far), Some([0.0, 0.5, 0.5]));
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
#[derive(Debug)]
pub struct PositionsMut<'a, N> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's keys of the actors.
    pub keys: &'a [u64],
    /// The x coordinates in metres.
    pub x: &'a mut [N],
    /// The y coordinates in metres.
    pub y: &'a mut [N],
    /// The z coordinates in metres.
    pub z: &'a mut [N],
}

impl<'a, N> PositionsMut<'a, N> {
    /// Returns the handles of the actors, row by row.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.positions_mut(cloth, 1..)?.ids().collect::<Vec<_>>(), [far]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, N> {
        self.ids.of(self.slots)
    }
}

/// A column of rows of a module; see [`Scene::ages_mut`], [`Scene::speeds_mut`],
/// [`Scene::benefit_overrides_mut`] and [`Scene::priorities_mut`].
///
/// The columns are of equal length. An invalid age or speed quarantines its actor.
///
/// # Examples
/// ```
/// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let ages = scene.ages_mut(cloth, ..)?;
/// ages.values[1] = 3.0;
/// assert_eq!((ages.keys, ages.slots), (&[1, 2][..], &[0, 1][..]));
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.ages_mut(cloth, 1..)?.ids().collect::<Vec<_>>(), [far]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, T> {
        self.ids.of(self.slots)
    }
}

impl<'a, N: Real> Plan<'a, N> {
    /// Returns the plans of all actors of a module, as columns; `None` if the module is of another scene or was
    /// added after the tick.
    ///
    /// An actor that was spawned after the tick has a row of zeros. Keys are the latest.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let mut meshes = [0; 3]; // by key
    /// let plan = scene.tick();
    /// for rows in plan.rows(cloth) {
    ///     for (key, level) in rows.keys.iter().zip(rows.levels) {
    ///         meshes[*key as usize] = *level;
    ///     }
    /// }
    /// assert_eq!(meshes, [0, 2, 1]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
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

/// The plans of a module's actors, in columns of equal length; see [`Plan::rows`].
///
/// The rows are in the order of [`Scene::states_mut`].
///
/// # Examples
/// ```
/// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let plan = scene.tick();
/// let columns = plan.rows(cloth).map(|rows| (rows.keys, rows.levels));
/// assert_eq!(columns, Some((&[1, 2][..], &[2, 1][..])));
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick();
    /// assert_eq!(plan.rows(cloth).map(|rows| rows.ids().collect()), Some(vec![near, far]));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a> {
        self.ids.of(self.slots)
    }
}
