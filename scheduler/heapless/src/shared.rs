//! The ladders of rows, which actors with the same work share.

use lodger_core::Real;
use lodger_core::budget::{LevelRange, WorkLevels};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

use crate::column::{part, short};
use crate::columns::Columns;
use crate::handle::SceneError;
use crate::index::RowNumber as _;
use crate::ladders::LadderSection;
use crate::module_data::UnitSum;
use crate::qualities::QualityRule;
use crate::scene::Scene;

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Returns the number of a ladder with this work.
    pub(crate) fn acquire(
        &mut self,
        module: usize,
        work: WorkLevels<'_>,
    ) -> Result<usize, SceneError> {
        let section = self.section(module);
        if let Some(ladder) = self.ladders.find(section, work.units(), work.range()) {
            return Ok(ladder);
        }
        let data = self.modules.get(module).ok_or(SceneError::NoSuchModule)?;
        let too_large = ValueError::new(Quantity::Cost, ValueProblem::TooLarge);
        data.unit_cost.of(work.most_units()).ok_or(too_large)?;
        let levels = work.units().len();
        data.qualities.check(levels)?;
        self.ladders.check_space(self.section(MODULES), levels)?;
        self.ladders.add(section, work, data.lod_cap, data.priced_at, &data.qualities);
        Ok(self.added(module, levels))
    }

    /// Records that a module has one more ladder, and returns its number.
    fn added(&mut self, module: usize, levels: usize) -> usize {
        let ladder = self.section(module).ladders;
        if let Some(data) = self.modules.get_mut(module) {
            data.ladders = data.ladders.next();
            data.levels = data.levels.wrapping_add(short(levels));
            data.qualities.invalidate_slopes();
        }
        ladder
    }

    /// Returns the number of actors with a ladder.
    fn actors_of(&self, module: usize, ladder: usize) -> usize {
        let rows = self.modules.get(module).map_or(0, |data| data.rows.get());
        let ladders = part(&self.rows.ladder, self.start(module), rows);
        ladders.iter().filter(|number| number.get() == ladder).count()
    }

    /// Removes a ladder if no actor has it. The module's last ladder gets its number.
    pub(crate) fn release(&mut self, module: usize, ladder: usize) {
        if self.actors_of(module, ladder) > 0 {
            return;
        }
        let levels = self.ladders.remove(self.section(module), ladder);
        let start = self.start(module);
        let Some(data) = self.modules.get_mut(module) else { return };
        data.ladders = data.ladders.previous();
        data.levels = data.levels.wrapping_sub(levels);
        data.qualities.invalidate_slopes();
        let (last, rows) = (data.ladders, start..start.wrapping_add(data.rows.get()));
        for row in rows {
            if self.rows.ladder(row) == last.get() {
                self.rows.set_ladder(row, ladder);
            }
        }
    }

    pub(crate) fn change_range(
        &mut self,
        (module, row): (usize, usize),
        range: (u8, u8),
    ) -> Result<(), SceneError> {
        let (section, old) = (self.section(module), self.rows.ladder(row));
        let (old_range, top) = self.ladders.range(section, old);
        let range = LevelRange::new(range.0, range.1, top)?;
        if old_range == range {
            return Ok(());
        }
        let cap = self.modules.get(module).and_then(|data| data.lod_cap);
        let units = self.ladders.units(section, old);
        let ladder = if let Some(ladder) = self.ladders.find(section, units, range) {
            ladder
        } else if self.actors_of(module, old) == 1 {
            self.ladders.set_range(section, old, range, cap);
            if let Some(data) = self.modules.get_mut(module) {
                data.qualities.invalidate_slopes();
            }
            return Ok(());
        } else {
            let levels = usize::from(top).wrapping_add(1);
            self.ladders.check_space(self.section(MODULES), levels)?;
            let data = self.modules.get(module).ok_or(SceneError::NoSuchModule)?;
            self.ladders.add_like(section, old, range, cap, &data.qualities);
            self.added(module, levels)
        };
        self.rows.set_ladder(row, ladder);
        self.release(module, old);
        Ok(())
    }

    /// Returns the units of an actor in the last plan.
    pub(crate) fn units_of(&self, module: usize, row: usize) -> u32 {
        if !self.rows.is_planned(row) {
            return 0;
        }
        let level = self.rows.level.get(row).map_or(0, |&level| level.into());
        let units = self.ladders.units(self.section(module), self.rows.ladder(row));
        units.get(level).copied().unwrap_or(0)
    }

    /// Returns the units of a module in the last plan, also of actors that were despawned since.
    pub(crate) fn planned_units(&self, module: usize) -> u64 {
        let Some(data) = self.modules.get(module) else { return 0 };
        if data.unit_sum == UnitSum::Made {
            return data.units;
        }
        let start = self.start(module);
        let rows = start..start.wrapping_add(data.rows.get());
        rows.fold(data.units, |units, row| units.saturating_add(self.units_of(module, row).into()))
    }

    /// Sums the units of a plan right after its decision, for the modules that need them.
    pub(crate) fn sum_units(&mut self) {
        let (mut start, mut section) = (0_usize, LadderSection::START);
        let Self { modules, rows, ladders, .. } = self;
        for data in modules {
            section = section.next(data.ladders.get(), data.levels);
            let actors = data.rows.get();
            if data.unit_sum == UnitSum::Needed {
                let numbers = part(&rows.ladder, start, actors);
                let levels = part(&rows.level, start, actors);
                data.units = ladders.sum_units(section, numbers, levels);
                data.unit_sum = UnitSum::Made;
            }
            start = start.wrapping_add(actors);
        }
    }
}
