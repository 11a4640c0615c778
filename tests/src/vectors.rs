//! The known results of `vectors/*.toml`; the heads of the files explain the keys.
//!
//! Q16.16 holds the inputs exactly if the last bit matters, so they are the same for every number type and processor.
#![expect(missing_docs, reason = "the files explain their keys")]

use serde::Deserialize;

use crate::oracle::importance::BenefitInputs;
pub use crate::oracle::importance::DistanceImportance as Kind;
use crate::oracle::ledger::{Actor, Leftovers, Module, Outcome, Plan, Scene};

pub trait Vectors: for<'de> Deserialize<'de> {
    const TEXT: &'static str;

    /// Reads the file.
    ///
    /// # Panics
    /// If a row is invalid.
    #[must_use]
    fn load() -> Self {
        Self::parse(Self::TEXT).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// An invalid row.
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

macro_rules! rows {
    ($($name:ident { $($(#[$attribute:meta])* $field:ident: $kind:ty,)+ })+) => {
        $(
            #[derive(Debug, Clone, PartialEq, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub struct $name { $($(#[$attribute])* pub $field: $kind,)+ }
        )+
    };
}

impl Vectors for ImportanceVectors {
    const TEXT: &'static str = include_str!("../vectors/importance.toml");
}

impl Vectors for BenefitVectors {
    const TEXT: &'static str = include_str!("../vectors/benefit.toml");
}

impl Vectors for LedgerVectors {
    const TEXT: &'static str = include_str!("../vectors/ledger.toml");
}

impl Vectors for CostVectors {
    const TEXT: &'static str = include_str!("../vectors/cost.toml");
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Expected {
    Value(f64),
    Refusal { refused: String },
}

rows! {
    ImportanceVectors {
        solid_angle: Vec<Distance>,
        angular: Vec<Distance>,
        age: Vec<Age>,
        speed: Vec<Speed>,
    }
    Distance {
        name: String,
        distance: f64,
        radius: f64,
        max_distance: Option<f64>,
        expected: Expected,
    }
    Age { name: String, age: f64, max_age: f64, expected: Expected, }
    Speed { name: String, speed: f64, max_speed: f64, expected: Expected, }

    BenefitVectors { weighted: Vec<Weighted>, direct: Vec<Direct>, }
    Weighted {
        name: String,
        #[serde(default)] importance: Kind,
        offsets: Vec<[f64; 3]>,
        radius: f64,
        max_distance: Option<f64>,
        #[serde(default)] age: f64,
        max_age: Option<f64>,
        #[serde(default)] speed: f64,
        max_speed: Option<f64>,
        weights: [f64; 3],
        #[serde(default)] bias: f64,
        expected: Expected,
    }
    Direct { name: String, benefit: f64, q16: u32, }

    LedgerVectors { case: Vec<LedgerCase>, }
    LedgerCase {
        name: String,
        budget_ns: Option<u64>,
        #[serde(default = "yes")] count_unmanaged: bool,
        leftovers: Leftovers,
        modules: Vec<Module>,
        actors: Vec<LedgerActor>,
        scale: u64,
        fixed_ns: u64,
        overcommit_ns: u64,
        assigned_ns: u64,
        targets_ns: Vec<u64>,
    }
    LedgerActor {
        #[serde(default)] module: usize,
        benefit: f64,
        costs: Vec<u32>,
        range: Option<(u8, u8)>,
        forced: Option<f64>,
        share: Option<u64>,
        lod: f64,
        cost: u32,
    }

    CostVectors {
        streaming: Vec<Streaming>,
        area_form: Vec<AreaForm>,
        animated: Vec<Animated>,
        penalty: Vec<Penalty>,
        hulls: Vec<Hulls>,
        mesh: Vec<Mesh>,
        server: Vec<Server>,
        simulator: Vec<Simulator>,
        land_impact: Vec<LandImpact>,
    }
    Streaming { name: String, rules: String, radius: f64, bytes: [i32; 4], expected: f64, }
    AreaForm {
        name: String,
        rules: String,
        radius: f64,
        bytes: [i32; 4],
        cost_scalar: f64,
        expected: f64,
    }
    Animated { name: String, bytes: [i32; 4], root: bool, expected: f64, }
    Penalty { name: String, base: f64, size: [f64; 3], expected: f64, }
    Hulls { name: String, vertices: u16, hulls: u16, expected: f64, }
    Mesh {
        name: String,
        triangle: [[f64; 3]; 3],
        count: usize,
        scale: [f64; 3],
        expected: f64,
    }
    Server { name: String, prims: u32, scripts: u32, one_free: bool, expected: f64, }
    Simulator {
        name: String,
        parameters: [f64; 4],
        objects: u32,
        active: bool,
        expected: f64,
    }
    LandImpact { name: String, weights: [f64; 3], value: u32, limited_by: String, }
}

impl Weighted {
    #[must_use]
    pub fn inputs(&self) -> BenefitInputs {
        let length = |[x, y, z]: &[f64; 3]| (x * x + y * y + z * z).sqrt();
        BenefitInputs {
            importance: self.importance,
            distances: self.offsets.iter().map(length).collect(),
            radius: self.radius,
            max_distance: self.max_distance,
            age: self.age,
            max_age: self.max_age,
            speed: self.speed,
            max_speed: self.max_speed,
            weights: self.weights,
            bias: self.bias,
        }
    }
}

impl LedgerCase {
    /// The scene.
    ///
    /// # Panics
    /// If Q16.16 does not hold a benefit or a LOD, or a ladder has no level or more than 256.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let actor = |(id, row): (u32, &LedgerActor)| {
            let top = row.costs.len().checked_sub(1).and_then(|top| top.try_into().ok());
            Actor {
                id,
                module: row.module,
                benefit: exact_q16(row.benefit),
                costs: row.costs.clone(),
                range: row.range.unwrap_or((0, top.expect("a ladder has 1 to 256 levels"))),
                forced: row.forced.map(exact_q16),
            }
        };
        Scene {
            budget_ns: self.budget_ns,
            unmanaged_in_budget: self.count_unmanaged,
            leftovers: self.leftovers,
            modules: self.modules.clone(),
            actors: (0..).zip(&self.actors).map(actor).collect(),
        }
    }

    /// The expected plan.
    ///
    /// # Panics
    /// If Q16.16 does not hold a LOD.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let outcome = |row: &LedgerActor| Outcome {
            share_ns: row.share,
            lod: exact_q16(row.lod),
            cost_ns: row.cost,
        };
        Plan {
            scale: self.scale,
            reserved_ns: self.fixed_ns,
            overcommit_ns: self.overcommit_ns,
            assigned_ns: self.assigned_ns,
            targets_ns: self.targets_ns.clone(),
            outcomes: self.actors.iter().map(outcome).collect(),
        }
    }
}

fn yes() -> bool {
    true
}

/// Q16.16 of a decimal that it holds exactly.
fn exact_q16(decimal: f64) -> u32 {
    let bits = decimal * 65_536.0;
    let is_exact = bits.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&bits);
    assert!(is_exact, "{decimal} is not a value of Q16.16");
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integer in the range of the type"
    )]
    let exact = bits as u32;
    exact
}
