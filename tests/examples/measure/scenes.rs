//! Large scenes: TOML with a million actors, a .glb of a million nodes, and hills of one or two million triangles.

use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use lodger_testkit::build::gltf::glb;

use crate::Result;

/// Actors of the scene in TOML, 82 MB of text.
const ACTORS: u32 = 1_000_000;
const HEAD: &str = "budget_ms = 16.6\n[[view]]\neye = [0, 1.7, 0]\n[[module]]\nname = \"m\"\n\
                    unit_cost_ms = 0.00001\nbenefit_value = 1\n";

const GROUPS: u32 = 1_000;
const MEMBERS: u32 = 999;
const MESHES: u32 = 16;
/// Triangles of the first mesh; each next mesh has this many more.
const TRIANGLES: u32 = 12;

/// Squares along a row of hills, of two triangles each.
const SQUARES: u32 = 1_000;
/// The length of a side of the hills, in metres.
const SIDE: f32 = 60.0;

pub(crate) fn write_actors(path: &Path) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(HEAD.as_bytes())?;
    for number in 0..ACTORS {
        let (x, z, work) = (number % 97, number % 89, 4 + number % 64);
        write!(
            file,
            "[[actor]]\nname=\"actor {number}\"\nmodule=\"m\"\nposition=[{x},0,{z}]\nradius=1\n\
             work=[0,{work}]\n"
        )?;
    }
    Ok(file.flush()?)
}

pub(crate) fn write_model(path: &Path) -> Result<()> {
    let bin = triangle();
    Ok(fs::write(path, glb(model_json(bin.len())?, &bin))?)
}

pub(crate) fn write_hills(path: &Path) -> Result<()> {
    write_terrain(path, SQUARES / 2)
}

pub(crate) fn write_mountains(path: &Path) -> Result<()> {
    write_terrain(path, SQUARES)
}

fn write_terrain(path: &Path, rows: u32) -> Result<()> {
    let mut bin: Vec<u8> = positions(rows).flatten().flat_map(f32::to_le_bytes).collect();
    let positions = bin.len();
    bin.extend(triangles(rows).flatten().flat_map(u32::to_le_bytes));
    Ok(fs::write(path, glb(terrain_json(positions, bin.len()), &bin))?)
}

fn triangle() -> Vec<u8> {
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];
    corners.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn model_json(bytes: usize) -> std::result::Result<String, fmt::Error> {
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

fn separated(
    json: &mut String,
    count: u32,
    write_one: impl Fn(&mut String, u32) -> fmt::Result,
) -> fmt::Result {
    (0..count).try_for_each(|number| {
        if number > 0 {
            json.push(',');
        }
        write_one(json, number)
    })
}

fn node(json: &mut String, number: u32) -> fmt::Result {
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

fn positions(rows: u32) -> impl Iterator<Item = [f32; 3]> {
    (0..=rows).flat_map(|row| (0..=SQUARES).map(move |column| point(row, column)))
}

#[expect(clippy::cast_precision_loss, reason = "a thousand squares")]
fn point(row: u32, column: u32) -> [f32; 3] {
    let along = |step: u32| (step as f32 / SQUARES as f32 - 0.5) * SIDE;
    let (x, z) = (along(column), along(row));
    [x, (x * 0.4).sin() * (z * 0.3).cos() + 0.2 * (x * 2.1 + z * 1.7).sin(), z]
}

fn triangles(rows: u32) -> impl Iterator<Item = [u32; 3]> {
    let corner = |row: u32, column: u32| row * (SQUARES + 1) + column;
    (0..rows).flat_map(move |row| {
        (0..SQUARES).flat_map(move |column| {
            let [a, b] = [corner(row, column), corner(row, column + 1)];
            let [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
            [[a, c, b], [b, c, d]]
        })
    })
}

fn terrain_json(positions: usize, bytes: usize) -> String {
    let indices = bytes - positions;
    let (vertices, corners) = (positions / 12, indices / 4);
    let half = SIDE / 2.0;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"terrain","mesh":0}}],
        "meshes":[{{"name":"terrain","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3",
            "min":[-{half},-2,-{half}],"max":[{half},2,{half}]}},
          {{"bufferView":1,"componentType":5125,"count":{corners},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{positions}}},
          {{"buffer":0,"byteOffset":{positions},"byteLength":{indices}}}],
        "buffers":[{{"byteLength":{bytes}}}]}}"#
    )
}
