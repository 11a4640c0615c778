//! The optimal policy and stability, through the one door.

mod books;
mod instances;
mod measure;
mod stability;
mod traps;
