//! What parts and objects cost.

mod animated;
mod decomposition;
mod hull;
mod impact;
mod millionths;
mod penalised;
mod physics;
mod prim;
mod region;
mod server;
mod simulator;
mod streaming;
mod units;

pub(crate) use animated::ANIMATED_COST;
pub(crate) use decomposition::DECOMPOSITION_COST;
pub(crate) use hull::HULL_COST;
pub(crate) use impact::LAND_IMPACT;
pub(crate) use millionths::MILLIONTHS;
pub(crate) use penalised::PENALISED;
pub(crate) use physics::PHYSICS_COST;
pub(crate) use prim::PRIM_COST;
pub(crate) use region::REGION_COST;
pub(crate) use server::SERVER_WEIGHT;
pub(crate) use simulator::SIMULATOR_COST;
pub(crate) use streaming::STREAMING_COST;
