//! The scene without a heap, through its public API. One binary, as each is linked separately.

mod capacity;
mod columns;
mod measured;
mod same_plan;
mod views;
