//! Somebody's rules, prepared.

use lodger_core::cost::streaming::{Rules, Streaming};

/// Somebody's rules, prepared to price meshes and prims by.
#[derive(Clone, Copy, Debug)]
pub struct Pricing {
    meshes: Streaming<f64>,
    prims: Streaming<f64>,
}

impl Pricing {
    /// Checks the rules and prepares them.
    ///
    /// # Errors
    /// Those of [`Rules::check`].
    pub fn new(rules: Rules) -> Result<Self, lodger_core::Error> {
        Ok(Self {
            meshes: Streaming::new(rules)?,
            prims: Streaming::new(Rules { static_mesh_factor: 1.0, ..rules })?,
        })
    }

    /// What this was made of.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.meshes.rules()
    }

    /// The rules for meshes.
    #[must_use]
    pub const fn meshes(&self) -> &Streaming<f64> {
        &self.meshes
    }

    /// The rules for prims, to which the factor for static mesh does not apply.
    #[must_use]
    pub const fn prims(&self) -> &Streaming<f64> {
        &self.prims
    }
}
