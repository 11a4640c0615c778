//! What a user says beside the file.

use lodger_core::budget::{Leftovers, Policy};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::View;

use crate::error::{Error, ErrorKind};
use crate::place::Subject;
use crate::policy::{PolicyName, Written};
use crate::unit::Unit;

/// What replaces a value of the file, or what its format cannot say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// The budget in time, in place of the file's; a glTF scene has 16.6 ms unless it is given.
    pub budget: Option<Budget>,
    /// The budget in whole units, for a scene whose money counts something else than time.
    pub units: Option<Budget>,
    /// The policy, in place of the file's.
    pub policy: Option<PolicyName>,
    /// What is done with what shares leave over, in place of what the file says.
    pub leftovers: Option<Leftovers>,
    /// Where the scene is seen from, in place of all the file's views.
    pub view: Option<View<f32>>,
    /// What a triangle of a glTF scene costs, 1 ns unless it is given; TOML says it itself.
    pub unit_cost: Option<UnitCost>,
    /// What a unit of benefit may cost in a glTF scene, 1 ms unless it is given; TOML says it itself.
    pub benefit_value: Option<BenefitValue>,
    /// Which scene of a glTF file is read, from 0; unless it is given the default one, else the first.
    pub scene: Option<usize>,
}

impl Settings {
    /// The budget that is given for a scene whose money counts this; one in another unit is an error.
    pub(crate) fn budget_in(&self, unit: &Unit) -> Result<Option<Budget>, Error> {
        match (unit, self.budget, self.units) {
            (Unit::Time, _, Some(_)) => Err(Error::of_file(ErrorKind::BudgetInUnits)),
            (Unit::Named(name), Some(_), _) => {
                Err(Error::of_file(ErrorKind::BudgetInTime { unit: name.to_string() }))
            }
            (Unit::Time, given, None) | (Unit::Named(_), None, given) => Ok(given),
        }
    }

    /// The policy of a scene. Only the proportional policy has a choice of leftovers: one beside another
    /// policy is an error, except `keep` beside `apex`. `apex` or `optimal` in the settings replaces the policy and
    /// the leftovers of the file; `proportional` keeps the file's leftovers.
    pub(crate) fn policy_for(&self, written: Written) -> Result<Policy, Error> {
        let of_file = written.policy.unwrap_or(written.otherwise);
        policy(of_file, written.leftovers).map_err(|kind| {
            Error::new(kind, Subject::File, "leftovers")
                .with_help("remove `leftovers`, or write `policy = \"proportional\"`")
        })?;
        let name = self.policy.unwrap_or(of_file);
        let of_file = written.leftovers.filter(|_| name == PolicyName::Proportional);
        policy(name, self.leftovers.or(of_file)).map_err(Error::of_file)
    }
}

/// The policy of a name and of what is said of leftovers.
fn policy(name: PolicyName, leftovers: Option<Leftovers>) -> Result<Policy, ErrorKind> {
    match (name, leftovers) {
        (PolicyName::Proportional, leftovers) => {
            Ok(Policy::Proportional(leftovers.unwrap_or_default()))
        }
        (PolicyName::Apex, None | Some(Leftovers::Keep)) => Ok(Policy::APEX),
        (PolicyName::Optimal, None) => Ok(Policy::Optimal),
        (PolicyName::Apex, Some(_)) => Err(ErrorKind::LeftoversOfApex),
        (PolicyName::Optimal, Some(_)) => Err(ErrorKind::LeftoversOfOptimal),
    }
}
