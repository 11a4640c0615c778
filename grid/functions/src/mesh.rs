//! What is known of a mesh asset, as a row.

mod columns;
mod row;

pub use columns::MeshColumns;
pub use row::MeshRow;
