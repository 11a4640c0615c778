//! Under which conditions something is priced.

use lodger_core::Error;
use lodger_core::cost::Scale;
use lodger_core::cost::physics::{Motion, ShapeType};
use lodger_core::cost::streaming::{Rules, Streaming};

use super::args::CostArgs;

/// What an asset does not say about the object that is made of it, and whose rules are followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    /// The size of the object.
    pub(crate) scale: Scale<f64>,
    /// Its physics shape type.
    pub(crate) shape: ShapeType,
    /// Whether it moves by physics.
    pub(crate) physical: bool,
    /// The scripts in it.
    pub(crate) scripts: u32,
    /// The rules for meshes.
    pub(crate) streaming: Streaming<f64>,
    /// The rules for prims, to which a factor for static mesh does not apply.
    pub(crate) prims: Streaming<f64>,
}

impl Conditions {
    /// Those of the command line.
    pub(crate) fn new(args: &CostArgs) -> Result<Self, Error> {
        let rules = args.rules.rules();
        Ok(Self {
            scale: args.scale,
            shape: args.shape.into(),
            physical: args.physical,
            scripts: args.scripts,
            streaming: Streaming::new(rules)?,
            prims: Streaming::new(Rules { static_mesh_factor: 1.0, ..rules })?,
        })
    }

    /// The same, at another size.
    pub(crate) fn at(mut self, scale: Scale<f64>) -> Self {
        self.scale = scale;
        self
    }

    /// What the rules are called.
    pub(crate) fn rules(&self) -> &'static str {
        self.streaming.rules().name
    }
}

/// How something moves that is physical, or not and at rest.
pub(crate) fn motion(physical: bool) -> Motion {
    if physical { Motion::Physical } else { Motion::AT_REST }
}
