//! Under which conditions something is priced.

use lodger_core::cost::Provenance;
use lodger_pricing::{MeshUse, Pricing};

use super::args::CostArgs;

/// Whose rules are followed, and what an asset does not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// The rules.
    pub(super) pricing: Pricing,
    /// What is made of a mesh.
    pub(super) usage: MeshUse,
}

impl Conditions {
    /// Those of the command line.
    pub(super) fn new(args: &CostArgs) -> Result<Self, lodger_core::Error> {
        let &CostArgs { scale, shape, physical, scripts, .. } = args;
        let usage = MeshUse { scale, shape, physical, scripts };
        Ok(Self { pricing: Pricing::new(args.rules)?, usage })
    }

    /// What the rules are called.
    pub(super) fn rules(&self) -> &'static str {
        self.pricing.rules().name
    }

    /// What should be known about the rules.
    pub(super) fn note(&self) -> Option<String> {
        let is_guess = self.pricing.rules().provenance == Provenance::Estimated;
        is_guess.then(|| "these rules were announced by the live grid, and are unverified".into())
    }
}
