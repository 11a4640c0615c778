//! `mesh_lint`.

use std::sync::Arc;

use arrow::array::{ArrayRef, BinaryViewArray, ListBuilder, StringBuilder, StructBuilder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion_common::Result;
use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{Finding, Kind as What, lint};
use lodger_mesh_asset::{Asset, Block, Error};

use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};
use crate::line::one_line;

/// What an upload of a mesh asset would refuse or punish.
pub(crate) static MESH_LINT: Function = Function {
    name: "mesh_lint",
    about: "What an upload of a mesh asset would refuse or punish, at a scale of 1 m: a list of findings, each with a \
        code that does not change, the block, and a sentence. A file that is no asset has one finding, unreadable. \
        Source: Second Life wiki, Mesh/Mesh physics and Mesh/Mesh Asset Format. Null where the argument is.",
    example: "SELECT unnest(mesh_lint(data))['code'] FROM assets",
    arguments: &[Argument::new(
        "blob",
        Kind::Blob,
        "The bytes of the asset, as the file has them.",
    )],
    last_is_optional: false,
    result: || DataType::List(Arc::new(item())),
    call,
};

fn item() -> Field {
    Field::new("item", DataType::Struct(fields()), true)
}

fn fields() -> Fields {
    ["code", "block", "text"]
        .into_iter()
        .map(|name| Field::new(name, DataType::Utf8, true))
        .collect()
}

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let blobs: Column<BinaryViewArray> = arguments.blob(0)?;
    let mut lists = ListBuilder::new(StructBuilder::from_fields(fields(), 0)).with_field(item());
    for row in 0..arguments.rows() {
        let Some(file) = blobs.get(row) else {
            lists.append_null();
            continue;
        };
        let findings = lists.values();
        match Asset::parse(file) {
            Ok(asset) => {
                for finding in lint(&asset, ObjectScale::ONE) {
                    push(findings, &finding);
                }
            }
            Err(error) => push_unreadable(findings, error),
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

fn push(findings: &mut StructBuilder, finding: &Finding) {
    push_texts(
        findings,
        [Some(finding.kind.code()), finding.block.map(Block::key), Some(&one_line(finding))],
    );
}

/// The whole file is at fault, so there is no block.
fn push_unreadable(findings: &mut StructBuilder, error: Error) {
    let text = one_line(&error);
    push_texts(findings, [Some(What::Unreadable(error).code()), None, Some(&text)]);
}

fn push_texts(findings: &mut StructBuilder, texts: [Option<&str>; 3]) {
    for (column, text) in texts.into_iter().enumerate() {
        if let Some(column) = findings.field_builder::<StringBuilder>(column) {
            column.append_option(text);
        }
    }
    findings.append(true);
}
