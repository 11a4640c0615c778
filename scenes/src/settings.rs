//! What a user says beside the file.

use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::View;

/// What replaces a value of the file, or what its format cannot say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// The budget, in place of the file's; a glTF scene has 16.6 ms unless it is given.
    pub budget: Option<Budget>,
    /// Where the scene is seen from, in place of all the file's views.
    pub view: Option<View<f32>>,
    /// What a triangle of a glTF scene costs, 1 ns unless it is given; TOML says it itself.
    pub unit_cost: Option<UnitCost>,
    /// What a unit of benefit may cost in a glTF scene, 1 ms unless it is given; TOML says it itself.
    pub benefit_value: Option<BenefitValue>,
    /// Which scene of a glTF file is read, from 0; unless it is given the default one, else the first.
    pub scene: Option<usize>,
}
