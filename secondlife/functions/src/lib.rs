//! Costs of meshes as SQL functions for `DataFusion`.
//!
//! The formulas are in [`lodger_core::cost`], and [`lodger_opensim::pricing`] combines them: a cost from SQL has the
//! same bits as in `lodger cost`. Only a physics mesh of more than 65 536 triangles, which `lodger cost` measures once
//! for several sizes, may differ by 10⁻¹⁴. [`register`] adds all functions to a session; [`all`] returns them for
//! executors of a cluster. [`MeshRow`] and [`MeshColumns`] read the same facts as the function `mesh` without SQL.
//!
//! # Functions
//!
//! | function | gives | source |
//! |---|---|---|
//! | `streaming_cost(x, y, z, lowest, low, medium, high [, rules])` | streaming cost of a mesh that is not animated | streaming cost document, implementation |
//! | `animated_cost(lowest, low, medium, high, is_root [, rules])` | streaming cost of an animated mesh | today's viewers |
//! | `prim_cost(kind, x, y, z, lowest, low, medium, high [, rules])` | streaming cost of a `plain` or `sculpted` prim, capped; 0 for a `plant` | streaming cost document, equation |
//! | `hull_cost(vertices)` | physics cost of a hull | an independent simulator |
//! | `decomposition_cost(hulls, vertices)` | physics cost of a decomposition | an independent simulator |
//! | `physics_cost(shape_type, physical, x, y, z, hull_vertices, hulls, hulls_vertices, hull_cost, decomposition_cost, physics_mesh)` | physics cost of a part that shows a mesh | mesh physics document |
//! | `penalised(physics, x, y, z)` | physics cost of an object that moves by physics | mesh physics document, formula, notes |
//! | `server_weight(prims, scripts)` | server weight of an object | the grid's wiki on land impact |
//! | `simulator_cost(prims, scripts, physical, parameters)` | simulator resource cost of an object | mesh physics document, simulator resource cost |
//! | `region_cost(simulator, streaming)` | region resource cost of an object | mesh physics document, region resource cost |
//! | `land_impact(streaming, physics, server)` | land impact of an object, an integer | mesh physics document, region resource cost |
//! | `linkset_cost(parts)` | core's sum of the costs of parts; `parts` is a list of structs of a part's number and its cost, in any order | mesh physics document |
//! | `millionths(cost)` | a cost as an integer of millionths | |
//! | `mesh(blob)` | a struct of facts about a mesh asset: [`MeshColumns::fields`] | Mesh/Mesh Asset Format |
//! | `mesh_lint(blob)` | a list of faults that an upload rejects or charges for: `code`, `block`, `text` | Mesh/Mesh physics |
//!
//! Sides (`x`, `y`, `z`) are in metres; `lowest` to `high` are the bytes of LODs, 0 for a missing LOD. Costs are
//! `Float64` without a unit. Numbers may have any type: integers that exceed 32 bits are null, and fractions of bytes
//! and counts are cut. `rules` are `wiki`, `viewer` (the default) or `grid`; other names are an error of the plan.
//! `parameters` are `unofficial-2011`, from a forum post, or four numbers as in `0.5,2,1,0`: the document gives no
//! constants.
//!
//! # Nulls
//!
//! A result is null where an argument is, or where core rejects one: a side that is negative, NaN or above 16 384 m, a
//! hull without vertices or with more than 256. Only the last five arguments of `physics_cost` may be null, for an
//! asset without them, and a plant needs no sizes.
//!
//! # Sums
//!
//! Floating-point sums depend on their order, and so on the number of partitions. Sums of `millionths` do not.
//!
//! # Examples
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! lodger_functions::register(&mut context)?;
//! let result = context.sql("SELECT land_impact(streaming_cost(20, 20, 20, 400, 900, 2500, 9000), 0.2, 0.5) AS li");
//! let batches = result.await?.collect().await?;
//! assert_eq!(batches[0].column(0).as_ref(), &arrow::array::Int64Array::from(vec![12]) as &dyn arrow::array::Array);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod arguments;
mod arrow_columns;
mod cost;
mod function;
mod linkset_cost;
mod mesh;
mod mesh_functions;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

pub use arrow_columns::AppendValue;
use function::{SqlFunction, SqlFunctionUdf};
pub use mesh::{MeshColumns, MeshRow};

static FUNCTIONS: [&SqlFunction; 15] = [
    &cost::STREAMING_COST,
    &cost::ANIMATED_COST,
    &cost::PRIM_COST,
    &cost::HULL_COST,
    &cost::DECOMPOSITION_COST,
    &cost::PHYSICS_COST,
    &cost::PENALISED,
    &cost::SERVER_WEIGHT,
    &cost::SIMULATOR_COST,
    &cost::REGION_COST,
    &cost::LAND_IMPACT,
    &cost::MILLIONTHS,
    &mesh_functions::MESH,
    &mesh_functions::MESH_LINT,
    &linkset_cost::LINKSET_COST,
];

/// Returns all functions, for every process that plans SQL or runs parts of a plan.
#[must_use]
pub fn all() -> Vec<Arc<ScalarUDF>> {
    let udf = |function: &&'static SqlFunction| {
        Arc::new(ScalarUDF::new_from_impl(SqlFunctionUdf::from(*function)))
    };
    FUNCTIONS.iter().map(udf).collect()
}

/// Registers all functions, and replaces functions of the same names.
///
/// # Errors
/// The registry accepts no functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    all().into_iter().try_for_each(|function| registry.register_udf(function).map(drop))
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
