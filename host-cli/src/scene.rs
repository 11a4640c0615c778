//! What goes in: a scene as the user described it, read and checked, with nothing computed yet.

use crate::mistake::Mistake;
use crate::source::{Subject, key_of};
use lodger_terminal::Source;
use lodger_terminal::{Diagnostic, Severity};

/// A scene as read from a file, with the options of the command line applied.
#[derive(Clone, Debug)]
pub(crate) struct SceneDescription {
    /// Milliseconds to hand out; `f64::INFINITY` means unlimited.
    pub(crate) budget_ms: f64,
    /// Whether the actors of disabled modules are charged to the budget.
    pub(crate) count_unmanaged: bool,
    /// Metres: the eye of every view. Empty only if all actors carry their benefit.
    pub(crate) views: Vec<[f64; 3]>,
    /// The modules, in file order; names are unique.
    pub(crate) modules: Vec<ModuleDescription>,
    /// The actors, in file order; names are unique.
    pub(crate) actors: Vec<ActorDescription>,
    /// Where all of it came from.
    pub(crate) source: Source,
    /// What the command line replaced.
    pub(crate) overrides: Overrides,
}

/// Values of the command line that replace those of the file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overrides {
    /// Milliseconds, from `--budget-ms`.
    pub(crate) budget_ms: Option<f64>,
    /// Metres, from `--eye`; replaces all views.
    pub(crate) eye: Option<[f64; 3]>,
}

/// A module: the owner of actors of one kind, with their constants.
#[derive(Clone, Debug)]
pub(crate) struct ModuleDescription {
    /// Its unique name.
    pub(crate) name: String,
    /// Milliseconds per unit of work; finite and above 0.
    pub(crate) unit_cost_ms: f64,
    /// Milliseconds per unit of benefit; finite, at least 0.
    pub(crate) benefit_value: f64,
    /// Whether the budget decides the LODs of its actors; otherwise they run at their best.
    pub(crate) enabled: bool,
    /// Whether its actors can stand between two LODs.
    pub(crate) continuous: bool,
    /// How importance falls with distance.
    pub(crate) distance_importance: DistanceImportance,
    /// The weights of the importances; at least 0, together 1 within 1e-3.
    pub(crate) weights: Weights,
    /// Added to the benefit of every actor; finite, at least 0.
    pub(crate) bias: f64,
    /// Metres at which distance importance reaches 0; `None` is unbounded.
    pub(crate) max_distance: Option<f64>,
    /// Seconds at which age importance reaches 0; present where the age weight is above 0.
    pub(crate) max_age: Option<f64>,
    /// Metres per second at which speed importance reaches 1; above 0, present where the speed weight is above 0.
    pub(crate) max_speed: Option<f64>,
}

/// The distance importance functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DistanceImportance {
    /// By the share of the view sphere that the actor covers.
    #[default]
    SolidAngle,
    /// By the angle under which the actor is seen; decays slower.
    Angular,
}

/// How much each importance counts in a module's benefit.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of weights")]
pub(crate) struct Weights {
    /// The weight of distance importance.
    pub(crate) distance: f64,
    /// The weight of age importance.
    pub(crate) age: f64,
    /// The weight of speed importance.
    pub(crate) speed: f64,
}

impl Default for Weights {
    /// No weight at all: the value of keys left out of a table that is there.
    fn default() -> Self {
        Self { distance: 0.0, age: 0.0, speed: 0.0 }
    }
}

impl Weights {
    /// Distance alone: the value of a table left out.
    pub(crate) const DISTANCE_ONLY: Self = Self { distance: 1.0, age: 0.0, speed: 0.0 };
}

/// An actor: something that can be shown or simulated at several LODs.
#[derive(Clone, Debug)]
pub(crate) struct ActorDescription {
    /// Its unique name.
    pub(crate) name: String,
    /// The index of its module in [`SceneDescription::modules`].
    pub(crate) module: usize,
    /// Where its benefit comes from.
    pub(crate) benefit: BenefitSource,
    /// Units of work at LOD 0, 1, 2…: 1 to 256 values that do not decrease.
    pub(crate) work: Vec<u32>,
    /// The valid range of LODs, lowest first and within `work`; `None` is all of them.
    pub(crate) lod_range: Option<[u8; 2]>,
    /// A LOD set by hand: finite, at least 0, maybe fractional, maybe outside the range.
    pub(crate) force_lod: Option<f64>,
}

/// Where an actor's benefit comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BenefitSource {
    /// The scene says it outright: finite, at least 0.
    Given(f64),
    /// It follows from what can be seen of the actor.
    Observed {
        /// Metres; a component may be NaN or infinite, the actor is then quarantined.
        position: [f64; 3],
        /// Metres; finite, at least 0.
        radius: f64,
        /// Seconds; finite, negative before birth.
        age: f64,
        /// Metres per second; finite, at least 0.
        speed: f64,
    },
}

impl SceneDescription {
    /// Tells the user about a mistake that was found after reading, at its place in the source.
    pub(crate) fn diagnose(&self, severity: Severity, mut mistake: Mistake) -> Diagnostic {
        if let Some(option) = self.option_behind(mistake.subject, mistake.field) {
            return Diagnostic::new(severity, format!("{option}: {}", mistake.message));
        }
        if let Some(name) = self.name_of(mistake.subject) {
            mistake.message = format!("{name}: {}", mistake.message);
        }
        mistake.locate(severity, &self.source)
    }

    fn name_of(&self, subject: Subject) -> Option<String> {
        match subject {
            Subject::Scene | Subject::Object(_) | Subject::Prim { .. } => None,
            Subject::View(index) => Some(format!("view {}", index + 1)),
            Subject::Module(index) => Some(format!("module `{}`", self.modules.get(index)?.name)),
            Subject::Actor(index) => Some(format!("actor `{}`", self.actors.get(index)?.name)),
        }
    }

    /// The option of the command line that replaced a value.
    fn option_behind(&self, subject: Subject, quantity: &'static str) -> Option<&'static str> {
        match subject {
            Subject::View(_) => self.overrides.eye.map(|_| "--eye"),
            Subject::Scene if key_of(quantity) == "budget_ms" => {
                self.overrides.budget_ms.map(|_| "--budget-ms")
            }
            _ => None,
        }
    }
}
