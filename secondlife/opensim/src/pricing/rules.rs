//! Prepared pricing rules.

use lodger_core::cost::Provenance;
use lodger_core::cost::simulator::{Parameters, Simulator};
use lodger_core::cost::streaming::{Rules, Streaming};

use crate::pricing::Error;

/// Rules, prepared to price meshes and prims.
#[derive(Clone, Copy, Debug)]
pub struct Pricing {
    meshes: Streaming<f64>,
    prims: Streaming<f64>,
    simulator: Option<Simulator<f64>>,
}

impl Pricing {
    /// Checks the rules and prepares them.
    ///
    /// # Errors
    /// The errors of [`Rules::check`].
    pub fn new(rules: Rules) -> Result<Self, lodger_core::Error> {
        Ok(Self {
            meshes: Streaming::new(rules)?,
            prims: Streaming::new(Rules { static_mesh_factor: 1.0, ..rules })?,
            simulator: None,
        })
    }

    /// Adds simulator and region resource costs.
    ///
    /// # Errors
    /// The errors of [`Simulator::new`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::cost::simulator::Parameters;
    /// use lodger_core::cost::streaming::{Lods, Rules};
    /// use lodger_opensim::pricing::{Mesh, MeshUse, Pricing};
    ///
    /// let pricing = Pricing::new(Rules::VIEWER)?.with_simulator(Parameters::UNOFFICIAL_2011)?;
    /// let mesh = Mesh::imagined(Lods { lowest: 400, low: 900, medium: 2500, high: 9000 });
    /// let scripted = MeshUse { scripts: 1, ..MeshUse::default() };
    /// let costs = pricing.mesh(&mesh, &scripted)?.assessment.resource;
    /// assert_eq!(costs.map(|costs| costs.simulator), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_simulator(self, parameters: Parameters) -> Result<Self, lodger_core::Error> {
        Ok(Self { simulator: Some(Simulator::new(parameters)?), ..self })
    }

    pub(crate) const fn simulator(&self) -> Option<&Simulator<f64>> {
        self.simulator.as_ref()
    }

    /// The original rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.meshes.rules()
    }

    /// Streaming rules of meshes.
    #[must_use]
    pub const fn meshes(&self) -> &Streaming<f64> {
        &self.meshes
    }

    /// Streaming rules of prims, without the factor for static meshes.
    #[must_use]
    pub const fn prims(&self) -> &Streaming<f64> {
        &self.prims
    }
}

/// Parses the constants of simulator resource cost: the name of a set, or four comma-separated numbers (simulation factor,
/// active cost high and low, linkset factor).
///
/// # Errors
/// [`Error::NoSimulator`], and [`Error::Refused`] for values that [`Simulator::new`] rejects.
///
/// # Examples
/// ```
/// use lodger_core::cost::simulator::Parameters;
/// use lodger_opensim::pricing::parse_simulator;
///
/// assert_eq!(parse_simulator("unofficial-2011"), Ok(Parameters::UNOFFICIAL_2011));
/// assert_eq!(parse_simulator("0.5, 2, 1, 4")?.linkset_factor, 4.0);
/// assert!(parse_simulator("0.5,2,1").is_err());
/// # Ok::<(), lodger_opensim::pricing::Error>(())
/// ```
pub fn parse_simulator(text: &str) -> Result<Parameters, Error> {
    let named = Parameters::UNOFFICIAL_2011;
    if text == named.name {
        return Ok(named);
    }
    let numbers = text.split(',').map(|number| number.trim().parse().ok());
    let numbers: Option<Vec<f64>> = numbers.collect();
    let [simulation_factor, active_cost_high, active_cost_low, linkset_factor] =
        numbers.unwrap_or_default()[..]
    else {
        return Err(Error::NoSimulator);
    };
    let given = Parameters {
        name: "given",
        provenance: Provenance::Estimated,
        simulation_factor,
        active_cost_high,
        active_cost_low,
        linkset_factor,
    };
    Simulator::<f64>::new(given)?;
    Ok(given)
}
