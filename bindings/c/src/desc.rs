//! Converts descriptions of modules and actors to the scheduler's values.

use lodger_scheduler::lodger_core::ValueError;
use lodger_scheduler::lodger_core::error::{Quantity, ValueProblem};
use lodger_scheduler::{
    Actor, ActorState, Benefit, BenefitRule, BenefitTerms, BenefitValue, DistanceImportance, Lod,
    LodControl, Module, Quality, QualityCurve, UnitCost, Weights,
};

use crate::abi::{
    ACTOR_INVISIBLE, ALL_LEVELS, ActorDesc, MODULE_ALL_OR_NOTHING, MODULE_CONTINUOUS,
    MODULE_DIMINISHING, MODULE_NO_BENEFIT_VALUE, MODULE_UNMANAGED, ModuleDesc, NO_CAP,
};
use crate::error::CallError;
use crate::memory::In;
use crate::origin::{OriginScene, RelativePosition};

const MAX_LEVELS: u32 = 256;

impl ModuleDesc {
    pub(crate) fn module(&self) -> Result<Module<f32>, CallError> {
        let curves = MODULE_DIMINISHING | MODULE_ALL_OR_NOTHING;
        let known = MODULE_CONTINUOUS | MODULE_UNMANAGED | MODULE_NO_BENEFIT_VALUE | curves;
        if self.flags & !known != 0 {
            return Err(CallError::Argument("a module has an unknown flag"));
        }
        let unit_cost = UnitCost::from_ns(self.unit_cost_ns)?;
        let mut module = Module::new(self.name.text()?, unit_cost)
            .rule(self.rule()?)
            .managed(self.flags & MODULE_UNMANAGED == 0)
            .continuous(self.flags & MODULE_CONTINUOUS != 0)
            .overhead(self.overhead);
        if let Some(level) = lod_cap(self.lod_cap)? {
            module = module.lod_cap(level);
        }
        if self.flags & MODULE_NO_BENEFIT_VALUE == 0 {
            module = module.benefit_value(BenefitValue::from_ns(self.benefit_value_ns));
        }
        module = match self.flags & curves {
            0 => module,
            _ if !self.qualities.is_null() => {
                return Err(CallError::Argument("a module has qualities and a curve"));
            }
            MODULE_DIMINISHING => module.quality_curve(QualityCurve::Diminishing),
            MODULE_ALL_OR_NOTHING => module.quality_curve(QualityCurve::AllOrNothing),
            _ => return Err(CallError::Argument("a module has two curves")),
        };
        if !self.qualities.is_null() {
            module = module.qualities(qualities(self.qualities, self.levels)?);
        }
        Ok(module)
    }

    pub(crate) fn rule(&self) -> Result<BenefitRule<f32>, CallError> {
        let distance_importance = match self.importance {
            0 => DistanceImportance::SolidAngle,
            1 => DistanceImportance::Angular,
            _ => return Err(CallError::Argument("there is no such importance")),
        };
        Ok(BenefitRule::new(BenefitTerms {
            distance_importance,
            max_distance: limit(self.max_distance),
            weights: Weights::new(self.weight_distance, self.weight_age, self.weight_speed)?,
            bias: self.bias,
            max_age: limit(self.max_age),
            max_speed: limit(self.max_speed),
        })?)
    }
}

/// `None`: no cap.
pub(crate) fn lod_cap(level: u32) -> Result<Option<u8>, CallError> {
    match u8::try_from(level) {
        Ok(_) if level == NO_CAP => Ok(None),
        Ok(level) => Ok(Some(level)),
        Err(_) => Err(ValueError::new(Quantity::Lod, ValueProblem::TooLarge).into()),
    }
}

/// Negative means no limit; the rule rejects NaN.
fn limit(value: f32) -> Option<f32> {
    if value < 0.0 { None } else { Some(value) }
}

pub(crate) fn qualities(of: In<f32>, levels: u32) -> Result<Vec<Quality>, CallError> {
    let of = of.slice(level_count(Quantity::Quality, levels)?)?;
    let qualities = of.iter().map(|&quality| Quality::new(quality.into()));
    Ok(qualities.collect::<Result<_, _>>()?)
}

/// Checks the number of levels before their array is read.
pub(crate) fn level_count(of: Quantity, levels: u32) -> Result<usize, CallError> {
    if levels > MAX_LEVELS {
        return Err(ValueError::new(of, ValueProblem::TooLarge).into());
    }
    Ok(levels as usize)
}

/// A validated description of an actor.
pub(crate) struct SpawnRequest {
    desc: ActorDesc,
    position: RelativePosition,
    benefit_override: Option<Benefit>,
    forced: Option<Lod>,
    qualities: Option<Vec<Quality>>,
}

impl SpawnRequest {
    pub(crate) fn new(desc: ActorDesc, scene: &OriginScene) -> Result<Self, CallError> {
        if desc.flags & !ACTOR_INVISIBLE != 0 {
            return Err(CallError::Argument("an actor has an unknown flag"));
        }
        if desc.reserved != 0 || desc.reserved2 != [0; 2] {
            return Err(CallError::Argument("a reserved field of an actor is not 0"));
        }
        desc.work.slice(level_count(Quantity::Work, desc.levels)?)?;
        let has_qualities = !desc.qualities.is_null();
        Ok(Self {
            position: scene.to_relative(desc.position),
            benefit_override: given(desc.benefit)?,
            forced: match LodControl::from_number(desc.forced.into())? {
                LodControl::Automatic => None,
                LodControl::Forced(lod) => Some(lod),
            },
            qualities: has_qualities.then(|| qualities(desc.qualities, desc.levels)).transpose()?,
            desc,
        })
    }

    /// Metres along an axis.
    pub(crate) fn rounding_error(&self) -> f64 {
        self.position.rounding_error
    }

    pub(crate) fn actor(&self) -> Actor<'_, f32> {
        let Self { desc, .. } = self;
        // `new` checked both.
        let work = desc.work.slice(desc.levels as usize).unwrap_or_default();
        let state = ActorState { position: self.position.near, age: desc.age, speed: desc.speed };
        let mut actor = Actor::from_state(state, desc.radius, work)
            .visible(desc.flags & ACTOR_INVISIBLE == 0)
            .key(desc.key);
        if let Some(benefit) = self.benefit_override {
            actor = actor.benefit(benefit);
        }
        if let Some(lod) = self.forced {
            actor = actor.forced(lod);
        }
        if let Some(qualities) = &self.qualities {
            actor = actor.qualities(qualities);
        }
        if (desc.lowest, desc.highest) != (0, ALL_LEVELS) {
            actor = actor.lod_range(desc.lowest..=highest(desc.highest, work.len()));
        }
        actor
    }
}

/// Negative means a computed benefit.
pub(crate) fn given(benefit: f32) -> Result<Option<Benefit>, ValueError> {
    if benefit < 0.0 { Ok(None) } else { Ok(Some(Benefit::new(benefit)?)) }
}

/// `ALL_LEVELS` means the last level.
pub(crate) fn highest(level: u8, levels: usize) -> u8 {
    let last = u8::try_from(levels.saturating_sub(1)).unwrap_or(u8::MAX);
    if level == ALL_LEVELS { last } else { level }
}
