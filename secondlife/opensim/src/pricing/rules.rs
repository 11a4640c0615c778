//! Prepared pricing rules.

use lodger_core::cost::Provenance;
use lodger_core::cost::simulator::{SimulatorModel, SimulatorParameters};
use lodger_core::cost::streaming::{Rules, StreamingModel};

use crate::pricing::PricingError;

/// Rules, prepared to price meshes and prims.
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
    /// The errors of [`Rules::check`].
    pub fn new(rules: Rules) -> Result<Self, lodger_core::ValueError> {
        Ok(Self {
            meshes: StreamingModel::new(rules)?,
            prims: StreamingModel::new(Rules { static_mesh_factor: 1.0, ..rules })?,
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
    /// use lodger_core::cost::simulator::SimulatorParameters;
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
    ///
    /// let pricing = Pricer::new(Rules::VIEWER)?.with_simulator(SimulatorParameters::UNOFFICIAL_2011)?;
    /// let mesh = MeshInputs::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let scripted = MeshUse { scripts: 1, ..MeshUse::default() };
    /// let costs = pricing.mesh(&mesh, &scripted)?.assessment.resource;
    /// assert_eq!(costs.map(|costs| costs.simulator), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::ArchiveError>>(())
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
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.meshes.rules()
    }

    /// Streaming rules of meshes.
    #[must_use]
    pub const fn meshes(&self) -> &StreamingModel<f64> {
        &self.meshes
    }

    /// Streaming rules of prims, without the factor for static meshes.
    #[must_use]
    pub const fn prims(&self) -> &StreamingModel<f64> {
        &self.prims
    }
}

/// Parses the constants of simulator resource cost: the name of a set, or four comma-separated numbers (simulation factor,
/// active cost high and low, linkset factor).
///
/// # Errors
/// [`ArchiveError::NoSimulator`], and [`ArchiveError::Refused`] for values that [`SimulatorModel::new`] rejects.
///
/// # Examples
/// ```
/// use lodger_core::cost::simulator::SimulatorParameters;
/// use lodger_opensim::pricing::parse_simulator;
///
/// assert_eq!(parse_simulator("unofficial-2011"), Ok(SimulatorParameters::UNOFFICIAL_2011));
/// assert_eq!(parse_simulator("0.5, 2, 1, 4")?.linkset_factor, 4.0);
/// assert!(parse_simulator("0.5,2,1").is_err());
/// # Ok::<(), lodger_opensim::pricing::ArchiveError>(())
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
