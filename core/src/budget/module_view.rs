//! The modules of a scene in the caller's memory, and the kernels that run on them.

use core::ops::Range;

use super::demand::ModuleInput;
use super::index_column::IndexColumn;
use super::kernels::{WideState, split_off, split_off_mut};
use super::ladder::Ladder;
use super::last::PreviousLevel;
use super::lod::Lod;
use super::rate::BenefitRate;
use super::scale::Scale;
use super::slope::Slopes;
use super::upgrade_queue::{CandidateUpgrade, UpgradePlace, UpgradeSink};
use super::work::Quality;

/// The modules of a scene, which [`decide`](super::decide) visits. A slice of [`ModuleView`]s implements it.
///
/// # For implementors
/// Modules are numbered from 0 to below [`count`](Self::count). An unmanaged module has no rows. Changes to a view's
/// columns, [`assigned`](ModuleView::assigned), [`slopes`](ModuleView::slopes) and [`wide`](ModuleView::wide) must last
/// until the next visit.
pub trait Modules {
    /// Whether the scene is wide: [`map_reduce`](Self::map_reduce) runs kernels on very many actors. Each view then needs a
    /// [`WideState`](super::WideState) whose blocks [begin](super::RowBlock::begin) each frame, and
    /// [`levels`](ModuleView::levels) that are the previous ones, 255 for an actor without. Plans are the same;
    /// [`Decision::switches`](super::Decision::switches) counts all actors with another level than in the view.
    const WIDE: bool = false;

    /// Returns the number of modules, at most [`MAX_MODULES`](super::MAX_MODULES).
    fn count(&self) -> usize;

    /// Calls `see` with a module; `None` if there is none.
    fn visit<R>(&mut self, index: usize, see: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R>;

    /// Returns the module of the actor with an id, and its row there. [`SmallUpgrade`](super::SmallUpgrade)s need it; by
    /// default it searches.
    fn place_of(&mut self, id: u32) -> Option<(usize, usize)> {
        (0..self.count()).find_map(|index| {
            let row = self.visit(index, |module| module.ids.iter().position(|other| other == id));
            Some((index, row??))
        })
    }

    /// Runs a kernel on all actors of a module. An implementation may [split](ModuleView::split_at) the view at
    /// multiples of a block, run the parts in parallel, and add up their results.
    fn map_reduce<Q: Kernel>(&mut self, index: usize, kernel: &Q) -> Q::Partial {
        let run = |module: &mut ModuleView<'_>| {
            if Self::WIDE { kernel.run(module) } else { kernel.run_rows(module) }
        };
        self.visit(index, run).unwrap_or_default()
    }
}

impl Modules for [ModuleView<'_>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn visit<R>(&mut self, index: usize, see: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        self.get_mut(index).map(see)
    }
}

/// Returns the module and the row of an upgrade.
#[inline]
pub(super) fn place_of<W: Modules + ?Sized>(
    modules: &mut W,
    upgrade: &impl CandidateUpgrade,
) -> Option<(usize, usize)> {
    match upgrade.place() {
        UpgradePlace::Row { module, row } => Some((module, row)),
        UpgradePlace::Id(id) => modules.place_of(id),
    }
}

/// Calls `see` with the module and the row of an upgrade.
#[inline]
pub(super) fn visit_upgrade<W: Modules + ?Sized, R>(
    modules: &mut W,
    upgrade: &impl CandidateUpgrade,
    see: impl FnOnce(&mut ModuleView<'_>, usize) -> R,
) -> Option<R> {
    let (index, row) = place_of(modules, upgrade)?;
    modules.visit(index, |module| see(module, row))
}

/// Runs a kernel on all modules.
pub(super) fn ask<W: Modules + ?Sized, Q: Kernel>(modules: &mut W, kernel: &Q) -> Q::Partial {
    (0..modules.count())
        .fold(Q::Partial::default(), |sum, index| sum.plus(modules.map_reduce(index, kernel)))
}

/// The size of some modules.
#[derive(Clone, Copy)]
pub(super) struct SceneSize {
    pub(super) rows: u64,
    /// The least cost of an upgrade, in nanoseconds.
    pub(super) least_step: u32,
    /// The greatest cost of a level, in nanoseconds; 0 if it is not counted.
    pub(super) greatest_cost: u32,
}

impl SceneSize {
    #[inline]
    pub(super) fn of<W: Modules + ?Sized>(
        modules: &mut W,
        indices: Range<usize>,
        counts_costs: bool,
    ) -> Self {
        let mut size = Self { rows: 0, least_step: u32::MAX, greatest_cost: 0 };
        for index in indices {
            modules.visit(index, |module| {
                let input = module.input;
                size.rows = size.rows.wrapping_add(input.benefits.len() as u64);
                size.least_step = size.least_step.min(input.least_step());
                if counts_costs {
                    let costs = input.ladders.iter().map(Ladder::maximum);
                    size.greatest_cost = costs.fold(size.greatest_cost, u32::max);
                }
            });
        }
        size
    }
}

/// A [`ModuleInput`] with the columns that a decision writes, all of one length; excess rows are ignored.
// The order matters: short loads on boards reach only the first fields, not the last.
#[repr(C)]
#[derive(Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleView<'a> {
    /// The module's input.
    pub input: ModuleInput<'a>,
    /// Each actor's id, unique in the scene, at most [`MAX_ACTORS`](super::MAX_ACTORS). Of equal benefits the lower id
    /// is upgraded first. May be empty if leftovers are kept.
    pub ids: IndexColumn<'a>,
    /// Each actor's level, written by the decision; before, in a [wide](super::Modules::WIDE) scene, the previous one.
    pub levels: &'a mut [u8],
    /// Each actor's fraction of the next level, in 2⁻¹⁶; written for continuous modules, else possibly empty.
    pub fractions: &'a mut [u16],
    /// The quality of each level, parallel to the ladders' costs and not decreasing, by default [`Quality::even`] among
    /// all levels, valid or not. Missing qualities are 0. Only certificates and the optimal policy read it.
    pub qualities: &'a [Quality],
    /// The slopes of the ladders, whose spans must not overlap. Only certificates and the optimal policy use it.
    pub slopes: Slopes<'a>,
    /// Each actor's previous level; missing rows have none. Empty in a [wide](super::Modules::WIDE) scene.
    pub previous: &'a [PreviousLevel],
    /// The cost of all actors at their assigned LODs, in nanoseconds; write only.
    pub assigned: u64,
    /// Whether the module's costs are not known yet: if the [request](super::Request::is_cautious) says so, at most a
    /// sixteenth of its actors, or one if that is more, rise above their previous level, by a level each. Actors without a
    /// previous level rise from their lowest, unless their highest level is 255.
    pub is_cautious: bool,
    /// State of a [wide](super::Modules::WIDE) scene.
    pub wide: WideState<'a>,
}

