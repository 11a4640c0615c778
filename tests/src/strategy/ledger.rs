//! Scenes that look for trouble: plateaus, costs at the very edge of a target, ties, budgets around the minimums.

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::oracle::ledger::{Actor, Leftovers, Module, Scene, charges, scale};

const BENEFIT_BITS: u32 = 24;
const VALUE_BITS: u32 = 32;

/// Scenes of one to forty actors in one to forty modules; ids are places in the list.
pub fn scenes() -> impl Strategy<Value = Scene> {
    let sizes = prop_oneof![
        8 => (1..=4usize, 1..=8usize),
        1 => (Just(1), Just(1)),
        1 => (20..=40usize, 20..=40usize),
    ];
    let questions = (widths(), sizes).prop_flat_map(|(widths, (modules, actors))| {
        let modules = vec(module(&widths), modules);
        (modules, vec(sketch(&widths), actors))
    });
    let rules = (leftovers(), prop::bool::weighted(0.8), tightness());
    (questions, rules).prop_map(|((modules, sketches), (leftovers, counted, tightness))| {
        let actors = (0..).zip(&sketches).map(|(id, sketch)| sketch.actor(id, &modules));
        let mut scene = Scene {
            budget_ns: None,
            count_unmanaged: counted,
            leftovers,
            actors: actors.collect(),
            modules,
        };
        scene.budget_ns = tightness.budget(&scene);
        scene
    })
}

/// Every order of so many actors.
pub fn orders(actors: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..actors).collect::<Vec<_>>()).prop_shuffle()
}

/// Which benefits and values a scene draws from.
#[derive(Debug, Clone)]
enum Widths {
    /// Every number of bits is as likely as any other.
    AnyBits,
    /// Few nanoseconds, where one more or less shows.
    Tiny,
    /// What a game would have.
    Usual,
    /// A handful of equal benefits.
    Ties,
    /// The last values of the documented widths.
    Widest,
}

fn widths() -> impl Strategy<Value = Widths> {
    select(vec![Widths::AnyBits, Widths::Tiny, Widths::Usual, Widths::Ties, Widths::Widest])
}

fn bits(range: RangeInclusive<u32>) -> BoxedStrategy<u32> {
    let below = |bits: u32| 0..=u32::MAX >> (32 - bits);
    range.prop_flat_map(below).boxed()
}

fn benefits(widths: &Widths) -> BoxedStrategy<u32> {
    let some = match widths {
        Widths::AnyBits => bits(1..=BENEFIT_BITS),
        Widths::Tiny => (0..20u32).boxed(),
        Widths::Usual => (0..=2u32 << 16).boxed(),
        Widths::Ties => select(vec![1, 2, 1 << 16, (1 << BENEFIT_BITS) - 1]).boxed(),
        Widths::Widest => ((1 << BENEFIT_BITS) - 3..1u32 << BENEFIT_BITS).boxed(),
    };
    prop_oneof![7 => some, 1 => Just(0)].boxed()
}

fn values(widths: &Widths) -> BoxedStrategy<u32> {
    let some = match widths {
        Widths::AnyBits => bits(1..=VALUE_BITS),
        Widths::Tiny => (0..1u32 << 18).boxed(),
        Widths::Usual | Widths::Ties => (1..5_000_000u32).boxed(),
        Widths::Widest => (u32::MAX - 3..=u32::MAX).boxed(),
    };
    prop_oneof![15 => some, 1 => Just(0)].boxed()
}

fn module(widths: &Widths) -> impl Strategy<Value = Module> + use<> {
    let switches = (prop::bool::weighted(0.85), prop::bool::weighted(0.25));
    (switches, values(widths)).prop_map(|((enabled, continuous), benefit_value_ns)| Module {
        enabled,
        continuous,
        benefit_value_ns,
    })
}

/// A step of a ladder, or where it starts.
#[derive(Debug, Clone, Copy)]
enum Step {
    None,
    /// So many nanoseconds.
    Of(u32),
    /// So many 256ths of the actor's target.
    OfTarget(u32),
}

