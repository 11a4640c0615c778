//! Requests, responses, and their evaluation, by lodger-core alone except for whole scenes.

use heapless::Vec;
use lodger_core::{Fixed, Micro, ValueError};
use serde::{Deserialize, Serialize};

use super::cost::{
    self, AssetVector, BodyVector, LinksetVector, PRIMS, PhysicsVector, PrimVector,
    SimulatorVector, StreamingVector,
};
use super::decision::{self, AssignmentVector, PolicyVector};
use super::importance::{self, BenefitVector, ImportanceFunction};
use super::number::{Number, NumberType, Words, push};
use super::scene::{ResponseWriter, SceneBackend, SceneFailure, SceneVector};

/// The maximum number of measurements of a calibration.
pub const OBSERVATIONS: usize = 16;

/// A test vector for a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireRequest {
    /// A number that the response repeats.
    pub id: u32,
    /// The number type to evaluate in.
    pub backend: NumberType,
    /// The test vector.
    pub vector: TestVector,
}

/// The response of a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The number of the request.
    pub id: u32,
    /// The computed numbers.
    pub words: Words,
}

/// A test vector.
// A large variant needs no box: a device holds one vector at a time.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestVector {
    /// An importance function in both forms.
    Importance {
        /// The function.
        function: ImportanceFunction,
        /// The first two arguments.
        arguments: [u32; 2],
        /// The maximum distance; age and speed have none.
        end: Option<u32>,
    },
    /// Sum, difference, product, quotient, and square root and benefit of the first operand.
    Arithmetic {
        /// The two operands.
        operands: [u32; 2],
    },
    /// A benefit.
    Benefit(BenefitVector),
    /// A whole scene.
    Scene(SceneVector),
    /// Levels of many actors that share ladders.
    Assignment(AssignmentVector),
    /// Two frames under any policy.
    Policy(PolicyVector),
    /// A unit cost that follows measurements.
    Calibration {
        /// The first unit cost, in nanoseconds.
        unit_cost: u32,
        /// Units of work, and their time in nanoseconds.
        observations: Vec<(u32, u32), OBSERVATIONS>,
    },
    /// The streaming cost of an asset.
    Streaming(StreamingVector),
    /// The largest radius and sizes within a limit.
    Room {
        /// The asset.
        asset: AssetVector,
        /// The maximum streaming cost.
        limit: u32,
    },
    /// The physics cost of a triangle mesh.
    Physics(PhysicsVector),
    /// The physics cost of a prim.
    Body(BodyVector),
    /// The simulator cost of an object.
    Simulator(SimulatorVector),
    /// The land impact of a linkset.
    LandImpact(LinksetVector),
    /// The linkability of objects of one prim each.
    Linking(Vec<PrimVector, PRIMS>),
    /// The device responds with no words and returns.
    End,
}

/// The first word of a response that is an error.
const ERROR: u32 = 0xffff_0bad;

/// Evaluates a vector in a number type, a whole scene by `scenes`.
#[must_use]
pub fn evaluate(backend: NumberType, vector: &TestVector, scenes: &mut impl SceneBackend) -> Words {
    let TestVector::Scene(vector) = vector else { return evaluate_alone(backend, vector) };
    let mut words = Words::new();
    match scenes.run_scene(backend, vector, &mut ResponseWriter(&mut words)) {
        Err(SceneFailure::Value(error)) => write_error(error, &mut words),
        Err(SceneFailure::Scene) => {
            words.clear();
            push(&mut words, ERROR);
        }
        Ok(()) => {}
    }
    words
}

// Without a type parameter it is compiled in this crate, whose code is optimised for size.
#[inline(never)]
fn evaluate_alone(backend: NumberType, vector: &TestVector) -> Words {
    match backend {
        NumberType::F32 => evaluate_in::<f32>(vector),
        NumberType::Fixed => evaluate_in::<Fixed>(vector),
        NumberType::Micro => evaluate_in::<Micro>(vector),
    }
}

fn evaluate_in<N: Number>(vector: &TestVector) -> Words {
    let mut words = Words::new();
    let outcome = match vector {
        &TestVector::Importance { function, arguments, end } => {
            importance::importance::<N>(function, arguments.map(N::from_word), end, &mut words)
        }
        &TestVector::Arithmetic { operands } => {
            importance::arithmetic(operands.map(N::from_word), &mut words);
            Ok(())
        }
        TestVector::Benefit(vector) => importance::benefit::<N>(vector, &mut words),
        TestVector::Assignment(vector) => {
            decision::assign(vector, &mut words);
            Ok(())
        }
        TestVector::Policy(vector) => {
            decision::decide_twice(vector, &mut words);
            Ok(())
        }
        TestVector::Calibration { unit_cost, observations } => {
            importance::calibration(N::from_word(*unit_cost), observations, &mut words)
        }
        TestVector::Streaming(vector) => cost::streaming::<N>(vector, &mut words),
        &TestVector::Room { asset, limit } => cost::room(asset, N::from_word(limit), &mut words),
        TestVector::Physics(vector) => cost::physics::<N>(vector, &mut words),
        TestVector::Body(vector) => cost::body::<N>(vector, &mut words),
        TestVector::Simulator(vector) => cost::simulator::<N>(vector, &mut words),
        TestVector::LandImpact(vector) => cost::land_impact::<N>(vector, &mut words),
        TestVector::Linking(prims) => cost::linking::<N>(prims, &mut words),
        TestVector::Scene(_) | TestVector::End => Ok(()),
    };
    if let Err(error) = outcome {
        write_error(error, &mut words);
    }
    words
}

/// Writes an error: quantity and problem.
fn write_error(error: ValueError, words: &mut Words) {
    words.clear();
    push(words, ERROR);
    push(words, error.quantity() as u32);
    push(words, error.problem() as u32);
}
