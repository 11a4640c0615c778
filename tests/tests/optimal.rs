//! The optimal policy and stability, through the one door.

#[allow(unreachable_pub)] // examples/optimal.rs uses it, too
mod books;
mod instances;
#[allow(unreachable_pub, dead_code)] // the same
mod measure;
mod stability;
mod traps;
