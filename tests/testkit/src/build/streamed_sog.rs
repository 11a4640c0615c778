//! An index of a Streamed SOG like real ones: a street of houses, some of them finer.

use std::fmt::Write as _;

use crate::SplitMix64;

/// Halvings of space, for 4 096 leaves.
const HALVINGS: u32 = 12;
const LEVELS: u32 = 5;
const SIZE: [f64; 3] = [512.0, 64.0, 512.0];

/// The index of [`HALVINGS`]. Each sixteenth leaf lacks a level.
pub fn index() -> String {
    index_of(HALVINGS)
}

pub fn index_of(halvings: u32) -> String {
    let mut counts = [0_u64; LEVELS as usize];
    let mut tree = String::new();
    node(halvings, 0, [0.0; 3], SIZE, &mut counts, &mut tree);
    format!(
        "{{\"version\":1,\"count\":{},\"counts\":{counts:?},\"lodLevels\":{LEVELS},\
         \"lodErrors\":true,\"environment\":null,\"filenames\":[\"0_0/meta.json\"],\"tree\":{tree}}}",
        counts.iter().sum::<u64>()
    )
}

/// Writes a node and all nodes below it; `path` has a bit for each half that leads to it.
fn node(
    halvings: u32,
    path: u32,
    min: [f64; 3],
    max: [f64; 3],
    counts: &mut [u64],
    text: &mut String,
) {
    let _ = write!(text, "{{\"bound\":{{\"min\":{min:?},\"max\":{max:?}}},");
    if halvings == 0 {
        leaf(path, counts, text);
        return;
    }
    let longest = (0..3).fold(0, |longest, axis| {
        if max[axis] - min[axis] > max[longest] - min[longest] { axis } else { longest }
    });
    let middle = f64::midpoint(min[longest], max[longest]);
    let (mut end, mut start) = (max, min);
    (end[longest], start[longest]) = (middle, middle);
    text.push_str("\"children\":[");
    node(halvings - 1, 2 * path, min, end, counts, text);
    text.push(',');
    node(halvings - 1, 2 * path + 1, start, max, counts, text);
    text.push_str("]}");
}

fn leaf(number: u32, counts: &mut [u64], text: &mut String) {
    let finest = 250 + noise(number, 0) % 7_750;
    // Smooth leaves lose little with their splats.
    let rough = f64::from(1 + noise(number, 1) % 64) / 16.0;
    let lacking = if number.is_multiple_of(16) { noise(number, 2) % LEVELS } else { LEVELS };
    let mut lods = Vec::new();
    for (level, sum) in (0..LEVELS).zip(counts).filter(|(level, _)| *level != lacking) {
        let count = (finest >> level) + noise(number, 3 + level) % 16;
        lods.push(format!("\"{level}\":{{\"file\":0,\"offset\":{sum},\"count\":{count}}}"));
        *sum += u64::from(count);
    }
    let errors: Vec<_> = (0..LEVELS).map(|level| rough * f64::from((1_u32 << level) - 1)).collect();
    let _ = write!(text, "\"lods\":{{{}}},\"errors\":{errors:?}}}", lods.join(","));
}

fn noise(number: u32, of: u32) -> u32 {
    (SplitMix64::new(u64::from(number) << 32 | u64::from(of)).next_u64() >> 40) as u32
}
