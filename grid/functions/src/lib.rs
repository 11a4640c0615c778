//! What a mesh costs, as SQL functions for `DataFusion`.
//!
//! The formulas are those of [`lodger_core::cost`], the assembly that of [`lodger_opensim::pricing`]: a cost that comes out of
//! SQL has the bits of one that `lodger cost` shows; but of a physics mesh of more than 65 536 triangles, which
//! `lodger cost` measures once for several sizes, within 10⁻¹⁴ of it. [`register`] adds all functions to a session, [`all`] gives them
//! to whoever runs parts of a plan elsewhere. [`MeshRow`] and [`MeshColumns`] are what `mesh` is made of, for those
//! who read assets without SQL.
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
//! | `land_impact(streaming, physics, server)` | what counts against a parcel, a whole number | mesh physics document, region resource cost |
//! | `linkset_cost(parts)` | what core makes of the costs of parts, of a list of structs of a part's number and its cost in any order | mesh physics document |
//! | `millionths(cost)` | a cost as a whole number of millionths | |
//! | `mesh(blob)` | a struct of what is in a mesh asset: [`MeshColumns::fields`] | Mesh/Mesh Asset Format |
//! | `mesh_lint(blob)` | a list of what an upload would refuse or punish: `code`, `block`, `text` | Mesh/Mesh physics |
//!
//! Sides (`x`, `y`, `z`) are metres, `lowest` to `high` the bytes of LODs, 0 where there is none. Costs are `Float64`,
//! without a unit. Numbers may be of any type: whole ones that do not fit 32 bits are null, and fractions of bytes and
//! counts are cut. `rules` are `wiki`, `viewer`, which count if none are named, or `grid`; other names are an error of
//! the plan. `parameters` are `unofficial-2011`, from a forum post, or four numbers as in `0.5,2,1,0`: the document
//! gives no constants.
//!
//! # Nulls
//!
//! A result is null where an argument is, or where core refuses one: a side that is negative, NaN or above 16 384 m, a
//! hull without vertices or with more than 256. But the last five arguments of `physics_cost` may be null, for what an
//! asset has not, and a plant needs no sizes.
//!
//! # Sums
//!
//! Floating-point sums depend on their order, and so on how many partitions a plan is cut into. Sums of `millionths`
//! do not.
//!
//! # Examples
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! lodger_functions::register(&mut context)?;
//! let answer = context.sql("SELECT land_impact(streaming_cost(20, 20, 20, 400, 900, 2500, 9000), 0.2, 0.5) AS li");
//! let batches = answer.await?.collect().await?;
//! assert_eq!(batches[0].column(0).as_ref(), &arrow::array::Int64Array::from(vec![12]) as &dyn arrow::array::Array);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod arguments;
mod cost;
mod function;
mod line;
mod linkset_cost;
mod mesh;
mod rules;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

use function::{Function, Registered};
use linkset_cost::LinksetCost;
pub use mesh::{MeshColumns, MeshRow};

static FUNCTIONS: [&Function; 14] = [
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
    &mesh::MESH,
    &mesh::MESH_LINT,
];

/// All functions, to be registered where SQL is planned and wherever parts of a plan are run.
#[must_use]
pub fn all() -> Vec<Arc<ScalarUDF>> {
    let udf = |function: &&'static Function| {
        Arc::new(ScalarUDF::new_from_impl(Registered::from(*function)))
    };
    let of_lists = Arc::new(ScalarUDF::new_from_impl(LinksetCost::new()));
    FUNCTIONS.iter().map(udf).chain([of_lists]).collect()
}

/// Registers all functions. One of the same name that is there already is replaced.
///
/// # Errors
/// The registry takes no functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    all().into_iter().try_for_each(|function| registry.register_udf(function).map(drop))
}

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
