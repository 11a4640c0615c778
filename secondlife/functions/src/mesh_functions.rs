//! The functions of the bytes of a mesh asset: `mesh` and `mesh_lint`.

use std::fmt::Display;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryViewArray, ListBuilder, StringBuilder, StructArray, StructBuilder,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion_common::Result;
use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{Kind, lint};
use lodger_mesh_asset::{Asset, Block, Limits};

use crate::arguments::{ArgumentColumn, Arguments};
use crate::function::{Argument, ArgumentType, SqlFunction};
use crate::mesh::{MeshColumns, MeshRow};

/// Maximum number of characters of a message.
const MAX_CHARACTERS: usize = 300;

const FILE: Argument = Argument::new("blob", ArgumentType::Blob, "The bytes of the asset's file.");

/// Facts about a mesh asset.
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

/// Faults that an upload of a mesh asset would reject or charge for.
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

fn mesh(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let files: ArgumentColumn<BinaryViewArray> = arguments.blob(0)?;
    let mut columns = MeshColumns::default();
    for row in 0..arguments.rows() {
        let mesh = files.get(row).map(|file| MeshRow::read(file, Limits::default()));
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

fn mesh_lint(arguments: &Arguments<'_>) -> Result<ArrayRef> {
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
                    let block = finding.block.map(Block::key);
                    push(findings, finding.kind.code(), block, &one_line(&finding));
                }
            }
            // A fault of the whole file has no block.
            Err(error) => {
                let text = one_line(&error);
                push(findings, Kind::Unreadable(error).code(), None, &text);
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

/// Formats a message, which may quote untrusted input, as one line of at most 300 characters without control
/// characters.
pub(crate) fn one_line(message: &impl Display) -> String {
    let text = message.to_string();
    let shown = |c| if is_control(c) { char::REPLACEMENT_CHARACTER } else { c };
    let mut line: String = text.chars().take(MAX_CHARACTERS).map(shown).collect();
    if text.chars().nth(MAX_CHARACTERS).is_some() {
        line.push('…');
    }
    line
}

/// Whether a terminal interprets a character: a control character, a line separator or a change of direction.
fn is_control(c: char) -> bool {
    let changes_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}');
    c.is_control() || changes_direction || matches!(c, '\u{2028}'..='\u{202e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_short_line_without_control_characters() {
        assert_eq!(one_line(&"a\nb\u{1b}[2J\u{202e}c"), "a\u{fffd}b\u{fffd}[2J\u{fffd}c");
        let long = one_line(&"ä".repeat(1000));
        assert_eq!(long.chars().count(), MAX_CHARACTERS + 1);
        assert!(long.ends_with('…'));
        assert_eq!(one_line(&"x".repeat(MAX_CHARACTERS)).len(), MAX_CHARACTERS);
    }
}
