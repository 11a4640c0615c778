//! `simulator_cost`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, UInt32Array};
use datafusion_common::Result;

use super::units;
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The simulator resource cost of an object.
pub(crate) static SIMULATOR_COST: Function = Function {
    name: "simulator_cost",
    about: "The simulator resource cost of an object: simulation factor × active cost × (prims + linkset factor / \
        prims); the active cost is high for an object that has a script or moves by physics. Source: mesh physics \
        document, simulator resource cost, which gives no constants; 'unofficial-2011' are from a forum post of August \
        2011. Null where an argument is, where prims or scripts are negative, and for an object without prims.",
    example: "SELECT simulator_cost(10, 3, false, 'unofficial-2011')",
    arguments: &[
        Argument::new("prims", Kind::Number, "The parts of the object."),
        Argument::new("scripts", Kind::Number, "The scripts in all of them."),
        Argument::new("physical", Kind::Flag, "Whether the object moves by physics."),
        Argument::new(
            "parameters",
            Kind::Simulator,
            "Whose constants: 'unofficial-2011', or simulation factor, active cost high and low, and linkset factor, \
             as in '0.5,2,1,0'.",
        ),
    ],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let [prims, scripts]: [Column<UInt32Array>; 2] = arguments.numbers(0)?;
    let (physical, simulators) = (arguments.flag(2)?, arguments.simulators(3)?);
    let cost = |row| -> Result<Option<f64>> {
        let Some(simulator) = simulators.get(row)? else { return Ok(None) };
        let of = prims.get(row).zip(scripts.get(row)).zip(physical.get(row));
        let cost = of.and_then(|((prims, scripts), physical)| {
            simulator.cost(prims, physical || scripts > 0).ok()
        });
        Ok(cost)
    };
    let costs: Float64Array = (0..arguments.rows()).map(cost).collect::<Result<_>>()?;
    Ok(Arc::new(costs))
}
