//! A sweep.

use lodger_core::cost::land_impact::ObjectWeight;
use lodger_core::cost::physics::{Representation, ShapeType};
use lodger_opensim::pricing::{Mark, MeshUse, SweepPoint};
use serde::Serialize;

use super::weights::PriceBasis;

/// What one mesh costs at many sizes.
#[derive(Debug, Serialize)]
pub(crate) struct Sweep {
    schema: u32,
    pub(crate) file: String,
    pub(crate) rules: &'static str,
    rules_source: &'static str,
    variable: &'static str,
    /// The sides for a longest of 1.
    pub(crate) proportions: [f64; 3],
    /// By size.
    pub(crate) points: Vec<Point>,
    #[serde(skip)]
    pub(crate) shape: ShapeType,
    #[serde(skip)]
    pub(crate) physical: bool,
}

/// The costs at one size.
#[derive(Debug, Serialize)]
pub(crate) struct Point {
    /// Metres: the longest side.
    pub(crate) size: f64,
    /// Metres.
    pub(crate) scale: [f64; 3],
    /// Metres.
    pub(crate) radius: f64,
    pub(crate) streaming: f64,
    /// With the penalty of a physical object.
    pub(crate) physics: f64,
    pub(crate) representation: Representation,
    pub(crate) server: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulator_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region_cost: Option<f64>,
    pub(crate) land_impact: u32,
    pub(crate) limited_by: Option<ObjectWeight>,
    /// What changes here.
    #[serde(serialize_with = "in_words")]
    pub(crate) mark: Option<Mark>,
}

impl Sweep {
    /// A sweep, and what was not swept.
    pub(crate) fn new(
        file: String,
        usage: &MeshUse,
        basis: PriceBasis,
        points: &[SweepPoint],
    ) -> Self {
        let longest = usage.scale.longest();
        Self {
            schema: 1,
            file,
            rules: basis.rules,
            rules_source: basis.source,
            variable: "size: the longest side in metres",
            proportions: usage.scale.sides().map(|side| side / longest),
            points: points.iter().map(Point::from).collect(),
            shape: usage.shape,
            physical: usage.physical,
        }
    }
}

impl From<&SweepPoint> for Point {
    fn from(point: &SweepPoint) -> Self {
        let (price, counted) = (&point.price, &point.price.assessment);
        Self {
            size: point.size,
            scale: price.scale.sides(),
            radius: price.scale.radius(),
            streaming: counted.streaming,
            physics: counted.physics,
            representation: price.physics.representation,
            server: counted.server,
            simulator_cost: counted.resource.map(|costs| costs.simulator),
            region_cost: counted.resource.map(|costs| costs.region),
            land_impact: counted.land_impact.value,
            limited_by: counted.land_impact.limited_by,
            mark: point.mark,
        }
    }
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
fn in_words<S: serde::Serializer>(mark: &Option<Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.as_ref().map(Mark::to_string).serialize(serializer)
}