/// An actor before its target is known.
#[derive(Debug, Clone)]
struct Sketch {
    module: Index,
    benefit: u32,
    start: Step,
    steps: Vec<Step>,
    range: (Index, Index),
    forced: Option<u32>,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => Just(Step::None),
        2 => (1..4u32).prop_map(Step::Of),
        1 => bits(1..=32).prop_map(Step::Of),
        4 => (0..400u32).prop_map(Step::OfTarget),
        1 => Just(Step::OfTarget(256)),
    ]
}

fn sketch(widths: &Widths) -> impl Strategy<Value = Sketch> + use<> {
    let forced = prop_oneof![7 => Just(None), 1 => (0..9u32 << 16).prop_map(Some)];
    let ladder = (step(), vec(step(), 0..6));
    let range = (any::<Index>(), any::<Index>());
    (any::<Index>(), benefits(widths), ladder, range, forced).prop_map(
        |(module, benefit, (start, steps), range, forced)| Sketch {
            module,
            benefit,
            start,
            steps,
            range,
            forced,
        },
    )
}

impl Sketch {
    fn actor(&self, id: u32, modules: &[Module]) -> Actor {
        let module = self.module.index(modules.len());
        let value = u128::from(modules[module].benefit_value_ns);
        let target = (value * u128::from(self.benefit)) >> 16;
        let mut costs = vec![self.start.beyond(0, target)];
        for step in &self.steps {
            let below = costs.last().copied().unwrap_or(0);
            costs.push(step.beyond(below, target));
        }
        let end = |index: &Index| u8::try_from(index.index(costs.len())).unwrap_or(u8::MAX);
        let (one, other) = (end(&self.range.0), end(&self.range.1));
        Actor {
            id,
            module,
            benefit: self.benefit,
            costs,
            range: (one.min(other), one.max(other)),
            forced: self.forced,
        }
    }
}

impl Step {
    /// The cost this much above another, as far as a cost goes.
    fn beyond(self, cost: u32, target: u128) -> u32 {
        let more = match self {
            Self::None => 0,
            Self::Of(more) => u128::from(more),
            Self::OfTarget(parts) => (target * u128::from(parts)) >> 8,
        };
        u32::try_from(u128::from(cost) + more).unwrap_or(u32::MAX)
    }
}

/// How a budget compares with what the scene needs and wants.
#[derive(Debug, Clone, Copy)]
enum Tightness {
    Unlimited,
    Nothing,
    /// So many nanoseconds more than fixed charges and minimums, or (negative) less.
    AroundMinimums(i8),
    /// So many 256ths of the way from the minimums to the targets.
    Between(u8),
    AnyBits(u64),
}

fn tightness() -> impl Strategy<Value = Tightness> {
    let any_bits = (0..64u32, any::<u64>()).prop_map(|(bits, any)| Tightness::AnyBits(any >> bits));
    prop_oneof![
        1 => Just(Tightness::Unlimited),
        1 => Just(Tightness::Nothing),
        4 => (-4..8i8).prop_map(Tightness::AroundMinimums),
        8 => any::<u8>().prop_map(Tightness::Between),
        2 => any_bits,
    ]
}

fn leftovers() -> impl Strategy<Value = Leftovers> {
    select(vec![
        Leftovers::Keep,
        Leftovers::WithinModule,
        Leftovers::AcrossModules,
        Leftovers::WholeBudget,
    ])
}

impl Tightness {
    fn budget(self, scene: &Scene) -> Option<u64> {
        let needed = charges::fixed(scene) + charges::total_minimum(scene);
        let wanted: u128 = scale::targets(scene).into_iter().map(u128::from).sum();
        let money = match self {
            Self::Unlimited => return None,
            Self::Nothing => 0,
            Self::AroundMinimums(more) => needed.saturating_add_signed(more.into()),
            Self::Between(parts) => {
                let gap = wanted.saturating_sub(charges::total_minimum(scene));
                needed + ((gap * u128::from(parts)) >> 8)
            }
            Self::AnyBits(budget) => u128::from(budget),
        };
        u64::try_from(money).ok()
    }
}
