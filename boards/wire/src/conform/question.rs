//! What can be asked, and the form of an answer. All numbers are the bits of the backend's type.

use heapless::Vec;
use serde::{Deserialize, Serialize};

use super::assignment::AssignmentQuestion;
use super::backend::Backend;
use super::cost::{
    AssetQuestion, BodyQuestion, LinksetQuestion, PhysicsQuestion, SimulatorQuestion,
    StreamingQuestion,
};
use super::linking::{PRIMS, PrimQuestion};
use super::policy::PolicyQuestion;
use super::scene::{BenefitQuestion, LedgerQuestion};
use super::words::Words;

/// How many measurements a calibration is asked for at most.
pub const OBSERVATIONS: usize = 16;

/// A question to a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// A number that comes back with the answer.
    pub id: u32,
    /// The number type to answer in.
    pub backend: Backend,
    /// The question.
    pub question: Question,
}

/// A device's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The number of the request.
    pub id: u32,
    /// The numbers that came out.
    pub words: Words,
}

/// An importance function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Function {
    /// Solid angle of (distance, radius, maximum distance): textbook form and curve.
    SolidAngle,
    /// Angular importance of the same three: textbook form and curve.
    Angular,
    /// Age of (age, maximum age): textbook form and prepared range.
    Age,
    /// Speed of (speed, maximum speed): textbook form and prepared range.
    Speed,
}

/// What is asked.
// A large variant needs no box: a device holds one question at a time.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// An importance function in both of its forms.
    Importance {
        /// The function.
        function: Function,
        /// The arguments of the function. Age and speed have no third.
        arguments: [u32; 2],
        /// The maximum distance, if there is one.
        end: Option<u32>,
    },
    /// Arithmetic: sum, difference, product, quotient, root of the first and the benefit of it.
    Arithmetic {
        /// The two operands.
        operands: [u32; 2],
    },
    /// A benefit.
    Benefit(BenefitQuestion),
    /// A whole ledger.
    Ledger(LedgerQuestion),
    /// The levels of many actors who share ladders.
    Assignment(AssignmentQuestion),
    /// Two frames under any policy.
    Policy(PolicyQuestion),
    /// A unit cost that follows measurements.
    Calibration {
        /// The unit cost before the first measurement, in nanoseconds.
        unit_cost: u32,
        /// The measurements: units of work, and what they took in nanoseconds.
        observations: Vec<(u32, u32), OBSERVATIONS>,
    },
    /// The streaming cost of an asset.
    Streaming(StreamingQuestion),
    /// How large and how heavy an asset may become.
    Room {
        /// The asset.
        asset: AssetQuestion,
        /// The streaming cost that it may have.
        limit: u32,
    },
    /// The physics cost of a triangle mesh.
    Physics(PhysicsQuestion),
    /// The physics cost of a prim, by what it offers.
    Body(BodyQuestion),
    /// What an object costs the simulator.
    Simulator(SimulatorQuestion),
    /// The land impact of a linkset.
    LandImpact(LinksetQuestion),
    /// Which objects, of a prim each, can be linked.
    Linking(Vec<PrimQuestion, PRIMS>),
    /// Nothing more: the device answers with no words and ends.
    End,
}
