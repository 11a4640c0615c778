//! Ready-made questions.

mod bin;
mod notes;
mod section;
mod sum;
mod top;
mod waste;
mod whatif;

pub use bin::Bin;
pub use section::{Report, Section};
pub use top::{TopBy, top};
pub use waste::waste;
pub use whatif::whatif;
