//! Unusual inputs for proptest: importance functions, and scenes with plateaus, costs close to a target, ties and
//! budgets around the minimums.
//!
//! Q16.16 and 24 bits of a float both hold every importance input exactly, so number types differ in their arithmetic
//! alone. Inputs keep 1 % away from steps of the exact function.

use std::f64::consts::PI;
use std::ops::{Range, RangeInclusive};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::oracle::importance::{BenefitInputs, DistanceImportance};
use crate::oracle::ledger::{
    Actor, Leftovers, Module, Scene, WHOLE, reserved, scale, total_minimum,
};

const RADII: Range<f64> = 0.0501..64.0;
const DISTANCES: Range<f64> = 0.01..4096.0;

pub fn solid_angle_inputs() -> impl Strategy<Value = (f64, f64, Option<f64>)> {
    let near = PI.sqrt();
    radii().prop_flat_map(move |radius| distances(radius, radius * near))
}

pub fn angular_inputs() -> impl Strategy<Value = (f64, f64, Option<f64>)> {
    radii().prop_flat_map(|radius| distances(radius, radius))
}

/// Age and maximum age, in seconds; some ages are negative, some maxima 0 or negative.
pub fn ageing_inputs() -> impl Strategy<Value = (f64, f64)> {
    let maximum = prop_oneof![8 => spread(0.0625..4096.0), 1 => Just(0.0), 1 => -10.0..0.0];
    (maximum.prop_map(representable), part()).prop_map(|(maximum, part)| {
        let age = if maximum > 0.0 { maximum * part } else { part };
        (representable(age), maximum)
    })
}

pub fn moving_inputs() -> impl Strategy<Value = (f64, f64)> {
    let reference = spread(0.0625..4096.0).prop_map(representable);
    (reference, part()).prop_map(|(reference, part)| {
        let speed = representable(reference * part.max(0.0));
        (speed, reference)
    })
}

/// Any zoom of a view, as often below 1 as above.
pub fn zooms() -> impl Strategy<Value = f64> {
    spread(1.0 / 64.0..64.0)
}

/// Inputs of the benefit: one to three views, weights that total exactly 1.
pub fn benefit_inputs() -> impl Strategy<Value = BenefitInputs> {
    let distances = (any::<bool>(), vec(part(), 0..3)).prop_flat_map(|(angular, further)| {
        let nearest = if angular { angular_inputs().boxed() } else { solid_angle_inputs().boxed() };
        (Just(angular), nearest, Just(further))
    });
    let parts = (ageing_inputs(), moving_inputs(), weights());
    let bias = prop_oneof![Just(0.0), (0.0..2.0).prop_map(representable)];
    (distances, parts, bias).prop_map(|((angular, (near, radius, limit), further), parts, bias)| {
        let (ageing, moving, weights) = parts;
        let further = further.iter().map(|part| near + 1.0 + part.abs());
        BenefitInputs {
            importance: if angular {
                DistanceImportance::Angular
            } else {
                DistanceImportance::SolidAngle
            },
            distances: further.map(representable).chain([near]).collect(),
            radius,
            max_distance: limit,
            age: ageing.0,
            max_age: Some(ageing.1),
            speed: moving.0,
            max_speed: Some(moving.1),
            weights,
            bias,
        }
    })
}

fn distances(radius: f64, near: f64) -> impl Strategy<Value = (f64, f64, Option<f64>)> {
    let limit = prop_oneof![
        3 => Just(None),
        4 => spread(near * 1.05..DISTANCES.end.max(near * 1.06)).prop_map(Some),
        2 => (near * 1.01..near * 1.05).prop_map(Some),
        1 => (0.0..near * 0.95).prop_map(Some),
    ];
    limit.prop_flat_map(move |limit| {
        let limit = limit.map(representable);
        distance(near, limit).prop_map(move |distance| (distance, radius, limit))
    })
}

