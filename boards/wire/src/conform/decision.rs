//! Vectors of decisions without a number type, and their evaluation: an assignment of levels with shared ladders,
//! because cores differ in how they choose levels, and two frames under any policy.

use heapless::Vec;
use lodger_core::Benefit;
use lodger_core::budget::{
    Carryover, CompactUpgrade, Decision, Hysteresis, IndexColumn, LadderSpan, Ladders, Leftovers,
    ModuleInput, ModuleView, Move, Policy, PreviousLevel, Quality, Request, Scale, Scratch, Slope,
    SlopeRange, Slopes, certify, decide,
};
use lodger_core::calibration::Headroom;
use lodger_core::units::{BenefitValue, Budget};
use serde::{Deserialize, Serialize};

use super::number::{ROWS, Words, push, push_wide};

/// The maximum number of actors of an assignment.
pub const ACTORS: usize = 40;

/// Actors of one module whose levels are assigned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentVector {
    /// Nanoseconds per unit of benefit.
    pub benefit_value: u32,
    /// The available time in nanoseconds; divided by `wanted` it is the scale.
    pub available: u32,
    /// The sum of all targets, in nanoseconds.
    pub wanted: u32,
    /// The costs of all levels, in nanoseconds, not decreasing. The second ladder lacks the first.
    pub costs: Vec<u32, ROWS>,
    /// The number of neighbours with the same ladder, of both in turns; 0 if all have the first.
    pub run: u8,
    /// The benefits of the actors, in units of 2⁻¹⁶.
    pub benefits: Vec<u32, ACTORS>,
}

pub(super) fn assign(vector: &AssignmentVector, words: &mut Words) {
    let AssignmentVector { benefit_value, available, wanted, costs, run, benefits } = vector;
    let benefits: Vec<_, ACTORS> = benefits.iter().copied().map(Benefit::from_bits).collect();
    let run = usize::from(*run);
    let actors = if run == 0 { 0 } else { benefits.len() };
    let ladder: Vec<u32, ACTORS> = (0..actors)
        .map(|row| u32::from(row.checked_div(run).is_some_and(|n| n % 2 == 1)))
        .collect();
    let len = u16::try_from(costs.len()).unwrap_or(0);
    let second = u8::from(len > 1);
    let input = ModuleInput {
        benefit_value: BenefitValue::from_ns(*benefit_value),
        continuous: false,
        ladders: Ladders {
            spans: &[
                LadderSpan::new(0, len, 0),
                LadderSpan::new(second.into(), len.saturating_sub(second.into()), second),
            ],
            costs,
        },
        ladder: IndexColumn::Words(&ladder),
        benefits: &benefits,
    };
    let scale = Scale::fitting((*available).into(), (*wanted).into());
    let mut levels = [0; ACTORS];
    let mut module_view = ModuleView { input, levels: &mut levels, ..ModuleView::default() };
    push_wide(words, module_view.assign(scale));
    push_wide(words, input.shares(scale));
    for &four in levels.as_chunks().0 {
        push(words, u32::from_le_bytes(four));
    }
}

/// The number of modules of a policy vector.
pub const POLICY_MODULES: usize = 2;
/// The maximum number of actors of a module.
pub const POLICY_ACTORS: usize = 12;
/// The maximum number of costs of both ladders of a module.
pub const COSTS: usize = 12;
const SEARCH_MOVES: usize = 6;
const FRAMES: usize = 2;

/// Modules with a budget, for two frames with different benefits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyVector {
    /// The budget in nanoseconds.
    pub budget: u64,
    /// The reserved cost in nanoseconds.
    pub reserved: u64,
    /// The part of the budget that stays free, in 2⁻²⁴.
    pub headroom: u32,
    /// The policy, as in a [`SceneVector`](super::SceneVector), with local search.
    pub policy: u8,
    /// The hysteresis: margin and dead band, in 2⁻⁸.
    pub hysteresis: [u8; 2],
    /// The maximum number of upgrades in a frame.
    pub max_upgrades: Option<u8>,
    /// The maximum number of passes of a search.
    pub max_passes: Option<u8>,
    /// The modules.
    pub modules: [PolicyModuleVector; POLICY_MODULES],
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyModuleVector {
    /// Nanoseconds per unit of benefit.
    pub benefit_value: u32,
    /// Whether fractions of levels are valid.
    pub continuous: bool,
    /// The costs of one ladder and, from `second` on, of another, in nanoseconds; not decreasing.
    pub costs: Vec<u32, COSTS>,
    /// The quality of each level, in 2⁻¹⁵, in the order of `costs`.
    pub qualities: Vec<u16, COSTS>,
    /// The index of the second ladder's first cost. Every other actor has that ladder, unless it is empty.
    pub second: u8,
    /// The benefits of the actors in both frames, in 2⁻¹⁶.
    pub benefits: [Vec<u32, POLICY_ACTORS>; FRAMES],
}

struct ModuleColumns<'a> {
    vector: &'a PolicyModuleVector,
    spans: [LadderSpan; 2],
    qualities: Vec<Quality, COSTS>,
    slopes: [Slope; COSTS],
    valid_for: SlopeRange,
    ladder: [u32; POLICY_ACTORS],
    ids: [u32; POLICY_ACTORS],
    benefits: Vec<Benefit, POLICY_ACTORS>,
    levels: [u8; POLICY_ACTORS],
    fractions: [u16; POLICY_ACTORS],
    previous: [PreviousLevel; POLICY_ACTORS],
}

