//! The optimal policy and stability, through the one door.

mod books;
mod instances;
#[allow(dead_code)] // the example prints more of it
mod measure;
mod stability;
mod traps;
