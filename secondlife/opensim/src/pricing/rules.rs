//! Prepared pricing rules.

use lodger_core::cost::Provenance;
use lodger_core::cost::simulator::{SimulatorModel, SimulatorParameters};
use lodger_core::cost::streaming::{StreamingModel, StreamingRules};

use crate::pricing::PricingError;

/// Rules, prepared to price meshes and prims.
///
/// # Examples
/// ```
/// use lodger_core::cost::streaming::{PerLod, StreamingRules};
/// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
///
/// let viewer = Pricer::new(StreamingRules::VIEWER)?;
/// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
/// let price = viewer.mesh(&mesh, &MeshUse { prims: 10, ..MeshUse::default() })?;
/// assert_eq!((price.assessment.server, price.assessment.prims), (5.0, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pricer {
    meshes: StreamingModel<f64>,
    prims: StreamingModel<f64>,
    simulator: Option<SimulatorModel<f64>>,
}

impl Pricer {
    /// Checks the rules and prepares them.
    ///
    /// # Errors
    /// The errors of [`StreamingRules::check`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_opensim::pricing::Pricer;
    /// assert_eq!(Pricer::new(StreamingRules::WIKI)?.rules(), &StreamingRules::WIKI);
    /// let wrong = StreamingRules { bytes_per_triangle: 0, ..StreamingRules::VIEWER };
    /// assert!(Pricer::new(wrong).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rules: StreamingRules) -> Result<Self, lodger_core::ValueError> {
        Ok(Self {
            meshes: StreamingModel::new(rules)?,
            prims: StreamingModel::new(StreamingRules { static_mesh_factor: 1.0, ..rules })?,
            simulator: None,
        })
    }

    /// Adds simulator and region resource costs.
    ///
    /// # Errors
    /// The errors of [`SimulatorModel::new`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::simulator::SimulatorParameters;
    /// # use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// # use lodger_opensim::pricing::*;
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?.with_simulator(SimulatorParameters::UNOFFICIAL_2011)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let scripted = MeshUse { scripts: 1, ..MeshUse::default() };
    /// let costs = viewer.mesh(&mesh, &scripted)?.assessment.resource;
    /// assert_eq!(costs.map(|costs| costs.simulator), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_simulator(
        self,
        parameters: SimulatorParameters,
    ) -> Result<Self, lodger_core::ValueError> {
        Ok(Self { simulator: Some(SimulatorModel::new(parameters)?), ..self })
    }

    pub(crate) const fn simulator(&self) -> Option<&SimulatorModel<f64>> {
        self.simulator.as_ref()
    }

    /// The original rules.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::StreamingRules;
    /// # use lodger_opensim::pricing::Pricer;
    /// assert_eq!(Pricer::new(StreamingRules::VIEWER)?.rules().triangle_budget, 250_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> &StreamingRules {
        self.meshes.rules()
    }

    /// The streaming rules of meshes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// # use lodger_opensim::pricing::*;
    /// let viewer = Pricer::new(StreamingRules::VIEWER)?;
    /// let mesh = MeshInputs::from_lod_bytes(PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let usage = MeshUse::default();
    /// let streaming = viewer.meshes().cost(usage.scale.radius(), mesh.sizes);
    /// assert_eq!(viewer.mesh(&mesh, &usage)?.assessment.streaming, streaming);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn meshes(&self) -> &StreamingModel<f64> {
        &self.meshes
    }

    /// The streaming rules of prims, without the factor for static meshes.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::streaming::{PerLod, StreamingRules};
    /// # use lodger_opensim::pricing::Pricer;
    /// let rules = StreamingRules { static_mesh_factor: 2.0, ..StreamingRules::VIEWER };
    /// let pricer = Pricer::new(rules)?;
    /// let sizes = PerLod { lowest: 400, low: 900, medium: 2500, high: 9000 };
    /// assert_eq!(pricer.meshes().cost(1.0, sizes), 2.0 * pricer.prims().cost(1.0, sizes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn prims(&self) -> &StreamingModel<f64> {
        &self.prims
    }
}

/// Parses the constants of simulator resource cost: the name of a set, or four comma-separated numbers (simulation
/// factor, active cost high and low, linkset factor).
///
/// # Errors
/// [`PricingError::NoSimulator`], and [`PricingError::Invalid`] for values that [`SimulatorModel::new`] rejects.
///
/// # Examples
/// ```
/// use lodger_core::cost::simulator::SimulatorParameters;
/// use lodger_opensim::pricing::parse_simulator;
///
/// assert_eq!(parse_simulator("unofficial-2011"), Ok(SimulatorParameters::UNOFFICIAL_2011));
/// assert_eq!(parse_simulator("0.5, 2, 1, 4")?.linkset_factor, 4.0);
/// assert!(parse_simulator("0.5,2,1").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_simulator(text: &str) -> Result<SimulatorParameters, PricingError> {
    let named = SimulatorParameters::UNOFFICIAL_2011;
    if text == named.name {
        return Ok(named);
    }
    let numbers = text.split(',').map(|number| number.trim().parse().ok());
    let numbers: Option<Vec<f64>> = numbers.collect();
    let [simulation_factor, active_cost_high, active_cost_low, linkset_factor] =
        numbers.unwrap_or_default()[..]
    else {
        return Err(PricingError::NoSimulator);
    };
    let given = SimulatorParameters {
        name: "given",
        provenance: Provenance::Estimated,
        simulation_factor,
        active_cost_high,
        active_cost_low,
        linkset_factor,
    };
    SimulatorModel::<f64>::new(given)?;
    Ok(given)
}