impl<'a> ModuleColumns<'a> {
    fn new(vector: &'a PolicyModuleVector, first_id: u32) -> Self {
        let len = u8::try_from(vector.costs.len()).unwrap_or(0);
        let second = vector.second.min(len);
        let rest = len.saturating_sub(second);
        let mut module = Self {
            vector,
            spans: [
                LadderSpan::new(0, second.into(), 0),
                LadderSpan::new(second.into(), rest.into(), 1),
            ],
            qualities: vector.qualities.iter().copied().map(Quality::from_bits).collect(),
            slopes: [Slope::default(); COSTS],
            valid_for: SlopeRange::default(),
            ladder: [0; POLICY_ACTORS],
            ids: [first_id; POLICY_ACTORS],
            benefits: Vec::new(),
            levels: [0; POLICY_ACTORS],
            fractions: [0; POLICY_ACTORS],
            previous: [PreviousLevel::NONE; POLICY_ACTORS],
        };
        for ((id, ladder), place) in module.ids.iter_mut().zip(&mut module.ladder).zip(0_u32..) {
            *id = id.wrapping_add(place);
            *ladder = if rest == 0 {
                0
            } else if second == 0 {
                1
            } else {
                place & 1
            };
        }
        module
    }

    /// Sets the benefits of a frame; the second frame has as many actors as the first.
    fn begin(&mut self, frame: usize) {
        let [first, _] = &self.vector.benefits;
        let now = self.vector.benefits.get(frame).unwrap_or(first);
        let benefits = now.iter().chain(core::iter::repeat(&0)).take(first.len());
        self.benefits = benefits.copied().map(Benefit::from_bits).collect();
    }

    fn module_view(&mut self) -> ModuleView<'_> {
        let PolicyModuleVector { benefit_value, continuous, costs, .. } = self.vector;
        ModuleView {
            input: ModuleInput {
                benefit_value: BenefitValue::from_ns(*benefit_value),
                continuous: *continuous,
                ladders: Ladders { spans: &self.spans, costs },
                ladder: IndexColumn::Words(&self.ladder),
                benefits: &self.benefits,
            },
            ids: IndexColumn::Words(&self.ids),
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            qualities: &self.qualities,
            slopes: Slopes { of_costs: &mut self.slopes, valid_for: self.valid_for },
            previous: &self.previous,
            ..ModuleView::default()
        }
    }

    /// Writes the levels, and keeps them for the next frame.
    fn end(&mut self, words: &mut Words) {
        for &four in self.levels.as_chunks().0 {
            push(words, u32::from_le_bytes(four));
        }
        let fractions = self.fractions.iter().zip(1_u32..);
        push(words, fractions.fold(0, |sum, (&f, n)| sum.wrapping_add(n.wrapping_mul(f.into()))));
        for (previous, &level) in self.previous.iter_mut().zip(&self.levels) {
            *previous = PreviousLevel::automatic(level);
        }
    }
}

/// Decides two frames; writes the decision for the scene and for each actor.
pub(super) fn decide_twice(vector: &PolicyVector, words: &mut Words) {
    let [margin, reserve] = vector.hysteresis;
    let request = Request {
        budget: Budget::from_ns(vector.budget),
        reserved: vector.reserved,
        headroom: Headroom::from_bits(vector.headroom),
        policy: policy(vector.policy),
        hysteresis: Hysteresis { margin, dead_band: reserve },
        max_upgrades: vector.max_upgrades.map(u32::from),
        max_passes: vector.max_passes.map(u32::from),
        is_cautious: false,
    };
    let [a, b] = &vector.modules;
    let mut modules = [ModuleColumns::new(a, 0), ModuleColumns::new(b, 100)];
    let mut carryover = Carryover::default();
    for frame in 0..FRAMES {
        for module in &mut modules {
            module.begin(frame);
        }
        let decision = decide_for(&request, &mut carryover, &mut modules, words);
        push(words, decision.price.bits());
        push(words, decision.switches);
        for value in [decision.available, decision.overcommit, decision.assigned] {
            push_wide(words, value);
        }
        push_wide(words, decision.scale.bits());
        for module in &mut modules {
            module.end(words);
        }
    }
}

/// Decides a frame, and writes its certificate.
fn decide_for(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut [ModuleColumns<'_>; POLICY_MODULES],
    words: &mut Words,
) -> Decision {
    let scratch = Scratch {
        upgrades: &mut [CompactUpgrade::default(); POLICY_MODULES * POLICY_ACTORS],
        moves: &mut [Move::default(); SEARCH_MOVES],
    };
    let mut module_views = modules.each_mut().map(ModuleColumns::module_view);
    let decision = decide(request, carryover, &mut module_views[..], scratch);
    let certificate =
        decision.certificate.unwrap_or_else(|| certify(request, &mut module_views[..]));
    let valid_for = module_views.map(|module_view| module_view.slopes.valid_for);
    for (module, valid_for) in modules.iter_mut().zip(valid_for) {
        module.valid_for = valid_for;
    }
    push_wide(words, certificate.value);
    push_wide(words, certificate.upper_bound);
    decision
}

/// The policy with this number: 0 to 3 are proportional with these leftovers, others are optimal.
pub(super) const fn policy(number: u8) -> Policy {
    Policy::Proportional(match number {
        0 => Leftovers::Keep,
        1 => Leftovers::WithinModule,
        2 => Leftovers::AcrossModules,
        3 => Leftovers::WholeBudget,
        _ => return Policy::Optimal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_policy() {
        assert_eq!(policy(0), Policy::Proportional(Leftovers::Keep));
        assert_eq!(policy(3), Policy::Proportional(Leftovers::WholeBudget));
        assert_eq!([policy(4), policy(255)], [Policy::Optimal; 2]);
    }
}
