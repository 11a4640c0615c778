//! What the rules say about a linkset, in the names of its file.

mod answer;
mod span;
mod sphere;

pub use answer::{Better, Held, LinkReport, Miss, Piece, SpanReport, SphereReport, Step};
pub use span::SpanError;
