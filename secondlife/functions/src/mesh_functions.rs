//! The functions of the bytes of a mesh asset: `mesh` and `mesh_lint`.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryViewArray, ListBuilder, StringBuilder, StructArray, StructBuilder,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion_common::Result;
use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{FindingKind, lint};
use lodger_mesh_asset::{Asset, AssetBlock, AssetLimits};

use crate::arguments::{ArgumentColumn, SqlArguments};
use crate::function::{Argument, ArgumentType, SqlFunction};
use crate::mesh::{MeshColumns, MeshRow, one_line};

const FILE: Argument = Argument::new("blob", ArgumentType::Blob, "The bytes of the asset's file.");

pub(crate) static MESH: SqlFunction = SqlFunction {
    name: "mesh",
    about: "Facts about a mesh asset: bytes, triangles and vertices of its LODs, hull, decomposition, physics mesh, \
        joints and defects. If the bytes are damaged or no mesh, error gives the reason, and values that cannot be \
        read are null. Source: Second Life wiki, Mesh/Mesh Asset Format. Null where the argument is.",
    example: "SELECT mesh(data)['hull_vertices'] FROM assets",
    arguments: &[FILE],
    result: || DataType::Struct(MeshColumns::fields()),
    call: mesh,
};

pub(crate) static MESH_LINT: SqlFunction = SqlFunction {
    name: "mesh_lint",
    about: "Faults that an upload of a mesh asset rejects or charges for, at a scale of 1 m: a list of findings, each \
        with a stable code, the block and a sentence. A file that is no asset has one finding, unreadable. Source: \
        Second Life wiki, Mesh/Mesh physics and Mesh/Mesh Asset Format. Null where the argument is.",
    example: "SELECT unnest(mesh_lint(data))['code'] FROM assets",
    arguments: &[FILE],
    result: || DataType::List(Arc::new(finding_field())),
    call: mesh_lint,
};

fn mesh(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let files: ArgumentColumn<BinaryViewArray> = arguments.blob(0)?;
    let mut columns = MeshColumns::default();
    for row in 0..arguments.rows() {
        let mesh = files.get(row).map(|file| MeshRow::read(file, AssetLimits::default()));
        columns.append(mesh.as_ref());
    }
    let nulls: NullBuffer = (0..arguments.rows()).map(|row| files.get(row).is_some()).collect();
    let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
    let meshes = StructArray::try_new_with_length(
        MeshColumns::fields(),
        columns.finish(),
        nulls,
        arguments.rows(),
    )?;
    Ok(Arc::new(meshes))
}

fn finding_field() -> Field {
    Field::new("item", DataType::Struct(finding_fields()), true)
}

fn finding_fields() -> Fields {
    ["code", "block", "text"]
        .into_iter()
        .map(|name| Field::new(name, DataType::Utf8, true))
        .collect()
}

fn mesh_lint(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let files: ArgumentColumn<BinaryViewArray> = arguments.blob(0)?;
    let mut lists = ListBuilder::new(StructBuilder::from_fields(finding_fields(), 0))
        .with_field(finding_field());
    for row in 0..arguments.rows() {
        let Some(file) = files.get(row) else {
            lists.append_null();
            continue;
        };
        let findings = lists.values();
        match Asset::parse(file) {
            Ok(asset) => {
                for finding in lint(&asset, ObjectScale::ONE) {
                    let block = finding.block.map(AssetBlock::key);
                    push(findings, finding.kind.code(), block, &one_line(&finding));
                }
            }
            // A fault of the whole file has no block.
            Err(error) => {
                let text = one_line(&error);
                push(findings, FindingKind::Unreadable(error).code(), None, &text);
            }
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

fn push(findings: &mut StructBuilder, code: &str, block: Option<&str>, text: &str) {
    for (column, text) in [Some(code), block, Some(text)].into_iter().enumerate() {
        if let Some(column) = findings.field_builder::<StringBuilder>(column) {
            column.append_option(text);
        }
    }
    findings.append(true);
}
