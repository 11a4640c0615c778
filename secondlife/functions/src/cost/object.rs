//! Weights of whole objects: `server_weight`, `simulator_cost`, `region_cost`, `land_impact`, `millionths`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, UInt32Array};
use arrow::datatypes::DataType;
use datafusion_common::Result;
use lodger_core::cost::land_impact::land_impact as impact;
use lodger_core::cost::simulator::{FreeScripts, region_cost as region, server_weight as server};

use super::{cost_type, costs, costs_by_name};
use crate::arguments::{ArgumentColumn, SqlArguments};
use crate::function::{Argument, ArgumentType, SqlFunction};

const PRIMS: Argument = Argument::number("prims", "The parts of the object.");
const SCRIPTS: Argument = Argument::number("scripts", "The scripts in all parts of the object.");
const STREAMING: Argument =
    Argument::number("streaming", "The sum of the streaming costs of its parts.");

pub(crate) static SERVER_WEIGHT: SqlFunction = SqlFunction {
    name: "server_weight",
    about: "The server weight of an object: 0.5 for each prim and 0.25 for each script but the first, at most 1 for \
        each prim. Source: the grid's wiki on land impact. Null where an argument is, or is negative.",
    example: "SELECT server_weight(10, 3)",
    arguments: &[PRIMS, SCRIPTS],
    result: cost_type,
    call: server_weight,
};

pub(crate) static SIMULATOR_COST: SqlFunction = SqlFunction {
    name: "simulator_cost",
    about: "The simulator resource cost of an object: simulation factor × active cost × (prims + linkset factor / \
        prims); the active cost is high for an object that has a script or moves by physics. Source: mesh physics \
        document, simulator resource cost, which gives no constants; 'unofficial-2011' are from a forum post of August \
        2011. Null where an argument is, where prims or scripts are negative, and for an object without prims.",
    example: "SELECT simulator_cost(10, 3, false, 'unofficial-2011')",
    arguments: &[
        PRIMS,
        SCRIPTS,
        Argument::new("physical", ArgumentType::Flag, "Whether the object moves by physics."),
        Argument::new(
            "parameters",
            ArgumentType::Simulator,
            "The constants: 'unofficial-2011', or simulation factor, active cost high and low, and linkset factor, \
             as in '0.5,2,1,0'.",
        ),
    ],
    result: cost_type,
    call: simulator_cost,
};

pub(crate) static REGION_COST: SqlFunction = SqlFunction {
    name: "region_cost",
    about: "The region resource cost of an object: the greater of its simulator resource cost and its streaming cost. \
        Source: mesh physics document, region resource cost. Null where an argument is; one that is NaN counts as 0.",
    example: "SELECT region_cost(simulator_cost(10, 3, false, 'unofficial-2011'), 2.5)",
    arguments: &[Argument::number("simulator", "Its simulator resource cost."), STREAMING],
    result: cost_type,
    call: region_cost,
};

pub(crate) static LAND_IMPACT: SqlFunction = SqlFunction {
    name: "land_impact",
    about: "The number that an object counts against its parcel: the greatest of three weights, rounded to the \
        nearest integer with halves up, at least 1. Source: mesh physics document, region resource cost. Null where \
        an argument is; one that is NaN counts as 0.",
    example: "SELECT land_impact(0.6, 1.6267, 0.5)",
    arguments: &[
        STREAMING,
        Argument::number(
            "physics",
            "The sum of the physics costs of its parts, penalised if the object is physical.",
        ),
        Argument::number("server", "Its server weight."),
    ],
    result: || DataType::Int64,
    call: land_impact,
};

pub(crate) static MILLIONTHS: SqlFunction = SqlFunction {
    name: "millionths",
    about: "A cost in millionths, rounded to the nearest integer with halves away from 0. Sums of millionths do not \
        depend on their order or on the number of partitions; sums of costs do. Values beyond 64 bits saturate; null \
        where the argument is, or is NaN.",
    example: "SELECT sum(millionths(streaming)) / 1e6 FROM prices",
    arguments: &[Argument::number("cost", "A cost.")],
    result: || DataType::Int64,
    call: millionths,
};

fn server_weight(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let [prims, scripts]: [ArgumentColumn<UInt32Array>; 2] = arguments.numbers(0)?;
    Ok(costs(arguments.rows(), |row| {
        Some(server(prims.get(row)?, scripts.get(row)?, FreeScripts::One))
    }))
}

fn simulator_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let [prims, scripts]: [ArgumentColumn<UInt32Array>; 2] = arguments.numbers(0)?;
    let (physical, simulators) = (arguments.flag(2)?, arguments.simulators(3)?);
    costs_by_name(arguments.rows(), &simulators, |simulator, row| {
        let (prims, scripts, physical) = (prims.get(row)?, scripts.get(row)?, physical.get(row)?);
        simulator.cost(prims, physical || scripts > 0).ok()
    })
}

fn region_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let [simulator, streaming]: [ArgumentColumn<Float64Array>; 2] = arguments.numbers(0)?;
    Ok(costs(arguments.rows(), |row| Some(region(simulator.get(row)?, streaming.get(row)?))))
}

fn land_impact(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let [streaming, physics, server]: [ArgumentColumn<Float64Array>; 3] = arguments.numbers(0)?;
    let impact =
        |row| Some(impact(streaming.get(row)?, physics.get(row)?, server.get(row)?).value.into());
    Ok(Arc::new((0..arguments.rows()).map(impact).collect::<Int64Array>()))
}

#[allow(clippy::cast_possible_truncation)] // saturating
fn millionths(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let costs: ArgumentColumn<Float64Array> = arguments.number(0)?;
    let rounded = |row| {
        let cost = costs.get(row).filter(|cost| !cost.is_nan())?;
        Some((cost * 1e6).round() as i64)
    };
    Ok(Arc::new((0..arguments.rows()).map(rounded).collect::<Int64Array>()))
}
