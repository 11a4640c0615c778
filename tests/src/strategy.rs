//! Unusual inputs for proptest: of the importance functions, and scenes that look for trouble, with plateaus, costs at the
//! very edge of a target, ties and budgets around the minimums.
//!
//! Every number of an importance is one that Q16.16 and 24 bits of a float both hold exactly: the difference between
//! number types is then their arithmetic, never the question. Inputs keep 1 % away from the places where the exact
//! function jumps (bounded, with its maximum inside the near case) or is steeper than any number type can follow.

use std::f64::consts::PI;
use std::ops::{Range, RangeInclusive};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::oracle::importance::{DistanceImportance, Sight};
use crate::oracle::ledger::{Actor, Leftovers, Module, Scene, WHOLE, charges, scale};

const RADII: Range<f64> = 0.0501..64.0;
const DISTANCES: Range<f64> = 0.01..4096.0;

/// Distance, radius and maximum distance for the solid angle, in metres.
pub fn solid_angle_inputs() -> impl Strategy<Value = (f64, f64, Option<f64>)> {
    let near = PI.sqrt();
    radii().prop_flat_map(move |radius| look(radius, radius * near))
}

/// Distance, radius and maximum distance for the angle, in metres.
pub fn angular_inputs() -> impl Strategy<Value = (f64, f64, Option<f64>)> {
    radii().prop_flat_map(|radius| look(radius, radius))
}

/// Age and maximum age, in seconds; some ages are before birth, some maxima leave no time.
pub fn ageing_inputs() -> impl Strategy<Value = (f64, f64)> {
    let maximum = prop_oneof![8 => spread(0.0625..4096.0), 1 => Just(0.0), 1 => -10.0..0.0];
    (maximum.prop_map(representable), part()).prop_map(|(maximum, part)| {
        let age = if maximum > 0.0 { maximum * part } else { part };
        (representable(age), maximum)
    })
}

/// Speed and reference speed, in metres a second.
pub fn moving_inputs() -> impl Strategy<Value = (f64, f64)> {
    let reference = spread(0.0625..4096.0).prop_map(representable);
    (reference, part()).prop_map(|(reference, part)| {
        let speed = representable(reference * part.max(0.0));
        (speed, reference)
    })
}

/// Whole questions for the benefit: one to three views, weights that total exactly 1.
pub fn sights() -> impl Strategy<Value = Sight> {
    let looks = (any::<bool>(), vec(part(), 0..3)).prop_flat_map(|(angular, further)| {
        let looks = if angular { angular_inputs().boxed() } else { solid_angle_inputs().boxed() };
        (Just(angular), looks, Just(further))
    });
    let parts = (ageing_inputs(), moving_inputs(), weights());
    let bias = prop_oneof![Just(0.0), (0.0..2.0).prop_map(representable)];
    (looks, parts, bias).prop_map(|((angular, (near, radius, limit), further), parts, bias)| {
        let (ageing, moving, weights) = parts;
        let further = further.iter().map(|part| near + 1.0 + part.abs());
        Sight {
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

/// Looks at an object of this radius whose near case ends at `near`.
fn look(radius: f64, near: f64) -> impl Strategy<Value = (f64, f64, Option<f64>)> {
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
    let beside = move |distance: f64| {
        let too_near = jumps && (distance / near - 1.0).abs() < 0.01;
        if too_near { near * 1.02 } else { distance }
    };
    prop_oneof![anywhere, edges].prop_map(beside).prop_map(representable).boxed()
}

fn radii() -> impl Strategy<Value = f64> {
    spread(RADII).prop_map(representable)
}

/// As likely between 1 and 2 as between 1000 and 2000.
fn spread(range: Range<f64>) -> impl Strategy<Value = f64> {
    (range.start.ln()..range.end.ln()).prop_map(f64::exp)
}

/// A part of a maximum: below nothing, within, at its ends and beyond.
fn part() -> impl Strategy<Value = f64> {
    prop_oneof![1 => -1.0..0.0, 6 => 0.0..1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => 1.0..2.0]
}

/// Three weights in Q16.16 that total exactly 1.
fn weights() -> impl Strategy<Value = [f64; 3]> {
    (0..=65_536u32, 0..=65_536u32).prop_map(|(a, b)| {
        let (low, high) = (f64::from(a.min(b)), f64::from(a.max(b)));
        [low, high - low, 65_536.0 - high].map(|weight| weight / 65_536.0)
    })
}

/// The nearest number that Q16.16 and 24 bits of a float both hold.
fn representable(value: f64) -> f64 {
    let q16 = (value * 65_536.0).round() / 65_536.0;
    // Rounding away bits is the purpose; above 256 the float is the coarser of the two.
    #[allow(clippy::cast_possible_truncation)]
    let short = q16 as f32;
    f64::from(short)
}

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

/// The longest staircase.
pub const RUNGS: u32 = 34;

/// One unit of benefit in Q16.16 is 2^8 ns.
const VALUE: u32 = 1 << 24;
const TARGET_BITS: u32 = 8;
/// A benefit has 24 bits; from there on a rung is several actors.
const TOP_BIT: u32 = 23;

/// A scene in which every pass pins one rung and no more, from the widest rung to the narrowest.
///
/// A rung wants as much as all narrower ones together, so that pinning it halves what is wanted and lowers the scale by
/// as much as the rung before did. Its minimum is its share at the scale before last: enough then, short now.
#[must_use]
pub fn staircase(rungs: u32) -> Scene {
    let rungs = rungs.min(RUNGS);
    let mut wanted = 1u128 << (TARGET_BITS + rungs);
    let budget = wanted - (wanted >> 7);
    let mut left = budget;
    let (mut before_last, mut last) = (u128::from(WHOLE), (left << 32) / wanted);
    let mut actors = Vec::new();
    for rung in (0..rungs).rev() {
        let (benefit, crowd) = (1 << rung.min(TOP_BIT), 1 << rung.saturating_sub(TOP_BIT));
        let minimum = share_at(benefit, before_last);
        for _ in 0..crowd {
            actors.push(stair(actors.len(), benefit, vec![minimum, minimum]));
        }
        left -= u128::from(minimum) * crowd;
        wanted -= 1 << (TARGET_BITS + rung);
        (before_last, last) = (last, (left << 32) / wanted);
    }
    let rest = share_at(1, last);
    actors.push(stair(actors.len(), 1, vec![0, rest]));
    Scene {
        budget_ns: u64::try_from(budget).ok(),
        count_unmanaged: true,
        leftovers: Leftovers::Keep,
        modules: vec![Module { enabled: true, continuous: false, benefit_value_ns: VALUE }],
        actors,
    }
}

fn share_at(benefit: u32, scale: u128) -> u32 {
    let scale = u64::try_from(scale).expect("a scale is at most one");
    let share = scale::share(VALUE, benefit, scale);
    u32::try_from(share).expect("the widest rung wants 2^31 ns")
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
