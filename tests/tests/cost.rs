//! Costs: vectors on every number type, random cases against the oracle, and what is guaranteed.

mod choices;
mod guarantees;
mod primitives;
mod prims;
mod random;
mod resized;
mod robustness;
mod vectors;

use lodger_core::Real;
use lodger_core::cost::streaming::{Lods, Rules, Streaming};

/// The number, which the type holds exactly.
fn exact<N: Real>(value: f64) -> N {
    let number = N::from_f64(value).unwrap();
    assert_eq!(number.to_f64().to_bits(), value.to_bits(), "{value} is not a {}", N::NAME);
    number
}

/// From the lowest LOD to the high one, as the oracle has them.
fn lods<T>([lowest, low, medium, high]: [T; 4]) -> Lods<T> {
    Lods { lowest, low, medium, high }
}

fn viewer<N: Real>() -> Streaming<N> {
    Streaming::new(Rules::VIEWER).unwrap()
}