fn distance(near: f64, limit: Option<f64>) -> BoxedStrategy<f64> {
    let far = limit.filter(|&limit| limit > near);
    let anywhere = prop_oneof![
        4 => spread(DISTANCES),
        2 => 0.0..near * 0.99,
        2 => near * 1.01..near * 4.0,
    ];
    let edges = match (far, limit) {
        (Some(far), _) => prop_oneof![near * 0.99..near * 1.01, near..far, Just(far)].boxed(),
        (None, None) => (near * 0.99..near * 1.01).boxed(),
        (None, Some(_)) => (0.0..near * 0.99).boxed(),
    };
    let jumps = far.is_none() && limit.is_some();
    let avoid_step = move |distance: f64| {
        let too_near = jumps && (distance / near - 1.0).abs() < 0.01;
        if too_near { near * 1.02 } else { distance }
    };
    prop_oneof![anywhere, edges].prop_map(avoid_step).prop_map(representable).boxed()
}

fn radii() -> impl Strategy<Value = f64> {
    spread(RADII).prop_map(representable)
}

/// A number of a range, each order of magnitude as likely as another.
fn spread(range: Range<f64>) -> impl Strategy<Value = f64> {
    (range.start.ln()..range.end.ln()).prop_map(f64::exp)
}

/// A part of a maximum: negative, within, at both ends and above.
fn part() -> impl Strategy<Value = f64> {
    prop_oneof![1 => -1.0..0.0, 6 => 0.0..1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => 1.0..2.0]
}

fn weights() -> impl Strategy<Value = [f64; 3]> {
    (0..=65_536u32, 0..=65_536u32).prop_map(|(a, b)| {
        let (low, high) = (f64::from(a.min(b)), f64::from(a.max(b)));
        [low, high - low, 65_536.0 - high].map(|weight| weight / 65_536.0)
    })
}

/// The nearest number that both Q16.16 and 24 bits of a float hold.
#[must_use]
pub fn representable(value: f64) -> f64 {
    let q16 = (value * 65_536.0).round() / 65_536.0;
    // Above 256 the float is the coarser of the two.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    let short = q16 as f32;
    f64::from(short)
}

const BENEFIT_BITS: u32 = 24;
const VALUE_BITS: u32 = 32;

pub fn scenes() -> impl Strategy<Value = Scene> {
    let sizes = prop_oneof![
        8 => (1..=4usize, 1..=8usize),
        1 => (Just(1), Just(1)),
        1 => (20..=40usize, 20..=40usize),
    ];
    let parts = (widths(), sizes).prop_flat_map(|(widths, (modules, actors))| {
        let modules = vec(module(&widths), modules);
        (modules, vec(sketch(&widths), actors))
    });
    let rules = (leftovers(), prop::bool::weighted(0.8), tightness());
    (parts, rules).prop_map(|((modules, sketches), (leftovers, counted, tightness))| {
        let actors = (0..).zip(&sketches).map(|(id, sketch)| sketch.actor(id, &modules));
        let mut scene = Scene {
            budget_ns: None,
            unmanaged_in_budget: counted,
            leftovers,
            actors: actors.collect(),
            modules,
        };
        scene.budget_ns = tightness.budget(&scene);
        scene
    })
}

pub fn orders(actors: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..actors).collect::<Vec<_>>()).prop_shuffle()
}

#[derive(Debug, Clone)]
enum Widths {
    /// Every number of bits, each as likely as another.
    AnyBits,
    /// Few nanoseconds, so that one more or less matters.
    Tiny,
    Usual,
    Ties,
    /// The greatest values of the documented widths.
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
    let values = match widths {
        Widths::AnyBits => bits(1..=BENEFIT_BITS),
        Widths::Tiny => (0..20u32).boxed(),
        Widths::Usual => (0..=2u32 << 16).boxed(),
        Widths::Ties => select(vec![1, 2, 1 << 16, (1 << BENEFIT_BITS) - 1]).boxed(),
        Widths::Widest => ((1 << BENEFIT_BITS) - 3..1u32 << BENEFIT_BITS).boxed(),
    };
    prop_oneof![7 => values, 1 => Just(0)].boxed()
}

fn values(widths: &Widths) -> BoxedStrategy<u32> {
    let values = match widths {
        Widths::AnyBits => bits(1..=VALUE_BITS),
        Widths::Tiny => (0..1u32 << 18).boxed(),
        Widths::Usual | Widths::Ties => (1..5_000_000u32).boxed(),
        Widths::Widest => (u32::MAX - 3..=u32::MAX).boxed(),
    };
    prop_oneof![15 => values, 1 => Just(0)].boxed()
}

