//! Inputs of the importance functions inside the documented ranges.
//!
//! Every number is one that Q16.16 and 24 bits of a float both hold exactly: what differs between number types is
//! then their arithmetic, never the question. Inputs keep 1 % away from the places where the exact function jumps
//! (bounded, with its maximum inside the near case) or where it is steeper than any number type can follow.

use std::f64::consts::PI;
use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::oracle::importance::{DistanceImportance, Sight};

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
