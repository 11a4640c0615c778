//! The data of a module that only the optimal policy reads.

use core::fmt::Debug;

use lodger_core::budget::{Quality, QualityCurve, SlopeRange};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

/// The qualities of a module's levels, and the budgets for which its slopes are valid; or nothing.
pub trait QualityRule: Debug + Clone {
    const NEW: Self;

    /// Checks that there is a quality for each of that many levels.
    fn check(&self, _levels: usize) -> Result<(), ValueError> {
        Ok(())
    }

    fn quality(&self, level: u8, levels: u16) -> Quality {
        Quality::even(level, levels)
    }

    fn set(&mut self, _qualities: LevelQualities) {}

    fn valid_for(&self) -> SlopeRange {
        SlopeRange::default()
    }

    fn set_valid_for(&mut self, _budgets: SlopeRange) {}

    /// Notes that levels, costs or qualities changed.
    fn invalidate_slopes(&mut self) {
        self.set_valid_for(SlopeRange::default());
    }
}

impl QualityRule for () {
    const NEW: Self = ();
}

/// Qualities in even steps.
#[derive(Debug, Clone)]
pub struct EvenQualities(SlopeRange);

impl QualityRule for EvenQualities {
    const NEW: Self = Self(SlopeRange::EMPTY);

    fn valid_for(&self) -> SlopeRange {
        self.0
    }

    fn set_valid_for(&mut self, budgets: SlopeRange) {
        self.0 = budgets;
    }
}

#[derive(Debug, Clone, Copy)]
pub enum LevelQualities {
    Curve(QualityCurve),
    /// Not decreasing.
    Table(&'static [Quality]),
}

/// Qualities that are set for each module.
#[derive(Debug, Clone)]
pub struct GradedQualities {
    of_levels: LevelQualities,
    valid_for: SlopeRange,
}

impl LevelQualities {
    /// Checks that there is a quality for each of that many levels.
    pub(crate) fn check(self, levels: usize) -> Result<(), ValueError> {
        let refuse = |problem| Err(ValueError::new(Quantity::Quality, problem));
        match self {
            Self::Table(table) if table.len() < levels => refuse(ValueProblem::Missing),
            Self::Table(table) if table.len() > levels => refuse(ValueProblem::TooLarge),
            _ => Ok(()),
        }
    }
}

impl QualityRule for GradedQualities {
    const NEW: Self = Self {
        of_levels: LevelQualities::Curve(QualityCurve::Linear),
        valid_for: SlopeRange::EMPTY,
    };

    fn check(&self, levels: usize) -> Result<(), ValueError> {
        self.of_levels.check(levels)
    }

    fn quality(&self, level: u8, levels: u16) -> Quality {
        match self.of_levels {
            LevelQualities::Curve(curve) => curve.quality(level, levels),
            LevelQualities::Table(table) => {
                table.get(usize::from(level)).copied().unwrap_or_default()
            }
        }
    }

    fn set(&mut self, qualities: LevelQualities) {
        self.of_levels = qualities;
    }

    fn valid_for(&self) -> SlopeRange {
        self.valid_for
    }

    fn set_valid_for(&mut self, budgets: SlopeRange) {
        self.valid_for = budgets;
    }
}
