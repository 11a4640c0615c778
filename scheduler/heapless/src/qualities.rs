//! The qualities of a module's levels.

use core::fmt::Debug;

use lodger_core::budget::{Quality, QualityCurve};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

/// The qualities of a module's levels, or nothing for even steps.
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
}

impl QualityRule for () {
    const NEW: Self = ();
}

#[derive(Debug, Clone, Copy)]
pub enum LevelQualities {
    Curve(QualityCurve),
    /// Not decreasing.
    Table(&'static [Quality]),
}

impl QualityRule for LevelQualities {
    const NEW: Self = Self::Curve(QualityCurve::Linear);

    fn check(&self, levels: usize) -> Result<(), ValueError> {
        let refuse = |problem| Err(ValueError::new(Quantity::Quality, problem));
        match self {
            Self::Table(table) if table.len() < levels => refuse(ValueProblem::Missing),
            Self::Table(table) if table.len() > levels => refuse(ValueProblem::TooLarge),
            _ => Ok(()),
        }
    }

    fn quality(&self, level: u8, levels: u16) -> Quality {
        match self {
            Self::Curve(curve) => curve.quality(level, levels),
            Self::Table(table) => table.get(usize::from(level)).copied().unwrap_or_default(),
        }
    }

    fn set(&mut self, qualities: Self) {
        *self = qualities;
    }
}