impl ModuleView<'_> {
    /// Splits off the first rows. Both parts share the slopes, which neither recomputes.
    #[must_use]
    pub fn split_at(mut self, rows: usize) -> (Self, Self) {
        if !self.slopes.of_costs.is_empty() {
            self.wide.slopes = &*core::mem::take(&mut self.slopes.of_costs);
        }
        let first = Self {
            input: ModuleInput {
                ladder: self.input.ladder.split_off(rows),
                benefits: split_off(&mut self.input.benefits, rows),
                ..self.input
            },
            ids: self.ids.split_off(rows),
            levels: split_off_mut(&mut self.levels, rows),
            fractions: split_off_mut(&mut self.fractions, rows),
            qualities: self.qualities,
            slopes: Slopes { of_costs: &mut [], valid_for: self.slopes.valid_for },
            previous: split_off(&mut self.previous, rows),
            assigned: self.assigned,
            is_cautious: self.is_cautious,
            wide: self.wide.split_off(rows),
        };
        (first, self)
    }

    /// Assigns every actor the highest LOD that its share pays; returns the total cost in nanoseconds.
    #[inline]
    pub fn assign(&mut self, scale: Scale) -> u64 {
        let rate = BenefitRate::new(self.input.benefit_value, scale);
        self.assigned = self.input.assign(rate, self.levels, self.fractions);
        self.assigned
    }

    /// Adds a candidate upgrade of a row in module `number`; returns whether there was space.
    #[inline]
    pub(super) fn queue(
        &self,
        upgrades: &mut dyn UpgradeSink,
        (number, row): (usize, usize),
        rank: u32,
        cost: u32,
    ) -> bool {
        let module = u16::try_from(number).unwrap_or(u16::MAX);
        let row_number = u32::try_from(row).unwrap_or(u32::MAX);
        upgrades.push(rank, self.ids.at(row), module, row_number, cost)
    }

    pub(super) fn set_level(&mut self, row: usize, level: u8) {
        if let Some(place) = self.levels.get_mut(row) {
            *place = level;
        }
    }

    /// Upgrades a row as far as the leftover budget allows, at most to `most`; returns the cost in nanoseconds.
    #[inline]
    pub(super) fn raise_to(
        &mut self,
        row: usize,
        ladder: Ladder<'_>,
        leftover: u64,
        most: Lod,
    ) -> u64 {
        let Some(level) = self.levels.get_mut(row) else { return 0 };
        let price = if self.input.continuous {
            let fraction = self.fractions.get_mut(row);
            let lod = Lod::new(*level, fraction.as_deref().copied().unwrap_or(0));
            let paid = u64::from(ladder.cost(lod));
            let raised = ladder.affordable(paid.saturating_add(leftover), true).min(most);
            let price = u64::from(ladder.cost(raised)).saturating_sub(paid);
            *level = raised.level();
            if let Some(fraction) = fraction {
                *fraction = raised.fraction();
            }
            price
        } else {
            let (raised, price) = ladder.raise_whole(*level, leftover, most.level());
            *level = raised;
            price.into()
        };
        self.assigned = self.assigned.wrapping_add(price);
        price
    }
}

/// An operation on all actors of a module with a partial result. Only this crate implements it;
/// [`Modules::map_reduce`](Modules::map_reduce) runs it on each part.
pub trait Kernel: Sync {
    /// The partial result.
    type Partial: PartialResult;

    /// Runs on a module view, or on a [part](ModuleView::split_at) that begins with a block.
    fn run(&self, part: &mut ModuleView<'_>) -> Self::Partial;

    /// Runs row by row, with the same result: for any ladder, and for modules without [`WideState`].
    fn run_rows(&self, part: &mut ModuleView<'_>) -> Self::Partial;
}

/// A partial result; the default is the identity.
pub trait PartialResult: Default + Send {
    /// Combines two results, in any order.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

/// Implements a partial result whose fields add up.
macro_rules! adds_up {
    ($result:ty: $($field:ident),+) => {
        impl $crate::budget::module_view::PartialResult for $result {
            #[allow(clippy::inline_always)] // compiled for the caller's vectors
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                use $crate::budget::module_view::PartialResult;
                Self { $($field: PartialResult::plus(self.$field, other.$field)),+ }
            }
        }
    };
}
pub(super) use adds_up;

/// The greatest of some numbers; 0 if there is none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Greatest(pub(super) u32);

impl PartialResult for Greatest {
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl PartialResult for u64 {
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}
