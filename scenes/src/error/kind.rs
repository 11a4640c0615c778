//! What can be wrong with a file.

use lodger_allowance::Spent;
use lodger_scheduler::SceneError;

use crate::gltf_error::GltfError;
use crate::quality::QualityError;
use crate::sog_error::SogError;
use crate::toml_error::TomlError;
use crate::work::WorkError;

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading it takes more than it may.
    Spent(Spent),
    /// It is not UTF-8.
    NotText {
        /// The bytes before the first that is none.
        offset: usize,
        /// The line of that byte, from 1.
        line: usize,
    },
    /// It is not TOML, or a key or the type of a value is not what it should be.
    Toml(TomlError),
    /// It is not glTF, or not one that a scene can be made of.
    Gltf(GltfError),
    /// A number is outside its range.
    Number {
        /// Whose number, where its place does not say it.
        whose: Option<String>,
        /// The number.
        value: f64,
        /// What refused it.
        error: lodger_core::Error,
    },
    /// The scene refused something.
    Refused {
        /// Whose value.
        whose: String,
        /// What it refused.
        error: SceneError,
    },
    /// The weights of a module do not total 1.
    WeightsTotal {
        /// What they total.
        total: f64,
        /// What refused them.
        error: lodger_core::Error,
    },
    /// The reference is missing that an importance needs to count.
    NoReference {
        /// Which importance.
        importance: &'static str,
        /// Its weight.
        weight: f64,
    },
    /// The work of an actor cannot be so.
    Work(WorkError),
    /// The quality of levels cannot be so.
    Quality(QualityError),
    /// It is no index of a Streamed SOG, or not one that a scene can be made of.
    Sog(SogError),
    /// A key is missing.
    Missing {
        /// What it is needed for, behind a colon, if that has to be said.
        why: &'static str,
    },
    /// What money counts is no word, or is time.
    NoUnit {
        /// What it is called.
        name: String,
    },
    /// A key is in milliseconds, but money counts something else.
    InMilliseconds {
        /// What it counts.
        unit: String,
    },
    /// A key is in a unit of the scene's own, but money counts time.
    InUnits,
    /// A budget is not a whole number.
    NotWhole {
        /// The number.
        value: f64,
    },
    /// A number of units is more or less than the ledger can count.
    Beyond {
        /// The number.
        value: f64,
    },
    /// The settings have a budget in milliseconds, but money counts something else.
    BudgetInTime {
        /// What it counts.
        unit: String,
    },
    /// The settings have a budget in units, but money counts time.
    BudgetInUnits,
    /// It is said what is done with leftovers, but the policy leaves none.
    LeftoversOfOptimal,
    /// The policy is the document's, which keeps leftovers, but they are said to be spent.
    LeftoversOfApex,
    /// A range of levels begins above its end.
    RangeReversed {
        /// Where it begins.
        lowest: u32,
        /// Where it ends.
        highest: u32,
    },
    /// A range of levels ends above the highest.
    RangeBeyond {
        /// Where it ends.
        highest: u32,
        /// The highest level that there is.
        top: usize,
    },
    /// Two have the same name.
    Duplicate {
        /// What they are: `actor`, `module` or `object`.
        what: &'static str,
        /// Their name.
        name: String,
    },
    /// An actor belongs to a module that does not exist.
    NoSuchModule {
        /// The name that it gives.
        name: String,
    },
    /// An actor has a benefit, and what it would be computed from.
    BesideBenefit,
    /// An actor has neither a benefit nor all that it is computed from.
    NoBenefit,
    /// Neither the file nor the settings have a budget.
    NoBudget,
    /// Neither the file nor the settings have a view, but an actor is to be seen.
    NoView,
    /// A glTF scene has no camera, the settings have no view, but a node is to be seen.
    NoCamera,
    /// A camera path has fewer than two waypoints.
    FewWaypoints,
    /// A linkset has no objects.
    NoObjects,
    /// An object has no prims.
    NoPrims {
        /// Its name.
        object: String,
    },
}
