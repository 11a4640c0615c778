//! `mesh`.

use std::sync::Arc;

use arrow::array::{ArrayRef, BinaryViewArray, StructArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::DataType;
use datafusion_common::Result;
use lodger_mesh_asset::Limits;

use super::columns::MeshColumns;
use super::row::MeshRow;
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// What is in a mesh asset.
pub(crate) static MESH: Function = Function {
    name: "mesh",
    about: "What is known of a mesh asset: bytes, triangles and vertices of its LODs, hull, decomposition, physics \
        mesh, joints, and what an operator looks for. Where bytes are none, or damaged, error says why, and what \
        could not be read is null. Source: Second Life wiki, Mesh/Mesh Asset Format. Null where the argument is.",
    example: "SELECT mesh(data)['hull_vertices'] FROM assets",
    arguments: &[Argument::new(
        "blob",
        Kind::Blob,
        "The bytes of the asset, as the file has them.",
    )],
    last_is_optional: false,
    result: || DataType::Struct(MeshColumns::fields()),
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let blobs: Column<BinaryViewArray> = arguments.blob(0)?;
    let mut columns = MeshColumns::default();
    for row in 0..arguments.rows() {
        let mesh = blobs.get(row).map(|file| MeshRow::of(file, Limits::default()));
        columns.push(mesh.as_ref());
    }
    let nulls: NullBuffer = (0..arguments.rows()).map(|row| blobs.get(row).is_some()).collect();
    let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
    let meshes = StructArray::try_new_with_length(
        MeshColumns::fields(),
        columns.finish(),
        nulls,
        arguments.rows(),
    )?;
    Ok(Arc::new(meshes))
}
