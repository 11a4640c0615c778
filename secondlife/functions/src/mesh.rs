//! What is known of a mesh asset, as a row.

mod columns;
mod function;
mod lint;
mod row;

pub use columns::MeshColumns;
pub(crate) use function::MESH;
pub(crate) use lint::MESH_LINT;
pub use row::MeshRow;
