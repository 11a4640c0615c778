//! scheduler_tick
