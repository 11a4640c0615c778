//! A .glb of a million nodes: a thousand groups of turned, scaled and named ones with one of 16 meshes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::boards::unfit;
use crate::failure::Failure;

const GROUPS: u32 = 1_000;
/// The nodes of a group besides itself.
const MEMBERS: u32 = 999;
const MESHES: u32 = 16;
/// The triangles of the first mesh; each other one has as many more.
const TRIANGLES: u32 = 12;
/// The kinds of chunks of a .glb, and of a file.
const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;
const MAGIC: u32 = 0x4654_6c67;

/// Writes the model.
pub(super) fn write(path: &Path) -> Result<(), Failure> {
    let bin = triangle();
    let json = json(bin.len()).map_err(|error| unfit(path, &error))?;
    let bytes = glb(&json, &bin).map_err(|error| unfit(path, &error))?;
    fs::write(path, bytes).map_err(|error| unfit(path, &error))
}

/// Three corners, all that there is to see.
fn triangle() -> Vec<u8> {
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];
    corners.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn json(bytes: usize) -> Result<String, std::fmt::Error> {
    let mut json =
        String::from("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[");
    separated(&mut json, GROUPS, |json, group| write!(json, "{}", group * (MEMBERS + 1)))?;
    json += "]}],\"nodes\":[";
    separated(&mut json, GROUPS * (MEMBERS + 1), node)?;
    json += "],\"meshes\":[";
    separated(&mut json, MESHES, |json, mesh| {
        write!(
            json,
            "{{\"name\":\"mesh {mesh}\",\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\
             \"indices\":{}}}]}}",
            mesh + 1
        )
    })?;
    json += "],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\
             \"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0.5]},";
    separated(&mut json, MESHES, |json, mesh| {
        let count = 3 * TRIANGLES * (mesh + 1);
        write!(json, "{{\"componentType\":5125,\"count\":{count},\"type\":\"SCALAR\"}}")
    })?;
    write!(
        json,
        "],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":{bytes}}}],\
         \"buffers\":[{{\"byteLength\":{bytes}}}]}}"
    )?;
    Ok(json)
}

/// Writes so many things with commas between them.
fn separated(
    json: &mut String,
    count: u32,
    write_one: impl Fn(&mut String, u32) -> std::fmt::Result,
) -> std::fmt::Result {
    (0..count).try_for_each(|number| {
        if number > 0 {
            json.push(',');
        }
        write_one(json, number)
    })
}

fn node(json: &mut String, number: u32) -> std::fmt::Result {
    let (group, member) = (number / (MEMBERS + 1), number % (MEMBERS + 1));
    if member == 0 {
        write!(json, "{{\"name\":\"group {group}\",\"translation\":[{group},0,0],\"children\":[")?;
        separated(json, MEMBERS, |json, child| write!(json, "{}", number + 1 + child))?;
        return json.write_str("]}");
    }
    write!(
        json,
        "{{\"name\":\"node {number}\",\"mesh\":{mesh},\"translation\":[0,{y},{member}],\
         \"rotation\":[0,0.6,0,0.8],\"scale\":[1,{scale},1]}}",
        mesh = number % MESHES,
        y = member % 7,
        scale = 1 + member % 3
    )
}

/// The two chunks of a .glb, each filled up to whole words.
pub(super) fn glb(json: &str, bin: &[u8]) -> Result<Vec<u8>, std::num::TryFromIntError> {
    let (json_length, bin_length) = (json.len().next_multiple_of(4), bin.len().next_multiple_of(4));
    let total = 12 + 8 + json_length + 8 + bin_length;
    let mut bytes = Vec::with_capacity(total);
    for word in [MAGIC, 2, u32::try_from(total)?, u32::try_from(json_length)?, JSON] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(json.as_bytes());
    bytes.resize(20 + json_length, b' ');
    for word in [u32::try_from(bin_length)?, BIN] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(bin);
    bytes.resize(total, 0);
    Ok(bytes)
}