fn module(widths: &Widths) -> impl Strategy<Value = Module> + use<> {
    let switches = (prop::bool::weighted(0.85), prop::bool::weighted(0.25));
    (switches, values(widths)).prop_map(|((enabled, continuous), benefit_value_ns)| Module {
        enabled,
        continuous,
        benefit_value_ns,
    })
}

/// The first cost of a ladder, or a step of it.
#[derive(Debug, Clone, Copy)]
enum Step {
    None,
    Of(u32),
    /// 256ths of the target of the actor.
    OfTarget(u32),
}

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
    fn beyond(self, cost: u32, target: u128) -> u32 {
        let more = match self {
            Self::None => 0,
            Self::Of(more) => u128::from(more),
            Self::OfTarget(parts) => (target * u128::from(parts)) >> 8,
        };
        u32::try_from(u128::from(cost) + more).unwrap_or(u32::MAX)
    }
}

#[derive(Debug, Clone, Copy)]
enum Tightness {
    Unlimited,
    Nothing,
    /// Nanoseconds above (or below) reserved cost and minimums.
    AroundMinimums(i8),
    /// 256ths of the way from the minimums to the targets.
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
        let needed = reserved(scene) + total_minimum(scene);
        let wanted: u128 = scale::targets(scene).into_iter().map(u128::from).sum();
        let budget = match self {
            Self::Unlimited => return None,
            Self::Nothing => 0,
            Self::AroundMinimums(more) => needed.saturating_add_signed(more.into()),
            Self::Between(parts) => {
                let gap = wanted.saturating_sub(total_minimum(scene));
                needed + ((gap * u128::from(parts)) >> 8)
            }
            Self::AnyBits(budget) => u128::from(budget),
        };
        u64::try_from(budget).ok()
    }
}

pub const MAX_STEPS: u32 = 34;

/// One unit of benefit in Q16.16 is 2^8 ns.
const VALUE: u32 = 1 << 24;
const TARGET_BITS: u32 = 8;
/// A benefit has 24 bits; a longer step has several actors.
const TOP_BIT: u32 = 23;

/// A scene in which every pass pins exactly one step of actors, from the step of the largest target to the smallest.
///
/// The target of a step is the sum of all smaller ones, so pinning it halves the sum of targets. Its minimum is its
/// share at the scale before last.
#[must_use]
pub fn staircase(steps: u32) -> Scene {
    let steps = steps.min(MAX_STEPS);
    let mut wanted = 1u128 << (TARGET_BITS + steps);
    let budget = wanted - (wanted >> 7);
    let mut left = budget;
    let (mut before_last, mut last) = (u128::from(WHOLE), (left << 32) / wanted);
    let mut actors = Vec::new();
    for step in (0..steps).rev() {
        let (benefit, count) = (1 << step.min(TOP_BIT), 1 << step.saturating_sub(TOP_BIT));
        let minimum = share_at(benefit, before_last);
        for _ in 0..count {
            actors.push(stair(actors.len(), benefit, vec![minimum, minimum]));
        }
        left -= u128::from(minimum) * count;
        wanted -= 1 << (TARGET_BITS + step);
        (before_last, last) = (last, (left << 32) / wanted);
    }
    let rest = share_at(1, last);
    actors.push(stair(actors.len(), 1, vec![0, rest]));
    Scene {
        budget_ns: u64::try_from(budget).ok(),
        unmanaged_in_budget: true,
        leftovers: Leftovers::Keep,
        modules: vec![Module { enabled: true, continuous: false, benefit_value_ns: VALUE }],
        actors,
    }
}

fn share_at(benefit: u32, scale: u128) -> u32 {
    let scale = u64::try_from(scale).expect("a scale is at most one");
    let share = scale::share(VALUE, benefit, scale);
    u32::try_from(share).expect("a target is at most 2^31 ns")
}

fn stair(id: usize, benefit: u32, costs: Vec<u32>) -> Actor {
    Actor {
        id: u32::try_from(id).expect("a few thousand actors"),
        module: 0,
        benefit,
        costs,
        range: (0, 1),
        forced: None,
    }
}
