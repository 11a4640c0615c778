//! Under which conditions something is priced.

use lodger_allowance::{Allowance, Spent};
use lodger_archive::Archive;
use lodger_core::cost::Provenance;
use lodger_mesh_asset::Limits;
use lodger_pricing::{ArchivePrice, MeshUse, Pricing, Within};

use super::args::CostArgs;

/// Whose rules are followed, and what an asset does not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// The rules.
    pub(super) pricing: Pricing,
    /// What is made of a mesh.
    pub(super) usage: MeshUse,
    /// Whether the parts of objects are asked for.
    pub(super) parts: bool,
}

impl Conditions {
    /// Those of the command line.
    pub(super) fn new(args: &CostArgs) -> Result<Self, lodger_core::Error> {
        let otherwise = MeshUse::default();
        let usage = MeshUse {
            scale: args.scale.unwrap_or(otherwise.scale),
            shape: args.shape.unwrap_or(otherwise.shape),
            physical: args.physical,
            scripts: args.scripts.unwrap_or(otherwise.scripts),
        };
        Ok(Self { pricing: Pricing::new(args.rules)?, usage, parts: args.parts })
    }

    /// Prices an archive; `done` is called once for each of its meshes.
    pub(super) fn archive(
        &self,
        archive: &Archive,
        allowance: &Allowance,
        done: impl Fn() + Sync,
    ) -> Result<ArchivePrice, Spent> {
        let within = Within { limits: Limits::default(), allowance };
        if self.parts {
            self.pricing.archive_in_parts(archive, &self.usage, within, |_| done())
        } else {
            self.pricing.archive(archive, &self.usage, within, |_| done())
        }
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
